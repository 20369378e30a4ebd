//! What an analysis says of games, and what a book keeps of it.

use std::time::Duration;

use rosebill::app::analysis::{
    AnalysedGame, AnalysisBook, AnalysisEvent, AnalysisOptions, AnalysisSummary, GameToAnalyse,
    Known, LossOptions, Stored, analyse_games, losses,
};
use rosebill::app::games::GameDatabase;
use rosebill::app::{BookFile, Depth, GrowOptions, ShowOptions, grow, show};
use rosebill::files::games::{Entry, Game};
use rosebill::othello::board::{After, Key, Line, Placed, Side};
use rosebill::othello::eval::PatternEvaluator;
use rosebill::othello::score::Score;
use rosebill::othello::search::{Level, Proof, Selectivity, Stop};
use rosebill::store::{AnalysedSquare, Book, PositionAnalysis, PositionSearcher, Reader};
use tempfile::TempDir;

use crate::dice::Dice;
use crate::random_games::{random_game, random_line, take_games};

/// A level that is quick, with exact ends that are quick too.
pub fn quick() -> AnalysisOptions {
    AnalysisOptions {
        level: Level::new(2).unwrap(),
        exact_from: 10,
        table_megabytes: 1,
        ..AnalysisOptions::default()
    }
}

/// Whole games from the start.
pub fn whole_games(seed: u64, count: usize) -> Vec<Game> {
    let mut dice = Dice(seed);
    let game = |dice: &mut Dice| {
        let entries: Vec<Entry> =
            random_line(dice, Placed::START, 60).into_iter().map(Entry::from).collect();
        let mut game = Game::default();
        game.set_moves(&entries).unwrap();
        game
    };
    (0..count).map(|_| game(&mut dice)).collect()
}

/// Analyses games, with the book of a path where there is one.
pub fn analyse(
    book: Option<&Reader>,
    games: &[Game],
    options: &AnalysisOptions,
) -> (Vec<AnalysedGame>, AnalysisSummary) {
    let database = book.map(|book| GameDatabase::open(book).unwrap());
    let book = database.as_ref().map(|database| AnalysisBook {
        database,
        file: Some(BookFile::at(database.book().path())),
    });
    let games = games.iter().map(|game| Ok(GameToAnalyse { game: game.clone(), id: None }));
    let mut analysed = Vec::new();
    let summary = analyse_games(book, games, options, |event| {
        if let AnalysisEvent::Game(game) = event {
            analysed.push(game.clone());
        }
        Ok(())
    });
    (analysed, summary.unwrap())
}

/// All that a book keeps.
pub fn kept(book: &Reader) -> Vec<(Key, PositionAnalysis)> {
    let mut all = Vec::new();
    book.analyses()
        .for_each(|key, analysis| {
            all.push((key, analysis));
            Ok::<_, rosebill::store::StoreError>(())
        })
        .unwrap();
    all
}

/// What exact losses must add up to.
pub fn assert_exact_losses_add_up(analysed: &AnalysedGame) {
    let Some(black_discs) = analysed.game.black_discs else { return };
    let result = Score::from_discs((2 * i16::from(black_discs) - 64) as i8);
    let Some(from) = analysed.exact_from() else { panic!("a whole game ends exactly") };
    let exact = analysed.moves.get(from - 1..).unwrap();
    let best = exact[0].before_for_black().unwrap();
    let mut expected = i32::from(best.centidiscs());
    for played in exact {
        let loss = i32::from(played.loss().unwrap().centidiscs());
        expected += if played.side() == Side::Black { -loss } else { loss };
    }
    assert_eq!(expected, i32::from(result.centidiscs()), "{}", analysed.game.line());
}

