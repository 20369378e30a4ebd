//! Games of a damaged book: what can be read of them is saved.

use std::fs;
use std::path::PathBuf;

use rosebill::app::games::verify_games;
use rosebill::app::{SalvageReport, salvage_to};
use rosebill::othello::board::{Key, Position};
use rosebill::store::{Book, GameRow, Reader};
use tempfile::TempDir;

use crate::dice::Dice;
use crate::random_games::{AllGames, all_games, random_game, remove_games, take_games};

const PAGE: usize = 4096;

/// A folder with a book of games only.
struct Shelf {
    folder: TempDir,
    games: AllGames,
}

impl Shelf {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let mut book = Book::create(folder.path().join("book.db")).unwrap();
        let mut dice = Dice(11);
        for name in ["wthor.jsonl", "club.jsonl", "long name of a collection.jsonl"] {
            let games: Vec<_> = (0..700).map(|_| random_game(&mut dice)).collect();
            take_games(&mut book, name, &games);
        }
        remove_games(&mut book, &[0, 5, 6, 1500]);
        // The table of workers has the columns of that of events.
        for number in 0..300 {
            let name = format!("a worker with a long name on machine {number}");
            book.fleet().note_worker(Key::of(Position::START), &name).unwrap();
        }
        book.commit().unwrap();
        book.checkpoint().unwrap();
        let games = all_games(book.reader());
        assert_eq!(games.len(), 2096);
        Self { folder, games }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn bytes(&self) -> Vec<u8> {
        fs::read(self.path("book.db")).unwrap()
    }

    /// Saves what is left of such a file: the new book is sound, and every game in it was there.
    fn saves(&self, name: &str, bytes: &[u8]) -> (SalvageReport, AllGames) {
        let (damaged, saved) =
            (self.path(&format!("{name}.db")), self.path(&format!("{name}-saved.db")));
        fs::write(&damaged, bytes).unwrap();
        let report = salvage_to(&damaged, &saved, &rosebill::othello::search::Stop::new()).unwrap();
        let reader = Reader::open(&saved).unwrap();
        let checked = verify_games(&reader).unwrap();
        assert!(checked.is_sound(), "{name}: {:?}", checked.first);
        let games = all_games(&reader);
        assert_eq!((games.len() as u64, report.positions), (report.games, 0), "{name}");
        for (number, (row, _)) in &games {
            let is =
                |(known, _): &(GameRow, _)| (&row.moves, row.start) == (&known.moves, known.start);
            // A number may be damaged too.
            let known = self.games.get(number).is_some_and(is) || self.games.values().any(is);
            assert!(known, "{name}: made {number} up");
        }
        if let Some(lost) = report.lost_games {
            assert_eq!(lost + report.games, self.games.len() as u64, "{name}");
        }
        (report, games)
    }
}

fn zero(bytes: &mut [u8], page: usize) {
    bytes[(page - 1) * PAGE..page * PAGE].fill(0);
}

/// The pages of the tree of a table or an index.
fn pages_of(shelf: &Shelf, name: &str) -> Vec<usize> {
    let connection = rusqlite::Connection::open(shelf.path("book.db")).unwrap();
    let root: u32 = connection
        .query_row("SELECT rootpage FROM sqlite_schema WHERE name = ?1", [name], |row| row.get(0))
        .unwrap();
    let bytes = shelf.bytes();
    let (mut found, mut open) = (vec![], vec![root as usize]);
    while let Some(page) = open.pop() {
        found.push(page);
        let at = (page - 1) * PAGE;
        let number = |at: usize, size: usize| {
            bytes[at..at + size].iter().fold(0, |sum, &byte| sum << 8 | usize::from(byte))
        };
        if matches!(bytes[at], 2 | 5) {
            open.push(number(at + 8, 4));
            for cell in 0..number(at + 3, 2) {
                open.push(number(at + number(at + 12 + 2 * cell, 2), 4));
            }
        }
    }
    found
}

#[test]
fn games_of_a_sound_book_are_saved_with_everything() {
    let shelf = Shelf::new();
    let mut bytes = shelf.bytes();
    let (report, games) = shelf.saves("sound", &bytes);
    assert!(games == shelf.games);
    assert_eq!((report.lost_games, report.lost_pages, report.meaningless), (Some(0), 0, 0));
    assert_eq!(report.lost_positions, Some(0));
    // Nothing of it needs the header and the list of the tables.
    zero(&mut bytes, 1);
    let (report, games) = shelf.saves("headless", &bytes);
    assert!(games == shelf.games);
    assert_eq!((report.lost_games, report.lost_pages), (Some(0), 1));
}

