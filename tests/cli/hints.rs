//! A mistake is told in one short line that says what to do.

use crate::desk::{Desk, is_one_line, stderr};

fn told(arguments: &[&str]) -> String {
    let told = Desk::new().refused(arguments);
    assert!(is_one_line(&told), "{told}");
    told
}

#[test]
fn a_mistake_is_answered_with_a_hint() {
    for (arguments, hint) in [
        (&["grow", "--positions", "-3"][..], "expected a whole number, 0 or more"),
        (&["grow", "--searches", "x"], "expected a whole number, 0 or more"),
        (&["grow", "f5d6c3"], "rosebill grow --from f5d6c3"),
        (&["grow", "--deviate", "-1"], "--deviate"),
        (&["grow", "--regret", "x"], "0 to 1000 discs"),
        (&["grow", "--positoins", "3"], "did you mean '--positions'?"),
        (&["grow", "--quick"], "'--quick'"),
        (&["grow", "--line", "f5"], "--policy lines"),
        (&["grow", "--policy", "popular"], "--games FILE"),
        (&["grwo"], "did you mean 'grow'?"),
        (
            &["merge"],
            "missing <FILE>...: rosebill merge [OPTIONS] <FILE>...; example: rosebill merge",
        ),
        (&["snapshot"], "missing <FILE>: rosebill snapshot"),
        (&["config", "set", "level"], "missing <VALUE>: rosebill config set"),
        (&["restore", "no.snapshot"], "no.snapshot"),
    ] {
        let told = told(arguments);
        assert!(told.contains(hint), "{arguments:?}: {told}");
    }
    let desk = Desk::grown("3");
    let told = desk.refused(&["merge", "nonexist.db"]);
    assert_eq!(told, "rosebill: there is no file nonexist.db");
    assert!(desk.refused(&["merge", "./book.db"]).contains("is the book itself"));
}

#[test]
fn long_nonsense_is_not_told_in_full() {
    let long = "x".repeat(8000);
    for arguments in [
        &["grow", "--time", &long][..],
        &["grow", "--from", &long],
        &["grow", "--level", &long],
        &["grow", &long],
        &["show", &long],
        &[&long],
        &["config", "set", "level", &long],
        &["config", "set", &long, "3"],
        &["man", &long],
        &["eval", "f5", "--evaluator", &long],
        &["search", &long],
    ] {
        let told = told(arguments);
        assert!(told.chars().count() < 500, "{} characters: {told}", told.chars().count());
    }
}

#[test]
fn threads_are_as_many_as_there_is_use_for() {
    let desk = Desk::new();
    let grow = ["grow", "--time", "1s", "--level", "2", "--threads", "1000"];
    let started = std::time::Instant::now();
    let output = desk.run(&grow);
    assert!(started.elapsed().as_secs() < 4, "{:?}", started.elapsed());
    assert!(stderr(&output).contains("threads are used, not 1000"), "{}", stderr(&output));
    assert!(output.status.success());
}