#[test]
fn exact_losses_add_up_to_best_less_played_result() {
    let games = whole_games(1, 30);
    let (analysed, summary) = analyse(None, &games, &quick());
    assert_eq!((summary.games, summary.stored, summary.stopped), (30, Stored::NoBook, false));
    for (game, analysed) in games.iter().zip(&analysed) {
        assert_eq!(&analysed.game, game, "games come in their order");
        assert!(analysed.is_complete());
        assert_exact_losses_add_up(analysed);
        let [black, white] = [Side::Black, Side::White].map(|side| analysed.sums(side));
        let of_moves: u64 = analysed
            .moves
            .iter()
            .map(|played| u64::from(played.loss().unwrap().centidiscs().unsigned_abs()))
            .sum();
        assert_eq!(black.all.centidiscs + white.all.centidiscs, of_moves);
        for sums in [black, white] {
            let of_phases: u64 = sums.phases.iter().map(|sum| sum.centidiscs).sum();
            assert_eq!(of_phases, sums.all.centidiscs);
        }
    }
}

#[test]
fn exact_values_go_on_from_move_to_move_and_a_pass_shifts_nothing() {
    let games = whole_games(2, 40);
    let (analysed, _) = analyse(None, &games, &quick());
    let mut passes = 0;
    for game in &analysed {
        let line = game.game.line();
        let mut exact_before = None;
        for ((number, step), played) in (1..).zip(line.steps()).zip(&game.moves) {
            assert_eq!(
                (played.ply, played.square, played.before),
                (number, step.square, step.before)
            );
            let value = played.value.unwrap();
            assert!(value.played <= value.before);
            assert_eq!(value.best == played.square, value.loss() == Score::ZERO);
            if let Some(expected) = exact_before {
                // The value after a move, seen by whoever moves next.
                assert_eq!(value.before, expected, "{line}, move {number}");
            }
            exact_before = match (value.known, step.after) {
                (Known::Exact, After::Opponent(_)) => Some(-value.played),
                (Known::Exact, After::Same(_)) => {
                    passes += 1;
                    Some(value.played)
                }
                (Known::Exact, After::Over(discs)) => {
                    assert_eq!(value.played, Score::from_discs(discs));
                    None
                }
                _ => None,
            };
            let next_after_pass = game.moves.get(number).is_some_and(|next| next.after_pass);
            assert_eq!(next_after_pass, matches!(step.after, After::Same(_)));
        }
    }
    assert!(passes > 3, "{passes} passes");
}

#[test]
fn both_values_of_a_move_are_searched_alike_whoever_searches() {
    let games = whole_games(3, 6);
    let options = AnalysisOptions { level: Level::new(5).unwrap(), ..quick() };
    let (one, _) = analyse(None, &games, &options);
    let (two, _) = analyse(None, &games, &AnalysisOptions { threads: 3, ..options.clone() });
    assert!(one == two, "threads make a difference");
    for game in &one {
        for played in &game.moves {
            let limits = options.limits(played.before.position.empties());
            match played.value.unwrap().known {
                Known::Exact => assert!(limits.depth == played.before.position.empties()),
                Known::Searched { depth, selectivity } => {
                    assert_eq!((depth, selectivity), (limits.depth, limits.selectivity));
                }
                Known::Book { .. } => panic!("there is no book"),
            }
        }
    }
}

#[test]
fn names_and_the_only_move_are_told() {
    let line: Line = "f5d6c3d3c4f4c5b3c2e3".parse().unwrap();
    let mut game = Game::default();
    let entries: Vec<Entry> = line.squares().map(Entry::from).collect();
    game.set_moves(&entries).unwrap();
    let (analysed, _) = analyse(None, &[game], &quick());
    let names: Vec<_> =
        analysed[0].moves.iter().filter_map(|played| Some((played.ply, played.name?))).collect();
    assert!(names.contains(&(5, "Tiger")) && names.contains(&(9, "Rose-Bill")), "{names:?}");
    assert!(names.iter().is_sorted_by(|one, next| one.0 < next.0 && one.1 != next.1));
    let first = &analysed[0].moves[0];
    assert_eq!((first.choices, first.loss()), (4, Some(Score::ZERO)), "all first moves are one");
    assert_eq!(analysed[0].exact_from(), None);
}

