//! What growth tells, and how it ends.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::desk::{Desk, is_one_line, stderr};

/// No game has such a board, so no book could be read that had it.
#[test]
fn a_board_without_its_centre_is_not_grown() {
    let desk = Desk::new();
    let board = format!("{}XO{} X", "-".repeat(20), "-".repeat(42));
    let text = desk.refused(&["grow", "--from", &board, "--positions", "5", "--level", "1"]);
    assert!(is_one_line(&text) && text.contains("no disc on d4"), "{text}");
    assert!(!desk.path("book.db").exists());
}

#[test]
fn a_time_too_short_for_one_search_is_told_with_what_to_do() {
    let desk = Desk::new();
    let grow = ["grow", "--threads", "1", "--time"];
    let output = desk.run(&[&grow[..], &["4s", "--level", "60"]].concat());
    assert_eq!(output.status.code(), Some(1));
    let told = stderr(&output);
    let advice = "rosebill: no search finished in 4s; try --level ";
    assert!(told.contains(advice), "{told}");
    let output = desk.run(&[&grow[..], &["300ms", "--depth", "59", "--json"]].concat());
    assert_eq!(output.status.code(), Some(1));
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(summary["advice"].as_str().unwrap().contains("try --depth "), "{summary}");
    desk.ok(&["verify"]);
}

#[test]
fn a_book_named_for_its_games_must_be_there_and_have_some() {
    let desk = Desk::grown("3");
    let grow = ["grow", "--policy", "popular", "--level", "1", "--games-from"];
    let text = desk.refused(&[&grow[..], &["nope.db"]].concat());
    assert!(is_one_line(&text) && text.contains("nope.db"), "{text}");
    desk.ok(&["new", "--book", "empty.db"]);
    let text = desk.refused(&[&grow[..], &["empty.db"]].concat());
    assert!(
        is_one_line(&text) && text.contains("--games-from empty.db: that book has no"),
        "{text}"
    );
}

#[test]
fn ends_with_too_many_discs_are_not_solved() {
    let desk = Desk::new();
    let line =
        "f5f6e6f4g5e7e3f3c5c4g3c6d6d7c3c2b5d3b4e2f2h3f1d1d2g4g6c1e1b6c7d8f7h4f8e8h6a5h5a3a4h7";
    desk.ok(&["grow", "--policy", "lines", "--line", line, "--level", "1"]);
    let solve = ["grow", "--policy", "solve", "--solve-empties", "20", "--dry-run", "--max-discs"];
    let listed = |discs| {
        let output = desk.run(&[&solve[..], &[discs]].concat());
        String::from_utf8(output.stdout).unwrap().lines().count()
    };
    assert_eq!(listed("20"), 0);
    assert!(0 < listed("45") && listed("45") < listed("46"), "{}, {}", listed("45"), listed("46"));
}

#[test]
fn a_solution_that_takes_too_long_needs_more_time() {
    let desk = Desk::grown("3");
    let output = desk.run(&[
        "grow",
        "--policy",
        "solve",
        "--solve-empties",
        "60",
        "--time",
        "300ms",
        "--threads",
        "1",
    ]);
    assert_eq!(output.status.code(), Some(1));
    let told = stderr(&output);
    assert!(told.contains("no search finished in 300ms; try --time 3s"), "{told}");
}

#[test]
fn ends_with_a_report() {
    let desk = Desk::new();
    let grow = ["grow", "--level", "2", "--threads", "1", "--positions"];
    let first = desk.ok(&[&grow[..], &["30"]].concat());
    assert!(first.contains("30 positions (+30)"), "{first}");
    assert!(first.contains("the start: guess") && first.contains("new in the book"), "{first}");
    assert!(first.contains("\n  f5  ") && first.contains(" ± "), "{first}");
    assert!(first.contains("best line f5"), "{first}");
    assert!(first.contains("look at it: rosebill show\n"), "{first}");
    assert!(first.lines().all(|line| line.chars().count() <= 80), "{first}");
    let again = desk.ok(&[&grow[..], &["60"]].concat());
    assert!(again.contains("before ") || again.contains("as before"), "{again}");
    let from = desk.ok(&[&grow[..], &["5", "--from", "f5d6c3"]].concat());
    assert!(from.contains("f5d6c3: guess") && from.contains("rosebill show f5d6c3\n"), "{from}");
    // It can be given back.
    assert!(from.contains("\n  best line f5d6c3 "), "{from}");
    let one = desk.ok(&[&grow[..], &["1"]].concat());
    assert!(one.contains("(+1)"), "{one}");
    // Quiet is quiet, but what is asked for is told.
    assert_eq!(desk.ok(&[&grow[..], &["5", "-q"]].concat()), "");
    assert_eq!(desk.json(&[&grow[..], &["5", "-q"]].concat())["new_positions"], 5);
}

