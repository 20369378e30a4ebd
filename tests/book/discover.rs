//! What book and games tell together, against a count that knows nothing of it: all games played
//! again, all nodes read one by one.

use std::collections::{BTreeMap, BTreeSet};

use rosebill::app::RegretLimits;
use rosebill::app::discover::{
    DiscoverError, MistakeOptions, NoveltyOptions, Place, PreparationOptions, TrapOptions, Whose,
    mistakes, novelties, preparation, traps, write_book_part,
};
use rosebill::app::games::{GameDatabase, GameFilter};
use rosebill::files::games::{Date, Entry, Game, Player};
use rosebill::openbook::{NodeSource, Rest, Searched, Source};
use rosebill::othello::board::{After, Key, Line, Placed, Side, Square};
use rosebill::othello::score::Score;
use rosebill::othello::search::{Proof, Selectivity};
use rosebill::store::{Book, Reader};
use tempfile::TempDir;

use crate::dice::Dice;
use crate::random_games::{random_line, remove_games, take_games};

const NAMES: [&str; 4] = ["Rose Brian", "Hassan Imre", "Seeley Ben", "Tastet Marc"];

/// A folder with a book of games and values, and the games.
pub struct Club {
    pub folder: TempDir,
    pub book: Book,
    pub games: Vec<Game>,
}

fn random_game(dice: &mut Dice, number: usize) -> Game {
    let mut game = Game::default();
    let entries: Vec<Entry> =
        random_line(dice, Placed::START, 60).into_iter().map(Entry::from).collect();
    game.set_moves(&entries).unwrap();
    let name = |dice: &mut Dice| Some(NAMES[dice.below(4)].to_owned());
    game.black = Player { name: name(dice), rating: None };
    game.white = Player { name: name(dice), rating: None };
    game.date = (!number.is_multiple_of(7))
        .then(|| Date::new(1980 + (number % 40) as u16, None, None).unwrap());
    game.round = Some(number.to_string());
    game
}

/// Games of which some are in the index and some not, and a book of most of what they share, with
/// moves that nobody played.
pub fn club(seed: u64) -> Club {
    let mut dice = Dice(seed);
    let folder = tempfile::tempdir().unwrap();
    let mut book = Book::create(folder.path().join("book.db")).unwrap();
    let mut games: Vec<Game> = (0..160).map(|number| random_game(&mut dice, number)).collect();
    take_games(&mut book, "old.jsonl", &games[..120]);
    remove_games(&mut book, &[1]);
    take_games(&mut book, "new.jsonl", &games[120..]);
    games.remove(1);
    let mut keys: BTreeSet<(u8, Key)> = BTreeSet::new();
    for game in &games {
        for step in game.line().steps().iter().take(14) {
            let key = Key::of(step.before.position);
            keys.insert((key.discs(), key));
        }
    }
    for (_, key) in keys.clone() {
        if dice.below(8) == 0 {
            keys.remove(&(key.discs(), key));
            continue;
        }
        // Two moves on, whoever plays them.
        let mut now = key.position();
        for _ in 0..dice.below(3) {
            let legal: Vec<Square> = now.legal_moves().collect();
            let next = now.after(legal[dice.below(legal.len())]).and_then(After::position);
            let Some(next) = next else { break };
            keys.insert((next.discs(), Key::of(next)));
            now = next;
        }
    }
    let source = Source { engine: "dice".to_owned(), ..Source::default() };
    let source = book.source_id(&source).unwrap();
    let searched = |dice: &mut Dice| Searched {
        depth: 4 + dice.below(20) as u8,
        selectivity: Selectivity::FULL,
        source,
    };
    for &(_, key) in &keys {
        book.insert(key, None, searched(&mut dice)).unwrap();
    }
    for &(_, key) in &keys {
        let node = book.reader().node(&key).unwrap().unwrap();
        // One of them stays as it is: a search is due.
        if let Some(square) = node.unlinked().next().filter(|_| dice.below(40) != 0) {
            let score = Score::from_centidiscs((dice.below(161) as i16 - 80) * 10);
            let rest = Some(Rest { square: Some(square), score, proof: Proof::None });
            book.set_rest(key, rest, searched(&mut dice)).unwrap();
        }
    }
    book.settle().unwrap();
    book.commit().unwrap();
    Club { folder, book, games }
}

/// What was played at a position: by the moves' first images, the games with who was to move.
type Played = BTreeMap<Square, Vec<(usize, Side)>>;

