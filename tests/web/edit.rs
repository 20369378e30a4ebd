//! Changing positions by hand: `/api/remove` and `/api/set`.

use serde_json::{Value, json};

use crate::desk::Desk;
use crate::site::{Site, until};

struct Editor {
    site: Site,
    bearer: String,
}

impl Editor {
    fn new() -> Self {
        let site = Site::at(Desk::grown("12"), &["--grow", "--threads", "1"]);
        let bearer = format!("Bearer {}", site.url.split("#token=").nth(1).unwrap());
        Self { site, bearer }
    }

    fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        let headers = [("authorization", self.bearer.as_str())];
        let answer = self.site.ask("POST", path, &headers, body.to_string().as_bytes());
        (answer.status, answer.json())
    }

    fn positions(&self) -> u64 {
        self.site.json("/api/stats")["positions"].as_u64().unwrap()
    }
}

#[test]
fn a_value_is_set_shown_cleared_and_taken_back() {
    let editor = Editor::new();
    let shown = || editor.site.json("/api/position?line=f5");
    let before = shown()["values"].clone();
    let wanted = json!({"line": "f5", "value": -1.25, "author": "anna"});
    let (status, answer) = editor.post("/api/set", &wanted);
    assert_eq!((status, &answer["value"]), (200, &(-1.25).into()));
    until("the value", || shown()["values"]["guess"] == -1.25);
    assert_eq!(shown()["judgement"]["author"], "anna");
    let changes = editor.site.json("/api/undo")["changes"].clone();
    let asked = changes.as_array().unwrap().last().unwrap()["command"].clone();
    assert_eq!(asked, "serve --grow: set f5 -1.25");
    let (status, answer) = editor.post("/api/set", &json!({"line": "f5", "clear": true}));
    assert_eq!((status, &answer["value"]), (200, &Value::Null));
    until("the old value", || shown()["values"] == before);
    assert_eq!(editor.post("/api/set", &json!({"line": "f5", "clear": true})).0, 404);
    assert_eq!(editor.post("/api/undo", &json!({})).0, 200);
    until("the value again", || shown()["values"]["guess"] == -1.25);
}

#[test]
fn positions_are_removed_and_come_back() {
    let editor = Editor::new();
    let before = editor.positions();
    let all = json!({"line": "f5d6", "below": true, "dry_run": true});
    let (status, answer) = editor.post("/api/remove", &all);
    assert_eq!(
        (status, &answer["positions"], &answer["dry_run"]),
        (200, &before.into(), &true.into())
    );
    let counted = answer["removed"].as_u64().unwrap();
    let all = json!({"line": "f5d6", "below": true});
    let (status, answer) = editor.post("/api/remove", &all);
    assert_eq!((status, answer["removed"].as_u64()), (200, Some(counted)));
    until("the page", || editor.positions() == before - counted);
    assert_eq!(editor.post("/api/remove", &all).0, 404);
    assert_eq!(editor.post("/api/undo", &json!({})).0, 200);
    until("the page", || editor.positions() == before);
    assert_eq!(editor.site.json("/api/position?line=f5d6")["in_book"], true);
    editor.site.desk.ok(&["verify"]);
}

#[test]
fn only_those_who_may_change_the_book_do_and_only_as_it_makes_sense() {
    let editor = Editor::new();
    let wanted = json!({"line": "f5d6", "value": 1}).to_string();
    for path in ["/api/remove", "/api/set"] {
        let status = |headers: &[(&str, &str)], body: &str| {
            editor.site.ask("POST", path, headers, body.as_bytes()).status
        };
        let bearer = editor.bearer.as_str();
        assert_eq!(status(&[], &wanted), 401);
        assert_eq!(status(&[("authorization", "Bearer 00")], &wanted), 403);
        let foreign = [("authorization", bearer), ("origin", "https://evil.example")];
        assert_eq!(status(&foreign, &wanted), 403);
        for nothing in ["", "[]", "{}", r#"["f5"]"#, r#"{"x": 1}"#] {
            assert_eq!(status(&[("authorization", bearer)], nothing), 400, "{nothing}");
        }
        assert_eq!(editor.site.ask("GET", path, &[], b"").status, 405);
        let reading = Site::new();
        let answer = reading.ask("POST", path, &[("authorization", "Bearer 0")], wanted.as_bytes());
        assert!(
            answer.status == 403 && answer.json()["hints"][0]["kind"] == "serve_growing",
            "{answer:?}"
        );
    }
    for (body, part) in [
        (json!({"line": "f5"}), "value, or clear"),
        (json!({"line": "f5", "value": 1, "clear": true}), "value, or clear"),
        (json!({"line": "f5", "value": 65}), "-64 to 64"),
        (json!({"line": "f5", "value": "1"}), "unreadable request"),
        (json!({"line": "f5f5", "value": 1}), "occupied"),
        (json!({"line": "f5", "value": 1, "author": "a\nb"}), "a name"),
    ] {
        let (status, answer) = editor.post("/api/set", &body);
        assert_eq!(status, 400, "{body}");
        assert!(answer["message"].as_str().unwrap().contains(part), "{answer}");
    }
    let over = json!({"line": "e6f4e3f6g5d6e7f5c5", "value": 1});
    assert_eq!(editor.post("/api/set", &over).0, 400);
}
