//! `rosebill serve`.

use crate::app::amounts::at_least;
use crate::app::json::object;
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::faces::cli::interrupt::stop_on_interrupt;
use crate::faces::render::Command;
use crate::faces::web::{GrowTerms, Origin, ServeOptions, Server};
use std::net::{Ipv4Addr, SocketAddr};

/// Arguments of `serve`.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples: rosebill serve --open; rosebill serve --listen 127.0.0.1:0 --json\n\n\
    The explorer shows the book and its games in a browser, and follows the book while another \
    'rosebill grow' grows it. Without --grow it opens no book for writing. Without a book of your own it shows the \
    small one that comes with the program. The HTTP API is described at /api of its address. \
    Ctrl-C ends it. With --json the line that is printed as soon as the server answers is an object with \
    address, book, is_starter (whether the book that comes with rosebill is shown) and token (with --grow; what the header \
    Authorization: Bearer wants)."
)]
pub struct Arguments {
    /// Address and port; port 0 takes a free one. Other machines can connect only where the address is
    /// not this machine's own
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8642", value_parser = listening)]
    listen: SocketAddr,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// Let pages of this origin read all answers, such as https://example.org, and answer to its name;
    /// may be repeated
    #[arg(long, value_name = "URL")]
    allow_origin: Vec<Origin>,
    /// Let the page grow the book (start, watch, stop, undo) and edit it (remove positions, set values).
    /// Only pages opened at the address that is printed can, as it carries a secret of this run
    #[arg(long)]
    grow: bool,
    /// With --grow: searches at once [default: threads of the configuration, or all processors]
    #[arg(long, value_name = "N", requires = "grow", value_parser = at_least::<1, usize>)]
    threads: Option<usize>,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    let stop = stop_on_interrupt()?;
    let grow = arguments.grow.then(|| GrowTerms {
        threads: context.threads(arguments.threads),
        table_megabytes: context.settings().table_megabytes.value,
    });
    let options =
        ServeOptions { listen: arguments.listen, origins: arguments.allow_origin.clone(), grow };
    let server = Server::start(context.book_to_ask(), &options)?;
    let address = server.address();
    if !address.ip().is_loopback() {
        context.note(
            "other machines can ask this server too: it answers every request that reaches it, without a \
             password and unencrypted",
        );
    }
    if server.is_starter() {
        context.hint(&[Command::new("grow").with(["--time", "60s"])]);
    }
    let address = format!("http://{}/", reachable(address));
    // A browser never sends the text behind the hash.
    let token = server.token().map_or(String::new(), |token| format!("#token={token}"));
    let url = format!("{address}{token}");
    if context.output.is_json() {
        // What a script must know that waits for the server.
        context.output.object(&object! {
            // Of the page; those of the questions begin with it.
            address,
            book: context.book_path().display().to_string(),
            // There is no such book, and the one of the program is shown.
            is_starter: server.is_starter(),
            // A request with it may grow and edit the book; none without --grow.
            token: server.token(),
        })?;
    } else {
        context.output.line(&url)?;
    }
    context.output.flush()?;
    if arguments.open && open::that_detached(&url).is_err() {
        context.note(format_args!("no browser could be started: open {url} yourself"));
    }
    server.run(&stop)?;
    Ok(Status::Interrupted)
}

/// An address that a browser of this machine can go to: one that means all of them is none.
fn reachable(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        ip if !ip.is_unspecified() => ip,
        std::net::IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
        std::net::IpAddr::V6(_) => std::net::Ipv6Addr::LOCALHOST.into(),
    };
    SocketAddr::new(ip, address.port())
}

/// Where to listen: numbers, or the name that every machine has for itself. Other names are not looked up:
/// the server would not answer to them.
fn listening(text: &str) -> Result<SocketAddr, &'static str> {
    let port = text.split_once(':').filter(|(name, _)| name.eq_ignore_ascii_case("localhost"));
    let numbers = port.map(|(_, port)| format!("{}:{port}", Ipv4Addr::LOCALHOST));
    numbers.as_deref().unwrap_or(text).parse().map_err(|_| {
        "expected an address in numbers, or localhost, and a port, such as 127.0.0.1:8642, \
         localhost:8642 or [::1]:8642; 0.0.0.0:8642 takes connections from everywhere"
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_a_port_and_localhost_is_one() {
        let read = |text| listening(text).map(|address| address.to_string());
        for (text, address) in [
            ("127.0.0.1:8642", "127.0.0.1:8642"),
            ("localhost:8642", "127.0.0.1:8642"),
            ("LocalHost:0", "127.0.0.1:0"),
            ("[::1]:80", "[::1]:80"),
        ] {
            assert_eq!(read(text).as_deref(), Ok(address));
        }
        for text in
            ["", "localhost", "localhost:", "localhost:x", "8642", ":8642", "example.org:80"]
        {
            let told = read(text).unwrap_err();
            assert!(told.starts_with("expected an address") && !told.contains('\n'), "{text}");
        }
    }
}
