//! Arguments that are a position or an OBF file.

use std::path::Path;

use anyhow::Context as _;

use super::place::Place;
use crate::ops::{Question, read_questions};

/// The questions that an argument asks: the positions of a file, or one position.
///
/// # Errors
/// When it is neither an OBF file nor a position.
pub fn questions(argument: &str) -> anyhow::Result<Vec<Question>> {
    let path = Path::new(argument);
    if path.is_file() {
        return Ok(read_questions(path)?);
    }
    if path.is_dir() {
        anyhow::bail!("{argument} is a folder: expected an OBF file or a position");
    }
    if argument.to_ascii_lowercase().ends_with(".obf") {
        anyhow::bail!("no file {argument}");
    }
    let place: Place = argument.parse().context("neither a file nor a position")?;
    Ok(vec![Question { index: 1, placed: place.placed, known: None }])
}
