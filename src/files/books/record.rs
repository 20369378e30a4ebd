//! The neutral record that every book format is read into, and its checks.

use crate::openbook::{
    self, Bounds, Held, Judgement, MoveMask, Rest, Searched, Source, SourcedBounds,
};
use crate::othello::board::{Bitboard, Key, Position, Square, Squares};
use crate::othello::score::Score;
use crate::othello::search::{Proof, Selectivity};

use super::{DefectKind, Defects, Fault, FormatError, Place};

/// How careful a reader is.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ReadOptions {
    /// Skip bad records with a note instead of refusing the file.
    pub lenient: bool,
}

impl ReadOptions {
    /// Leniently notes what cannot be right about a file; else refuses the file.
    pub(super) fn tolerate(
        self,
        defects: &mut Defects,
        kind: DefectKind,
        error: FormatError,
    ) -> Result<(), FormatError> {
        match error {
            FormatError::Content { place, fault, .. } if self.lenient => {
                defects.note(kind, || format!("{place}: {fault}"));
                Ok(())
            }
            error => Err(error),
        }
    }
}

/// Whose turn it is in a record's position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// The side to move has a move.
    Move,
    /// The side to move must pass. `is_link` says that the file promises a record of the position
    /// after the pass.
    Pass {
        /// Whether it does.
        is_link: bool,
    },
    Over,
}

/// A move that a record says leads to another record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StatedLink {
    /// The move in the record's own orientation; none for a pass.
    pub square: Option<Square>,
    /// Its score for the side to move of the record, where the file gives one.
    pub score: Option<Score>,
}

/// One position of another program's book as the file states it, in its own orientation.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// Its place in the file.
    pub place: Place,
    pub position: Position,
    /// Moves that lead to other records, as stated; empty for formats without links.
    pub links: Vec<StatedLink>,
    /// The best move that is no link, the value of a leaf without a move, or of a pass.
    pub rest: Option<Rest>,
    /// The value when no move leads to another record: for formats that keep a value of the
    /// position apart from that of its best other move.
    pub alone: Option<Rest>,
    /// Plies that were looked ahead.
    pub depth: u8,
    /// Selectivity of that search.
    pub selectivity: Selectivity,
    /// Index into [`RecordReader::sources`].
    pub source: u32,
    /// The value that the file stores, for comparison only.
    pub stored: Option<Score>,
    /// All that a book of ours keeps of the position, where that is more than its rest.
    pub kept: Option<Box<Kept>>,
}

/// What a book of ours keeps of a position, in the position's own orientation; sources are indices into
/// [`RecordReader::sources`].
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Kept {
    /// Whether all of its searches are given, and not the rest alone.
    pub has_records: bool,
    /// Its searches, each with the moves that it left out.
    pub records: Vec<(Rest, Searched, Bitboard)>,
    /// What is proven beyond that.
    pub bounds: Vec<SourcedBounds>,
    /// What a person said.
    pub judgement: Option<Judgement>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StatedFact {
    /// Its place.
    pub place: Place,
    /// The position; where the side to move must pass, the one after the pass.
    pub key: Key,
    /// Its result, for the side to move of the key.
    pub bounds: Bounds,
    /// Index into the sources of the file; 0 in a table, which is one source.
    pub source: u32,
}

/// A checked record in the book's own terms: canonical, moves legal and distinct.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// Its place in the file.
    pub place: Place,
    /// The position. For a forced pass the one after the pass.
    pub key: Key,
    /// What the record was.
    pub turn: Turn,
    /// Moves stated to lead to other records, in the key's orientation, with their scores.
    pub links: Vec<(Square, Option<Score>)>,
    /// The best other move, in the key's orientation. For a forced pass the value without a move,
    /// turned to the side that moves after it.
    pub rest: Option<Rest>,
    /// What replaces the leaf when no move leads to another record, in the key's orientation.
    pub alone: Option<Rest>,
    /// Plies that were looked ahead.
    pub depth: u8,
    /// Selectivity of that search.
    pub selectivity: Selectivity,
    /// Index into [`RecordReader::sources`].
    pub source: u32,
    /// The value that the file stores, for the side to move of `key`.
    pub stored: Option<Score>,
    /// All that a book of ours keeps of the position, where that is more than the rest; its records are none where
    /// only the rest is known.
    pub kept: Option<Box<Held>>,
    /// Whether the records of `kept` are all there are.
    pub has_records: bool,
}

