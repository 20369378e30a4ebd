//! Random games for tests, with names, and books of them.
#![allow(dead_code, clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use rosebill::app::games::{GameImportOptions, GameImportReport, import_games};
use rosebill::files::games::{
    self, Date, Entry, Game, GameFormat, Player, Stated, Theoretical, folded_name,
};
use rosebill::othello::board::{After, Placed, Position, Side, Square};
use rosebill::store::{Book, GameId, GameRow, GameStore, NameRules, Reader, StoreError};

use crate::dice::Dice;

const NAMES: [&str; 7] =
    ["Tamenori Hideshi", "Leader Imre", "Logistello (Buro)", "Van den Biggelaar", "Zoë", "K", ""];

/// How names are kept in tests.
pub const RULES: NameRules = NameRules { fold: folded_name, is_program: |name| name.contains('(') };

/// Random moves from a board: mostly the first of few, so that games share more than their start.
pub fn random_line(dice: &mut Dice, start: Placed, plies: usize) -> Vec<Square> {
    let mut now = Some(start);
    let mut moves = Vec::new();
    while let Some(placed) = now.filter(|_| moves.len() < plies) {
        let legal: Vec<Square> = placed.position.legal_moves().collect();
        let wild = dice.below(3) == 0;
        let square = legal[dice.below(if wild { legal.len() } else { legal.len().min(2) })];
        moves.push(square);
        now = placed.after(square);
    }
    moves
}

/// A random game: sometimes unfinished, sometimes from another board, with more or fewer facts.
pub fn random_game(dice: &mut Dice) -> Game {
    let mut game = Game::default();
    if dice.below(12) == 0 {
        let mut position = Position::START;
        for square in random_line(dice, Placed::START, 4) {
            position = position.after(square).and_then(After::position).unwrap();
        }
        game.start = Placed { position, side: Side::Black };
        game.xot = true;
    }
    let plies = if dice.below(8) == 0 { dice.below(50) } else { 60 };
    let entries: Vec<Entry> =
        random_line(dice, game.start, plies).into_iter().map(Entry::from).collect();
    game.set_moves(&entries).unwrap();
    let name = |dice: &mut Dice| {
        Some(NAMES[dice.below(NAMES.len())]).filter(|name| !name.is_empty()).map(str::to_owned)
    };
    let rating = |dice: &mut Dice| [None, Some(1800.0), Some(2402.25)][dice.below(3)];
    game.black = Player { name: name(dice), rating: rating(dice) };
    game.white = Player { name: name(dice), rating: rating(dice) };
    if dice.below(4) != 0 {
        let month = [None, Some(7)][dice.below(2)];
        game.date = Date::new(1977 + dice.below(47) as u16, month, month);
        game.event = Some(["EGP Stockholm", "WC", "Café"][dice.below(3)].to_owned());
    }
    if game.black_discs.is_none() && dice.below(2) == 0 {
        game.stated = Stated::read(["40-24", "1-0", "+12", "time"][dice.below(4)]);
    }
    if dice.below(5) == 0 && game.moves.len() > 40 {
        game.theoretical = Some(Theoretical { black_discs: dice.below(65) as u8, empties: 20 });
        game.extra.insert("Site".to_owned(), "Göteborg".to_owned());
        let said = r#"{"0":{"comments":["a book game"]},"3":{"glyphs":["?!"],"evaluation":-2.5}}"#;
        game.remarks = serde_json::from_str(said).unwrap();
    }
    game
}

/// Writes games as JSON Lines.
pub fn write_games(path: &Path, games: &[Game]) {
    let written = games::write(GameFormat::Json, games, fs::File::create(path).unwrap()).unwrap();
    assert_eq!(written.games, games.len() as u64, "{:?}", written.refused);
}

/// Imports files into a book.
pub fn take_files(book: &mut Book, files: &[PathBuf]) -> GameImportReport {
    let options =
        GameImportOptions { day: "2026-11-22".to_owned(), ..GameImportOptions::default() };
    let report = import_games(book, files, &options, |_| ()).unwrap();
    for file in &report.files {
        assert_eq!((file.refused, &file.failed), (0, &None), "{file:?}");
    }
    report
}

/// Puts games into a book, by way of a file.
pub fn take_games(book: &mut Book, name: &str, games: &[Game]) -> GameImportReport {
    let path = book.reader().path().with_file_name(name);
    write_games(&path, games);
    let report = take_files(book, std::slice::from_ref(&path));
    fs::remove_file(path).unwrap();
    report
}

/// Takes some games out, after which all others are in the index.
pub fn remove_games(book: &mut Book, games: &[u32]) {
    let games: Vec<GameId> = games.iter().copied().map(GameId).collect();
    let mut store = GameStore::open(book, RULES).unwrap();
    assert_eq!(store.remove(&games).unwrap(), games.len() as u64);
    store.finish().unwrap();
    book.commit().unwrap();
}

/// All games with their numbers and their collections.
pub type AllGames = BTreeMap<u32, (GameRow, Vec<String>)>;

/// All games of a book.
pub fn all_games(book: &Reader) -> AllGames {
    let mut games = AllGames::new();
    book.games()
        .for_each(GameId(0), |game, row| {
            let sources = book.games().sources_of(game)?;
            // Files are named by their whole path.
            let name = |source: &String| source.rsplit('/').next().unwrap().to_owned();
            games.insert(game.0, (row, sources.iter().map(name).collect()));
            Ok::<_, StoreError>(())
        })
        .unwrap();
    games
}
