//! What follows for a node from its records and from the nodes that its moves lead to: which moves count,
//! its values, how sure they are, and whether a search is due. Written here and nowhere else.
//!
//! A link counts where no record covers it, and else as soon as it is as sure as the greatest record that
//! does, or proves that record wrong; until then it is held, and the record answers for the move. A
//! record's score is valid until its best move counts, or a greater record covers that move.

use crate::othello::board::{After, Key, Squares, Successor};
use crate::othello::score::Score;
use crate::othello::search::Proof;

use super::{
    Bounds, Evidence, Held, LineEnds, Link, MoveMask, Node, Record, UNKNOWN, Values, child_of,
};

/// What a position needs to know of a node that one of its moves leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Child {
    pub values: Values,
    /// How sure they are.
    pub evidence: Evidence,
    pub lines: LineEnds,
}

impl Node {
    /// Takes over what follows for it from its records and links.
    pub(crate) fn set_derived(&mut self, derived: &Derived) {
        let Derived { values, evidence, lines, due, answering, .. } = *derived;
        (self.values, self.evidence, self.lines, self.due) = (values, evidence, lines, due);
        self.stands = answering.is_some();
    }
}

impl From<&Node> for Child {
    fn from(node: &Node) -> Self {
        Self { values: node.values, evidence: node.evidence, lines: node.lines }
    }
}

/// A link of a node with what it leads to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leads {
    /// Its place among the legal moves.
    pub index: usize,
    /// The node that it leads to.
    pub child: Key,
    /// Whether the same side moves there.
    pub same_side: bool,
    /// What that node is like; none where there is none, in a damaged book.
    pub of_child: Option<Child>,
}

impl Leads {
    pub(super) fn of(move_on: Successor, of_child: Option<Child>) -> Self {
        let Successor { index, next, same_side, .. } = move_on;
        Self { index: usize::from(index), child: next, same_side, of_child }
    }
}

/// What follows for a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Derived {
    pub values: Values,
    /// How sure they are.
    pub evidence: Evidence,
    pub lines: LineEnds,
    /// Whether a search is due: it is not exact, and for some move nothing answers.
    pub due: bool,
    /// The valid record with the best score; none where no record is valid.
    pub answering: Option<usize>,
    pub counting: MoveMask,
}

/// A move, or a record that answers for several, among those that decide a value.
struct Candidate {
    guess: Score,
    /// What it is proven to be worth at least, in discs.
    lower: i8,
    error: Evidence,
    lines: LineEnds,
    /// Whether it is a link: only those are to be learned.
    is_link: bool,
}

/// Memory for one node after another.
#[derive(Default)]
pub(crate) struct Deriver {
    candidates: Vec<Candidate>,
}

/// The moves of a position that end the game, with their final scores.
fn endings(key: Key, among: MoveMask) -> impl Iterator<Item = (usize, i8)> {
    let position = key.position();
    let legal = position.legal_moves().enumerate();
    legal.filter(move |&(index, _)| among.contains(index)).filter_map(move |(index, square)| {
        match position.after(square)? {
            After::Over(discs) => Some((index, discs)),
            _ => None,
        }
    })
}

/// The greatest record that covers a move.
fn greatest(records: &[Record], index: usize) -> Option<usize> {
    records.iter().position(|record| !record.left_out.contains(index))
}

/// Whether a record is valid while these links count.
fn stands(records: &[Record], number: usize, legal: Squares, counting: MoveMask) -> bool {
    let record = &records[number];
    let is_greatest = |index: usize| greatest(records, index) == Some(number);
    match record.rest.square {
        Some(square) => {
            let index = legal.index_of(square);
            !counting.contains(index) && is_greatest(index)
        }
        None => {
            let covered = MoveMask::all_of(legal.len()).without(record.left_out);
            !covered.without(counting).is_empty() && covered.indices().any(is_greatest)
        }
    }
}

/// The moves that a valid record covers, while these links count.
pub(super) fn covered_by_valid(key: Key, records: &[Record], counting: MoveMask) -> MoveMask {
    let legal = key.position().legal_moves();
    let all = MoveMask::all_of(legal.len());
    let valid = (0..records.len()).filter(|&number| stands(records, number, legal, counting));
    valid.map(|number| all.without(records[number].left_out)).fold(MoveMask::NONE, MoveMask::union)
}