/// All positions that moves of games lead to from the end of a line.
fn reached(games: &[Game], from: &Line) -> BTreeMap<Key, Played> {
    let root = Key::of(from.end().unwrap().position);
    let mut known = BTreeSet::from([root]);
    loop {
        let before = known.len();
        for game in games {
            let keys = game
                .line()
                .steps()
                .iter()
                .map(|step| Key::of(step.before.position))
                .collect::<Vec<_>>();
            if let Some(first) = keys.iter().position(|key| known.contains(key)) {
                known.extend(&keys[first..]);
            }
        }
        if known.len() == before {
            break;
        }
    }
    let mut all: BTreeMap<Key, Played> = BTreeMap::new();
    for (number, game) in games.iter().enumerate() {
        for step in game.line().steps() {
            let (key, symmetry) = Key::with_symmetry(step.before.position);
            if known.contains(&key) {
                let square = key.first_image(symmetry.square(step.square));
                let side = step.before.side;
                all.entry(key).or_default().entry(square).or_default().push((number, side));
            }
        }
    }
    all
}

/// What a move gives away in centidiscs, and whether it may be more; by reading nodes one by one.
fn loss(book: &Reader, key: Key, square: Square) -> Option<(i16, bool)> {
    let node = book.node(&key).unwrap().filter(|node| !node.is_incomplete())?;
    let best = node.values.guess.centidiscs();
    let (value, at_least) = match key.position().after(square).unwrap() {
        After::Over(discs) => (i16::from(discs) * 100, false),
        after @ (After::Opponent(next) | After::Same(next)) => {
            let sign = if matches!(after, After::Same(_)) { 1 } else { -1 };
            match book.node(&Key::of(next)).unwrap() {
                Some(child) => (sign * child.values.guess.centidiscs(), false),
                None => {
                    let rest = node.rest()?;
                    let own = rest
                        .square
                        .is_some_and(|own| key.first_image(own) == key.first_image(square));
                    (rest.score.centidiscs(), !own)
                }
            }
        }
    };
    Some(((best - value).max(0), at_least))
}

fn games_of(played: &Played) -> usize {
    played.values().map(Vec::len).sum()
}

/// A game counts half for every ten years that it is older than the latest, which is of 2019; without
/// a year as one of twenty years.
fn weight_of(game: &Game) -> f64 {
    let age = game.date.map_or(20.0, |date| 2019.0 - f64::from(date.year()));
    (-age / 10.0).exp2()
}

/// The key of the last position of a line before its last move, and the move's first image there.
pub fn last(line: &Line) -> (Key, Square) {
    let step = line.steps().last().unwrap();
    let (key, symmetry) = Key::with_symmetry(step.before.position);
    (key, key.first_image(symmetry.square(step.square)))
}

pub fn place(from: &str, least_games: u64) -> Place {
    Place {
        from: from.parse().unwrap(),
        filter: GameFilter::default(),
        least_games,
        losses: RegretLimits::default(),
        limit: usize::MAX,
    }
}

pub const PLACES: [(&str, u64); 4] = [("", 2), ("", 6), ("f5d6", 3), ("f5f6e6", 2)];

