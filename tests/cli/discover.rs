//! What book and games tell together, as a user asks for it.

use std::fs;

use serde_json::Value;

use crate::boards::board_text;
use crate::desk::{Desk, is_one_line, stderr};

/// A desk with games of a few people who like the same openings, and a book of what they play.
fn desk() -> Desk {
    let desk = Desk::new();
    let games = "\
        Ann 30-34 Bob : f5d6c3d3c4f4c5b3c2\n\
        Ann 40-24 Eve : f5d6c3d3c4f4c5b4\n\
        Ann 20-44 Bob : f5d6c3d3c4f4e3\n\
        Ann 31-33 Eve : f5d6c3d3c4f4e3f6\n\
        Bob 30-34 Ann : f5f6e6f4g5\n\
        Bob 35-29 Ann : f5f6e6f4g5e7\n\
        Eve 36-28 Ann : f5f6e6f4e3\n\
        Eve 33-31 Bob : f5d6c3f4\n\
        Eve 34-30 Anna : f5d6c3f4f6\n";
    fs::write(desk.path("club.txt"), games).unwrap();
    let event =
        "[Event \"Spring Open\"]\n[Date \"2020.05.01\"]\n[Black \"Bob\"]\n[White \"Eve\"]\n\n";
    let pgn = format!("{event}1. f5 d6 2. c3 f4\n\n{event}1. f5 d6 2. c3 f4 3. f6 *\n");
    fs::write(desk.path("open.pgn"), pgn).unwrap();
    desk.ok(&["games", "import", "club.txt", "open.pgn"]);
    let grow = ["grow", "--policy", "popular", "--least-games", "2", "--level", "2", "-q"];
    desk.ok(&[&grow[..], &["--threads", "1"]].concat());
    desk
}

/// Everything that is asked here, with bounds that let through what there is.
const ASKED: [&[&str]; 7] = [
    &["novelties", "--least-games", "2", "--loss", "64", "--behind", "0", "--window", "64"],
    &["novelties", "--habits", "--least-games", "2", "--loss", "0", "--window", "64"],
    &["traps", "--least-games", "2", "--loss", "0", "--regret", "64", "--window", "64"],
    &["mistakes", "bob", "--loss", "0", "--window", "64"],
    &[
        "preparation",
        "bob",
        "--least-games",
        "2",
        "--loss",
        "0",
        "--own-loss",
        "64",
        "--window",
        "64",
    ],
    &["disagreements", "--least-games", "2", "--difference", "0", "--window", "64"],
    &["only-moves", "--least-games", "2", "--loss", "0.01", "--window", "64"],
];

fn asked(question: &[&'static str], more: &[&'static str]) -> Vec<&'static str> {
    [&["discover"], question, more].concat()
}

