//! What people do with the explorer.

use std::collections::BTreeMap;

use rosebill::othello::board::{Key, Line, Square};
use serde_json::Value;

use crate::club;
use crate::page::{Page, Screen, visit};
use crate::server::Server;

const LEFT: &str = "\u{e012}";
const RIGHT: &str = "\u{e014}";
const HOME: &str = "\u{e011}";
const END: &str = "\u{e010}";

fn square(name: &str) -> String {
    format!("[role=gridcell][aria-label^='{name},']")
}

#[test]
fn it_opens_with_the_start_and_a_click_plays() {
    let server = Server::start(&[]);
    visit(&server.address, Screen::WIDE, async |page: &Page| {
        page.board_after(0).await;
        let label = page.label("[role=grid]").await;
        assert_eq!(label, "Board after 0 moves: 2 black and 2 white discs, Black to move");
        let squares = page.run("return document.querySelectorAll('[role=gridcell]').length").await;
        assert_eq!(squares, 64);
        // The four first moves are one row, and four legal squares.
        let moves = page.column("c-guess").await;
        assert_eq!(moves.len(), 1, "{moves:?}");
        let legal = page.run("return document.querySelectorAll('[role=gridcell][aria-label*=\", legal\"]').length").await;
        assert_eq!(legal, 4);

        page.click(&square("f5")).await;
        page.board_after(1).await;
        assert!(page.label(&square("f5")).await.contains("last move"));
        assert_eq!(page.state().await, "?line=f5");
        // A row of the table plays, too.
        page.click("#moves tr[data-move=d6] button.play").await;
        page.board_after(2).await;
        assert_eq!(page.state().await, "?line=f5d6");
        assert!(page.text("#line").await.contains("Perpendicular"));
        page.back().await;
        page.board_after(1).await;
    });
}

/// Two orders of moves that lead to one position of the book's beginning.
fn transposition() -> (String, String) {
    let mut known: BTreeMap<Key, Line> = BTreeMap::new();
    let mut lines = vec!["f5".parse::<Line>().unwrap()];
    for _ in 0..4 {
        let mut next = Vec::new();
        for line in &lines {
            for square in line.end().unwrap().position.legal_moves().collect::<Vec<Square>>() {
                let longer = line.then(&[square]);
                let Some(end) = longer.end() else { continue };
                let key = Key::of(end.position);
                let sorted = |line: &Line| {
                    let mut squares: Vec<Square> = line.squares().collect();
                    squares.sort_unstable();
                    squares
                };
                match known.get(&key) {
                    // By the same squares: then the boards are the same, unturned.
                    Some(other)
                        if sorted(other) == sorted(&longer) && other.end() == longer.end() =>
                    {
                        return (other.to_string(), longer.to_string());
                    }
                    Some(_) => {}
                    None => {
                        known.insert(key, longer.clone());
                        next.push(longer);
                    }
                }
            }
        }
        lines = next;
    }
    panic!("no transposition in five moves");
}

/// The moves of the table in the order of their names: values, and the order by them, come and change
/// while a position that is not in the book is searched.
async fn listed(page: &Page) -> Vec<String> {
    let mut moves: Vec<String> =
        page.column("c-guess").await.into_iter().map(|(square, _)| square).collect();
    moves.sort();
    moves
}

#[test]
fn a_position_is_one_by_any_order_and_in_any_orientation() {
    let server = Server::start(&[]);
    visit(&server.address, Screen::WIDE, async |page: &Page| {
        let (one, other) = transposition();
        page.go(&format!("?line={one}")).await;
        page.board_after(one.len() / 2).await;
        let moves = listed(page).await;
        page.go(&format!("?line={other}")).await;
        page.board_after(other.len() / 2).await;
        assert_eq!(listed(page).await, moves, "{one} {other}");

        // f5 and its mirror image on the diagonal from a1 to h8, e6.
        page.go("?line=f5").await;
        page.board_after(1).await;
        let mut values = page.column("c-guess").await;
        page.go("?line=e6").await;
        page.board_after(1).await;
        let mirrored = page.column("c-guess").await;
        for (square, _) in &mut values {
            let bytes = square.as_bytes();
            let mirror = [bytes[1] - b'1' + b'a', bytes[0] - b'a' + b'1'];
            *square = String::from_utf8_lossy(&mirror).into_owned();
        }
        let sorted = |mut values: Vec<(String, String)>| {
            values.sort();
            values
        };
        assert_eq!(sorted(mirrored), sorted(values));
    });
}

