//! From our nodes to NTest's, layer after layer from the deepest: what NTest asks of a branch
//! depends on what is written below it.
//!
//! NTest searches at load wherever a branch with moves out of the book has no unsolved position
//! below it that is worth its cutoff. So the best such move becomes a position of its own, and a
//! layer is gone through twice: first for those positions, then for the branches themselves.

use super::{
    BranchValues, Deviation, NtestKind, NtestLevel, NtestNode, NtestRole, Thoroughness,
    solved_values, thoroughness,
};
use crate::files::books::ExportReport;
use crate::openbook::{Node, deepest_first};
use crate::othello::board::{After, CpuLevel, Position, Successor, Successors};
use crate::store::Reader;

use super::book_level::BookLevel;
use super::originals::Originals;
use super::part::{layers, three_values};
use crate::files::books::write::{KeyMap, Steps, WriteError};

/// The nodes of a book, and what they do not say.
pub(super) fn nodes(
    book: &Reader,
    originals: &Originals,
    level: Option<NtestLevel>,
    steps: &mut Steps<'_>,
) -> Result<(Vec<NtestNode>, ExportReport), WriteError> {
    let BookLevel { level, higher } = match level {
        Some(level) => BookLevel { level: Some(level), higher: None },
        None => BookLevel::of(book, originals)?,
    };
    let mut report = ExportReport::default();
    report.ntest.level = level;
    report.ntest.higher = higher;
    let mut maker = Maker {
        originals,
        // Without a branch any level does; the lowest asks for the least.
        level: level.unwrap_or(NtestLevel::MIN),
        report,
        nodes: Vec::new(),
        below: KeyMap::default(),
        here: KeyMap::default(),
        branches: Vec::new(),
    };
    deepest_first(layers(book)?, |discs, below| {
        maker.below = below.unwrap_or_default();
        book.for_each_in_layer(discs, |node| -> Result<(), WriteError> {
            steps.step()?;
            maker.node(node.for_other_programs());
            Ok(())
        })?;
        maker.branches();
        Ok::<_, WriteError>(std::mem::take(&mut maker.here))
    })?;
    Ok((maker.nodes, maker.report))
}

/// Branches whose moves are looked up together.
const BATCH: usize = 64;

/// What is written of a position of the layer below.
#[derive(Clone, Copy)]
struct Written {
    kind: NtestKind,
    search: Thoroughness,
    /// NTest's values: best guess, draws to the mover, draws to the opponent, in centidiscs.
    values: [i16; 3],
    /// Whether our book has the same three.
    same: bool,
    /// Its place among all nodes.
    place: usize,
}

/// What NTest sees of the moves of a branch.
struct Seen {
    /// Its own values by them.
    values: BranchValues,
    /// The best value of an unsolved position without moves, for the side to move of the branch.
    best_leaf: Option<i16>,
    /// The best of those that our book does not have.
    best_deviation: Option<i16>,
    /// The least search of an unsolved position.
    least: Option<Thoroughness>,
    /// The moves that lead to no position and do not end the game.
    left: u64,
    /// A position has other values in our book.
    differs: bool,
}

struct Maker<'a> {
    originals: &'a Originals,
    level: NtestLevel,
    report: ExportReport,
    nodes: Vec<NtestNode>,
    below: KeyMap<Written>,
    here: KeyMap<Written>,
    /// Those of the layer whose moves have to be looked at.
    branches: Vec<Branch>,
}

/// A node on its way to a branch.
struct Branch {
    node: Node,
    /// As in its file.
    original: Option<NtestNode>,
    /// The proven or differing search of the best move out of the book: why its values may differ.
    deviates: Option<bool>,
}

