//! Searches, analyses and growth that the page asks for.

use serde_json::{Value, json};

use crate::desk::Desk;
use crate::site::{Site, until};

#[test]
fn a_search_deepens_and_ends() {
    let site = Site::new();
    let events: Vec<(String, Value)> = site
        .events("/api/search?line=f5d6c3&level=6")
        .map(|(name, data)| (name, serde_json::from_str(&data).unwrap()))
        .collect();
    let levels: Vec<u64> = events
        .iter()
        .filter(|(name, _)| name == "iteration")
        .map(|(_, step)| step["level"].as_u64().unwrap())
        .collect();
    assert_eq!(levels, [2, 4, 6]);
    let (_, last) = &events[2];
    let legal = site.json("/api/position?line=f5d6c3")["legal"].as_object().unwrap().len();
    assert_eq!(last["moves"].as_array().unwrap().len(), legal);
    assert_eq!(last["best_move"], last["moves"][0]["move"]);
    assert!(last["moves"][0]["score"].is_f64() && last["moves"][0]["depth"] == 6);
    assert_eq!(events.last().unwrap(), &("done".to_owned(), json!({"level": 6, "stopped": false})));
}

/// Four empty squares: three moves draw, one loses.
const DRAWN: &str = "XXOOXOXOXXX-OOXO-XOXX-OXOOXOOXXXXX-XXXXOOXOXXOXXXXXXOXOXOOOOOOOX X";

#[test]
fn a_search_weighs_what_it_finds_as_the_command_line_does() {
    let site = Site::new();
    let last = |line: &str| -> Vec<Value> {
        let steps = site.events(&format!("/api/search?line={line}&level=4"));
        let steps = steps.filter(|(name, _)| name == "iteration");
        let step: Value = serde_json::from_str(&steps.last().unwrap().1).unwrap();
        step["moves"].as_array().unwrap().clone()
    };
    let found = last(&DRAWN.replace(' ', "+"));
    let shown = site.desk.json(&["show", DRAWN, "--search=4"]);
    let shown = shown["moves"].as_array().unwrap();
    assert_eq!((found.len(), shown.len()), (4, 4));
    for shown in shown {
        let found = found.iter().find(|found| found["move"] == shown["move"]).unwrap();
        for part in ["values", "chances", "error"] {
            assert_eq!(found[part], shown[part], "{part} of {}", shown["move"]);
        }
    }
    let drawn =
        json!({"guess": 0.0, "draw_seeking": 100.0, "win_seeking": -100.0, "lower": 0, "upper": 0});
    assert_eq!(found[0]["values"], drawn);
    assert_eq!(found[3]["values"]["draw_seeking"], -106.0);
    // What is not proven is open, and its three values are one.
    for found in last("f5d6c3") {
        let values = &found["values"];
        assert_eq!(values["guess"], found["value"]);
        assert_eq!(values["draw_seeking"], values["win_seeking"]);
        assert!(found["error"].as_f64() > Some(0.5), "{found}");
        assert!(found["chances"]["win"].as_f64() > Some(0.0), "{found}");
    }
}

/// Twenty empty squares, and a draw.
const PROVEN: &str = "-XXXXXX---XXOO--OOXXOOOOOOXOXOO-OOXOOOO-OOOOOXX-O-XOXX---------- X";

#[test]
fn what_a_book_proves_of_a_position_holds_what_a_search_says_of_its_moves() {
    let desk = Desk::new();
    let grown = ["grow", "--policy", "lines", "--line", PROVEN, "--depth", "20", "-q"];
    desk.ok(&grown);
    let site = Site::at(desk, &[]);
    let line = PROVEN.replace(' ', "+");
    let here = site.json(&format!("/api/position?line={line}"));
    assert_eq!((&here["values"]["lower"], &here["values"]["upper"]), (&0.into(), &0.into()));
    let steps = site.events(&format!("/api/search?line={line}&level=2"));
    let (_, step) = steps.filter(|(name, _)| name == "iteration").last().unwrap();
    let step: Value = serde_json::from_str(&step).unwrap();
    let moves = step["moves"].as_array().unwrap();
    assert!(moves.iter().any(|found| found["proof"] != "exact"), "{step}");
    for found in moves {
        assert_eq!(found["chances"]["win"], 0.0, "{found}");
        assert!(found["values"]["upper"].as_i64() <= Some(0), "{found}");
        assert!(found["values"]["guess"].as_f64() <= Some(0.0), "{found}");
    }
}

