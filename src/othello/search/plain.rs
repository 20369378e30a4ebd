//! The search of the agents that the classic evaluators' texts describe: alpha-beta at full width, ply by ply
//! deeper, without a table and without cuts by chance. A finished game outranks every estimate.

use std::sync::Arc;

use crate::othello::board::{After, Bitboard, Line, Position, Square, Squares};
use crate::othello::eval::classic::quick_rating;
use crate::othello::eval::{PatternEvaluator, Plain};
use crate::othello::score::Score;

use super::context::Deadline;
use super::searcher::{deadline, finished, seen_by_other_side};
use super::{
    Limits, MoveOrdering, MoveScore, Outcome, Progress, Proof, Searcher, Selectivity, Stop, Watch,
};

/// Searches positions with an evaluator that keeps nothing up to date.
///
/// The end of the game needs no evaluator: searches to the end without a limit of time or nodes are those of the
/// program's own solver.
pub struct PlainSearcher {
    evaluator: Arc<Plain>,
    ordering: MoveOrdering,
    solver: Option<Box<Searcher<PatternEvaluator>>>,
}

/// Wins are this much above every estimate, and losses below: centidiscs.
const BEYOND: i32 = Score::MAX.centidiscs() as i32;

/// Beyond every value.
const WORST: i32 = 3 * BEYOND;

/// What a reply leaves to its mover counts this many centidiscs less for each reply to it, in an ordering of ours.
const REPLY: i32 = 50;

/// Nodes between two looks at the clock and the flag.
const POLL_EVERY: u64 = 1024;

/// With no more empties than this a search to the end takes so little time that a limit makes no difference.
const SOON_SOLVED: u8 = 10;

/// Plies at full width that cost about as much as so many with cuts by chance (measured).
const fn at_full_width(selective: u8) -> u8 {
    let fewer = 4 + selective / 3;
    if fewer < selective { fewer } else { selective }
}

impl PlainSearcher {
    /// A searcher whose solver has a table of at most so many megabytes.
    pub(super) fn new(evaluator: Arc<Plain>, table_megabytes: usize) -> Self {
        let solver = PatternEvaluator::embedded().ok();
        let solver = solver.map(|embedded| Box::new(Searcher::new(embedded, table_megabytes)));
        Self { evaluator, ordering: MoveOrdering::default(), solver }
    }

    pub(super) fn with_ordering(self, ordering: MoveOrdering) -> Self {
        let solver = self.solver.map(|solver| Box::new(solver.with_ordering(ordering)));
        Self { ordering, solver, ..self }
    }

    pub(super) fn on_threads(self, threads: usize) -> Self {
        let solver = self.solver.map(|solver| Box::new(solver.on_threads(threads)));
        Self { solver, ..self }
    }

    /// See [`super::AnySearcher::follow`].
    pub(super) fn follow(&mut self, line: &Line) {
        if let Some(evaluator) = self.evaluator.after(line) {
            self.evaluator = Arc::new(evaluator);
        }
    }

    /// The solver, where it answers what is asked.
    fn solver(&mut self, limits: &Limits, empties: u8) -> Option<&mut Searcher<PatternEvaluator>> {
        let is_limited =
            limits.time.is_some() || limits.cpu_time.is_some() || limits.nodes.is_some();
        let to_the_end = limits.depth >= empties && limits.selectivity.is_full();
        let answers = to_the_end && (!is_limited || empties <= SOON_SOLVED);
        self.solver.as_deref_mut().filter(|_| answers)
    }

