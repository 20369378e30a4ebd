//! Clocks, and how long a move may take so that none ever runs out.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use thiserror::Error;

use crate::othello::one_line::one_line;

/// What is never planned with: the other end of a pipe measures more than we do, and a busy machine
/// wakes no thread in time.
const LEAST_RESERVE: Duration = Duration::from_millis(100);
const MOST_RESERVE: Duration = Duration::from_secs(1);

/// What each move that is still to come takes besides its search.
const OVERHEAD: Duration = Duration::from_millis(15);

/// A move gets so much at least, whatever the clock says: something must be played.
const LEAST: Duration = Duration::from_millis(1);

/// From so many empties on a game is mostly solved, and the rest of it takes little time: a third of what is left.
const SOLVED_FROM: u8 = 24;

/// From so many empties to [`SOLVED_FROM`] games are decided: a move gets twice the time of one before.
const DECIDED_FROM: u8 = 40;

/// How many shares of the time a move gets with so many empties.
fn shares(empties: u8) -> u32 {
    if empties <= DECIDED_FROM { 2 } else { 1 }
}

/// The fewest moves that time is shared out among.
const FEWEST_MOVES: u32 = 3;

/// Time for a number of moves, again and again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Period {
    pub time: Duration,
    /// Moves that must be made in it, 1 or more.
    pub moves: u32,
}

/// How much time a side has.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct TimeControl {
    /// For the whole game.
    pub main: Duration,
    /// Added after each move.
    pub increment: Duration,
    /// Added once, when all else is used up.
    pub grace: Duration,
    /// What follows the main time, instead of the loss of the game.
    pub period: Option<Period>,
}

/// A text that is no clock.
#[derive(Debug, Error, PartialEq, Eq, Clone)]
#[error(
    "'{0}' is not a clock: expected main time, increment and grace, such as 5:00, 5:00/3 or 15:00//2:00"
)]
pub struct TimeControlError(String);

/// Reads a clock as games have it: `main[/increment[/grace]]`, each `[[[days.]hours:]minutes:]seconds`. What is
/// missing is none.
impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<Self, TimeControlError> {
        let mut parts = text.trim().split('/');
        let mut next = || match parts.next().map(str::trim) {
            None | Some("") => Some(Duration::ZERO),
            // GGS writes what a part counts behind a comma.
            Some(part) => read_time(part.split(',').next().unwrap_or_default()),
        };
        let whole = (next(), next(), next());
        match whole {
            (Some(main), Some(increment), Some(grace))
                if parts.next().is_none() && !text.trim().is_empty() =>
            {
                Ok(Self { main, increment, grace, period: None })
            }
            _ => Err(TimeControlError(one_line(text, 40))),
        }
    }
}

/// No clock has more: what is written down beyond it, by mistake or malice, could not be added up.
pub(crate) const LONGEST_TIME: Duration = Duration::from_secs(1_000 * 86_400);

fn read_time(text: &str) -> Option<Duration> {
    // No part of a time has a sign.
    if text.contains(['+', '-']) {
        return None;
    }
    let parts: Vec<&str> = text.split(':').collect();
    let (units, days): (&[f64], f64) = match parts.as_slice() {
        [_] => (&[1.0], 0.0),
        [_, _] => (&[60.0, 1.0], 0.0),
        [hours, _, _] => {
            let days = hours.split_once('.').map_or(Ok(0.0), |(days, _)| days.parse::<f64>());
            (&[3600.0, 60.0, 1.0], days.ok()?)
        }
        _ => return None,
    };
    let mut seconds = days * 86_400.0;
    for (part, unit) in parts.iter().zip(units) {
        let part = if *unit > 60.0 { part.rsplit('.').next()? } else { part };
        seconds += part.parse::<f64>().ok()? * unit;
    }
    Some(Duration::try_from_secs_f64(seconds).ok()?.min(LONGEST_TIME))
}

/// As it is read.
impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&shown(self.main))?;
        match (self.increment.is_zero(), self.grace.is_zero()) {
            (true, true) => Ok(()),
            (false, true) => write!(f, "/{}", shown(self.increment)),
            (true, false) => write!(f, "//{}", shown(self.grace)),
            (false, false) => write!(f, "/{}/{}", shown(self.increment), shown(self.grace)),
        }
    }
}

