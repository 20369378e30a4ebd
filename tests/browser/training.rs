//! Training: the book's moves are guessed, and what was missed comes again.

use rosebill::board::Line;
use serde_json::{Map, json};

use crate::page::{Page, Screen, visit};
use crate::server::Server;

/// Lines to positions of Black's that no book has.
fn unknown() -> impl Iterator<Item = Line> {
    let next = |line: Line| {
        let squares = line.end().unwrap().position.legal_moves();
        squares.map(move |square| line.then(&[square]))
    };
    next("f5d6c7".parse().unwrap()).flat_map(next).flat_map(next)
}

#[test]
fn positions_of_another_book_keep_nobody_from_training() {
    let server = Server::start(&[]);
    visit(&server.address, Screen::WIDE, async |page: &Page| {
        let card = |line: &Line| json!({ "line": line.to_string(), "colour": "X", "box": 0, "missed": 1, "due": 0 });
        let cards: Map<_, _> =
            unknown().take(12).map(|line| (line.to_string(), card(&line))).collect();
        page.run(&format!(
            "localStorage.setItem('rosebill training', JSON.stringify({}))",
            json!(cards)
        ))
        .await;
        page.go("?panel=training").await;
        page.board_after(0).await;
        page.click(".in-training .setup button.main").await;
        let question = "return document.querySelector('.in-training .question').innerText";
        page.until("a question", question, |text| {
            text.as_str().unwrap().ends_with("Which move does the book play?")
        })
        .await;
        page.board_after(0).await;
    });
}