    /// See [`Searcher::search_watched`]. What is asked with cuts by chance is searched fewer plies deep; only the
    /// solver reports iterations.
    pub(super) fn search<'w>(
        &mut self,
        position: Position,
        excluded: Bitboard,
        limits: &Limits,
        stop: &Stop,
        watch: Option<&'w mut Watch<'w>>,
    ) -> Outcome {
        if let Some(solver) = self.solver(limits, position.empties()) {
            return solver.search_watched(position, excluded, limits, stop, watch);
        }
        self.deepen(position, excluded, limits, deadline(limits, stop)).1
    }

    /// See [`Searcher::all_moves_watched`].
    pub(super) fn all_moves<'w>(
        &mut self,
        position: Position,
        limits: &Limits,
        stop: &Stop,
        mut watch: Option<&'w mut Watch<'w>>,
    ) -> Vec<MoveScore> {
        if let Some(solver) = self.solver(limits, position.empties()) {
            return solver.all_moves_watched(position, limits, stop, watch);
        }
        let legal = position.legal_moves().0;
        let whole = deadline(limits, stop);
        let mut nodes = 0;
        let mut scores: Vec<(i32, MoveScore)> = Squares(legal)
            .zip((1..=legal.count_ones()).rev())
            .map(|(square, left)| {
                // What is left of time and nodes is shared out among the moves that are left.
                let mut shared = whole.share(nodes, left);
                shared.nodes = shared.nodes.map(|most| most.saturating_sub(nodes));
                let (value, found) = self.deepen(position, legal & !square.bit(), limits, shared);
                nodes += found.nodes;
                let score = MoveScore::of(square, found);
                if let Some(watch) = &mut watch {
                    watch(Progress::Move(&score));
                }
                (value, score)
            })
            .collect();
        scores.sort_by_key(|&(value, _)| std::cmp::Reverse(value));
        scores.into_iter().map(|(_, score)| score).collect()
    }

    /// Searches ply by ply deeper: the value, in which wins are beyond every estimate, and what it says.
    fn deepen(
        &self,
        position: Position,
        excluded: Bitboard,
        limits: &Limits,
        deadline: Deadline,
    ) -> (i32, Outcome) {
        if position.is_over() {
            return (of_end(position.final_score()), finished(position, 0));
        }
        if !position.can_move() {
            let (value, found) = self.deepen(position.passed(), 0, limits, deadline);
            return (-value, Outcome { best: None, ..seen_by_other_side(found) });
        }
        let mut search = AlphaBeta {
            evaluator: &self.evaluator,
            ordering: self.ordering,
            deadline,
            nodes: 0,
            aborted: false,
        };
        let mut moves = search.moves(position, position.legal_moves().0 & !excluded, true);
        let (mut value, mut line, mut reached) = (-WORST, Vec::new(), 0);
        if let Some(first) = moves.first() {
            (value, line) = (search.estimate(position), vec![first.square]);
        }
        let depth = match limits.selectivity.is_full() {
            true => limits.depth,
            false => at_full_width(limits.depth),
        };
        let is_last = moves.len() == 1 && ends(position, moves[0].square);
        let depth = if moves.is_empty() { 0 } else { depth.min(position.empties()) };
        // The board says what a move that ends the game is worth.
        let depth = depth.max(u8::from(is_last));
        for depth in 1..=depth {
            search.deadline.stop.tell_depth(depth);
            let mut expected = Vec::new();
            let found = search.best_of(&moves, depth, (-WORST, WORST), &mut expected);
            if search.aborted {
                break;
            }
            (value, line, reached) = (found, expected, depth);
            if self.ordering != MoveOrdering::Quick
                && let Some(best) = moves.iter().position(|each| Some(&each.square) == line.first())
            {
                moves[..=best].rotate_right(1);
            }
        }
        let is_exact = reached > 0 && (reached == position.empties() || is_last);
        let score = printed(value);
        let outcome = Outcome {
            best: line.first().copied(),
            score,
            value: score,
            proof: if is_exact { Proof::Exact } else { Proof::None },
            depth: reached,
            selectivity: Selectivity::FULL,
            line,
            nodes: search.nodes,
            complete: !search.aborted,
        };
        (value, outcome)
    }
}

