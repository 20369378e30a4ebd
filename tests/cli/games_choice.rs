//! Which games: by number, by player, by year, by place; and what is told of those that are meant otherwise.

use std::fs;

use serde_json::Value;

use crate::desk::{Desk, is_one_line, stderr};

/// Five games of Ann, the last two without a result on the board.
fn desk() -> Desk {
    let desk = Desk::new();
    let table = "black,white,year,black_score,white_score,moves\n\
                 Ann Ash,Bob Birch,2001,40,24,f5d6c3\n\
                 Bob Birch,Ann Ash,2002,50,14,f5f6e6f4\n\
                 Carl Oak,Ann Ash,2003,32,32,f5d6c4\n\
                 Ann Ash,Bob Birch,2003,,,f5f4\n\
                 Ann Ash,Carl Oak,2004,64,0,f5d6c6\n";
    fs::write(desk.path("club.csv"), table).unwrap();
    desk.ok(&["games", "import", "club.csv"]);
    desk
}

fn numbers(desk: &Desk) -> Vec<u64> {
    let listed = desk.run(&["games", "list", "--json", "--reverse"]);
    let text = String::from_utf8(listed.stdout).unwrap();
    let number = |line: &str| serde_json::from_str::<Value>(line).unwrap()["id"].as_u64().unwrap();
    let mut numbers: Vec<u64> = text.lines().map(number).collect();
    numbers.sort_unstable();
    numbers
}

#[test]
fn games_go_by_their_numbers() {
    let desk = desk();
    for arguments in [&["7"][..], &["0", "7", "8"]] {
        let text = desk.not_there(&[&["games", "remove"], arguments].concat());
        assert!(text.contains("no game 7"), "{arguments:?}: {text}");
        assert_eq!(numbers(&desk), [0, 1, 2, 3, 4], "{arguments:?}");
    }
    for (arguments, told) in [
        (&["0", "--player", "ann"][..], "one of the two"),
        (&["0", "--all"], "one of the two"),
        (&["tiger"], "tiger"),
    ] {
        let text = desk.refused(&[&["games", "remove"], arguments].concat());
        assert!(is_one_line(&text) && text.contains(told), "{arguments:?}: {text}");
        assert_eq!(numbers(&desk), [0, 1, 2, 3, 4], "{arguments:?}");
    }
    let would = desk.ok(&["games", "remove", "3", "1", "--dry-run"]);
    assert_eq!(would, "2 games would be removed\n");
    assert_eq!(numbers(&desk).len(), 5);
    assert_eq!(desk.ok(&["games", "remove", "3", "1", "3"]), "2 games removed\n");
    assert_eq!(numbers(&desk), [0, 2, 4]);
    let removed = desk.json(&["games", "remove", "0"]);
    let expected = serde_json::json!({"removed": 1, "kept": 0, "sources": [], "dry_run": false});
    assert_eq!(removed, expected);
    desk.not_there(&["games", "remove", "0"]);
    desk.ok(&["verify"]);
    // A game that is gone may come again, with another number.
    desk.ok(&["games", "import", "club.csv"]);
    assert_eq!(numbers(&desk), [2, 4, 5, 6, 7]);
}

#[test]
fn a_players_games_are_chosen_as_others_are() {
    let desk = desk();
    let count = |more: &[&str]| {
        desk.json(&[&["games", "player", "ann"][..], more].concat())["games"].as_u64().unwrap()
    };
    for (more, games) in [
        (&["--position", "f5d6"][..], 3),
        (&["--position", "f5", "d6", "--years", "2003-"], 2),
        (&["--position", "f5d6", "--position", "f5d6c3"], 1),
        (&["--opening", "diagonal"], 1),
        (&["--years", "2003"], 2),
        (&["--years", "-2002"], 2),
        (&["--result", "black"], 3),
        (&["--black", "ann"], 3),
        (&["--against", "carl", "--years", "2004"], 1),
    ] {
        assert_eq!(count(more), games, "{more:?}");
    }
    for more in [
        &["--years", "1999"][..],
        &["--position", "f5d6c3d3"],
        &["--against", "bob", "--years", "2004"],
    ] {
        let none = desk.run(&[&["games", "player", "ann"][..], more].concat());
        assert_eq!(none.status.code(), Some(1), "{more:?}");
        assert!(stderr(&none).contains("no game of Ann Ash matches"), "{none:?}");
    }
    let event = desk.not_there(&["games", "player", "ann", "--event", "zzz"]);
    assert!(event.contains("no event"), "{event}");
    assert!(desk.refused(&["games", "player", "ann", "--opening", "zzz"]).contains("no opening"));
    assert!(desk.ok(&["games", "player", "ann"]).contains(" scored "));
    // What moves cost, too: of the games that are meant.
    let losses = |more: &[&str]| {
        let part =
            desk.run(&[&["games", "player", "ann", "--losses", "--json"][..], more].concat());
        let text = String::from_utf8(part.stdout).unwrap();
        serde_json::from_str::<Value>(&text).unwrap()["games"].clone()
    };
    assert_eq!((losses(&[]), losses(&["--position", "f5d6"])), (5.into(), 3.into()));
    assert_eq!(losses(&["--years", "2003"]), 2);
}

