//! Matches against other programs, which are played here by rosebill itself and by small scripts.
#![cfg(unix)]

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rosebill::othello::board::Line;
use serde_json::Value;

use crate::desk::{Desk, stderr};

/// The program as another program is named.
const OWN: &str = env!("CARGO_BIN_EXE_rosebill");

/// Where Debian's package grhino puts its engine.
const RHINO: &str = "/usr/games/gtp-rhino";

fn run<'a>(players: [&'a str; 2], more: &[&'a str]) -> Vec<&'a str> {
    let common = ["--threads=1", "--table=1", "--openings=lines.txt"];
    [&["lab", "match"], &players[..], &common, more].concat()
}

fn lines(desk: &Desk, lines: &str) {
    std::fs::write(desk.path("lines.txt"), lines).unwrap();
}

/// A script that answers everything of GTP, and does this when it is to move.
fn script(desk: &Desk, name: &str, moves: &str) -> String {
    let text = format!(
        "echo $$ >>{name}.pids\nwhile read -r command rest; do\n  case $command in\n    genmove) {moves} ;;\n    \
         *) printf '=\\n\\n' ;;\n  esac\ndone\n"
    );
    std::fs::write(desk.path(name), text).unwrap();
    format!("gtp:sh {name}")
}

/// Waits until none of the processes is left that a script was, and counts them.
fn are_gone(desk: &Desk, name: &str) -> usize {
    let text = std::fs::read_to_string(desk.path(&format!("{name}.pids"))).unwrap();
    let begun = Instant::now();
    // One that has ended may still be listed, as a zombie.
    let runs = |pid: &str| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"));
        stat.is_ok_and(|stat| !stat.contains(") Z "))
    };
    while let Some(pid) = text.lines().find(|pid| runs(pid)) {
        assert!(begun.elapsed() < Duration::from_secs(20), "{name}: {pid} is still there");
        std::thread::yield_now();
    }
    text.lines().count()
}

fn tally(text: &str) -> Value {
    serde_json::from_str(text.lines().last().unwrap()).unwrap()
}

#[test]
fn programs_play_by_their_protocols() {
    let desk = Desk::new();
    // A pass comes soon.
    lines(&desk, "c4c3e6b4a4a5b2\n");
    let gtp = format!("gtp:{OWN} gtp --level 1 --no-book");
    let nboard = format!("nboard@1:{OWN} nboard --no-book");
    let timed = format!("nboard:{OWN} nboard --level 1 --no-book");
    for (player, save) in [(gtp, "gtp.pgn"), (nboard, "nboard.pgn"), (timed, "timed.pgn")] {
        let more = ["--clock=5:00/1", "--json", "--save", save];
        let told = desk.run(&run(["squares@1", &player], &more));
        let tally = tally(&String::from_utf8_lossy(&told.stdout));
        let found = (&tally["games"], &tally["forfeits"]);
        assert_eq!(found, (&2.into(), &serde_json::json!([0, 0])), "{save}: {}", stderr(&told));
        let saved = std::fs::read_to_string(desk.path(save)).unwrap();
        assert!(saved.contains("[WhiteCpu ") && saved.matches(" {").count() > 20, "{saved}");
    }
}

/// A script that behaves as Edax' console does; it asks rosebill for the moves.
#[test]
fn the_console_of_edax_is_spoken() {
    let desk = Desk::new();
    let mut late = Line::default();
    while late.len() < 48 {
        let moves: Vec<_> = late.end().unwrap().position.legal_moves().collect();
        assert!(late.push(moves[late.len() * 5 % moves.len()]));
    }
    let late = late.end().unwrap();
    lines(&desk, &format!("{}\n", late.position.board_text(late.side)));
    let text = r#"
while read -r command board; do
  echo "$command $board" >>heard.txt
  case $command in
    setboard) at=$board ;;
    go)
      move=$(ROSEBILL search --depth 1 --json -- "$at" | sed 's/.*"best_move":"\(..\)".*/\1/')
      echo ' depth|score|       time   |  nodes (N)  |   N/s    | principal variation'
      echo '    1   +04        0:00.021           145    6949238 d3 C5'
      echo
      echo "Edax plays $move" ;;
  esac
  printf '>'
