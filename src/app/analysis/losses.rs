//! What moves cost over many games, from what is known without a search.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

use foldhash::fast::FixedState;

use crate::app::games::{
    FilterError, GameDatabase, ListOptions, Person, chosen, opening_of, player_of,
};
use crate::app::json::{object, serialize};
use crate::openbook::trust::sureness;
use crate::othello::board::{Key, Line, Placed, Side, Square, write_from_f5};
use crate::othello::score::Score;
use crate::othello::search::standard_error;
use crate::store::{GameFacts, GameId, StoreError};

use super::analysed_move::{Known, MoveValue};
use super::knowledge::Knowledge;
use super::phase::Phase;
use super::sums::LossSum;
use super::terms::AnalysisOptions;

/// Of which games, and of which player.
#[derive(Clone, Default, Debug)]
pub struct LossOptions {
    pub games: ListOptions,
    /// Only the moves of this player.
    pub player: Option<Person>,
    /// At most so many recurring mistakes.
    pub recurring: usize,
}

/// The losses of a part of the moves.
#[derive(serde::Serialize, Clone, PartialEq, Eq, Debug)]
pub struct LossGroup {
    /// What they have in common.
    pub name: String,
    /// Games with a valued move.
    pub games: u64,
    #[serde(flatten)]
    pub sum: LossSum,
}

#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct LossYear {
    /// Games with a valued move.
    pub games: u64,
    /// All moves of its games that were asked for, valued or not.
    pub moves: u64,
    /// The losses of those that are valued.
    pub sum: LossSum,
}

/// A move that was played again and again although another was better.
#[derive(Clone, PartialEq, Debug)]
pub struct Recurring {
    /// The line of one of the games to the position, its first move as f5.
    pub line: Line,
    pub played: Square,
    /// What would have been better.
    pub best: Square,
    /// How often it was played.
    pub times: u64,
    /// What it costs each time.
    pub loss: Score,
    pub known: Known,
}

serialize! {
    mistake(Recurring) => object! {
        line: &mistake.line,
        r#move: mistake.played,
        best_move: mistake.best,
        times: mistake.times,
        loss: mistake.loss,
        total: mistake.total(),
        known_by: mistake.known.name(),
    },
}

impl Recurring {
    /// What it cost in all, in discs.
    pub fn total(&self) -> f64 {
        self.times as f64 * self.loss.discs()
    }
}

/// What moves cost.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct LossReport {
    /// Games that were asked for.
    pub games: u64,
    /// Those of which at least one move is valued.
    pub analysed: u64,
    /// All moves that were asked for.
    pub moves: u64,
    /// The losses of those that are valued.
    pub all: LossSum,
    /// With Black and with White.
    pub sides: [LossSum; 2],
    /// By part of the game, in the order of [`Phase::ALL`].
    pub phases: [LossSum; 3],
    /// By opening, those with most games first.
    pub openings: Vec<LossGroup>,
    /// By year, where it is known: those of which a move is valued.
    pub years: BTreeMap<u16, LossYear>,
    /// Of one player: by opponent; else by player. Those with most games first.
    pub players: Vec<LossGroup>,
    /// The mistakes that cost most in all as far as that is sure, made twice at least.
    pub recurring: Vec<Recurring>,
}

/// A move of a position, in the key's orientation.
type Played = (Key, Square);

/// A valued move and where it occurs.
#[derive(Clone, Copy)]
struct Occurrences {
    value: Option<MoveValue>,
    times: u64,
    /// One of the games, and the index of the move.
    at: (GameId, usize),
}

/// Adds the losses of games up, as far as they are known: from analyses that were made, and from the
/// book where it is as sure as a search of the ordinary level. `progress` gets the number of games looked at,
/// and of how many.
pub fn losses(
    database: &GameDatabase<'_>,
    options: &LossOptions,
    mut progress: impl FnMut(u64, u64),
) -> Result<LossReport, FilterError> {
    let book = database.book();
    let _snapshot = book.snapshot()?;
    let mut ids = chosen(database, &options.games)?;
    ids.sort_unstable();
    let mut count = Count {
        database,
        knowledge: Knowledge::of(Some(book), "")?,
        asked: AnalysisOptions::default(),
        report: LossReport::default(),
        seen: HashMap::default(),
        openings: HashMap::default(),
        players: HashMap::default(),
    };
    if ids.len() > MANY {
        count.knowledge.load()?;
    }
    let games = ids.len() as u64;
    for (done, id) in (0..).zip(ids) {
        if done % STEP == 0 {
            progress(done, games);
        }
        let Some(facts) = database.facts(id) else { continue };
        let own = |player: Option<u32>| options.player.as_ref().is_none_or(|own| own.is(player));
        let sides = [own(facts.black), own(facts.white)];
        if sides != [false, false] {
            count.game(id, facts, sides, options.player.is_some())?;
        }
    }
    count.report(options.recurring)
}

/// With more games than this everything is read at once.
const MANY: usize = 200;

/// Games between two reports of progress.
const STEP: u64 = 256;

struct Count<'d> {
    database: &'d GameDatabase<'d>,
    knowledge: Knowledge<'d>,
    asked: AnalysisOptions,
    report: LossReport,
    seen: HashMap<Played, Occurrences, FixedState>,
    openings: HashMap<&'static str, Group, FixedState>,
    players: HashMap<Option<u32>, Group, FixedState>,
}

#[derive(Clone, Copy, Default)]
struct Group {
    games: u64,
    sum: LossSum,
}

impl Group {
    fn join(&mut self, sum: LossSum) {
        self.games += u64::from(sum.moves > 0);
        self.sum.join(sum);
    }
}

