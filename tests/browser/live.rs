//! Searches that run while one looks at the explorer.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use rosebill::othello::board::{Line, Square};
use serde_json::{Value, json};

use crate::page::{Page, Screen, visit};
use crate::server::Server;

/// Four empty squares: three moves draw, one loses.
const DRAWN: &str = "XXOOXOXOXXX-OOXO-XOXX-OXOOXOOXXXXX-XXXXOOXOXXOXXXXXXOXOXOOOOOOOX+X";

#[test]
fn a_position_out_of_the_book_is_searched_while_one_looks() {
    let server = Server::start(&[]);
    visit(&server.address, Screen::WIDE, async |page: &Page| {
        // Moves that nobody plays.
        let mut line: Line = "f5d6".parse().unwrap();
        while line.len() < 9 {
            let moves: Vec<Square> = line.end().unwrap().position.legal_moves().collect();
            assert!(line.push(*moves.last().unwrap()));
        }
        page.go(&format!("?line={line}")).await;
        page.board_after(9).await;
        let legal = page.run("return document.querySelectorAll('[role=gridcell][aria-label*=\", legal\"]').length").await;
        let valued = "return [...document.querySelectorAll('#moves td.c-guess')].filter((cell) => cell.innerText.trim()).length";
        page.until("values of all moves", valued, |count| *count == legal).await;
        let said = "return document.querySelectorAll('[role=gridcell][aria-label*=\"searched now\"]').length";
        page.until("that they are searched now", said, |count| *count == legal).await;
    });
}

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

/// Moves that nobody plays.
const UNKNOWN: &str = "?line=f5d6c7f4g3";

/// The level of the search that the first move is known from; 0 while there is none.
const LEVEL: &str = "return Number(/level (\\d+)/.exec(document.querySelector('#moves td.c-known .fresh')?.getAttribute('aria-label'))?.[1] ?? 0)";

/// The level that no search of the page goes beyond.
const DEEPEST: u64 = 24;

#[test]
fn a_search_goes_on_when_the_server_is_there_again() {
    let mut server = Server::start(&[]);
    let line: Line = UNKNOWN.trim_start_matches("?line=").parse().unwrap();
    let mut moves = line.end().unwrap().position.legal_moves();
    visit(&server.address.clone(), Screen::WIDE, async |page: &Page| {
        for signal in ["-KILL", "-TERM"] {
            // Of a search that was quicker than the signal nothing is left: then another one is begun.
            let before = loop {
                let square = moves.next().expect("a search that the signal cuts off");
                page.go(&format!("{UNKNOWN}{square}")).await;
                page.until("a search", LEVEL, |level| level.as_u64() > Some(0)).await;
                server.restart(signal);
                // What came before the end may just have been on its way.
                tokio::time::sleep(Duration::from_millis(300)).await;
                let level = page.run(LEVEL).await.as_u64().unwrap();
                if level < DEEPEST {
                    break level;
                }
            };
            page.until("a deeper search", LEVEL, |level| level.as_u64() > Some(before)).await;
        }
    });
}

#[test]
fn a_search_is_not_begun_before_the_server_says_how_deep_it_may_go() {
    let server = Server::start(&[]);
    visit(&server.address, Screen::WIDE, async |page: &Page| {
        page.go(UNKNOWN).await;
        page.until("a search", LEVEL, |level| level.as_u64() > Some(0)).await;
        for _ in 0..3 {
            page.reload().await;
            page.until("a search", LEVEL, |level| level.as_u64() > Some(0)).await;
            // A search shows among what was loaded when it has ended.
            page.press("\u{e011}").await;
            let searches = "return performance.getEntriesByType('resource').map((entry) => entry.name).filter((name) => name.includes('/api/search'))";
            let all =
                page.until("its end", searches, |all| !all.as_array().unwrap().is_empty()).await;
            let all = all.as_array().unwrap();
            assert!(all.iter().all(|name| name.as_str().unwrap().ends_with("level=24")), "{all:?}");
            page.back().await;
        }
    });
}

/// Clients that have taken all engines of a server, as long as this lives.
struct Crowd {
    is_over: Arc<AtomicBool>,
    clients: Vec<JoinHandle<()>>,
}

impl Crowd {
    /// Engines are given in the order of asking, and nobody waits for one longer than a second: so many always
    /// stand before whoever comes next.
    const CLIENTS: usize = 48;

    fn at(server: &Server) -> Self {
        let host = server.address.trim_start_matches("http://").trim_end_matches('/');
        let is_over = Arc::new(AtomicBool::new(false));
        let one = |_| {
            let (host, is_over) = (host.to_owned(), Arc::clone(&is_over));
            std::thread::spawn(move || {
                while !is_over.load(Ordering::Relaxed) {
                    search(&host, &is_over);
                }
            })
        };
        let clients = (0..Self::CLIENTS).map(one).collect();
        Self { is_over, clients }
    }
}

