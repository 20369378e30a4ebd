//! A node as a row and back. The only place that knows how rows are packed.

use rusqlite::Row;

use crate::board::{Key, Position, Square};
use crate::book::verify::check_key;
use crate::book::{MoveMask, Node, PROVEN_BONUS, Rest, Searched, SourceId, Values, check_node};
use crate::score::Score;
use crate::search::{Proof, Selectivity};

use super::page::Column;
use super::scan::ScannedRow;

/// No unlinked move is left, or those that are left end the game.
const NO_REST: i64 = 64;
/// A value is known, but not of which move.
const NO_SQUARE: i64 = 65;
/// A search is due.
const SEARCH_DUE: i64 = 66;
/// Whether a search of a node is due. SQLite finds those by the index `node_due`, which has this very condition.
pub(super) const IS_DUE: &str = "(rest & 127) = 66";

const SELECTIVITY_SHIFT: u32 = 7;
const DEPTH_SHIFT: u32 = 14;
const PROOF_SHIFT: u32 = 20;
const SCORE_SHIFT: u32 = 23;
const SOURCE_SHIFT: u32 = 39;
/// Added to a score so that the number is never negative.
const SCORE_OFFSET: i64 = 32_768;

/// The most sources that a row can tell apart.
pub(super) const MAX_SOURCES: u32 = 1 << 24;

/// The columns of a node but for its number of discs, which stands before them.
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
#[must_use]
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
        let (lower, upper) = (i64::from(values.lower), i64::from(values.upper));
        Self {
            guess: i64::from(values.guess.centidiscs()),
            draw_seeking: unless_guess(values.draw_seeking),
            win_seeking: unless_guess(values.win_seeking),
            bounds: ((lower, upper) != (-64, 64)).then_some((lower + 64) * 129 + upper + 64),
        }
    }
}

/// A guess, which no board exceeds.
fn stored_guess(stored: i64) -> Option<Score> {
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
    let (lower, upper) = unpack_bounds(columns.bounds)?;
    Some(Values {
        guess,
        draw_seeking: seeking(columns.draw_seeking)?,
        win_seeking: seeking(columns.win_seeking)?,
        lower,
        upper,
    })
}

fn unpack_bounds(stored: Option<i64>) -> Option<(i8, i8)> {
    match stored {
        None => Some((-64, 64)),
        Some(bounds @ 0..=16_640) => Some(((bounds / 129 - 64) as i8, (bounds % 129 - 64) as i8)),
        Some(_) => None,
    }
}

/// The packed column `rest` of a node.
pub(super) fn pack_rest(node: &Node) -> i64 {
    let (square, score, proof) = match node.rest {
        None if node.is_incomplete() => (SEARCH_DUE, 0, Proof::None),
        None => (NO_REST, 0, Proof::None),
        Some(rest) => (
            rest.square.map_or(NO_SQUARE, |square| i64::from(square.number())),
            i64::from(rest.score.centidiscs()),
            rest.proof,
        ),
    };
    let Searched { depth, selectivity, source } = node.searched;
    // Readers of files refuse what is deeper than [`Searched::MOST_PLIES`], and `verify` tells of it. It never
    // becomes another column's.
    square
        | i64::from(selectivity.percent()) << SELECTIVITY_SHIFT
        | i64::from(depth.min(63)) << DEPTH_SHIFT
        | i64::from(proof.number()) << PROOF_SHIFT
        | (score + SCORE_OFFSET) << SCORE_SHIFT
        | i64::from(source.0) << SOURCE_SHIFT
}

fn unpack_rest(packed: i64) -> Option<(Option<Rest>, Searched)> {
    let bits = |shift: u32, width: u32| (packed >> shift) & ((1 << width) - 1);
    let searched = Searched {
        depth: bits(DEPTH_SHIFT, 6) as u8,
        selectivity: Selectivity::from_percent(bits(SELECTIVITY_SHIFT, 7) as u8)?,
        source: SourceId(u32::try_from(packed >> SOURCE_SHIFT).ok()?),
    };
    let square = match bits(0, 7) {
        NO_REST | SEARCH_DUE => return Some((None, searched)),
        NO_SQUARE => None,
        number => Some(Square::try_new(number as u8)?),
    };
    let score = i16::try_from(bits(SCORE_SHIFT, 16) - SCORE_OFFSET).ok()?;
    let proof = Proof::numbered(bits(PROOF_SHIFT, 3) as u8)?;
    let score = Score::from_centidiscs(score);
    let is_result = (Score::MIN..=Score::MAX).contains(&score);
    is_result.then_some((Some(Rest { square, score, proof }), searched))
}

