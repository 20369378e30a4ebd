//! `rosebill import` and `rosebill export` as a user runs them.

use std::path::{Path, PathBuf};

use assert_cmd::Command;

use crate::made::{edax, ntest};

/// A file of the folder with these bytes.
fn file(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    std::fs::write(folder.join(name), bytes).unwrap();
    folder.join(name)
}

fn rosebill(folder: &Path) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("rosebill"));
    command.current_dir(folder).env("ROSEBILL_BOOK", "book.db").env("HOME", folder);
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_book_goes_in_and_out() {
    let folder = tempfile::tempdir().unwrap();
    let book = file(folder.path(), "line.dat", &edax::file(1, &edax::line()));
    let done = rosebill(folder.path()).arg("import").arg(&book).arg("--json").assert().success();
    let line: serde_json::Value = serde_json::from_slice(&done.get_output().stdout).unwrap();
    assert_eq!((&line["records"], &line["new"]), (&38.into(), &38.into()));

    for name in ["out.dat", "out.txt", "out.jsonl", "out.csv"] {
        rosebill(folder.path()).args(["export", name]).assert().success();
        assert!(folder.path().join(name).exists());
    }
    let done = rosebill(folder.path()).args(["export", "-", "--format", "json"]).assert().success();
    let file = std::fs::read(folder.path().join("out.jsonl")).unwrap();
    assert_eq!(text(&done.get_output().stdout), text(&file));
}

/// Where temporary files lie there may be no room for a book.
#[test]
#[cfg(unix)]
fn what_is_made_on_the_way_to_a_file_lies_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let book = file(folder.path(), "line.dat", &edax::file(1, &edax::line()));
    rosebill(folder.path()).arg("import").arg(&book).assert().success();
    let without = || {
        let mut command = rosebill(folder.path());
        command.env("TMPDIR", folder.path().join("nowhere"));
        command
    };
    without().args(["export", "few.jsonl", "--max-discs", "20"]).assert().success();
    without().args(["convert", "line.dat", "all.jsonl"]).assert().success();
    let lines =
        |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap().lines().count();
    assert!(lines("few.jsonl") > 5 && lines("few.jsonl") < lines("all.jsonl"));
    let names = std::fs::read_dir(folder.path()).unwrap();
    let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert_eq!(names.filter(|name| name.contains("unfinished")).count(), 0);
}

#[test]
fn bad_files_and_targets_are_refused_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let book = file(folder.path(), "02-truncated.dat", &crate::odd::odd("02-truncated"));
    let done = rosebill(folder.path()).arg("import").arg(&book).assert().code(2);
    let error = text(&done.get_output().stderr);
    let last = error.lines().last().unwrap();
    assert!(last.contains("02-truncated.dat, byte 1676: found"), "{error}");
    rosebill(folder.path()).args(["import", "--lenient"]).arg(&book).assert().code(3);

    for (arguments, part) in [
        (&["export", "no/such/folder/out.dat"][..], "cannot write no/such/folder/out.dat"),
        (&["export", "out.unknown"], "its ending names no format"),
        (&["export", "out.json.gz"], "only Zebra's books are written packed (.cmp.gz)"),
        (&["convert", "02-truncated.dat", "out.book.gz"], "drop the last ending, or name"),
        (&["export", "out.egbk2"], "out.egbk2: Egaroucid's books are written as .egbk3 only"),
        (
            &["convert", "02-truncated.dat", "out.EGBK"],
            "use that ending, or name the format with --format",
        ),
        (&["import", "missing.dat"], "missing.dat: there is no such file"),
        (&["import", "book.db"], "book.db is the book itself"),
        (
            &["export", "out.dat", "--level", "61"],
            "expected 0 to 60 (Edax, Egaroucid) or s1 to s60 (NTest)",
        ),
        (&["import", "x.dat", "--format", "chess"], "invalid value 'chess' for '--format"),
    ] {
        let done = rosebill(folder.path()).args(arguments).assert().code(2);
        let error = text(&done.get_output().stderr);
        assert!(error.contains(part), "{arguments:?}: {error}");
    }
    // A format that is named is never doubted.
    rosebill(folder.path())
        .args(["export", "out.egbk", "--format", "egaroucid"])
        .assert()
        .success();
}

