//! Files of games: all of those beside the project, and what writers make of games.

#[path = "../../fuzz/fuzz_targets/read_games.rs"]
mod read_games;

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use rosebill::files::games::wthor::{WthorNames, read_names};
use rosebill::files::games::{
    self, Date, Game, GameFormat, GameResult, Identity, Loss, Note, OpenError, ReadGame,
    ReadOptions, Richer, Stated, StatedScore, Theoretical, Written,
};
use rosebill::othello::board::{Line, Placed};

use crate::made::gzip;

fn shared(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data").join(name)
}

/// Games, and what was said of those that were refused.
fn read_file(name: &str) -> Result<(Vec<ReadGame>, Vec<String>), OpenError> {
    let (mut games, mut refused) = (Vec::new(), Vec::new());
    for read in games::open(&shared(name), &ReadOptions::default())? {
        match read {
            Ok(game) => games.push(game),
            Err(defect) => {
                let text = defect.to_string();
                assert!(text.len() < 400 + name.len() && !text.contains('\n'), "{text}");
                refused.push(text);
            }
        }
    }
    Ok((games, refused))
}

/// The table of the odd files: how many games are taken, refused, and what is said.
#[test]
#[ignore = "needs ../shared/data/games"]
fn odd_files_are_read_as_their_table_says() {
    for (name, taken, refused, said) in [
        ("01-empty.txt", 0, 0, ""),
        ("02-blank.txt", 0, 0, ""),
        ("03-upper.txt", 1, 0, ""),
        ("04-mixed.txt", 1, 0, ""),
        ("05-spaces.txt", 1, 0, ""),
        ("06-numbered.txt", 1, 0, ""),
        ("07-pass-dashes.txt", 1, 0, ""),
        ("08-pass-pa.txt", 1, 0, ""),
        ("09-pass-ps.txt", 1, 0, ""),
        ("10-pass-word.txt", 1, 0, ""),
        ("11-pass-none.txt", 1, 0, ""),
        ("12-pass-wrong.txt", 0, 1, ":1 (game 1): move 13 \"pass\": a pass, but black can move"),
        ("13-occupied.txt", 0, 1, ":1 (game 1): move 21 \"c4\": the square is occupied"),
        ("14-noflip.txt", 1, 1, ":1 (game 1): move 11 \"a1\": flips no disc; expected one of"),
        ("15-offboard.txt", 0, 1, ":1 (game 1): move 15 \"i9\": no such square"),
        ("16-halfmove.txt", 0, 1, ":1 (game 1): move 23 \"g\": the text ends in the middle"),
        ("17-unfinished.txt", 1, 0, ""),
        ("18-after-end.txt", 0, 1, ":1 (game 1): move 10 \"a1\": the game is already over"),
        ("19-crlf.txt", 3, 0, ""),
        ("20-bom.txt", 1, 0, ""),
        ("21-utf16.txt", 1, 0, ""),
        ("22-hugeline.txt", 0, 1, ":1 (game 1): move 6 \"f5\": the square is occupied"),
        ("23-nul.txt", 0, 1, ":1 (game 1): move 11: unexpected byte 0x00"),
        ("24-four-starts.txt", 4, 0, ""),
        ("25-mirrored.txt", 1, 0, ""),
        ("26-result-differs.pgn", 1, 0, ""),
        ("27-truncated.pgn", 1, 1, " (game 2): the file ends inside a header tag"),
        ("28-board4.ggf", 0, 1, ":1 (game 1): a board of size 4 is not supported"),
        ("29-random-start.ggf", 1, 0, ""),
        ("30-cut.wtb", 5, 1, " (game 6): the header announces 12 games, but the file holds 5"),
    ] {
        let (read, why) = read_file(&format!("games/odd/{name}")).unwrap();
        println!("| {name} | {} | {} | {}", read.len(), why.len(), why.concat());
        assert_eq!((read.len(), why.len()), (taken, refused), "{name}: {why:?}");
        assert!(why.concat().contains(said), "{name}: {why:?}");
        for game in &read {
            println!("|   | {:?} {:?}", game.game.result(), game.notes);
        }
        let notes: Vec<&Note> = read.iter().flat_map(|game| &game.notes).collect();
        match name {
            "25-mirrored.txt" => assert_eq!(notes, [&Note::Mirrored]),
            "26-result-differs.pgn" => {
                let stated = "24-40".to_owned();
                assert_eq!(notes, [&Note::ResultDiffers { stated, board: (22, 42) }]);
            }
            "30-cut.wtb" => assert!(matches!(notes[..], [Note::NamesMissing { .. }]), "{notes:?}"),
            _ => assert!(notes.is_empty(), "{name}: {notes:?}"),
        }
    }
    let game = |name: &str| read_file(&format!("games/odd/{name}")).unwrap().0.remove(0).game;
    for name in [
        "03-upper.txt",
        "04-mixed.txt",
        "05-spaces.txt",
        "06-numbered.txt",
        "20-bom.txt",
        "21-utf16.txt",
    ] {
        assert_eq!(game(name).result(), GameResult::Board(22), "{name}");
    }
    for name in ["07-pass-dashes.txt", "08-pass-pa.txt", "09-pass-ps.txt", "10-pass-word.txt"] {
        assert_eq!(game(name).moves, game("11-pass-none.txt").moves, "{name}");
        assert_eq!(game(name).result(), GameResult::Board(43));
    }
    assert_eq!(game("17-unfinished.txt").result(), GameResult::Unknown);
    let four = read_file("games/odd/24-four-starts.txt").unwrap().0;
    assert!(four.iter().all(|one| Identity::of(&one.game) == Identity::of(&four[0].game)));
    assert_ne!(game("29-random-start.ggf").start, Placed::START);
}