/// Whether the row's mark of a due search agrees with the node.
pub(super) fn due_is_marked(packed: i64, node: &Node) -> bool {
    (packed & 127 == SEARCH_DUE) == node.is_incomplete()
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

/// Reads the columns [`COLUMNS`]; also gives the packed rest as it is stored.
pub(super) fn node(row: &Row<'_>) -> Result<(Node, i64), RowError> {
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
pub(super) fn scanned_node(row: ScannedRow) -> Result<(Node, i64), RowError> {
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
    let integer = |column: &Column<'_>| match column {
        Column::Integer(value) => Some(*value),
        _ => None,
    };
    let optional = |column: &Column<'_>| match column {
        Column::Null => Some(None),
        column => integer(column).map(Some),
    };
    let [mover, opponent, guess, draw_seeking, win_seeking, bounds, rest, links] = columns else {
        return None;
    };
    let columns = Columns {
        mover: integer(mover)?,
        opponent: integer(opponent)?,
        guess: integer(guess)?,
        draw_seeking: optional(draw_seeking)?,
        win_seeking: optional(win_seeking)?,
        bounds: optional(bounds)?,
        rest: integer(rest)?,
        links: integer(links)?,
    };
    let (node, _) = columns.node().ok()?;
    let moves = MoveMask::all_of(node.key.position().legal_moves().len());
    let means_something = integer(discs)? == i64::from(node.key.discs())
        && check_key(node.key).is_ok()
        && check_node(node.key, node.rest).is_ok()
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
    fn node(self) -> Result<(Node, i64), RowError> {
        let Self { mover, opponent, .. } = self;
        let links = MoveMask::from_bits(unsigned(self.links));
        let packed = self.rest;
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
        let (lower, upper) = unpack_bounds(self.bounds).ok_or_else(|| meaningless("bounds"))?;
        let (rest, searched) = unpack_rest(packed).ok_or_else(|| meaningless("rest"))?;
        let key = stored_key(mover, opponent).ok_or_else(|| meaningless("opponent"))?;
        let values = Values {
            guess,
            draw_seeking: seeking(self.draw_seeking, "draw_seeking")?,
            win_seeking: seeking(self.win_seeking, "win_seeking")?,
            lower,
            upper,
        };
        Ok((Node { key, links, rest, searched, values }, packed))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A node of the start position, of which only the rest matters here.
    fn start(rest: Option<Rest>, links: MoveMask, searched: Searched) -> Node {
        let even = Score::ZERO;
        let values =
            Values { guess: even, draw_seeking: even, win_seeking: even, lower: -64, upper: 64 };
        Node { key: Key::of(Position::START), links, rest, searched, values }
    }

    #[test]
    fn a_rest_is_packed_as_in_all_books() {
        let rest = Rest {
            square: Some("d3".parse().unwrap()),
            score: Score::from_centidiscs(250),
            proof: Proof::Exact,
        };
        let searched = Searched { depth: 12, selectivity: Selectivity::FULL, source: SourceId(1) };
        let packed = pack_rest(&start(Some(rest), MoveMask::default(), searched));
        assert_eq!(packed, 826_732_130_835);
        assert_eq!(unpack_rest(packed), Some((Some(rest), searched)));
    }

    proptest! {
        #[test]
        fn a_packed_rest_comes_back(
            number in 0..=64_u8,
            score in -6400..=6400_i16,
            proof in proptest::sample::select(&Proof::ALL[..]),
            depth in 0..=Searched::MOST_PLIES,
            percent in 0..=100_u8,
            source in 0..MAX_SOURCES,
        ) {
            let selectivity = Selectivity::from_percent(percent).unwrap();
            let searched = Searched { depth, selectivity, source: SourceId(source) };
            let score = Score::from_centidiscs(score);
            // 64 stands for a value of no move.
            let rest = Rest { square: Square::try_new(number), score, proof };
            let packed = pack_rest(&start(Some(rest), MoveMask::default(), searched));
            prop_assert!(packed >= 0);
            prop_assert_eq!(unpack_rest(packed), Some((Some(rest), searched)));
            // Without a rest, due and not.
            for links in [MoveMask::default(), MoveMask::all_of(4)] {
                let node = start(None, links, searched);
                let packed = pack_rest(&node);
                prop_assert_eq!(unpack_rest(packed), Some((None, searched)));
                prop_assert!(due_is_marked(packed, &node));
                prop_assert_eq!(node.is_incomplete(), links == MoveMask::default());
            }
        }
    }

    #[test]
    fn the_index_of_due_searches_knows_their_mark() {
        assert_eq!(IS_DUE, format!("(rest & 127) = {SEARCH_DUE}"));
        assert!(
            include_str!("../../migrations/0001_book.sql").contains(&format!("WHERE {IS_DUE};"))
        );
    }
}