impl Maker<'_> {
    /// Writes a node that has no moves in NTest's book, and puts by the others.
    fn node(&mut self, node: Node) {
        let original = self.originals.unchanged(&node);
        if let Some(original) = original {
            if original.kind() == NtestKind::Branch {
                self.branches.push(Branch { node, original: Some(original), deviates: None });
                return;
            }
            if !original.wld || node.key.position().empties() > self.level.exact_from() {
                self.put(&node, original, true);
                return;
            }
            self.report.ntest.made_anew += 1;
        }
        match NtestRole::of(&node, self.level) {
            NtestRole::Branch => {
                self.branches.push(Branch { node, original: None, deviates: None });
            }
            NtestRole::Nothing => self.report.search_due += 1,
            NtestRole::Solved { wld } => {
                let number = node.values.guess.centidiscs();
                self.put(&node, NtestNode::solved(node.key, number, wld), false);
            }
            role => {
                let losses = &mut self.report.ntest;
                losses.unsized_results += u64::from(role == NtestRole::UnsizedLeaf);
                losses.near_end += u64::from(role == NtestRole::NearEndLeaf);
                self.leaf(&node);
            }
        }
    }

    /// Writes a node as an unsolved one without moves.
    fn leaf(&mut self, node: &Node) {
        let number = node.values.guess.centidiscs();
        self.put(node, NtestNode::leaf(node.key, number, thoroughness(node)), false);
    }

    /// Adds a node of NTest's that has no moves, made anew or as in its file.
    fn put(&mut self, node: &Node, made: NtestNode, stood: bool) {
        self.report.unchanged += u64::from(stood);
        let values = match made.kind() {
            NtestKind::Solved => solved_values(made.number),
            _ => [made.number; 3],
        };
        if !self.add(node, made, values) {
            let why = &mut self.report.ntest.differences;
            *(if stood { &mut why.as_in_file } else { &mut why.one_number }) += 1;
        }
    }

    /// Adds a node of NTest's with its values, and says whether our book has the same.
    fn add(&mut self, node: &Node, made: NtestNode, values: [i16; 3]) -> bool {
        let same = !self.report.ntest.differences.count(three_values(node), values);
        let games = self.originals.games(node.key);
        // A leaf that was played is a branch to NTest, and its value a bound.
        let is_leaf = made.kind() == NtestKind::Leaf;
        self.report.ntest.games_dropped += u64::from(is_leaf && games != [0, 0]);
        self.nodes.push(NtestNode { games: if is_leaf { [0, 0] } else { games }, ..made });
        self.report.positions += 1;
        let (kind, search) = (made.kind(), made.search());
        let place = self.nodes.len() - 1;
        self.here.insert(node.key, Written { kind, search, values, same, place });
        same
    }

    /// Writes the branches of the layer, after the positions that their best moves out of the book
    /// lead to.
    fn branches(&mut self) {
        let mut all = std::mem::take(&mut self.branches);
        let mut wanted = Wanted::default();
        self.each(&mut all, |maker, branch, successors, ends| {
            let seen = maker.seen(&branch.node, successors, ends);
            if branch.original.is_some_and(|original| maker.keeps_rules(&original, &seen)) {
                return;
            }
            if let Some(deviation) = deviation(&branch.node, &seen) {
                branch.deviates = Some(deviation.proven);
                maker.report.ntest.proven_rests += u64::from(deviation.proven);
                wanted.add(deviation, &mut maker.report);
            }
        });
        for deviation in wanted.all {
            // Whether the branch claims too much is counted there.
            let least = self.level.least_below(deviation.key.position().empties());
            let search = least.map_or(deviation.search, |least| deviation.search.max(least));
            self.nodes.push(NtestNode::leaf(deviation.key, deviation.value, search));
            self.report.added += 1;
            let values = [deviation.value; 3];
            let (kind, place) = (NtestKind::Leaf, self.nodes.len() - 1);
            let written = Written { kind, search, values, same: true, place };
            self.below.insert(deviation.key, written);
        }
        self.each(&mut all, |maker, branch, successors, ends| {
            let seen = maker.seen(&branch.node, successors, ends);
            maker.branch(branch, successors, &seen);
        });
    }

    /// Calls a function with each branch, its successors, and whether a move ends the game.
    fn each(
        &mut self,
        branches: &mut [Branch],
        mut each: impl FnMut(&mut Self, &mut Branch, &[Successor], bool),
    ) {
        let level = CpuLevel::detect();
        let mut successors = Successors::default();
        for batch in branches.chunks_mut(BATCH) {
            successors.find(level, batch.iter().map(|branch| branch.node.key.position()));
            for (index, branch) in batch.iter_mut().enumerate() {
                let these = &successors.all()[successors.range(index)];
                each(self, branch, these, successors.has_end(index));
            }
        }
    }

    fn seen(&self, node: &Node, successors: &[Successor], ends: bool) -> Seen {
        let mut seen = Seen {
            values: BranchValues::default(),
            best_leaf: None,
            best_deviation: None,
            least: None,
            left: 0,
            differs: false,
        };
        let linked = node.links.squares(node.key);
        for successor in successors {
            let Some(written) = self.below.get(&successor.next) else {
                seen.left |= successor.square.bit();
                continue;
            };
            let [value, ..] = seen.values.take_move(written.values, successor.same_side);
            seen.differs |= !written.same;
            if written.kind == NtestKind::Leaf {
                seen.best_leaf = seen.best_leaf.max(Some(value));
                if linked & successor.square.bit() == 0 {
                    seen.best_deviation = seen.best_deviation.max(Some(value));
                }
            }
            if written.kind != NtestKind::Solved {
                let least = seen.least.map_or(written.search, |least| least.min(written.search));
                seen.least = Some(least);
            }
        }
        if ends {
            let position = node.key.position();
            for discs in position.legal_moves().filter_map(|square| ending(position, square)) {
                seen.values.take_end(discs);
            }
        }
        seen
    }

    /// Whether a branch as in its file keeps NTest's rules among what is written now.
    fn keeps_rules(&self, original: &NtestNode, seen: &Seen) -> bool {
        let search = original.search();
        let empties = original.position.empties();
        let has_least = empties > self.level.solves_from() && search >= self.level.least(empties);
        let follows = seen.least.is_none_or(|least| least >= search.less_one_ply());
        let bounds = match seen.left {
            0 => original.number == NtestNode::NO_VALUE,
            _ => {
                original.number != NtestNode::NO_VALUE
                    && seen.best_leaf.is_some_and(|leaf| leaf >= original.number)
            }
        };
        has_least && follows && bounds
    }

    fn branch(&mut self, branch: &Branch, successors: &[Successor], seen: &Seen) {
        let Branch { node, original, deviates } = branch;
        if let Some(original) = original {
            if self.keeps_rules(original, seen) {
                self.report.unchanged += 1;
                if !self.add(node, *original, seen.values.0) {
                    let why = &mut self.report.ntest.differences;
                    let inherits = seen.differs;
                    *(if inherits { &mut why.inherited } else { &mut why.as_in_file }) += 1;
                }
                return;
            }
            self.report.ntest.made_anew += 1;
            if NtestRole::of(node, self.level) != NtestRole::Branch {
                self.report.ntest.near_end += 1;
                self.leaf(node);
                return;
            }
        }
        let cutoff = match (seen.left, node.rest(), seen.best_leaf) {
            (0, ..) => None,
            (_, Some(rest), Some(leaf)) => Some(rest.score.centidiscs().min(leaf)),
            _ => {
                // A search is due: there is nothing to bound the other moves with.
                self.report.search_due += 1;
                self.leaf(node);
                return;
            }
        };
        let least = self.level.least(node.key.position().empties());
        let has = thoroughness(node);
        // Where no move is left there is nothing that the search would have to be good for.
        self.report.ntest.claimed += u64::from(has < least && cutoff.is_some());
        let has =
            if cutoff.is_none() { seen.least.map_or(has, Thoroughness::one_ply_more) } else { has };
        let follows = seen.least.map_or(has, |below| has.min(below.one_ply_more())).max(least);
        if seen.least.is_some_and(|below| below < follows.less_one_ply()) {
            self.raise_leaves(successors, follows.less_one_ply());
        }
        self.put_branch(node, NtestNode::branch(node.key, cutoff, follows), seen, *deviates);
    }

    /// Lets the leaves below a branch claim as much as the level asks for. Other branches have as
    /// much.
    fn raise_leaves(&mut self, successors: &[Successor], least: Thoroughness) {
        for successor in successors {
            let Some(written) = self.below.get_mut(&successor.next) else { continue };
            if written.kind != NtestKind::Leaf || written.search >= least {
                continue;
            }
            written.search = least;
            let node = &mut self.nodes[written.place];
            *node = node.claiming(least);
            self.report.ntest.claimed += 1;
        }
    }

    /// Adds a branch, and counts why its values differ from ours.
    fn put_branch(&mut self, node: &Node, made: NtestNode, seen: &Seen, deviates: Option<bool>) {
        if self.add(node, made, seen.values.0) {
            return;
        }
        let why = &mut self.report.ntest.differences;
        let rest = node.rest().map(|rest| rest.score.centidiscs());
        *match deviates {
            _ if seen.differs => &mut why.inherited,
            Some(true) => &mut why.proven_rest,
            _ if seen.best_deviation.is_some() && seen.best_deviation != rest => {
                &mut why.other_search
            }
            _ => &mut why.estimate,
        } += 1;
    }
}