/// The other files: games, refused, unfinished, notes, and games that do not begin with f5.
#[test]
#[ignore = "needs ../shared/data/games"]
fn sample_files_are_read_as_their_readme_says() {
    let mut found = BTreeMap::new();
    for name in [
        "sample.txt",
        "sample.pgn",
        "sample2.pgn",
        "sample.ggf",
        "sample.wtb",
        "flyordie_2025.pgn",
        "playok_normal.pgn",
        "liveothello/1978_players.txt",
        "liveothello/liveothello2006.pgn",
        "liveothello/liveothello2010.pgn",
        "liveothello/liveothello2014.pgn",
        "liveothello/liveothello2018.pgn",
        "liveothello/liveothello2022.pgn",
    ] {
        let (games, refused) = read_file(&format!("games/{name}")).unwrap();
        let count = |test: fn(&ReadGame) -> bool| games.iter().filter(|game| test(game)).count();
        let figures = [
            games.len(),
            refused.len(),
            count(|read| read.game.black_discs.is_none()),
            count(|read| read.game.moves.is_empty()),
            count(|read| !read.notes.is_empty()),
            count(|read| read.game.moves.first().is_some_and(|first| first.to_string() != "f5")),
        ];
        println!("| {name} | {figures:?} | {}", refused.join("; "));
        for read in games.iter().filter(|read| !read.notes.is_empty()) {
            println!("|   {} {:?}: {}", read.number, read.place, read.notes[0]);
        }
        found.insert(name, figures);
    }
    for (name, figures) in [
        ("sample.txt", [1687, 0, 24, 0, 0]),
        ("sample.pgn", [500, 0, 15, 0, 0]),
        ("sample.ggf", [15, 1, 1, 0, 0]),
        ("sample.wtb", [12, 0, 0, 0, 1]),
        ("flyordie_2025.pgn", [1, 0, 1, 0, 0]),
        ("playok_normal.pgn", [1, 0, 0, 0, 0]),
        ("liveothello/1978_players.txt", [8, 0, 0, 0, 0]),
        // One header gives the empty square to the loser.
        ("liveothello/liveothello2006.pgn", [4, 0, 0, 0, 1]),
        ("liveothello/liveothello2010.pgn", [327, 0, 8, 1, 0]),
        ("liveothello/liveothello2014.pgn", [407, 0, 8, 1, 0]),
        // One header says that the side lost that took all discs.
        ("liveothello/liveothello2018.pgn", [850, 0, 12, 0, 1]),
        ("liveothello/liveothello2022.pgn", [490, 0, 6, 0, 0]),
    ] {
        assert_eq!(found[name][..5], figures, "{name}");
    }
    // A table that counts moves instead of holding them is none of games.
    assert!(matches!(read_file("games/sample.tsv"), Err(OpenError::Unknown { .. })));
    assert!(matches!(read_file("games/README.md"), Err(OpenError::Unknown { .. })));
    assert!(matches!(read_file("games/odd/README.md"), Err(OpenError::Unknown { .. })));
    assert!(matches!(read_file("wthor/WTH.JOU"), Err(OpenError::Names { .. })));
}

