//! An opening with a name.

use serde::Serialize;

use super::values::PositionJson;
use crate::files::games::Opening;

/// A position that has a name.
#[derive(Serialize, Debug)]
pub struct OpeningJson {
    name: &'static str,
    /// Of the names: en, fr or ja.
    language: &'static str,
    also: &'static [&'static str],
    line: String,
    position: PositionJson,
    /// Of a line that was asked for: how many of its moves lead there.
    #[serde(skip_serializing_if = "Option::is_none")]
    ply: Option<usize>,
}

impl OpeningJson {
    /// Of an opening, which so many moves of a line lead to where a line was asked for.
    pub fn of(opening: &'static Opening, ply: Option<usize>) -> Self {
        let placed = opening.placed();
        Self {
            name: opening.name,
            language: opening.language.code(),
            also: &opening.also,
            line: opening.line.to_string(),
            position: placed.into(),
            ply,
        }
    }
}
