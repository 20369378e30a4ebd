//! Whole games, move by move through pipes, with a referee between the players.

use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rosebill::app::player::{Clock, GameInPlay, Period, Ply, TimeControl};
use rosebill::othello::board::Square;

use crate::desk::Desk;
use crate::dice::Dice;
use crate::engine::Engine;
use crate::talk::{ggf, timed_ggf};

/// A player behind a pipe.
trait Seat {
    /// Its move in a game; none is a pass.
    fn choose(&mut self, game: &GameInPlay) -> Option<Square>;
    /// A move or a pass was made, by itself or by the other.
    fn hear(&mut self, ply: &Ply, is_own: bool);
}

/// As a harness does it that sends each move to both engines.
struct ByNboard {
    engine: Engine,
    pings: u32,
}

impl ByNboard {
    fn new(desk: &Desk, depth: u8, game: &str) -> Self {
        let mut engine = Engine::start(desk, &["nboard", "--no-book", "--table", "16"]);
        engine.say("nboard 2");
        assert_eq!(engine.line(), "set myname Rosebill12");
        engine.say(&format!("set depth {depth}"));
        engine.say(&format!("set game {game}"));
        Self { engine, pings: 0 }
    }
}

impl Seat for ByNboard {
    fn choose(&mut self, _: &GameInPlay) -> Option<Square> {
        self.pings += 1;
        self.engine.say(&format!("ping {}", self.pings));
        let pong = self.engine.until(|line| line.starts_with("pong"));
        assert_eq!(pong, format!("pong {}", self.pings));
        self.engine.say("go");
        let chosen = self.engine.until(|line| line.starts_with("==="));
        let name = chosen["=== ".len()..].split('/').next().unwrap();
        (name != "PA").then(|| name.parse().unwrap())
    }

    fn hear(&mut self, ply: &Ply, _: bool) {
        let name = ply.square.map_or("PA".to_owned(), |square| square.to_string());
        self.engine.say(&format!("move {name}//{:.3}", ply.time.as_secs_f64()));
    }
}

struct ByGtp(Engine);

impl Seat for ByGtp {
    fn choose(&mut self, game: &GameInPlay) -> Option<Square> {
        let answer = self.0.ask(&format!("genmove {}", game.now().side));
        (answer != "pass").then(|| answer.parse().unwrap())
    }

    fn hear(&mut self, ply: &Ply, is_own: bool) {
        if !is_own {
            let name = ply.square.map_or("pass".to_owned(), |square| square.to_string());
            assert_eq!(self.0.ask(&format!("play {} {name}", ply.before.side)), "");
        }
    }
}

/// What came of a game.
struct Report {
    game: GameInPlay,
    /// The longest move, pipes included.
    longest: Duration,
}

/// Plays a game on to its end. The referee knows the rules and has the clocks, so what goes through the
/// pipes counts.
fn referee(
    mut seats: [&mut dyn Seat; 2],
    opening: &[Square],
    control: Option<TimeControl>,
) -> Result<Report, String> {
    let mut game = GameInPlay::default();
    for &square in opening {
        game.play(square).unwrap();
    }
    for ply in game.plies() {
        seats.iter_mut().for_each(|seat| seat.hear(ply, false));
    }
    let mut clocks = control.map(|control| [Clock::new(control); 2]);
    let mut longest = Duration::ZERO;
    while !game.is_over() {
        let (side, passes) = (game.now().side, game.must_pass());
        let began = Instant::now();
        let square = seats[side as usize].choose(&game);
        let used = began.elapsed();
        longest = longest.max(used);
        let number = game.plies().len() + 1;
        if let Some(clocks) = clocks.as_mut().filter(|_| !passes) {
            let clock = &mut clocks[side as usize];
            let left = clock.left();
            clock.spend(used);
            if clock.has_lost() {
                return Err(format!("{side} lost on time: move {number}, {used:?} of {left:?}"));
            }
        }
        match square {
            Some(square) if passes => return Err(format!("{square} instead of a pass")),
            Some(square) => game.play(square).map_err(|fault| format!("{square}: {fault}"))?,
            None => game.pass().map_err(|fault| format!("a pass: {fault}"))?,
        }
        game.took(used);
        let ply = *game.plies().last().unwrap();
        for (index, seat) in seats.iter_mut().enumerate() {
            seat.hear(&ply, index == side as usize);
        }
    }
    Ok(Report { game, longest })
}

