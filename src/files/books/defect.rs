//! What was wrong with a file and was repaired, skipped or only noted.

use std::collections::BTreeMap;
use std::fmt;

use crate::othello::one_line::one_line;

/// The most characters of the description of one defect.
const MOST_SHOWN: usize = 400;

macro_rules! defect_kinds {
    ($($kind:ident $name:literal $text:literal;)*) => {
        /// Something about a file that is not as its format wants it.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum DefectKind {
            $(#[doc = $text] $kind,)*
        }

        impl DefectKind {
            /// A name for programs, such as `dangling_link`.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$kind => $name,)* }
            }

            /// What it is and what was done about it.
            pub const fn text(self) -> &'static str {
                match self { $(Self::$kind => $text,)* }
            }
        }
    };
}

defect_kinds! {
    CountDiffers "count_differs" "record count in the header differs from the file: noted";
    HeaderField "header_field" "header field without meaning: ignored";
    TrailingBytes "trailing_bytes" "bytes after the last record: ignored";
    Padding "padding" "records with junk in their padding: zeros when written";
    Truncated "truncated" "file ends inside a record: the piece is ignored";
    Checksum "checksum" "wrong checksum: noted";
    TurnedLeaf "turned_leaf" "leaves half a turn away: turned back, or dropped";
    SideToMove "side_to_move" "records for the wrong side to move: skipped";
    Unreachable "unreachable" "records on no line from the start: their boards are not known";
    BadRecord "bad_record" "bad records: skipped";
    BadMove "bad_move" "bad links and leaves: left out";
    BadFact "bad_fact" "bad lines of facts: left out";
    NotCanonical "not_canonical" "boards not in canonical orientation: turned";
    DuplicateLink "duplicate_link" "links stated twice: taken once";
    DuplicateRecord "duplicate_record" "positions with more than one record: the better one kept";
    LeafIsLink "leaf_is_link" "leaves that are links: dropped, to be searched again";
    DanglingLink "dangling_link" "links to missing records: leaf where they beat it";
    MissingLink "missing_link" "missing links: added";
    SearchDue "search_due" "records with unlinked moves and no leaf: to be searched";
    NoValue "no_value" "records without a value that lead nowhere: left out";
    BetterEnding "better_ending" "leaves that a move ending the game beats or contradicts: the board counts";
    StaleValue "stale_value" "stored values other than links and leaf give: recomputed";
    OtherValue "other_value" "values that the program's own rules give otherwise: ours taken";
    Contradiction "contradiction" "proofs that proofs of their moves contradict: those of the moves taken";
    OddExactScore "odd_exact_score" "odd scores at a level that solves: taken as estimates";
    PassRecord "pass_record" "records of forced passes: folded into the position after the pass";
    FinishedGame "finished_game" "records of finished games: known from the board";
    WipeOut "wipe_out" "records of wipe-outs, one side without a disc: known from the board";
    FinalScore "final_score" "finished games with another score than the board's: ignored";
    NoStart "no_start" "no record of the start position: noted";
    NoLevel "no_level" "values without a level: 0 plies, unless --level says what they are";
    NotKept "not_kept" "file too large or too damaged to be kept whole: only its positions are";
}

impl DefectKind {
    /// Whether a file has it once or not at all, so that its number says nothing.
    pub(crate) const fn is_of_the_file(self) -> bool {
        matches!(
            self,
            Self::CountDiffers | Self::Truncated | Self::Checksum | Self::NoStart | Self::NotKept
        )
    }

    /// Whether a piece of the file was passed over that may have said something.
    pub(crate) const fn is_skipped(self) -> bool {
        matches!(
            self,
            Self::BadRecord | Self::BadMove | Self::BadFact | Self::Truncated | Self::TrailingBytes
        )
    }

    /// Whether each of them is worth a message: because records of the file were chosen from or passed
    /// over, or because it has numbers to show.
    pub(crate) const fn is_told(self) -> bool {
        matches!(
            self,
            Self::CountDiffers
                | Self::BadRecord
                | Self::BadMove
                | Self::BadFact
                | Self::NoValue
                | Self::DuplicateRecord
                | Self::WipeOut
                | Self::FinalScore
        )
    }
}

/// One defect, with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Defect {
    pub kind: DefectKind,
    /// Where and what, for a person.
    pub text: String,
}

impl fmt::Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Counts of all defects, and the first few of each kind in full.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Defects {
    counts: BTreeMap<DefectKind, u64>,
    listed: Vec<Defect>,
}

impl Defects {
    /// How many of each kind are kept with their text.
    pub(crate) const LISTED: u64 = 20;

    /// Notes one; `text` is asked for only while it would be listed.
    pub(crate) fn note(&mut self, kind: DefectKind, text: impl FnOnce() -> String) {
        let count = self.counts.entry(kind).or_default();
        *count += 1;
        if *count <= Self::LISTED {
            self.listed.push(Defect { kind, text: one_line(&text(), MOST_SHOWN) });
        }
    }

    /// Notes where the header counts another number than the file holds.
    pub(super) fn compare_counts(&mut self, what: &str, stated: u64, found: u64) {
        if stated != found {
            self.note(DefectKind::CountDiffers, || {
                format!("the header counts {stated} {what}, the file holds {found}")
            });
        }
    }

    /// Notes one that occurred so many times.
    pub(super) fn note_times(
        &mut self,
        kind: DefectKind,
        times: u64,
        text: impl FnOnce() -> String,
    ) {
        if let Some(others) = times.checked_sub(1) {
            self.note(kind, text);
            *self.counts.entry(kind).or_default() += others;
        }
    }

    pub fn count(&self, kind: DefectKind) -> u64 {
        self.counts.get(&kind).copied().unwrap_or_default()
    }

    /// Whether there were none.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// The kinds that occurred with their counts.
    pub fn counts(&self) -> impl Iterator<Item = (DefectKind, u64)> {
        self.counts.iter().map(|(&kind, &count)| (kind, count))
    }

    /// The first of each kind, in the order in which they were met.
    pub fn listed(&self) -> &[Defect] {
        &self.listed
    }

    /// Logs the first of each kind, so that their places can be found.
    pub(crate) fn log(&self, file: &str) {
        for Defect { kind, text } in &self.listed {
            tracing::info!(file, kind = kind.name(), "{text}");
        }
    }
}
