//! What is seen on a terminal and what goes into a pipe.

use crate::desk::{Desk, stderr};

#[test]
fn without_arguments_it_says_how_to_begin() {
    let desk = Desk::new();
    let output = desk.run(&[]);
    assert_eq!(output.status.code(), Some(2));
    let text = stderr(&output);
    assert!(text.lines().count() <= 20, "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    for command in ["rosebill grow --time 60s", "rosebill show", "rosebill lines"] {
        assert!(text.contains(command), "{text}");
    }
    let help = desk.ok(&["--help"]);
    assert!(!help.contains("analyses games"), "{help}");
}

#[test]
fn a_pipe_gets_whole_lines_without_colours() {
    let desk = Desk::grown("60");
    let run = |variables: &[(&str, &str)], arguments: &[&str]| {
        let mut command = desk.command();
        command.env_remove("COLUMNS").env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
        let output = command.args(arguments).envs(variables.iter().copied()).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    for arguments in [&["show", "f5d6"][..], &["lines", "-n", "5"], &["search", "--static", "f5"]] {
        let plain = run(&[], arguments);
        assert!(!plain.contains('\u{1b}'), "{plain:?}");
        let coloured = run(&[("CLICOLOR_FORCE", "1")], arguments);
        assert!(coloured.contains("\u{1b}["), "{arguments:?}: no colours");
        assert_eq!(run(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], arguments), plain);
    }
    // Narrow, the last column is folded; in a pipe it is as long as it is.
    let narrow = run(&[("COLUMNS", "36")], &["lines", "-n", "5"]);
    assert!(narrow.lines().all(|line| line.chars().count() <= 36), "{narrow}");
    let rows = |text: &str| text.lines().count();
    assert!(rows(&narrow) > 6, "{narrow}");
    assert_eq!(rows(&run(&[], &["lines", "-n", "5"])), 6);
}

/// As many columns as there are, with games and facts: nothing is wider than the terminal.
#[test]
fn lines_are_no_longer_than_a_terminal_is_wide() {
    let desk = Desk::grown("60");
    let start = "---------------------------OX------XO---------------------------";
    std::fs::write(desk.path("proven.csv"), format!("board,side,proven_value\n{start},X,0\n"))
        .unwrap();
    desk.ok(&["import", "proven.csv"]);
    let names = ["Kashiwabara Takuji", "Borassi Michele", "Tastet Marc"];
    let lines = ["f5d6c3d3c4f4f6f3e6", "f5d6c3d3c4f4c5b3c2e6", "f5f6e6f4g5d6", "f5f4e3f6"];
    let games = (0..40).map(|number: usize| {
        let (black, white) = (names[number % 3], names[(number + 1) % 3]);
        let pgn = "[Event \"A tournament with a long name\"]\n[Result \"40-24\"]\n[Black \"";
        format!("{pgn}{black}\"]\n[White \"{white}\"]\n\n{} *\n\n", lines[number % 4])
    });
    std::fs::write(desk.path("games.pgn"), games.collect::<String>()).unwrap();
    desk.run(&["games", "import", "games.pgn"]);
    for arguments in [
        &["show"][..],
        &["show", "f5d6c3d3c4f4"],
        &["show", "--contempt", "5"],
        &["lines"],
        &["lines", "--by", "games"],
        &["games", "stats", "f5"],
        &["games", "stats", "f5", "--players"],
        &["games", "list"],
        &["games", "report"],
        &["games", "player", "kashiwabara"],
        &["discover", "novelties", "--habits", "--least-games", "2", "--loss", "0"],
        &["discover", "traps", "--least-games", "2"],
        &["info", "--by-discs"],
        &["info"],
    ] {
        for width in [80, 100, 120] {
            let mut command = desk.command();
            let output =
                command.args(arguments).env("COLUMNS", width.to_string()).output().unwrap();
            let text = String::from_utf8(output.stdout.clone()).unwrap() + &stderr(&output);
            assert!(!text.is_empty(), "{arguments:?}");
            for line in text.lines() {
                // Commands stay whole.
                let is_whole = line.trim_start().starts_with("rosebill ");
                let fits = line.chars().count() <= width;
                assert!(fits || is_whole, "{arguments:?} at {width}: {line}");
            }
        }
    }
}

#[test]
fn info_has_no_heading_without_anything_below() {
    let desk = Desk::new();
    desk.ok(&["new"]);
    let text = desk.ok(&["info"]);
    assert!(!text.contains("sources") && !text.contains("latest runs"), "{text}");
}

#[test]
fn equal_values_take_one_column() {
    let desk = Desk::grown("20");
    for arguments in [&["show"][..], &["lines"], &["info", "--by-discs"]] {
        let text = desk.ok(arguments);
        assert!(text.contains("guess") && !text.contains("seeking"), "{text}");
    }
}

#[test]
fn stats_shows_how_deep_and_how_sure() {
    let desk = Desk::grown("20");
    desk.ok(&["grow", "--positions", "5", "--depth", "3", "--threads", "1", "-q"]);
    let text = desk.ok(&["info", "--by-discs"]);
    let start = text.lines().position(|line| line.contains("plies  selectivity")).unwrap();
    let rows: Vec<&str> =
        text.lines().skip(start + 1).take_while(|line| !line.is_empty()).collect();
    let positions: u64 =
        rows.iter().map(|row| row.split_whitespace().next().unwrap().parse::<u64>().unwrap()).sum();
    assert_eq!((rows.len(), positions), (2, 25), "{text}");
}
