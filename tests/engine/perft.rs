//! Leaf counts of the game tree against an outside table, in both ways to count passes.

use std::fs;
use std::path::Path;

use rosebill::board::{PassRule, parse_board, perft};

/// Deeper rows of the table take long in a test build.
const MAX_DEPTH: u32 = 9;

#[test]
fn counts_of_the_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/perft.csv");
    let Ok(table) = fs::read_to_string(&path) else {
        eprintln!("skipped: {} is not there", path.display());
        return;
    };
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