#[test]
fn novelties_are_what_all_games_and_nodes_say() {
    let mut count = 0;
    for seed in 0..4 {
        let Club { book, games, folder: _folder } = club(seed);
        let database = GameDatabase::open(book.reader()).unwrap();
        for (from, least) in PLACES {
            let place = place(from, least);
            let all = reached(&games, &place.from);
            let mut expected = BTreeMap::new();
            for (&key, played) in &all {
                let here = games_of(played);
                let Some(node) = book.reader().node(&key).unwrap() else { continue };
                if here < least as usize || node.values.guess.centidiscs().abs() > 600 {
                    continue;
                }
                for square in key.position().legal_moves() {
                    let Some(next) = key.position().after(square).and_then(After::position) else {
                        continue;
                    };
                    let Some((loss, false)) = loss(book.reader(), key, square) else { continue };
                    let child = Key::of(next);
                    // By any move to the same position.
                    let times: usize = played
                        .iter()
                        .filter(|&(&other, _)| {
                            let other = key.position().after(other).and_then(After::position);
                            other.map(Key::of) == Some(child)
                        })
                        .map(|(_, games)| games.len())
                        .sum();
                    let elsewhere = match book.reader().node(&child).unwrap() {
                        Some(_) => all.get(&child).map_or(0, games_of),
                        None => 0,
                    };
                    let most = here * 200 / 1000;
                    if loss <= 150 && times <= most && elsewhere <= most {
                        expected.insert((key, child), (here as u64, times as u64, loss));
                    }
                }
            }
            let options =
                NoveltyOptions { place, loss: 150, per_mille: 200, window: 600, behind: 0 };
            let found = novelties(&database, &options).unwrap();
            let told: BTreeMap<_, _> = found
                .iter()
                .map(|novelty| {
                    let (key, square) = last(&novelty.line);
                    let child = key.position().after(square).and_then(After::position).unwrap();
                    assert!(novelty.line.to_string().starts_with(from));
                    let loss = novelty.loss.loss.centidiscs();
                    ((key, Key::of(child)), (novelty.games, novelty.played, loss))
                })
                .collect();
            assert_eq!(told, expected, "seed {seed}, from {from}");
            assert_eq!(told.len(), found.len(), "each once");
            count += told.len();
            // A limit cuts the list, and nothing else.
            let few = Place { limit: 3, ..options.place.clone() };
            let few =
                novelties(&database, &NoveltyOptions { place: few, ..options.clone() }).unwrap();
            assert_eq!(few, found[..few.len()]);
            let deep = novelties(&database, &NoveltyOptions { behind: 3, ..options }).unwrap();
            assert!(deep.iter().all(|novelty| novelty.behind >= 3 && found.contains(novelty)));
        }
    }
    assert!(count > 200, "{count}");
}

#[test]
fn mistakes_are_what_all_games_and_nodes_say() {
    let mut count = 0;
    for seed in 0..4 {
        let Club { book, games, folder: _folder } = club(seed);
        let database = GameDatabase::open(book.reader()).unwrap();
        for (from, least) in PLACES {
            for name in [None, Some(NAMES[0])] {
                let is_his = |number: usize, side: Side| {
                    let game = &games[number];
                    let player = if side == Side::Black { &game.black } else { &game.white };
                    name.is_none_or(|name| player.name.as_deref() == Some(name))
                };
                let taken: Vec<Game> = (0..games.len())
                    .filter(|&number| is_his(number, Side::Black) || is_his(number, Side::White))
                    .map(|number| games[number].clone())
                    .collect();
                let is_his = |number: usize, side: Side| {
                    let game: &Game = &taken[number];
                    let player = if side == Side::Black { &game.black } else { &game.white };
                    name.is_none_or(|name| player.name.as_deref() == Some(name))
                };
                let place = place(from, least);
                let mut expected = BTreeMap::new();
                for (&key, played) in &reached(&taken, &place.from) {
                    let own = |games: &Vec<(usize, Side)>| {
                        games.iter().filter(|&&(number, side)| is_his(number, side)).count() as u64
                    };
                    let all: u64 = played.values().map(own).sum();
                    for (&square, games) in played {
                        let times = own(games);
                        let Some((loss, at_least)) = loss(book.reader(), key, square) else {
                            continue;
                        };
                        if times >= least && loss >= 200 {
                            expected.insert((key, square), (all, times, loss, at_least));
                        }
                    }
                }
                let whose = match name {
                    None => Whose::AllHere,
                    Some(name) => Whose::Players(name.to_owned()),
                };
                let options = MistakeOptions { place, whose, loss: 200, window: 6400 };
                let found = mistakes(&database, &options).unwrap();
                let told: BTreeMap<_, _> = found
                    .iter()
                    .map(|mistake| {
                        let loss = mistake.loss.loss.centidiscs();
                        let facts = (mistake.games, mistake.played, loss, mistake.loss.at_least);
                        (last(&mistake.line), facts)
                    })
                    .collect();
                assert_eq!(told, expected, "seed {seed}, from {from}, {name:?}");
                count += told.len();
                for mistake in &found {
                    // The right move gives nothing away, in the same position.
                    let right = Line::from_board(Placed::START)
                        .then(&mistake.right.squares().take(mistake.ply).collect::<Vec<_>>());
                    assert_eq!(last(&right).0, last(&mistake.line).0);
                    assert_eq!(
                        loss(book.reader(), last(&right).0, last(&right).1),
                        Some((0, false))
                    );
                    let named: u64 = mistake.players.1.iter().map(|player| player.games).sum();
                    assert!(named <= mistake.played && named > 0);
                    assert!(name.is_none_or(|name| mistake.players.1[0].name == name));
                }
            }
        }
    }
    assert!(count > 100, "{count}");
}

