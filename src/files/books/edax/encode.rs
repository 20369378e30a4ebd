//! Our nodes as Edax has them: whole discs and a leaf with a move.

use crate::files::books::ExportReport;
use crate::files::books::likeliest::likeliest;
use crate::openbook::{Node, Rest};
use crate::othello::board::{Bitboard, Position};
use crate::othello::score::CENTIDISCS;
use crate::othello::search::Level;

use super::{EdaxHeader, EdaxLeaf, EdaxLink, EdaxMove, EdaxRecord, Errors, negamax};

impl EdaxHeader {
    /// What a new book of Edax's says of itself, saved then.
    pub fn new(saved: (i16, i8, i8, i8, i8, i8)) -> Self {
        let Errors { midgame, endcut } = Errors::default();
        Self {
            release: 4,
            saved,
            level: 0,
            empties: 60,
            midgame_error: i32::from(midgame),
            endcut_error: i32::from(endcut),
            verbosity: 1,
            count: 0,
        }
    }
}

impl EdaxRecord {
    /// The record of a finished game.
    pub(crate) fn finished(position: Position, level: Level, errors: Errors) -> Self {
        let leaf = EdaxLink { score: position.final_score(), played: EdaxMove::None };
        negamax(position, level, leaf, &[], errors)
    }

    /// The record of a position whose side to move must pass, where the position after the pass has
    /// nothing but this value.
    pub(crate) fn passing(
        position: Position,
        level: Level,
        rest: Rest,
        errors: Errors,
        report: &mut ExportReport,
    ) -> Self {
        let leaf = EdaxLink { score: -discs(rest, report), played: EdaxMove::Pass };
        negamax(position, level, leaf, &[], errors)
    }
}

/// The best move that is not a link. `open` are the moves that are not.
pub(crate) fn leaf_of(node: &Node, open: Bitboard, report: &mut ExportReport) -> EdaxLeaf {
    let Some(rest) = node.rest() else { return EdaxRecord::NO_LEAF };
    let square = match rest.square {
        Some(square) => square,
        None => {
            let Some(square) = likeliest(node.key.position(), open) else {
                return EdaxRecord::NO_LEAF;
            };
            report.likely_moves += 1;
            square
        }
    };
    EdaxLink { score: discs(rest, report), played: EdaxMove::Square(square) }
}

/// A rest's score in whole discs, within what it proves: a file may call a loss one of a single disc.
fn discs(rest: Rest, report: &mut ExportReport) -> i8 {
    let guess = rest.values().guess;
    report.rounded += u64::from(guess.centidiscs() % CENTIDISCS != 0);
    guess.rounded_discs()
}
