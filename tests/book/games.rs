//! The game database against a count that knows nothing of it: all games, played again for each
//! question.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use rosebill::app::games::{
    FilterError, GameDatabase, GameFilter, GameImportOptions, GameStats, LoadedGames, Removal,
    game_stats, import_games, popular_lines, remove_games, would_remove,
};
use rosebill::files::games::{Game, GameFormat, Player};
use rosebill::othello::board::{After, Key, Line, Placed, Side, Square, Symmetry};
use rosebill::store::{Book, Reader};
use tempfile::TempDir;

use crate::dice::Dice;

/// A folder with a book of games, and the games.
struct Club {
    _folder: TempDir,
    book: Book,
    games: Vec<Game>,
}

const NAMES: [&str; 4] = ["Rose Brian", "Hassan Imre", "Zebra (Andersson)", "Tastet Marc"];

/// Random games in all orientations that often begin alike; some end too soon.
fn random_games(count: usize, seed: u64) -> Vec<Game> {
    let mut dice = Dice(seed);
    let mut lines: Vec<Vec<Square>> = Vec::new();
    (0..count)
        .map(|number| {
            let mut line = Line::default();
            if let Some(other) = (!lines.is_empty()).then(|| &lines[dice.below(lines.len())]) {
                let turn = Symmetry::all()
                    .filter(|turn| turn.position(Placed::START.position) == Placed::START.position)
                    .nth(dice.below(4))
                    .unwrap();
                let shared = dice.below(20);
                let moves: Vec<Square> =
                    other.iter().take(shared).map(|&square| turn.square(square)).collect();
                line = line.then(&moves);
            }
            let length = if dice.below(4) == 0 { dice.below(60) } else { 60 };
            while line.len() < length.max(1)
                && let Some(placed) = line.end()
            {
                let moves: Vec<_> = placed.position.legal_moves().collect();
                assert!(line.push(moves[dice.below(moves.len())]));
            }
            lines.push(line.squares().collect());
            let is_over = line.end().is_none();
            let board = line.board();
            let black = if board.side == Side::Black {
                board
            } else {
                Placed { position: board.position.passed(), ..board }
            };
            let score = black.position.final_score();
            Game {
                source: format!("club {}", number % 3),
                event: Some(format!("Event {}", number % 5)),
                round: Some(number.to_string()),
                date: rosebill::files::games::Date::new(1990 + (number % 10) as u16, None, None),
                black: Player { name: Some(NAMES[dice.below(4)].to_owned()), rating: None },
                white: Player { name: Some(NAMES[dice.below(4)].to_owned()), rating: None },
                moves: line.squares().collect(),
                black_discs: is_over.then(|| ((64 + i16::from(score)) / 2) as u8),
                ..Game::default()
            }
        })
        .collect()
}

impl Club {
    fn of(games: Vec<Game>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        let mut book = Book::create(folder.path().join("book.db")).unwrap();
        let mut bytes = Vec::new();
        rosebill::files::games::write(GameFormat::Json, &games, &mut bytes).unwrap();
        fs::write(&path, bytes).unwrap();
        import(&mut book, path);
        Self { _folder: folder, book, games }
    }
}

fn import(book: &mut Book, path: PathBuf) {
    let report = import_games(book, &[path], &GameImportOptions::default(), |_| {}).unwrap();
    assert!(report.files.iter().all(|file| file.refused == 0 && file.failed.is_none()));
}

/// What is known of a move by playing everything again: games, won by Black, drawn, won by White.
type Counts = BTreeMap<Square, [u64; 4]>;

/// Counts with images of moves as one; and how many came by the line.
fn naive(games: &[Game], line: &Line) -> (Counts, u64) {
    let wanted = line.end().unwrap();
    let (key, _) = Key::with_symmetry(wanted.position);
    let way: Vec<Key> = line.steps().iter().map(|step| Key::of(step.before.position)).collect();
    let (mut counts, mut by_order) = (Counts::new(), 0);
    for game in games {
        let played = game.line();
        let keys: Vec<Key> = played.steps().iter().map(|s| Key::of(s.before.position)).collect();
        let Some(step) = played.steps().iter().find(|step| Key::of(step.before.position) == key)
        else {
            continue;
        };
        by_order += u64::from(keys.starts_with(&way) && keys.get(way.len()) == Some(&key));
        // The move as it would look on the asker's board: the first of its images.
        let turns =
            Symmetry::all().filter(|turn| turn.position(step.before.position) == wanted.position);
        let square = turns.map(|turn| turn.square(step.square)).min().unwrap();
        let swapped = step.before.side != wanted.side;
        let counts = counts.entry(square).or_default();
        counts[0] += 1;
        match game.black_discs.map(|discs| if swapped { 64 - discs } else { discs }) {
            Some(33..) => counts[1] += 1,
            Some(32) => counts[2] += 1,
            Some(_) => counts[3] += 1,
            None => {}
        }
    }
    (counts, by_order)
}