/// Whether a link counts.
///
/// `seen` are the values of its child as its parent sees them, `is_best` says whether the record holds it for the
/// best move.
fn counts(
    seen: Values,
    evidence: Evidence,
    record: &Record,
    error: Evidence,
    is_best: impl FnOnce() -> bool,
) -> bool {
    let score = i32::from(record.rest.score.centidiscs());
    evidence.bears(error)
        || seen.is_exact()
        || i32::from(seen.lower) * 100 > score
        || (i32::from(seen.upper) * 100 < score && is_best())
}

/// What follows for a node that has nothing but a record, which answers for all its moves, as most nodes do; none
/// for any other.
fn leaf(key: Key, record: &Record, links: &[Leads]) -> Option<Derived> {
    let Record { rest, left_out, .. } = record;
    if !links.is_empty() || !left_out.is_empty() || rest.square.is_none() {
        return None;
    }
    let values = rest.values();
    let empties = key.position().empties();
    let (evidence, lines) = match values.is_exact() {
        true => (Evidence::EXACT, LineEnds::EXACT),
        false => (record.error(empties), LineEnds::of_record(record, empties)),
    };
    let counting = MoveMask::NONE;
    Some(Derived { values, evidence, lines, due: false, answering: Some(0), counting })
}

impl Deriver {
    /// What follows for a node that has these records, bounds and links.
    pub(crate) fn derive(&mut self, key: Key, held: &Held, links: &[Leads]) -> Derived {
        self.derive_of(key, key.position().legal_moves(), &held.records, held, links)
    }

    /// As [`Deriver::derive`] for a node that has nothing but what its row holds, and these moves.
    pub(crate) fn derive_row(&mut self, node: &Node, legal: Squares, links: &[Leads]) -> Derived {
        let record = node.own_record();
        if let Some(record) = &record
            && let Some(derived) = leaf(node.key, record, links)
        {
            return derived;
        }
        self.derive_of(node.key, legal, record.as_slice(), &Held::default(), links)
    }

