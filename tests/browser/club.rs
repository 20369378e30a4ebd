//! A small book with games, made once for all tests.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use rosebill::files::games::{Date, Game, GameFormat, Player, write};
use rosebill::othello::board::{Line, Square};
use tempfile::TempDir;

/// How many games there are; those of [`ROSE`] are fewer.
pub const GAMES: usize = 120;
/// A player of some of them.
pub const ROSE: &str = "Rose Brian";

const NAMES: [&str; 4] = [ROSE, "Hassan Imre", "Tastet Marc", "Inoue Hiroshi"];

/// A program run to its end.
pub fn rosebill(arguments: &[&str]) {
    let output = Command::new(env!("CARGO_BIN_EXE_rosebill")).args(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// A copy of the book for one test.
pub fn book(folder: &Path) -> PathBuf {
    static MADE: OnceLock<TempDir> = OnceLock::new();
    let made = MADE.get_or_init(|| {
        let folder = TempDir::new().unwrap();
        let book = folder.path().join("club.db");
        let book = book.to_str().unwrap();
        let grown = ["--level", "2", "--positions", "400", "--threads", "1", "--table", "1"];
        rosebill(&[&["grow", "--quiet", "--book", book], &grown[..]].concat());
        let file = folder.path().join("club.jsonl");
        let mut bytes = Vec::new();
        write(GameFormat::Json, &games(), &mut bytes).unwrap();
        std::fs::write(&file, bytes).unwrap();
        rosebill(&["games", "import", "--quiet", "--book", book, file.to_str().unwrap()]);
        folder
    });
    let copy = folder.join("club.db");
    std::fs::copy(made.path().join("club.db"), &copy).unwrap();
    copy
}

/// Whole games that begin as the tiger and go on by chance.
fn games() -> Vec<Game> {
    // SplitMix64, by Steele, Lea and Flood.
    let mut state = 7_u64;
    let mut below = |count: usize| {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) as usize % count
    };
    (0..GAMES)
        .map(|number| {
            let mut line: Line = "f5d6c3d3c4".parse().unwrap();
            while let Some(placed) = line.end() {
                let moves: Vec<Square> = placed.position.legal_moves().collect();
                assert!(line.push(moves[below(moves.len())]));
            }
            let player = |name: &str| Player { name: Some(name.to_owned()), rating: None };
            Game {
                source: "club".to_owned(),
                event: Some("Club evening".to_owned()),
                date: Date::new(2000 + (number % 10) as u16, None, None),
                black: player(NAMES[number % 4]),
                white: player(NAMES[(number + 1 + number / 4 % 3) % 4]),
                moves: line.squares().collect(),
                ..Game::default()
            }
        })
        .collect()
}