#[test]
fn what_is_kept_is_not_searched_again_unless_more_is_asked_for() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.db");
    drop(Book::create(&path).unwrap());
    let reader = Reader::open(&path).unwrap();
    let games = whole_games(4, 5);
    let (first, summary) = analyse(Some(&reader), &games, &quick());
    assert!(summary.searched > 200 && summary.stored == Stored::All, "{summary:?}");
    let before = kept(&reader);
    assert!(reader.analyses().verify().unwrap().is_sound());
    assert_eq!(before.len() as u64, summary.searched, "each position once");
    let (again, summary) = analyse(Some(&reader), &games, &quick());
    assert_eq!(summary.searched, 0);
    assert!(first == again);
    // Less is asked for: what is there is better.
    let lower = AnalysisOptions { level: Level::new(1).unwrap(), exact_from: 6, ..quick() };
    assert!(analyse(Some(&reader), &games, &lower).0 == first);
    assert!(kept(&reader) == before);
    // More is asked for: what is not exact is searched again, with all moves that were known there.
    let higher = AnalysisOptions { level: Level::new(3).unwrap(), ..quick() };
    let (raised, summary) = analyse(Some(&reader), &games, &higher);
    let open = before.iter().filter(|(_, analysis)| !analysis.is_exact()).count();
    assert_eq!(summary.searched, open as u64);
    let (alone, _) = analyse(None, &games, &higher);
    for (raised, alone) in raised.iter().zip(&alone) {
        for (one, other) in raised.moves.iter().zip(&alone.moves) {
            assert_eq!(one.value, other.value, "{} {}", one.ply, raised.game.line());
        }
    }
    let after = kept(&reader);
    assert!(reader.analyses().verify().unwrap().is_sound());
    assert_eq!(after.len(), before.len());
    for ((_, old), (_, new)) in before.iter().zip(&after) {
        assert!(new.depth >= old.depth);
        // The best move may be another one now; those that were played are all there.
        for known in old.moves.iter().filter(|known| !known.best) {
            assert!(new.of(known.square).is_some(), "a move that was known is gone");
        }
    }
    // Another move at a known position: that one alone is searched, with the same limits.
    let mut other = games[0].clone();
    let step = other.line().steps()[30];
    let square =
        step.before.position.legal_moves().find(|&square| {
            square != step.square && kept_move(&after, step.before, square).is_none()
        });
    let mut moves: Vec<Entry> = other.moves.iter().take(30).copied().map(Entry::from).collect();
    moves.push(square.unwrap().into());
    other.set_moves(&moves).unwrap();
    let (_, summary) = analyse(Some(&reader), &[other], &higher);
    assert_eq!(summary.searched, 1);
    assert!(reader.analyses().verify().unwrap().is_sound());
}

fn kept_move(
    all: &[(Key, PositionAnalysis)],
    before: Placed,
    square: rosebill::othello::board::Square,
) -> Option<()> {
    let (key, symmetry) = Key::with_symmetry(before.position);
    let (_, analysis) = all.iter().find(|(known, _)| *known == key)?;
    analysis.of(key.first_image(symmetry.square(square))).map(|_| ())
}

#[test]
fn a_book_that_is_written_is_read_and_nothing_is_stored() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.db");
    let writer = Book::create(&path).unwrap();
    let reader = Reader::open(&path).unwrap();
    let games = whole_games(5, 2);
    let (analysed, summary) = analyse(Some(&reader), &games, &quick());
    assert!(analysed.iter().all(AnalysedGame::is_complete));
    let Stored::Not { positions, why } = summary.stored else { panic!("{summary:?}") };
    assert_eq!(positions, summary.searched);
    assert_eq!(why, format!("process {} writes the book", std::process::id()));
    assert!(kept(&reader).is_empty());
    drop(writer);
    let (again, summary) = analyse(Some(&reader), &games, &quick());
    assert!(summary.stored == Stored::All && again == analysed);
    assert_eq!(kept(&reader).len() as u64, summary.searched);
}