impl Record {
    pub(crate) const fn turn(&self) -> Turn {
        if self.position.can_move() {
            Turn::Move
        } else if self.position.passed().can_move() {
            Turn::Pass { is_link: !self.links.is_empty() }
        } else {
            Turn::Over
        }
    }

    /// Checks the record and turns it into canonical orientation. Small faults are repaired and
    /// noted. `is_canonical` says that the format's records are in our canonical orientation, so that
    /// another one is a defect. With `lenient` a move that cannot be made is left out alone.
    pub(crate) fn check(
        &self,
        is_canonical: bool,
        lenient: bool,
        defects: &mut Defects,
    ) -> Result<Entry, Fault> {
        check_board(self.position)?;
        let legal = self.position.legal_moves();
        let turn = if legal.is_empty() { self.turn() } else { Turn::Move };
        match turn {
            Turn::Move => self.check_moves(legal, is_canonical, lenient, defects),
            turn @ Turn::Pass { .. } => self.after_pass(turn),
            Turn::Over => {
                self.compare_end(defects);
                Ok(self.entry(Key::of(self.position), Turn::Over, Vec::new(), None))
            }
        }
    }

    fn entry(
        &self,
        key: Key,
        turn: Turn,
        links: Vec<(Square, Option<Score>)>,
        rest: Option<Rest>,
    ) -> Entry {
        let Self { place, depth, selectivity, source, stored, .. } = *self;
        Entry {
            place,
            key,
            turn,
            links,
            rest,
            alone: None,
            depth,
            selectivity,
            source,
            stored,
            kept: None,
            has_records: false,
        }
    }

    fn check_moves(
        &self,
        legal: Squares,
        is_canonical: bool,
        lenient: bool,
        defects: &mut Defects,
    ) -> Result<Entry, Fault> {
        let sound = |square: Option<Square>, what: &str, defects: &mut Defects| match legal_square(
            square, legal, what,
        ) {
            Ok(square) => Ok(Some(square)),
            Err(Fault { found, .. }) if lenient => {
                defects.note(DefectKind::BadMove, || format!("{}: {found}", self.place));
                Ok(None)
            }
            Err(fault) => Err(fault),
        };
        let (key, symmetry) = match Key::from_canonical(self.position) {
            Some(key) => (key, crate::othello::board::Symmetry::IDENTITY),
            None => {
                if is_canonical {
                    defects
                        .note(DefectKind::NotCanonical, || format!("{}: board turned", self.place));
                }
                Key::with_symmetry(self.position)
            }
        };
        let mut seen: Bitboard = 0;
        let mut links = Vec::with_capacity(self.links.len());
        for link in &self.links {
            let Some(square) = sound(link.square, "link", defects)? else { continue };
            if seen & square.bit() != 0 {
                defects.note(DefectKind::DuplicateLink, || {
                    format!("{}: link {square} stated twice", self.place)
                });
                continue;
            }
            seen |= square.bit();
            links.push((symmetry.square(square), link.score));
        }
        let mut rest = self.rest;
        if let Some(Rest { square: Some(square), .. }) = rest {
            if sound(Some(square), "leaf", defects)?.is_none() {
                rest = None;
            } else if seen & square.bit() != 0 {
                defects.note(DefectKind::LeafIsLink, || {
                    format!("{}: leaf {square} is also a link", self.place)
                });
                rest = None;
            }
        }
        let mut alone = self.alone;
        if let Some(square) = alone.and_then(|rest| rest.square)
            && sound(Some(square), "leaf", defects)?.is_none()
        {
            alone = None;
        }
        let turned =
            |rest: Rest| Rest { square: rest.square.map(|square| symmetry.square(square)), ..rest };
        let mut entry = self.entry(key, Turn::Move, links, rest.map(turned));
        entry.alone = alone.map(turned);
        if let Some(kept) = &self.kept {
            let mut held = Held {
                bounds: kept.bounds.clone(),
                judgement: kept.judgement.clone(),
                ..Held::default()
            };
            for &(rest, searched, left_out) in &kept.records {
                if let Some(square) = rest.square {
                    legal_square(Some(square), legal, "move of a search")?;
                }
                let left_out = Squares(left_out).fold(0, |set, at| set | symmetry.square(at).bit());
                let left_out = MoveMask::of_squares(key, left_out);
                held.records.push(openbook::Record { rest: turned(rest), searched, left_out });
            }
            entry.kept = Some(Box::new(held));
            entry.has_records = kept.has_records;
        }
        Ok(entry)
    }

