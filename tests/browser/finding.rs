//! What is typed to be found: openings, players, and what is neither; and which games those are.

use std::time::Duration;

use serde_json::Value;

use crate::club;
use crate::page::{Page, Screen, visit};
use crate::server::Server;

const ENTER: &str = "\u{e007}";
const STATE: &str = "return location.search";
const NOTICE: &str = "return document.querySelector('#notice:not([hidden])')?.innerText ?? ''";

/// From now on every answer of the server's comes later.
const SLOWLY: &str = "const ask = window.fetch; window.fetch = async (...asked) => { \
                      await new Promise((go) => setTimeout(go, 1500)); return ask(...asked); };";

fn has(part: &str) -> impl Fn(&Value) -> bool {
    move |text| text.as_str().unwrap_or_default().contains(part)
}

async fn find(page: &Page, text: &str) {
    // As the key does: what was refused stands there still, and is typed over.
    page.run("document.querySelector('#find-text').select()").await;
    page.press(text).await;
    page.press(ENTER).await;
}

/// The server has said what there is in the book.
async fn book_is_known(page: &Page) {
    page.until("the book", "return document.querySelector('#book').innerText", has("games")).await;
}

#[test]
fn a_name_leads_to_the_opening_that_is_spelled_so() {
    let server = Server::start(&[]);
    visit(&server.address, Screen::WIDE, async |page: &Page| {
        let shorter = "f5d6c3d3c4f4f6f3e6e7d7g6f8f7g5h6";
        for (name, line) in [
            ("F.A.T. draw", format!("?line={shorter}h4g4h3h5h7")),
            ("F.a.t. Draw", format!("?line={shorter}")),
            ("F.A.T.", format!("?line={shorter}h4g4h3h5h7c5b4")),
            ("tIGER", "?line=f5d6c3d3c4".to_owned()),
        ] {
            find(page, name).await;
            page.until(name, STATE, |state| *state == line).await;
        }
    });
}

#[test]
fn a_player_is_found_and_what_is_nobody_is_told_once() {
    let server = Server::start(&[]);
    visit(&server.address, Screen::WIDE, async |page: &Page| {
        page.board_after(0).await;
        book_is_known(page).await;
        find(page, "Zzyzx Qwert").await;
        let told = page.until("a sentence", NOTICE, has("Zzyzx")).await;
        let told = told.as_str().unwrap();
        assert!(told.contains("Players are found under Games"), "{told}");
        assert_eq!(told.matches("such as f5d6c3").count(), 1, "{told}");
        // The next thing that succeeds takes it away.
        page.click("[role=gridcell][aria-label^='f5,']").await;
        page.board_after(1).await;
        page.until("no message", NOTICE, |text| *text == "").await;
        find(page, club::ROSE).await;
        page.until("the player's games", STATE, has("player=Rose+Brian")).await;
        let tally = "return document.querySelector('.in-games .tally')?.innerText ?? ''";
        page.until("fewer games", tally, has("filtered")).await;
    });
}

#[test]
fn where_several_are_meant_enter_marks_the_first_and_takes_what_is_marked() {
    let server = Server::start(&[]);
    visit(&server.address, Screen::WIDE, async |page: &Page| {
        page.board_after(0).await;
        find(page, "fat draw").await;
        let list = "return document.querySelector('#find-list:not([hidden])')?.innerText ?? ''";
        let told = page.until("what to do", list, has("Choose one")).await;
        let names = told.as_str().unwrap().to_lowercase().replace('.', "");
        assert!(names.matches("fat draw").count() > 1, "{told}");
        let marked = "return [...document.querySelectorAll('#find-list [role=option]')] \
                      .map((each) => each.ariaSelected).join()";
        assert_eq!(page.run(marked).await, "true,false");
        assert_eq!((page.run(NOTICE).await, page.state().await), ("".into(), String::new()));
        page.press(ENTER).await;
        page.until("the first", STATE, has("?line=f5d6c3d3c4f4f6f3e6e7d7g6f8f7g5h6")).await;
    });
}

#[test]
fn what_is_wrong_with_an_address_stays_until_something_else_is_shown() {
    let server = Server::start(&[]);
    visit(&server.address, Screen::WIDE, async |page: &Page| {
        page.go("?line=f5f5").await;
        page.board_after(1).await;
        book_is_known(page).await;
        assert!(has("occupied")(&page.run(NOTICE).await));
        page.click("[role=gridcell][aria-label^='d6,']").await;
        page.board_after(2).await;
        page.until("no message", NOTICE, |text| *text == "").await;
    });
}

