//! From the entries of a file to nodes: what only the whole file can show.
//!
//! Layer after layer from the deepest: which moves really lead to other records, which stated
//! links dangle, what is searched no more, and what the values then are.

use std::collections::{HashMap, HashSet};
use std::io;
use std::path::Path;

use crate::files::books::ntest::{NtestValues, canonical_of};
use crate::files::books::{DefectKind, Defects, Entry, Place, Turn};
use crate::openbook::propagate::set_answering;
use crate::openbook::{
    Child, Deriver, Held, Leads, MoveMask, Node, Rest, Searched, SourceId, SourcedBounds, Values,
    deepest_first, strength,
};
use crate::othello::board::{
    CpuLevel, Key, KeyFilter, Position, Square, Squares, Successor, Successors,
};
use crate::othello::score::Score;
use crate::othello::search::Proof;

use super::aside::Aside;
use super::spool::{Item, READY, Ready, Spool};
use crate::openbook::ending::rest_with_ending;

/// What the assembly needs to know of file and book.
pub(super) struct Surroundings<'a, E> {
    /// Whether the format states links, so that a missing one is a defect.
    pub(super) states_links: bool,
    /// Whether positions of which nothing is known are worth having: in books of our own, where a search of
    /// them is due.
    pub(super) keeps_valueless: bool,
    /// Whether the book that the file goes into holds a position.
    pub(super) in_book: &'a dyn Fn(Key) -> Result<bool, E>,
    /// NTest's own values, of a book of it.
    pub(super) own_values: Option<&'a NtestValues>,
    /// Takes what nodes have no place for, where that is kept.
    pub(super) aside: Option<&'a mut Aside>,
    /// Called with the number of entries done; an error ends it all.
    pub(super) progress: &'a mut dyn FnMut(u64) -> Result<(), E>,
}

/// Values of the layer below.
struct Layer {
    values: HashMap<Key, Child, foldhash::fast::FixedState>,
    filter: KeyFilter,
    /// Finished games that have a record.
    ends: HashSet<Key>,
}

impl Default for Layer {
    fn default() -> Self {
        Self::with_capacity(0)
    }
}

impl Layer {
    fn with_capacity(count: usize) -> Self {
        let mut values = HashMap::default();
        values.reserve(count);
        Self { values, filter: KeyFilter::with_capacity(count), ends: HashSet::new() }
    }

    fn insert(&mut self, node: &Node) {
        self.filter.insert(node.key);
        self.values.insert(node.key, Child::from(node));
    }

    /// Looks moves up. Each step is taken for all of them before the next: the memory then serves
    /// them side by side.
    fn find(&self, moves: &[Successor], found: &mut Vec<ChildFacts>) {
        found.clear();
        for each in moves {
            let may_be_here = self.filter.may_contain(each.next);
            found.push(ChildFacts { may_be_here, child: None });
        }
        for (each, found) in moves.iter().zip(found) {
            if found.may_be_here {
                found.child = self.values.get(&each.next).copied();
            }
        }
    }
}

/// What the layer below has of the position after a move.
#[derive(Clone, Copy)]
struct ChildFacts {
    may_be_here: bool,
    child: Option<Child>,
}

/// Entries whose moves are looked up together.
const BATCH: usize = 32;

/// Batches between two calls of the progress function.
const BATCHES_A_STEP: u64 = 512;

/// Entries on their way to nodes, with their moves.
#[derive(Default)]
struct Batch {
    entries: Vec<Entry>,
    successors: Successors,
    /// One for each of all successors.
    found: Vec<ChildFacts>,
}

/// The moves of an entry: those that go on, and whether one ends the game.
struct Moves<'a> {
    successors: &'a [Successor],
    found: &'a [ChildFacts],
    has_end: bool,
    legal: Squares,
}

impl Batch {
    fn look_up(&mut self, level: CpuLevel, below: &Layer) {
        self.successors.find(level, self.entries.iter().map(|entry| entry.key.position()));
        below.find(self.successors.all(), &mut self.found);
    }