fn wthor_files() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(shared("wthor")).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|ending| ending == "wtb")).collect();
    files.sort();
    files
}

/// Every game is read, with its names, and every result fits the board.
#[test]
#[ignore = "needs ../shared/data/wthor"]
fn the_whole_of_wthor_is_read() {
    let clock = std::time::Instant::now();
    let (mut count, mut unfinished, mut theory, mut unnamed) = (0, 0, 0, 0);
    let mut moves = 0;
    for file in wthor_files() {
        for read in games::open(&file, &ReadOptions::default()).unwrap() {
            let read = read.unwrap();
            assert!(read.notes.is_empty(), "{read:?}");
            count += 1;
            moves += read.game.moves.len();
            unfinished += usize::from(read.game.black_discs.is_none());
            theory += usize::from(read.game.theoretical.is_some());
            unnamed +=
                usize::from(read.game.black.name.is_none() || read.game.white.name.is_none());
        }
    }
    println!("{count} games, {moves} moves in {:.2} s", clock.elapsed().as_secs_f64());
    assert_eq!((count, unfinished, theory, unnamed), (131_737, 413, 131_704, 998));
}

/// Tournament games that somebody else recorded are found in WTHOR again.
#[test]
#[ignore = "needs ../shared/data/wthor"]
fn tournament_games_are_found_in_wthor() {
    let mut known: HashMap<u64, Vec<Game>> = HashMap::new();
    for file in wthor_files() {
        for read in games::open(&file, &ReadOptions::default()).unwrap() {
            let game = read.unwrap().game;
            known.entry(Identity::of(&game).fingerprint()).or_default().push(game);
        }
    }
    let (mut same, mut line_only, mut new, mut richer) = (0, 0, 0, 0);
    for year in [2006, 2010, 2014, 2018, 2022] {
        let file = format!("games/liveothello/liveothello{year}.pgn");
        for read in read_file(&file).unwrap().0 {
            let game = read.game;
            let lines = known.get_mut(&Identity::of(&game).fingerprint());
            let lines = lines.map(Vec::as_mut_slice).unwrap_or_default();
            let found = lines.iter().position(|other| games::same_game(&game, other));
            match found {
                Some(at) => {
                    let other = &mut lines[at];
                    same += 1;
                    richer += u32::from(other.absorb(&game) == Richer::Richer);
                    assert_eq!(other.absorb(&game), Richer::Known);
                }
                None if lines.is_empty() => new += 1,
                None => {
                    line_only += 1;
                    let facts = |game: &Game| {
                        format!("{:?} {:?} {:?}", game.date, game.black.name, game.white.name)
                    };
                    let others: Vec<String> = lines.iter().map(facts).collect();
                    println!("{} moves {} but {others:?}", game.moves.len(), facts(&game));
                }
            }
        }
    }
    println!("{same} the same ({richer} richer), {line_only} with the same line, {new} new");
    assert_eq!((same, line_only, new), (1_959, 2, 117));
}

/// A year's file that is read and written again is the same, but for its date and its numbers of
/// names.
#[test]
#[ignore = "needs ../shared/data/wthor"]
fn a_year_of_wthor_can_be_written_again() {
    let path = shared("wthor/WTH_2010.wtb");
    let games: Vec<Game> = games::open(&path, &ReadOptions::default())
        .unwrap()
        .map(|read| read.unwrap().game)
        .collect();
    let (bytes, written) = write(GameFormat::Wthor, &games);
    let losses: Vec<_> = written.losses.counts().map(|(loss, _)| loss).collect();
    assert_eq!(losses, [Loss::Source]);
    let original = std::fs::read(path).unwrap();
    assert_eq!(bytes.len(), original.len());
    let without_names = |bytes: &[u8]| -> Vec<Vec<u8>> {
        bytes[16..].chunks(68).map(|record| record[6..].to_vec()).collect()
    };
    assert!(without_names(&bytes) == without_names(&original));
    let again = read_again(GameFormat::Wthor, &bytes, &written);
    assert_eq!(again.len(), games.len());
    for (game, again) in games.iter().zip(again) {
        assert_eq!(
            Game { source: String::new(), ..again },
            Game { source: String::new(), ..game.clone() }
        );
    }
}

