//! How the program ends.

use std::io;
use std::process::ExitCode;

use thiserror::Error;

use super::typed::about_book;
use crate::app::PruneError;
use crate::app::analysis::AnalysisError;
use crate::app::discover::DiscoverError;
use crate::app::export::ExportError;
use crate::app::games::{FilterError, GameExportError};
use crate::app::snapshot::RestoreError;
use crate::othello::one_line::one_line;
use crate::othello::system_error::in_words;

/// The most characters of a message.
pub(super) const MOST_TOLD: usize = 1_000;

/// How a command ended that did not fail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Done: 0.
    Done,
    /// The asked-for thing was not found, or a check failed: 1.
    NotFound,
    /// Nothing could be done, and the reason has been reported: 2.
    Failed,
    /// Ended by Ctrl-C with everything committed: 130.
    Interrupted,
}

/// The exit code; a failure is first reported in one line on stderr, whose commands are about the book of
/// this option (`typed::book_option`).
pub(super) fn code(outcome: anyhow::Result<Status>, book: &str) -> ExitCode {
    match outcome {
        Ok(Status::Done) => ExitCode::SUCCESS,
        Ok(Status::NotFound) => ExitCode::from(1),
        Ok(Status::Failed) => ExitCode::from(2),
        Ok(Status::Interrupted) => ExitCode::from(130),
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            tell_failure(&error, book);
            ExitCode::from(if is_not_there(&error) { 1 } else { 2 })
        }
    }
}

/// Reports a failure in one line on stderr, as [`code`] does, where more follows it.
pub(super) fn tell_failure(error: &anyhow::Error, book: &str) {
    let text = one_line(&about_book(&told(error), book), MOST_TOLD);
    super::output::tell(format_args!("rosebill: {text}"));
}

/// An error with its causes, in our words.
fn told(error: &anyhow::Error) -> String {
    let causes = error.chain().map(|cause| match cause.downcast_ref::<io::Error>() {
        Some(system) => in_words(system),
        None => cause.to_string(),
    });
    causes.collect::<Vec<_>>().join(": ")
}

/// What was asked for is not there, and what to do: there was nothing wrong with asking.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct NotThere(pub String);

/// Whether what was asked for is not there: there was nothing wrong with asking.
fn is_not_there(error: &anyhow::Error) -> bool {
    let of_filter = match (
        error.downcast_ref::<GameExportError>(),
        error.downcast_ref::<AnalysisError>(),
        error.downcast_ref::<DiscoverError>(),
    ) {
        (Some(GameExportError::Filter(error)), ..)
        | (_, Some(AnalysisError::Filter(error)), _)
        | (.., Some(DiscoverError::Filter(error))) => Some(error),
        _ => error.downcast_ref::<FilterError>(),
    };
    matches!(of_filter, Some(FilterError::NoSuch { .. } | FilterError::NoGames))
        || error.downcast_ref::<NotThere>().is_some()
        || matches!(error.downcast_ref(), Some(ExportError::NotInBook))
        || matches!(error.downcast_ref(), Some(PruneError::NoRoot))
        || matches!(
            error.downcast_ref(),
            Some(
                RestoreError::NothingToUndo(_)
                    | RestoreError::NothingToRedo(_)
                    | RestoreError::NoSuchChange { .. }
            )
        )
}

/// The reader of our output has seen enough: that is no failure.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<io::Error>()
            .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
            || cause.downcast_ref().is_some_and(RestoreError::is_closed_pipe)
    })
}
