//! The ends of a talk by lines on standard input and output.

use anyhow::bail;

use super::exit::Status;
use crate::faces::protocol::{Lines, Replies};
use crate::othello::system_error::in_words;

/// How a talk ended: a side that stops talking or listening has had enough, and that is no failure.
pub fn ended(lines: &Lines, replies: &Replies) -> anyhow::Result<Status> {
    if let Some(error) = replies.failure() {
        bail!("cannot write standard output: {}", in_words(error));
    }
    if let Some(error) = lines.failure() {
        bail!("cannot read standard input: {}", in_words(error));
    }
    Ok(Status::Done)
}
