//! A node as a row and back. The only place that knows how rows are packed.

use rusqlite::Row;

use crate::openbook::verify::check_key;
use crate::openbook::{
    Bounds, Evidence, LineEnds, MoveMask, Node, PROVEN_BONUS, Rest, Searched, SourceId, Values,
    check_node,
};
use crate::othello::board::{Key, Position, Square};
use crate::othello::score::Score;
use crate::othello::search::{Proof, Selectivity};

use super::pages::page::Column;
use super::scan::ScannedRow;

/// There is no record.
const NO_RECORD: i64 = 64;
/// A value is known, but not of which move.
const NO_SQUARE: i64 = 65;
/// Whether a search of a node is due. SQLite finds those by the index `node_due`, which has this very condition.
pub(super) const IS_DUE: &str = "rest < 0 AND (rest & 128) <> 0";
/// The same in a book of schema 9 and older.
pub(super) const WAS_DUE: &str = "(rest & 127) = 66";
/// The schema version that brought evidence.
pub(super) const EVIDENCE: u32 = 10;
/// The named fact that says that rows are still as an older program wrote them.
pub(super) const REWRITE: &str = "rewrite";

/// Where a part of the packed column `rest` begins, and how many bits it has.
#[derive(Clone, Copy)]
struct Part(u32, u32);

const SQUARE: Part = Part(0, 7);
const DUE: Part = Part(7, 1);
const STANDS: Part = Part(8, 1);
const MORE: Part = Part(9, 1);
const SELECTIVITY: Part = Part(10, 7);
const DEPTH: Part = Part(17, 6);
const PROOF: Part = Part(23, 3);
const SCORE: Part = Part(26, 14);
const EVIDENCE_PART: Part = Part(40, 10);
const SOURCE: Part = Part(50, 13);
/// Added to a score so that the number is never negative.
const SCORE_OFFSET: i64 = 8_192;

/// From this number on SQLite keeps what is below zero in six bytes. Nearly every search fits into those: its
/// selectivity is one of [`Selectivity::OURS`], its source one of the first, and its value not all too uncertain.
const SHORT: i64 = -1 << 47;

/// Parts of a short `rest`: the square and the two marks after it are where they always are.
mod short {
    use super::Part;

    pub(super) const HEAD: Part = Part(0, 9);
    /// The place in [`super::Selectivity::OURS`].
    pub(super) const SELECTIVITY: Part = Part(9, 3);
    /// The depth, the proof, the score and nine bits of the evidence, in the order of the long ones.
    pub(super) const MIDDLE: Part = Part(12, 32);
    pub(super) const SOURCE: Part = Part(44, 3);
    /// Where the same part of a long one is.
    pub(super) const LONG_MIDDLE: Part = Part(17, 32);
}

/// A packed search in six bytes where it fits, else as it is.
fn shortened(long: i64) -> i64 {
    let percent = SELECTIVITY.of(long);
    let is_ours = |ours: &Selectivity| i64::from(ours.percent()) == percent;
    let Some(selectivity) = Selectivity::OURS.iter().position(is_ours) else { return long };
    let packed = SHORT
        | short::HEAD.with(long)
        | short::SELECTIVITY.with(selectivity as i64)
        | short::MIDDLE.with(short::LONG_MIDDLE.of(long))
        | short::SOURCE.with(SOURCE.of(long));
    if lengthened(packed) == long { packed } else { long }
}

/// The same packed search as it is when it is long; one that is already is as it was.
fn lengthened(packed: i64) -> i64 {
    if !(SHORT..0).contains(&packed) {
        return packed;
    }
    let selectivity = Selectivity::OURS.get(short::SELECTIVITY.of(packed) as usize);
    // Without one it means nothing.
    let percent = selectivity.map_or(i64::from(u8::MAX), |ours| i64::from(ours.percent()));
    i64::MIN
        | short::HEAD.of(packed)
        | SELECTIVITY.with(percent)
        | short::LONG_MIDDLE.with(short::MIDDLE.of(packed))
        | SOURCE.with(short::SOURCE.of(packed))
}

/// Parts of the packed column `bounds`.
const ENDS: Part = Part(0, 3);
const OWN: Part = Part(3, 3);
const OTHER: Part = Part(6, 2);
const BOUNDS: Part = Part(8, 15);
const OWN_ABOVE: Part = Part(23, 13);
const OTHER_ABOVE: Part = Part(36, 14);

