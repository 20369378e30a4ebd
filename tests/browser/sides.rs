//! Numbers for the side to move, and for Black where White is to move.

use std::collections::BTreeMap;

use rosebill::othello::board::Line;
use serde_json::Value;

use crate::club;
use crate::page::{Page, Screen, visit};
use crate::server::Server;

/// A number as it is written for the other side.
fn turned(text: &str) -> String {
    match text.chars().next() {
        Some('+') => text.replacen('+', "\u{2212}", 1),
        Some('\u{2212}') => text.replacen('\u{2212}', "+", 1),
        _ => text.to_owned(),
    }
}

/// Guess, draw-seeking and win-seeking value of each move as the table has them; where a sign says that one is
/// the guess, the guess.
async fn values(page: &Page) -> BTreeMap<String, [String; 3]> {
    let guesses = page.column("c-guess").await;
    let (draws, wins) = (page.column("c-draw_seeking").await, page.column("c-win_seeking").await);
    let rows = guesses.into_iter().zip(draws).zip(wins);
    rows.map(|(((square, guess), (_, draw)), (_, win))| {
        let or_guess = |text: String| if text == "=" { guess.clone() } else { text };
        (square, [guess.clone(), or_guess(draw), or_guess(win)])
    })
    .collect()
}

/// What stands on the squares.
async fn figures(page: &Page) -> BTreeMap<String, String> {
    let script = "return [...document.querySelectorAll('.cell.legal .figure')].map((figure) => [figure.closest('.cell').dataset.square, figure.textContent])";
    let pairs = page.until("figures", script, |all| !all.as_array().unwrap().is_empty()).await;
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    pairs.as_array().unwrap().iter().map(|pair| (text(&pair[0]), text(&pair[1]))).collect()
}

#[test]
fn who_seeks_a_draw_faces_who_seeks_a_win() {
    let server = Server::start(&[]);
    // Somebody has proven that one move of White draws at most, and another at least.
    let facts = server.book.with_file_name("facts.csv");
    let mut table = "board,side,proven_lower,proven_upper\n".to_owned();
    for (line, bounds) in [("f5d6", "0,"), ("f5f6", ",0")] {
        let end = line.parse::<Line>().unwrap().end().unwrap();
        let board = end.position.board_text(end.side);
        let (squares, side) = board.split_once(' ').unwrap();
        table.push_str(&format!("{squares},{side},{bounds}\n"));
    }
    std::fs::write(&facts, table).unwrap();
    let (book, facts) = (server.book.to_str().unwrap(), facts.to_str().unwrap());
    club::rosebill(&["import", "--quiet", "--book", book, facts]);
    visit(&server.address, Screen::WIDE, async |page: &Page| {
        page.go("?line=f5&overlay=win_seeking").await;
        page.board_after(1).await;
        let (white, on_squares) = (values(page).await, figures(page).await);
        let differing = white.values().filter(|[_, draw, win]| draw != win).count();
        assert!(differing >= 2, "{white:?}");

        page.go("?line=f5&overlay=draw_seeking&for=black").await;
        page.board_after(1).await;
        let black = values(page).await;
        assert_eq!(white.keys().collect::<Vec<_>>(), black.keys().collect::<Vec<_>>());
        for (square, [guess, draw, win]) in &white {
            assert_eq!(black[square], [turned(guess), turned(win), turned(draw)], "{square}");
        }
        let figures = figures(page).await;
        for (square, figure) in on_squares {
            assert_eq!(figures[&square], turned(&figure), "{square}");
        }

        // Sorted by what is shown: the best for White stands first.
        page.click("#moves th.c-draw_seeking button").await;
        page.find("#moves th.c-draw_seeking[aria-sort=ascending]").await;
        let first = page.column("c-guess").await.remove(0).0;
        let number = |text: &str| {
            text.replace('\u{2212}', "-").trim_matches(['=', '\u{2713}']).parse().unwrap_or(0.0)
        };
        let least = black.values().map(|[_, draw, _]| number(draw)).fold(f64::MAX, f64::min);
        assert_eq!(number(&black[&first][1]), least, "{black:?}");
    });
}