#[test]
fn an_address_is_read_as_it_is_meant() {
    let server = Server::start(&[]);
    visit(&server.address, Screen::WIDE, async |page: &Page| {
        let name = "return document.querySelector('#position h1').innerText";
        let board = "---------------------------OX------XO---------------------------";
        page.go(&format!("?line={board}+X")).await;
        page.board_after(0).await;
        page.until("the start", name, |text| *text == "Start position").await;
        // A game and a line of another one: the line is shown, and the number goes.
        page.go("?game=1&line=f5").await;
        page.board_after(1).await;
        page.until("the line alone", STATE, |state| *state == "?line=f5").await;
        page.go("?game=1").await;
        page.until("the game's line", STATE, has("line=f5d6c3d3c4")).await;
        assert!(page.state().await.contains("game=1"));
    });
}

#[test]
fn two_players_meet_with_either_colour() {
    let server = Server::start(&[]);
    visit(&server.address, Screen::WIDE, async |page: &Page| {
        let tally = "return (document.querySelector('.in-games .tally')?.innerText ?? '').replace(/\\s+/g, ' ')";
        page.board_after(0).await;
        page.until("the games", tally, has(" games")).await;
        let disabled = "return document.querySelector('[aria-label=against]').disabled";
        assert_eq!(page.run(disabled).await, true);
        page.click("[aria-label=player]").await;
        page.press("rose").await;
        assert_eq!(page.run(disabled).await, false);
        page.click("[aria-label=against]").await;
        page.press("hassan").await;
        page.press(ENTER).await;
        page.until("both", STATE, has("player=rose&against=hassan")).await;
        page.until("their games", tally, has("filtered")).await;
        page.run("const colour = document.querySelector('[name=colour]'); colour.value = 'black'; colour.dispatchEvent(new Event('change'))").await;
        page.until("one colour each", STATE, has("black=rose&white=hassan")).await;
        let swap = "return document.querySelector('.in-games .above button:not([hidden])')?.innerText ?? ''";
        let offered = page.until("the other colours", swap, has("colors changed: ")).await;
        let count = |text: &str| text.split(' ').find_map(|word| word.parse::<u64>().ok());
        let other = count(offered.as_str().unwrap());
        page.run("document.activeElement.blur()").await;
        page.click(".in-games .above button").await;
        page.until("the other way round", STATE, has("black=hassan&white=rose")).await;
        page.until("as many as were said", tally, |text| count(text.as_str().unwrap()) == other)
            .await;
    });
}

#[test]
fn filters_changed_by_a_button_stay_changed_while_the_server_is_slow() {
    let server = Server::start(&[]);
    visit(&server.address, Screen::WIDE, async |page: &Page| {
        // What was typed is taken a moment later; a button in between has the last word.
        let edited =
            "document.querySelector('[aria-label=against]').dispatchEvent(new Event('input'))";
        let names = "return ['player', 'against'].map((each) => \
                     document.querySelector(`[aria-label=${each}]`).value).join()";
        let ready =
            "return document.querySelector('.in-games .above button:not([hidden])') !== null";
        page.go("?black=rose&white=hassan").await;
        page.until("the other colours", ready, |is| *is == true).await;
        page.run(SLOWLY).await;
        let swap = format!("{edited}; document.querySelector('.in-games .above button').click()");
        page.run(&swap).await;
        assert_eq!(page.run(names).await, "hassan,rose");
        tokio::time::sleep(Duration::from_millis(1000)).await;
        assert!(page.state().await.contains("black=hassan&white=rose"));
        page.until("the other colours", ready, |is| *is == true).await;
        page.run(edited).await;
        page.click(".in-games .filters button").await;
        assert_eq!(page.run(names).await, ",");
        tokio::time::sleep(Duration::from_millis(1000)).await;
        assert_eq!(page.state().await, "");
    });
}

#[test]
fn a_row_of_the_position_before_plays_nothing() {
    let server = Server::start(&[]);
    visit(&server.address, Screen::WIDE, async |page: &Page| {
        page.go("?line=f5d6c3").await;
        page.board_after(3).await;
        page.run(SLOWLY).await;
        let stale = "document.querySelector('[aria-label=Back]').click(); \
                     document.querySelector('#moves tr[data-move=d3]').click(); \
                     return [location.search, document.querySelector('#moves').ariaBusy]";
        assert_eq!(page.run(stale).await, serde_json::json!(["?line=f5d6c3&ply=2", "true"]));
        page.board_after(2).await;
        page.click("#moves tr[data-move=c4] button.play").await;
        page.board_after(3).await;
        assert_eq!(page.state().await, "?line=f5d6c4");
    });
}