    fn each(&self) -> impl Iterator<Item = (&Entry, Moves<'_>)> {
        self.entries.iter().enumerate().map(|(index, entry)| {
            let range = self.successors.range(index);
            let moves = Moves {
                successors: self.successors.all().get(range.clone()).unwrap_or_default(),
                found: self.found.get(range).unwrap_or_default(),
                has_end: self.successors.has_end(index),
                legal: self.successors.legal(index),
            };
            (entry, moves)
        })
    }
}

/// Turns entries into nodes.
pub(super) fn assemble<E: From<io::Error>>(
    mut spool: Spool,
    folder: &Path,
    mut surroundings: Surroundings<'_, E>,
    defects: &mut Defects,
) -> Result<Spool, E> {
    let mut ready = Spool::new(folder.to_owned());
    let (mut done, mut batches) = (0, 0_u64);
    let mut batch = Batch::default();
    let mut memory = Memory::default();
    let level = CpuLevel::detect();
    let layers: Vec<u8> = (0..=64).filter(|&discs| spool.count(discs) > 0).collect();
    deepest_first(layers, |discs, below: Option<Layer>| {
        let below = below.unwrap_or_default();
        let bytes = spool.unload(discs)?;
        let index = sorted_index(&bytes);
        let mut layer = Layer::with_capacity(index.len());
        ready.reserve(discs, index.len(), READY + 1);
        let mut groups = index.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1));
        loop {
            batch.entries.clear();
            let mut ended = true;
            for group in groups.by_ref().take(BATCH) {
                ended = false;
                let mut entries =
                    group.iter().filter_map(|&(_, _, at)| Entry::decode(&mut bytes.get(at..)?));
                let entry = match entries.next() {
                    // Most positions have one record.
                    Some(first) if group.len() == 1 && first.turn == Turn::Move => Some(first),
                    first => {
                        let entries = first.into_iter().chain(entries);
                        choose(entries, &mut layer.ends, &mut surroundings, defects)?
                    }
                };
                batch.entries.extend(entry);
            }
            if ended {
                break;
            }
            batches += 1;
            if batches % BATCHES_A_STEP == 0 {
                (surroundings.progress)(done)?;
            }
            batch.look_up(level, &below);
            for (entry, moves) in batch.each() {
                let ends = &below.ends;
                let settled = settle(entry, &moves, ends, &mut surroundings, defects, &mut memory)?;
                let Some(Ready { node, held }) = settled else { continue };
                let own = surroundings.own_values.and_then(|own| own.get(&canonical_of(node.key)));
                if let Some(own) = own {
                    compare(entry.place, node.key, node.values, *own, defects);
                }
                layer.insert(&node);
                ready.push(&Ready { node, held })?;
            }
        }
        done += index.len() as u64;
        (surroundings.progress)(done)?;
        Ok::<_, E>(layer)
    })?;
    Ok(ready)
}

/// Where each entry starts, by the store's order of keys in a layer, then in the order of the file.
fn sorted_index(bytes: &[u8]) -> Vec<(i64, i64, usize)> {
    let mut index = Vec::new();
    let mut rest = bytes;
    loop {
        let at = bytes.len() - rest.len();
        let Some(key) = Entry::skip(&mut rest) else { break };
        let (_, mover, opponent) = crate::store::storage_order(key);
        index.push((mover, opponent, at));
    }
    // Files are nearly sorted: this sort makes use of that.
    index.sort();
    index
}