    fn derive_of(
        &mut self,
        key: Key,
        legal: Squares,
        records: &[Record],
        held: &Held,
        links: &[Leads],
    ) -> Derived {
        self.candidates.clear();
        let all = MoveMask::all_of(legal.len());
        let empties = key.position().empties();
        // Most nodes have one record, which is asked for at each move.
        let first = records.first().map(|record| record.error(empties));
        let error_of = |number: usize| match first {
            Some(error) if number == 0 => error,
            _ => records[number].error(empties),
        };
        let mut best = Values::NONE;
        let mut counting = MoveMask::NONE;
        // From here on: what is proven of moves, whether they count or not.
        let mut proven = Bounds { lower: -64, upper: -64 };
        let mut is_anything_proven = !held.bounds.is_empty();
        for (at, link) in links.iter().enumerate() {
            let Some(child) = link.of_child else { continue };
            let seen = child.values.seen_by_parent(link.same_side);
            is_anything_proven |= seen.bounds() != Bounds::ALL;
            let does_count = greatest(records, link.index).is_none_or(|number| {
                let record = &records[number];
                counts(seen, child.evidence, record, error_of(number), || {
                    record.rest.square.is_some_and(|square| {
                        leads_to(links, legal.index_of(square)) == Some(link.child)
                    })
                })
            });
            if !does_count {
                continue;
            }
            counting = counting.with(link.index);
            best = best.max(seen);
            // Symmetric moves are one.
            if links[..at].iter().all(|before| before.child != link.child) {
                self.candidates.push(Candidate {
                    guess: seen.guess,
                    lower: seen.lower,
                    error: child.evidence.through_link(),
                    lines: child.lines.seen_by_parent(link.same_side),
                    is_link: true,
                });
            }
        }
        let mut answered = counting;
        let mut answering: Option<usize> = None;
        for (number, record) in records.iter().enumerate() {
            is_anything_proven |= record.rest.proof != Proof::None;
            if !stands(records, number, legal, counting) {
                continue;
            }
            answered = answered.union(all.without(record.left_out));
            let values = record.rest.values();
            best = best.max(values);
            self.candidates.push(Candidate {
                guess: values.guess,
                lower: values.lower,
                error: error_of(number),
                lines: LineEnds::of_record(record, empties),
                is_link: false,
            });
            if answering.is_none_or(|known| record.rest.score > records[known].rest.score) {
                answering = Some(number);
            }
        }
        let mut open = all.without(answered);
        let mut ended = MoveMask::NONE;
        if !open.is_empty() {
            for (index, discs) in endings(key, open) {
                ended = ended.with(index);
                let values = Values::of_final(discs);
                is_anything_proven = true;
                best = best.max(values);
                proven = proven.max(values.bounds());
                self.candidates.push(Candidate {
                    guess: values.guess,
                    lower: values.lower,
                    error: Evidence::EXACT,
                    lines: LineEnds::EXACT,
                    is_link: false,
                });
            }
            open = open.without(ended);
        }
        let is_nothing_known = best.guess == Values::NONE.guess;
        let mut values = match is_nothing_known {
            true => UNKNOWN,
            false => {
                if !open.is_empty() {
                    best.upper = 64;
                }
                best.within_bounds()
            }
        };
        if is_anything_proven {
            let mut believe = |bounds| values = values.within(bounds).unwrap_or(values);
            believe(of_moves(records, links, all.without(ended), proven));
            records.iter().map(Record::proves).for_each(&mut believe);
            held.bounds.iter().map(|known| known.bounds).for_each(&mut believe);
        }
        if let Some(judgement) = &held.judgement {
            let said = Values::of_search(judgement.score, Proof::None);
            values = said.within(values.bounds()).unwrap_or(values);
        }
        let is_exact = values.is_exact();
        let due = !open.is_empty() && !is_exact;
        let evidence = match is_nothing_known {
            _ if is_exact => Evidence::EXACT,
            _ if held.judgement.is_some() => Evidence::judged(empties),
            true => Evidence::unsearched(empties),
            false => {
                let unsearched = if due { Evidence::unsearched(empties) } else { Evidence::EXACT };
                let near = self
                    .candidates
                    .iter()
                    .filter(|candidate| loss(best.guess, candidate.guess) <= Evidence::NEAR);
                near.map(|candidate| candidate.error).fold(unsearched, Evidence::max)
            }
        };
        let lines = self.line_ends(values, due);
        Derived { values, evidence, lines, due, answering, counting }
    }

    /// How the lines of a node end, and what is to be learned of it.
    ///
    /// A side that is proven to win keeps to moves that are: what is not proven of the others leaves
    /// nothing open.
    fn line_ends(&self, values: Values, due: bool) -> LineEnds {
        let mut lines = self.learned(values);
        if values.is_exact() {
            lines.ends = LineEnds::PROVEN;
            return lines;
        }
        let best_win = match values.lower > 0 {
            true => {
                let wins = self.candidates.iter().filter(|candidate| candidate.lower > 0);
                wins.map(|candidate| candidate.guess).max()
            }
            false => None,
        };
        let (best, least) = best_win.map_or((values.guess, i8::MIN), |best| (best, 1));
        let is_open = due && best_win.is_none();
        lines.ends = if is_open { LineEnds::OPEN } else { 0 };
        for candidate in self.candidates.iter().filter(|candidate| candidate.lower >= least) {
            if loss(best, candidate.guess) < LineEnds::NEAR {
                lines.ends |= candidate.lines.ends;
            }
        }
        // A judgement may be far above every move: then no line is followed.
        if lines.ends == 0 {
            lines.ends = LineEnds::OPEN;
        }
        lines
    }

    /// Of the own best moves the one with the least to learn behind it, of the other side's all.
    fn learned(&self, values: Values) -> LineEnds {
        let (mut least, mut sum) = (0_u16, 0_u16);
        for candidate in self.candidates.iter().filter(|candidate| candidate.is_link) {
            if loss(values.guess, candidate.guess) >= LineEnds::BEST {
                continue;
            }
            let LineEnds { own, other, .. } = candidate.lines;
            least = if least == 0 { own } else { least.min(own) };
            sum = sum.saturating_add(other);
        }
        // A line that leaves the book is one thing to know.
        LineEnds { ends: 0, own: least.max(1), other: sum.max(1) }
    }
}