fn write(format: GameFormat, games: &[Game]) -> (Vec<u8>, Written) {
    let mut bytes = Vec::new();
    let written = games::write(format, games, &mut bytes).unwrap();
    (bytes, written)
}

fn read_again(format: GameFormat, bytes: &[u8], written: &Written) -> Vec<Game> {
    let names = written.side_files.as_ref().map(|files| {
        WthorNames::new(
            read_names(&files.players).unwrap(),
            read_names(&files.tournaments).unwrap(),
        )
    });
    let options =
        ReadOptions { format: Some(format), names, source: None, ..ReadOptions::default() };
    let reader = games::read(bytes, "again", &options).unwrap();
    reader.map(|read| read.unwrap_or_else(|error| panic!("{format}: {error}")).game).collect()
}

/// What may be said of the moves of a game that has at least one.
const SAID: [&str; 5] = [
    "{}",
    "{}",
    r#"{"0":{"comments":["to begin with","more"]},"1":{"glyphs":["?!","$13","N"]}}"#,
    r#"{"1":{"comments":["a } b ] c \\ ; d ) e"],"evaluation":-2.5,"clock":300500}}"#,
    r#"{"1":{"glyphs":["!"],"evaluation":1.5}}"#,
];

prop_compose! {
    /// A game of random moves with random facts; now and then from another board.
    fn game()(
        choices in prop::collection::vec(any::<u8>(), 0..70),
        skip in prop::option::weighted(0.3, 1usize..12),
        names in prop::collection::vec(prop::option::of("[a-zA-Z\u{e0}-\u{fe}\u{6751}\u{4e0a}\"\\\\\\]\\[(){};:,.'!? -]{1,30}"), 4),
        year in prop::option::of(1900u16..2200),
        day in prop::option::of((1u8..=12, 1u8..=28)),
        ratings in prop::collection::vec(prop::option::of(0u32..30_000), 2),
        score in prop::option::of((0u8..4, 0u8..=64)),
        how in prop::option::of(prop::sample::select(vec!["resigned", "time", "left"])),
        theory in prop::option::of(0u8..=64),
        times in prop::option::of(1u32..100_000),
        xot: bool,
        extra in prop::collection::btree_map("[A-Z][a-z]{1,8}", "[a-z\"\\]:{1-9]{1,10}", 0..3),
        said in prop::sample::select(SAID.to_vec()),
    ) -> Game {
        let mut line = Line::default();
        let mut played = 0;
        for choice in choices {
            let Some(end) = line.end() else { break };
            let moves: Vec<_> = end.position.legal_moves().collect();
            assert!(line.push(moves[usize::from(choice) % moves.len()]));
            played += 1;
            if Some(played) == skip {
                line = Line::from_board(line.board());
            }
        }
        let words = |text: &String| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let known = |text: &String| text.chars().any(char::is_alphabetic);
        let mut names = names.iter().map(|name| name.as_ref().filter(|name| known(name)).map(words));
        let mut game = Game { start: line.start(), ..Game::default() };
        let entries: Vec<games::Entry> = line
            .squares()
            .enumerate()
            .map(|(index, square)| games::Entry {
                milliseconds: times.map(|time| time + index as u32),
                ..square.into()
            })
            .collect();
        game.set_moves(&entries).unwrap();
        game.event = names.next().flatten();
        game.round = names.next().flatten();
        game.black.name = names.next().flatten();
        game.white.name = names.next().flatten();
        game.date = year.and_then(|year| Date::new(year, day.map(|day| day.0), day.map(|day| day.1)));
        game.black.rating = ratings[0].map(|rating| f64::from(rating) / 8.0);
        game.white.rating = ratings[1].map(|rating| f64::from(rating) / 8.0);
        let score = score.map(|(kind, discs)| match kind {
            0 => StatedScore::Difference(2.0 * f64::from(discs) - 64.0),
            1 => StatedScore::Winner(None),
            _ => StatedScore::Discs { black: discs, white: 64 - discs },
        });
        if score.is_some() {
            game.stated = Some(Stated { score, how: how.map(str::to_owned) });
        }
        let has_position = game.is_from_the_start() && game.moves.len() >= 36;
        game.theoretical = theory
            .filter(|_| has_position)
            .map(|black_discs| Theoretical { black_discs, empties: 24 });
        game.xot = xot;
        game.extra = extra;
        if !game.moves.is_empty() {
            game.remarks = serde_json::from_str(said).unwrap();
        }
        game
    }
}

