//! The fields that choose games: what stands in them is what the address says.

use serde_json::Value;

use crate::club;
use crate::page::{Page, Screen, visit};
use crate::server::Server;

const STATE: &str = "return location.search";
const TALLY: &str =
    "return (document.querySelector('.in-games .tally')?.innerText ?? '').replace(/\\s+/g, ' ')";
const FIELDS: &str = "return ['player', 'event', 'from'].map((each) => \
                      document.querySelector(`.filters [aria-label=${each}]`).value).join()";

fn has(part: &str) -> impl Fn(&Value) -> bool {
    move |text| text.as_str().unwrap_or_default().contains(part)
}

#[test]
fn fields_follow_the_address_also_while_one_has_the_focus() {
    let server = Server::start(&[]);
    visit(&server.address, Screen::WIDE, async |page: &Page| {
        page.until("the games", TALLY, has(" games")).await;
        page.click("[aria-label=player]").await;
        page.press("rose\u{e007}").await;
        page.until("her games", STATE, has("player=rose")).await;
        page.click("[aria-label=event]").await;
        page.press("club").await;
        page.until("those of the club", STATE, has("event=club")).await;
        // What is applied while somebody types stays as it is written.
        page.press(" ").await;
        tokio::time::sleep(std::time::Duration::from_millis(800)).await;
        assert_eq!(page.run(FIELDS).await, "rose,club ,");
        page.back().await;
        page.until("all games", STATE, |state| *state == "").await;
        assert_eq!(page.run(FIELDS).await, ",,");
        // A button that is pressed by a script leaves the focus where it is.
        page.press("evening").await;
        page.until("by another word", STATE, has("event=evening")).await;
        page.run("document.querySelector('.filters button').click()").await;
        assert_eq!((page.run(FIELDS).await, page.state().await), (",,".into(), String::new()));
    });
}

#[test]
fn what_is_no_year_is_told_and_counts_for_nothing() {
    let server = Server::start(&[]);
    visit(&server.address, Screen::WIDE, async |page: &Page| {
        let all = format!("{0} of {0} games", club::GAMES);
        for state in ["?order=q", "?sort=q", "?years=abc", "?rating=x&programs=2&result=q"] {
            page.go(state).await;
            page.until(state, TALLY, has(&all)).await;
            page.until("the games", "return document.querySelectorAll('a.game').length", |count| {
                count.as_u64() > Some(0)
            })
            .await;
        }
        page.click("[aria-label=from]").await;
        page.press("abcd").await;
        let told = "return document.querySelector('.filters .bad:not([hidden])')?.innerText ?? ''";
        page.until("why", told, has("four digits")).await;
        assert_eq!(page.run(FIELDS).await, ",,abcd");
        page.find("[aria-label=from][aria-invalid=true]").await;
        page.press("\u{e003}\u{e003}\u{e003}\u{e003}2003").await;
        page.until("a year", STATE, has("years=2003-")).await;
        assert_eq!(page.run(told).await, "");
        // As addresses of earlier versions have them.
        page.go("?from_year=2003&to_year=2010&player=hassan&against=rose").await;
        assert_eq!(page.run(FIELDS).await, "hassan,,2003");
        page.click("[aria-label=to]").await;
        page.press("\u{e010}\u{e003}1").await;
        page.until("other years", STATE, has("against=rose&years=2003-2011")).await;
    });
}
