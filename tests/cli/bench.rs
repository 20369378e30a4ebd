//! The benches as a user runs them: each prints what a script needs.

use assert_cmd::Command;

use crate::desk::Desk;

fn rosebill(arguments: &[&str]) -> (bool, String, String) {
    let output =
        Command::cargo_bin("rosebill").unwrap().args(arguments).output().expect("rosebill runs");
    (
        output.status.success(),
        String::from_utf8(output.stdout).unwrap(),
        String::from_utf8(output.stderr).unwrap(),
    )
}

#[test]
fn perft_says_nodes_and_seconds() {
    let (done, stdout, _) = rosebill(&[
        "lab", "bench", "perft", "--depth", "9", "--runs", "2", "--cpu", "portable", "--json",
    ]);
    assert!(done);
    let runs: Vec<serde_json::Value> =
        stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(runs.len(), 2);
    for run in runs {
        assert_eq!(run["nodes"], 3_005_288);
        assert_eq!(run["depth"], 9);
        assert_eq!(run["cpu"], "portable");
        assert!(run["seconds"].as_f64().unwrap() > 0.0);
    }
}

#[test]
fn perft_counts_passes_both_ways() {
    // White must pass; Black then has nine moves.
    let position = "--------XO------XOOOO--XXOXOOOXXXOOOXXXXXOOXXOXXXOXOOXXX-XXXXXXX O";
    for (passes, leaves) in [("ply", 1), ("free", 9)] {
        let (done, stdout, stderr) = rosebill(&[
            "lab",
            "bench",
            "perft",
            "--depth=1",
            "--from",
            position,
            "--passes",
            passes,
            "--json",
        ]);
        assert!(done, "{stderr}");
        let run: serde_json::Value = serde_json::from_str(stdout.trim()).unwrap();
        assert_eq!(run["nodes"], leaves, "{passes}");
    }
}

#[test]
fn an_unknown_kind_of_processor_is_named() {
    let (done, _, stderr) = rosebill(&["lab", "bench", "perft", "--cpu", "mmx"]);
    assert!(!done);
    assert!(stderr.contains("invalid value 'mmx' for '--cpu"), "{stderr}");
}