#[test]
fn keys_walk_play_and_turn_the_board() {
    let server = Server::start(&[]);
    visit(&server.address, Screen::WIDE, async |page: &Page| {
        page.go("?line=f5d6c3d3c4").await;
        page.board_after(5).await;
        for (key, ply) in [(LEFT, 4), (LEFT, 3), (HOME, 0), (RIGHT, 1), (END, 5)] {
            page.press(key).await;
            page.board_after(ply).await;
        }
        // The best move of the table, which is sorted by it.
        let best = page.column("c-guess").await[0].0.clone();
        page.press(" ").await;
        page.board_after(6).await;
        assert_eq!(page.state().await, format!("?line=f5d6c3d3c4{best}"));
        // The move that most games have; capitals are keys with shift.
        page.go("?line=f5d6").await;
        page.board_after(2).await;
        page.press("\u{e008} ").await;
        page.board_after(3).await;
        assert_eq!(page.state().await, "?line=f5d6c3");
        let place = format!(
            "return document.querySelector(\"{}\").getBoundingClientRect().x",
            square("a1")
        );
        let before = page.run(&place).await.as_f64().unwrap();
        page.press("f").await;
        page.until("the turned board", &place, |x| x.as_f64().unwrap() > before + 100.0).await;
        page.press("?").await;
        page.find("dialog[open]").await;
    });
}

#[test]
fn an_address_brings_back_what_was_shown() {
    let server = Server::start(&[]);
    visit(&server.address, Screen::WIDE, async |page: &Page| {
        let state =
            "?line=f5d6c3d3c4&ply=3&flip=yes&overlay=games&for=black&sort=-games&panel=lines";
        page.go(state).await;
        page.board_after(3).await;
        let seen = "return [document.querySelector('[role=grid]').getAttribute('aria-label'), \
                    document.querySelector('[data-square=a1]').getAttribute('transform'), \
                    document.querySelector('#steps select').value, \
                    document.querySelector('[name=for]:checked').value, \
                    document.querySelector('th[aria-sort=descending]').className, \
                    document.querySelector('[role=tab][aria-selected=true]').innerText]";
        let shown = page.run(seen).await;
        page.reload().await;
        page.board_after(3).await;
        page.until("the same", seen, |now| *now == shown).await;
        assert_eq!(page.state().await, state);
        for (part, wanted) in [(2, "games"), (3, "black"), (4, "c-games"), (5, "Lines")] {
            assert_eq!(shown[part], wanted);
        }
    });
}

#[test]
fn lines_are_a_tree_by_value_and_by_games() {
    let server = Server::start(&[]);
    visit(&server.address, Screen::WIDE, async |page: &Page| {
        for (overlay, said) in [("guess", "by the guess value"), ("games", "most played")] {
            page.go(&format!("?line=f5d6&panel=lines&overlay={overlay}")).await;
            let told = page.text("[role=tree] [role=treeitem]").await;
            assert!(told.contains("c3") || overlay == "guess", "{told}");
            assert!(page.text(".in-lines .tally").await.contains(said));
            let lines =
                "return document.querySelectorAll('[role=treeitem]:not([aria-expanded])').length";
            assert!(page.run(lines).await.as_u64() > Some(1), "{overlay}");
        }
        // A move of a line leads there.
        page.click("[role=tree] button[data-line]").await;
        page.board_after(3).await;
    });
}