#[test]
fn a_game_that_starts_from_another_board_is_opened() {
    let folder = tempfile::TempDir::new().unwrap();
    let (book, games) = (folder.path().join("book.db"), folder.path().join("games.txt"));
    let board = "---------------------------OX------OXX-----O-------------------- X";
    std::fs::write(&games, format!("{board} c3d3c4f4c5b3\nf5d6c3d3c4f4\n")).unwrap();
    let path = book.to_str().unwrap();
    club::rosebill(&["new", "--quiet", "--book", path]);
    club::rosebill(&["games", "import", "--quiet", "--book", path, games.to_str().unwrap()]);
    let server = Server::of(book);
    visit(&server.address, Screen::WIDE, async |page: &Page| {
        let opened =
            format!("?line={}+c3d3c4f4c5b3&ply=1&panel=game&game=0", board.replace(' ', "+"));
        let link = ".games [data-key=game-0]";
        page.go("?line=f5d6c3").await;
        let address = page.find(link).await.attr("href").await.unwrap().unwrap();
        page.click(link).await;
        page.board_after(1).await;
        assert_eq!(page.state().await, opened);
        // What the list leads to, what stands in the address now, and its number alone.
        let shown = "return document.querySelectorAll('#line [data-ply]').length";
        for state in [&address, &opened, "?game=0"] {
            page.go(state).await;
            page.until(state, shown, |count| *count == 6).await;
            page.until("its title", "return document.title", has("\u{2013}")).await;
            assert!(page.state().await.replace("%20", "+").contains(&board.replace(' ', "+")));
            assert_eq!(page.run(NOTICE).await, "", "{state}");
        }
        // From there to a game from the start.
        page.go(&format!("?line={}+c3", board.replace(' ', "+"))).await;
        page.click(".games [data-key=game-1]").await;
        page.board_after(3).await;
        assert_eq!(page.state().await, "?line=f5d6c3d3c4f4&ply=3&panel=game&game=1");
    });
}

#[test]
fn who_does_not_play_here_is_told_what_to_do_on_the_page() {
    let server = Server::start(&[]);
    visit(&server.address, Screen::WIDE, async |page: &Page| {
        let tally = "return document.querySelector('.in-games .tally')?.innerText ?? ''";
        for filter in ["player=nobody", "event=nothing"] {
            page.go(&format!("?{filter}")).await;
            let name = filter.split('=').next_back().unwrap();
            let told = page.until("a sentence", tally, has(name)).await;
            let told = told.as_str().unwrap();
            assert!(!told.contains("rosebill") && told.contains("the field"), "{told}");
        }
    });
}

#[test]
fn what_is_discovered_is_that_of_the_games_that_pass_the_filters() {
    let server = Server::start(&[]);
    visit(&server.address, Screen::WIDE, async |page: &Page| {
        let about = "return document.querySelector('.in-discover .tally')?.innerText ?? ''";
        let asked = "return performance.getEntriesByType('resource').map((each) => each.name) \
                     .filter((name) => name.includes('api/novelties')).join(' ')";
        page.go("?panel=discover&kind=habits").await;
        page.until("all", asked, has("habits=yes")).await;
        assert!(!has("player")(&page.run(asked).await));
        page.run(
            "history.pushState(null, '', `${location.search}&player=rose`); \
                  dispatchEvent(new PopStateEvent('popstate'))",
        )
        .await;
        page.until("hers", asked, has("player=rose&habits=yes")).await;
        page.go("?panel=discover&player=nobody").await;
        page.until("a sentence", about, has("the field")).await;
        page.go("?line=f5d6c3d3c4c5&panel=discover&years=1900").await;
        page.until("why there is none", about, has("fewer conditions")).await;
    });
}

#[test]
fn commands_name_the_book_that_is_served() {
    let folder = tempfile::TempDir::new().unwrap();
    let book = folder.path().join("my book.db");
    club::rosebill(&["new", "--quiet", "--book", book.to_str().unwrap(), "--starter"]);
    let server = Server::of(book.clone());
    visit(&server.address, Screen::WIDE, async |page: &Page| {
        let command = format!("rosebill games import --book '{}' FILE", book.display());
        for panel in ["games", "discover"] {
            page.go(&format!("?panel={panel}")).await;
            let code =
                format!("return document.querySelector('.in-{panel} code')?.innerText ?? ''");
            page.until("the command", &code, |text| *text == command).await;
        }
    });
}
