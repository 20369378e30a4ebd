//! Servers that are none: silent ones, and ones that say what a terminal would act on.

use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread::{sleep, spawn};
use std::time::Duration;

use crate::desk::{Desk, Running, told, until};

const GREETING: &[u8] = b"INFO {\"server_id\":\"X\",\"server_name\":\"x\",\"version\":\"2.9.10\",\
\"proto\":1,\"go\":\"go\",\"host\":\"0.0.0.0\",\"port\":4222,\"headers\":true,\"max_payload\":1048576,\
\"jetstream\":true,\"client_id\":5}\r\n";

/// A terminal turns red and rings, and the text behind is written from right to left.
const TRICKS: &str = "\u{1b}[31mevil \u{202e}\u{7}";

/// The address of a server that does this with whoever connects.
fn server(serve: impl Fn(TcpStream) + Send + Clone + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let serve = serve.clone();
            spawn(move || serve(stream));
        }
    });
    format!("nats://{address}")
}

/// Lets in whoever comes, and answers nothing but whether it lives.
fn lives(mut stream: TcpStream) {
    let mut bytes = [0; 4096];
    let say = |stream: &mut TcpStream, what: &[u8]| stream.write_all(what).is_ok();
    let mut goes_on = say(&mut stream, GREETING);
    while goes_on {
        let count = stream.read(&mut bytes).unwrap_or_default();
        let asked = bytes.get(..count).is_some_and(|said| said.windows(4).any(|w| w == b"PING"));
        goes_on = count > 0 && (!asked || say(&mut stream, b"PONG\r\n"));
    }
}

/// A fleet of which nobody tells is not an empty one.
#[test]
fn a_server_that_says_nothing_has_no_status() {
    let silent = server(|stream| {
        sleep(Duration::from_secs(60));
        drop(stream);
    });
    for url in ["nats://127.0.0.1:1".to_owned(), silent, server(drop), server(lives)] {
        let output = Desk::of(&url).run(&["fleet", "status"]);
        assert_eq!((output.status.code(), &output.stdout[..]), (Some(1), &b""[..]), "{url}");
        let text = told(&output);
        assert!(text.starts_with(&format!("rosebill: the fleet's server {url} cannot")), "{text}");
        assert_eq!(text.lines().count(), 1, "{text}");
    }
}

#[test]
fn what_a_server_says_moves_no_terminal() {
    let refuses = server(|mut stream| {
        let _ = stream.write_all(GREETING).and_then(|()| stream.read(&mut [0; 4096]));
        let _ = write!(stream, "-ERR '{TRICKS}'\r\n");
        sleep(Duration::from_secs(60));
    });
    let babbles = server(|mut stream| {
        let _ = write!(stream, "{TRICKS}\r\n");
        sleep(Duration::from_secs(60));
    });
    for url in [refuses, babbles] {
        let desk = Desk::of(&url);
        let status = desk.run(&["fleet", "status"]);
        assert_eq!(status.status.code(), Some(1), "{}", told(&status));
        let told_by = |name: &str| fs::read_to_string(desk.path(name)).unwrap();
        let running =
            [&["fleet", "work", "--threads", "1"][..], &["grow", "--fleet", "--level", "2"]];
        let mut texts = vec![told(&status)];
        for (arguments, name) in running.into_iter().zip(["work.txt", "grow.txt"]) {
            let file = fs::File::create(desk.path(name)).unwrap();
            let running = Running::from(desk.command(arguments).stderr(file).spawn().unwrap());
            until("it says what it waits for", || told_by(name).contains("waiting"));
            running.interrupt();
            assert_eq!(
                running.code_within(Duration::from_secs(30)),
                Some(130),
                "{}",
                told_by(name)
            );
            texts.push(told_by(name));
        }
        for text in texts {
            assert!(text.contains("\\u{1b}[31mevil \\u{202e}\\u{7}"), "{text}");
            let tricks = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
            assert!(!text.contains(tricks), "{text:?}");
        }
    }
}