#[test]
fn engines_are_few_and_those_of_who_left_are_free_again() {
    let site = Site::new();
    let mut taken = Vec::new();
    let refused = loop {
        assert!(taken.len() < 20, "no end of engines");
        let answer = site.request("GET", "/api/search?level=24", &[], b"");
        let mut stream = site.connect();
        std::io::Write::write_all(&mut stream, &answer).unwrap();
        let mut head = [0; 12];
        std::io::Read::read_exact(&mut stream, &mut head).unwrap();
        match &head[9..] {
            b"200" => taken.push(stream),
            other => break String::from_utf8_lossy(other).into_owned(),
        }
    };
    assert_eq!(refused, "503");
    assert!(!taken.is_empty());
    let busy = site.get("/api/search?level=24");
    assert_eq!((busy.status, busy.header("retry-after")), (503, "1"));
    drop(taken);
    until("an engine", || {
        let name = site.events("/api/search?level=2").next().map(|(name, _)| name);
        name.as_deref() == Some("iteration")
    });
}

#[test]
fn a_game_is_explained_move_by_move() {
    let site = Site::new();
    let game = "f5d6c3d3c4f4c5b3c2e3";
    let told: Vec<Value> = site
        .lines("POST", "/api/analyze?level=3&exact_from=6", game.as_bytes())
        .map(|line| serde_json::from_str(&line).unwrap())
        .collect();
    assert_eq!((&told[0]["kind"], &told[0]["line"]), (&"game".into(), &game.into()));
    assert_eq!(told[0]["path"].as_array().unwrap().len(), 11);
    let mut indices: Vec<u64> = told
        .iter()
        .filter(|one| one["kind"] == "move")
        .map(|one| one["index"].as_u64().unwrap())
        .collect();
    indices.sort_unstable();
    assert_eq!(indices, (0..10).collect::<Vec<_>>());
    let mut done = told.last().unwrap().clone();
    assert_eq!(done["kind"], "done");
    done.as_object_mut().unwrap().remove("kind");
    let wanted = site.desk.json(&["analyze", game, "--level", "3", "--exact-from", "6"]);
    assert_eq!(done, wanted);
    for (body, part) in
        [("f5f5", "occupied"), ("", "nothing was pasted"), ("tigher", "maybe Tiger")]
    {
        let answer = site.ask("POST", "/api/analyze", &[], body.as_bytes());
        assert_eq!(answer.status, 400, "{body}");
        assert!(answer.error().contains(part), "{}", answer.error());
    }
    assert_eq!(site.ask("POST", "/api/analyze?level=17", &[], b"f5d6").status, 400);
}

const WANTED: &str = r#"{"line": "f5d6", "policy": "best", "level": 2, "seconds": 60, "move_loss": 9, "line_loss": "white:20"}"#;

/// An own book begins with what was shown before it.
#[test]
fn growth_without_a_book_begins_with_the_starter() {
    let site = Site::at(Desk::without_a_book(), &["--grow", "--threads", "1"]);
    let shown = site.json("/api/stats")["positions"].as_u64().unwrap();
    let token = site.url.split("#token=").nth(1).unwrap();
    let headers = [("authorization", &*format!("Bearer {token}"))];
    let started = site.ask("POST", "/api/grow", &headers, WANTED.as_bytes());
    assert_eq!(started.status, 202, "{}", started.error());
    until("growth", || site.json("/api/grow")["new_positions"].as_u64() > Some(0));
    assert_eq!(site.ask("DELETE", "/api/grow", &headers, b"").status, 202);
    until("the end", || site.json("/api/grow")["running"] == false);
    let stats = site.json("/api/stats");
    assert_eq!(stats["is_starter"], false);
    assert!(stats["positions"].as_u64() > Some(shown), "{stats}");
}

