//! `rosebill man`.

use std::io::{IsTerminal as _, Write};
use std::path::{Path, PathBuf};
use std::process::{Command as Process, Stdio};

use anyhow::Context as _;
use clap::Command;

use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::faces::cli::mistake::no_command;
use crate::faces::guides::{Block, GUIDES, Guide, blocks};
use crate::othello::program::ENGINE;

/// Arguments of `man`.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples: rosebill man; rosebill man games import; rosebill man grow > rosebill-grow.1"
)]
pub struct Arguments {
    /// The page of one command, such as grow or games import, or of a guide, instead of the whole program's
    command: Vec<String>,
    /// Write all pages into this folder, each as a file of its name, for a package
    #[arg(long, value_name = "FOLDER", conflicts_with = "command")]
    all: Option<PathBuf>,
}

/// What belongs to all commands.
const SECTIONS: &str = r"
.SH EXIT STATUS
.TP
0
done
.TP
1
the answer is no: nothing was found, books differ (diff \-\-exit\-code), or a check failed
.TP
2
bad input or a failure; one line on standard error says what and where
.TP
3
done, but something was refused or skipped, such as one of many games or positions
.TP
130
interrupted, with everything committed
.SH ENVIRONMENT
.TP
.B ROSEBILL_BOOK
the book, unless \-\-book names one
.TP
.B ROSEBILL_CONFIG
the configuration file; where it is not there, only config, completions and man do their work
.TP
.B ROSEBILL_FLEET
the address of the fleet's server, unless \-\-fleet names one
.TP
.B ROSEBILL_FLEET_CREDENTIALS
a file of credentials for it, unless \-\-fleet\-credentials names one
.TP
.B COLUMNS
how wide the output is; else as wide as the terminal, and without limit in a pipe
.TP
.B PAGER
what shows text that is longer than the terminal, unless \-\-no\-pager is given; else less
.TP
.B NO_COLOR
where it is set, no colors; there are none in a pipe either
.TP
.B SOURCE_DATE_EPOCH
the time, in seconds since 1970, that is written instead of now
.SH FILES
.TP
.I $XDG_DATA_HOME/rosebill/rosebill.db
the book where nothing names another ($XDG_DATA_HOME is ~/.local/share where it is not set)
.TP
.I $XDG_CONFIG_HOME/rosebill/config.toml
the settings, as 'rosebill config' lists them ($XDG_CONFIG_HOME is ~/.config where it is not set)
.TP
.I $XDG_CACHE_HOME/rosebill
the book that comes with the program, unpacked ($XDG_CACHE_HOME is ~/.cache where it is not set)
";

/// The page of a guide, in section 7.
fn guide_page(guide: &Guide) -> String {
    let mut page = format!(
        ".TH rosebill-{0} 7 \"\" \"{ENGINE}\"\n.SH NAME\nrosebill\\-{0} \\- {1}\n",
        guide.name,
        roff(guide.title())
    );
    for block in blocks(guide.markdown) {
        page.push_str(&match block {
            Block::Heading(1, _) => ".SH DESCRIPTION\n".to_owned(),
            Block::Heading(_, heading) => format!(".SH {}\n", roff(&heading).to_uppercase()),
            Block::Paragraph(text) => format!(".PP\n\\&{}\n", roff(&text)),
            Block::Item(before, text) => format!(".IP \"{before}\" 4\n\\&{}\n", roff(&text)),
            Block::Code(code) => {
                let lines = code.lines().map(|line| format!("\\&{}\n", roff(line)));
                format!(".RS 4\n.nf\n{}.fi\n.RE\n", lines.collect::<String>())
            }
            Block::Table(rows) => rows
                .iter()
                .filter_map(|row| row.split_first())
                .map(|(first, rest)| {
                    format!(".TP\n\\&{}\n\\&{}\n", roff(first), roff(&rest.join("; ")))
                })
                .collect(),
        });
    }
    page
}

/// A text in which nothing is a request or an escape of roff.
fn roff(text: &str) -> String {
    text.replace('\\', r"\e").replace('-', r"\-")
}

pub(super) fn run(
    arguments: &Arguments,
    mut command: Command,
    context: &mut Context,
) -> anyhow::Result<Status> {
    // A page has no need of 'rosebill help', which has none.
    command = command.disable_help_subcommand(true);
    command.build();
    if let Some(folder) = &arguments.all {
        std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        let mut written = write_all(&command, folder)?;
        for guide in GUIDES {
            let file = folder.join(format!("rosebill-{}.7", guide.name));
            std::fs::write(&file, guide_page(guide)).with_context(|| file.display().to_string())?;
            written += 1;
        }
        if context.output.is_json() {
            context.output.object(&serde_json::json!({ "pages": written }))?;
        }
        return Ok(Status::Done);
    }
    let guide = match arguments.command.as_slice() {
        [name] => Guide::of(name),
        _ => None,
    };
    let text = match guide {
        Some(guide) => guide_page(guide).into_bytes(),
        None => {
            let mut page = &command;
            for name in &arguments.command {
                page = page.find_subcommand(name).with_context(|| no_command(page, name))?;
            }
            text(page)?
        }
    };
    if context.output.is_json() {
        let text = String::from_utf8_lossy(&text);
        context.output.object(&serde_json::json!({ "page": text }))?;
    } else if !opened(&text) {
        context.output.write_all(&text)?;
    }
    Ok(Status::Done)
}

/// Opens a page in a terminal, as man does with those that are installed; false where that cannot be done.
fn opened(page: &[u8]) -> bool {
    if !std::io::stdout().is_terminal() {
        return false;
    }
    let child = Process::new("man").args(["-l", "-"]).stdin(Stdio::piped()).spawn();
    let Ok(mut child) = child else { return false };
    // It may be left before it has read all.
    if let Some(mut input) = child.stdin.take() {
        let _ = input.write_all(page);
    }
    child.wait().is_ok_and(|status| status.success())
}

/// The page of a command, or of the whole program.
fn text(command: &Command) -> anyhow::Result<Vec<u8>> {
    let mut text = Vec::new();
    clap_mangen::Man::new(command.clone()).source(ENGINE).render(&mut text)?;
    // What stands below the help has no name of its own there.
    let mut text = String::from_utf8(text)?.replace("\n.SH EXTRA\n", "\n.SH NOTES\n").into_bytes();
    text.write_all(SECTIONS.as_bytes())?;
    if name(command) == command.get_name() {
        let guides: Vec<String> =
            GUIDES.iter().map(|guide| format!(".BR rosebill\\-{} (7)", roff(guide.name))).collect();
        writeln!(text, ".SH SEE ALSO\n{}", guides.join(",\n"))?;
    } else {
        text.write_all(b".SH SEE ALSO\nrosebill(1)\n")?;
    }
    Ok(text)
}

/// `rosebill`, `rosebill-games-import`.
fn name(command: &Command) -> &str {
    command.get_display_name().unwrap_or_else(|| command.get_name())
}

/// Writes the page of a command and those of the commands in it, and returns how many.
fn write_all(command: &Command, folder: &Path) -> anyhow::Result<u64> {
    let file = folder.join(format!("{}.1", name(command)));
    std::fs::write(&file, text(command)?).with_context(|| file.display().to_string())?;
    let mut written = 1;
    for inner in command.get_subcommands().filter(|inner| !inner.is_hide_set()) {
        written += write_all(inner, folder)?;
    }
    Ok(written)
}