#[test]
fn a_lost_page_costs_its_own_games() {
    let shelf = Shelf::new();
    let whole = shelf.bytes();
    let of_games = pages_of(&shelf, "game");
    assert!(of_games.len() > 40, "{}", of_games.len());
    let mut dice = Dice(1);
    for round in 0..4 {
        let mut bytes = whole.clone();
        let mut gone: Vec<usize> =
            (0..3).map(|_| of_games[1 + dice.below(of_games.len() - 1)]).collect();
        gone.sort_unstable();
        gone.dedup();
        gone.iter().for_each(|&page| zero(&mut bytes, page));
        let (report, games) = shelf.saves(&format!("games-{round}"), &bytes);
        assert_eq!(report.lost_pages, gone.len() as u64);
        let lost = report.lost_games.unwrap();
        assert!(lost > 0 && lost < 60 * gone.len() as u64, "{lost}");
        assert!(games.iter().all(|(number, game)| *game == shelf.games[number]));
    }
    // The way to the games, the positions that they share, the facts: found or made again.
    for name in ["game_fingerprint", "game_move", "player_folded", "sqlite_autoindex_game_source_1"]
    {
        let mut bytes = whole.clone();
        pages_of(&shelf, name).iter().for_each(|&page| zero(&mut bytes, page));
        assert!(shelf.saves(name, &bytes).1 == shelf.games, "{name}");
    }
    let mut bytes = whole.clone();
    zero(&mut bytes, of_games[0]);
    assert!(shelf.saves("root", &bytes).1 == shelf.games);
    let mut bytes = whole.clone();
    pages_of(&shelf, "game_facts").iter().for_each(|&page| zero(&mut bytes, page));
    let (report, games) = shelf.saves("facts", &bytes);
    assert!(games == shelf.games);
    assert_eq!(report.lost_games, None);
    // Names and collections that are lost leave games without them, but none without any collection.
    for (name, expected) in
        [("player", None), ("collection", Some(NOWHERE)), ("game_source", Some(NOWHERE))]
    {
        let mut bytes = whole.clone();
        pages_of(&shelf, name).iter().for_each(|&page| zero(&mut bytes, page));
        let (_, games) = shelf.saves(name, &bytes);
        assert_eq!(games.len(), shelf.games.len());
        for (number, (row, sources)) in &games {
            let (before, collections) = &shelf.games[number];
            match expected {
                None => assert!(row.black.name.is_none() && sources == collections),
                Some(nowhere) => assert!(sources == &[nowhere] && row == before),
            }
        }
    }
}

const NOWHERE: &str = "unknown collection of a damaged book";

/// Bits that flip cost the games that they are in: a game that contradicts itself is none.
#[test]
fn no_game_is_made_up() {
    let shelf = Shelf::new();
    let whole = shelf.bytes();
    let of_games = pages_of(&shelf, "game");
    let mut dice = Dice(5);
    let mut meaningless = 0;
    for round in 0..6 {
        let mut bytes = whole.clone();
        for _ in 0..40 {
            let page = of_games[dice.below(of_games.len())];
            bytes[(page - 1) * PAGE + 200 + dice.below(PAGE - 200)] ^= 1 << dice.below(8);
        }
        let (report, _) = shelf.saves(&format!("bits-{round}"), &bytes);
        assert!(report.games > 2000, "{report:?}");
        meaningless += report.meaningless;
    }
    assert!(meaningless > 20, "{meaningless}");
    // Anywhere in the file, and cut off anywhere: never a panic.
    for round in 0..12 {
        let mut bytes = whole[..whole.len() - dice.below(whole.len() / 2)].to_vec();
        for _ in 0..200 {
            let at = dice.below(bytes.len());
            bytes[at] = dice.below(256) as u8;
        }
        let damaged = shelf.path(&format!("any-{round}.db"));
        fs::write(&damaged, bytes).unwrap();
        let saved = shelf.path(&format!("any-{round}-saved.db"));
        if salvage_to(&damaged, &saved, &rosebill::othello::search::Stop::new()).is_ok() {
            let report = verify_games(&Reader::open(&saved).unwrap()).unwrap();
            assert!(report.is_sound(), "{report:?}");
        }
    }
}

/// Many rows that all claim the same pages to go on to: each page is read for one of them.
#[test]
fn a_hostile_file_makes_no_more_work_than_it_has_pages() {
    let shelf = Shelf::new();
    let mut bytes = shelf.bytes();
    let first = bytes.len() / PAGE + 1;
    const CHAIN: usize = 3000;
    for number in first..first + CHAIN {
        let next = if number + 1 < first + CHAIN { number as u32 + 1 } else { 0 };
        bytes.extend(next.to_be_bytes());
        bytes.extend([0x55; PAGE - 4]);
    }
    // A row of which 489 bytes are on its page, and all the others in the chain.
    let size = 489 + CHAIN as u32 * (PAGE as u32 - 4);
    let mut cell: Vec<u8> = (0..4)
        .rev()
        .map(|at| (size >> (7 * at)) as u8 & 127 | if at > 0 { 128 } else { 0 })
        .collect();
    cell.push(1);
    cell.extend([0x55; 489]);
    cell.extend((first as u32).to_be_bytes());
    for _ in 0..20 {
        let mut page = vec![0; PAGE];
        let (place, cells) = ((PAGE - cell.len()) as u16, 1700_u16);
        page[0] = 13;
        page[3..5].copy_from_slice(&cells.to_be_bytes());
        for at in 0..usize::from(cells) {
            page[8 + 2 * at..][..2].copy_from_slice(&place.to_be_bytes());
        }
        page[usize::from(place)..].copy_from_slice(&cell);
        bytes.extend(page);
    }
    // Each of the 34,000 cells leads through the whole chain: followed every time, that takes hours.
    let (_, games) = shelf.saves("hostile", &bytes);
    assert!(games == shelf.games);
}