impl Drop for Crowd {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        for client in self.clients.drain(..) {
            let _ = client.join();
        }
    }
}

/// Follows a long search to its end, unless it is over before.
fn search(host: &str, is_over: &AtomicBool) {
    // A board with many moves.
    let line = "f5d6c3d3c4f4c5b3c2e6c6b4b5d2e3a6c1b6f3";
    let mut stream = TcpStream::connect(host).unwrap();
    stream.set_read_timeout(Some(Duration::from_millis(50))).unwrap();
    let asked = format!("GET /api/search?level=24&line={line} HTTP/1.0\r\nHost: {host}\r\n\r\n");
    if stream.write_all(asked.as_bytes()).is_err() {
        return;
    }
    let mut heard = [0; 4096];
    while !is_over.load(Ordering::Relaxed) {
        match stream.read(&mut heard) {
            Ok(0) => return,
            Err(error) if !matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                return;
            }
            _ => {}
        }
    }
}

#[test]
fn a_search_that_finds_no_engine_is_told_where_it_is_seen() {
    let server = Server::start(&[]);
    let crowd = Crowd::at(&server);
    visit(&server.address, Screen::WIDE, async |page: &Page| {
        page.board_after(0).await;
        // Nobody waits minutes for a test.
        page.run("const later = setTimeout; window.setTimeout = (call, wait, ...more) => later(call, Math.min(wait, 10), ...more)").await;
        page.run("history.pushState(null, '', '?line=f5d6c7f4g3'); dispatchEvent(new PopStateEvent('popstate'))").await;
        let notice = "return document.querySelector('#notice:not([hidden])')?.innerText ?? ''";
        page.until("a sentence", notice, |text| {
            text.as_str().unwrap().contains("could not be searched")
        })
        .await;
        drop(crowd);
        page.click("#notice button").await;
        page.until("a search", LEVEL, |level| level.as_u64() > Some(0)).await;
        assert_eq!(page.run(notice).await, "");
    });
}

#[test]
fn a_drawn_board_and_one_of_64_squares_are_shown_when_they_are_pasted() {
    let server = Server::start(&[]);
    visit(&server.address, Screen::WIDE, async |page: &Page| {
        page.board_after(0).await;
        let squares = "---------------------------OX------OXX-----O--------------------";
        let rows: Vec<&str> = (0..8).map(|row| &squares[8 * row..][..8]).collect();
        let drawn = format!("{}\n\nWhite to move\n", rows.join("\n"));
        for text in [drawn, format!("{squares} X")] {
            let paste = format!(
                "const data = new DataTransfer(); data.setData('text/plain', {}); \
                 document.body.dispatchEvent(new ClipboardEvent('paste', \
                 {{ clipboardData: data, bubbles: true, cancelable: true }}))",
                json!(text)
            );
            page.run(&paste).await;
            let side = if text.ends_with('X') { "Black" } else { "White" };
            let wanted = format!("Board after 0 moves: 3 black and 3 white discs, {side} to move");
            let label = "return document.querySelector('[role=grid]').getAttribute('aria-label')";
            page.until(&wanted, label, |label| *label == wanted).await;
        }
    });
}

#[test]
fn an_error_of_a_game_is_counted_once_and_by_its_mark() {
    let server = Server::start(&[]);
    visit(&server.address, Screen::WIDE, async |page: &Page| {
        // Moves that nobody plays have errors of every kind.
        let mut line: Line = "f5d6".parse().unwrap();
        while line.len() < 24 {
            let moves: Vec<Square> = line.end().unwrap().position.legal_moves().collect();
            assert!(line.push(*moves.last().unwrap()));
        }
        page.go(&format!("?line={line}&ply=2&panel=game")).await;
        page.board_after(2).await;
        page.click(".in-game button.main").await;
        let button = "return document.querySelector('.in-game .above button').innerText";
        page.until("the end", button, |text| text.as_str() == Some("Analyze again")).await;
        let mut all = 0;
        for kind in ["blunder", "mistake", "inaccuracy"] {
            let shown = format!("return document.querySelectorAll('.graph .loss.{kind}').length");
            let shown = page.run(&shown).await.as_u64().unwrap();
            let told = page.text(&format!(".jumps [data-kind={kind}]")).await;
            let told = told.split(' ').nth(1).unwrap().parse::<u64>().unwrap();
            assert_eq!(told, shown, "{kind}");
            all += shown;
            // They are led to one after another.
            let mut plies = std::collections::BTreeSet::new();
            page.press("\u{e011}").await;
            for _ in 0..shown {
                let before = page.state().await;
                page.press(&kind[..1]).await;
                let state = "return location.search";
                let at = page.until("the next", state, |now| now.as_str() != Some(&before)).await;
                plies.insert(at.as_str().unwrap().to_owned());
            }
            assert_eq!(plies.len() as u64, shown, "{kind}");
        }
        assert!(all > 3, "{line} has {all} errors");
    });
}