#[test]
fn moves_are_sorted_by_what_one_likes() {
    let server = Server::start(&[]);
    visit(&server.address, Screen::WIDE, async |page: &Page| {
        page.go("?line=f5d6c3d3c4").await;
        page.board_after(5).await;
        page.click("#moves th.c-games button").await;
        page.find("#moves th.c-games[aria-sort=descending]").await;
        let number = |text: &str| {
            let digits: String =
                text.chars().take_while(|c| c.is_ascii_digit() || *c == ',').collect();
            digits.replace(',', "").parse::<u32>().unwrap_or_default()
        };
        let games: Vec<u32> =
            page.column("c-games").await.iter().map(|row| number(&row.1)).collect();
        assert!(games.is_sorted_by(|a, b| a >= b) && games[0] > 0, "{games:?}");
        assert_eq!(games.iter().sum::<u32>(), club::GAMES as u32);
        page.click("#moves th.c-games button").await;
        page.find("#moves th.c-games[aria-sort=ascending]").await;
        let rising: Vec<u32> =
            page.column("c-games").await.iter().map(|row| number(&row.1)).collect();
        assert!(rising.is_sorted(), "{rising:?}");
    });
}

#[test]
fn games_are_filtered_and_loaded() {
    let server = Server::start(&[]);
    visit(&server.address, Screen::WIDE, async |page: &Page| {
        page.go("?line=f5d6c3").await;
        page.board_after(3).await;
        let tally = "return (document.querySelector('.in-games .tally')?.innerText ?? '').replace(/\\s+/g, ' ')";
        let all = format!("{0} of {0} games", club::GAMES);
        page.until("the games", tally, |text| text.as_str().unwrap().starts_with(&all)).await;
        page.click("[aria-label=player]").await;
        page.press("rose b").await;
        page.press("\u{e007}").await;
        let narrowed = page
            .until("fewer games", tally, |text| !text.as_str().unwrap().starts_with(&all))
            .await;
        let count: usize = narrowed.as_str().unwrap().split(' ').next().unwrap().parse().unwrap();
        assert!(count > 10 && count < club::GAMES, "{narrowed}");
        assert!(page.state().await.contains("player=rose+b"), "{}", page.state().await);
        let games = "return [...document.querySelectorAll('a.game')].map((game) => game.innerText)";
        let games = page.run(games).await;
        assert!(
            games
                .as_array()
                .unwrap()
                .iter()
                .all(|game| game.as_str().unwrap().contains(club::ROSE))
        );
        // What discs and heavy letters say is said in words, too.
        let label = page.label("a.game").await;
        let words = [", Black, won ", ", White, won ", " drew ", ", Black, against "];
        assert!(words.iter().any(|word| label.contains(word)), "{label}");
        assert!(label.contains(club::ROSE), "{label}");
        // A game is loaded where one was.
        page.click("a.game").await;
        page.until("the game", "return location.search", |now| {
            now.as_str().unwrap().contains("game=")
        })
        .await;
        page.board_after(3).await;
        page.press(END).await;
        page.until(
            "its end",
            "return document.querySelector('[role=grid]').getAttribute('aria-label')",
            |label| label.as_str().unwrap().contains("the game is over"),
        )
        .await;
        // Nobody has such a name, and that is said.
        page.go("?line=f5d6c3&player=nobody").await;
        page.until("a sentence", tally, |text| text.as_str().unwrap().contains("nobody")).await;
    });
}

/// A whole short game; Black has nothing left at its end.
const PGN: &str = "[Event \"Club\"]\n[White \"Ann\"]\n[Black \"Bob\"]\n[Result \"*\"]\n\n\
                   1. f5 d6 2. c3 d3 3. c4 f4 4. c5 b3 5. c2 e3 6. d2 c6 7. b4 b5 8. f2 e6 *\n";

