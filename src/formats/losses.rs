//! What each format cannot hold, for the user to see before the book is gone.

use super::{Format, edax, egaroucid, ntest, zebra};

/// Something of a book that a format has no place for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Loss {
    /// What it is.
    pub what: &'static str,
    /// What stands in the file instead.
    pub instead: &'static str,
}

impl Loss {
    pub(super) const fn of(what: &'static str, instead: &'static str) -> Self {
        Self { what, instead }
    }
}

pub(super) const WHOLE_DISCS: Loss = Loss::of("hundredths of a disc", "whole discs");
pub(super) const ONE_LEVEL: Loss =
    Loss::of("program, depth, confidence, day", "one level a record");
pub(super) const SIGNS: Loss = Loss::of("proofs of a win or loss without size", "an estimate");
pub(super) const SEEKING: Loss =
    Loss::of("draw-seeking, win-seeking, bounds", "follow from the proofs that are held");

const CSV: &[Loss] = &[Loss::of("the way back", "a table is written only")];

/// What a format cannot hold; empty when it holds everything.
#[must_use]
pub const fn not_held(format: Format) -> &'static [Loss] {
    match format {
        Format::Edax => edax::NOT_HELD,
        Format::EdaxText => edax::TEXT_NOT_HELD,
        Format::Egaroucid => egaroucid::NOT_HELD,
        Format::Ntest | Format::Ntest1 => ntest::NOT_HELD,
        Format::Zebra | Format::ZebraText | Format::ZebraCmp | Format::ZebraCmpZ => zebra::NOT_HELD,
        Format::Csv => CSV,
        Format::Json => &[],
    }
}