/// The entry that stands for a position: a record of its own before a value known through a pass,
/// then the one searched best, then the first. None when there is nothing to take into a book.
fn choose<E>(
    entries: impl Iterator<Item = Entry>,
    ends: &mut HashSet<Key>,
    surroundings: &mut Surroundings<'_, E>,
    defects: &mut Defects,
) -> Result<Option<Entry>, E> {
    // The best record of the position, of the one before a pass to it, and of a finished game.
    let [mut best, mut pass, mut end]: [Option<Entry>; 3] = Default::default();
    for entry in entries {
        let known = match entry.turn {
            Turn::Move => &mut best,
            Turn::Pass { .. } => &mut pass,
            Turn::Over => &mut end,
        };
        *known = Some(match known.take() {
            Some(first) => better_entry(first, entry, defects),
            None => entry,
        });
    }
    if let Some(end) = end {
        ends.insert(end.key);
        let Position { mover, opponent } = end.key.position();
        let is_wipe_out = mover == 0 || opponent == 0;
        let kind = if is_wipe_out { DefectKind::WipeOut } else { DefectKind::FinishedGame };
        let score = end.key.position().final_score();
        defects.note(kind, || format!("{}: {score:+} for the side to move", end.place));
        if let Some(aside) = &mut surroundings.aside {
            aside.take(&end);
        }
    }
    if let Some(pass) = pass {
        defects.note(DefectKind::PassRecord, || {
            format!("{}: a pass before {:?}", pass.place, pass.key.position())
        });
        if let Some(aside) = &mut surroundings.aside {
            aside.take(&pass);
        }
        if best.is_none() {
            let is_link = pass.turn == Turn::Pass { is_link: true };
            if is_link && !(surroundings.in_book)(pass.key)? {
                defects.note(DefectKind::DanglingLink, || format!("{}: the pass", pass.place));
            }
            best = pass.rest.is_some().then_some(pass);
        }
    }
    Ok(best)
}

/// Of two records of one position the one searched better; of equals the first.
fn better_entry(first: Entry, second: Entry, defects: &mut Defects) -> Entry {
    let is_second = rank(&second) > rank(&first);
    let (kept, other) = if is_second { (second, first) } else { (first, second) };
    defects.note(DefectKind::DuplicateRecord, || {
        let place = kept.place;
        match (is_second || rank(&kept) != rank(&other), kept.turn) {
            (_, Turn::Over) => format!("{place} kept, as {} says the same", other.place),
            (true, _) => format!(
                "{place} kept, {}; {} not, {}",
                strength_text(&kept),
                other.place,
                strength_text(&other)
            ),
            (false, _) => format!(
                "{place} kept, being the first; {} not, {} too",
                other.place,
                strength_text(&other)
            ),
        }
    });
    kept
}

/// What decides between two records, for people.
fn strength_text(entry: &Entry) -> String {
    let Entry { depth, selectivity, .. } = entry;
    match entry.rest.or(entry.alone).map(|rest| rest.proof) {
        None => format!("{depth}@{}% without a best other move", selectivity.percent()),
        Some(Proof::None) => format!("searched to {depth}@{}%", selectivity.percent()),
        Some(proof) => format!("proven: {}", proof.name()),
    }
}

/// As the rule for merging has it.
fn rank(entry: &Entry) -> impl Ord + use<> {
    let searched = (entry.depth, entry.selectivity.percent());
    strength(entry.key, entry.rest.or(entry.alone), searched)
}

/// Memory for one node after another.
#[derive(Default)]
struct Memory {
    deriver: Deriver,
    leads: Vec<Leads>,
}