#[test]
fn nboard_plays_itself_and_gtp() {
    let desk = Desk::new();
    let nboard = || ByNboard::new(&desk, 2, &ggf(""));
    let gtp = || ByGtp(Engine::start(&desk, &["gtp", "--no-book", "--level", "1"]));
    let games = [
        referee([&mut nboard(), &mut nboard()], &opening(1), None),
        referee([&mut nboard(), &mut gtp()], &opening(2), None),
        referee([&mut gtp(), &mut nboard()], &opening(3), None),
        referee([&mut gtp(), &mut gtp()], &opening(4), None),
    ];
    for report in games {
        assert!(report.unwrap().game.plies().len() > 9);
    }
}

#[test]
fn variety_is_drawn_by_the_seed() {
    let desk = Desk::grown("60");
    let moves = |seed: &str, variety: &str| -> String {
        let mut engine =
            Engine::start(&desk, &["gtp", "--level", "1", "--seed", seed, "--variety", variety]);
        let sides = ["b", "w"].into_iter().cycle().take(6);
        sides.map(|side| engine.ask(&format!("genmove {side}"))).collect()
    };
    assert_eq!(moves("1", "0"), moves("2", "0"));
    assert_eq!(moves("1", "3"), moves("1", "3"));
    let drawn: HashSet<String> = ["1", "2", "3", "4"].map(|seed| moves(seed, "3")).into();
    assert!(drawn.len() > 1, "{drawn:?}");
}

/// Ten moves a second by GTP, or three seconds for a game's thirty moves by NBoard: 100 ms a move.
#[test]
#[ignore = "long: ROSEBILL_GAMES games at 100 ms a move, 4 by default"]
fn no_fast_game_is_lost_on_time() {
    let games = number("ROSEBILL_GAMES", 4);
    let next = AtomicU64::new(0);
    let play = || {
        let desk = Desk::new();
        let mut played = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= games {
                return played;
            }
            let opening = opening(number);
            let report = if number.is_multiple_of(2) {
                let period = Some(Period { time: Duration::from_secs(1), moves: 10 });
                let mut seats = [(); 2].map(|()| {
                    let mut engine = Engine::start(&desk, &["gtp", "--no-book", "--table", "16"]);
                    engine.ask("time_settings 0 1 10");
                    ByGtp(engine)
                });
                let [black, white] = &mut seats;
                let control = TimeControl { period, ..TimeControl::default() };
                referee([black, white], &opening, Some(control))
            } else {
                let mut seats = [(); 2].map(|()| ByNboard::new(&desk, 60, &timed_ggf("3", "")));
                let [black, white] = &mut seats;
                referee([black, white], &opening, "3".parse().ok())
            };
            if let Err(why) = &report {
                println!("game {number}: {why}");
            }
            played.push(report);
        }
    };
    let tables = number("ROSEBILL_TABLES", 1).max(1);
    let played: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..tables).map(|_| scope.spawn(play)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    let reports: Vec<&Report> = played.iter().filter_map(|report| report.as_ref().ok()).collect();
    let moves: usize = reports.iter().map(|report| report.game.plies().len() - 8).sum();
    let longest = reports.iter().map(|report| report.longest).max();
    let lost = played.len() - reports.len();
    println!(
        "{games} games, {moves} moves, the longest {longest:?}; lost on time or illegal: {lost}"
    );
    assert_eq!(lost, 0);
}

/// A number that the environment gives.
pub fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// Eight moves drawn by lot.
fn opening(number: u64) -> Vec<Square> {
    let mut dice = Dice(number);
    let mut game = GameInPlay::default();
    while game.plies().len() < 8 {
        let square = dice.pick(game.now().position);
        game.play(square).unwrap();
    }
    game.line().squares().collect()
}