#[test]
fn the_book_is_believed_where_it_knows_both_moves_as_well_as_a_search() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.db");
    let mut book = Book::create(&path).unwrap();
    let level = Level::new(4).unwrap();
    let grown =
        GrowOptions { depth: Depth::Level(level), positions: Some(150), ..GrowOptions::default() };
    let evaluator = PatternEvaluator::embedded().unwrap();
    grow(&mut book, &evaluator, &grown, &Stop::new(), &mut |_| ()).unwrap();
    drop(book);
    let reader = Reader::open(&path).unwrap();
    let shown = show(&reader, Placed::START, &ShowOptions::default()).unwrap();
    let mut game = Game::default();
    let line = Line::default().then(&shown.best_play);
    let mut line = line;
    while line.len() < 20 {
        assert!(line.push(line.end().unwrap().position.legal_moves().next().unwrap()));
    }
    let entries: Vec<Entry> = line.squares().map(Entry::from).collect();
    game.set_moves(&entries).unwrap();
    let low = AnalysisOptions { level: Level::new(2).unwrap(), ..quick() };
    let (analysed, _) = analyse(Some(&reader), std::slice::from_ref(&game), &low);
    let mut believed = 0;
    for played in &analysed[0].moves {
        let value = played.value.unwrap();
        let Known::Book { error } = value.known else { continue };
        believed += 1;
        let view = show(&reader, played.before, &ShowOptions::default()).unwrap();
        assert_eq!(Some(value.before), view.moves[0].found.values.map(|values| values.guess));
        let of_played = view.moves.iter().find(|shown| shown.found.square == played.square);
        assert_eq!(Some(value.played), of_played.unwrap().found.values.map(|values| values.guess));
        // Grown by searches that are deeper than what is asked for.
        assert!(error > 0.0);
    }
    assert!(believed > 2, "{believed}");
    let left = analysed[0].left_book_at.unwrap();
    assert!((1..=20).contains(&left));
    let is_in = |position| show(&reader, position, &ShowOptions::default()).unwrap().in_book();
    assert!(is_in(analysed[0].moves[left - 1].before) && !is_in(analysed[0].moves[left].before));
    // Who asks for more than the book knows gets a search.
    let high = AnalysisOptions { level: Level::new(14).unwrap(), ..quick() };
    let (analysed, _) = analyse(Some(&reader), std::slice::from_ref(&game), &high);
    let of_book = |played: &&rosebill::app::analysis::AnalysedMove| {
        matches!(played.value.unwrap().known, Known::Book { .. })
    };
    assert_eq!(analysed[0].moves.iter().filter(of_book).count(), 0);
}

#[test]
fn a_game_is_valued_whole_in_the_time_that_it_has() {
    let games = whole_games(6, 1);
    let options = AnalysisOptions {
        level: Level::new(30).unwrap(),
        exact_from: 30,
        time: Some(Duration::from_millis(1500)),
        threads: 2,
        ..quick()
    };
    // Without a limit of its own, any one of these searches would take hours.
    let (analysed, _) = analyse(None, &games, &options);
    assert!(analysed[0].is_complete());
    let full =
        |played: &&rosebill::app::analysis::AnalysedMove| played.value.unwrap().known.is_exact();
    let exact = analysed[0].moves.iter().filter(full).count();
    assert!((4..60).contains(&exact), "{exact} exact");
}

#[test]
fn who_looks_on_hears_of_every_move_once_before_the_game_is_done() {
    let games = whole_games(3, 2);
    let asked = games.iter().map(|game| Ok(GameToAnalyse { game: game.clone(), id: None }));
    let (mut begun, mut heard, mut done) = (0, vec![0; 60], 0);
    let options = AnalysisOptions { threads: 1, ..quick() };
    analyse_games(None, asked, &options, |event| {
        match event {
            AnalysisEvent::Begun(game) => {
                assert!(game.moves.iter().all(|played| played.value.is_none()));
                begun += 1;
            }
            AnalysisEvent::Move(game, index) => {
                assert!(game.moves[index].value.is_some() && begun > done);
                heard[index] += 1;
            }
            AnalysisEvent::Game(game) => {
                assert!(game.moves.iter().all(|played| played.value.is_some()));
                done += 1;
            }
            AnalysisEvent::Progress(_) => {}
        }
        Ok(())
    })
    .unwrap();
    assert_eq!((begun, done), (2, 2));
    let longest = games.iter().map(|game| game.moves.len()).max().unwrap();
    let shortest = games.iter().map(|game| game.moves.len()).min().unwrap();
    assert_eq!(heard.iter().sum::<usize>(), longest + shortest);
    assert!(heard[..shortest].iter().all(|&times| times == 2), "{heard:?}");
}

