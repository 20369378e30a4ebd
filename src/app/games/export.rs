//! Games as files.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::database::GameDatabase;
use super::filter::FilterError;
use super::list::{ListOptions, chosen, show_game};
use crate::app::output::{ExportTarget, Output};
use crate::files::games::wthor::{gets_names_of, names_without_games};
use crate::files::games::{BATCH, GameFormat, GameWriter, Written};
use crate::othello::search::Stop;
use crate::store::GameId;

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct GameExport {
    /// What was written, and what the format could not hold; `refused` is by the place in the list.
    pub written: Written,
    /// The games that the format cannot hold, and why.
    pub refused: Vec<(GameId, String)>,
    /// The files, the games first.
    pub files: Vec<PathBuf>,
}

/// Why an export failed. The target is as it was.
#[derive(Debug, Error)]
pub(crate) enum GameExportError {
    #[error("{0}")]
    Filter(#[from] FilterError),
    #[error("cannot write {target}")]
    Target {
        target: String,
        #[source]
        error: io::Error,
    },
    /// WTHOR is three files, which neither standard output nor a device is, and the games have
    /// another name than the players and the tournaments.
    #[error("a WTHOR database is three files: give the name of the .wtb file")]
    ThreeFiles,
    /// Names that are not this export's would be lost: a WTHOR database has its own beside it. Without
    /// its games it cannot be known whose they are, also where those had this very name.
    #[error(
        "{file} has names of games that are not here ({target} is missing), and they would be lost: \
         move it away, or give another name or another folder"
    )]
    NamesThere { target: String, file: String },
    /// Games beside it would lose their names, or get those of these.
    #[error(
        "{target} comes with lists of names of its own (.jou, .trn), to which {other} would lose its \
         names: give another name or another folder"
    )]
    NamesOfOthers { target: String, other: String },
    #[error("interrupted: {0} is as it was")]
    Stopped(String),
}

impl From<crate::store::StoreError> for GameExportError {
    fn from(error: crate::store::StoreError) -> Self {
        Self::Filter(error.into())
    }
}

/// Writes games to a file, or to standard output, which gets all of them or nothing. A WTHOR database has its
/// names in two files beside it. Without a game that can be written a file stays as it was, and there are no
/// files. `progress` gets the number of games written.
pub(crate) fn export_games(
    database: &GameDatabase<'_>,
    options: &ListOptions,
    format: GameFormat,
    target: &ExportTarget,
    stop: &Stop,
    progress: impl FnMut(u64),
) -> Result<GameExport, GameExportError> {
    let failed = |error| failed_at(target, error);
    let created =
        |target: &ExportTarget| Output::create(target).map_err(|error| failed_at(target, error));
    let path = match target {
        ExportTarget::Stdout if format == GameFormat::Wthor => {
            return Err(GameExportError::ThreeFiles);
        }
        ExportTarget::Stdout => None,
        ExportTarget::File(path) => Some(path),
    };
    let games = created(target)?;
    // Whether the names can be written is known before the games are.
    let beside = match (path, format) {
        (Some(path), GameFormat::Wthor) => names_beside(path)?.to_vec(),
        _ => Vec::new(),
    };
    let named = |path: &PathBuf| ExportTarget::File(path.clone());
    let outputs: Vec<Output> =
        beside.iter().map(|path| created(&named(path))).collect::<Result<_, _>>()?;
    let mut output = games.writer().map_err(failed)?;
    let export = write(database, options, format, (target, &mut output), stop, progress)?;
    // A file stays as it was; what goes on from here gets what the format has of no game, such as its titles.
    if export.written.games == 0 && path.is_some() {
        return Ok(export);
    }
    output.flush().and_then(|()| games.sync()).map_err(failed)?;
    if let Some(side) = &export.written.side_files {
        let names = [&side.players, &side.tournaments];
        for ((output, path), bytes) in outputs.iter().zip(&beside).zip(names) {
            fill(output, bytes).map_err(|error| failed_at(&named(path), error))?;
        }
        // Games and names belong together: none takes its place before all are written.
        for (output, path) in outputs.into_iter().zip(&beside) {
            output.finish().map_err(|error| failed_at(&named(path), error))?;
        }
    }
    games.finish().map_err(failed)?;
    let files = path.into_iter().cloned().chain(beside).collect();
    Ok(GameExport { files, ..export })
}

fn failed_at(target: &ExportTarget, error: io::Error) -> GameExportError {
    GameExportError::Target { target: target.name(), error }
}

/// Writes the games themselves.
fn write(
    database: &GameDatabase<'_>,
    options: &ListOptions,
    format: GameFormat,
    (target, output): (&ExportTarget, &mut dyn Write),
    stop: &Stop,
    mut progress: impl FnMut(u64),
) -> Result<GameExport, GameExportError> {
    let failed = |error| failed_at(target, error);
    let mut writer = GameWriter::new(format, output).map_err(failed)?;
    let mut ids = Vec::new();
    let asked = chosen(database, options)?;
    let asked = asked.get(..options.limit).unwrap_or(&asked);
    for chunk in asked.chunks(BATCH) {
        if stop.is_stopped() {
            return Err(GameExportError::Stopped(target.name()));
        }
        // One for many games, and none for so long that the log of a writer grows.
        let _snapshot = database.book().snapshot()?;
        let mut games = Vec::new();
        for &id in chunk {
            let Some(listed) = show_game(database, id)? else { continue };
            games.push(listed.game);
            ids.push(id);
        }
        writer.write(&games.iter().collect::<Vec<_>>()).map_err(failed)?;
        progress(ids.len() as u64);
    }
    let written = writer.finish().map_err(failed)?;
    let id = |number: u64| ids.get(usize::try_from(number).ok()?.checked_sub(1)?).copied();
    let refused = written.refused.iter();
    let refused = refused.filter_map(|(number, why)| Some((id(*number)?, why.clone())));
    let refused = refused.collect();
    Ok(GameExport { written, refused, files: Vec::new() })
}

/// Where the names of a WTHOR database go: those of players, and those of tournaments.
fn names_beside(path: &Path) -> Result<[PathBuf; 2], GameExportError> {
    let beside = ["jou", "trn"].map(|ending| path.with_extension(ending));
    let is_special = path.metadata().is_ok_and(|known| !known.is_file() && !known.is_dir());
    let takes_place = path
        .extension()
        .is_some_and(|own| ["jou", "trn"].iter().any(|ending| own.eq_ignore_ascii_case(ending)));
    if is_special || takes_place {
        return Err(GameExportError::ThreeFiles);
    }
    let target = path.display().to_string();
    if let Some(file) = names_without_games(path) {
        return Err(GameExportError::NamesThere { target, file: file.display().to_string() });
    }
    match gets_names_of(path) {
        Some(other) => {
            Err(GameExportError::NamesOfOthers { target, other: other.display().to_string() })
        }
        None => Ok(beside),
    }
}

/// Writes all of a file.
fn fill(output: &Output, bytes: &[u8]) -> io::Result<()> {
    let mut writer = output.writer()?;
    writer.write_all(bytes)?;
    writer.flush()?;
    output.sync()
}