/// `1:02:03`, `5:00`, `0:00.1`.
fn shown(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let thousandths = format!(".{:03}", time.subsec_millis());
    let fraction = thousandths.trim_end_matches('0').trim_end_matches('.');
    match hours {
        0 => format!("{minutes}:{seconds:02}{fraction}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}{fraction}"),
    }
}

/// The clock of one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    control: TimeControl,
    left: Duration,
    /// Moves that must still be made in this period; none in the main time.
    in_period: Option<u32>,
    has_grace: bool,
    has_lost: bool,
}

impl Clock {
    /// At the start of the game.
    pub fn new(control: TimeControl) -> Self {
        let has_grace = !control.grace.is_zero();
        Self { control, left: control.main, in_period: None, has_grace, has_lost: false }
    }

    /// What is left: of the main time, or of the period.
    pub const fn left(&self) -> Duration {
        self.left
    }

    /// Whether time ran out.
    pub const fn has_lost(&self) -> bool {
        self.has_lost
    }

    /// The longest that the next move may take without losing the game.
    #[cfg(feature = "workshop")]
    pub(crate) fn longest(&self) -> Duration {
        self.left + if self.has_grace { self.control.grace } else { Duration::ZERO }
    }

    /// Sets what the other side says is left; with a number of moves it is of a period in which so many
    /// must be made. It may be rounded up to a second: what is a little less here stays.
    pub(crate) fn tell(&mut self, left: Duration, moves: Option<u32>) {
        let is_whole = left.subsec_nanos() == 0;
        let is_rounded = is_whole && left.saturating_sub(self.left) < Duration::from_secs(1);
        if moves != self.in_period || left < self.left || !is_rounded || self.has_lost {
            self.left = left;
        }
        self.in_period = moves;
        self.has_lost = false;
    }

    /// A move was made that took so long.
    pub fn spend(&mut self, used: Duration) {
        if self.in_period.is_none()
            && used > self.left
            && let Some(period) = self.control.period
        {
            let rest = used - self.left;
            (self.left, self.in_period) = (period.time, Some(period.moves));
            return self.spend(rest);
        }
        if used > self.left && self.has_grace {
            self.left += self.control.grace;
            self.has_grace = false;
        }
        self.has_lost |= used > self.left;
        self.left = self.left.saturating_sub(used);
        match (self.in_period, self.control.period) {
            (Some(..=1), Some(period)) => {
                (self.left, self.in_period) = (period.time, Some(period.moves));
            }
            (Some(moves), _) => self.in_period = Some(moves.saturating_sub(1)),
            (None, _) if !self.has_lost => self.left += self.control.increment,
            (None, _) => {}
        }
    }

    /// How long the next move may take in a position with so many empties, so that time lasts to the
    /// end of the game.
    pub(crate) fn budget(&self, empties: u8) -> Duration {
        let budget = match self.in_period {
            Some(moves) => usable(self.left, moves) / moves.max(1),
            None => {
                let to_come = u32::from(empties).div_ceil(2);
                let usable = usable(self.left, to_come);
                let to_search = (SOLVED_FROM + 1..=empties).rev().step_by(2);
                let all = to_search.map(shares).sum::<u32>().max(FEWEST_MOVES * shares(empties));
                let increment = self.control.increment.mul_f64(0.8);
                let own = (usable * shares(empties) / all + increment).min(usable);
                // A player that runs into the period has all of it.
                own + self.control.period.map_or(Duration::ZERO, |period| {
                    self::usable(period.time, period.moves) / period.moves.max(1)
                })
            }
        };
        budget.max(LEAST)
    }
}

