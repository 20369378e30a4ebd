//! Training: the book's moves are guessed, and what was missed comes again.

use rosebill::othello::board::Line;
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

const QUESTION: &str = "return document.querySelector('.in-training .question').innerText";

#[test]
fn the_question_waits_while_one_looks_back() {
    let server = Server::start(&[]);
    visit(&server.address, Screen::WIDE, async |page: &Page| {
        page.go("?line=f5&panel=training").await;
        page.board_after(1).await;
        page.find(".in-training .setup button.main").await;
        // White's first move is asked for; after it Black's reply is drawn by lot.
        page.run("document.querySelector('#train-colour').value = 'white'").await;
        page.click(".in-training .setup button.main").await;
        let asks = |text: &serde_json::Value| text.as_str().unwrap().ends_with("the book play?");
        page.until("a question", QUESTION, asks).await;
        let shown = page.state().await;
        page.press("\u{e012}").await;
        page.board_after(0).await;
        page.until("that it is further on", QUESTION, |text| {
            text.as_str().unwrap().contains("Go forward")
        })
        .await;
        // Nothing is drawn, and no square is a guess there.
        page.click("[role=gridcell][aria-label^='d3,']").await;
        tokio::time::sleep(std::time::Duration::from_millis(1000)).await;
        page.board_after(0).await;
        page.press("\u{e014}").await;
        page.board_after(1).await;
        page.until("the same question", QUESTION, asks).await;
        assert_eq!(page.state().await, shown);
    });
}

#[test]
fn where_there_is_nothing_to_train_that_is_said() {
    let folder = tempfile::TempDir::new().unwrap();
    let book = folder.path().join("empty.db");
    crate::club::rosebill(&["new", "--quiet", "--book", book.to_str().unwrap()]);
    let told = "return document.querySelector('.in-training .setup')?.innerText ?? ''";
    let empty = Server::of(book);
    visit(&empty.address, Screen::WIDE, async |page: &Page| {
        page.go("?panel=training").await;
        page.until("how to grow", told, |text| text.as_str().unwrap().contains("rosebill grow"))
            .await;
    });
    let server = Server::start(&[]);
    visit(&server.address, Screen::WIDE, async |page: &Page| {
        page.go("?line=f5d6c7&panel=training").await;
        page.until("why", told, |text| text.as_str().unwrap().contains("does not have this")).await;
    });
}
