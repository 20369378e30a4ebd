//! Nanoseconds an operation of the board takes, for each kind of processor that this machine is:
//! `cargo bench --bench board`.
//!
//! "throughput" lets the processor overlap calls, in "latency" each call waits for the last one.

#![allow(clippy::expect_used)] // a bench ends where something is missing

use std::hint::black_box;

use rosebill::othello::board::{
    After, Cpu, CpuLevel, CpuTask, Key, Position, Square, predecessors,
};
use rosebill::othello::search::CpuTime;

const POSITIONS: usize = 20_000;
const ROUNDS: usize = 50;
/// The best of so many is shown: other work on the machine only ever adds.
const REPEATS: usize = 5;

type Played = (Position, Square);

fn main() {
    let games = random_games();
    for level in CpuLevel::ALL {
        if level.is_available() {
            level.run(Operations(&games));
        }
    }
    println!("any");
    let keys = time(ROUNDS, || sum(&games, |(position, _)| Key::of(position).position().mover));
    println!("  {:<18} {keys:>10.2}", "key");
    let symmetries = time(ROUNDS, || {
        sum(&games, |(position, _)| Key::with_symmetry(position).1.number().into())
    });
    println!("  {:<18} {symmetries:>10.2}", "key with symmetry");
    let parents = time(1, || sum(&games, |(position, _)| count_parents(position)));
    println!("  {:<18} {parents:>10.2}", "all parents");
}

/// The operations that are written for each kind of processor.
struct Operations<'a>(&'a [Played]);

impl CpuTask for Operations<'_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        println!("{:<20} throughput    latency", C::LEVEL);
        // Plain loops and functions that are always inlined: code that stays a function of its own
        // is not compiled for this kind of processor.
        macro_rules! measure {
            ($name:literal, $operation:expr) => {
                let operation = $operation;
                let throughput = time(ROUNDS, || {
                    let mut sum = 0u64;
                    for &(position, square) in self.0 {
                        sum = sum.wrapping_add(operation(position, square, 0));
                    }
                    sum
                });
                let latency = time(ROUNDS, || {
                    let mut last = 0u64;
                    for &(position, square) in self.0 {
                        last = operation(position, square, last & black_box(0));
                    }
                    last
                });
                println!("  {:<18} {throughput:>10.2} {latency:>10.2}", $name);
            };
        }
        measure!("legal moves", |p: Position, _, z| cpu.legal_moves(p.mover ^ z, p.opponent));
        measure!("flips", |p: Position, square, z| cpu.flips(square, p.mover ^ z, p.opponent));
        measure!("last flip count", |p: Position, square, z| u64::from(
            cpu.last_flip_count(square, p.mover ^ z)
        ));
        measure!("keys of four", |p: Position, _, z| {
            let own = Position { mover: p.mover ^ z, ..p };
            let turned =
                Position { mover: own.mover.swap_bytes(), opponent: own.opponent.rotate_left(32) };
            let [a, b, c, d] = cpu.keys([own, own.passed(), turned, turned.passed()]);
            a.position().mover ^ b.position().mover ^ c.position().mover ^ d.position().mover
        });
        measure!("stable discs", |p: Position, _, z| cpu.stable_discs(p.mover ^ z, p.opponent));
    }
}

fn count_parents(position: Position) -> u64 {
    let mut count = 0;
    predecessors(position, |_| count += 1);
    count
}

fn sum(games: &[Played], operation: impl Fn(Played) -> u64) -> u64 {
    games.iter().fold(0, |sum, &played| sum.wrapping_add(operation(played)))
}

/// Nanoseconds a position.
#[inline(always)]
fn time(rounds: usize, work: impl Fn() -> u64) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..REPEATS {
        let start = CpuTime::now();
        for _ in 0..rounds {
            black_box(work());
        }
        best = best.min(start.seconds() * 1e9 / (rounds * POSITIONS) as f64);
    }
    best
}

/// All stages of the game alike, the same positions at each run.
fn random_games() -> Vec<Played> {
    let mut random = 12_345u64;
    let mut games = Vec::with_capacity(POSITIONS);
    while games.len() < POSITIONS {
        let mut next = Some(Position::START);
        while let Some(position) = next {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let mut moves = position.legal_moves();
            let chosen = (random >> 33) as usize % moves.len();
            let square = moves.nth(chosen).expect("a position that is played on has a move");
            games.push((position, square));
            next = position.after(square).and_then(After::position);
        }
    }
    games.truncate(POSITIONS);
    games
}