/// As older programs packed it: its numbers are never negative, and those of today always are.
mod old {
    use super::Part;

    pub(super) const SEARCH_DUE: i64 = 66;
    pub(super) const SELECTIVITY: Part = Part(7, 7);
    pub(super) const DEPTH: Part = Part(14, 6);
    pub(super) const PROOF: Part = Part(20, 3);
    pub(super) const SCORE: Part = Part(23, 16);
    pub(super) const SOURCE: Part = Part(39, 24);
    pub(super) const SCORE_OFFSET: i64 = 32_768;
}

impl Part {
    const fn of(self, packed: i64) -> i64 {
        packed >> self.0 & ((1 << self.1) - 1)
    }

    /// A number that fits: it never becomes another part's.
    const fn with(self, number: i64) -> i64 {
        (number & ((1 << self.1) - 1)) << self.0
    }
}

/// The most sources that a row can hold: with one more, a long search could be taken for a short one.
pub(super) const MAX_SOURCES: u32 = (1 << SOURCE.1) - 1;

/// In the column `links` the moves that are links, then what differs from them among the moves that the search
/// left out, of so many moves.
const LINK_BITS: u32 = 33;
const LINKS: u64 = (1 << LINK_BITS) - 1;
const DIFFERING: u64 = (1 << 30) - 1;

/// The columns of a node without its number of discs, which comes before them.
macro_rules! columns {
    () => {
        "mover, opponent, guess, draw_seeking, win_seeking, bounds, rest, links"
    };
}
pub(super) use columns;

/// The columns that [`node`] reads, in its order.
pub(super) const COLUMNS: &str = columns!();

/// Finds a node by discs, mover and opponent.
pub(super) const FIND: &str =
    concat!("SELECT ", columns!(), " FROM node WHERE discs = ?1 AND mover = ?2 AND opponent = ?3");

/// A set of squares as SQLite holds it, and any other 64 bits: the same bits with a sign.
pub(super) const fn signed(bits: u64) -> i64 {
    bits.cast_signed()
}

/// The other way.
pub(super) const fn unsigned(stored: i64) -> u64 {
    stored.cast_unsigned()
}

/// How keys are ordered in the file: by discs, then by the signed boards. Loading in this order is
/// several times faster than in any other.
pub fn storage_order(key: Key) -> (u8, i64, i64) {
    let position = key.position();
    (key.discs(), signed(position.mover), signed(position.opponent))
}

/// The key of a position as it is stored; none where both sides have a disc on one square.
#[inline]
pub(super) fn stored_key(mover: i64, opponent: i64) -> Option<Key> {
    let position = Position { mover: unsigned(mover), opponent: unsigned(opponent) };
    (position.mover & position.opponent == 0).then(|| Key::from_stored(position))
}

/// As [`stored_key`], of the columns `mover` and `opponent`, which are the first two of a row of `what`.
pub(super) fn key_of(row: &Row<'_>, what: &str) -> Result<Key, RowError> {
    let (mover, opponent) = (row.get(0)?, row.get(1)?);
    stored_key(mover, opponent).ok_or_else(|| meaningless(what, mover, opponent))
}

/// The error that a row of a position means nothing.
pub(super) fn meaningless(what: &str, mover: i64, opponent: i64) -> RowError {
    RowError::Meaningless(format!("{what} of {mover:016x} {opponent:016x} means nothing"))
}

/// The three value columns, empty where they equal the guess, and the bounds.
pub(super) struct ValueColumns {
    pub(super) guess: i64,
    pub(super) draw_seeking: Option<i64>,
    pub(super) win_seeking: Option<i64>,
    pub(super) bounds: Option<i64>,
}

impl From<Values> for ValueColumns {
    fn from(values: Values) -> Self {
        let unless_guess =
            |score: Score| (score != values.guess).then_some(i64::from(score.centidiscs()));
        let bounds = values.bounds();
        Self {
            guess: i64::from(values.guess.centidiscs()),
            draw_seeking: unless_guess(values.draw_seeking),
            win_seeking: unless_guess(values.win_seeking),
            bounds: (bounds != Bounds::ALL).then(|| bounds_code(bounds)),
        }
    }
}

