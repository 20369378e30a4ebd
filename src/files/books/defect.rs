//! What was wrong with a file and was repaired, skipped or only noted.

use std::collections::BTreeMap;
use std::fmt;

use crate::othello::one_line::one_line;

/// The most characters of the description of one defect.
const MOST_SHOWN: usize = 400;

/// Something about a file that is not as its format wants it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DefectKind {
    /// The header counts another number of records than the file holds. Noted.
    CountDiffers,
    /// A header field has no meaning. Noted.
    HeaderField,
    /// Bytes after the last record. Ignored.
    TrailingBytes,
    /// Bytes of a record that mean nothing hold what happened to be in memory. Never written again.
    Padding,
    /// The file ends inside a record (accepted only leniently). The rest is ignored.
    Truncated,
    /// The checksum is wrong (accepted only leniently). Noted.
    Checksum,
    /// Egaroucid stored the leaf half a turn away. Turned back where it is then legal, else dropped.
    TurnedLeaf,
    /// The side marked as to move is not the one that the game gives, so the score is another
    /// position's. Skipped.
    SideToMove,
    /// Records that no line from the start reaches, where only such lines give the boards. Lost.
    Unreachable,
    /// A record that cannot be right (accepted only leniently). Skipped.
    BadRecord,
    /// A link or leaf that cannot be right (accepted only leniently). Left out of its record.
    BadMove,
    /// A line of a fact that cannot be right (accepted only leniently). Left out.
    BadFact,
    /// A board that is not in canonical orientation. Turned.
    NotCanonical,
    /// A move stated twice as a link. Taken once.
    DuplicateLink,
    /// A position that has more than one record. The one searched better is kept, of equals the
    /// first.
    DuplicateRecord,
    /// The leaf is also a link. The leaf is dropped and a search is due.
    LeafIsLink,
    /// A link to a position that has no record. It becomes the leaf when it beats it.
    DanglingLink,
    /// A legal move that leads to another record was no link. Added.
    MissingLink,
    /// Moves that are not links, and no leaf: a search is due.
    SearchDue,
    /// A record that says nothing of what its position is worth, and leads nowhere. Left out.
    NoValue,
    /// A move that ends the game and has no record beats the leaf. It is the leaf then.
    BetterEnding,
    /// The stored value is not the one that the record's links and leaf give. Recomputed.
    StaleValue,
    /// The program's own rules give another value than ours, which keep proof and estimate apart.
    /// Ours is taken.
    OtherValue,
    /// A position's own proof says less than what is proven of its moves. The moves are believed.
    Contradiction,
    /// The level promises an exact result, but the score is odd, which no result is. Taken as an
    /// estimate.
    OddExactScore,
    /// A record of a position whose side to move must pass. Folded into the one after the pass.
    PassRecord,
    /// A record of a finished game. Known from the board.
    FinishedGame,
    /// A record of a finished game in which one side has no disc left. Known from the board.
    WipeOut,
    /// A record of a finished game with another score than the board's. The board is believed.
    FinalScore,
    /// The file has no record of the start position. Noted.
    NoStart,
    /// A record of a file without levels, where none was given: a value of no plies.
    NoLevel,
    /// The file is too large, or too damaged, to be kept beside its nodes. What they cannot hold is lost.
    NotKept,
}

impl DefectKind {
    /// All kinds.
    pub const ALL: [Self; 32] = [
        Self::CountDiffers,
        Self::HeaderField,
        Self::TrailingBytes,
        Self::Padding,
        Self::Truncated,
        Self::Checksum,
        Self::TurnedLeaf,
        Self::SideToMove,
        Self::Unreachable,
        Self::BadRecord,
        Self::BadMove,
        Self::BadFact,
        Self::NotCanonical,
        Self::DuplicateLink,
        Self::DuplicateRecord,
        Self::LeafIsLink,
        Self::DanglingLink,
        Self::MissingLink,
        Self::SearchDue,
        Self::NoValue,
        Self::BetterEnding,
        Self::StaleValue,
        Self::OtherValue,
        Self::Contradiction,
        Self::OddExactScore,
        Self::PassRecord,
        Self::FinishedGame,
        Self::WipeOut,
        Self::FinalScore,
        Self::NoStart,
        Self::NoLevel,
        Self::NotKept,
    ];