#[test]
fn a_pasted_game_is_analysed_before_ones_eyes() {
    let server = Server::start(&[]);
    visit(&server.address, Screen::WIDE, async |page: &Page| {
        page.board_after(0).await;
        let paste = format!(
            "const data = new DataTransfer(); data.setData('text/plain', {}); \
             document.body.dispatchEvent(new ClipboardEvent('paste', \
             {{ clipboardData: data, bubbles: true, cancelable: true }}))",
            serde_json::json!(PGN)
        );
        page.run(&paste).await;
        page.find("[role=tab][aria-selected=true][id=tab-game]").await;
        page.until("the line", "return location.search", |now| {
            now.as_str().unwrap().contains("line=f5d6c3d3c4f4c5b3")
        })
        .await;
        // All its moves are valued in the end, and the graph has them.
        let bands = "return document.querySelectorAll('.graph .band').length";
        page.until("all values", bands, |count| count.as_u64() == Some(16)).await;
        page.until(
            "the end",
            "return document.querySelector('.in-game .sums').innerText",
            |sums| sums.as_str().unwrap().contains("Bob"),
        )
        .await;
        assert!(
            page.run("return document.querySelectorAll('.graph path.value').length").await.as_u64()
                >= Some(1)
        );
        let wide = "const picture = document.querySelector('.picture'), style = getComputedStyle(picture); \
                    return document.querySelector('.graph').getBoundingClientRect().right \
                    - picture.getBoundingClientRect().right + parseFloat(style.paddingRight)";
        assert!(page.run(wide).await.as_f64() <= Some(0.5), "the graph is wider than its box");
        // The graph is scrubbed by keys, as a slider.
        page.run("document.querySelector('[role=slider]').focus()").await;
        page.press(RIGHT).await;
        page.board_after(1).await;
        // The next error is where the sums say that there is one.
        let losses = "return [...document.querySelectorAll('.graph .loss')].length";
        assert!(page.run(losses).await.as_u64() > Some(0));
    });
}

#[test]
fn what_another_process_grows_is_seen() {
    let server = Server::start(&[]);
    let book = server.book.to_str().unwrap().to_owned();
    visit(&server.address, Screen::WIDE, async |page: &Page| {
        page.board_after(0).await;
        let positions = "return document.querySelector('#book').innerText";
        let before = page
            .until("the book", positions, |text| text.as_str().unwrap().contains("positions"))
            .await;
        page.run("window.same = 1").await;
        let grow = std::thread::spawn(move || {
            club::rosebill(&[
                "grow",
                "--quiet",
                "--book",
                &book,
                "--level",
                "2",
                "--positions",
                "150",
                "--threads",
                "1",
                "--table",
                "1",
            ]);
        });
        page.until("growth", positions, |text| {
            *text != before && text.as_str().unwrap().contains("positions")
        })
        .await;
        grow.join().unwrap();
        page.until("its end", positions, |text| text.as_str().unwrap().contains("550")).await;
        assert_eq!(page.run("return window.same").await, 1, "the page was loaded again");
        page.board_after(0).await;
    });
}

#[test]
fn a_proven_value_stands_beside_what_searches_say() {
    let server = Server::start(&[]);
    let facts = server.book.with_file_name("solved.csv");
    let start = "---------------------------OX------XO---------------------------";
    let table = format!("board,side,proven_lower,proven_upper\n{start},X,0,0\n");
    std::fs::write(&facts, table).unwrap();
    let import = std::process::Command::new(env!("CARGO_BIN_EXE_rosebill"))
        .args(["import", "-q", "--book"])
        .args([&server.book, &facts])
        .status();
    assert!(import.unwrap().success());
    visit(&server.address, Screen::WIDE, async |page: &Page| {
        page.board_after(0).await;
        let facts = "return [...document.querySelectorAll('dl div')].map((fact) => fact.innerText + '|' + fact.title).join()";
        let said = page.until("facts", facts, |said| *said != "").await;
        let said = said.as_str().unwrap();
        assert!(said.contains("Proven by solved.csv") && said.contains("searches alone"), "{said}");
        // Nothing is said twice where facts make no difference.
        page.click(&square("f5")).await;
        page.board_after(1).await;
        let said = page.run(facts).await;
        assert!(!said.as_str().unwrap().contains("searches alone"), "{said}");
    });
}

