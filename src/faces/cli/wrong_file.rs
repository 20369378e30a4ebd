//! Files that were given to a command that takes others: which one takes them.

use std::path::Path;

use crate::app::FileKind;
use crate::files::books::Format;
use crate::files::counted::counted;
use crate::files::games::GameFormat;
use crate::store::shell_words::{book_named, file_argument};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Takes {
    Books,
    Snapshots,
    OtherBooks,
    Games,
}

/// Names files in folders that hold something else than games; none where there is none.
pub fn without_games(files: &[String]) -> Option<String> {
    const MOST: usize = 10;
    let (first, more) = files.split_at(files.len().min(MOST));
    let hold = if files.len() == 1 { "holds" } else { "hold" };
    let more = match more.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let count = counted(files.len() as u64, "file");
    (!files.is_empty())
        .then(|| format!("{count} in the folders {hold} no games: {}{more}", first.join(", ")))
}

/// The error of a command that takes files of a kind; where one of the files is of another kind, what
/// it is and which command takes it instead.
pub fn or_right_command<'a>(
    error: anyhow::Error,
    takes: Takes,
    files: impl IntoIterator<Item = &'a Path>,
) -> anyhow::Error {
    let right = files.into_iter().find_map(|file| right_command(file, takes));
    right.map_or(error, anyhow::Error::msg)
}

/// What a file is and which command takes it; none where it is of the kind that was asked for, or
/// nothing that is known.
pub fn right_command(file: &Path, takes: Takes) -> Option<String> {
    let name = file.display();
    let argument = file_argument(file);
    let (is, kind, command) = match FileKind::of_file(file).ok()? {
        // No command of these takes them.
        FileKind::Positions => {
            return Some(format!(
                "{name} is a file of positions: 'rosebill solve {argument}' finds their results, 'rosebill \
                 search {argument}' and 'rosebill show {argument}' take them, too"
            ));
        }
        FileKind::Database => return Some(format!("{name} is another program's SQLite file")),
        FileKind::Book => (
            "a book of rosebill".to_owned(),
            Takes::Books,
            format!(
                "'rosebill merge {argument}' takes it in, 'rosebill show {}' asks it",
                book_named(file)
            ),
        ),
        FileKind::Snapshot => (
            "a snapshot of a book".to_owned(),
            Takes::Snapshots,
            format!("'rosebill restore {argument}' makes the book what it says"),
        ),
        FileKind::OtherBook(format) => (
            match format {
                Format::Json => "a book of rosebill as JSON".to_owned(),
                format => format!("a book for other programs ({})", format.title()),
            },
            Takes::OtherBooks,
            format!("'rosebill import {argument}' takes it in"),
        ),
        FileKind::Games(format) => (
            "a file of games".to_owned(),
            Takes::Games,
            match format {
                // A line may be one of a game, or one that leads to a position of which something is known.
                GameFormat::Table if takes == Takes::OtherBooks => format!(
                    "'rosebill games import {argument}' takes them in; a table of facts says 'proven' above their values"
                ),
                _ => format!("'rosebill games import {argument}' takes them in"),
            },
        ),
        FileKind::Bytes | FileKind::Text => return None,
    };
    (kind != takes).then(|| format!("{name} is {is}: {command}"))
}
