//! What of equals is the best, everywhere the same; and numbers that nobody knows.

use serde_json::Value;
use tempfile::TempDir;

use crate::club;
use crate::page::{Page, Screen, visit};
use crate::server::Server;

/// Four empty squares, read from left to right c4, a6, f6 and d7; the first three draw.
const DRAWN: &str = "OOOOOOOXXXXXOXOXOXOXXOXXXX-XXXXOOOXOOXXX-XOXX-OXXXX-OOXOXXOOXOXO X";

#[test]
fn of_equal_moves_the_first_of_the_server_is_the_best() {
    let folder = TempDir::new().unwrap();
    let book = folder.path().join("drawn.db");
    let lines = ["c4d7", "a6d7", "f6d7", "d7c4"].map(|moves| format!("{DRAWN} {moves}"));
    let lines = lines.iter().flat_map(|line| ["--line", line]);
    let grown = ["grow", "--quiet", "--policy", "lines", "--level", "4", "--threads", "1"];
    let book_arguments = ["--book", book.to_str().unwrap()];
    club::rosebill(&grown.into_iter().chain(book_arguments).chain(lines).collect::<Vec<_>>());
    let server = Server::of(book);
    visit(&server.address, Screen::WIDE, async |page: &Page| {
        page.go(&format!("?line={}", DRAWN.replace(' ', "+"))).await;
        page.board_after(0).await;
        let guesses = page.column("c-guess").await;
        let squares: Vec<&str> = guesses.iter().map(|(square, _)| square.as_str()).collect();
        assert_eq!(squares, ["c4", "a6", "f6", "d7"], "{guesses:?}");
        assert!(guesses[..3].iter().all(|(_, guess)| *guess == guesses[0].1), "{guesses:?}");
        let said = "return document.querySelector('#said').innerText";
        page.until("the best", said, |text| text.as_str().unwrap().contains("Best is c4")).await;
        let best = page.text("#line .best").await;
        page.press(" ").await;
        page.board_after(1).await;
        let played = page.text("#line [aria-current=step]").await;
        assert!(best == "c4" && played.ends_with("c4"), "{best}, then {played}");
    });
}

#[test]
fn positions_too_many_to_count_are_many() {
    let server = Server::start(&[]);
    // As of a book that is too large to be gone through.
    let large = "const ask = window.fetch; window.fetch = async (...asked) => { \
                 const answer = await ask(...asked); \
                 if (!String(asked[0]).includes('api/position')) return answer; \
                 const large = { to_learn: null, other_to_learn: 2 }; \
                 return new Response(JSON.stringify({ ...await answer.json(), ...large })); };";
    visit(&server.address, Screen::WIDE, async |page: &Page| {
        page.board_after(0).await;
        page.run(large).await;
        page.click("#moves tr[data-move=f5] button.play").await;
        page.board_after(1).await;
        let facts = "return document.querySelector('#position .facts').innerText";
        let known = |text: &Value| text.as_str().unwrap().contains("Black 2, White many");
        page.until("both", facts, known).await;
    });
}