/// The lines of JSON that a bench prints.
fn bench(arguments: &[&str]) -> Vec<serde_json::Value> {
    let (done, stdout, stderr) = rosebill(&[&["lab", "bench"], arguments, &["--json"]].concat());
    assert!(done, "{stdout}{stderr}");
    stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// What is printed of a search is the same whoever asks.
#[test]
fn a_bench_tells_the_value_that_search_tells() {
    let limits = ["--depth", "6", "--selectivity", "73"];
    let told = bench(&[&["search", "--positions", "1"], &limits[..]].concat());
    let desk = crate::desk::Desk::new();
    let searched = desk.json(&[&["search", "start"], &limits[..]].concat());
    let of = |answer: &serde_json::Value| (answer["value"].clone(), answer["score"].clone());
    assert_eq!(of(&told[0]), of(&searched));
    assert_ne!(searched["value"], searched["score"]);
    let text = desk.ok(&[&["lab", "bench", "search", "--positions", "1"], &limits[..]].concat());
    let row: Vec<&str> = text.lines().nth(1).unwrap().split_whitespace().collect();
    assert_eq!(row[2].parse::<f64>().unwrap(), searched["value"].as_f64().unwrap(), "{text}");
}

#[test]
fn what_cannot_be_searched_is_refused() {
    let desk = crate::desk::Desk::new();
    for (option, value) in [
        ("--depth", "61"),
        ("--depth", "255"),
        ("--table", "0"),
        ("--positions", "0"),
        ("--positions", "11"),
    ] {
        let told = desk.refused(&["lab", "bench", "search", option, value]);
        assert!(told.contains("expected a number from "), "{option} {value}: {told}");
    }
    let told = desk.refused(&["lab", "bench", "search", "--weights", "nofile"]);
    assert_eq!(told, "rosebill: nofile: there is no such file or folder");
}

/// The nodes of searches with the evaluator inside. They change only when the search or the
/// evaluator does; who changes either on purpose changes these with it.
#[test]
fn the_signatures_of_the_benches() {
    let search = bench(&["search", "--depth", "10"]);
    assert_eq!(search.len(), 11);
    assert_eq!(search[10]["nodes"], 183_533);

    for run in bench(&["eval", "--depth", "3"]) {
        assert_eq!((run["nodes"].as_u64(), run["sum"].as_i64()), (Some(7472), Some(4_902_978)));
    }

    // The first position of the FFO test suite.
    let folder = tempfile::tempdir().unwrap();
    let (right, wrong) = (folder.path().join("right.obf"), folder.path().join("wrong.obf"));
    let board = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X;";
    std::fs::write(&right, format!("{board} G8:+18; H1:+12;\n")).unwrap();
    std::fs::write(&wrong, format!("{board} H1:+18; G8:+12;\n")).unwrap();
    let solve = bench(&["solve", right.to_str().unwrap()]);
    assert_eq!((solve.len(), &solve[1]["wrong"]), (2, &serde_json::json!(0)));
    assert_eq!(solve[1]["nodes"], 18_406);
    assert_eq!((&solve[0]["value"], &solve[0]["score"]), (&18.0.into(), &18.0.into()));
    // Where only the winner is proven, that is what stands there and no score.
    let (_, stdout, _) = rosebill(&["lab", "bench", "solve", right.to_str().unwrap(), "--wld"]);
    let words: Vec<&str> = stdout.lines().nth(1).unwrap().split_whitespace().collect();
    assert_eq!(words[..5], ["1", "(14", "empties)", "g8", "win"], "{stdout}");
    let winner = bench(&["solve", right.to_str().unwrap(), "--wld"]);
    assert_eq!((&winner[0]["proof"], &solve[0]["proof"]), (&"win".into(), &"exact".into()));
    let quick = bench(&["solve", right.to_str().unwrap(), "--ordering", "quick"]);
    assert_eq!((&quick[0]["score"], &quick[1]["wrong"]), (&solve[0]["score"], &0.into()));
    assert!(quick[1]["nodes"].as_u64() > Some(2 * 18_406), "{quick:?}");
    let (done, _, stderr) =
        rosebill(&["lab", "bench", "solve", right.to_str().unwrap(), "--ordering", "best"]);
    assert!(!done && stderr.contains("expected rosebill or quick"), "{stderr}");
    let (done, stdout, _) = rosebill(&["lab", "bench", "solve", wrong.to_str().unwrap(), "--json"]);
    assert!(!done && stdout.contains("\"wrong\":1"), "{stdout}");
    let (done, _, stderr) =
        rosebill(&["lab", "bench", "solve", right.to_str().unwrap(), "--numbers", "2"]);
    assert!(!done && stderr.contains("holds 1 positions"), "{stderr}");
}

/// Ends a bench when it has printed so many lines; its exit code, and what it said on stderr.
#[cfg(unix)]
fn interrupted(desk: &Desk, arguments: &[&str], after: usize) -> (Option<i32>, String) {
    use std::io::{BufRead, BufReader, Read};
    use std::process::Stdio;

    let mut command = desk.command();
    command.args(arguments).env("TMPDIR", desk.folder.path());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    (0..after).for_each(|_| drop(lines.next().unwrap().unwrap()));
    let interrupt = ["-INT", &child.id().to_string()];
    assert!(std::process::Command::new("kill").args(interrupt).status().unwrap().success());
    lines.for_each(|line| drop(line.unwrap()));
    let mut told = String::new();
    child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
    (child.wait().unwrap().code(), told)
}

#[test]
#[cfg(unix)]
fn a_bench_that_is_interrupted_ends_with_a_word_and_leaves_nothing() {
    let desk = Desk::grown("30");
    let before = std::fs::read(desk.path("book.db")).unwrap();
    for (arguments, after) in [
        (&["lab", "bench", "perft", "--depth", "4", "--runs", "1000000000", "--json"][..], 2),
        (&["lab", "bench", "store", "--positions", "30k", "--json"], 5),
        (&["lab", "bench", "store", "--positions", "30k", "--json", "--book", "made.db"], 3),
        (&["lab", "bench", "propagate", "--json"], 4),
    ] {
        let (code, told) = interrupted(&desk, arguments, after);
        assert_eq!(code, Some(130), "{arguments:?}: {told}");
        assert!(told.contains("what was measured until then is above"), "{arguments:?}: {told}");
        let names = std::fs::read_dir(desk.folder.path()).unwrap();
        let names: Vec<_> = names.map(|entry| entry.unwrap().file_name()).collect();
        let is_left = |name: &&std::ffi::OsString| {
            let name = name.to_string_lossy();
            name.starts_with('.') || name.starts_with("made.db") && !name.ends_with(".lock")
        };
        assert_eq!(names.iter().find(is_left), None, "{arguments:?}");
    }
    assert_eq!(std::fs::read(desk.path("book.db")).unwrap(), before);
    desk.ok(&["verify"]);
}

/// What is killed in the middle of it leaves the book as it was.
#[test]
fn a_bench_of_a_book_writes_a_copy() {
    let desk = Desk::grown("30");
    let before = std::fs::read(desk.path("book.db")).unwrap();
    let lines = desk.ok(&["lab", "bench", "propagate", "--json"]);
    assert!(lines.contains("beside a writer"), "{lines}");
    assert_eq!(std::fs::read(desk.path("book.db")).unwrap(), before);
}

/// With answers that are drawn, on a copy: the same growth each time, and each part of it has its share.
#[test]
fn growth_is_measured_by_its_parts() {
    let desk = Desk::grown("30");
    let before = std::fs::read(desk.path("book.db")).unwrap();
    let arguments = [
        "lab",
        "bench",
        "grow",
        "--policy",
        "best,deviate",
        "--in-flight",
        "1,5",
        "--searches",
        "60",
    ];
    let measured = || -> Vec<serde_json::Value> {
        let lines = desk.ok(&[&arguments[..], &["--json"]].concat());
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let runs = measured();
    let of = |run: &serde_json::Value| (run["policy"].clone(), run["in_flight"].clone());
    let expected = [("best", 1), ("best", 5), ("deviate", 1), ("deviate", 5)];
    let expected = expected.map(|(name, count)| (name.into(), count.into()));
    assert_eq!(runs.iter().map(of).collect::<Vec<_>>(), expected);
    for (run, again) in runs.iter().zip(measured()) {
        for count in ["positions", "new_positions", "results", "searches"] {
            assert_eq!(run[count], again[count], "{count}");
        }
        assert_eq!(run["positions"], 30);
        assert!(run["searches"].as_u64().unwrap() >= 60, "{run}");
        let parts = ["choice", "insert", "propagate", "commit", "other"];
        let part = |name: &str| run["microseconds"][name].as_f64().unwrap();
        let all: f64 = parts.into_iter().map(part).sum();
        assert!(part("choice") > 0.0 && (all - part("all")).abs() < 1e-6 * all, "{run}");
    }
    let table = desk.ok(&arguments);
    assert_eq!(table.lines().count(), 6, "{table}");
    assert_eq!(std::fs::read(desk.path("book.db")).unwrap(), before);
    let told = desk.refused(&["lab", "bench", "grow", "--policy", "lines"]);
    assert!(told.contains("needs lines or games"), "{told}");
}