#[test]
fn where_time_is_short_what_is_known_stays() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.db");
    drop(Book::create(&path).unwrap());
    let reader = Reader::open(&path).unwrap();
    let games = whole_games(8, 1);
    let at = |level| AnalysisOptions { level: Level::new(level).unwrap(), ..quick() };
    let (before, _) = analyse(Some(&reader), &games, &at(6));
    // No search comes as far as the last one did in no time.
    let hurried = AnalysisOptions { time: Some(Duration::ZERO), ..at(30) };
    let (after, summary) = analyse(Some(&reader), &games, &hurried);
    assert!(summary.searched > 0);
    for (before, after) in before[0].moves.iter().zip(&after[0].moves) {
        let (Some(before), Some(after)) = (before.value, after.value) else { panic!("{after:?}") };
        match after.known {
            Known::Searched { depth, .. } if after != before => assert!(depth > 6, "{after:?}"),
            _ => assert_eq!(after, before),
        }
    }
    assert_eq!(after[0].moves.len(), games[0].moves.len());
}

#[test]
fn a_sure_mistake_comes_before_a_doubtful_one() {
    let folder = TempDir::new().unwrap();
    let mut book = Book::create(folder.path().join("a.db")).unwrap();
    let game = |round: &str| {
        let mut game = Game { round: Some(round.to_owned()), ..Game::default() };
        let line: Line = "f5d6c3d3c4f4c5b3c2".parse().unwrap();
        game.set_moves(&line.squares().map(Entry::from).collect::<Vec<_>>()).unwrap();
        game
    };
    let games = [game("1"), game("2")];
    take_games(&mut book, "games.jsonl", &games);
    let searcher = book.analyses().searcher_id(&PositionSearcher::default()).unwrap();
    // A glance at the fifth move says that it costs more than the seventh is proven to.
    for (index, depth, proof, loss) in [(4, 1, Proof::None, 320), (6, 54, Proof::Exact, 300)] {
        let line = games[0].line();
        let step = line.steps()[index];
        let (key, symmetry) = Key::with_symmetry(step.before.position);
        let played = key.first_image(symmetry.square(step.square));
        let legal = key.position().legal_moves();
        let best = legal.map(|square| key.first_image(square)).find(|&best| best != played);
        let of = |square, best, loss: i16| {
            let score = Score::from_centidiscs(-loss);
            AnalysedSquare { square, best, score, proof }
        };
        let mut moves = vec![of(best.unwrap(), true, 0), of(played, false, loss)];
        moves.sort_by_key(|known| known.square);
        let selectivity = Selectivity::FULL;
        book.analyses()
            .keep(key, &PositionAnalysis { depth, selectivity, searcher, moves })
            .unwrap();
    }
    book.commit().unwrap();
    let database = GameDatabase::open(book.reader()).unwrap();
    let options = LossOptions { recurring: 10, ..LossOptions::default() };
    let found: Vec<_> = losses(&database, &options, |_, _| ()).unwrap().recurring;
    let plies: Vec<_> = found.iter().map(|mistake| (mistake.line.len(), mistake.times)).collect();
    assert_eq!(plies, [(6, 2), (4, 2)]);
    assert!(found[0].total() < found[1].total());
}

