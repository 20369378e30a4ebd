//! Training from the command line: how it is ended, and what it refuses.

use crate::desk::{Desk, is_one_line};

#[cfg(target_os = "linux")]
mod ended {
    use std::fs;
    use std::process::{Child, Command, Output, Stdio};
    use std::thread::sleep;
    use std::time::{Duration, Instant};

    use super::Desk;
    use crate::desk::stderr;

    const PATIENCE: Duration = Duration::from_secs(300);

    fn until(what: &str, is_so: impl Fn() -> bool) {
        let started = Instant::now();
        while !is_so() {
            assert!(started.elapsed() < PATIENCE, "never: {what}");
            sleep(Duration::from_millis(20));
        }
    }

    fn start(desk: &Desk, arguments: &[&str]) -> Child {
        let child = desk.command().args(arguments).stderr(Stdio::piped()).spawn().unwrap();
        // The mask of the signals that are caught has a bit for each, the lowest for signal 1.
        let hears = || {
            let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
            let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
            u64::from_str_radix(caught.trim(), 16).unwrap() & 0b10 != 0
        };
        until("it listens for Ctrl-C", hears);
        child
    }

    fn interrupt(child: Child) -> Output {
        let process = child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &process]).status().unwrap().success());
        child.wait_with_output().unwrap()
    }

    /// One line behind those of the progress says what is kept, and the same command goes on.
    #[test]
    fn labels_that_are_interrupted_go_on_where_they_were() {
        let desk = Desk::new();
        let label = |count: &str| {
            let quick = ["--from-discs", "56", "--to-discs", "62", "--depth", "1"];
            [
                &[
                    "lab",
                    "train",
                    "label",
                    "--out",
                    "own.labels",
                    "--threads",
                    "1",
                    "--count",
                    count,
                ][..],
                &quick,
            ]
            .concat()
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<String>>()
        };
        let words = label("10000000");
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let child = start(&desk, &words);
        let file = desk.path("own.labels");
        until("labels are kept", || fs::metadata(&file).is_ok_and(|file| file.len() > 8));
        let ended = interrupt(child);
        assert_eq!(ended.status.code(), Some(130), "{}", stderr(&ended));
        let told = stderr(&ended);
        let told = told.lines().last().unwrap();
        let kept = told.strip_prefix("stopped with ").unwrap().split(' ').next().unwrap();
        let kept: u64 = kept.replace(',', "").parse().unwrap();
        assert!(kept > 0 && kept.is_multiple_of(4096), "{told}");
        let expected = format!(
            "stopped with {kept} labels of 10000000 in own.labels: the same command goes on from there"
        );
        assert_eq!(told.replace(',', ""), expected);
        let before = fs::read(&file).unwrap();
        let words = label(&(kept + 1).to_string());
        desk.ok(&words.iter().map(String::as_str).collect::<Vec<_>>());
        let after = fs::read(&file).unwrap();
        assert!(after.len() > before.len() && after.starts_with(&before));
    }

    /// What is written at the end alone is not written.
    #[test]
    fn what_is_made_at_the_end_is_left_as_it_was() {
        let desk = Desk::new();
        fs::write(desk.path("old.weights"), "older").unwrap();
        for (out, left) in [("old.weights", "is as it was"), ("new.weights", "was not made")] {
            let bounce = [
                "lab",
                "train",
                "bounce",
                "--positions",
                "1000000",
                "--threads",
                "1",
                "--out",
                out,
            ];
            let ended = interrupt(start(&desk, &bounce));
            assert_eq!(ended.status.code(), Some(130), "{}", stderr(&ended));
            let expected =
                format!("stopped before its end, {out} {left}: the same command starts over");
            assert_eq!(stderr(&ended).lines().last(), Some(&expected[..]));
        }
        assert_eq!(fs::read_to_string(desk.path("old.weights")).unwrap(), "older");
        assert!(!desk.path("new.weights").exists());
    }
}

/// A number that means nothing is told with its option, and with what was expected.
#[test]
fn a_number_that_means_nothing_is_told_as_such() {
    let desk = Desk::new();
    let fit = |option: &'static str, value: &'static str| {
        vec!["lab", "train", "fit", "--out", "new.weights", option, value]
    };
    for (arguments, expected) in [
        (fit("--ridge", "nan"), "'nan' for '--ridge <RIDGE>': expected 0 to 1000000000 positions"),
        (fit("--ridge", "-5"), "'-5' for '--ridge <RIDGE>': expected 0 to "),
        (fit("--opening-ridge", "inf"), "'inf' for '--opening-ridge <OPENING_RIDGE>': expected 0"),
        (fit("--ridge", "-inf"), "'-inf' for '--ridge <RIDGE>': expected 0 to "),
        (fit("--rounds", "-1"), "'-1' for '--rounds <ROUNDS>': expected 1 or more"),
        (
            fit("--threads", "-1"),
            "'-1' for '--threads <THREADS>': expected a number from 1 to 1024",
        ),
        (
            vec!["games", "list", "--after", "-1"],
            "'-1' for '--after <NUMBER>': expected a whole number, 0 or more",
        ),
        (
            vec!["games", "list", "--limit", "-1"],
            "'--limit <GAMES>': expected a whole number, 1 or more",
        ),
        (vec!["games", "show", "-5"], "'-5' for '<NUMBER>...': expected a whole number, 0 or more"),
        (
            vec!["lab", "match", "rosebill", "zebra", "--seed", "-1"],
            "'-1' for '--seed <SEED>': expected a whole number, 0 or more",
        ),
        (vec!["play", "--clock", "-1"], "'-1' for '--clock <CLOCK>': "),
        (vec!["discover", "novelties", "--hardly", "nan"], "expected 0 to 100 percent"),
        (
            vec!["lab", "train", "stretch", "x", "--depths", "4", "-6"],
            "'-6' for '--depths <DEPTHS>...': expected a number from 0 to 60",
        ),
        (vec!["search", "--level", "-1", "f5"], "'-1' for '--level <LEVEL>': "),
        (vec!["search", "--level", "--json", "f5"], "a value is required for '--level <LEVEL>'"),
        (vec!["search", "-5", "f5"], "unknown option '-5'"),
    ] {
        let told = desk.refused(&arguments);
        assert!(told.contains(expected) && is_one_line(&told), "{arguments:?}: {told}");
    }
    assert!(!desk.path("new.weights").exists());
}