done
"#;
    let text = text.replace("ROSEBILL", OWN);
    std::fs::write(desk.path("edax.sh"), text).unwrap();
    let told =
        desk.run(&run(["squares@1", "edax@5:sh edax.sh"], &["--json", "--save", "edax.pgn"]));
    let found = tally(&String::from_utf8_lossy(&told.stdout));
    let heard = std::fs::read_to_string(desk.path("heard.txt")).unwrap();
    assert_eq!(
        (&found["games"], &found["forfeits"]),
        (&2.into(), &serde_json::json!([0, 0])),
        "{}{heard}",
        stderr(&told)
    );
    assert!(heard.starts_with("mode 3\nlevel 5\nsetboard "), "{heard}");
    let saved = std::fs::read_to_string(desk.path("edax.pgn")).unwrap();
    assert!(saved.contains("[%eval 4]") && found["nodes"][1].as_u64() >= Some(145), "{saved}");
}

#[test]
fn a_program_that_misbehaves_loses_and_is_started_again() {
    let desk = Desk::new();
    lines(&desk, "f5d6\nf5f6\n");
    for (name, moves, told) in [
        ("illegal", "printf '= a1\\n\\n'", "illegal move 'a1', on ---------------------------"),
        ("ends", "echo out of luck >&2; exit 3", "the program ended: out of luck, on "),
        ("hangs", "while :; do sleep 60; done", "no answer in 1 s, on "),
        ("babbles", "while :; do echo noise; done", "no answer in 1 s, on "),
        ("resigns", "printf '= resign\\n\\n'", "it resigned, on "),
    ] {
        let player = script(&desk, name, moves);
        let save = format!("{name}.pgn");
        let all = run([&player, "squares@1"], &["--json", "--patience=1s", "--save", &save]);
        let output = desk.run(&all);
        assert_eq!(output.status.code(), Some(0), "{name}: {}", stderr(&output));
        let found = tally(&String::from_utf8_lossy(&output.stdout));
        assert_eq!(
            (&found["lost"], &found["forfeits"]),
            (&4.into(), &serde_json::json!([4, 0])),
            "{name}"
        );
        let errors = stderr(&output);
        assert_eq!(errors.matches(told).count(), 4, "{name}: {errors}");
        assert!(errors.contains(&format!("rosebill: game 2.1: sh {name} lost: ")), "{errors}");
        let saved = std::fs::read_to_string(desk.path(&save)).unwrap();
        assert_eq!(saved.matches("[Fault \"").count(), 4, "{saved}");
        assert_eq!(are_gone(&desk, name), 4, "{name} was started for each game");
    }
    // By the clock it is the time that ran out.
    let player = script(&desk, "sleeps", "while :; do sleep 60; done");
    let late = desk.run(&run([&player, "squares@1"], &["--clock=0.2", "--json"]));
    assert_eq!(stderr(&late).matches("its time ran out").count(), 4, "{}", stderr(&late));
    are_gone(&desk, "sleeps");
}

#[test]
fn what_cannot_be_started_or_told_is_refused() {
    let desk = Desk::new();
    lines(&desk, "f5d6\n");
    for (player, told) in [
        ("gtp:./none --level 3", "'./none --level 3' cannot be started: there is no such file"),
        ("gtp:false", "'false' cannot be started: the program ended"),
        ("gtp:", "expected a program and its arguments"),
        ("gtp@5:false", "GTP knows no levels"),
        ("nboard@1s:false", "NBoard knows no time a move"),
        ("rosebill@x", "'x' is not a level"),
        ("rosebill+book=none.db", "no book at none.db"),
    ] {
        let refused = desk.refused(&run(["squares@1", player], &[]));
        assert!(refused.contains(told), "{player}: {refused}");
    }
}