/// Finds links and rest of one entry among the records below, and its values. None where nothing is known of
/// the position: as a draw, which is what a book makes of that, it would be taken for a value by all
/// positions above it.
fn settle<E>(
    entry: &Entry,
    moves: &Moves<'_>,
    ends: &HashSet<Key>,
    surroundings: &mut Surroundings<'_, E>,
    defects: &mut Defects,
    Memory { deriver, leads }: &mut Memory,
) -> Result<Option<Ready>, E> {
    let position = entry.key.position();
    let describe = |square: Square| format!("{square} at {position:?}");
    let stated = |square: Square| entry.links.iter().find(|(at, _)| *at == square);
    let searched = Searched {
        depth: entry.depth,
        selectivity: entry.selectivity,
        source: SourceId(entry.source),
    };
    let mut node = Node::new(entry.key, entry.rest, searched);
    // Moves that lead nowhere in this file: the best dangling link, and whether something is left
    // that nothing is known of.
    let mut dangling: Option<Rest> = None;
    let mut unknown = false;
    let mut dangles = false;
    let mut leads_into_book = false;
    let mut links = MoveMask::NONE;
    leads.clear();
    for (each, found) in moves.successors.iter().zip(moves.found) {
        let &Successor { index, square, next, same_side } = each;
        if let Some(child) = found.child {
            let index = usize::from(index);
            leads.push(Leads { index, child: next, same_side, of_child: Some(child) });
            links = links.with(index);
            if surroundings.states_links && entry.turn == Turn::Move && stated(square).is_none() {
                defects.note(DefectKind::MissingLink, || describe(square));
            }
            continue;
        }
        let Some(&(_, score)) = stated(square) else {
            unknown = true;
            continue;
        };
        if (surroundings.in_book)(next)? {
            leads_into_book = true;
            continue;
        }
        defects.note(DefectKind::DanglingLink, || describe(square));
        dangles = true;
        match score {
            Some(score) => {
                let rest = Rest { square: Some(square), score, proof: Proof::None };
                dangling = better(dangling, rest);
            }
            None => unknown = true,
        }
    }
    if let Some(kept) = &entry.kept {
        // A book of ours says itself which moves its searches left out.
        (node.links, node.left_out) = (links, links);
        let held = all_held(&node, kept, entry);
        node.more = held.is_more();
        let derived = deriver.derive(node.key, &held, leads);
        set_answering(&mut node, &held, &derived);
        return Ok(Some(Ready { node, held: Some(Box::new(held)) }));
    }
    if links.is_empty()
        && let Some(alone) = entry.alone
    {
        node.record = Some(alone);
    }
    link_file(&mut node, links);
    if entry.rest.is_some() && node.record.is_none() {
        let square = entry.rest.and_then(|rest| rest.square);
        if let Some(square) = square.filter(|_| surroundings.states_links) {
            defects.note(DefectKind::LeafIsLink, || describe(square));
        }
    }
    // A dangling link stands for all unlinked moves only where nothing else is unlinked, or where
    // the leaf bounds the others.
    if let Some(dangling) = dangling
        && (node.record.is_some() || !unknown)
    {
        node.record = better(node.record, dangling);
    }
    // What the file stores of the position is all that there is of it then.
    if links.is_empty() && node.record.is_none() && unknown && !surroundings.keeps_valueless {
        let estimate = |score| Rest { square: None, score, proof: Proof::None };
        node.record = entry.stored.map(estimate);
    }
    if dangles {
        // What was proven of the moves that were no links is not proven of those that are none now.
        node.record = node.record.map(proven_from_below);
    }
    if moves.has_end {
        let rest = rest_with_ending(node.record, &node);
        if rest != node.record {
            let ending = rest.and_then(|rest| rest.square);
            let end = ending.and_then(|square| position.play(square)).map(Key::of);
            if !end.is_some_and(|end| ends.contains(&end)) {
                defects.note(DefectKind::BetterEnding, || {
                    format!("{}: {}", entry.place, ending.map_or_else(String::new, describe))
                });
            }
            if let Some(aside) = &mut surroundings.aside {
                aside.take(&Entry { rest: node.record, ..entry.clone() });
            }
        }
        node.record = rest;
    }
    let is_known = node.record.is_some() || !links.is_empty() || moves.has_end || leads_into_book;
    if !is_known && !surroundings.keeps_valueless {
        defects.note(DefectKind::NoValue, || format!("{}: {position:?}", entry.place));
        return Ok(None);
    }
    let claim = entry
        .rest
        .filter(|rest| rest.square.is_none() && rest.proof != Proof::None)
        .map(Rest::values);
    if let Some(claim) = claim {
        let worth = |link: &Leads| Some(link.of_child?.values.seen_by_parent(link.same_side));
        let of_links = leads.iter().filter_map(worth).fold(Values::NONE, Values::max);
        believe_moves(&mut node, claim, of_links, defects);
    }
    let mut derived = deriver.derive_row(&node, moves.legal, leads);
    let mut held = None;
    // The program solved the position, not only the moves that lead nowhere.
    let is_believed = node.record.is_some_and(|rest| rest.proof != Proof::None);
    if let Some(bounds) = claim.map(Values::bounds).filter(|_| is_believed)
        && derived.values.bounds().meet(bounds) != Some(derived.values.bounds())
    {
        let proven = SourcedBounds { bounds, source: searched.source };
        let all = Held { bounds: vec![proven], ..Held::of(&node) };
        node.more = true;
        derived = deriver.derive(node.key, &all, leads);
        held = Some(Box::new(all));
    }
    node.set_derived(&derived);
    if node.is_incomplete() {
        defects.note(DefectKind::SearchDue, || format!("{position:?}"));
    }
    if !node.is_incomplete()
        && let Some(stored) = entry.stored
        && is_stale(stored, node.values)
    {
        defects.note(DefectKind::StaleValue, || {
            format!("{stored} stored, {} computed at {position:?}", node.values.guess)
        });
    }
    Ok(Some(Ready { node, held }))
}

