//! What a phone has room for, and what a finger can hit.

use serde_json::json;

use crate::club;
use crate::page::{Page, Screen, visit};
use crate::server::Server;

/// A book with games that were awarded, between people with long names.
fn awarded(folder: &std::path::Path) -> std::path::PathBuf {
    let (book, games) = (folder.join("book.db"), folder.join("games.pgn"));
    let game = |result: &str, moves: &str| {
        format!(
            "[Event \"Championship of all the cities by the river\"]\n\
             [Black \"Wolfeschlegelstein Hubert\"]\n[White \"Maximiliana von Habenichts\"]\n\
             [Result \"{result}\"]\n\n1. {moves} *\n\n"
        )
    };
    let text = [game("0-1", "f5 d6"), game("00-00", "f5 f6"), game("40-24", "f5 f4")].concat();
    std::fs::write(&games, text).unwrap();
    let path = book.to_str().unwrap();
    club::rosebill(&["new", "--quiet", "--book", path]);
    club::rosebill(&["games", "import", "--quiet", "--book", path, games.to_str().unwrap()]);
    book
}

#[test]
fn names_and_who_won_are_seen_on_a_phone() {
    let folder = tempfile::TempDir::new().unwrap();
    let server = Server::of(awarded(folder.path()));
    visit(&server.address, Screen::PHONE, async |page: &Page| {
        page.find("[data-key=game-2]").await;
        let cut = "return [...document.querySelectorAll('.games .pair span, .games .event, #line .title, #line .title *')] \
                   .filter((each) => each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).overflow !== 'visible') \
                   .map((each) => each.textContent)";
        assert_eq!(page.run(cut).await, json!([]));
        let won = "return [0, 1, 2].map((id) => document.querySelector(`[data-key=game-${id}] .won`)?.innerText ?? null)";
        let (black, white) = ("Wolfeschlegelstein Hubert", "Maximiliana von Habenichts");
        assert_eq!(page.run(won).await, json!([white, null, black]));
        let result = "return document.querySelector('[data-key=game-1] .result').innerText";
        assert_eq!(page.run(result).await, "*");
        let label = page.label("[data-key=game-0]").await;
        assert!(label.starts_with(&format!("{white}, White, won against {black}")), "{label}");
        page.go("?game=2").await;
        let title = "return document.querySelector('#line .title').innerText.replace(/\\s+/g, ' ')";
        let told = page.until("the title", title, |text| text.as_str().unwrap().contains("40-24"));
        assert!(told.await.as_str().unwrap().contains(white));
        assert_eq!(page.run(cut).await, json!([]));
    });
}

#[test]
fn the_title_shows_both_names_and_the_result_on_a_desk() {
    let folder = tempfile::TempDir::new().unwrap();
    let server = Server::of(awarded(folder.path()));
    visit(&server.address, Screen::WIDE, async |page: &Page| {
        page.go("?game=2").await;
        page.find("#line .title .result").await;
        let seen = "const box = document.querySelector('#line .title').getBoundingClientRect(); \
                    return [...document.querySelectorAll('#line .player, #line .result')] \
                    .map((each) => each.getBoundingClientRect()) \
                    .every((each) => each.width > 30 && each.right <= box.right + 1)";
        assert_eq!(page.run(seen).await, true);
        assert!(
            page.run("return document.querySelector('#line .title').title")
                .await
                .as_str()
                .unwrap()
                .contains("Habenichts  40-24")
        );
    });
}

#[test]
fn a_row_says_by_what_it_is_sorted() {
    let server = Server::start(&[]);
    visit(&server.address, Screen::PHONE, async |page: &Page| {
        for key in ["error", "theoretical"] {
            page.go(&format!("?line=f5d6&sort={key}")).await;
            page.board_after(2).await;
            let shown = format!(
                "return [getComputedStyle(document.querySelector('#moves td.c-{key}')).display, \
                 getComputedStyle(document.querySelector('#moves td.c-mean')).display, \
                 document.querySelector('.phone-sort select').selectedOptions.length]"
            );
            assert_eq!(page.run(&shown).await, json!(["block", "none", 1]));
        }
        let label = "return getComputedStyle(document.querySelector('#moves .figures'), '::before').content";
        assert_eq!(page.run(label).await, "\"win \"");
    });
}

#[test]
fn fingers_hit_what_is_small() {
    let server = Server::start(&[]);
    visit(&server.address, Screen::PHONE, async |page: &Page| {
        page.go("?line=f5d6c3d3c4").await;
        page.board_after(5).await;
        page.find(".chips button").await;
        assert_eq!(page.run("return matchMedia('(pointer:coarse)').matches").await, true);
        let small = "return [...document.querySelectorAll('button.small, ol.line button')] \
                     .filter((each) => each.offsetHeight && each.offsetHeight < 32).map((each) => each.innerText)";
        assert_eq!(page.run(small).await, json!([]));
    });
}
