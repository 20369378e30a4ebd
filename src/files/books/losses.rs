//! What each format cannot hold, for the user to see before the book is gone.

use super::loss::Loss;
use super::{Format, edax, egaroucid, ntest, zebra};

const CSV: &[Loss] = &[Loss::of("the way back", "a table is written only")];

/// What a format cannot hold; empty when it holds everything.
pub(crate) const fn not_held(format: Format) -> &'static [Loss] {
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
