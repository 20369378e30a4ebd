//! What lines may give away: every walk against all lines of a small book, one by one.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use crate::dice::Dice;
use crate::discover::{Club, PLACES, club, last, place};
use crate::graphs::{grown, nodes, random_changes};
use crate::ops::random_unfinished_book;
use rosebill::app::discover::{MistakeOptions, NoveltyOptions, Place, Whose, mistakes, novelties};
use rosebill::app::games::GameDatabase;
use rosebill::app::{
    By, LineTerms, LossLimit, PruneOptions, RegretLimits, Subtree, lines, plan_prune, prune,
};
use rosebill::openbook::{MemoryBook, MoveKind, Node, NodeView, child_of};
use rosebill::othello::board::{Key, Placed, Side, Square};

/// Who made a move, and what it gives away in centidiscs.
type Loss = (Side, i32);

/// Limits as a user writes them: for both sides, by side, or for one of them.
fn random_limits(dice: &mut Dice) -> RegretLimits {
    let mut limit = |most: usize| -> LossLimit {
        let mut discs = || dice.below(most) as f64 / 100.0;
        let text = match (discs() * 100.0) as usize % 5 {
            0 => discs().to_string(),
            1 => format!("black:{},white:{}", discs(), discs()),
            2 => format!("black:{}", discs()),
            3 => format!("white:0,black:{}", discs()),
            _ => return LossLimit::default(),
        };
        text.parse().unwrap()
    };
    RegretLimits { move_loss: limit(500), line_loss: limit(900), total: None }
}

/// Whether the losses of a line, each with who gave it away, are within the limits.
fn is_within(limits: RegretLimits, line: &[Loss]) -> bool {
    [Side::Black, Side::White].into_iter().all(|side| {
        let own = || line.iter().filter(|(by, _)| *by == side).map(|&(_, loss)| loss);
        let single = limits.move_loss.of(side).is_none_or(|most| own().all(|loss| loss <= most));
        single && limits.line_loss.of(side).is_none_or(|most| own().sum::<i32>() <= most)
    })
}

/// Goes through all lines from a position, each on its own, whatever they lead to.
fn each_line(
    known: &BTreeMap<Key, Node>,
    at: Placed,
    line: &mut Vec<Loss>,
    each: &mut dyn FnMut(Key, &[Loss]),
) {
    let Some(node) = known.get(&Key::of(at.position)) else { return };
    each(node.key, line);
    let here = Placed { position: node.key.position(), side: at.side };
    for square in node.linked() {
        let (child, same_side) = child_of(here.position, square).unwrap();
        let values = known[&child].values.guess.centidiscs();
        let worth = if same_side { values } else { -values };
        let loss = (i32::from(node.values.guess.centidiscs()) - i32::from(worth)).max(0);
        line.push((at.side, loss));
        let side = if same_side { at.side } else { at.side.other() };
        each_line(known, Placed { position: child.position(), side }, line, each);
        line.pop();
    }
}

/// The ends of all lines within the limits with the least that a line to each gives away in all.
fn all_ends(book: &MemoryBook, from: Placed, limits: RegretLimits) -> BTreeMap<End, i32> {
    let mut ends = BTreeMap::new();
    end_lines(book, from, &mut Vec::new(), limits, &mut ends);
    ends
}

/// A position and the last move there, if a move ends the line.
type End = (Key, Option<Square>);