#[test]
fn growth_needs_the_token_of_the_start() {
    let site = Site::at(Desk::grown("5"), &["--grow", "--threads", "1"]);
    let token = site.url.split("#token=").nth(1).unwrap().to_owned();
    assert!(token.len() >= 32, "{token}");
    let bearer = format!("Bearer {token}");
    let grow = |method: &str, token: &str, body: &str| {
        let headers: &[(&str, &str)] =
            if token.is_empty() { &[] } else { &[("authorization", token)] };
        site.ask(method, "/api/grow", headers, body.as_bytes())
    };
    assert_eq!(grow("POST", "", WANTED).status, 401);
    assert_eq!(grow("POST", "Bearer 00", WANTED).status, 403);
    let list = grow("POST", &bearer, "[]");
    assert!(list.status == 400 && list.error().contains("an object with policy"), "{list:?}");
    assert!(!list.error().contains("Wanted"), "{list:?}");
    assert_eq!(grow("DELETE", "Basic 00", WANTED).status, 401);
    assert_eq!(grow("DELETE", &bearer, "").status, 409, "nothing grows");
    let status = site.json("/api/grow");
    assert_eq!((&status["enabled"], &status["running"]), (&true.into(), &false.into()));
    for (body, part) in [
        ("", "unreadable request"),
        (r#"{"policy": "best", "level": 2, "seconds": 1, "x": 1}"#, "unknown field"),
        (r#"{"policy": "luck", "level": 2, "seconds": 1}"#, "expected best"),
        (r#"{"policy": "best", "level": 99, "seconds": 1}"#, "1 to 30"),
        (r#"{"policy": "best", "level": 2, "seconds": 0}"#, "expected seconds"),
        (r#"{"policy": "best", "level": 2, "seconds": 1, "line": "f5f5"}"#, "occupied"),
        (r#"{"policy": "best", "level": 2, "seconds": 1, "move_loss": -1}"#, "move_loss '-1'"),
        (r#"{"policy": "best", "level": 2, "seconds": 1, "line_loss": "red:1"}"#, "black or white"),
        (r#"{"policy": "best", "level": 2, "seconds": 1, "line_loss": []}"#, "discs, or a text"),
        (r#"{"policy": "doubt", "level": 2, "seconds": 1, "move_loss": 1}"#, "a policy of best"),
    ] {
        let answer = grow("POST", &bearer, body);
        assert_eq!(answer.status, 400, "{body}");
        assert!(answer.error().contains(part), "{}", answer.error());
    }
    // A foreign page cannot use it, even with the token.
    let foreign = [("authorization", bearer.as_str()), ("origin", "https://evil.example")];
    assert_eq!(site.ask("POST", "/api/grow", &foreign, WANTED.as_bytes()).status, 403);
    let mut events = site.events("/api/events");
    let started = grow("POST", &bearer, WANTED);
    assert_eq!((started.status, &started.json()["running"]), (202, &true.into()));
    let again = grow("POST", &bearer, WANTED);
    assert_eq!(again.status, 409);
    let is_of_it = |(name, told): &(String, String)| name == "growth" && told.contains("f5d6");
    let told = events.find(is_of_it).unwrap().1;
    let told: Value = serde_json::from_str(&told).unwrap();
    assert_eq!((&told["policy"], &told["line"]), (&"best".into(), &"f5d6".into()));
    until("growth", || site.json("/api/grow")["new_positions"].as_u64() > Some(3));
    assert!(!site.desk.run(&["grow", "--positions", "1"]).status.success(), "the writer is held");
    assert_eq!(grow("DELETE", &bearer, "").status, 202);
    until("the end", || site.json("/api/grow")["running"] == false);
    assert_eq!(site.json("/api/grow")["ended_by"], "interrupted");
    // What was grown is taken back, and done again.
    let undo = |token: &str, body: &str| {
        site.ask("POST", "/api/undo", &[("authorization", token)], body.as_bytes())
    };
    assert_eq!(undo("Bearer 00", "{}").status, 403);
    assert_eq!(undo(&bearer, r#"{"redo": true, "change": 1}"#).status, 400);
    assert_eq!(undo(&bearer, r#"{"change": 77}"#).status, 409);
    let undone = undo(&bearer, "{}").json();
    assert_eq!((&undone["positions"], &undone["changes"][0]["undone"]), (&5.into(), &true.into()));
    assert_eq!(site.json("/api/undo")["changes"][1]["undone"], true);
    until("the page", || site.json("/api/stats")["positions"] == 5);
    let again = undo(&bearer, r#"{"redo": true}"#).json();
    assert!(again["positions"].as_u64() > Some(8), "{again}");
    site.desk.ok(&["grow", "--positions", "1", "--level", "2", "--threads", "1", "-q"]);
    let run = &site.json("/api/stats")["runs"][1];
    let asked = run["command"].as_str().unwrap();
    assert!(asked.starts_with("serve --grow"), "{run}");
    assert!(asked.contains(" --move-loss 9 --line-loss white:20 --from f5d6"), "{run}");
}

#[test]
fn a_server_that_only_reads_grows_nothing() {
    let site = Site::new();
    assert!(!site.url.contains('#'));
    assert_eq!(site.json("/api/grow")["enabled"], false);
    let answer = site.ask("POST", "/api/grow", &[("authorization", "Bearer x")], WANTED.as_bytes());
    assert_eq!(answer.status, 403);
    assert!(answer.json()["hints"][0]["commands"][0] == "rosebill serve --grow");
}

#[test]
fn a_book_that_another_process_writes_is_not_grown() {
    let site = Site::at(Desk::grown("5"), &["--grow", "--threads", "1"]);
    let bearer = format!("Bearer {}", site.url.split("#token=").nth(1).unwrap());
    let mut other = site.desk.command();
    let mut other = other.args(["grow", "--level", "2", "--threads", "1", "-q"]).spawn().unwrap();
    until("the other process", || site.json("/api/stats")["positions"].as_u64() > Some(5));
    let headers = [("authorization", bearer.as_str())];
    let answer = site.ask("POST", "/api/grow", &headers, WANTED.as_bytes());
    assert_eq!(answer.status, 409);
    assert!(answer.error().contains("being written by"), "{}", answer.error());
    other.kill().unwrap();
    other.wait().unwrap();
}