#[test]
fn a_stopped_analysis_keeps_what_it_found() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.db");
    drop(Book::create(&path).unwrap());
    let reader = Reader::open(&path).unwrap();
    let games = whole_games(7, 40);
    let options = quick();
    let database = GameDatabase::open(&reader).unwrap();
    let book = AnalysisBook { database: &database, file: Some(BookFile::at(&path)) };
    let asked = games.iter().map(|game| Ok(GameToAnalyse { game: game.clone(), id: None }));
    let mut done = 0;
    let summary = analyse_games(Some(book), asked, &options, |event| {
        if matches!(event, AnalysisEvent::Game(_)) {
            done += 1;
            if done == 5 {
                options.stop.stop();
            }
        }
        Ok(())
    })
    .unwrap();
    assert!(summary.stopped && summary.games >= 5 && summary.games < 40, "{summary:?}");
    let positions = kept(&reader).len() as u64;
    assert_eq!(positions, summary.searched);
    let before = kept(&reader);
    let (_, rest) = analyse(Some(&reader), &games, &quick());
    let after = kept(&reader);
    for (key, analysis) in &before {
        let (_, now) = after.iter().find(|(known, _)| known == key).unwrap();
        assert!(analysis.moves.iter().all(|found| now.moves.contains(found)));
    }
    // Each search took place in one of the runs, and no search in both.
    let (_, at_once) = analyse(None, &games, &quick());
    assert_eq!(summary.nodes + rest.nodes, at_once.nodes);
}

#[test]
fn other_games_are_found_as_far_as_they_went() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.db");
    let mut book = Book::create(&path).unwrap();
    let mut dice = Dice(9);
    let mut games: Vec<Game> = (0..300).map(|_| random_game(&mut dice)).collect();
    games.retain(|game| !game.moves.is_empty());
    take_games(&mut book, "games.jsonl", &games);
    book.commit().unwrap();
    let reader = book.reader();
    let database = GameDatabase::open(reader).unwrap();
    let all: Vec<(u32, Vec<Key>)> = crate::random_games::all_games(reader)
        .into_iter()
        .map(|(id, (row, _))| {
            let start = row.start.unwrap_or(Placed::START);
            let squares: Vec<_> = row
                .moves
                .iter()
                .map(|&number| rosebill::othello::board::Square::new(number))
                .collect();
            let line = Line::from_board(start).then(&squares);
            (id, line.steps().iter().map(|step| Key::of(step.before.position)).collect())
        })
        .collect();
    let analysed = |game: &Game| {
        let options = AnalysisOptions { level: Level::new(1).unwrap(), exact_from: 0, ..quick() };
        let book = AnalysisBook { database: &database, file: Some(BookFile::at(reader.path())) };
        let asked = [Ok(GameToAnalyse { game: game.clone(), id: None })];
        let mut found = None;
        analyse_games(Some(book), asked, &options, |event| {
            if let AnalysisEvent::Game(game) = event {
                found = game.last_game_at.clone();
            }
            Ok(())
        })
        .unwrap();
        found
    };
    let mut met = 0;
    // Games that stopped where others went on.
    let stopped = games.iter().skip(5).step_by(25).map(|game| Game {
        moves: game.moves[..game.moves.len().div_ceil(2)].to_vec(),
        ..game.clone()
    });
    let asked: Vec<Game> =
        games.iter().step_by(12).cloned().chain(whole_games(9, 8)).chain(stopped).collect();
    for game in &asked {
        let line = game.line();
        let before = line.steps().iter().map(|step| step.before);
        let own: Vec<Key> = before.map(|placed| Key::of(placed.position)).collect();
        let end = line.end().map(|placed| Key::of(placed.position));
        let keys: Vec<Key> = own.iter().copied().chain(end).collect();
        // A game of the same positions is the game itself.
        let others = |ply: usize| {
            all.iter().filter(|(_, other)| *other != own && other.contains(&keys[ply])).count()
                as u64
        };
        let expected = (1..keys.len()).rev().find(|&ply| others(ply) > 0);
        let found = analysed(game);
        assert_eq!(found.as_ref().map(|other| other.ply), expected, "{}", game.line());
        if let (Some(other), Some(ply)) = (found, expected) {
            assert_eq!(other.games, others(ply));
            assert!(!other.title.is_empty());
            met += 1;
        }
    }
    assert!(met > 20, "{met}");
}

#[test]
fn full_width_to_the_end_is_what_exact_means() {
    let options = AnalysisOptions::default();
    let limits = options.limits(20);
    assert_eq!((limits.depth, limits.selectivity), (20, Selectivity::FULL));
    assert_eq!((options.limits(25).depth, options.limits(25).selectivity.percent()), (12, 73));
}