    /// A finished game is worth what its board says, whatever the record does.
    fn compare_end(&self, defects: &mut Defects) {
        let score = Score::from_discs(self.position.final_score());
        let stated = self.rest.or(self.alone).filter(has_size);
        if let Some(stated) = stated.filter(|stated| stated.score != score) {
            defects.note(DefectKind::FinalScore, || {
                format!("{}: {} stated, {score} on the board", self.place, stated.score)
            });
        }
    }

    /// The value of a forced pass is that of the position after it.
    fn after_pass(&self, turn: Turn) -> Result<Entry, Fault> {
        let squares = self.links.iter().filter_map(|link| link.square);
        if let Some(square) = squares.chain(self.rest.and_then(|rest| rest.square)).next() {
            return Err(Fault::new(
                format!("move {square} where the side to move must pass"),
                "a pass",
            ));
        }
        let of_link = self.links.iter().find_map(|link| link.score).map(|score| Rest {
            square: None,
            score,
            proof: Proof::None,
        });
        let rest = self.rest.or(of_link).map(|rest| Rest {
            square: None,
            score: -rest.score,
            proof: rest.proof.seen_by_other(),
        });
        let key = Key::of(self.position.passed());
        let mut entry = self.entry(key, turn, Vec::new(), rest);
        entry.stored = entry.stored.map(|score| -score);
        Ok(entry)
    }
}

/// Whether the score is one in discs, and not only a sign.
const fn has_size(rest: &Rest) -> bool {
    matches!(rest.proof, Proof::None | Proof::Exact)
}

pub(super) fn check_board(position: Position) -> Result<(), Fault> {
    let both = position.mover & position.opponent;
    if let Some(square) = Squares(both).next() {
        return Err(Fault::new(format!("discs of both colors on {square}"), "one color a square"));
    }
    if let Some(square) = position.empty_centre().next() {
        return Err(Fault::new(format!("no disc on {square}"), "discs on the four center squares"));
    }
    Ok(())
}

fn legal_square(square: Option<Square>, legal: Squares, what: &str) -> Result<Square, Fault> {
    let Some(square) = square else {
        return Err(Fault::new(format!("a pass as {what}"), "a move, since there are legal ones"));
    };
    if legal.contains(square) {
        Ok(square)
    } else {
        Err(Fault::new(format!("illegal {what} {square}"), "a legal move of the record's board"))
    }
}

/// Reads a book record after record.
pub trait RecordReader {
    /// The next record; none at the end of the file.
    fn next_record(&mut self) -> Result<Option<Record>, FormatError>;

    /// The sources met so far: [`Record::source`] is an index into them.
    fn sources(&self) -> &[Source];

    /// What was noted so far.
    fn defects(&mut self) -> &mut Defects;

    /// Takes the facts that were among the records: all of them when the last record has been read.
    fn take_facts(&mut self) -> Vec<StatedFact> {
        Vec::new()
    }

    /// Takes what is proven of positions that are no records: all of it when the last record has been read.
    fn take_apart(&mut self) -> Vec<(Key, Held)> {
        Vec::new()
    }

    /// The bytes of the header where it says more than the records do; else none.
    fn head(&self) -> &[u8] {
        &[]
    }

    /// Whether the format wants its records in our canonical orientation.
    fn is_canonical(&self) -> bool {
        false
    }

    /// The next record, checked; none at the end of the file. Leniently, bad records are noted
    /// and passed over.
    fn next_entry(
        &mut self,
        file: &str,
        options: ReadOptions,
    ) -> Result<Option<Entry>, FormatError> {
        while let Some(record) = self.next_record()? {
            match record.check(self.is_canonical(), options.lenient, self.defects()) {
                Ok(entry) => return Ok(Some(entry)),
                Err(fault) => {
                    let error = FormatError::at(file, record.place, fault);
                    options.tolerate(self.defects(), DefectKind::BadRecord, error)?;
                }
            }
        }
        Ok(None)
    }
}