/// A guess, which no board exceeds.
pub(super) fn stored_guess(stored: i64) -> Option<Score> {
    score_within(stored, Score::MAX.centidiscs())
}

/// A seeking value, which may have the bonus of what is proven.
fn stored_seeking(stored: i64) -> Option<Score> {
    score_within(stored, Score::MAX.centidiscs() + PROVEN_BONUS)
}

fn score_within(stored: i64, most: i16) -> Option<Score> {
    let centidiscs = i16::try_from(stored).ok()?;
    (-most..=most).contains(&centidiscs).then(|| Score::from_centidiscs(centidiscs))
}

/// The values of these columns; none when they mean nothing.
pub(super) fn stored_values(columns: &ValueColumns) -> Option<Values> {
    let guess = stored_guess(columns.guess)?;
    let seeking = |stored: Option<i64>| stored.map_or(Some(guess), stored_seeking);
    let Bounds { lower, upper } = unpack_bounds(columns.bounds)?;
    Some(Values {
        guess,
        draw_seeking: seeking(columns.draw_seeking)?,
        win_seeking: seeking(columns.win_seeking)?,
        lower,
        upper,
    })
}

fn unpack_bounds(stored: Option<i64>) -> Option<Bounds> {
    stored.map_or(Some(Bounds::ALL), bounds_of_code)
}

/// The packed column `bounds` of a node; none where nothing is proven, no line comes to an end, and there is
/// one position to learn. What is seldom more than little has its high bits at the end.
pub(super) fn pack_bounds(node: &Node) -> Option<i64> {
    let bounds = node.values.bounds();
    if bounds == Bounds::ALL && node.lines == LineEnds::USUAL {
        return None;
    }
    let LineEnds { ends, own, other } = node.lines;
    let code = if bounds == Bounds::ALL { 0 } else { bounds_code(bounds) + 1 };
    let [own, other] = [own, other].map(|number| i64::from(number.wrapping_sub(1)));
    let packed = ENDS.with(i64::from(ends ^ LineEnds::OPEN))
        | OWN.with(own)
        | OTHER.with(other)
        | BOUNDS.with(code)
        | OWN_ABOVE.with(own >> OWN.1)
        | OTHER_ABOVE.with(other >> OTHER.1);
    Some(packed)
}

/// What proven bounds and ends of lines a packed column holds; none where it means nothing.
fn unpack_lines(packed: Option<i64>) -> Option<(Bounds, LineEnds)> {
    let Some(packed) = packed else { return Some((Bounds::ALL, LineEnds::USUAL)) };
    let bounds = match BOUNDS.of(packed) {
        0 => Bounds::ALL,
        code => bounds_of_code(code - 1)?,
    };
    let number = |low: Part, high: Part| {
        ((low.of(packed) | high.of(packed) << low.1) as u16).wrapping_add(1)
    };
    let ends = ENDS.of(packed) as u8 ^ LineEnds::OPEN;
    let lines = LineEnds { ends, own: number(OWN, OWN_ABOVE), other: number(OTHER, OTHER_ABOVE) };
    Some((bounds, lines))
}

/// Bounds as one number.
pub(super) fn bounds_code(Bounds { lower, upper }: Bounds) -> i64 {
    (i64::from(lower) + 64) * 129 + i64::from(upper) + 64
}

/// The other way; none where it means nothing.
pub(super) fn bounds_of_code(code: i64) -> Option<Bounds> {
    (0..=16_640)
        .contains(&code)
        .then(|| Bounds { lower: (code / 129 - 64) as i8, upper: (code % 129 - 64) as i8 })
}

/// The packed column `links` of a node.
pub(super) fn pack_links(node: &Node) -> i64 {
    let differing = (node.links.bits() ^ node.left_out.bits()) & DIFFERING;
    signed(node.links.bits() & LINKS | differing << LINK_BITS)
}

fn unpack_links(packed: i64) -> (MoveMask, MoveMask) {
    let links = unsigned(packed) & LINKS;
    (
        MoveMask::from_bits(links),
        MoveMask::from_bits(links ^ unsigned(packed) >> LINK_BITS & DIFFERING),
    )
}

/// The move of a search as it is packed, its score and what it proved.
fn parts_of(rest: Option<Rest>) -> (i64, i64, Proof) {
    match rest {
        None => (NO_RECORD, 0, Proof::None),
        Some(rest) => (
            rest.square.map_or(NO_SQUARE, |square| i64::from(square.number())),
            i64::from(rest.score.centidiscs()),
            rest.proof,
        ),
    }
}