/// The position after the best move out of the book; none where the branch can do without one.
fn deviation(node: &Node, seen: &Seen) -> Option<Deviation> {
    let rest = node.rest()?;
    let value = rest.score.centidiscs();
    let is_known = rest.square.is_some_and(|square| seen.left & square.bit() != 0);
    let [best, ..] = seen.values.0;
    // A value that no move is known for, and that decides nothing, is a bound and no more.
    let is_needed = is_known || seen.best_leaf.is_none_or(|leaf| leaf < value) || best < value;
    is_needed.then(|| Deviation::of(node, rest, seen.left))?
}

/// The final score of a move that ends the game, in discs.
fn ending(position: Position, square: crate::othello::board::Square) -> Option<i8> {
    match position.after(square)? {
        After::Over(discs) => Some(discs),
        _ => None,
    }
}

/// The positions after best moves out of the book, each once.
#[derive(Default)]
struct Wanted {
    all: Vec<Deviation>,
    places: KeyMap<usize>,
}

impl Wanted {
    /// Two positions may lead to the same: the deeper search of the two counts.
    fn add(&mut self, deviation: Deviation, report: &mut ExportReport) {
        let place = *self.places.entry(deviation.key).or_insert(self.all.len());
        match self.all.get_mut(place) {
            None => self.all.push(deviation),
            Some(known) => {
                report.disagree += u64::from(known.value != deviation.value);
                if known.search < deviation.search {
                    *known = deviation;
                }
            }
        }
    }
}