#[test]
fn traps_are_on_the_cheapest_lines() {
    let mut count = 0;
    for seed in 0..4 {
        let Club { book, games, folder: _folder } = club(seed);
        let database = GameDatabase::open(book.reader()).unwrap();
        for (from, least) in PLACES {
            let place = place(from, least);
            let start = place.from.end().unwrap();
            let all = reached(&games, &place.from);
            let kept =
                |key: &Key| all.get(key).is_some_and(|played| games_of(played) >= least as usize);
            // The least cost by position, who is to move there, and who leads; until nothing changes.
            let mut costs: BTreeMap<(Key, bool, bool), i32> = BTreeMap::new();
            let root = Key::of(start.position);
            if kept(&root) {
                costs.extend([((root, true, true), 0), ((root, true, false), 0)]);
            }
            loop {
                let before = costs.clone();
                for ((key, mover, leader), cost) in before.clone() {
                    for (&square, games) in &all[&key] {
                        let Some((loss, false)) = loss(book.reader(), key, square) else {
                            continue;
                        };
                        let (next, same) = match key.position().after(square).unwrap() {
                            After::Opponent(next) => (Key::of(next), false),
                            After::Same(next) => (Key::of(next), true),
                            After::Over(_) => continue,
                        };
                        let rare = games.len() * 10 < games_of(&all[&key]);
                        if !kept(&next) || (mover != leader && rare) {
                            continue;
                        }
                        let cost = cost + if mover == leader { i32::from(loss) } else { 0 };
                        let known = costs.entry((next, mover == same, leader)).or_insert(i32::MAX);
                        *known = cost.min(*known);
                    }
                }
                if costs == before {
                    break;
                }
            }
            let options = TrapOptions { place, loss: 200, regret: 300, window: 6400, side: None };
            let found = traps(&database, &options).unwrap();
            for trap in &found {
                let end = trap.line.end().unwrap();
                let key = Key::of(end.position);
                assert_eq!(end.side, trap.side.other());
                let (mover, leader) = (end.side == start.side, trap.side == start.side);
                assert_eq!(
                    costs.get(&(key, mover, leader)),
                    Some(&i32::from(trap.regret.centidiscs()))
                );
                assert!(trap.regret <= Score::from_discs(3));
                let played = &all[&key];
                let wrong: usize = played
                    .iter()
                    .filter(|&(&square, _)| {
                        loss(book.reader(), key, square).is_some_and(|(loss, _)| loss >= 200)
                    })
                    .map(|(_, games)| games.len())
                    .sum();
                assert_eq!((trap.games, trap.wrong), (games_of(played) as u64, wrong as u64));
                let (reply, right) = [trap.reply, trap.right]
                    .map(|(square, games)| (last(&trap.line.then(&[square])).1, games))
                    .into();
                assert_eq!(played[&reply.0].len() as u64, reply.1);
                assert_eq!(played.get(&right.0).map_or(0, Vec::len) as u64, right.1);
                assert_eq!(loss(book.reader(), key, right.0), Some((0, false)));
                let lost = loss(book.reader(), key, reply.0).unwrap();
                assert_eq!(lost, (trap.loss.loss.centidiscs(), trap.loss.at_least));
            }
            count += found.len();
            let black = TrapOptions { side: Some(Side::Black), ..options };
            let of_black = traps(&database, &black).unwrap();
            let expected: Vec<_> =
                found.into_iter().filter(|trap| trap.side == Side::Black).collect();
            assert_eq!(of_black, expected);
        }
    }
    assert!(count > 30, "{count}");
}

