//! A run that changed a book.

use serde::Serialize;

use crate::app::Run;

/// What was asked for, when, and the result.
#[derive(Serialize, Debug)]
pub struct RunJson {
    /// The arguments of the program.
    pub asked: String,
    /// Day and time of its start.
    pub started: String,
    /// Day and time of its end; none while it goes on, or when it was killed.
    pub ended: Option<String>,
    /// How far it came.
    pub progress: String,
    pub result: Option<String>,
}

impl From<Run> for RunJson {
    fn from(run: Run) -> Self {
        let Run { asked, started, ended, progress, result, .. } = run;
        Self { asked, started, ended, progress, result }
    }
}
