//! Files that were given to a command that takes others: which one takes them.

use std::path::Path;

use super::hint::Refusal;
use crate::app::FileKind;
use crate::faces::render::Command;
use crate::files::books::Format;
use crate::files::counted::counted;
use crate::files::games::GameFormat;

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
    right.map_or(error, anyhow::Error::new)
}

/// What a file is and which commands take it; none where it is of the kind that was asked for, or
/// nothing that is known.
pub fn right_command(file: &Path, takes: Takes) -> Option<Refusal> {
    let kind = FileKind::of_file(file).ok()?;
    let taken = match kind {
        FileKind::Book => Takes::Books,
        FileKind::Snapshot => Takes::Snapshots,
        FileKind::OtherBook(_) => Takes::OtherBooks,
        FileKind::Games(_) => Takes::Games,
        _ => return what_it_is(kind, &file.display().to_string(), file),
    };
    let mut refusal = what_it_is(kind, &file.display().to_string(), file)?;
    // A line may be one of a game, or one that leads to a position of which something is known.
    if takes == Takes::OtherBooks && kind == FileKind::Games(GameFormat::Table) {
        refusal.text += "; a table of facts says 'proven' above their values";
    }
    (taken != takes).then_some(refusal)
}

/// What a file with a name is, and the commands that take it; none where it is nothing that is known.
pub fn what_it_is(kind: FileKind, name: &str, file: &Path) -> Option<Refusal> {
    let take = |command: &str| Command::new(command).with_file(file);
    let (is, commands) = match kind {
        FileKind::Positions => {
            let ask = |command| take(command).of_no_book();
            ("a file of positions".into(), vec![ask("solve"), ask("search"), take("show")])
        }
        FileKind::Database => ("another program's SQLite file".into(), Vec::new()),
        FileKind::Book => {
            let show = Command::new("show").of_book(file);
            ("a book of rosebill".into(), vec![show, take("import")])
        }
        FileKind::Snapshot => ("a snapshot of a book".into(), vec![take("snapshot restore")]),
        FileKind::OtherBook(Format::Json) => {
            ("a book of rosebill as JSON".into(), vec![take("import")])
        }
        FileKind::OtherBook(Format::Tables) => {
            ("tables of a book, for other programs".into(), Vec::new())
        }
        FileKind::OtherBook(format) => {
            let is = format!("a book for other programs ({})", format.title());
            (is, vec![take("import")])
        }
        FileKind::Games(format) => {
            let is = format!("a file of games ({})", format.name());
            (is, vec![take("analyze"), take("games import")])
        }
        FileKind::Bytes | FileKind::Text => return None,
    };
    Some(Refusal::new(format!("{name} is {is}"), commands))
}
