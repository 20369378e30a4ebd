//! An opening with a name.

use serde::Serialize;

use crate::app::json::object;
use crate::files::games::Opening;

/// Of a position that has a name, which so many moves of a line lead to where a line was asked for.
pub fn opening_json(opening: &'static Opening, ply: Option<usize>) -> impl Serialize {
    object! {
        name: opening.name,
        language: opening.language.code(),
        also: &opening.also,
        line: opening.line.to_string(),
        position: opening.placed(),
        ply?: ply,
    }
}