fn objects(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn fields(object: &Value) -> String {
    let names: Vec<_> = object.as_object().unwrap().keys().cloned().collect();
    names.join(" ")
}

const MISTAKE: &str = "at_least best_line by different_players error games guess last_year line loss move \
    move_games name right_line";

#[test]
fn every_question_has_a_table_json_and_lines_to_grow() {
    let desk = desk();
    for question in ASKED {
        for columns in ["80", "120"] {
            let output =
                desk.command().args(asked(question, &[])).env("COLUMNS", columns).output().unwrap();
            let text = String::from_utf8(output.stdout).unwrap();
            assert!(output.status.success() && text.lines().count() > 1, "{question:?}: {text}");
            let width: usize = columns.parse().unwrap();
            assert!(text.lines().all(|line| line.chars().count() <= width), "{text}");
        }
        let first = objects(&desk.ok(&asked(question, &["--json"]))).remove(0);
        let expected = match (question[0], question[1]) {
            ("novelties", "--habits") | ("mistakes", _) => MISTAKE,
            ("novelties", _) => {
                "behind error games last_year line loss move move_games name usual_games \
                 usual_loss usual_move value"
            }
            ("disagreements", _) => "difference error games guess line mean_score name side",
            ("only-moves", _) => {
                "at_least error games guess line loss missed move name usual_games usual_loss usual_move"
            }
            ("traps", _) => {
                "at_least best_move best_move_games error gain games guess line loss name regret side \
                 usual_games usual_move wrong"
            }
            _ => "black player white",
        };
        assert_eq!(fields(&first), expected, "{question:?}");
        let lines = desk.ok(&asked(question, &["--lines"]));
        assert!(!lines.is_empty(), "{question:?}");
        let mut grow = vec!["grow", "--policy", "lines", "--level", "1", "--threads", "1", "-q"];
        lines.lines().for_each(|line| grow.extend(["--line", line]));
        desk.ok(&grow);
        for line in lines.lines() {
            assert_eq!(desk.json(&["show", line])["in_book"], true, "{line}");
        }
    }
}

#[test]
fn lines_from_a_board_can_be_grown() {
    let desk = desk();
    let shown = &desk.json(&["show", "f5d6c3"])["position"];
    let board = board_text(shown);
    let question = ["discover", "traps", "--least-games", "2", "--loss", "0", "--regret", "64"];
    let place = ["--window", "64", "--from", &board, "--lines"];
    let lines = desk.ok(&[&question[..], &place].concat());
    assert!(!lines.is_empty() && lines.lines().all(|line| line.starts_with(&board)), "{lines}");
    let grow = ["grow", "--policy", "lines", "--level", "1", "--threads", "1", "-q"];
    for line in lines.lines() {
        desk.ok(&[&grow[..], &["--line", line]].concat());
        assert_eq!(desk.json(&["show", line])["in_book"], true, "{line}");
    }
    let first = lines.lines().next().unwrap();
    for other in [["--from", "f5"], ["--line", "f5d6"]] {
        let told = desk.refused(&[&grow[..], &["--line", first], &other].concat());
        assert!(told.contains("another board"), "{told}");
    }
}

#[test]
fn where_a_player_scores_badly_is_told_though_nothing_else_is() {
    let desk = Desk::new();
    let games = "\
        Ann 20-44 Bob : f5d6c3d3c4f4c5\n\
        Ann 20-44 Bob : f5d6c3d3c4f4e3\n\
        Ann 44-20 Bob : f5f6e6f4e3\n\
        Ann 44-20 Bob : f5f6e6f4g5\n";
    fs::write(desk.path("club.txt"), games).unwrap();
    desk.ok(&["games", "import", "club.txt"]);
    desk.ok(&["grow", "--policy", "popular", "--least-games", "2", "--level", "1", "-q"]);
    let ask = ["discover", "preparation", "ann", "--least-games", "2", "--loss", "64"];
    let ask = [&ask[..], &["--learn", "0", "--window", "64"]].concat();
    let told = desk.ok(&ask);
    assert!(told.contains("scores badly") && !told.contains("to learn"), "{told}");
    let lines = desk.run(&[&ask[..], &["--lines"]].concat());
    assert_eq!((lines.status.code(), lines.stdout.is_empty()), (Some(1), true));
}

#[test]
fn a_preparation_has_both_colours_and_can_be_taken_along() {
    let desk = desk();
    let ask = asked(ASKED[4], &[]);
    let files = ["--book-part", "part.db", "--pgn", "lines.pgn", "--learn", "3"];
    let whole = desk.json(&[&ask[..], &files].concat());
    let black = &whole["black"];
    assert_eq!((&whole["player"], &black["games"]), (&"Bob".into(), &4.into()));
    assert_eq!(fields(black), "departures games learn percent poor");
    assert_eq!(fields(&black["departures"][0]), MISTAKE);
    assert_eq!(fields(&black["learn"][0]), "chance gain games line name");
    let learned: Vec<&Value> = [&whole["black"], &whole["white"]]
        .into_iter()
        .flat_map(|side| side["learn"].as_array().unwrap())
        .collect();
    assert!((1..=6).contains(&learned.len()), "{learned:?}");
    let part = ["--book", "part.db"];
    desk.ok(&[&["verify"][..], &part].concat());
    let positions =
        desk.json(&[&["info", "--by-discs"][..], &part].concat())["positions"].as_u64().unwrap();
    assert!(positions >= 2);
    let value = |book: &str| desk.json(&["show", "f5", "--book", book])["values"]["guess"].clone();
    assert_eq!(value("part.db"), value("book.db"));
    let told = desk.ok(&["games", "import", "lines.pgn", "--book", "other.db"]);
    assert!(told.contains(&format!("{} new", learned.len())), "{told}");
    let listed = objects(&desk.ok(&["games", "list", "--json", "--book", "other.db"]));
    assert!(listed.iter().all(|game| game["event"] == "Preparation for Bob"), "{listed:?}");
    // Nothing is replaced; a stream of games is nothing else.
    let told = desk.refused(&[&ask[..], &["--book-part", "part.db"]].concat());
    assert!(told.contains("part.db"), "{told}");
    let pgn = desk.ok(&[&ask[..], &["--pgn", "-"]].concat());
    assert!(pgn.starts_with("[Event \"Preparation for Bob\"]"), "{pgn}");
    assert!(pgn.contains(" {100 %"), "{pgn}");
    let one = desk.json(&[&ask[..], &["--side", "white"]].concat());
    assert_eq!((&one["black"], &one["white"]["games"]), (&Value::Null, &3.into()));
}

#[test]
fn places_and_filters_choose_the_games() {
    let desk = desk();
    let habits = asked(ASKED[1], &["--json"]);
    let below = objects(&desk.ok(&[&habits[..], &["--from", "f5", "d6", "c3"]].concat()));
    assert!(below.iter().all(|habit| habit["line"].as_str().unwrap().starts_with("f5d6c3")));
    let event = ["discover", "mistakes", "--event", "spring", "--loss", "0", "--json"];
    let all = desk.run(&event);
    assert_eq!(all.status.code(), Some(0), "{}", stderr(&all));
    for mistake in objects(&String::from_utf8(all.stdout).unwrap()) {
        assert_eq!(mistake["games"], 2, "two games are of that event");
    }
    // The player who has just this name, not the one whose name begins so.
    desk.run(&["discover", "mistakes", "ann", "--loss", "0"]);
    let told = stderr(&desk.run(&["discover", "mistakes", "an"]));
    assert!(told.contains("2 players have a name like \"an\": \"Ann\", \"Anna\""), "{told}");
}

#[test]
fn a_miss_says_what_to_do_next() {
    let desk = Desk::new();
    let told = desk.refused(&["discover", "traps"]);
    assert!(is_one_line(&told), "{told}");
    let missed = |desk: &Desk, arguments: &[&str]| {
        let output = desk.run(arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {}", stderr(&output));
        assert!(output.stdout.is_empty(), "{arguments:?}");
        let told = stderr(&output).trim_end().to_owned();
        assert!(is_one_line(&told), "{told}");
        told
    };
    let grown = Desk::grown("5");
    for question in ASKED {
        let told = missed(&grown, &asked(question, &[]));
        assert!(told.contains("rosebill games import FILE"), "{told}");
    }
    let desk = self::desk();
    for (arguments, hint) in [
        (&["traps", "--from", "f5f4c3c4", "--least-games", "2"][..], "try fewer moves"),
        (
            &["novelties", "--least-games", "500"],
            "of the 500 games needed reach this position: try --least-games",
        ),
        (
            &["preparation", "anna"],
            "1 of the 3 games needed reaches this position: --least-games takes 2 or more",
        ),
        (&["mistakes", "bob", "--loss", "60"], "try other limits"),
        (&["mistakes", "zoe"], "rosebill games players PREFIX"),
        (&["preparation", "zoe"], "rosebill games players PREFIX"),
        (&["novelties", "--loss", "0", "--behind", "60", "--least-games", "2"], "--behind 0"),
    ] {
        let told = missed(&desk, &[&["discover"], arguments].concat());
        assert!(told.contains(hint), "{arguments:?}: {told}");
    }
    // Growth is advised only where there are games to grow by.
    let ungrown = Desk::new();
    fs::write(ungrown.path("two.txt"), "f5d6c3d3\nf5d6c3f4\n").unwrap();
    ungrown.ok(&["games", "import", "two.txt"]);
    let told = missed(&ungrown, &["discover", "novelties", "--least-games", "2"]);
    assert!(told.contains("grow --policy popular --least-games 2"), "{told}");
    for (arguments, hint) in [
        (&["mistakes"][..], "--event WORDS"),
        (&["preparation"], "missing <NAME>"),
        (&["traps", "--least-games", "1"], "--least-games"),
        (&["traps", "--from", "tigher"], "tigher"),
        (&["novelties", "--loss", "x"], "0 to 1000 discs"),
    ] {
        let told = desk.refused(&[&["discover"], arguments].concat());
        assert!(is_one_line(&told) && told.contains(hint), "{arguments:?}: {told}");
    }
    let told = desk.not_there(&["discover", "mistakes", "--event", "zzz"]);
    assert!(told.contains("no event of the games here"), "{told}");
}

#[test]
fn doubt_is_searched_away_once() {
    let desk = desk();
    let doubt = ["grow", "--policy", "doubt", "--least-games", "2", "--threads", "1"];
    let listed = desk.ok(&[&doubt[..], &["--level", "4", "--dry-run"]].concat());
    assert!(listed.contains("deepen"), "{listed}");
    let positions = desk.json(&["info", "--by-discs"])["positions"].clone();
    let first = desk.json(&[&doubt[..], &["--level", "4"]].concat());
    assert!(first["searches"].as_u64().unwrap() > 5, "{first}");
    assert_eq!(first["positions"], positions, "it adds nothing");
    let again = desk.json(&[&doubt[..], &["--level", "4"]].concat());
    assert_eq!(again["searches"], 0, "{again}");
    let told = desk.refused(&[&doubt[..], &["--depth", "3"]].concat());
    assert!(told.contains("--policy doubt takes a --level"), "{told}");
    let none = Desk::grown("3").refused(&doubt);
    assert!(none.contains("--policy doubt needs") && none.contains("games import"), "{none}");
}