/// The saved games of a match are what it goes on with, though it was killed; nothing of it runs on.
#[test]
fn a_match_that_was_killed_goes_on() {
    let desk = Desk::new();
    lines(&desk, "f5d6\nf5f6\nf5d6c3\nf5d6c4\nf5f6e6\n");
    // It begins as a program that loses at once, and hangs in its seventh game.
    let moves = "if [ $(wc -l <counts.pids) -lt 7 ] || [ -e resumed ]; then printf '= a1\\n\\n'; \
                 else while :; do sleep 60; done; fi";
    let player = script(&desk, "counts", moves);
    let all =
        run([&player, "squares@1"], &["--json", "--save=games.pgn", "--resume", "--keep=kept.db"]);
    let mut child =
        desk.command().args(&all).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let pids = || std::fs::read_to_string(desk.path("counts.pids")).unwrap_or_default();
    let begun = Instant::now();
    let saved = || std::fs::read_to_string(desk.path("games.pgn")).unwrap_or_default();
    while pids().lines().count() < 7 || saved().matches("\n\n").count() < 12 {
        assert!(begun.elapsed() < Duration::from_secs(60), "{}", pids());
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(are_gone(&desk, "counts"), 7, "they end with it");
    let saved = saved();
    assert_eq!(saved.matches("[Event ").count(), 6);
    // Of what was being written there may be a part.
    let torn = saved.lines().take(5).collect::<Vec<_>>().join("\n");
    std::fs::write(desk.path("games.pgn"), format!("{saved}{torn}")).unwrap();
    std::fs::write(desk.path("resumed"), "").unwrap();
    let found = tally(&desk.ok(&all));
    assert_eq!((&found["games"], &found["forfeits"]), (&10.into(), &serde_json::json!([10, 0])));
    assert_eq!(pids().lines().count(), 7 + 4, "six games had been played");
    let whole = std::fs::read_to_string(desk.path("games.pgn")).unwrap();
    assert!(whole.starts_with(&saved) && whole.matches("[Event ").count() == 10, "{whole}");
    // Again there is nothing to do; and other openings are another match.
    assert_eq!(tally(&desk.ok(&all))["lost"], 10);
    assert_eq!(pids().lines().count(), 11);
    lines(&desk, "f5f4\n");
    assert!(desk.refused(&all).contains("opening 1 was another one in the saved match"));
    desk.ok(&["games", "export", "kept.json", "--book", "kept.db"]);
    assert_eq!(std::fs::read_to_string(desk.path("kept.json")).unwrap().lines().count(), 10);
    std::fs::write(desk.path("strange.pgn"), "[Event \"x\"]\n\n[Event \"y\"]\n").unwrap();
    let strange = run([&player, "squares@1"], &["--save=strange.pgn", "--resume"]);
    assert!(desk.refused(&strange).contains("game 1 is not one of a match"));
}

#[test]
fn ctrl_c_ends_the_programs_and_counts_nothing_that_was_not_played() {
    let desk = Desk::new();
    lines(&desk, "f5d6\n");
    let player = script(&desk, "hangs", "while :; do sleep 60; done");
    let all = run([&player, "squares@1"], &["--json", "--save=games.pgn"]);
    let child = desk.command().args(&all).stdout(Stdio::piped()).spawn().unwrap();
    let begun = Instant::now();
    while !desk.path("hangs.pids").exists() {
        assert!(begun.elapsed() < Duration::from_secs(60));
        std::thread::yield_now();
    }
    assert!(
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success()
    );
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let found = tally(&String::from_utf8_lossy(&output.stdout));
    assert_eq!((&found["games"], &found["complete"]), (&0.into(), &false.into()));
    are_gone(&desk, "hangs");
    assert!(!desk.path("games.pgn").exists());
}

#[test]
fn a_test_ends_a_match_that_is_decided() {
    let desk = Desk::new();
    let openings: Vec<String> = (0..40).map(|seed| random_line(seed).to_string()).collect();
    lines(&desk, &openings.join("\n"));
    let player = script(&desk, "illegal", "printf '= a1\\n\\n'");
    let all = run(["squares@1", &player], &["--json", "--sprt=0,100"]);
    let found = tally(&desk.ok(&all));
    assert_eq!((&found["complete"], &found["sprt"]["accepted"]), (&true.into(), &100.0.into()));
    assert!(found["games"].as_u64() < Some(40), "{found}");
    assert!(
        desk.refused(&run(["squares", "phases"], &["--sprt=5"]))
            .contains("invalid value '5' for '--sprt")
    );
}

/// Six legal moves, others for each seed.
fn random_line(seed: usize) -> Line {
    let mut line = Line::default();
    while line.len() < 6 {
        let moves: Vec<_> = line.end().unwrap().position.legal_moves().collect();
        assert!(line.push(moves[(seed / (line.len() + 1) + seed * line.len()) % moves.len()]));
    }
    line
}

#[test]
fn rhino_is_played_where_it_is_installed() {
    if !Path::new(RHINO).exists() {
        eprintln!("SKIPPED: {RHINO} is not there (Debian's package grhino)");
        return;
    }
    let desk = Desk::new();
    lines(&desk, "f5d6c3d3c4\nc4c3e6b4a4a5b2\n");
    let rhino = format!("gtp:{RHINO} --level=1");
    let output = desk.run(&run(["rosebill@4", &rhino], &["--json", "--save=rhino.pgn"]));
    let found = tally(&String::from_utf8_lossy(&output.stdout));
    let expected = (&4.into(), &serde_json::json!([0, 0]), &"gtp-rhino --level=1".into());
    assert_eq!(
        (&found["games"], &found["forfeits"], &found["second"]),
        expected,
        "{}",
        stderr(&output)
    );
}