/// What a reader cannot find again where a format has lost it.
fn forget(loss: Loss, one: &mut Game, other: &mut Game) {
    for game in [one, other] {
        match loss {
            Loss::Source => game.source.clear(),
            Loss::Event => game.event = None,
            Loss::Round => game.round = None,
            Loss::Date | Loss::Year => game.date = None,
            Loss::Name => (game.black.name, game.white.name) = (None, None),
            Loss::Rating => (game.black.rating, game.white.rating) = (None, None),
            Loss::Orientation => {
                game.moves = Identity::of(game).moves().collect();
                game.start = Placed::START;
            }
            Loss::Result | Loss::Winner | Loss::Unknown => game.stated = None,
            Loss::Theoretical => game.theoretical = None,
            Loss::Time => {
                game.time_control = None;
                game.milliseconds.clear();
            }
            Loss::Remarks | Loss::Variations => game.remarks = Default::default(),
            Loss::Xot => game.xot = false,
            Loss::Extra => game.extra.clear(),
        }
    }
}

proptest! {
    /// What is written can be read again, and only what is said to be lost is lost.
    #[test]
    fn what_is_written_can_be_read_again(game in game()) {
        for format in GameFormat::ALL {
            let (bytes, written) = write(format, std::slice::from_ref(&game));
            if !game.is_from_the_start() && matches!(format, GameFormat::Wthor | GameFormat::Xof) {
                prop_assert_eq!(written.refused.len(), 1);
                continue;
            }
            if game.moves.is_empty() && matches!(format, GameFormat::Transcript | GameFormat::Table) {
                continue;
            }
            prop_assert_eq!(&written.refused, &Vec::new(), "{}", String::from_utf8_lossy(&bytes));
            let mut again = read_again(format, &bytes, &written);
            prop_assert_eq!(again.len(), 1, "{}: {}", format, String::from_utf8_lossy(&bytes));
            let (mut game, mut again) = (game.clone(), again.remove(0));
            // What the name of the file is.
            again.source.clear();
            for (loss, _) in written.losses.counts() {
                forget(loss, &mut game, &mut again);
            }
            // A format may say more of the result than was known, and the same in another way.
            let told = |game: &Game| game.stated.as_ref().map(|stated| (stated.black_discs(), stated.winner(), stated.how.clone()));
            if game.stated.is_none() {
                again.stated = None;
            }
            let only_winner = |stated: &Option<Stated>| stated.as_ref().is_some_and(|stated| matches!(stated.score, Some(StatedScore::Winner(_))));
            if only_winner(&game.stated) && game.black_discs.is_some() {
                let winner = |game: &Game| game.stated.as_ref().map(|stated| (stated.winner(), stated.how.clone()));
                prop_assert_eq!(winner(&game), winner(&again), "{}", format);
                again.stated.clone_from(&game.stated);
            }
            prop_assert_eq!(told(&game), told(&again), "{}", format);
            again.stated.clone_from(&game.stated);
            prop_assert_eq!(game, again, "{}: {}", format, String::from_utf8_lossy(&bytes));
        }
    }

    /// JSON Lines hold everything.
    #[test]
    fn json_loses_nothing(games in prop::collection::vec(game(), 0..4)) {
        let (bytes, written) = write(GameFormat::Json, &games);
        prop_assert!(written.losses.is_empty() && written.refused.is_empty());
        let mut again = read_again(GameFormat::Json, &bytes, &written);
        again.iter_mut().for_each(|game| game.source.clear());
        prop_assert_eq!(games, again);
    }

    /// Whatever stands in a file, a reader ends, says what it says on one short line, and what it
    /// has read can be written.
    #[test]
    fn readers_survive_everything(bytes in prop::collection::vec(any::<u8>(), 0..400), game in game(), at: u16, byte: u8) {
        let mut all = vec![bytes];
        for format in GameFormat::ALL {
            let mut bytes = write(format, std::slice::from_ref(&game)).0;
            if !bytes.is_empty() {
                let at = usize::from(at) % bytes.len();
                bytes[at] = byte;
            }
            all.push(bytes);
        }
        for bytes in all {
            for format in [None].into_iter().chain(GameFormat::ALL.map(Some)) {
                read_games::drain(&bytes, format);
            }
        }
    }
}

