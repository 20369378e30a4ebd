//! Facts, what others have proven, as a user takes them in and sees them.

use std::fs;
use std::process::Output;

use rosebill::othello::board::{Key, Line};
use serde_json::Value;

use crate::desk::{Desk, is_one_line, stderr};

const START: &str = "---------------------------OX------XO---------------------------";

/// Nine empty squares.
const END: &str = "XXXXXXX-XXXXXXX-XOOOOOX-XOXOXOX-XOOXOOX-XOOOXOX-XOOOOOXO-OOOOOOO X";

/// A table of a proven draw: the start, a line, and a move that loses nothing.
fn draw_table() -> String {
    format!(
        "board,side,proven_lower,proven_upper,line\n\
         {START},X,0,0,\n\
         ---------------------------OX------XXX--------------------------,O,0,0,f5\n\
         ---------------------------OX------OXX-----O--------------------,X,0,0,f5d6\n\
         ---------------------------OOO-----XXX--------------------------,X,0,64,f5f4\n"
    )
}

fn desk() -> Desk {
    let desk = Desk::grown("40");
    fs::write(desk.path("proven.csv"), draw_table()).unwrap();
    desk
}

fn content(desk: &Desk) -> String {
    desk.ok(&["export", "-", "--format", "json"])
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn both_values_are_shown_with_who_has_proven_them() {
    let desk = desk();
    let before = desk.json(&["show"]);
    let searched = before["values"].clone();
    assert!(before.get("searched_values").is_none() && before.get("proven_by").is_none());
    let said = desk.ok(&["import", "proven.csv"]);
    assert_eq!(
        said,
        "proven.csv: 4 facts: 4 new (4 of positions of the book), 0 known, 0 refused\n"
    );
    let shown = desk.json(&["show"]);
    assert_eq!(shown["values"]["guess"], 0.0);
    assert_eq!(shown["values"]["draw_seeking"], 100.0);
    assert_eq!(shown["values"]["win_seeking"], -100.0);
    assert_eq!((&shown["values"]["lower"], &shown["values"]["upper"]), (&0.into(), &0.into()));
    assert_eq!(shown["searched_values"], searched);
    assert_eq!(shown["proven_by"], serde_json::json!(["proven.csv"]));
    // The error is that of the searches.
    assert_eq!(shown["error"], before["error"]);
    assert_eq!(shown["moves"][0]["values"]["guess"], 0.0);
    assert_eq!(shown["moves"][0]["searched_values"], before["moves"][0]["values"]);
    let text = desk.ok(&["show"]);
    let guess = text.lines().find(|line| line.contains("searched, ")).unwrap();
    assert!(
        guess.contains("searched, 0.00 proven, by proven.csv")
            || guess.contains("searched, 0 proven, by proven.csv"),
        "{guess}"
    );
    // A bound that is not the value.
    let bounded = desk.json(&["show", "f5f4"]);
    assert_eq!((&bounded["values"]["lower"], &bounded["values"]["upper"]), (&0.into(), &64.into()));
    assert!(bounded["values"]["guess"].as_f64().unwrap() >= 0.0);
    assert!(bounded["values"]["draw_seeking"].as_f64().unwrap() >= 100.0);

    let draws = desk.ok(&["discover", "draws", "--json"]);
    let draws: Vec<Value> = draws.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let drawn: Vec<&str> = draws.iter().map(|draw| draw["line"].as_str().unwrap()).collect();
    assert_eq!(&drawn[..3], ["", "f5", "f5d6"]);
    assert!(draws[0]["searched_values"].is_object());
    assert!(desk.ok(&["discover", "draws"]).contains("search"));

    assert_eq!(desk.json(&["info"])["facts"], 4);
    assert!(desk.ok(&["info"]).contains("\nfacts      4\n"));
    desk.ok(&["verify"]);
    assert!(desk.ok(&["verify", "--recompute", "--json"]).contains("\"changed\":0"));
    // Growth goes on, from what searches say.
    let grown = desk.json(&["grow", "--positions", "5", "--level", "2", "--threads", "1"]);
    assert_eq!(grown["new_positions"], 5);
    desk.ok(&["verify"]);
}

/// What a fact proves of the position itself counts for its chances, and for the book in numbers.
#[test]
fn a_proof_of_the_position_is_in_its_chances_and_in_the_statistics() {
    let desk = desk();
    let before = desk.json(&["info", "--by-discs"]);
    for (bounds, chance) in [("2,64", "win"), ("-64,-2", "loss"), ("0,0", "draw"), ("30,30", "win")]
    {
        fs::write(desk.path("t.csv"), format!("line,lower,upper\n,{bounds}\n")).unwrap();
        desk.ok(&["import", "t.csv", "-q"]);
        let shown = desk.json(&["show"]);
        assert_eq!(shown["chances"][chance], 1.0, "{bounds}: {}", shown["chances"]);
        let stats = desk.json(&["info", "--by-discs"]);
        assert_eq!(stats["lower"], shown["values"]["lower"]);
        assert_eq!(stats["guess"], shown["values"]["guess"]);
        assert_eq!(stats["proven_by_searches"], before["proven"]);
        assert!(stats["proven"].as_u64() > before["proven"].as_u64(), "{bounds}");
        desk.ok(&["undo", "-q"]);
    }
    assert_eq!(desk.json(&["info", "--by-discs"]), before);
}

#[test]
fn a_fact_acts_as_soon_as_its_position_is_there() {
    let desk = Desk::new();
    fs::write(desk.path("proven.csv"), draw_table()).unwrap();
    let said = desk.ok(&["import", "proven.csv"]);
    assert!(said.contains("4 new (0 of positions of the book)"), "{said}");
    assert_eq!(desk.json(&["info"])["positions"], 0);
    let absent = desk.run(&["show", "--json"]);
    assert_eq!(absent.status.code(), Some(1));
    let absent: Value = serde_json::from_str(&stdout(&absent)).unwrap();
    assert_eq!(absent["fact"], serde_json::json!({"lower": 0, "upper": 0}));
    assert!(stdout(&desk.run(&["show"])).contains("draw, by proven.csv"));
    desk.ok(&["grow", "--positions", "20", "--level", "2", "--threads", "1", "-q"]);
    assert_eq!(desk.json(&["show"])["values"]["guess"], 0.0);
    desk.ok(&["verify"]);
    // Also when positions come in by an import.
    let other = Desk::grown("30");
    other.ok(&["export", "book.dat", "-q"]);
    fs::copy(other.path("book.dat"), desk.path("book.dat")).unwrap();
    fs::remove_file(desk.path("book.db")).unwrap();
    desk.ok(&["import", "proven.csv", "book.dat"]);
    assert_eq!(desk.json(&["show"])["values"]["guess"], 0.0);
    desk.ok(&["verify"]);
}

#[test]
fn facts_go_along_and_no_other_program_is_told_of_a_solution() {
    let desk = desk();
    let formats = ["edax", "edax-text", "ntest", "zebra", "egaroucid"];
    let plain = content(&desk);
    let others = |desk: &Desk| -> Vec<Vec<u8>> {
        let one = |format: &&str| {
            let name = format!("out.{format}");
            let _ = fs::remove_file(desk.path(&name));
            desk.ok(&["export", &name, "--format", format, "-q"]);
            fs::read(desk.path(&name)).unwrap()
        };
        formats.iter().map(one).collect()
    };
    let before = others(&desk);
    desk.ok(&["import", "proven.csv"]);
    assert!(others(&desk) == before);
    let with_facts = content(&desk);
    assert_ne!(with_facts, plain);
    assert!(with_facts.contains("\"facts\":4"));
    fs::write(desk.path("whole.jsonl"), &with_facts).unwrap();

    desk.ok(&["snapshot", "whole.snapshot"]);
    desk.ok(&["snapshot", "restore", "whole.snapshot", "--book", "restored.db"]);
    desk.ok(&["import", "whole.jsonl", "--book", "read.db"]);
    desk.ok(&["import", "book.db", "--book", "read.db"]);
    for book in ["restored.db", "read.db"] {
        let again = desk.ok(&["export", "-", "--format", "json", "--book", book]);
        assert_eq!(again, with_facts, "{book}");
        desk.ok(&["verify", "--book", book]);
        let shown = desk.json(&["show", "--book", book]);
        assert_eq!(shown["proven_by"], serde_json::json!(["proven.csv"]));
    }
    desk.ok(&["prune", "--max-discs", "7"]);
    assert_eq!(desk.json(&["show"])["values"]["guess"], 0.0);
    desk.ok(&["verify"]);
    desk.ok(&["undo"]);
    assert_eq!(content(&desk), with_facts);
    desk.ok(&["verify", "--salvage", "saved.db"]);
    assert_eq!(desk.json(&["show", "--book", "saved.db"])["values"]["guess"], 0.0);
}

#[test]
fn an_import_of_facts_is_taken_back() {
    let desk = desk();
    let before = content(&desk);
    desk.ok(&["import", "proven.csv"]);
    // It is facts that go, not positions, and so it is said.
    let undone = desk.run(&["undo"]);
    let said = stdout(&undone);
    assert!(said.starts_with("40 positions and 0 facts, as before change 2 (import "), "{said}");
    assert!(stderr(&undone).contains("the 40 positions and 4 facts it had"), "{undone:?}");
    assert_eq!(content(&desk), before);
    assert_eq!(desk.json(&["info"])["facts"], 0);
    let again = desk.json(&["undo", "--redo"]);
    assert_eq!((&again["facts"], &again["facts_before"]), (&4.into(), &0.into()));
    assert_eq!(desk.json(&["show"])["values"]["guess"], 0.0);
    // The same again is known.
    let said = desk.ok(&["import", "proven.csv"]);
    assert!(said.contains("0 new (0 of positions of the book), 4 known, 0 refused"), "{said}");
}

#[test]
fn a_table_with_a_fault_leaves_nothing_behind() {
    let desk = desk();
    let before = content(&desk);
    for (row, told) in [
        (format!("{START},X,3,-1,"), "line 6: found 3..-1"),
        (format!("{START},X,0,0,f5f5"), "line 6: found "),
        (format!("{START},X"), "line 6: found 2 cells, expected 5"),
        ("\u{1b}[31m,X,0,0,".to_owned(), "line 6: found "),
    ] {
        fs::write(desk.path("bad.csv"), format!("{}{row}\n", draw_table())).unwrap();
        let error = desk.refused(&["import", "bad.csv"]);
        assert!(
            is_one_line(&error) && error.contains("bad.csv, ") && error.contains(told),
            "{error}"
        );
        assert!(!error.contains('\u{1b}'));
        assert_eq!(content(&desk), before);
    }
    fs::write(desk.path("values.csv"), format!("board,side,value\n{START},X,0\n")).unwrap();
    let error = desk.refused(&["import", "values.csv"]);
    assert!(error.contains("proven_value"), "{error}");
    // A book's own table is no table of facts.
    desk.ok(&["export", "own.csv", "-q"]);
    let error = desk.refused(&["import", "own.csv"]);
    assert!(error.contains("written only"), "{error}");
}

/// Leniently a bad line of a fact costs itself, in a JSON book as in a table, and is told with its place.
#[test]
fn a_lenient_import_leaves_bad_lines_of_facts_out() {
    let desk = desk();
    desk.ok(&["import", "proven.csv", "-q"]);
    let sound = content(&desk);
    let (before, last) = sound.trim_end().rsplit_once('\n').unwrap();
    let line = sound.lines().count();
    let fact = last.replace("\"source\":1}", "\"source\":77}");
    assert_ne!(fact, last);
    let bounds = last.split_once("\"lower\"").unwrap().0;
    let bad = [
        (
            format!("{bounds}\"lower\":4,\"upper\":0,\"source\":1}}"),
            "4..0, expected bounds in order",
        ),
        (format!("{bounds}\"lower\":0,\"upper\":200,\"source\":1}}"), "expected a fact such as "),
        (format!("{bounds}\"lower\":0,\"upper\":0"), "the end of the line"),
        (fact, "source 77, expected a source of the header"),
        (last.replacen('-', "", 1), "expected 64 squares"),
    ];
    for (number, (fact, told)) in bad.iter().enumerate() {
        fs::write(desk.path("bad.json"), format!("{before}\n{fact}\n")).unwrap();
        let book = format!("bad{number}.db");
        let error = desk.refused(&["import", "bad.json", "--book", &book]);
        assert!(is_one_line(&error) && error.contains(told), "{error}");
        assert!(!desk.path(&book).exists());
        let said = desk.partly(&["import", "bad.json", "--lenient", "--book", &book]);
        assert!(said.contains("3 facts: 3 new"), "{said}");
        assert!(said.contains("  bad lines of facts: 1 (left out)\n"), "{said}");
        assert!(said.contains(&format!("line {line}: ")) && said.contains(told), "{said}");
        assert!(said.contains("the header counts 4 facts, the file holds 3"), "{said}");
        assert_eq!(desk.json(&["info", "--book", &book])["facts"], 3);
        desk.ok(&["verify", "--book", &book]);
    }
    let table = format!("{}{START},X,3,-1,\n{START},X\n", draw_table());
    fs::write(desk.path("bad.csv"), table).unwrap();
    let report = desk.partly(&["import", "bad.csv", "--lenient", "--book", "table.db", "--json"]);
    let report: Value = serde_json::from_str(&report).unwrap();
    assert_eq!(report["facts"]["new"], 4);
    let defects = &report["defects"][0];
    assert_eq!((&defects["kind"], &defects["count"]), (&"bad_fact".into(), &2.into()));
    assert!(
        defects["examples"][0].as_str().unwrap().starts_with("line 6: found 3..-1"),
        "{report}"
    );
    assert!(
        defects["examples"][1].as_str().unwrap().starts_with("line 7: found 2 cells"),
        "{report}"
    );
}

#[test]
fn what_contradicts_is_refused_with_both_named() {
    let desk = desk();
    // Growth solves it.
    let end = END;
    let grown = desk.run(&["grow", "--from", end, "--positions", "3", "--level", "20", "-q"]);
    assert!(grown.status.success(), "{}", stderr(&grown));
    let shown = desk.json(&["show", end]);
    let exact = shown["values"]["lower"].as_i64().unwrap();
    assert_eq!(shown["values"]["upper"].as_i64().unwrap(), exact);
    let wrong = exact - 2;
    let table =
        format!("board,proven_value\n{end},{wrong}\n{START} X,0\n{START} X,4\n{START} X,0\n");
    fs::write(desk.path("wrong.csv"), table).unwrap();
    let output = desk.run(&["import", "wrong.csv"]);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    let said = stdout(&output);
    assert!(
        said.contains("4 facts: 1 new (1 of positions of the book), 1 known, 2 refused"),
        "{said}"
    );
    let own = format!("is contradicted by a proof of our own, {exact}\n");
    assert!(said.contains(&format!("line 2: {wrong} by wrong.csv for ")), "{said}");
    assert!(said.contains(&own), "{said}");
    let other = format!("line 4: 4 by wrong.csv for {START} X is contradicted by 0 by wrong.csv\n");
    assert!(said.contains(&other), "{said}");
    assert_eq!(desk.json(&["show", end])["values"]["lower"].as_i64(), Some(exact));
    desk.ok(&["verify"]);
    let json = desk.run(&["import", "wrong.csv", "--json"]);
    assert_eq!(json.status.code(), Some(3));
    let json: Value = serde_json::from_str(&stdout(&json)).unwrap();
    assert_eq!((&json["facts"]["known"], &json["facts"]["refused"]), (&2.into(), &2.into()));
    assert_eq!(json["facts"]["examples"].as_array().unwrap().len(), 2);

    // The fact was there first: our own proof stands, growth says so, and so does verify.
    let late = Desk::new();
    fs::write(late.path("wrong.csv"), format!("board,proven_value\n{end},{wrong}\n")).unwrap();
    late.ok(&["import", "wrong.csv"]);
    let grown = late.run(&["grow", "--from", end, "--positions", "3", "--level", "20"]);
    let said = format!("{}{}", stdout(&grown), stderr(&grown));
    assert!(said.contains("not believed: ") && said.contains("a proof of our own"), "{said}");
    let verified = late.run(&["verify"]);
    assert_eq!(verified.status.code(), Some(1));
    assert!(stdout(&verified).contains("B8: the fact"), "{}", stdout(&verified));
    assert_eq!(late.json(&["show", end])["values"]["lower"].as_i64(), Some(exact));
}

#[test]
fn a_merge_that_refuses_facts_says_so() {
    let desk = desk();
    desk.ok(&["import", "proven.csv", "-q"]);
    let other = Desk::grown("10");
    let table = format!("board,proven_value\n{START} X,4\n{END},2\n");
    fs::write(other.path("wrong.csv"), table).unwrap();
    other.ok(&["import", "wrong.csv", "-q"]);
    fs::copy(other.path("book.db"), desk.path("other.db")).unwrap();
    let merged = desk.run(&["import", "other.db"]);
    assert_eq!(merged.status.code(), Some(3), "{}", stderr(&merged));
    let said = stdout(&merged);
    assert!(
        said.contains("2 facts: 1 new (0 of positions of the book), 0 known, 1 refused"),
        "{said}"
    );
    let both = format!("refused: 4 by wrong.csv for {START} X is contradicted by 0 by proven.csv");
    assert!(said.contains(&both), "{said}");
    // All else came in.
    assert_eq!(desk.json(&["info"])["facts"], 5);
    desk.ok(&["verify"]);
    let again = desk.run(&["import", "other.db", "--json"]);
    assert_eq!(again.status.code(), Some(3));
    let again: Value = serde_json::from_str(&stdout(&again)).unwrap();
    assert_eq!((&again["facts"]["known"], &again["facts"]["refused"]), (&1.into(), &1.into()));
    // Where nothing is refused it is done.
    let sound = Desk::new();
    sound.ok(&["new"]);
    fs::copy(desk.path("book.db"), sound.path("other.db")).unwrap();
    sound.ok(&["import", "other.db"]);
}

/// The published proofs over a grown book: no guess is outside of what is proven, and the published
/// line is drawn as far as the book has it.
#[test]
#[ignore = "needs ../shared/data/proven-opening-tree.csv"]
fn the_published_proofs_hold_a_grown_book() {
    let shared = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data");
    let file = |name: &str| shared.join(name).display().to_string();
    let (tree, solved, line) = (
        file("proven-opening-tree.csv"),
        file("solved-50-empties-a.csv"),
        file("proven-draw-line.csv"),
    );
    let desk = Desk::grown("400");
    let table = fs::read_to_string(&line).unwrap();
    let moves: String = table.lines().skip(1).filter_map(|row| row.rsplit(',').next()).collect();
    desk.ok(&["grow", "--policy", "lines", "--line", &moves[..24], "--level", "2", "-q"]);
    let before = desk.json(&["info", "--by-discs"]);
    desk.ok(&["import", &tree, &solved, &line]);
    desk.ok(&["verify"]);
    assert_eq!(desk.json(&["info", "--by-discs"])["positions"], before["positions"]);
    let draws = desk.ok(&["discover", "draws", "--limit", "1000", "--json"]);
    let draws: Vec<Value> = draws.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    // Each position is listed once, by one of the orders of moves that lead to it.
    let after = |moves: &str| Key::of(moves.parse::<Line>().unwrap().end().unwrap().position);
    for length in 0..=12 {
        let position = after(&moves[..2 * length]);
        let found = draws.iter().find(|draw| after(draw["line"].as_str().unwrap()) == position);
        assert_eq!(found.map(|draw| draw["proven"].clone()), Some(true.into()), "{length}");
    }
    let mut checked = 0;
    for (name, board, lower, upper) in [(&tree, 0, 3, 4), (&solved, 0, 2, 3), (&line, 1, 4, 4)] {
        let text = fs::read_to_string(name).unwrap();
        let mut boards = String::new();
        let rows: Vec<Vec<&str>> =
            text.lines().skip(1).map(|row| row.split(',').collect()).collect();
        for row in &rows {
            boards.push_str(&format!("{} {}\n", row[board], row[board + 1]));
        }
        fs::write(desk.path("boards.txt"), boards).unwrap();
        let shown = stdout(&desk.run(&["show", "boards.txt", "--json"]));
        for (shown, row) in shown.lines().zip(&rows) {
            let shown: Value = serde_json::from_str(shown).unwrap();
            let Some(guess) = shown["values"]["guess"].as_f64() else { continue };
            let (lower, upper): (f64, f64) =
                (row[lower].parse().unwrap(), row[upper].parse().unwrap());
            assert!((lower..=upper).contains(&guess), "{row:?}: {shown}");
            checked += 1;
        }
    }
    assert!(checked > 30, "{checked}");
}

/// What one source says of a position in several places is one fact.
#[test]
fn what_several_lines_say_together_is_refused_as_a_whole() {
    let desk = desk();
    // After two moves the result is 0 at most, so it is at the start.
    let table = "line,lower,upper\nf5d6,,0\n\"\",2,\n\"\",,10\n";
    fs::write(desk.path("wrong.csv"), table).unwrap();
    let output = desk.run(&["import", "wrong.csv"]);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    let said = stdout(&output);
    let counts = "3 facts: 1 new (1 of positions of the book), 0 known, 2 refused";
    assert!(said.contains(counts), "{said}");
    let both = format!(
        "line 3: 2..10 by wrong.csv for {START} X is contradicted by what facts say of its moves"
    );
    assert!(said.contains(&both), "{said}");
    assert_eq!(said.matches("line ").count(), 1, "{said}");
    assert_eq!(desk.json(&["info"])["facts"], 1);
    desk.ok(&["verify"]);
}

#[test]
fn facts_go_with_their_source() {
    let desk = Desk::grown("10");
    fs::write(desk.path("fa.csv"), "line,proven_value\nf5d6,0\n").unwrap();
    desk.ok(&["import", "fa.csv", "-q"]);
    assert_eq!(desk.json(&["info"])["facts"], 1);
    let told = desk.json(&["edit", "remove", "--source", "fa.csv", "--dry-run"]);
    assert_eq!((&told["facts"], &desk.json(&["info"])["facts"]), (&1.into(), &1.into()));
    assert_eq!(desk.json(&["edit", "remove", "--source", "fa.csv"])["facts"], 1);
    assert_eq!(desk.json(&["info"])["facts"], 0);
    assert_eq!(desk.json(&["verify"])["violations"], 0);
    assert_eq!(desk.run(&["edit", "remove", "--source", "none"]).status.code(), Some(1));
}