fn counted(stats: &GameStats) -> Counts {
    let wanted = stats.placed.position;
    let mut counts = Counts::new();
    for played in &stats.moves {
        let same = Symmetry::all().filter(|turn| turn.position(wanted) == wanted);
        let square = same.map(|turn| turn.square(played.square)).min().unwrap();
        let tally = played.tally;
        let known = [tally.games, tally.black, tally.draw, tally.white];
        assert!(counts.insert(square, known).is_none(), "images of one move");
    }
    counts
}

/// All positions of some games, and the start, as lines in their own orientation.
fn questions(games: &[Game], dice: &mut Dice, count: usize) -> Vec<Line> {
    let mut lines = vec![Line::default()];
    while lines.len() < count {
        let game = &games[dice.below(games.len())];
        let length = dice.below(game.moves.len());
        let line = Line::default().then(&game.moves[..length]);
        if line.end().is_some() {
            lines.push(line);
        }
    }
    lines
}

fn compare(club: &Club, games: &[Game], filter: &GameFilter, seed: u64) {
    let database = GameDatabase::open(club.book.reader()).unwrap();
    for line in questions(&club.games, &mut Dice(seed), 150) {
        let stats = game_stats(&database, &line, filter).unwrap().unwrap();
        let (counts, by_order) = naive(games, &line);
        assert_eq!(counted(&stats), counts, "{line}");
        assert_eq!(stats.this_order, (!line.is_empty()).then_some(by_order), "{line}");
        assert_eq!(stats.games.len() as u64, stats.tally.games);
    }
}

#[test]
fn counts_are_those_of_a_replay() {
    // So many that they go into the index.
    let club = Club::of(random_games(1_200, 17));
    compare(&club, &club.games, &GameFilter::default(), 1);
    let filters = [
        GameFilter { players: vec!["rose".into()], ..GameFilter::default() },
        GameFilter {
            black: vec!["imre has".into()],
            years: "1995-".parse().ok(),
            ..GameFilter::default()
        },
        GameFilter {
            event: Some("event 3".into()),
            years: "-1997".parse().ok(),
            ..GameFilter::default()
        },
        GameFilter {
            programs: Some(false),
            source: Some("club 1".into()),
            ..GameFilter::default()
        },
    ];
    let takes: [fn(&Game) -> bool; 4] = [
        |game| {
            [&game.black, &game.white].iter().any(|player| player.name.as_deref() == Some(NAMES[0]))
        },
        |game| game.black.name.as_deref() == Some(NAMES[1]) && game.date.unwrap().year() >= 1995,
        |game| game.event.as_deref() == Some("Event 3") && game.date.unwrap().year() <= 1997,
        |game| {
            let program = Some(NAMES[2]);
            game.source == "club 1"
                && game.black.name.as_deref() != program
                && game.white.name.as_deref() != program
        },
    ];
    for (filter, takes) in filters.iter().zip(takes) {
        let chosen: Vec<Game> = club.games.iter().filter(|game| takes(game)).cloned().collect();
        assert!(!chosen.is_empty() && chosen.len() < club.games.len());
        compare(&club, &chosen, filter, 2);
    }
}

#[test]
fn games_that_are_not_in_the_index_count_too() {
    let mut games = random_games(1_250, 23);
    let later = games.split_off(1_150);
    let mut club = Club::of(games);
    assert!(club.book.reader().games().indexed().unwrap() >= 1_100);
    let path = club._folder.path().join("later.jsonl");
    let mut bytes = Vec::new();
    rosebill::files::games::write(GameFormat::Json, &later, &mut bytes).unwrap();
    fs::write(&path, bytes).unwrap();
    let before = club.book.reader().games().indexed().unwrap();
    import(&mut club.book, path.clone());
    assert_eq!(club.book.reader().games().indexed().unwrap(), before);
    club.games.extend(later);
    compare(&club, &club.games, &GameFilter::default(), 3);

    // Again: nothing is new.
    let count = GameDatabase::open(club.book.reader()).unwrap().len();
    import(&mut club.book, path);
    assert_eq!(GameDatabase::open(club.book.reader()).unwrap().len(), count);

    // And without those of one player.
    let filter = GameFilter { players: vec!["tastet".into()], ..GameFilter::default() };
    let removed = remove_games(&mut club.book, &filter).unwrap();
    let is_his = |game: &Game| {
        [&game.black, &game.white].iter().any(|player| player.name.as_deref() == Some(NAMES[3]))
    };
    let all = club.games.len();
    club.games.retain(|game| !is_his(game));
    assert_eq!(removed.removed as usize, all - club.games.len());
    let left = club.games.clone();
    compare(&club, &left, &GameFilter::default(), 4);
}