/// Each kind of defect is counted; where the first of them stand is for who asks.
#[test]
fn places_of_defects_are_logged() {
    let folder = tempfile::tempdir().unwrap();
    let mut nodes = ntest::tiny();
    // A leaf below which the book goes on: NTest keeps its value, we take what its moves give.
    let start = nodes.iter_mut().max_by_key(|node| node.board.empties()).unwrap();
    (start.root, start.number) = (false, -3000);
    let book = file(folder.path(), "leaf.book", &ntest::forest(&nodes));
    let place = "byte 24: -30, draw-seeking -30, win-seeking -30 in the program, -1.30, draw-seeking -1.30, win-seeking -1.30 here at -----";
    for (more, is_logged) in [(&[][..], false), (&["-v"], true)] {
        let done = rosebill(folder.path()).arg("import").args(more).arg(&book).assert().success();
        let [counts, log] = [&done.get_output().stdout, &done.get_output().stderr].map(|b| text(b));
        assert!(
            counts.contains("values that the program's own rules give otherwise: 1 (ours taken)"),
            "{counts}"
        );
        assert_eq!(log.contains(place), is_logged, "{log}");
    }
}

/// Another program's rounded copy of a search says nothing that the search does not.
#[test]
fn a_book_that_comes_back_from_egaroucid_replaces_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| {
        let done = rosebill(folder.path()).args(arguments).assert().success();
        text(&done.get_output().stdout)
    };
    run(&["grow", "--positions", "12", "--level", "12", "--threads", "1", "--quiet"]);
    run(&["export", "out.egbk3"]);
    let told = run(&["import", "out.egbk3", "--json"]);
    assert!(told.contains("\"replaced\":0"), "{told}");
}

#[test]
fn a_file_is_converted_without_a_book() {
    let folder = tempfile::tempdir().unwrap();
    let book = file(folder.path(), "tiny.book", &ntest::forest(&ntest::tiny()));
    for name in ["out.dat", "out.egbk3", "out.bin", "out.cmp", "out.book", "out.jsonl"] {
        rosebill(folder.path()).arg("convert").arg(&book).arg(name).assert().success();
        rosebill(folder.path()).args(["convert", "--force", name, "back.jsonl"]).assert().success();
        let back = std::fs::read_to_string(folder.path().join("back.jsonl")).unwrap();
        // The three first positions, and the leaves where the target keeps leaves without a move.
        assert!(back.lines().count() >= 4, "{name}: {back}");
    }
    assert!(!folder.path().join("book.db").exists());
}

