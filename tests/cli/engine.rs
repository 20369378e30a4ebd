//! The engine as a user asks it: static values, searches, solves and matches.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use crate::desk::Desk;

/// Black has one corner disc, White 55, and nobody can move: the eight empty squares are White's.
const OVER: &str = "X-------OOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOO-O X";

/// Twelve empty squares.
const END: &str = "-XXXXXX---XXOOOO-OXOXXOOOXXOXOOOXXOXXOOOXXXXOO-OX-XXOO----XXXXX- O";

const EVALUATORS: [&str; 8] =
    ["rosebill", "zebra", "ntest", "squares", "phases", "edges", "edges-plain", "linear"];

#[test]
fn a_finished_game_is_its_final_score_for_every_evaluator() {
    let desk = Desk::new();
    for name in EVALUATORS {
        let judged = desk.json(&["search", "--static", OVER, "--evaluator", name]);
        assert_eq!(judged["score"], -62.0, "{name}");
        assert_eq!(judged["components"][0]["name"], "final score", "{name}");
    }
}

/// The numbers of the texts can be read off: 25 for a corner (linear), 99 (squares), 1000 (edges).
#[test]
fn the_weights_of_the_texts_are_shown() {
    let desk = Desk::new();
    for (name, weight, factor) in
        [("linear", 25, 0.07), ("squares", 99, 0.09), ("edges", 1000, 0.001)]
    {
        let judged = desk.json(&["search", "--static", END, "--evaluator", name]);
        assert_eq!(judged["discs_per_unit"], factor);
        let first = &judged["components"][0];
        assert_eq!(first["weight"].as_f64(), Some(f64::from(weight)), "{judged}");
        let number = |field: &str| first[field].as_f64().unwrap();
        assert!((number("units") - number("count") * number("weight")).abs() < 1e-9);
        assert!((number("score") - number("units") * factor).abs() < 1e-9);
        let table = desk.ok(&["search", "--static", END, "--evaluator", name]);
        assert!(table.contains(&format!(" {weight} ")) && table.contains("a unit is taken for"));
    }
    let fitted = desk.json(&["search", "--static", END]);
    assert!(fitted.get("discs_per_unit").is_none());
    assert!(fitted["components"][0].get("weight").is_none());
}

#[test]
fn the_board_report_counts_all_discs_and_those_that_can_be_turned() {
    let desk = Desk::new();
    let board = desk.json(&["search", "--static", "f5"])["counts"].clone();
    assert_eq!(board["total_discs"], 5);
    // White can turn three of Black's four discs, Black the only white one.
    assert_eq!(board["unstable_discs"]["mover"], 1);
    assert_eq!(board["unstable_discs"]["opponent"], 3);
    assert_eq!(board["frontier_discs"]["difference"], -3);
    let table = desk.ok(&["search", "--static", "f5"]);
    assert!(table.contains("unstable discs") && table.contains("5 discs, 59 squares empty"));
}

#[test]
fn every_move_is_listed_best_first() {
    let desk = Desk::new();
    let solved = desk.json(&["solve", END, "--all"]);
    for field in ["index", "score", "best_move", "depth", "selectivity", "nodes", "seconds"] {
        assert!(solved.get(field).is_some(), "{field} is missing in {solved}");
    }
    let moves = solved["moves"].as_array().unwrap();
    assert!(moves.len() > 3, "{solved}");
    let scores: Vec<f64> = moves.iter().map(|each| each["score"].as_f64().unwrap()).collect();
    assert!(scores.is_sorted_by(|one, other| one >= other), "{scores:?}");
    assert_eq!((&solved["score"], &solved["best_move"]), (&moves[0]["score"], &moves[0]["move"]));
    let alone = desk.json(&["solve", END]);
    assert_eq!(alone["score"], solved["score"]);
    assert!(alone.get("moves").is_none());
    for each in moves {
        assert_eq!((&each["proof"], &each["depth"]), (&"exact".into(), &12.into()));
        let line = each["best_line"].as_str().unwrap();
        assert!(line.starts_with(each["move"].as_str().unwrap()));
        assert!(line.len() >= 16, "no line of play: {each}");
    }
    let table = desk.ok(&["solve", END, "--all"]);
    let rows: Vec<&str> = table.lines().collect();
    assert_eq!(rows.iter().filter(|row| row.contains(" exact ")).count(), moves.len(), "{table}");
    assert!(rows.iter().all(|row| row.len() <= 59 + 2 * 12), "{table}");
    let searched = desk.json(&["search", "f5d6", "--all", "--depth", "6"]);
    let moves = searched["moves"].as_array().unwrap();
    assert!(moves.iter().all(|each| each["depth"] == 6 && each["proof"] == "none"), "{searched}");
    assert_eq!(moves.len(), 5, "{searched}");
}

