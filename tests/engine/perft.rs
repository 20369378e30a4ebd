//! Leaf counts of the game tree, in both ways to count passes: published ones, some of our own that
//! two programs agreed on, and those of the naive rules.

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use rosebill::othello::board::{PassRule, parse_board, perft};

use crate::naive::Naive;
use crate::random::position_after;

/// A board, and from depth 1 on the leaves when a pass uses up a ply and when it does not.
type Row = (&'static str, &'static str, &'static [u64], &'static [u64]);

/// The counts of the start position are published in many places (OEIS A124004 where a pass is a
/// ply). The others were counted by our program and by a second one that shares nothing with it.
const COUNTS: [Row; 8] = [
    (
        "start",
        "---------------------------OX------XO--------------------------- X",
        &[4, 12, 56, 244, 1396, 8200, 55_092, 390_216, 3_005_288],
        &[4, 12, 56, 244, 1396, 8200, 55_092, 390_216, 3_005_320],
    ),
    (
        "both discs of a side beside each other",
        "---------------------------OOO-----XXX-------------------------- X",
        &[5, 22, 130, 788, 5400, 38_696, 301_059, 2_475_983],
        &[5, 22, 130, 788, 5400, 38_696, 301_059, 2_475_983],
    ),
    (
        "tiger",
        "------------------XO------XXX------OXX-----O-------------------- O",
        &[6, 54, 358, 3144, 25_039, 239_378, 2_149_579],
        &[6, 54, 358, 3144, 25_039, 239_378, 2_149_586],
    ),
    (
        "FFO #1",
        "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X",
        &[8, 57, 416, 2785, 17_784, 102_573, 547_711, 2_558_142],
        &[8, 57, 416, 2785, 17_792, 102_682, 548_387, 2_564_780],
    ),
    (
        "FFO #40",
        "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X",
        &[10, 30, 305, 1325, 12_843, 63_589, 561_645],
        &[10, 30, 305, 1357, 12_927, 64_973, 566_642],
    ),
    (
        "a forced pass first",
        "--------XO------XOOOO--XXOXOOOXXXOOOXXXXXOOXXOXXXOXOOXXX-XXXXXXX O",
        &[1, 9, 32, 251, 1253, 8447, 42_542, 252_695],
        &[9, 32, 251, 1253, 8453, 42_646, 253_506, 1_215_508],
    ),
    (
        "six empties",
        "XOOOXXOOXXXXXXOXXXOXOOX-XXXXOXXOXOOOXXXXXOOOXOXO-O--OOOOO-X-XOOO X",
        &[6, 16, 58, 139, 218, 227, 227, 227, 227],
        &[6, 16, 58, 139, 227, 227, 227, 227, 227],
    ),
    (
        "a side without discs",
        "--------------------------XXX----------------------------------- O",
        &[1, 1, 1],
        &[1, 1, 1],
    ),
];

#[test]
fn known_counts() {
    for (name, board, as_ply, free) in COUNTS {
        let position = parse_board(board).unwrap().position;
        for (rule, counts) in [(PassRule::Ply, as_ply), (PassRule::Free, free)] {
            for (depth, &leaves) in (1..).zip(counts) {
                assert_eq!(perft(position, depth, rule), leaves, "{name}, depth {depth}, {rule:?}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn counts_are_those_of_the_naive_rules(seed: u64, plies in 0usize..61) {
        let position = position_after(seed, plies);
        for rule in [PassRule::Ply, PassRule::Free] {
            for depth in 0..4 {
                let naive = Naive::of(position).perft(depth, rule);
                prop_assert_eq!(perft(position, depth, rule), naive, "depth {}, {:?}", depth, rule);
            }
        }
    }
}

/// Deeper rows of the table take long in a test build.
const MAX_DEPTH: u32 = 9;

#[test]
#[ignore = "needs ../shared/data/perft.csv"]
fn shared_counts() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/perft.csv");
    let table = fs::read_to_string(&path).unwrap();
    let mut checked = 0;
    for row in table.lines().skip(1) {
        let fields: Vec<&str> = row.split(',').collect();
        let [name, squares, side, depth, as_ply, _, free, ..] = fields[..] else {
            panic!("a short row: {row}");
        };
        let depth: u32 = depth.parse().unwrap();
        if depth > MAX_DEPTH {
            continue;
        }
        let position = parse_board(&format!("{squares} {side}")).unwrap().position;
        for (rule, leaves) in [(PassRule::Ply, as_ply), (PassRule::Free, free)] {
            assert_eq!(
                perft(position, depth, rule).to_string(),
                leaves,
                "{name}, depth {depth}, {rule:?}"
            );
            checked += 1;
        }
    }
    assert!(checked > 100, "only {checked} counts in the table");
}