#[test]
fn quiet_commands_tell_nothing() {
    let desk = Desk::grown("40");
    desk.ok(&["grow", "--book", "other.db", "--positions", "20", "--level", "1", "-q"]);
    for arguments in [
        &["import", "other.db"][..],
        &["verify", "--recompute"],
        &["snapshot", "a.snapshot"],
        &["prune", "--max-discs", "8"],
        &["prune", "--max-discs", "7", "--to", "new.db"],
        &["prune", "--compact"],
        &["undo"],
        &["snapshot", "restore", "a.snapshot"],
        &["new", "--book", "empty.db"],
    ] {
        let output = desk.run(&[arguments, &["-q"]].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        assert_eq!((output.stdout.len(), output.stderr.len()), (0, 0), "{arguments:?}");
    }
}

#[test]
fn a_part_in_a_new_file_takes_nothing_away() {
    let desk = Desk::grown("40");
    let told = desk.ok(&["prune", "--move-loss", "0", "--to", "best.db"]);
    assert!(!told.contains("removed") && told.contains("book.db is as it was"), "{told}");
    assert!(told.starts_with("best.db: ") && told.contains(" left out"), "{told}");
    let json = desk.json(&["prune", "--move-loss", "0", "--to", "again.db"]);
    assert_eq!((&json["removed"], &json["book"]), (&0.into(), &"again.db".into()));
    assert!(json["left_out"].as_u64().unwrap() > 0);
    assert_eq!(desk.json(&["info", "--by-discs"])["positions"], 40);
}

/// Games in any format are taken, bad ones left out and told; a line may be named.
#[test]
fn lines_come_from_games_in_any_format_and_from_names() {
    let desk = Desk::new();
    let pgn = "[White \"two\"]\n\n1. f5 d6 2. c3 d3 *\n\n[White \"bad\"]\n\n1. f5 a1 *\n";
    std::fs::write(desk.path("games.pgn"), pgn).unwrap();
    let grow = ["grow", "--policy", "lines", "--level", "1", "--threads", "1"];
    let output = desk.run(&[&grow[..], &["--games", "games.pgn"]].concat());
    assert_eq!(output.status.code(), Some(0));
    let told = stderr(&output);
    assert!(told.contains("games.pgn: 1 of 2 games used: 1 cannot be read, first"), "{told}");
    assert!(told.contains("games.pgn:5 (game 2): move 2 \"a1\": flips no disc"), "{told}");
    assert_eq!(desk.json(&["show", "f5d6c3d3"])["in_book"], true);
    desk.ok(&[&grow[..], &["--line", "tiger"]].concat());
    assert_eq!(desk.json(&["show", "tiger"])["in_book"], true);
    let board = format!("{} X", "-".repeat(27) + "XO------OX" + &"-".repeat(27));
    let told = desk.refused(&[&grow[..], &["--line", "tiger", "--line", &board]].concat());
    assert!(told.contains("starts from another board than the first"), "{told}");
    std::fs::write(desk.path("games.pgn"), "f5a1\n").unwrap();
    let told = desk.refused(&[&grow[..], &["--games", "games.pgn"]].concat());
    assert!(told.contains("holds no game from the start position (games.pgn:1"), "{told}");
}

/// Whatever a dry run prints can be given back, to `show` and to `--from`.
#[test]
fn listed_positions_can_be_given_back() {
    let desk = Desk::grown("40");
    std::fs::write(desk.path("games.txt"), "f5d6c3d3c4f4\nf5f6e6f4g5\n").unwrap();
    let popular = ["--policy", "popular", "--games", "games.txt", "--least-games", "1"];
    for more in [&[][..], &["--from", "f5d6c3"], &["--from", "c4c3"], &popular] {
        let listed = desk.ok(&[&["grow", "--dry-run", "--json"], more].concat());
        assert!(!listed.is_empty());
        for line in listed.lines() {
            let row: serde_json::Value = serde_json::from_str(line).unwrap();
            // In discs, as all that people read; what is popular is counted, and what is only added has none.
            let number = |name: &str| row[name].as_f64().unwrap();
            let regret = number("black_regret") + number("white_regret");
            match (row["priority"].as_f64(), more.contains(&"popular")) {
                (None, _) => assert_eq!(row["reason"], "add", "{line}"),
                (Some(priority), true) => assert_eq!(priority.fract(), 0.0, "{line}"),
                (Some(priority), false) => {
                    assert!((-0.01..10.0).contains(&(priority - regret)), "{line}");
                }
            }
            let part = |name: &str| row["position"][name].as_str().unwrap();
            let board = &format!("{} {}", part("board"), part("side"));
            let position = row["line"].as_str().unwrap_or(board);
            let shown = desk.run(&["show", position, "--json"]);
            let shown: serde_json::Value = serde_json::from_slice(&shown.stdout).unwrap();
            let other = desk.run(&["show", board, "--json"]);
            let other: serde_json::Value = serde_json::from_slice(&other.stdout).unwrap();
            assert_eq!(shown["values"], other["values"], "{position}");
            desk.ok(&["grow", "--from", position, "--positions", "0", "--level", "1", "-q"]);
        }
    }
    let text = desk.ok(&["grow", "--dry-run", "--from", "f5d6c3"]);
    assert!(text.lines().skip(1).all(|line| line.contains("f5d6c3")), "{text}");
    // A board is a place to grow from, with all that follows.
    let board = desk.json(&["show", "f5d6c3"])["position"]["board"].as_str().unwrap().to_owned();
    let grown =
        desk.json(&["grow", "--from", &format!("{board} O"), "--positions", "3", "--level", "2"]);
    assert_eq!(grown["new_positions"], 3);
    desk.ok(&["verify"]);
}

#[test]
fn a_second_stage_is_told_and_must_be_a_deeper_one() {
    let desk = Desk::new();
    let grow = ["grow", "--level", "2", "--threads", "1", "--positions", "400"];
    desk.ok(&[&grow[..], &["--deepen", "5"]].concat());
    desk.ok(&["verify"]);
    desk.ok(&["grow", "--level", "2", "--threads", "2", "--positions", "200", "--deepen", "5"]);
    desk.ok(&["verify"]);
    let sources = desk.ok(&["info"]);
    assert!(sources.contains("level 2,") && sources.contains("level 5,"), "{sources}");
    let listed = desk.ok(&["grow", "--level", "2", "--deepen", "12", "--dry-run"]);
    assert!(listed.contains("deepen"), "{listed}");
    let told = desk.refused(&["grow", "--level", "6", "--deepen", "6"]);
    assert!(told.contains("--deepen 6 is no deeper than level 6"), "{told}");
    let told = desk.refused(&["grow", "--policy", "fill", "--deepen", "6"]);
    assert!(told.contains("--deepen needs --policy best"), "{told}");
}

/// On one thread what is searched next depends on the book alone: a run that is killed and one that goes
/// on make the book of a run that nothing disturbed.
#[test]
fn growth_in_two_stages_goes_on_after_a_kill_as_if_there_had_been_none() {
    let desk = Desk::new();
    let grow = |book: &str, positions: u64| {
        let mut command = desk.command();
        command.args(["grow", "--level", "3", "--deepen", "6", "--threads", "1", "-q"]);
        command.args(["--book", book, "--positions", &positions.to_string()]);
        command
    };
    let positions = |book: &str| {
        let output = desk.run(&["info", "--by-discs", "--json", "--book", book]);
        let stats: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        stats["positions"].as_u64().unwrap_or(0)
    };
    let mut killed = 0;
    let most = 6000;
    let mut reached = 0;
    while reached < most && killed < 2 {
        let mut process = grow("killed.db", most - reached).spawn().unwrap();
        let started = Instant::now();
        while positions("killed.db") == reached && process.try_wait().unwrap().is_none() {
            assert!(started.elapsed() < Duration::from_secs(60), "nothing is committed");
            std::thread::sleep(Duration::from_millis(20));
        }
        killed += u32::from(process.try_wait().unwrap().is_none());
        process.kill().unwrap();
        process.wait().unwrap();
        reached = positions("killed.db");
    }
    assert!(killed > 0 && reached > 0, "{killed} were killed, {reached} positions");
    // A little more than the kills left, so that all of them count.
    let most = reached + 200;
    assert!(grow("killed.db", 200).status().unwrap().success());
    assert!(grow("whole.db", most).status().unwrap().success());
    let exported = |book: &str| {
        let file = format!("{book}.json");
        desk.ok(&["export", &file, "--book", book, "-q"]);
        std::fs::read_to_string(desk.path(&file)).unwrap()
    };
    let (killed, whole) = (exported("killed.db"), exported("whole.db"));
    assert!(killed == whole, "another book after {reached} positions");
    desk.ok(&["verify", "--book", "killed.db"]);
}

#[test]
#[cfg(unix)]
fn two_quick_signals_end_growth_with_its_summary() {
    // On a busy machine the second signal may be no quick one: then both are sent to another run.
    let (_desk, mut grow) = loop {
        let desk = Desk::new();
        let grow = desk
            .command()
            .args(["grow", "--level", "2", "--threads", "2", "--time", "60s"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let started = Instant::now();
        while desk.run(&["info", "--by-discs", "--json"]).status.code() != Some(0) {
            assert!(started.elapsed() < Duration::from_secs(60), "no book");
            std::thread::sleep(Duration::from_millis(20));
        }
        std::thread::sleep(Duration::from_millis(300));
        let process = grow.id().to_string();
        let sending = Instant::now();
        for _ in 0..2 {
            let sent = Command::new("kill").args(["-INT", &process]).status().unwrap();
            assert!(sent.success());
        }
        if sending.elapsed() < Duration::from_millis(500) {
            break (desk, grow);
        }
        grow.wait_with_output().unwrap();
    };
    let status = grow.wait().unwrap();
    assert_eq!(status.code(), Some(130));
    let mut told = String::new();
    std::io::Read::read_to_string(&mut grow.stdout.take().unwrap(), &mut told).unwrap();
    assert!(told.contains("interrupted") && told.contains(" positions (+"), "{told}");
}

/// With a server that is not there the longest time is the longest time, too.
#[cfg(feature = "fleet")]
#[test]
fn a_fleet_is_waited_for_no_longer_than_asked() {
    let desk = Desk::new();
    let fleet = ["grow", "--fleet", "nats://127.0.0.1:1", "--level", "1", "--time", "300ms"];
    let told = desk.refused(&fleet);
    let last = told.lines().last().unwrap();
    assert!(last.starts_with("rosebill: the fleet's server nats://127.0.0.1:1 cannot"), "{told}");
    assert!(last.ends_with("the time is over"), "{told}");
    assert!(!desk.path("book.db").exists(), "a book was made for nothing");
}

/// What lacks a level is counted before it is searched, and all of it is.
#[test]
fn raising_a_book_says_how_much_there_is_to_do() {
    let desk = Desk::grown("30");
    let raise = ["grow", "--policy", "deepen", "--level", "4", "--threads", "1"];
    let dry = desk.ok(&[&raise[..], &["--dry-run", "--json"]].concat());
    let plan: serde_json::Value = serde_json::from_str(dry.lines().next().unwrap()).unwrap();
    let searches = plan["searches"].as_u64().unwrap();
    assert_eq!((&plan["level"], searches > 20), (&4.into(), true), "{plan}");
    assert!(plan["seconds"].as_f64().is_some(), "{plan}");
    let text = desk.ok(&[&raise[..], &["--dry-run"]].concat());
    let first = format!("to level 4: {searches} searches, about ");
    assert!(text.starts_with(&first) && text.contains(" on 1 thread\n"), "{text}");
    let output = desk.run(&[&raise[..], &["--json"]].concat());
    assert!(stderr(&output).contains(&first), "{}", stderr(&output));
    let grown: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&grown["planned"]["searches"], &grown["searches"]),
        (&searches.into(), &searches.into())
    );
    let output = desk.run(&raise);
    assert!(stderr(&output).contains("nothing lacks level 4"), "{}", stderr(&output));
    let limited = ["--move-loss", "0", "--max-discs", "7", "--dry-run", "--json"];
    let few = desk.ok(&["grow", "--policy", "deepen", "--level", "9"]
        .into_iter()
        .chain(limited)
        .collect::<Vec<_>>());
    let plan: serde_json::Value = serde_json::from_str(few.lines().next().unwrap()).unwrap();
    // Each is listed: there are few.
    assert_eq!(plan["searches"].as_u64(), Some(few.lines().count() as u64 - 1), "{few}");
}