    /// A name for programs, such as `dangling_link`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::CountDiffers => "count_differs",
            Self::HeaderField => "header_field",
            Self::TrailingBytes => "trailing_bytes",
            Self::Padding => "padding",
            Self::Truncated => "truncated",
            Self::Checksum => "checksum",
            Self::TurnedLeaf => "turned_leaf",
            Self::SideToMove => "side_to_move",
            Self::Unreachable => "unreachable",
            Self::BadRecord => "bad_record",
            Self::BadMove => "bad_move",
            Self::BadFact => "bad_fact",
            Self::NotCanonical => "not_canonical",
            Self::DuplicateLink => "duplicate_link",
            Self::DuplicateRecord => "duplicate_record",
            Self::LeafIsLink => "leaf_is_link",
            Self::DanglingLink => "dangling_link",
            Self::MissingLink => "missing_link",
            Self::SearchDue => "search_due",
            Self::NoValue => "no_value",
            Self::BetterEnding => "better_ending",
            Self::StaleValue => "stale_value",
            Self::OtherValue => "other_value",
            Self::Contradiction => "contradiction",
            Self::OddExactScore => "odd_exact_score",
            Self::PassRecord => "pass_record",
            Self::FinishedGame => "finished_game",
            Self::WipeOut => "wipe_out",
            Self::FinalScore => "final_score",
            Self::NoStart => "no_start",
            Self::NoLevel => "no_level",
            Self::NotKept => "not_kept",
        }
    }

    /// What it is and what was done about it.
    pub const fn text(self) -> &'static str {
        match self {
            Self::CountDiffers => "record count in the header differs from the file: noted",
            Self::HeaderField => "header field without meaning: ignored",
            Self::TrailingBytes => "run of bytes after the last record: ignored",
            Self::Padding => "records with junk in their padding: zeros when written",
            Self::Truncated => "file ends inside a record: the piece is ignored",
            Self::Checksum => "wrong checksum: noted",
            Self::TurnedLeaf => "leaves half a turn away: turned back, or dropped",
            Self::SideToMove => "records for the wrong side to move: skipped",
            Self::Unreachable => "records on no line from the start: their boards are not known",
            Self::BadRecord => "bad records: skipped",
            Self::BadMove => "bad links and leaves: left out",
            Self::BadFact => "bad lines of facts: left out",
            Self::NotCanonical => "boards not in canonical orientation: turned",
            Self::DuplicateLink => "links stated twice: taken once",
            Self::DuplicateRecord => "positions with more than one record: the better one kept",
            Self::LeafIsLink => "leaves that are links: dropped, to be searched again",
            Self::DanglingLink => "links to missing records: leaf where they beat it",
            Self::MissingLink => "missing links: added",
            Self::SearchDue => "records with unlinked moves and no leaf: to be searched",
            Self::NoValue => "records without a value that lead nowhere: left out",
            Self::BetterEnding => {
                "leaves that a move ending the game beats or contradicts: the board counts"
            }
            Self::StaleValue => "stored values other than links and leaf give: recomputed",
            Self::OtherValue => "values that the program's own rules give otherwise: ours taken",
            Self::Contradiction => {
                "proofs that proofs of their moves contradict: the moves believed"
            }
            Self::OddExactScore => "odd scores at a level that solves: taken as estimates",
            Self::PassRecord => "records of forced passes: folded into the position after the pass",
            Self::FinishedGame => "records of finished games: known from the board",
            Self::WipeOut => "records of wipe-outs, one side without a disc: known from the board",
            Self::FinalScore => "finished games with another score than the board's: ignored",
            Self::NoStart => "no record of the start position: noted",
            Self::NoLevel => "values without a level: 0 plies, unless --level says what they are",
            Self::NotKept => {
                "file too large or too damaged to be kept whole: only its positions are"
            }
        }
    }
}

impl DefectKind {
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
    pub fn note(&mut self, kind: DefectKind, text: impl FnOnce() -> String) {
        let count = self.counts.entry(kind).or_default();
        *count += 1;
        if *count <= Self::LISTED {
            self.listed.push(Defect { kind, text: one_line(&text(), MOST_SHOWN) });
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