#[test]
fn games_loaded_once_answer_on_many_threads_until_they_change() {
    let mut club = Club::of(random_games(300, 31));
    let loaded = Arc::new(LoadedGames::load(club.book.reader()).unwrap());
    let path = club.book.reader().path().to_owned();
    let filter = GameFilter { players: vec!["rose".into()], ..GameFilter::default() };
    let lines = questions(&club.games, &mut Dice(5), 60);
    let own = GameDatabase::open(club.book.reader()).unwrap();
    let wanted: Vec<_> =
        lines.iter().map(|line| game_stats(&own, line, &filter).unwrap().unwrap()).collect();
    drop(own);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let reader = Reader::open(&path).unwrap();
                assert!(loaded.are_those_of(&reader).unwrap());
                let database = GameDatabase::with(&reader, Arc::clone(&loaded));
                for (line, wanted) in lines.iter().zip(&wanted) {
                    let found = game_stats(&database, line, &filter).unwrap().unwrap();
                    assert_eq!(counted(&found), counted(wanted), "{line}");
                }
            });
        }
    });
    remove_games(
        &mut club.book,
        &GameFilter { event: Some("event 3".into()), ..GameFilter::default() },
    )
    .unwrap();
    assert!(!loaded.are_those_of(club.book.reader()).unwrap());
}

#[test]
fn games_of_two_sources_stay_when_one_goes() {
    let mut club = Club::of(random_games(30, 7));
    let path = club._folder.path().join("again.jsonl");
    let again: Vec<Game> =
        club.games.iter().map(|game| Game { source: "again".into(), ..game.clone() }).collect();
    let mut bytes = Vec::new();
    rosebill::files::games::write(GameFormat::Json, &again, &mut bytes).unwrap();
    fs::write(&path, bytes).unwrap();
    let before = GameDatabase::open(club.book.reader()).unwrap().len();
    let loaded = LoadedGames::load(club.book.reader()).unwrap();
    import(&mut club.book, path);
    // Filters by source have other answers now.
    assert!(!loaded.are_those_of(club.book.reader()).unwrap());
    let loaded = LoadedGames::load(club.book.reader()).unwrap();
    let filter = GameFilter { source: Some("again".into()), ..GameFilter::default() };
    let would = would_remove(club.book.reader(), &filter).unwrap();
    assert_eq!(would, Removal { removed: 0, kept: before, sources: vec!["again".into()] });
    assert!(loaded.are_those_of(club.book.reader()).unwrap());
    assert_eq!(remove_games(&mut club.book, &filter).unwrap(), would);
    assert!(!loaded.are_those_of(club.book.reader()).unwrap());
    assert_eq!(GameDatabase::open(club.book.reader()).unwrap().len(), before);
    let sources = club.book.reader().games().collections().unwrap();
    assert!(sources.iter().all(|known| known.name != "again"), "{sources:?}");
    assert!(matches!(remove_games(&mut club.book, &filter), Err(FilterError::NoSuch { .. })));
    // As many other games under the same name are other games.
    let path = club._folder.path().join("again.jsonl");
    let take = |book: &mut Book, games: &[Game]| {
        let mut bytes = Vec::new();
        rosebill::files::games::write(GameFormat::Json, games, &mut bytes).unwrap();
        fs::write(&path, bytes).unwrap();
        import(book, path.clone());
    };
    let (some, others) = again.split_at(again.len() / 2);
    take(&mut club.book, some);
    let loaded = LoadedGames::load(club.book.reader()).unwrap();
    remove_games(&mut club.book, &filter).unwrap();
    take(&mut club.book, others);
    assert!(!loaded.are_those_of(club.book.reader()).unwrap());
}

#[test]
fn the_most_popular_line_takes_the_most_popular_moves() {
    let club = Club::of(random_games(300, 5));
    let database = GameDatabase::open(club.book.reader()).unwrap();
    let filter = GameFilter::default();
    let lines = popular_lines(&database, &Line::default(), 5, 3, &filter).unwrap();
    assert_eq!(lines.len(), 5);
    assert!(lines.windows(2).all(|two| two[0].fashion >= two[1].fashion));
    let mut line = Line::default();
    for &square in &lines[0].moves {
        let stats = game_stats(&database, &line, &filter).unwrap().unwrap();
        assert_eq!(stats.of_move(square).unwrap().tally.games, stats.moves[0].tally.games);
        assert!(line.push(square));
    }
    let end = game_stats(&database, &line, &filter).unwrap().unwrap();
    assert!(end.moves.first().is_none_or(|best| best.tally.games < 3));
    // What is left of a single game is no line.
    let all = popular_lines(&database, &Line::default(), 40, 1, &filter).unwrap();
    assert_eq!(all.len(), 40);
    for line in &all {
        let before = Line::default().then(&line.moves[..line.moves.len() - 1]);
        let stats = game_stats(&database, &before, &filter).unwrap().unwrap();
        assert!(line.moves.len() == 1 || stats.tally.games > 1, "{before}");
    }
}

