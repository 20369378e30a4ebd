//! Every kind of processor that this machine is gives what the portable code gives.

use super::*;
use crate::othello::board::{
    Bitboard, Key, Position, Square, Symmetry, flips, last_flip_count, legal_moves, stable_discs,
};
use crate::othello::random::Random;

/// Any set, from nearly empty to nearly full.
fn any_set(random: &mut Random) -> Bitboard {
    let mut next = || random.number();
    match next() >> 61 {
        0 => 0,
        1 => u64::MAX,
        2 => next() & next() & next(),
        3 => next() | next() | next(),
        4 => next() & next(),
        5 => next() | next(),
        _ => next(),
    }
}

/// Compares all operations on a million pairs of disjoint sets, and on full and nearly full boards.
struct Compare;

impl CpuTask for Compare {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let mut random = Random::new(0x9e37_79b9_7f4a_7c15);
        let mut four = [Position::START; 4];
        for round in 0..1_000_000u32 {
            let mover = any_set(&mut random);
            let opponent = !mover & any_set(&mut random);
            assert_eq!(
                cpu.legal_moves(mover, opponent),
                legal_moves(mover, opponent),
                "{:?}: moves of {mover:#x} against {opponent:#x}",
                C::LEVEL
            );
            let position = Position { mover, opponent };
            assert_eq!(position.can_move(), legal_moves(mover, opponent) != 0, "{position:?}");
            four[round as usize % 4] = position;
            let symmetric = Symmetry::new(round as u8 % 8).position(position);
            four[(round as usize + 1) % 4] = Position {
                mover: mover & symmetric.mover,
                opponent: opponent & symmetric.opponent,
            };
            assert_eq!(cpu.keys(four), four.map(Key::of), "{:?}: keys of {four:?}", C::LEVEL);
            let square = Square::new(round as u8 % 64);
            let (own, other) = (mover & !square.bit(), opponent & !square.bit());
            assert_eq!(
                cpu.flips(square, own, other),
                flips(square, own, other),
                "{:?}: {square} by {own:#x} against {other:#x}",
                C::LEVEL
            );
            // Here the opponent has all the rest: long runs, and ends at every border.
            let rest = !(own | square.bit());
            let turned = flips(square, own, rest);
            assert_eq!(
                cpu.flips(square, own, rest),
                turned,
                "{:?}: {square} by {own:#x} against all others",
                C::LEVEL
            );
            assert_eq!(cpu.last_flip_count(square, own), turned.count_ones());
            assert_eq!(last_flip_count(square, own), turned.count_ones());
            assert_eq!(
                cpu.stable_discs(mover, opponent),
                stable_discs(mover, opponent),
                "{:?}: stable discs of {mover:#x} against {opponent:#x}",
                C::LEVEL
            );
        }
    }
}

#[test]
fn all_kinds_agree_with_portable_code() {
    for level in CpuLevel::ALL {
        if level.is_available() {
            level.run(Compare);
        } else {
            eprintln!("skipped: this machine is not {level}");
        }
    }
}

/// A single line of discs to each border, with every length of run.
#[test]
fn runs_of_every_length() {
    struct Runs;

    impl CpuTask for Runs {
        type Output = u32;

        #[inline(always)]
        fn run<C: Cpu>(self, cpu: C) -> u32 {
            let mut legal = 0;
            for square in Square::all() {
                for (across, down) in
                    [(1, 0), (0, 1), (-1, 1), (1, 1), (-1, 0), (0, -1), (1, -1), (-1, -1)]
                {
                    let at = |step: i32| {
                        let column = i32::from(square.column()) + step * across;
                        let row = i32::from(square.row()) + step * down;
                        ((0..8).contains(&column) && (0..8).contains(&row))
                            .then(|| 1u64 << (column + 8 * row))
                    };
                    let mut run = 0;
                    for step in 1.. {
                        let Some(end) = at(step) else { break };
                        assert_eq!(cpu.flips(square, end, run), run, "{:?}: {square}", C::LEVEL);
                        assert_eq!(cpu.flips(square, 0, run | end), 0, "{:?}: {square}", C::LEVEL);
                        let here = cpu.legal_moves(end, run) & square.bit() != 0;
                        assert_eq!(here, run != 0, "{:?}: {square}", C::LEVEL);
                        legal += u32::from(here);
                        run |= end;
                    }
                }
            }
            legal
        }
    }

    for level in CpuLevel::ALL {
        // The kinds that are missing run the portable code.
        assert_eq!(level.run(Runs), CpuLevel::Portable.run(Runs));
    }
}

#[test]
fn the_detected_kind_is_available() {
    assert!(CpuLevel::detect().is_available());
    assert!(CpuLevel::Portable.is_available());
}

#[test]
fn kinds_are_named() {
    for level in CpuLevel::ALL {
        assert_eq!(level.to_string().parse(), Ok(level));
    }
    let error = "sse2".parse::<CpuLevel>().unwrap_err().to_string();
    assert!(error.starts_with("'sse2' is not a kind of processor"), "{error}");
}
