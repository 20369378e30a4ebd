//! The page changes a position by hand.

use crate::page::{Page, Screen, visit};
use crate::server::Server;

const VALUE: &str = "return document.querySelector('#position .value b').innerText";
const FACTS: &str = "return document.querySelector('#position .facts').innerText";
const SAID: &str = "return document.querySelector('.edit .told')?.innerText ?? ''";

fn press(text: &str) -> String {
    format!(
        "[...document.querySelectorAll('.in-growth button')].find((each) => each.innerText === '{text}').click()"
    )
}

#[test]
fn a_value_is_set_by_hand_and_a_position_removed_and_both_come_back() {
    let server = Server::start(&["--grow"]);
    visit(&server.address, Screen::WIDE, async |page: &Page| {
        page.go("?line=f5d6&panel=growth").await;
        page.board_after(2).await;
        let before = page.run(VALUE).await;
        page.find(".edit input[type=number]").await;
        page.run("document.querySelector('.edit input[type=number]').value = '-1.25'").await;
        page.run("document.querySelector('.edit input[type=text]').value = 'anna'").await;
        page.run(&press("Set")).await;
        page.until("the value", VALUE, |value| *value == "\u{2212}1.25").await;
        page.until("whose it is", FACTS, |facts| {
            let facts = facts.as_str().unwrap();
            facts.contains("set by hand") && facts.contains("anna")
        })
        .await;
        page.run(&press("Undo the last change")).await;
        page.until("the value of the book", VALUE, |value| *value == before).await;
        page.run(&press("Remove")).await;
        page.until("what came of it", SAID, |said| {
            said.as_str().unwrap().starts_with("1 position removed")
        })
        .await;
        page.until("that it is gone", FACTS, |facts| facts.as_str().unwrap().contains("not in it"))
            .await;
        page.run(&press("Undo the last change")).await;
        page.until("the value of the book", VALUE, |value| *value == before).await;
    });
}