/// What is proven of a position by what is proven of its moves. `moves` are those that do not end the game by
/// themselves, the others are worth `of_endings`.
fn of_moves(records: &[Record], links: &[Leads], moves: MoveMask, of_endings: Bounds) -> Bounds {
    let mut of_moves = of_endings;
    let mut others = moves;
    let above = |index: usize| {
        let covering = records.iter().filter(|record| !record.left_out.contains(index));
        covering.map(|record| record.rest.proof.bounds(record.rest.score).1).min().unwrap_or(64)
    };
    for link in links {
        let Some(child) = link.of_child else { continue };
        let seen = child.values.seen_by_parent(link.same_side);
        others = others.without(MoveMask::NONE.with(link.index));
        of_moves.lower = of_moves.lower.max(seen.lower);
        of_moves.upper = of_moves.upper.max(seen.upper.min(above(link.index)));
    }
    for index in others.indices() {
        if of_moves.upper >= 64 {
            break;
        }
        of_moves.upper = of_moves.upper.max(above(index));
    }
    of_moves
}

/// Where the link of a move leads; none where the move is no link.
fn leads_to(links: &[Leads], index: usize) -> Option<Key> {
    links.iter().find(|link| link.index == index).map(|link| link.child)
}

fn loss(best: Score, found: Score) -> i32 {
    (i32::from(best.centidiscs()) - i32::from(found.centidiscs())).max(0)
}

/// The record that answers for a link of a node, where the link is held; none where it counts. `held` is all
/// that is kept of the node.
pub(crate) fn holding_record(
    node: &Node,
    held: &Held,
    link: Link,
    child: impl Into<Child>,
) -> Option<Record> {
    let child = child.into();
    let key = node.key;
    let legal = key.position().legal_moves();
    let record = *held.records.get(greatest(&held.records, legal.index_of(link.square))?)?;
    let error = record.error(key.position().empties());
    let does_count = counts(link.worth(child.values), child.evidence, &record, error, || {
        is_best_move(key, &record, link.child)
    });
    (!does_count).then_some(record)
}

/// Whether the best move of a record leads to this position.
pub(crate) fn is_best_move(key: Key, record: &Record, child: Key) -> bool {
    let best = record.rest.square.and_then(|square| child_of(key.position(), square));
    best.is_some_and(|(best, _)| best == child)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openbook::{Rest, Searched, SourceId};
    use crate::othello::board::Position;
    use crate::othello::search::Selectivity;

    /// What most nodes are is found at once, and as of any other node.
    #[test]
    fn a_leaf_is_what_any_node_would_be() {
        let mut position = Position::START;
        let mut deriver = Deriver::default();
        let (mut leaves, mut number) = (0, 0_u32);
        while let Some(square) = position.legal_moves().last() {
            let key = Key::of(position);
            let legal = key.position().legal_moves();
            for square in legal.map(Some).chain([None]).cycle().take(40) {
                number = number.wrapping_mul(7919) + 5;
                let part = |shift: u32, most: u32| (number >> shift) % most;
                let proof = Proof::numbered(part(3, 6) as u8).unwrap();
                let rest = Rest {
                    square,
                    score: Score::from_centidiscs(part(7, 12_801) as i16 - 6_400),
                    proof,
                };
                let record = Record {
                    rest,
                    searched: Searched {
                        depth: part(5, 61) as u8,
                        selectivity: Selectivity::from_percent(
                            [73, 87, 95, 100][part(9, 4) as usize],
                        )
                        .unwrap(),
                        source: SourceId(0),
                    },
                    left_out: MoveMask::from_bits(u64::from(part(11, 3) == 0)),
                };
                let slow = deriver.derive_of(key, legal, &[record], &Held::default(), &[]);
                if let Some(quick) = leaf(key, &record, &[]) {
                    assert_eq!(quick, slow, "{record:?} at {position:?}");
                    leaves += 1;
                }
            }
            let Some(next) = position.play(square) else { break };
            position = next;
        }
        assert!(leaves > 300, "{leaves}");
    }
}
