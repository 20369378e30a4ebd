//! One rule for files that are there already.

use std::path::Path;

use anyhow::bail;

use super::hint::Refusal;
use super::wrong_file::what_it_is;
use crate::app::FileKind;
use crate::faces::render::Command;

/// Whether an output may take the place of games or of a book.
#[derive(clap::Args, Clone, Copy, Default, Debug)]
pub struct ForceArguments {
    /// Replace a file that holds games or a book, too: any other file is replaced without it
    #[arg(long)]
    force: bool,
}

impl ForceArguments {
    /// Refuses to replace a file that holds games or a book; `meant` is a command that reads such a file, and may
    /// have been meant.
    pub fn check(self, path: &Path, meant: Option<&str>) -> Result<(), Refusal> {
        if path.as_os_str() == "-" {
            return Ok(());
        }
        let Some(kind) = FileKind::of_file(path).ok().filter(|kind| kind.is_games_or_book()) else {
            return Ok(());
        };
        let is = what_it_is(kind, &path.display().to_string(), path).map(|it| it.text);
        let is = is.unwrap_or_default();
        // A book is more than its file: there are its logs, and other programs that have it open.
        if matches!(kind, FileKind::Book | FileKind::Database) {
            return Err(Refusal::new(
                format!("{is}, which is never replaced: give another name"),
                [],
            ));
        }
        if self.force {
            return Ok(());
        }
        // An export into such a file may have been meant to read it.
        let meant = meant.map(|_| match kind {
            FileKind::Games(_) => "games import",
            FileKind::Snapshot => "snapshot restore",
            _ => "import",
        });
        let meant = meant.map(|meant| Command::new(meant).with_file(path));
        let text = format!("{is}, and is replaced only with --force");
        Err(Refusal::new(text, meant.into_iter().collect::<Vec<_>>()))
    }
}

/// For files of games and books that are added to, or that other programs may have open: those are new files always.
pub fn check_new(path: &Path) -> anyhow::Result<()> {
    if path.symlink_metadata().is_ok() {
        bail!("{} already exists: give the name of a new file", path.display());
    }
    Ok(())
}