#[test]
fn json_lines_that_cannot_be_are_refused_with_their_line() {
    let folder = tempfile::tempdir().unwrap();
    let header = r#"{"format":"rosebill-book","version":1,"positions":1,"sources":[{"id":0,"engine":"test"}]}"#;
    let board = "---------------------------OX------XO---------------------------";
    let node = |rest: &str, more: &str| {
        format!(
            r#"{{"board":"{board}","rest":{rest},"depth":1,"selectivity":100,"source":0{more}}}"#
        )
    };
    let good = r#"{"move":"f5","score":1.5,"proof":"none"}"#;
    for (line, part) in [
        (node(good, r#","discs":5"#), "discs 5"),
        (node(good, r#","comment":"x""#), "unknown field `comment`"),
        (node(r#"{"move":"f5","score":1.5,"proof":"exact"}"#, ""), "exact score +1.50"),
        (node(r#"{"move":"f5","score":65,"proof":"none"}"#, ""), "score +65"),
        (node(r#"{"move":"f5","score":1,"proof":"none","x":1}"#, ""), "unknown field `x`"),
        (format!(r#"{{"board":"{board}""#), "the end of the line"),
    ] {
        std::fs::write(folder.path().join("x.jsonl"), format!("{header}\n{line}\n")).unwrap();
        let done = rosebill(folder.path()).args(["import", "x.jsonl"]).assert().code(2);
        let error = text(&done.get_output().stderr);
        assert!(error.contains("x.jsonl, line 2: found") && error.contains(part), "{error}");
        assert!(!error.contains("created a new book"), "{error}");
        assert!(!folder.path().join("book.db").exists());
    }
    let line = node(good, r#","discs":4"#);
    std::fs::write(folder.path().join("x.jsonl"), format!("{header}\n{line}\n")).unwrap();
    rosebill(folder.path()).args(["import", "x.jsonl"]).assert().success();
}

#[test]
fn headers_of_json_lines_name_sound_sources() {
    let folder = tempfile::tempdir().unwrap();
    let board = "---------------------------OX------XO---------------------------";
    let over = format!("{}{}", "X".repeat(40), "O".repeat(24));
    let lines = |sources: &str| {
        let header = r#"{"format":"rosebill-book","version":1,"positions":2,"sources":["#;
        let node = |board: &str| {
            format!(r#"{{"board":"{board}","rest":null,"depth":1,"selectivity":100,"source":0}}"#)
        };
        format!("{header}{sources}]}}\n{}\n{}\n", node(board), node(&over))
    };
    for (sources, told) in [
        (r#"{"id":0,"day":"2026-13-40"}"#, "line 1: found day '2026-13-40' of source 0, expected"),
        (r#"{"id":0,"day":"\u001b[2J"}"#, "line 1: found day '\\u{1b}[2J' of source 0, expected"),
        (r#"{"id":0},{"id":1},{"id":0}"#, "line 1: found source 0 twice, expected a number for"),
    ] {
        std::fs::write(folder.path().join("x.jsonl"), lines(sources)).unwrap();
        let done = rosebill(folder.path()).args(["import", "x.jsonl"]).assert().code(2);
        let error = text(&done.get_output().stderr);
        assert!(error.contains(told) && !error.contains('\u{1b}'), "{error}");
    }
    // What a source says is kept as it is, and shown so that no terminal acts on it. A finished game
    // is no position of a book, and counted.
    let odd = r#"{"id":0,"engine":"a\u001b[2Jb\nc","day":"2026-11-20"}"#;
    std::fs::write(folder.path().join("x.jsonl"), lines(odd)).unwrap();
    let done = rosebill(folder.path()).args(["import", "x.jsonl"]).assert().success();
    let told = text(&done.get_output().stdout);
    assert!(told.contains("2 records: 1 position new"), "{told}");
    assert!(told.contains("  records of finished games: 1 (known from the board)"), "{told}");
    for arguments in [&["info"][..], &["info", "--by-discs"], &["show"]] {
        let done = rosebill(folder.path()).args(arguments).assert().success();
        let told = text(&done.get_output().stdout);
        assert!(told.contains("a\\u{1b}[2Jb c") && !told.contains('\u{1b}'), "{told}");
    }
}

#[test]
fn several_files_each_have_their_report_and_source() {
    let folder = tempfile::tempdir().unwrap();
    let edax = file(folder.path(), "line.dat", &edax::file(1, &edax::line()));
    let ntest = file(folder.path(), "tiny.book", &ntest::forest(&ntest::tiny()));
    let import = ["import", "--json"];
    let done = rosebill(folder.path()).args(import).arg(&edax).arg(&ntest).assert().success();
    let out = text(&done.get_output().stdout);
    let reports: Vec<serde_json::Value> =
        out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let formats: Vec<_> = reports.iter().map(|report| report["format"].as_str().unwrap()).collect();
    assert_eq!(formats, ["edax", "ntest"]);
    rosebill(folder.path()).args(["export", "out.jsonl"]).assert().success();
    let book = std::fs::read_to_string(folder.path().join("out.jsonl")).unwrap();
    let header = book.lines().next().unwrap();
    assert!(header.contains("line.dat") && header.contains("tiny.book"), "{header}");

    // A part, and what its format cannot hold.
    let done = rosebill(folder.path())
        .args(["export", "part.dat", "--max-discs", "20", "--move-loss", "2"])
        .assert()
        .success();
    let said = text(&done.get_output().stdout);
    assert!(said.contains("not stored, and what there is instead:"), "{said}");
    let error =
        rosebill(folder.path()).args(["export", "x.dat", "--from", "f5f4"]).assert().code(1);
    assert!(text(&error.get_output().stderr).contains("is not in the book"));
}

#[test]
fn files_before_one_that_fails_are_told_of() {
    let folder = tempfile::tempdir().unwrap();
    rosebill(folder.path()).args(["grow", "--positions=3", "--level=1", "-q"]).assert().success();
    rosebill(folder.path()).args(["export", "good.jsonl", "-q"]).assert().success();
    let arguments = ["import", "good.jsonl", "missing.dat", "--book=new.db", "--json"];
    let done = rosebill(folder.path()).args(arguments).assert().code(2);
    let line: serde_json::Value = serde_json::from_slice(&done.get_output().stdout).unwrap();
    assert_eq!((&line["records"], &line["new"]), (&3.into(), &3.into()));
    assert!(
        text(&done.get_output().stderr).ends_with("missing.dat: there is no such file or folder\n")
    );
    assert!(folder.path().join("new.db").exists());
}

#[cfg(unix)]
#[test]
fn an_export_goes_through_a_symbolic_link() {
    let folder = tempfile::tempdir().unwrap();
    let (file, link) = (folder.path().join("file.jsonl"), folder.path().join("link.jsonl"));
    rosebill(folder.path()).args(["grow", "--positions=3", "--level=1", "-q"]).assert().success();
    std::fs::write(&file, "old").unwrap();
    std::os::unix::fs::symlink("file.jsonl", &link).unwrap();
    rosebill(folder.path()).args(["export", "link.jsonl"]).assert().success();
    assert!(link.is_symlink());
    assert_eq!(std::fs::read_to_string(&file).unwrap().lines().count(), 4);
}