impl Count<'_> {
    /// Adds the moves of one or both sides of a game.
    fn game(
        &mut self,
        id: GameId,
        facts: &GameFacts,
        [black, white]: [bool; 2],
        of_one_player: bool,
    ) -> Result<(), StoreError> {
        let steps = self.database.steps_of(id)?;
        let mut sums = [LossSum::default(); 2];
        let moves_before = self.report.moves;
        self.report.games += 1;
        for (index, &(before, square)) in steps.iter().enumerate() {
            let is_black = before.side == Side::Black;
            if !(if is_black { black } else { white }) {
                continue;
            }
            self.report.moves += 1;
            let Some(value) = self.value((id, index), before, square)? else { continue };
            let [of_black, of_white] = &mut sums;
            (if is_black { of_black } else { of_white }).add(value.loss());
            self.report.phases[Phase::of(before.position) as usize].add(value.loss());
        }
        let [of_black, of_white] = sums;
        let mut both = of_black;
        both.join(of_white);
        if let Some(year) = facts.year {
            let of_year = self.report.years.entry(year).or_default();
            of_year.games += u64::from(both.moves > 0);
            of_year.moves += self.report.moves - moves_before;
            of_year.sum.join(both);
        }
        if both.moves == 0 {
            return Ok(());
        }
        self.report.analysed += 1;
        self.report.all.join(both);
        for (sum, of_side) in self.report.sides.iter_mut().zip(sums) {
            sum.join(of_side);
        }
        self.openings.entry(opening_of(self.database, id)?).or_default().join(both);
        // The moves of one player are listed by the opponent.
        let (of_black, of_white) = (sums[0], sums[1]);
        let named = match of_one_player {
            true => [(facts.white, of_black), (facts.black, of_white)],
            false => [(facts.black, of_black), (facts.white, of_white)],
        };
        for (player, sum) in named {
            if sum.moves > 0 {
                self.players.entry(player).or_default().join(sum);
            }
        }
        Ok(())
    }

    /// What a move is worth, in the key's orientation.
    fn value(
        &mut self,
        at: (GameId, usize),
        before: Placed,
        square: Square,
    ) -> Result<Option<MoveValue>, StoreError> {
        let (key, symmetry) = Key::with_symmetry(before.position);
        if !self.knowledge.may_know(key) {
            return Ok(None);
        }
        let square = key.first_image(symmetry.square(square));
        if let Some(seen) = self.seen.get_mut(&(key, square)) {
            seen.times += 1;
            return Ok(seen.value);
        }
        let limits = self.asked.limits(key.position().empties());
        let value = self.knowledge.at_all(key.position(), square, &limits)?;
        self.seen.insert((key, square), Occurrences { value, times: 1, at });
        Ok(value)
    }

    fn report(mut self, most: usize) -> Result<LossReport, FilterError> {
        let players = self.database.players()?;
        let name = |player: Option<u32>| {
            let known = player.and_then(|id| player_of(players, id));
            known.map_or_else(|| "?".to_owned(), |known| known.name.clone())
        };
        self.report.years.retain(|_, year| year.games > 0);
        self.report.openings = groups(self.openings, str::to_owned);
        self.report.players = groups(self.players, name);
        let often = self.seen.iter().filter(|(_, seen)| seen.times > 1);
        let mut mistakes: Vec<(f64, MoveValue, u64, (GameId, usize))> = often
            .filter_map(|((key, _), seen)| {
                let value = seen.value.filter(|value| value.loss() > Score::ZERO)?;
                let sure = sureness(value.loss(), error_of_loss(&value, key.position().empties()));
                let cost = seen.times as f64 * value.loss().discs() * sure;
                Some((cost, value, seen.times, seen.at))
            })
            .collect();
        mistakes.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.3.cmp(&other.3)));
        mistakes.truncate(most);
        for (_, value, times, at) in mistakes {
            self.report.recurring.extend(recurring(self.database, value, times, at)?);
        }
        Ok(self.report)
    }
}

/// The standard error of what a move costs, in discs: of both values, which are known equally well.
fn error_of_loss(value: &MoveValue, empties: u8) -> f64 {
    let of_each = match value.known {
        Known::Exact => 0.0,
        Known::Book { error } => error,
        Known::Searched { depth, selectivity } => standard_error(empties, depth, selectivity),
    };
    of_each.hypot(of_each)
}

fn groups<K: Eq + Hash + Copy>(
    of: HashMap<K, Group, FixedState>,
    name: impl Fn(K) -> String,
) -> Vec<LossGroup> {
    let group = |(key, Group { games, sum })| LossGroup { name: name(key), games, sum };
    let mut all: Vec<LossGroup> = of.into_iter().map(group).collect();
    all.sort_by(|one, other| other.games.cmp(&one.games).then_with(|| one.name.cmp(&other.name)));
    all
}

/// A mistake with a line that leads to it, taken from one of the games.
fn recurring(
    database: &GameDatabase<'_>,
    value: MoveValue,
    times: u64,
    (game, index): (GameId, usize),
) -> Result<Option<Recurring>, StoreError> {
    let steps = database.steps_of(game)?;
    let (Some(&(start, _)), Some(&(before, played))) = (steps.first(), steps.get(index)) else {
        return Ok(None);
    };
    let (_, symmetry) = Key::with_symmetry(before.position);
    let best = symmetry.inverse().square(value.best);
    let mut squares: Vec<Square> = steps.iter().take(index).map(|&(_, square)| square).collect();
    squares.extend([played, best]);
    if start == Placed::START {
        write_from_f5(&mut squares);
    }
    let (Some(best), Some(played)) = (squares.pop(), squares.pop()) else { return Ok(None) };
    let line = Line::from_board(start).then(&squares);
    let (loss, known) = (value.loss(), value.known);
    Ok(Some(Recurring { line, played, best, times, loss, known }))
}