#[test]
fn games_against_a_player_are_those_with_the_other_colour() {
    let desk = desk();
    for (choice, games) in [
        (&["--player", "ann", "--against", "bob"][..], 3),
        (&["--against", "bob"], 3),
        (&["--black", "ann", "--against", "carl"], 1),
        (&["--player", "bob", "--against", "carl"], 0),
    ] {
        let listed = desk.run(&[&["games", "list", "--json"][..], choice].concat());
        assert_eq!(String::from_utf8(listed.stdout).unwrap().lines().count(), games, "{choice:?}");
    }
}

#[test]
fn old_options_name_the_new_one() {
    let desk = desk();
    assert_eq!(desk.ok(&["games", "list", "--years", "2003", "--json"]).lines().count(), 2);
    assert_eq!(desk.json(&["games", "stats", "--years", "2004"])["games"], 1);
    for (old, new) in [("--year", "--years YEAR"), ("--from-year", "--years YEAR-")] {
        let told = desk.refused(&["games", "list", old, "2003"]);
        assert!(told.contains(new) && is_one_line(&told), "{told}");
    }
    let bad = desk.refused(&["games", "list", "--years", "2010-2003"]);
    assert!(bad.contains("expected a year or years"), "{bad}");
    let line = desk.refused(&["games", "list", "--opening", "f5d6"]);
    assert!(line.contains("with --position"), "{line}");
}

#[test]
fn games_that_came_by_another_order_are_listed_alone() {
    let desk = Desk::new();
    fs::write(desk.path("two.txt"), "f5d6c3d3c4f4\nf5d6c4d3c3f4\nf5f6e6f4\n").unwrap();
    desk.ok(&["games", "import", "two.txt"]);
    let moves = |more: &[&str]| {
        let listed = desk.run(&[&["games", "list", "--json"][..], more].concat());
        let text = String::from_utf8(listed.stdout).unwrap();
        let moves = |line: &str| serde_json::from_str::<Value>(line).unwrap()["moves"].to_string();
        text.lines().map(moves).collect::<Vec<_>>()
    };
    assert_eq!(moves(&["f5d6c3d3c4"]).len(), 2);
    assert_eq!(moves(&["f5d6c3d3c4", "--other-order"]), ["\"f5d6c4d3c3f4\""]);
    assert!(desk.refused(&["games", "list", "--other-order"]).contains("POSITION"));
}

#[test]
fn a_players_openings_are_shown_year_by_year() {
    let desk = desk();
    let asked = ["games", "player", "ann", "--openings", "--least-games", "1"];
    let shown = desk.ok(&asked);
    assert!(shown.contains("new") && shown.contains("given up"), "{shown}");
    let years = desk.json(&asked)["by_year"].as_array().unwrap().clone();
    assert_eq!(years.len(), 4);
    assert_eq!(years[0]["openings"][0]["new"], false, "nothing is new in the first year");
    assert_eq!(years[1]["openings"][0]["new"], true);
    assert_eq!(years[1]["given_up"][0]["opening"], years[0]["openings"][0]["opening"]);
}

/// Growth, too, goes by the games that are asked for.
#[test]
fn growth_takes_the_games_that_are_asked_for() {
    let desk = desk();
    let grow = |more: &[&str]| {
        let usual = ["grow", "--policy", "popular", "--least-games", "1", "--level", "1", "-q"];
        desk.run(&[&usual[..], &["--threads", "1"], more].concat())
    };
    assert!(grow(&["--years", "2002"]).status.success());
    assert_eq!(desk.json(&["show", "f5f6e6f4"])["in_book"], true);
    assert_eq!(desk.run(&["show", "f5d6c6"]).status.code(), Some(1));
    let told = stderr(&grow(&["--years", "2002", "--games", "club.csv"]));
    assert!(told.contains("import the files first"), "{told}");
    let told = desk.refused(&["grow", "--policy", "best", "--player", "ann", "--searches", "1"]);
    assert!(told.contains("the choice of games needs --policy popular or doubt"), "{told}");
}

