//! What of a book NTest has too.

use super::FEWEST_EMPTIES;
use crate::openbook::{Node, Values};
use crate::othello::score::Score;
use crate::store::Reader;

use crate::files::books::write::WriteError;

/// The three values of our book: best guess, draw-seeking, win-seeking, in centidiscs.
pub(super) fn three_values(node: &Node) -> [i16; 3] {
    let Values { guess, draw_seeking, win_seeking, .. } = node.values;
    [guess, draw_seeking, win_seeking].map(Score::centidiscs)
}

/// The layers of the book that NTest has too, in discs.
pub(super) fn layers(book: &Reader) -> Result<Vec<u8>, WriteError> {
    let layers = book.counts()?.layers.into_iter().map(|(discs, _)| discs);
    Ok(layers.filter(|discs| 64 - discs >= FEWEST_EMPTIES).collect())
}