#[test]
fn what_cannot_be_shown_is_said_in_a_sentence() {
    let server = Server::start(&[]);
    visit(&server.address, Screen::WIDE, async |page: &Page| {
        page.go("?line=f5f5").await;
        let alert = page.text("[role=alert]").await;
        assert!(alert.contains("f5 at ply 2") && alert.contains("occupied"), "{alert}");
        // What is sound of it is shown.
        page.board_after(1).await;
        assert_eq!(page.state().await, "?line=f5");
        page.go("?game=99999&line=f5").await;
        let alert = page.text("[role=alert]").await;
        assert!(alert.contains("99999"), "{alert}");
        let answer =
            "return fetch('/nowhere').then(async (answer) => [answer.status, await answer.text()])";
        let answer = page.run(answer).await;
        assert_eq!(answer[0], 404);
        assert!(answer[1].as_str().unwrap().contains("/api describes"), "{answer}");
    });
}

#[test]
fn without_a_book_the_starter_is_shown_and_how_to_grow() {
    let server = Server::without_a_book();
    let grow = "rosebill grow --time 60s";
    visit(&server.address, Screen::WIDE, async |page: &Page| {
        page.board_after(0).await;
        let said = "return document.body.innerText";
        page.until("a welcome", said, |text| {
            let text = text.as_str().unwrap();
            text.contains("starter") && text.contains(grow)
        })
        .await;
        assert!(!page.column("c-guess").await[0].1.is_empty());
    });
    // On a tablet nothing is wider than it.
    visit(&server.address, Screen { width: 768, ..Screen::WIDE }, async |page: &Page| {
        page.board_after(0).await;
        let wider = "return document.documentElement.scrollWidth - innerWidth";
        assert!(page.run(wider).await.as_i64() <= Some(0));
        let find = "return document.querySelector('#find').getBoundingClientRect().width";
        assert!(page.run(find).await.as_f64() >= Some(200.0));
    });
}

#[test]
fn who_has_the_token_grows_from_what_is_shown_and_no_link_tells_it() {
    let server = Server::start(&["--grow"]);
    visit(&server.address, Screen::WIDE, async |page: &Page| {
        page.board_after(0).await;
        // The token came behind the # of the printed address, and is gone from it.
        assert_eq!(page.run("return location.hash").await, "");
        page.click("#tab-growth").await;
        page.until("the panel", "return document.querySelector('.in-growth') !== null", |there| {
            *there == Value::Bool(true)
        })
        .await;
        page.click(".in-growth button.main").await;
        let positions = "return Number((/([\\d,]+) positions/.exec(document.querySelector('#book').innerText) ?? ['', '0'])[1].replace(',', ''))";
        page.until("growth", positions, |count| count.as_u64() > Some(400)).await;
        let growing = "return document.querySelector('.in-growth .told').innerText";
        page.until("progress", growing, |text| text.as_str().unwrap().starts_with("Growing")).await;
        page.run("[...document.querySelectorAll('.in-growth button')].find((each) => each.innerText === 'Stop').click()").await;
        // At the level of the book.
        let ended = "Last growth (best, level 2, from the start): It was stopped.";
        page.until("its end", growing, |text| text.as_str().unwrap().starts_with(ended)).await;
        assert!(!page.state().await.contains("token"));
        // The book is free for others again.
        let book = server.book.to_str().unwrap();
        club::rosebill(&["grow", "--quiet", "--book", book, "--level", "2", "--searches", "1"]);
    });
}

#[test]
fn a_phone_shows_the_board_first_and_nothing_sideways() {
    let server = Server::start(&[]);
    visit(&server.address, Screen::PHONE, async |page: &Page| {
        for state in [
            "",
            "?line=f5d6c3d3c4",
            "?line=f5d6c3d3c4&panel=lines",
            "?line=f5d6c3d3c4&panel=game",
            "?line=f5d6&panel=discover",
            "?line=f5d6&panel=training",
        ] {
            page.go(state).await;
            page.find("#panel > *").await;
            let widths = "return [innerWidth, document.documentElement.scrollWidth]";
            assert_eq!(page.run(widths).await, serde_json::json!([390, 390]), "{state}");
            let board = page.run("const box = document.querySelector('#board').getBoundingClientRect(); return [box.width, box.top]").await;
            assert!(
                board[0].as_f64() > Some(300.0) && board[1].as_f64() < Some(200.0),
                "{state}: {board}"
            );
        }
    });
}