/// All that a book of ours keeps of a node.
fn all_held(node: &Node, kept: &Held, entry: &Entry) -> Held {
    let mut held = kept.clone();
    if !entry.has_records {
        held.records = node.own_record().into_iter().collect();
    }
    held
}

/// Makes moves to other records of the file the links of a node: its search left them out. A best other move
/// that is one of them is none.
fn link_file(node: &mut Node, links: MoveMask) {
    (node.links, node.left_out) = (links, links);
    node.drop_linked_rest();
}

/// What a rest proves of moves that were not among those that it bounds: nothing from above.
fn proven_from_below(rest: Rest) -> Rest {
    Rest { proof: Proof::of_bounds(rest.values().lower, 64), ..rest }
}

/// A position's own proof is not believed where its moves are proven better. It is then an estimate
/// of the other moves like any.
fn believe_moves(node: &mut Node, claim: Values, of_links: Values, defects: &mut Defects) {
    let position = node.key.position();
    let all_known = node.unlinked().next().is_none();
    if of_links.lower <= claim.upper && !(all_known && of_links.upper < claim.lower) {
        return;
    }
    defects.note(DefectKind::Contradiction, || {
        let range = |values: Values| format!("{}..={}", values.lower, values.upper);
        format!("{} claimed, {} by its moves at {position:?}", range(claim), range(of_links))
    });
    if let Some(rest) = &mut node.record {
        rest.proof = Proof::None;
    }
}

/// Notes where our rules give another value than the program's own.
fn compare(place: Place, key: Key, ours: Values, own: [i16; 3], defects: &mut Defects) {
    let three = [ours.guess, ours.draw_seeking, ours.win_seeking].map(Score::centidiscs);
    if three != own {
        let discs = |three: [i16; 3]| {
            let [guess, draw_seeking, win_seeking] = three.map(Score::from_centidiscs);
            format!("{guess}, draw-seeking {draw_seeking}, win-seeking {win_seeking}")
        };
        defects.note(DefectKind::OtherValue, || {
            let (theirs, here) = (discs(own), discs(three));
            format!("{place}: {theirs} in the program, {here} here at {:?}", key.position())
        });
    }
}

/// Programs that put any proven loss below any estimate store one of the seeking values.
fn is_stale(stored: Score, values: Values) -> bool {
    stored != values.guess && !(values.win_seeking..=values.draw_seeking).contains(&stored)
}

fn better(known: Option<Rest>, other: Rest) -> Option<Rest> {
    match known {
        Some(known) if known.score >= other.score => Some(known),
        _ => Some(other),
    }
}
