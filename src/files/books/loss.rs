//! What a format cannot hold.

/// Something of a book that a format has no place for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Loss {
    pub what: &'static str,
    /// What is in the file instead.
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
