//! Searches that run while one looks at the explorer.

use serde_json::{Value, json};

use crate::page::{Page, Screen, visit};
use crate::server::Server;

/// Four empty squares: three moves draw, one loses.
const DRAWN: &str = "XXOOXOXOXXX-OOXO-XOXX-OXOOXOOXXXXX-XXXXOOXOXXOXXXXXXOXOXOOOOOOOX+X";

#[test]
fn what_a_search_proves_is_shown_as_proven() {
    let server = Server::start(&[]);
    visit(&server.address, Screen::WIDE, async |page: &Page| {
        page.go(&format!("?line={DRAWN}")).await;
        let row = |square: &str| {
            format!(
                "return ['guess', 'draw_seeking', 'win_seeking', 'chances', 'error', 'known'].map((key) => \
                 document.querySelector(`#moves tr[data-move={square}] td.c-${{key}}`)?.innerText.trim())"
            )
        };
        let drawn = json!(["0", "=\u{2713}", "=\u{2713}", "0%", "0", "exact"]);
        page.until("the draw", &row("a3"), |cells| *cells == drawn).await;
        let lost =
            json!(["\u{2212}6", "\u{2212}6\u{2713}", "\u{2212}6\u{2713}", "0%", "0", "exact"]);
        page.until("the loss", &row("d2"), |cells| *cells == lost).await;
        let bar = "return document.querySelector('#moves tr[data-move=a3] td.c-chances .bar').getAttribute('aria-label')";
        assert_eq!(page.run(bar).await, Value::from("win 0%, draw 100%, loss 0%"));
    });
}