/// Whether a move ends the game.
fn ends(position: Position, square: Square) -> bool {
    matches!(position.after(square), Some(After::Over(_)))
}

/// A finished game, beyond every estimate.
fn of_end(discs: i8) -> i32 {
    100 * i32::from(discs) + BEYOND * i32::from(discs.signum())
}

/// A value as a score.
fn printed(value: i32) -> Score {
    let within = if value.abs() > BEYOND { value - BEYOND * value.signum() } else { value };
    Score::from_centidiscs(within.clamp(-BEYOND, BEYOND) as i16)
}

/// A move and the position behind it.
struct Child {
    square: Square,
    position: Position,
    /// The lower, the sooner it is searched.
    rating: i32,
}

struct AlphaBeta<'s> {
    evaluator: &'s Plain,
    ordering: MoveOrdering,
    deadline: Deadline,
    nodes: u64,
    aborted: bool,
}

impl AlphaBeta<'_> {
    /// Centidiscs, for the side to move of a position where it has a move.
    fn estimate(&self, position: Position) -> i32 {
        i32::from(self.evaluator.estimate_of(position).centidiscs())
    }

    /// Moves in the order in which they are searched, those of equal rating in the order of their squares.
    fn moves(&self, position: Position, legal: Bitboard, sorted: bool) -> Vec<Child> {
        let child = |square: Square| {
            let position = position.play(square)?;
            let rating = match self.ordering {
                MoveOrdering::Quick => -quick_rating(square),
                MoveOrdering::Rosebill if sorted => {
                    self.estimate(position) + REPLY * position.legal_moves().len() as i32
                }
                MoveOrdering::Rosebill => 0,
            };
            Some(Child { square, position, rating })
        };
        let mut moves: Vec<Child> = Squares(legal).filter_map(child).collect();
        moves.sort_by_key(|each| each.rating);
        moves
    }

    /// The value of the best of these moves, fail-soft, and the line that it comes from.
    fn best_of(
        &mut self,
        moves: &[Child],
        depth: u8,
        (mut alpha, beta): (i32, i32),
        line: &mut Vec<Square>,
    ) -> i32 {
        let mut best = -WORST;
        for child in moves {
            let mut below = vec![child.square];
            let value = -self.value(child.position, depth - 1, (-beta, -alpha), &mut below);
            if self.aborted {
                return best;
            }
            if value > best {
                best = value;
                *line = below;
            }
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// The value of a position; what follows is added to the line. A pass is no ply.
    fn value(
        &mut self,
        position: Position,
        depth: u8,
        (alpha, beta): (i32, i32),
        line: &mut Vec<Square>,
    ) -> i32 {
        self.nodes += 1;
        if self.nodes.is_multiple_of(POLL_EVERY) {
            self.aborted |= self.deadline.has_passed(self.nodes);
        }
        let legal = position.legal_moves().0;
        if legal == 0 {
            let passed = position.passed();
            if !passed.can_move() {
                return of_end(position.final_score());
            }
            return -self.value(passed, depth, (-beta, -alpha), line);
        }
        if depth == 0 {
            return self.estimate(position);
        }
        let moves = self.moves(position, legal, depth > 1);
        let mut below = Vec::new();
        let best = self.best_of(&moves, depth, (alpha, beta), &mut below);
        line.append(&mut below);
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::eval::{AnyEvaluator, by_name};
    use crate::othello::random::Random;

    fn searcher(name: &str) -> PlainSearcher {
        match by_name(name).unwrap() {
            AnyEvaluator::Plain(evaluator) => PlainSearcher::new(evaluator, 1),
            AnyEvaluator::Pattern(_) => panic!("{name} has weights"),
        }
    }

    /// The only move that ends the game is looked at even where nothing else is: an estimate proves nothing.
    #[test]
    fn what_is_not_searched_is_not_proven() {
        let last = format!("{}{}- X", "X".repeat(48), "O".repeat(15));
        let position = crate::othello::board::parse_board(&last).unwrap().position;
        let limits = Limits::depth(0, Selectivity::FULL);
        let found = searcher("squares").search(position, 0, &limits, &Stop::new(), None);
        assert_eq!((found.proof, found.score), (Proof::Exact, Score::from_discs(38)));
        let start = searcher("squares").search(Position::START, 0, &limits, &Stop::new(), None);
        assert_eq!((start.proof, start.depth), (Proof::None, 0));
    }

    /// Without windows and order.
    fn minimax(evaluator: &Plain, position: Position, depth: u8) -> i32 {
        if position.is_over() {
            return of_end(position.final_score());
        }
        if !position.can_move() {
            return -minimax(evaluator, position.passed(), depth);
        }
        if depth == 0 {
            return i32::from(evaluator.estimate_of(position).centidiscs());
        }
        let children = position.legal_moves().filter_map(|square| position.play(square));
        children.map(|child| -minimax(evaluator, child, depth - 1)).max().unwrap()
    }

    fn drawn(seed: u64, empties: u8) -> Position {
        let (mut position, mut random) = (Position::START, Random::new(seed));
        while position.empties() > empties && !position.is_over() {
            let moves: Vec<_> = position.legal_moves().collect();
            position = match moves.is_empty() {
                true => position.passed(),
                false => position.play(moves[random.below(moves.len())]).unwrap(),
            };
        }
        position
    }

    #[test]
    fn the_choice_is_that_of_minimax_in_every_order() {
        let mut ended = 0;
        for (seed, name) in
            (0..).zip(["squares", "phases", "edges", "edges-plain", "linear", "linear-adaptive"])
        {
            for empties in [3, 5, 12, 30, 50] {
                let position = drawn(seed, empties);
                let depth = 3.min(position.empties());
                let limits =
                    Limits { nodes: Some(u64::MAX), ..Limits::depth(depth, Selectivity::FULL) };
                for ordering in MoveOrdering::ALL {
                    let mut searcher = searcher(name).with_ordering(ordering);
                    let found = searcher.search(position, 0, &limits, &Stop::new(), None);
                    let value = minimax(&searcher.evaluator, position, depth);
                    assert_eq!(found.score, printed(value), "{name} {position:?}");
                    ended += u32::from(value.abs() > BEYOND);
                    let all = searcher.all_moves(position, &limits, &Stop::new(), None);
                    assert_eq!(all.len(), position.legal_moves().len());
                    if let Some(first) = all.first() {
                        assert_eq!(first.score, found.score, "{name} {position:?}");
                    }
                }
            }
        }
        assert!(ended > 0);
    }

    #[test]
    fn ends_are_solved_and_limits_are_kept() {
        let position = drawn(3, 16);
        let solved = searcher("linear").search(
            position,
            0,
            &Limits::depth(16, Selectivity::FULL),
            &Stop::new(),
            None,
        );
        assert_eq!(solved.proof, Proof::Exact);
        let limits = Limits { nodes: Some(5000), ..Limits::depth(16, Selectivity::FULL) };
        let found = searcher("linear").search(position, 0, &limits, &Stop::new(), None);
        assert!(!found.complete && found.best.is_some() && found.nodes < 5000 + POLL_EVERY);
        let selective = Limits::depth(6, Selectivity::LOWEST);
        let found = searcher("linear").search(position, 0, &selective, &Stop::new(), None);
        assert_eq!((found.depth, found.selectivity), (6, Selectivity::FULL));
    }

    #[test]
    fn a_finished_game_is_beyond_every_estimate_and_printed_as_its_score() {
        let values = [(2, 6600), (0, 0), (-64, -12_800)];
        for (discs, value) in values {
            assert_eq!((of_end(discs), printed(value)), (value, Score::from_discs(discs)));
        }
        assert_eq!(printed(-6300), Score::from_centidiscs(-6300));
    }
}
