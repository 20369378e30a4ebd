//! Growth without searches: what all the rest of it costs.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use foldhash::fast::FixedState;

use crate::app::grow::stand_in::answer;
use crate::app::{
    Assignment, Crew, CrewError, Done, GrowError, GrowOptions, Report, Spent, Work, grow_with,
};
use crate::openbook::{NodeSource, Rest, child_of};
use crate::othello::board::{Key, Position};
use crate::othello::eval::Evaluator;
use crate::othello::random::Random;
use crate::othello::score::Score;
use crate::othello::search::{Proof, Stop, ThreadTime};
use crate::store::{Book, Reader, StoreError};

/// What growth with drawn answers did.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GrowthMeasure {
    /// Positions of the book at the start.
    pub positions: u64,
    /// Positions that were added.
    pub new_positions: u64,
    /// Results that came into the book: each is one piece of work, of a search or of two.
    pub results: u64,
    /// Searches that they stand for.
    pub searches: u64,
    /// Processor time of the thread that owns the book, in seconds, by what it was spent on; without that of
    /// drawing the answers.
    pub spent: Spent,
    /// Time on the wall until the first work was handed out, in seconds; none where there was none.
    pub first: Option<f64>,
}

/// Grows a book, which is changed by it, with so many answers under way that are drawn: around what was known of
/// the move before, else what the evaluator says without looking ahead. They are the same in every run.
pub fn measure_growth<E: Evaluator>(
    book: &mut Book,
    evaluator: &Arc<E>,
    in_flight: usize,
    options: &GrowOptions,
    stop: &Stop,
) -> Result<GrowthMeasure, GrowError> {
    let mut crew = Drawn {
        evaluator,
        in_flight,
        before: Reader::open(book.reader().path())?,
        found: HashMap::default(),
        random: Random::new(1),
        waiting: VecDeque::new(),
        results: 0,
        drawing: Duration::ZERO,
        began: Instant::now(),
        first: None,
    };
    let summary = grow_with(book, &mut crew, &evaluator.name(), options, stop, &mut |_| ())?;
    let Drawn { results, drawing, first, .. } = crew;
    let status = summary.status;
    let other = (status.spent.other - drawing.as_secs_f64()).max(0.0);
    Ok(GrowthMeasure {
        positions: status.positions - status.new_positions,
        new_positions: status.new_positions,
        results,
        searches: status.searches,
        spent: Spent { other, ..status.spent },
        first: first.map(|first| first.as_secs_f64()),
    })
}

/// A crew that answers at once, what was handed out first.
struct Drawn<'a, E> {
    evaluator: &'a Arc<E>,
    in_flight: usize,
    /// The book; of what was not answered here it says what it said before.
    before: Reader,
    /// What was answered last of each position.
    found: HashMap<Key, Option<Rest>, FixedState>,
    random: Random,
    waiting: VecDeque<Assignment>,
    results: u64,
    drawing: Duration,
    began: Instant,
    first: Option<Duration>,
}

impl<E: Evaluator> Drawn<'_, E> {
    /// What a position is worth to its side to move, in centidiscs, as the evaluator says.
    fn worth(&self, position: Position) -> i32 {
        let score = self.evaluator.evaluate(&self.evaluator.state(position), position);
        i32::from(score.centidiscs())
    }

    /// What was known of the best other move of a position.
    fn known(&self, key: Key) -> Result<Option<Rest>, StoreError> {
        match self.found.get(&key) {
            Some(rest) => Ok(*rest),
            None => Ok(self.before.node(&key)?.and_then(|node| node.record)),
        }
    }

    /// A number of centidiscs, with a standard deviation of a disc.
    fn noise(&mut self) -> i32 {
        (0..3).map(|_| self.random.below(201) as i32 - 100).sum()
    }

    fn answer(&mut self, Assignment { work, depth, .. }: &Assignment) -> Result<Done, StoreError> {
        let mut done = answer(*work, *depth, &|position| self.worth(position));
        let (noise, less) = (self.noise(), self.random.below(150) as i32);
        let drawn: Vec<Option<i32>> = match *work {
            Work::Expand { parent, .. } => {
                let known = self.known(parent.key)?;
                let child = known.and_then(|rest| child_of(parent.key.position(), rest.square?));
                let score = known.map(|rest| i32::from(rest.score.centidiscs()));
                let of_child = score
                    .zip(child)
                    .map(|(score, (_, same_side))| noise + if same_side { score } else { -score });
                vec![of_child, score.map(|score| score - less)]
            }
            Work::Rest { spot, .. } => {
                let known = self.known(spot.key)?;
                vec![known.map(|rest| i32::from(rest.score.centidiscs()) + noise)]
            }
            Work::New(_) => vec![None],
        };
        for (found, drawn) in done.found.iter_mut().zip(drawn) {
            if let (Some(rest), Some(drawn)) = (&mut found.rest, drawn)
                && rest.proof == Proof::None
            {
                rest.score = Score::from_centidiscs(drawn.clamp(-6000, 6000) as i16);
            }
        }
        let spots = match *work {
            Work::Expand { child, parent } => vec![child, parent],
            Work::Rest { spot, .. } | Work::New(spot) => vec![spot],
        };
        let found = done.found.iter().map(|found| found.rest);
        self.found.extend(spots.iter().map(|spot| spot.key).zip(found));
        Ok(done)
    }
}

impl<E: Evaluator> Crew for Drawn<'_, E> {
    fn capacity(&self) -> usize {
        self.in_flight
    }

    fn give(&mut self, tasks: Vec<Assignment>) {
        self.first.get_or_insert_with(|| self.began.elapsed());
        self.waiting.extend(tasks);
    }

    fn reports(&mut self, _patience: Duration) -> Result<Vec<Report>, CrewError> {
        let start = ThreadTime::now();
        let Some(task) = self.waiting.pop_front() else { return Ok(Vec::new()) };
        self.results += 1;
        let done = self.answer(&task)?;
        self.drawing += start.elapsed();
        Ok(vec![Report::Done(done)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::eval::PatternEvaluator;

    /// Whatever is under way, all that is counted is in the book, and the book is sound.
    #[test]
    fn a_book_grows_by_drawn_answers() {
        let folder = tempfile::tempdir().unwrap();
        let evaluator = PatternEvaluator::embedded().unwrap();
        for in_flight in [1, 8] {
            let path = folder.path().join(format!("{in_flight}.db"));
            let mut book = Book::create(&path).unwrap();
            let options = GrowOptions { searches: Some(300), ..GrowOptions::default() };
            let measure =
                measure_growth(&mut book, &evaluator, in_flight, &options, &Stop::new()).unwrap();
            let positions = book.reader().counts().unwrap().positions;
            assert_eq!((measure.positions, measure.new_positions), (0, positions));
            assert!((300..310).contains(&measure.searches), "{measure:?}");
            assert!(measure.results < measure.searches && measure.first.is_some());
            assert!(measure.spent.rank > 0.0 && measure.spent.insert > 0.0);
            assert!(book.reader().verify().unwrap().is_sound());
        }
    }
}