/// After a pass either side may be to move on one board: a result then counts for the colours of the
/// board that was asked about.
#[test]
fn a_board_with_the_other_side_to_move_counts_the_other_way_round() {
    let mut club = Club::of(random_games(50, 9));
    let game =
        club.games.iter().find(|game| game.black_discs.is_some_and(|discs| discs != 32)).unwrap();
    let step = game.line().steps()[7];
    let swapped = Placed { side: step.before.side.other(), ..step.before };
    let database = GameDatabase::open(club.book.reader()).unwrap();
    let filter = GameFilter::default();
    let stats =
        |placed| game_stats(&database, &Line::from_board(placed), &filter).unwrap().unwrap();
    let (plain, other) = (stats(step.before).tally, stats(swapped).tally);
    assert_eq!((plain.black, plain.white), (other.white, other.black));
    assert_eq!(plain.mean_score(), other.mean_score().map(|mean| -mean));
    assert!(matches!(step.after, After::Opponent(_) | After::Same(_)));
    drop(database);
    club.book.commit().unwrap();
}

/// Engines play a line again: in one file these are games of their own, whatever the order in which they are
/// read again.
#[test]
fn one_file_may_have_a_line_twice() {
    let folder = tempfile::tempdir().unwrap();
    let mut book = Book::create(folder.path().join("book.db")).unwrap();
    let played = random_games(20, 3).into_iter().find(|game| game.moves.len() >= 40).unwrap();
    let game = |day: u8, round: &str, [black, white]: [&str; 2]| Game {
        date: rosebill::files::games::Date::new(2020, Some(day), Some(day)),
        round: Some(round.to_owned()),
        black: Player { name: Some(black.to_owned()), rating: None },
        white: Player { name: Some(white.to_owned()), rating: None },
        ..played.clone()
    };
    let first = game(1, "1", ["Zebra", "Edax"]);
    let second = game(2, "2", ["Logistello", "Zebra"]);
    let third = game(2, "3", ["Zebra", "Edax"]);
    let mut import = |games: &[&Game]| {
        let path = folder.path().join("games.jsonl");
        let games: Vec<Game> = games.iter().map(|&game| game.clone()).collect();
        let mut bytes = Vec::new();
        rosebill::files::games::write(GameFormat::Json, &games, &mut bytes).unwrap();
        fs::write(&path, bytes).unwrap();
        let report = import_games(&mut book, &[path], &GameImportOptions::default(), |_| {});
        let file = report.unwrap().files.remove(0);
        (file.new, file.known, file.richer)
    };
    assert_eq!(import(&[&first, &second, &first, &third]), (3, 1, 0));
    assert_eq!(import(&[&third, &first, &second]), (0, 3, 0));
    // Another source that says less is of the same games.
    let year =
        Game { date: rosebill::files::games::Date::new(2020, None, None), round: None, ..second };
    assert_eq!(import(&[&year]), (0, 1, 0));
    // Programs play it in another round, too.
    let other_round = Game { round: Some("7".to_owned()), ..first };
    assert_eq!(import(&[&other_round]), (1, 0, 0));
    assert_eq!(import(&[&other_round]), (0, 1, 0));
}

/// Many games end after a few moves: they are the same only with the same facts.
#[test]
fn broken_off_games_are_found_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut book = Book::create(folder.path().join("book.db")).unwrap();
    let line: Line = "f5d6c3".parse().unwrap();
    let mut games: Vec<Game> = (0..300)
        .map(|number| Game {
            source: "club".to_owned(),
            event: Some(format!("Event {}", number / 2)),
            moves: line.squares().collect(),
            ..Game::default()
        })
        .collect();
    games[7].start =
        Placed { position: Symmetry::new(3).position(Placed::START.position), ..Placed::START };
    games[7].moves = line.squares().map(|square| Symmetry::new(3).square(square)).collect();
    let path = folder.path().join("games.jsonl");
    let mut bytes = Vec::new();
    rosebill::files::games::write(GameFormat::Json, &games, &mut bytes).unwrap();
    fs::write(&path, bytes).unwrap();
    for (new, known) in [(150, 150), (0, 300)] {
        let report = import_games(
            &mut book,
            std::slice::from_ref(&path),
            &GameImportOptions::default(),
            |_| {},
        );
        let file = report.unwrap().files.remove(0);
        assert_eq!((file.new, file.known, file.richer), (new, known, 0));
    }
}