fn end_lines(
    book: &MemoryBook,
    at: Placed,
    line: &mut Vec<Loss>,
    limits: RegretLimits,
    ends: &mut BTreeMap<End, i32>,
) {
    let Ok(NodeView { key, symmetry, node, moves, .. }) = NodeView::of(book, at.position);
    let note = |ends: &mut BTreeMap<End, i32>, square: Option<Square>, line: &[Loss]| {
        if is_within(limits, line) {
            let total = line.iter().map(|(_, loss)| loss).sum();
            let least = ends.entry((key, square)).or_insert(total);
            *least = total.min(*least);
        }
    };
    let unnamed = node.and_then(|node| node.rest()).filter(|rest| rest.square.is_none());
    let unnamed = unnamed.map(|rest| rest.values().guess);
    let named = moves.iter().filter_map(|found| found.values).map(|values| values.guess).max();
    if named.is_none() || named < unnamed {
        note(ends, None, line);
    }
    let Some(best) = named.max(unnamed) else { return };
    for found in &moves {
        let Some(values) = found.values else { continue };
        let loss = i32::from(best.centidiscs()) - i32::from(values.guess.centidiscs());
        line.push((at.side, loss));
        match at.followed_by(found.after).filter(|_| found.kind == MoveKind::Link) {
            Some(next) => end_lines(book, next, line, limits, ends),
            None => {
                let square = key.first_image(symmetry.square(found.square));
                note(ends, Some(square), line);
            }
        }
        line.pop();
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn what_stays_is_what_some_line_within_the_limits_leads_to(seed: u64, plies in 0usize..52, count in 1usize..60) {
        let folder = tempfile::tempdir().unwrap();
        let mut book = random_unfinished_book(&folder.path().join("a.db"), seed, plies, count);
        let known: BTreeMap<Key, Node> =
            nodes(book.reader()).into_iter().map(|node| (node.key, node)).collect();
        let root = *known.keys().min_by_key(|key| key.discs()).unwrap();
        let mut dice = Dice(seed ^ 2);
        let side = [Side::Black, Side::White][dice.below(2)];
        let root = Placed { position: root.position(), side };
        let limits = random_limits(&mut dice);
        let mut expected = BTreeSet::new();
        each_line(&known, root, &mut Vec::new(), &mut |key, line| {
            if is_within(limits, line) {
                expected.insert(key);
            }
        });
        let options = PruneOptions { only: Some(Subtree::at(root)), limits, ..PruneOptions::default() };
        let kept = plan_prune(book.reader(), &options).unwrap();
        prune(&mut book, &kept).unwrap();
        let stays: BTreeSet<Key> = nodes(book.reader()).into_iter().map(|node| node.key).collect();
        prop_assert_eq!(stays, expected);
    }

    #[test]
    fn best_lines_go_to_every_end_within_the_limits(seed: u64, plies in 0usize..52, count in 1usize..50) {
        let changes = random_changes(seed, plies, count);
        let book = grown(&changes, 1);
        let mut dice = Dice(seed ^ 3);
        let side = [Side::Black, Side::White][dice.below(2)];
        let from = Placed { position: changes[0].key.position(), side };
        let limits = random_limits(&mut dice);
        let expected = all_ends(&book, from, limits);
        let Ok(found) = lines(&book, from, LineTerms { count: usize::MAX, by: By::Guess, limits });
        prop_assert!(!found.is_empty(), "the best line is always within the limits");
        let totals: Vec<i32> = found.iter().map(|line| i32::from(line.regret().centidiscs())).collect();
        prop_assert!(totals.is_sorted());
        let mut ends = BTreeMap::new();
        for (line, total) in found.iter().zip(totals) {
            let (mut at, mut end) = (from, None);
            for &square in &line.moves {
                let (key, symmetry) = Key::with_symmetry(at.position);
                end = Some((key, Some(key.first_image(symmetry.square(square)))));
                if let Some(next) = at.after(square) {
                    at = next;
                }
            }
            if line.end == MoveKind::Link {
                end = Some((Key::of(at.position), None));
            }
            prop_assert!(ends.insert(end.unwrap(), total).is_none(), "one line to each end");
        }
        prop_assert_eq!(ends, expected);
    }
}

/// What is found within limits is what is found without, of positions that lines within them lead to.
#[test]
fn questions_about_games_look_only_where_lines_within_the_limits_lead() {
    let (mut all, mut few) = (0, 0);
    let mut dice = Dice(5);
    for seed in 0..3 {
        let Club { book, folder: _folder, .. } = club(seed);
        let database = GameDatabase::open(book.reader()).unwrap();
        let known: BTreeMap<Key, Node> =
            nodes(book.reader()).into_iter().map(|node| (node.key, node)).collect();
        for (from, least) in PLACES {
            let mut losses = std::iter::repeat_with(|| random_limits(&mut dice));
            let losses = losses.find(|limits| limits.is_set()).unwrap();
            let place = place(from, least);
            let root = place.from.end().unwrap();
            let mut within = BTreeSet::new();
            each_line(&known, root, &mut Vec::new(), &mut |key, line| {
                if is_within(losses, line) {
                    within.insert(key);
                }
            });
            let wild = NoveltyOptions { loss: 600, per_mille: 500, window: 6400, behind: 0, place };
            let place = Place { losses, ..wild.place.clone() };
            let tame = NoveltyOptions { place: place.clone(), ..wild.clone() };
            let [mut every, found] =
                [&wild, &tame].map(|options| novelties(&database, options).unwrap_or_default());
            all += every.len();
            every.retain(|novelty| within.contains(&last(&novelty.line).0));
            few += every.len();
            assert!(found == every, "novelties: seed {seed}, from {from}, {losses:?}");

            let whose = Whose::AllHere;
            let wild = MistakeOptions { place: wild.place, whose, loss: 100, window: 6400 };
            let tame = MistakeOptions { place, ..wild.clone() };
            let [mut every, found] =
                [&wild, &tame].map(|options| mistakes(&database, options).unwrap_or_default());
            every.retain(|mistake| within.contains(&last(&mistake.line).0));
            assert!(found == every, "mistakes: seed {seed}, from {from}, {losses:?}");
        }
    }
    assert!(few > 20 && all > 2 * few, "{few} of {all}");
}