/// Time is for all moves together: the last one must get its share.
#[test]
fn no_move_goes_without_time() {
    let desk = Desk::new();
    let searched = desk.json(&["search", "f5d6c3", "--all", "--time", "400ms"]);
    let moves = searched["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 4, "{searched}");
    assert!(moves.iter().all(|each| each["depth"].as_u64() >= Some(2)), "{searched}");
    let limited = desk.json(&["search", "f5d6c3", "--all", "--nodes", "40000"]);
    let moves = limited["moves"].as_array().unwrap();
    assert!(moves.iter().all(|each| each["depth"].as_u64() >= Some(2)), "{limited}");
    assert!(limited["nodes"].as_u64() < Some(44_000), "{limited}");
}

#[test]
fn a_finished_game_and_a_pass_have_no_moves_to_list() {
    let desk = Desk::new();
    let over = desk.json(&["solve", OVER, "--all"]);
    assert_eq!((&over["score"], &over["best_move"]), (&(-62.0).into(), &serde_json::Value::Null));
    assert!(over.get("moves").is_none());
}

/// The agent of "Othello AI Heuristics Overview": its five terms and its quick ordering.
#[test]
fn the_quick_ordering_searches_and_plays() {
    let desk = Desk::new();
    let search = |ordering: &str| {
        let asked = ["search", "f5d6c3d3c4", "--depth", "5", "--evaluator", "linear"];
        desk.json(&[&asked[..], &["--ordering", ordering]].concat())
    };
    let (ours, quick) = (search("rosebill"), search("quick"));
    assert_eq!(ours["score"], quick["score"]);
    assert_ne!(ours["nodes"], quick["nodes"]);
    let few = ["--games", "2", "--depth", "1", "--solve-from", "2", "--opening-depth", "2"];
    let played = desk.json(&[&["lab", "match", "linear+quick", "squares"][..], &few].concat());
    assert_eq!((&played["first"], &played["games"]), (&"linear+quick".into(), &2.into()));
    assert!(
        played["percent_error"].is_null() && played["mean_difference_error"].is_null(),
        "{played}"
    );
    let told = desk.ok(&[&["lab", "match", "linear+quick", "squares"][..], &few].concat());
    assert!(told.contains("2 games") && !told.contains('±'), "{told}");
}

/// By "Othello Heuristics for Evaluation Functions" a won end is infinite: no estimate of +24 comes before it.
#[test]
fn a_won_end_outranks_every_estimate() {
    let desk = Desk::new();
    let board = "--XXXXXX--XXXXXXOX-XXXXXOOXXXXXXOOOOOXXXOOOOOOXXOOOOOOOXOOOOOOOO O";
    for more in [&["--all"][..], &[]] {
        let asked = ["search", board, "--evaluator", "phases", "--depth", "1"];
        let found = desk.json(&[&asked[..], more].concat());
        assert_eq!((&found["best_move"], &found["score"]), (&"c3".into(), &10.0.into()), "{found}");
    }
}

/// A proven draw was worth -15.64 and -10.75 discs before these knew the first moves.
#[test]
fn the_first_moves_are_judged_soberly() {
    let desk = Desk::new();
    for name in ["rosebill", "zebra", "ntest"] {
        for line in ["", "f5", "f5d6", "f5f6", "f5d6c3", "f5d6c3d3", "f5d6c3d3c4", "f5d6c3d3c4f4f6"]
        {
            let score = desk.json(&["search", "--static", line, "--evaluator", name])["score"]
                .as_f64()
                .unwrap();
            assert!(score.abs() < 4.0, "{name} judges '{line}' as {score}");
        }
    }
}

#[cfg(unix)]
#[test]
fn what_is_interrupted_does_not_look_finished() {
    use std::io::{BufRead, BufReader, Read};
    use std::process::{Command, Stdio};

    let desk = Desk::new();
    // Nobody solves the second one.
    std::fs::write(desk.path("positions.txt"), format!("{END}\nf5\n")).unwrap();
    for (format, expected) in [
        (&["--json"][..], "{\"complete\":false,\"positions\":1,\"of\":2}"),
        (&[], "stopped after 1 of 2 positions"),
    ] {
        let mut command = desk.command();
        let solve = command.args(["solve", "positions.txt", "--threads", "2"]).args(format);
        let mut child = solve.stdout(Stdio::piped()).spawn().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut told = String::new();
        while !told.contains("exact") {
            assert!(output.read_line(&mut told).unwrap() > 0, "{told}");
        }
        let process = child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &process]).status().unwrap().success());
        output.read_to_string(&mut told).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(130));
        assert_eq!(told.lines().last(), Some(expected), "{told}");
    }
}

/// What was found until then is printed.
#[cfg(unix)]
#[test]
fn an_interrupted_search_says_what_it_has_found() {
    use std::process::{Command, Stdio};

    let desk = Desk::new();
    let interrupted_after = |seconds| {
        let search = desk
            .command()
            .args(["search", "f5", "--json", "--depth", "40"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(std::time::Duration::from_secs(seconds));
        let process = search.id().to_string();
        assert!(Command::new("kill").args(["-INT", &process]).status().unwrap().success());
        let output = search.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130));
        let text = String::from_utf8(output.stdout).unwrap();
        let lines: Vec<serde_json::Value> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        lines
    };
    // How far it has come is reported in a terminal alone, so a slow machine is given longer.
    let lines = [2, 8, 32]
        .into_iter()
        .map(interrupted_after)
        .find(|lines| lines[0]["depth"].as_u64() > Some(3))
        .expect("a search of half a minute has a result");
    assert_eq!(
        (&lines[0]["complete"], &lines[1]["positions"]),
        (&false.into(), &0.into()),
        "{lines:?}"
    );
    assert!(lines[0]["best_move"].is_string(), "{lines:?}");
}

/// Who waits for what never comes is told so beforehand.
#[test]
fn a_result_out_of_reach_is_told_beforehand() {
    let desk = Desk::new();
    let mut command = desk.command();
    command.args(["solve", "f5d6"]).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut line = String::new();
    let mut told = BufReader::new(child.stderr.take().unwrap());
    told.read_line(&mut line).unwrap();
    told.read_line(&mut line).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(
        line.contains("58 empties") && line.contains("try: rosebill search POSITION"),
        "{line}"
    );
}
