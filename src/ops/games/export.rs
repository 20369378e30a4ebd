//! Games as files.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::database::GameDatabase;
use super::filter::FilterError;
use super::list::{ListOptions, chosen, show_game};
use crate::games::{GameFormat, GameWriter, Written};
use crate::search::Stop;
use crate::unfinished::Unfinished;

/// What came of an export.
#[derive(Clone, PartialEq, Debug)]
pub struct GameExport {
    /// What was written, and what the format could not hold.
    pub written: Written,
    /// The files, the games first.
    pub files: Vec<PathBuf>,
}

/// Why an export failed. The target is as it was.
#[derive(Debug, Error)]
pub enum GameExportError {
    /// The book, or the filter.
    #[error(transparent)]
    Filter(#[from] FilterError),
    /// The target.
    #[error("cannot write {target}")]
    Target {
        /// Its name.
        target: String,
        /// Why.
        #[source]
        error: io::Error,
    },
    /// WTHOR is three files, which no standard output is.
    #[error("a WTHOR database is three files: give the name of the .wtb file")]
    ThreeFiles,
    /// The stop was raised.
    #[error("interrupted: {0} is as it was")]
    Stopped(String),
}

impl From<crate::store::StoreError> for GameExportError {
    fn from(error: crate::store::StoreError) -> Self {
        Self::Filter(error.into())
    }
}

/// Games between two looks at the stop.
const STEP: u64 = 256;

/// Writes games to a file, or to standard output without one. A WTHOR database has its names in two
/// files beside it. Without a game that can be written the target stays as it was, and there are no
/// files. `progress` gets the number of games written.
///
/// # Errors
/// The target cannot be written, or the games cannot be read.
pub fn export_games(
    database: &GameDatabase<'_>,
    options: &ListOptions,
    format: GameFormat,
    target: Option<&Path>,
    stop: &Stop,
    mut progress: impl FnMut(u64),
) -> Result<GameExport, GameExportError> {
    let name =
        target.map_or_else(|| "standard output".to_owned(), |path| path.display().to_string());
    let failed = |error| GameExportError::Target { target: name.clone(), error };
    let mut write = |output: &mut dyn Write| -> Result<Written, GameExportError> {
        let mut writer = GameWriter::new(format, output).map_err(failed)?;
        for (done, id) in (0_u64..).zip(chosen(database, options)?.into_iter().take(options.limit))
        {
            if done.is_multiple_of(STEP) {
                if done > 0 {
                    progress(done);
                }
                if stop.is_stopped() {
                    return Err(GameExportError::Stopped(name.clone()));
                }
            }
            if let Some(listed) = show_game(database, id)? {
                writer.write(&listed.game).map_err(failed)?;
            }
        }
        writer.finish().map_err(failed)
    };
    let Some(path) = target else {
        if format == GameFormat::Wthor {
            return Err(GameExportError::ThreeFiles);
        }
        let mut output = BufWriter::new(io::stdout().lock());
        let written = write(&mut output)?;
        output.flush().map_err(failed)?;
        return Ok(GameExport { written, files: Vec::new() });
    };
    let unfinished = Unfinished::beside(path).map_err(failed)?;
    let new = unfinished.path("games");
    let file = fs::File::create(&new).map_err(failed)?;
    let mut output = BufWriter::new(file);
    let written = write(&mut output)?;
    if written.games == 0 {
        return Ok(GameExport { written, files: Vec::new() });
    }
    let file = output.into_inner().map_err(|error| failed(error.into_error()))?;
    file.sync_all().map_err(failed)?;
    let mut files = vec![path.to_owned()];
    if let Some(side) = &written.side_files {
        for (ending, bytes) in [("jou", &side.players), ("trn", &side.tournaments)] {
            let beside = path.with_extension(ending);
            let new = unfinished.path(ending);
            fs::write(&new, bytes).map_err(failed)?;
            fs::rename(&new, &beside).map_err(failed)?;
            files.push(beside);
        }
    }
    fs::rename(&new, path).map_err(failed)?;
    Ok(GameExport { written, files })
}
