//! Matches as a user plays them: openings, pairs, and games that are kept.

use std::collections::HashSet;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rosebill::othello::board::Line;
use serde_json::Value;

use crate::desk::{Desk, stderr};

/// Two players that need no time.
const QUICK: [&str; 11] = [
    "lab",
    "match",
    "rosebill",
    "squares",
    "--depth=1",
    "--solve-from=4",
    "--threads=1",
    "--table=1",
    "--opening-depth=1",
    "--games",
    "6",
];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&QUICK[..], more].concat()
}

fn objects(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The pairs of a match, and what they add up to.
fn pairs(desk: &Desk, more: &[&str]) -> (Vec<Value>, Value) {
    let mut pairs = objects(&desk.ok(&with(&[more, &["--pairs", "--json"]].concat())));
    let tally = pairs.pop().unwrap();
    (pairs, tally)
}

fn openings(pairs: &[Value]) -> Vec<&str> {
    pairs.iter().map(|pair| pair["line"].as_str().unwrap()).collect()
}

#[test]
fn openings_come_from_a_file_and_are_played_in_pairs() {
    let desk = Desk::new();
    let board = "---------------------------OX------XO--------------------------- X f5f4";
    std::fs::write(desk.path("lines.txt"), format!("tiger\nf5d6c4\n{board}\nf5f5\n")).unwrap();
    let output = desk.run(&with(&["--openings", "lines.txt", "--pairs", "--json"]));
    assert_eq!(output.status.code(), Some(3), "all but one were played");
    assert!(stderr(&output).contains("lines.txt, line 4: illegal move f5"), "{}", stderr(&output));
    std::fs::write(desk.path("lines.txt"), format!("tiger\nf5d6c4\n{board}\n")).unwrap();
    let (pairs, tally) = pairs(&desk, &["--openings", "lines.txt"]);
    assert_eq!(openings(&pairs), ["f5d6c3d3c4", "f5d6c4", "f5f4"]);
    assert_eq!((&pairs[0]["name"], &pairs[0]["pair"]), (&"Tiger".into(), &1.into()));
    let sum = |name: &str| -> f64 { pairs.iter().map(|pair| pair[name].as_f64().unwrap()).sum() };
    assert_eq!((&tally["games"], &tally["complete"]), (&6.into(), &true.into()));
    let percent = tally["percent"].as_f64().unwrap();
    assert!((percent - 100.0 * sum("points") / 6.0).abs() < 1e-9, "{percent}");
    assert_eq!(
        tally["mean_difference"].as_f64().unwrap(),
        (sum("as_black") + sum("as_white")) / 6.0
    );
    let won = pairs.iter().filter(|pair| pair["points"].as_f64() > Some(1.0)).count();
    assert_eq!(tally["pairs_won"], won);
    assert_eq!(tally["pairs"], 3);
    // Fewer than asked for are told, and drawn when there are more.
    let few = ["lab", "match", "rosebill", "squares", "--depth=1", "--solve-from=4", "--games=400"];
    let few = desk.run(&[&few[..], &["--openings", "lines.txt"]].concat());
    assert!(stderr(&few).contains("3 openings, no more of lines.txt: 6 games"), "{}", stderr(&few));
}

#[test]
fn players_of_one_name_are_told_apart() {
    let desk = Desk::new();
    let few = ["--games", "2", "--depth", "1", "--solve-from", "2", "--opening-depth", "1"];
    let played = desk.json(&[&["lab", "match", "squares", "squares"][..], &few].concat());
    assert_eq!(
        (&played["first"], &played["second"]),
        (&"squares (1)".into(), &"squares (2)".into())
    );
}

/// Eight legal moves, others for each seed.
fn eight_moves(seed: usize) -> Line {
    let mut line = Line::default();
    while line.len() < 8 {
        let moves: Vec<_> = line.end().unwrap().position.legal_moves().collect();
        assert!(line.push(moves[(seed * 7 + line.len() * (seed + 3)) % moves.len()]));
    }
    line
}

#[test]
fn openings_are_drawn_from_xot_and_from_the_games_of_the_book() {
    let desk = Desk::new();
    let told = desk.refused(&with(&["--openings", "xot"]));
    assert!(told.contains("put it here as xot.txt"), "{told}");
    let list: String = (0..12).map(|seed| format!("{}\n", eight_moves(seed))).collect();
    std::fs::write(desk.path("xot.txt"), format!("# ours\n{list}")).unwrap();
    let (xot, _) = pairs(&desk, &["--openings", "xot"]);
    let (again, _) = pairs(&desk, &["--openings", "xot"]);
    let (other, _) = pairs(&desk, &["--openings", "xot", "--seed", "2"]);
    assert_eq!(xot, again);
    assert_ne!(openings(&xot), openings(&other));
    assert!(openings(&xot).iter().all(|line| line.len() == 16));

    let wthor = with(&["--openings", "wthor", "--plies", "3"]);
    assert_eq!(desk.run(&wthor).status.code(), Some(2), "there is no book");
    desk.ok(&["new"]);
    let told = desk.refused(&wthor);
    assert!(told.contains("has no games") && told.contains("rosebill games import"), "{told}");
    std::fs::write(desk.path("games.txt"), "d3c5f6f5\nf5d6c3d3c4f4\nf5f6e6f4\nf5f4\n").unwrap();
    let xot = "[Event \"x\"]\n[Variant \"xot\"]\n[Result \"*\"]\n\n1. f5 f4 2. g3 *\n";
    std::fs::write(desk.path("xot.pgn"), xot).unwrap();
    let imported = objects(&desk.ok(&["games", "import", "games.txt", "xot.pgn", "--json"]));
    assert_eq!(imported.last().unwrap()["new"], 5);
    let (played, _) = pairs(&desk, &["--openings", "wthor", "--plies", "3"]);
    assert_eq!(openings(&played), ["f5d6c3", "f5f6e6"], "to f5, none twice, none of XOT");
    let told = desk.refused(&with(&["--openings", "wthor", "--plies", "20"]));
    assert!(told.contains("no game of") && told.contains("20 plies"), "{told}");
}

#[test]
fn saved_games_are_imported_as_they_were_played() {
    let desk = Desk::new();
    std::fs::write(desk.path("lines.txt"), "tiger\nf5d6c4\nf5f4\n").unwrap();
    let files = ["games.json", "games.pgn", "games.ggf", "games.sgf", "games.csv"];
    for file in files {
        desk.ok(&with(&["--openings", "lines.txt", "--save", file]));
    }
    let text = std::fs::read_to_string(desk.path("games.pgn")).unwrap();
    desk.ok(&with(&["--openings", "lines.txt", "--save", "again.pgn"]));
    let again = std::fs::read_to_string(desk.path("again.pgn")).unwrap();
    assert_eq!(without_times(&again), without_times(&text), "but for what it took");
    assert!(
        text.contains("[Event \"match rosebill ") && text.contains(" - squares, depth 1"),
        "{text}"
    );
    assert_eq!(text.matches("[Black \"squares\"]").count(), 3);
    let mut first = kept(&desk, files[0]);
    assert_eq!(first.len(), 6);
    assert!(first.iter().all(|game| game["black_discs"].is_u64() && game["event"].is_string()));
    assert!(first.iter().all(|game| game["remarks"].is_object()));
    for file in &files[1..] {
        if *file == "games.csv" {
            // A table has no place for what is said of moves.
            let games = first.iter_mut().filter_map(serde_json::Value::as_object_mut);
            games.for_each(|game| drop(game.remove("remarks")));
        }
        assert_eq!(kept(&desk, file), first, "{file} holds the games of {}", files[0]);
    }
    // From a board on which Black must pass first.
    let board = "--OOO----X-O------XX-------XX------XXX-------------------------- X";
    std::fs::write(desk.path("board.txt"), board).unwrap();
    let boards = ["board.json", "board.pgn", "board.ggf", "board.sgf"].map(|file| {
        desk.ok(&with(&["--openings", "board.txt", "--save", file]));
        kept(&desk, file)
    });
    assert!(boards[0].len() == 2 && boards[0][0]["start"].is_string(), "{boards:?}");
    assert!(boards.iter().all(|games| *games == boards[0]), "{boards:?}");
}

/// A file of games without what its moves took.
fn without_times(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.contains("Cpu \""));
    let words = lines.flat_map(|line| line.split_inclusive(['{', '}', ' ']).chain(["\n"]));
    let text: String = words.filter(|word| !word.contains(':') && *word != "[%emt ").collect();
    // A move that took no time has no time, and perhaps no comment: lines may end elsewhere.
    text.split(['{', '}', ' ', '\n']).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The games that come out of a book of its own after an import, without what formats put in words of
/// their own: the source, and the result of the header; and without what the moves took, which differs.
fn kept(desk: &Desk, file: &str) -> Vec<Value> {
    let (book, out) = (format!("{file}.db"), format!("{file}.out.json"));
    let imported = objects(&desk.ok(&["games", "import", file, "--json", "--book", &book]));
    assert_eq!((&imported[0]["refused"], &imported[0]["notes"]), (&0.into(), &0.into()), "{file}");
    desk.ok(&["games", "export", &out, "--book", &book]);
    let mut games = objects(&std::fs::read_to_string(desk.path(&out)).unwrap());
    for game in games.iter_mut().filter_map(Value::as_object_mut) {
        for name in ["source", "result", "extra", "milliseconds"] {
            game.remove(name);
        }
    }
    games.sort_by_key(ToString::to_string);
    games
}

#[test]
fn what_cannot_be_saved_or_played_is_told_at_once() {
    let desk = Desk::new();
    std::fs::write(desk.path("kept.pgn"), "kept").unwrap();
    std::fs::write(desk.path("nothing.txt"), "hello\n").unwrap();
    for (more, told) in [
        (&["--save", "games.doc"][..], "expected a name that ends with .pgn"),
        (&["--save", "games.wtb"], "expected a name that ends with .pgn"),
        (&["--save", "none/games.pgn"], "cannot write none/games.pgn"),
        (&["--openings", "none.txt"], "none.txt"),
        (&["--openings", "nothing.txt"], "holds no opening"),
        (&["--save", "kept.pgn"], "kept.pgn already exists"),
        (
            &["--book-b", "my book.db"],
            "--book-b: no book at my book.db\n  try: rosebill new --book 'my book.db' --starter",
        ),
        (&["--openings", "wthor"], "no book"),
    ] {
        let said = desk.refused(&with(more));
        assert!(said.contains(told), "{more:?}: {said}");
    }
    for (option, value, told) in [
        ("--threads", "0", "expected a number from 1 to 1024"),
        ("--opening-depth", "61", "expected a number from 0 to 60"),
    ] {
        let said = desk.refused(&["lab", "match", "rosebill", "squares", option, value]);
        assert!(said.contains(told), "{option}: {said}");
    }
    assert_eq!(std::fs::read_to_string(desk.path("kept.pgn")).unwrap(), "kept");
    let left: Vec<_> = std::fs::read_dir(desk.folder.path()).unwrap().collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

/// Who plays by a book does so as 'play' and 'gtp' do: with facts, and not where a search is due.
#[test]
fn a_book_is_played_by_its_facts() {
    let desk = Desk::grown("60");
    std::fs::write(desk.path("lines.txt"), "f5\n").unwrap();
    let reply = |save: &str| {
        let books = ["--book-a", "book.db", "--book-b", "book.db"];
        desk.ok(&with(&[&["--openings", "lines.txt", "--save", save], &books[..]].concat()));
        let game = std::fs::read_to_string(desk.path(save)).unwrap();
        game.rsplit(" : ").next().unwrap().get(2..4).unwrap().to_owned()
    };
    let before = reply("before.txt");
    let fact = format!("line,proven_lower,proven_upper\nf5{before},60,64\n");
    std::fs::write(desk.path("facts.csv"), fact).unwrap();
    desk.ok(&["import", "facts.csv"]);
    assert_ne!(reply("after.txt"), before, "it is known to lose everything");
}

#[test]
fn what_people_read() {
    let desk = Desk::new();
    std::fs::write(desk.path("lines.txt"), "tiger\nf5d6c4\nf5f4\n").unwrap();
    let text = desk.ok(&with(&["--openings", "lines.txt", "--pairs"]));
    // How long it took differs.
    let text: Vec<_> = text.lines().filter(|line| !line.contains("CPU seconds")).collect();
    insta::assert_snapshot!("match_pairs", text.join("\n"));
}

/// Starts a program, and interrupts it as soon as that is so.
fn interrupted(desk: &Desk, arguments: &[&str], is_time: impl Fn() -> bool) -> Vec<Value> {
    let mut command = desk.command();
    let child = command.args(arguments).stdout(Stdio::piped()).spawn().unwrap();
    let begun = Instant::now();
    while !is_time() {
        assert!(begun.elapsed() < Duration::from_secs(60), "it never was");
        sleep(Duration::from_millis(10));
    }
    let process = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &process]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    objects(&String::from_utf8(output.stdout).unwrap())
}

#[test]
fn a_match_that_is_interrupted_says_so_and_keeps_its_games() {
    let desk = Desk::new();
    let lines: String = (0..400).map(|seed| format!("{}\n", eight_moves(seed))).collect();
    std::fs::write(desk.path("lines.txt"), lines).unwrap();
    let saved = desk.path("games.txt");
    let games = || std::fs::read_to_string(&saved).unwrap_or_default().lines().count();
    let run = ["lab", "match", "rosebill", "phases", "--depth=5", "--threads=2", "--table=1"];
    let run = [&run[..], &["--openings=lines.txt", "--save=games.txt", "--json"]].concat();
    // Games are in the file while others are played.
    let tally = interrupted(&desk, &run, || games() > 2).remove(0);
    assert_eq!(tally["complete"], false);
    let played = tally["games"].as_u64().unwrap();
    assert!(played >= 4 && tally["percent"].is_f64(), "{tally}");
    assert_eq!(games() as u64, played, "all that were played are saved");
    // Without a game there is no result, and no file.
    let run = ["lab", "match", "rosebill", "phases", "squares", "--round-robin", "--level=60"];
    let run = [&run[..], &["--openings=lines.txt", "--save=none.txt", "--json"]].concat();
    let none = desk.path("none.txt");
    let matches = interrupted(&desk, &run, || none.exists());
    let names = |tally: &Value| format!("{} - {}", tally["first"], tally["second"]);
    assert_eq!(matches.iter().map(names).collect::<HashSet<_>>().len(), 3, "{matches:?}");
    for tally in &matches {
        assert_eq!((&tally["games"], &tally["complete"]), (&0.into(), &false.into()), "{tally}");
        assert!(tally["percent"].is_null() && tally["mean_difference"].is_null(), "{tally}");
    }
    assert!(!none.exists());
}

#[test]
fn options_without_effect_are_refused() {
    let desk = Desk::new();
    let refused =
        |more: &[&str]| desk.refused(&[&["lab", "match", "rosebill", "squares"], more].concat());
    let told = refused(&["--level", "1", "--solve-from", "7"]);
    assert!(told.contains("--solve-from needs --depth"), "{told}");
    let told = refused(&["--time", "1s", "--selectivity", "73"]);
    assert!(told.contains("--selectivity needs --depth"), "{told}");
    let told = refused(&["--depth", "1", "--solve-from", "70"]);
    assert!(told.contains("expected a number from 0 to 60"), "{told}");
    let told = refused(&["--openings", "balanced", "--plies", "0"]);
    assert!(told.contains("--plies needs --openings wthor or a file"), "{told}");
}