#[test]
fn what_is_to_be_learned_follows_the_players_games() {
    let mut count = 0;
    for seed in 0..4 {
        let Club { book, games, folder } = club(seed);
        let database = GameDatabase::open(book.reader()).unwrap();
        let name = NAMES[1];
        let options = PreparationOptions {
            place: place("", 2),
            name: "hassan".to_owned(),
            sides: vec![Side::Black, Side::White],
            loss: 200,
            own_loss: 150,
            learn: 12,
            window: 6400,
        };
        let found = preparation(&database, &options).unwrap();
        assert_eq!(found.player.name, name);
        let mut lines = Vec::new();
        for side in &found.sides {
            let is_his = |game: &&Game| {
                let player = if side.side == Side::Black { &game.black } else { &game.white };
                player.name.as_deref() == Some(name)
            };
            let his: Vec<Game> = games.iter().filter(is_his).cloned().collect();
            assert_eq!(side.games, his.len() as u64);
            let all = reached(&his, &Line::default());
            for poor in &side.poor {
                let end = Key::of(poor.line.end().unwrap().position);
                assert_eq!(poor.games, games_of(&all[&end]) as u64);
                assert!(poor.percent < side.percent.unwrap());
            }
            assert!(side.learn.len() <= 12);
            for learned in &side.learn {
                let (mut chance, mut gain) = (1.0, 0.0);
                assert_eq!(learned.habits.len(), learned.line.len());
                for (step, habit) in learned.line.steps().iter().zip(&learned.habits) {
                    let (key, symmetry) = Key::with_symmetry(step.before.position);
                    let square = key.first_image(symmetry.square(step.square));
                    let loss = loss(book.reader(), key, square);
                    if step.before.side == side.side {
                        let played = &all[&key];
                        let weight = |games: &Vec<(usize, Side)>| -> f64 {
                            games.iter().map(|&(game, _)| weight_of(&his[game])).sum()
                        };
                        let share =
                            weight(&played[&square]) / played.values().map(weight).sum::<f64>();
                        assert!((habit.unwrap().share - share).abs() < 1e-9);
                        assert_eq!(
                            habit.unwrap().loss.map(|found| found.loss.centidiscs()),
                            loss.map(|(loss, _)| loss)
                        );
                        chance *= share;
                        gain += loss.map_or(0.0, |(loss, _)| f64::from(loss) / 100.0);
                    } else {
                        assert_eq!(*habit, None);
                        let (loss, at_least) = loss.unwrap();
                        assert!(loss <= 150 && !at_least, "an own move that the book knows");
                        gain -= f64::from(loss) / 100.0;
                    }
                }
                assert_ne!(learned.line.steps().last().unwrap().before.side, side.side);
                assert!(
                    (learned.chance - chance).abs() < 1e-9 && (learned.gain - gain).abs() < 1e-9
                );
                lines.push(learned.line.clone());
            }
            // The likeliest first.
            assert!(side.learn.is_sorted_by(|one, other| one.chance >= other.chance));
            count += side.learn.len();
        }
        let target = folder.path().join("part.db");
        let positions = write_book_part(book.reader(), &lines, &target).unwrap();
        let part = Reader::open(&target).unwrap();
        assert_eq!(part.counts().unwrap().positions, positions);
        let report = part.verify().unwrap();
        assert!(report.is_sound(), "{report:?}");
        part.for_each_node(|node| {
            let whole = book.reader().node(&node.key)?.unwrap();
            assert_eq!(node.values.guess, whole.values.guess);
            Ok::<_, rosebill::store::StoreError>(())
        })
        .unwrap();
        for step in lines.iter().flat_map(|line| line.steps().to_vec()) {
            let key = Key::of(step.before.position);
            assert_eq!(
                part.node(&key).unwrap().is_some(),
                book.reader().node(&key).unwrap().is_some()
            );
        }
        assert!(write_book_part(book.reader(), &lines, &target).is_err(), "nothing is replaced");
    }
    assert!(count > 12, "{count}");
}

#[test]
fn what_is_missing_is_told() {
    let Club { book, folder, .. } = club(1);
    let database = GameDatabase::open(book.reader()).unwrap();
    let ask = |place: Place| {
        let options = NoveltyOptions { place, loss: 100, per_mille: 10, window: 1000, behind: 0 };
        novelties(&database, &options).unwrap_err()
    };
    assert!(matches!(
        ask(place("f5d6c3d3c4f4c5b3c2e6c6b4b5d2e3a6c1b6", 2)),
        DiscoverError::NoGameHere
    ));
    assert!(matches!(ask(place("", 1000)), DiscoverError::TooFewGames { least: 1000, .. }));
    let empty = Book::create(folder.path().join("empty.db")).unwrap();
    let database = GameDatabase::open(empty.reader()).unwrap();
    let options =
        NoveltyOptions { place: place("", 2), loss: 1, per_mille: 1, window: 1, behind: 0 };
    assert!(matches!(novelties(&database, &options), Err(DiscoverError::NoGames)));
}