#[test]
fn a_player_where_a_place_is_expected_is_told() {
    let desk = desk();
    for command in [&["list"][..], &["stats"], &["export", "x.pgn"]] {
        let asked = |words: &[&str]| desk.refused(&[&["games"], command, words].concat());
        let text = asked(&["carl", "oak"]);
        assert!(is_one_line(&text), "{text}");
        assert!(text.trim_end().ends_with("; for a player: --player 'carl oak'"), "{text}");
        assert!(asked(&["zed"]).trim_end().ends_with("the side to move"), "{command:?}");
        assert!(!asked(&["f5f5"]).contains("--player"), "{command:?}");
    }
    // Without a book nobody is known.
    let empty = Desk::new();
    assert!(!empty.refused(&["games", "list", "carl"]).contains("--player"));
}

/// WTHOR has theoretical scores of all games or of none.
#[test]
fn theoretical_scores_are_lost_only_where_a_game_has_none() {
    let desk = Desk::new();
    let line = |moves: &str| {
        let mut line: rosebill::othello::board::Line = moves.parse().unwrap();
        while let Some(placed) = line.end() {
            assert!(line.push(placed.position.legal_moves().next().unwrap()));
        }
        line.to_string()
    };
    let game = |moves: &str, theory: &str| format!("{{\"moves\":\"{}\"{theory}}}\n", line(moves));
    let theory = ",\"theoretical\":40,\"theoretical_empties\":22";
    let mut text = game("f5d6c3", theory) + &game("f5f6e6", theory) + &game("f5f4", "");
    fs::write(desk.path("a.jsonl"), &text).unwrap();
    desk.ok(&["games", "import", "a.jsonl"]);
    let losses = |told: &Value| {
        let losses = told["losses"].as_array().unwrap();
        losses.iter().any(|loss| loss["what"] == "the theoretical score" && loss["games"] == 2)
    };
    let all = desk.json(&["games", "export", "all.wtb"]);
    assert!(losses(&all) && all["without_theory"] == 1, "{all}");
    let told = desk.ok(&["games", "export", "all.wtb", "--force"]);
    assert!(told.contains("1 game has none: --theory yes leaves it out"), "{told}");
    assert_eq!(fs::read(desk.path("all.wtb")).unwrap()[14], 0);
    let some = desk.json(&["games", "export", "some.wtb", "--theory", "yes"]);
    assert!(!losses(&some) && some["games"] == 2 && some["without_theory"] == 0, "{some}");
    assert_eq!(fs::read(desk.path("some.wtb")).unwrap()[14], 22);
    desk.ok(&["games", "import", "some.wtb", "--book", "again.db"]);
    let again = desk.ok(&["games", "list", "--json", "--theory", "yes", "--book", "again.db"]);
    assert_eq!(
        again.matches("\"theoretical\":40,\"theoretical_empties\":22").count(),
        2,
        "{again}"
    );
    assert_eq!(desk.ok(&["games", "list", "--json", "--theory", "no"]).lines().count(), 1);
    // Of several depths none can be kept.
    text = game("f5d6c4", ",\"theoretical\":30,\"theoretical_empties\":24");
    fs::write(desk.path("b.jsonl"), &text).unwrap();
    desk.ok(&["games", "import", "b.jsonl"]);
    let told = desk.ok(&["games", "export", "deep.wtb", "--theory", "yes"]);
    assert!(told.contains("for one number of empty squares"), "{told}");
}

#[test]
fn who_resigned_has_lost() {
    let desk = Desk::new();
    let quest = "{\"gtype\":\"reversi\",\"players\":[{\"name\":\"one\"},{\"name\":\"two\"}],\
                 \"position\":{\"moves\":[{\"m\":\"f5\"},{\"m\":\"d6\"},{\"t\":9}]}}";
    fs::write(desk.path("quest.json"), quest).unwrap();
    fs::write(desk.path("words.txt"), "f5d6c3 black resigned\n").unwrap();
    fs::write(
        desk.path("words.pgn"),
        "[Event \"a\"]\n[Result \"White resigned\"]\n\n1. f5 d6 c4 *\n\n\
         [Event \"b\"]\n[Result \"*\"]\n\n1. f5 d6 c6 white resigns\n",
    )
    .unwrap();
    desk.ok(&["games", "import", "quest.json", "words.txt", "words.pgn"]);
    let stats = desk.json(&["games", "stats"]);
    let of = ["games", "black", "draw", "white"].map(|name| stats[name].as_u64().unwrap());
    assert_eq!(of, [4, 2, 0, 2]);
}

#[test]
fn undo_tells_how_games_are_taken_out() {
    let desk = desk();
    let text = desk.not_there(&["undo"]);
    assert!(
        is_one_line(&text) && text.contains("try: rosebill games remove --source FILE"),
        "{text}"
    );
}
