//! What each format cannot hold, for the user to see before the book is gone.

use crate::formats::Format;

/// Something of a book that a format has no place for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Loss {
    /// What it is.
    pub what: &'static str,
    /// What stands in the file instead.
    pub instead: &'static str,
}

const fn loss(what: &'static str, instead: &'static str) -> Loss {
    Loss { what, instead }
}

const WHOLE_DISCS: Loss = loss("hundredths of a disc", "whole discs");
const ONE_LEVEL: Loss = loss("program, depth, confidence, day", "one level a record");
const SIGNS: Loss = loss("proofs of a win or loss without size", "an estimate");
const SEEKING: Loss =
    loss("draw-seeking, win-seeking, bounds", "follow from the proofs that are held");

const EDAX: &[Loss] = &[WHOLE_DISCS, ONE_LEVEL, SIGNS, SEEKING];
const EDAX_TEXT: &[Loss] = &[
    WHOLE_DISCS,
    ONE_LEVEL,
    SIGNS,
    SEEKING,
    loss("links, values of positions with links", "Edax finds them on import"),
];
const EGAROUCID: &[Loss] =
    &[WHOLE_DISCS, ONE_LEVEL, SIGNS, SEEKING, loss("links", "every move to another record is one")];
const NTEST: &[Loss] = &[
    loss("best other move", "the bound on all other moves"),
    loss("positions with fewer than 9 empties", "left out"),
    loss("program, day", "nothing"),
    loss("confidence", "one of NTest's six"),
];
const ZEBRA: &[Loss] = &[
    loss("hundredths of a disc", "1/128 disc"),
    loss("program, confidence, day", "depth alone"),
    loss("draw-seeking, win-seeking", "follow from the proofs; neutral draws are written"),
    loss("positions on no line from the start", "left out"),
];
const CSV: &[Loss] = &[loss("the way back", "a table is written only")];

/// What a format cannot hold; empty when it holds everything.
#[must_use]
pub const fn not_held(format: Format) -> &'static [Loss] {
    match format {
        Format::Edax => EDAX,
        Format::EdaxText => EDAX_TEXT,
        Format::Egaroucid => EGAROUCID,
        Format::Ntest | Format::Ntest1 => NTEST,
        Format::Zebra | Format::ZebraText | Format::ZebraCmp | Format::ZebraCmpZ => ZEBRA,
        Format::Csv => CSV,
        Format::Json => &[],
    }
}