/// A search as it is packed, without what follows from it.
pub(super) fn pack_record(rest: Option<Rest>, searched: Searched) -> i64 {
    let (square, score, proof) = parts_of(rest);
    let Searched { depth, selectivity, source } = searched;
    // Readers of files refuse what is deeper than [`Searched::MOST_PLIES`], and `verify` reports it.
    i64::MIN
        | SQUARE.with(square)
        | SELECTIVITY.with(i64::from(selectivity.percent()))
        | DEPTH.with(i64::from(depth.min(63)))
        | PROOF.with(i64::from(proof.number()))
        | SCORE.with(score + SCORE_OFFSET)
        | SOURCE.with(i64::from(source.0))
}

/// A search as older programs packed it: shorter, of a node of which nothing else is known yet.
pub(super) fn pack_short(rest: Option<Rest>, searched: Searched) -> i64 {
    let (square, score, proof) = parts_of(rest);
    let Searched { depth, selectivity, source } = searched;
    SQUARE.with(square)
        | old::SELECTIVITY.with(i64::from(selectivity.percent()))
        | old::DEPTH.with(i64::from(depth.min(63)))
        | old::PROOF.with(i64::from(proof.number()))
        | old::SCORE.with(score + old::SCORE_OFFSET)
        | old::SOURCE.with(i64::from(source.0))
}

/// The packed column `rest` of a node.
pub(super) fn pack_rest(node: &Node) -> i64 {
    shortened(
        pack_record(node.record, node.searched)
            | DUE.with(i64::from(node.due))
            | STANDS.with(i64::from(node.stands))
            | MORE.with(i64::from(node.more))
            | EVIDENCE_PART.with(i64::from(node.evidence.hundredths())),
    )
}

/// The search of a packed column; none where it means nothing.
pub(super) fn unpack_record(packed: i64) -> Option<(Option<Rest>, Searched)> {
    let packed = lengthened(packed);
    let is_old = packed >= 0;
    let part = |new: Part, old: Part| if is_old { old.of(packed) } else { new.of(packed) };
    let searched = Searched {
        depth: part(DEPTH, old::DEPTH) as u8,
        selectivity: Selectivity::from_percent(part(SELECTIVITY, old::SELECTIVITY) as u8)?,
        source: SourceId(u32::try_from(part(SOURCE, old::SOURCE)).ok()?),
    };
    let square = match SQUARE.of(packed) {
        NO_RECORD => return Some((None, searched)),
        old::SEARCH_DUE if is_old => return Some((None, searched)),
        NO_SQUARE => None,
        number => Some(Square::try_new(number as u8)?),
    };
    let offset = if is_old { old::SCORE_OFFSET } else { SCORE_OFFSET };
    let score = i16::try_from(part(SCORE, old::SCORE) - offset).ok()?;
    let proof = Proof::numbered(part(PROOF, old::PROOF) as u8)?;
    let score = Score::from_centidiscs(score);
    let is_result = (Score::MIN..=Score::MAX).contains(&score);
    is_result.then_some((Some(Rest { square, score, proof }), searched))
}

/// A row that means nothing: what is wrong with it.
#[derive(Debug)]
pub(super) enum RowError {
    /// SQLite could not give the columns.
    Database(rusqlite::Error),
    /// A column holds what no book writes.
    Meaningless(String),
}

impl From<rusqlite::Error> for RowError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Database(error)
    }
}

/// Reads the columns [`COLUMNS`].
pub(super) fn node(row: &Row<'_>) -> Result<Node, RowError> {
    Columns {
        mover: row.get(0)?,
        opponent: row.get(1)?,
        guess: row.get(2)?,
        draw_seeking: row.get(3)?,
        win_seeking: row.get(4)?,
        bounds: row.get(5)?,
        rest: row.get(6)?,
        links: row.get(7)?,
    }
    .node()
}

/// As [`node`], for a row of a scan.
#[inline]
pub(super) fn scanned_node(row: ScannedRow) -> Result<Node, RowError> {
    Columns {
        mover: row.integer(0),
        opponent: row.integer(1),
        guess: row.integer(2),
        draw_seeking: row.optional(3),
        win_seeking: row.optional(4),
        bounds: row.optional(5),
        rest: row.integer(6),
        links: row.integer(7),
    }
    .node()
}

