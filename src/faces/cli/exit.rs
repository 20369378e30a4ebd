//! How the program ends.

use std::error::Error;
use std::io;
use std::process::ExitCode;

use super::credentials::without_credentials;
use super::hint::{Refusal, chain_of, commands_for};
use crate::app::export::ExportError;
use crate::app::games::{FilterError, JoinError};
use crate::app::snapshot::RestoreError;
use crate::app::{ChangeError, PruneError};
use crate::faces::render::OwnBook;
use crate::othello::one_line::one_line;
use crate::othello::system_error::in_words;

/// The most characters of a message.
pub(super) const MOST_TOLD: usize = 1_000;

/// How a command ended that did not fail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Done: 0.
    Done,
    /// The answer is no: nothing was found, books differ, or a check failed: 1.
    NotFound,
    /// Done, but something was refused or skipped: 3.
    Partly,
    /// Nothing could be done, and the reason has been reported: 2.
    Failed,
    /// Ended by Ctrl-C with everything committed: 130.
    Interrupted,
}

/// The exit code; a failure is first reported in one line on stderr, with commands below it that help.
pub(super) fn code(outcome: anyhow::Result<Status>, own: &OwnBook) -> ExitCode {
    match outcome {
        Ok(Status::Done) => ExitCode::SUCCESS,
        Ok(Status::NotFound) => ExitCode::from(1),
        Ok(Status::Partly) => ExitCode::from(3),
        Ok(Status::Failed) => ExitCode::from(2),
        Ok(Status::Interrupted) => ExitCode::from(130),
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            tell_error(error.as_ref(), own);
            ExitCode::from(if is_not_there(&error) { 1 } else { 2 })
        }
    }
}

/// Reports a failure on stderr, as [`code`] does, where more follows it.
pub(super) fn tell_error(error: &(dyn Error + 'static), own: &OwnBook) {
    let text = without_credentials(&one_line(&told(error), MOST_TOLD));
    super::output::fault(text);
    super::context::tell_commands(&commands_for(error, own), own);
}

/// An error with its causes, in our words. One that only hands on another one's words is not repeated.
pub(super) fn told(error: &(dyn Error + 'static)) -> String {
    let causes = chain_of(error).map(|cause| match cause.downcast_ref::<io::Error>() {
        Some(system) => in_words(system),
        None => cause.to_string(),
    });
    let mut causes: Vec<String> = causes.collect();
    causes.dedup();
    causes.join(": ")
}

/// Whether what was asked for is not there: there was nothing wrong with asking.
fn is_not_there(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        matches!(
            cause.downcast_ref(),
            Some(FilterError::NoSuch { .. } | FilterError::NoGame(_) | FilterError::NoGames)
        ) || matches!(cause.downcast_ref(), Some(JoinError::NoGame(_) | JoinError::NotJoined(_)))
            || matches!(cause.downcast_ref(), Some(Refusal { is_not_there: true, .. }))
            || matches!(cause.downcast_ref(), Some(ExportError::NotInBook))
            || matches!(cause.downcast_ref(), Some(PruneError::NoRoot))
            || matches!(
                cause.downcast_ref(),
                Some(ChangeError::NotInBook | ChangeError::NotSet | ChangeError::NoSource(_))
            )
            || matches!(
                cause.downcast_ref(),
                Some(
                    RestoreError::NothingToUndo { .. }
                        | RestoreError::NothingToRedo(_)
                        | RestoreError::NoSuchChange { .. }
                )
            )
    })
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