/// What of a time can be planned with when so many moves are to be made in it.
fn usable(time: Duration, moves: u32) -> Duration {
    let reserve = (time / 4).clamp(LEAST_RESERVE, MOST_RESERVE).min(time / 2);
    time.saturating_sub(reserve + OVERHEAD * moves)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn clocks_beyond_all_measure_add_up() {
        let text = "18000000000000000000/18000000000000000000/18000000000000000000";
        let control: TimeControl = text.parse().unwrap();
        assert_eq!((control.main, control.increment), (LONGEST_TIME, LONGEST_TIME));
        let mut clock = Clock::new(control);
        for used in [Duration::MAX, Duration::ZERO] {
            clock.spend(used);
            assert!(clock.budget(60) <= 3 * LONGEST_TIME);
        }
    }

    #[test]
    fn reads_clocks_and_writes_them() {
        let clock = |text: &str| {
            text.parse::<TimeControl>().map(|read| {
                (read.main.as_millis(), read.increment.as_millis(), read.grace.as_millis())
            })
        };
        for (text, read) in [
            ("15:00", (900_000, 0, 0)),
            ("05:00//02:00", (300_000, 0, 120_000)),
            ("5:00/3", (300_000, 3_000, 0)),
            ("1:02:03/0:10/2:00", (3_723_000, 10_000, 120_000)),
            ("1.00:00:00", (86_400_000, 0, 0)),
            ("0.25", (250, 0, 0)),
            ("15:00,0/0:30,1", (900_000, 30_000, 0)),
            ("/1", (0, 1_000, 0)),
        ] {
            assert_eq!(clock(text), Ok(read), "{text}");
            let again = text.parse::<TimeControl>().unwrap().to_string();
            assert_eq!(clock(&again), Ok(read), "{again}");
        }
        for text in ["", "x", "5:00/x", "1:2:3:4", "-5", "5:-3", "1/2/3/4", "nan", "1e999", "+5"] {
            assert!(clock(text).is_err(), "{text}");
        }
    }

    #[test]
    fn grace_comes_once_and_increments_after_each_move() {
        let control: TimeControl = "1/0.5/2".parse().unwrap();
        let mut clock = Clock::new(control);
        clock.spend(ms(900));
        assert_eq!(clock.left(), ms(600));
        clock.spend(ms(700));
        assert_eq!((clock.left(), clock.has_lost()), (ms(2400), false), "2600 - 700 + 500");
        clock.spend(ms(2500));
        assert!(clock.has_lost());
    }

    #[test]
    fn a_clock_that_is_told_may_be_rounded_up() {
        let mut clock = Clock::new("10/2".parse().unwrap());
        clock.spend(ms(11_300));
        assert!(clock.has_lost());
        clock.tell(ms(3_000), None);
        assert_eq!((clock.left(), clock.has_lost()), (ms(3_000), false));
        clock.spend(ms(2_700));
        assert_eq!(clock.left(), ms(2_300), "3000 - 2700 + 2000");
        for (told, left) in [(3_000, 2_300), (2_000, 2_000), (5_000, 5_000)] {
            clock.tell(ms(told), None);
            assert_eq!(clock.left(), ms(left));
        }
        clock.tell(ms(5_100), None);
        assert_eq!(clock.left(), ms(5_100), "that is not rounded");
        clock.tell(ms(5_500), Some(3));
        assert_eq!((clock.left(), clock.in_period), (ms(5_500), Some(3)));
    }

    #[test]
    fn periods_follow_the_main_time() {
        let period = Some(Period { time: ms(1000), moves: 2 });
        let mut clock = Clock::new(TimeControl { main: ms(500), period, ..TimeControl::default() });
        clock.spend(ms(700));
        assert_eq!((clock.left(), clock.in_period), (ms(800), Some(1)));
        clock.spend(ms(800));
        assert_eq!((clock.left(), clock.in_period, clock.has_lost()), (ms(1000), Some(2), false));
        clock.spend(ms(1001));
        assert!(clock.has_lost());
    }

    proptest! {
        /// A side that takes what it is allowed, and some milliseconds more on the way to the clock,
        /// keeps its time in any game.
        #[test]
        fn no_clock_runs_out(
            main in 1_000_u64..900_000, increment in 0_u64..5_000, periods in 0_u32..3,
            period in 100_u64..20_000, late in proptest::collection::vec(0_u64..14, 33),
            first in 44_u8..=60,
        ) {
            let period = (periods > 0).then_some(Period { time: ms(period), moves: periods });
            let mut clock = Clock::new(TimeControl {
                main: ms(main), increment: ms(increment), grace: Duration::ZERO, period,
            });
            let mut empties = first;
            for late in late {
                if empties == 0 {
                    break;
                }
                let used = clock.budget(empties) + ms(late);
                clock.spend(used);
                prop_assert!(!clock.has_lost(), "with {empties} empties");
                empties = empties.saturating_sub(2);
            }
        }
    }

    #[test]
    fn no_part_of_a_time_has_a_sign() {
        let read = |text: &str| text.parse::<TimeControl>().map(|control| control.main.as_secs());
        assert_eq!(read("1.06:00:00"), Ok(30 * 3600));
        for text in
            ["-1.30:00:00", "1.-6:00:00", "+1.06:00:00", "5:-10", "-5:00", "+300", "1:+2:03"]
        {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