/// The node of a row as it is in the file, with all columns of the table; none when it means nothing.
pub(super) fn stored_node(row: &[Column<'_>]) -> Option<Node> {
    let [discs, columns @ ..] = row else { return None };
    let optional = |column: &Column<'_>| match column {
        Column::Null => Some(None),
        column => column.integer().map(Some),
    };
    let [mover, opponent, guess, draw_seeking, win_seeking, bounds, rest, links] = columns else {
        return None;
    };
    let columns = Columns {
        mover: mover.integer()?,
        opponent: opponent.integer()?,
        guess: guess.integer()?,
        draw_seeking: optional(draw_seeking)?,
        win_seeking: optional(win_seeking)?,
        bounds: optional(bounds)?,
        rest: rest.integer()?,
        links: links.integer()?,
    };
    let node = columns.node().ok()?;
    let moves = MoveMask::all_of(node.key.position().legal_moves().len());
    let means_something = discs.integer()? == i64::from(node.key.discs())
        && check_key(node.key).is_ok()
        && check_node(node.key, node.record).is_ok()
        && node.links.without(moves).is_empty();
    means_something.then_some(node)
}

/// The columns [`COLUMNS`] of one row.
struct Columns {
    mover: i64,
    opponent: i64,
    guess: i64,
    draw_seeking: Option<i64>,
    win_seeking: Option<i64>,
    bounds: Option<i64>,
    rest: i64,
    links: i64,
}

impl Columns {
    #[inline]
    fn node(self) -> Result<Node, RowError> {
        let Self { mover, opponent, .. } = self;
        let (links, left_out) = unpack_links(self.links);
        let packed = lengthened(self.rest);
        let meaningless = |column: &str| {
            RowError::Meaningless(format!(
                "the column {column} of position {mover:016x} {opponent:016x} holds no such thing"
            ))
        };
        let guess = stored_guess(self.guess).ok_or_else(|| meaningless("guess"))?;
        let seeking = |stored: Option<i64>, column| match stored {
            None => Ok(guess),
            Some(stored) => stored_seeking(stored).ok_or_else(|| meaningless(column)),
        };
        let lines = match packed < 0 {
            true => unpack_lines(self.bounds),
            false => unpack_bounds(self.bounds).map(|bounds| (bounds, LineEnds::NOT_KNOWN)),
        };
        let (bounds, lines) = lines.ok_or_else(|| meaningless("bounds"))?;
        let Bounds { lower, upper } = bounds;
        let (record, searched) = unpack_record(packed).ok_or_else(|| meaningless("rest"))?;
        let key = stored_key(mover, opponent).ok_or_else(|| meaningless("opponent"))?;
        let values = Values {
            guess,
            draw_seeking: seeking(self.draw_seeking, "draw_seeking")?,
            win_seeking: seeking(self.win_seeking, "win_seeking")?,
            lower,
            upper,
        };
        let evidence = match packed < 0 {
            true => Evidence::of_hundredths(EVIDENCE_PART.of(packed) as u16),
            false => Some(Evidence::EXACT),
        };
        let mut node = Node {
            key,
            links,
            record,
            searched,
            left_out,
            values,
            evidence: evidence.ok_or_else(|| meaningless("rest"))?,
            lines,
            stands: record.is_some(),
            due: false,
            more: false,
        };
        if packed < 0 {
            node.stands = STANDS.of(packed) != 0;
            // Where a damaged row has lost links, a search finds them again.
            node.due = DUE.of(packed) != 0 || (!node.stands && node.has_open_move());
            node.more = MORE.of(packed) != 0;
        } else {
            // Of an older program: all that is not kept there is what the search itself says.
            let of_record = node.own_record().map(|record| record.error(key.position().empties()));
            node.evidence = match of_record {
                _ if values.is_exact() => Evidence::EXACT,
                Some(error) => error,
                None => {
                    let empties = key.position().empties();
                    Evidence::of_search(empties, searched.depth, searched.selectivity)
                }
            };
            node.due = SQUARE.of(packed) == old::SEARCH_DUE;
        }
        Ok(node)
    }
}

#[cfg(test)]
mod tests;
