//! What a format cannot hold.

/// Something of a book that a format has no place for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotHeld {
    pub what: &'static str,
    /// What is in the file instead.
    pub instead: &'static str,
}

impl NotHeld {
    pub(crate) const fn of(what: &'static str, instead: &'static str) -> Self {
        Self { what, instead }
    }
}

pub(super) const WHOLE_DISCS: NotHeld = NotHeld::of("hundredths of a disc", "whole discs");
pub(super) const ONE_LEVEL: NotHeld =
    NotHeld::of("program, depth, selectivity, day", "one level a record");
pub(super) const SIGNS: NotHeld =
    NotHeld::of("proofs of a win or loss without size", "an estimate");
pub(super) const SEEKING: NotHeld =
    NotHeld::of("draw-seeking, win-seeking, bounds", "follow from the proofs that are held");
/// A person's judgement.
pub(super) const BY_HAND: NotHeld =
    NotHeld::of("values set by hand", "what the program makes of searches");