proptest! {
    /// No game takes a part of its neighbour.
    #[test]
    fn several_games_stay_several(games in prop::collection::vec(game(), 0..5)) {
        for format in GameFormat::ALL {
            let (bytes, written) = write(format, &games);
            let refused: Vec<u64> = written.refused.iter().map(|(number, _)| *number).collect();
            let again = read_again(format, &bytes, &written);
            let kept = (1..).zip(&games).filter(|(number, _)| !refused.contains(number));
            let lines = |game: &Game| Identity::of(game);
            let kept: Vec<Identity> = kept.map(|(_, game)| lines(game)).collect();
            let again: Vec<Identity> = again.iter().map(lines).collect();
            prop_assert_eq!(kept, again, "{}: {}", format, String::from_utf8_lossy(&bytes));
        }
    }
}

/// Packing and encoding change nothing.
#[test]
fn files_are_the_same_in_any_packing_and_encoding() {
    let text = |name: &str| {
        format!("[Event \"Cup\"]\r\n[Black \"{name}\"]\r\n\r\n1. f5 d6 *\r\n").repeat(3)
    };
    let utf16 = |text: &str, little: bool| -> Vec<u8> {
        let units = "\u{feff}".encode_utf16().chain(text.encode_utf16());
        units
            .flat_map(|unit| if little { unit.to_le_bytes() } else { unit.to_be_bytes() })
            .collect()
    };
    for name in ["Andr\u{e9} M\u{fc}ller", "\u{6751}\u{4e0a}\u{5065}"] {
        let text = text(name);
        let single = if name.starts_with('A') {
            encoding_rs::WINDOWS_1252.encode(&text).0.into_owned()
        } else {
            encoding_rs::SHIFT_JIS.encode(&text).0.into_owned()
        };
        for bytes in [
            text.clone().into_bytes(),
            format!("\u{feff}{text}").into_bytes(),
            utf16(&text, true),
            utf16(&text, false),
            single,
        ] {
            for packed in [bytes.clone(), gzip(&bytes), zstd::encode_all(&bytes[..], 3).unwrap()] {
                let reader = games::read(&packed[..], "x.txt", &ReadOptions::default()).unwrap();
                assert_eq!(reader.format(), GameFormat::Pgn);
                let games: Vec<Game> = reader.map(|read| read.unwrap().game).collect();
                assert_eq!(games.len(), 3);
                assert!(games.iter().all(|game| game.black.name.as_deref() == Some(name)));
            }
        }
    }
    // A packed file that is cut off costs what is not there.
    let games = (0..2000).map(|_| "f5d6c3\n").collect::<String>();
    let packed = zstd::encode_all(games.as_bytes(), 3).unwrap();
    let whole = gzip(games.as_bytes());
    let cut = games::read(&whole[..whole.len() / 2], "x", &ReadOptions::default());
    assert!(cut.is_ok_and(|reader| {
        reader.last().is_some_and(|last| last.is_err_and(|error| error.is_fatal()))
    }));
    assert_eq!(games::read(&packed[..], "x", &ReadOptions::default()).unwrap().count(), 2000);
}

/// A line without an end is refused in bounded memory, and nothing else is waited for.
#[test]
fn an_endless_line_ends_the_file() {
    for byte in [b'x', b'f', b' ', b'(', b'[', b'{', 0] {
        let start = b"f5d6\n".to_vec();
        let input = std::io::Read::chain(&start[..], std::io::repeat(byte));
        let reader = games::read(input, "x", &ReadOptions::default()).unwrap();
        let read: Vec<_> = reader.collect();
        assert_eq!((read.len(), read[0].is_ok()), (2, true));
        let error = read[1].as_ref().unwrap_err();
        assert!(error.is_fatal() && error.to_string().starts_with("x:2: a line of more than"));
    }
}
