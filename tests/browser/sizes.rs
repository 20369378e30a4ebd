//! No number is cut off, on phones, tablets and desks.

use serde_json::json;

use crate::page::{Page, Screen, visit};
use crate::server::Server;

/// Puts the widest numbers that there are into the table, and says whose text is wider than its cell or beyond
/// the screen. Names may be cut: all of them stands in their titles.
const CUT: &str = r#"
const rows = [...document.querySelectorAll('#moves tbody tr')];
const put = (row, key, html) => { const cell = row.querySelector(`.c-${key}`); if (cell) cell.innerHTML = html; return cell; };
for (const row of rows) {
  put(row, 'guess', '−13.14');
  put(row, 'loss', '<span class="mark">??</span><span>13.14</span>');
  put(row, 'games', '131,721<span class="share">99%</span>');
  for (const key of ['mean', 'theoretical']) put(row, key, '−32.6');
  put(row, 'chances', '<span class="bar chances"></span><span class="figures">100%</span>');
  put(row, 'known', '<span>24@73%</span><abbr>○</abbr>');
  put(row, 'now', '−13.7 at 22');
  for (const key of ['draw_seeking', 'win_seeking']) {
    const cell = put(row, key, '−12.81');
    cell.className = `c-${key}`;
    cell.dataset.label = key.replace('_', '-');
  }
}
const faults = [];
for (const cell of document.querySelectorAll('#moves tbody td, .sums th, .sums td, #position dd')) {
  if (!cell.checkVisibility() || cell.matches('.c-name') || !cell.innerText.trim()) continue;
  const range = document.createRange();
  range.selectNodeContents(cell);
  const [text, box] = [range.getBoundingClientRect(), cell.getBoundingClientRect()];
  if (text.left < box.left - 1 || text.right > box.right + 1 || box.right > document.documentElement.clientWidth) {
    faults.push(`${cell.className} ${cell.innerText}: ${text.left}-${text.right} in ${box.left}-${box.right}`);
  }
}
const steps = [...document.querySelector('#steps').children].map((each) => each.getBoundingClientRect());
if (steps[0].top > steps[1].bottom || steps[1].top > steps[0].bottom) faults.push('the button that turns the board stands alone');
const select = document.querySelector('#overlay'), narrow = select.offsetWidth;
select.style.cssText = 'flex:none;max-width:none';
if (select.offsetWidth > narrow) faults.push(`what the squares show is ${select.offsetWidth} wide in ${narrow}`);
select.style.cssText = '';
const table = document.querySelector('#moves .table');
if (table.scrollWidth > table.clientWidth) faults.push(`the table is ${table.scrollWidth} wide in ${table.clientWidth}`);
return faults;
"#;

/// Makes the line as long as a game, and says which of its rows are seen in part.
const TORN: &str = r#"
const list = document.querySelector('ol.line');
const move = list.querySelector('button').parentElement;
while (list.children.length < 60) list.append(move.cloneNode(true));
const end = list.getBoundingClientRect().bottom;
return [...list.querySelectorAll('button')].map((each) => each.getBoundingClientRect())
  .filter((box) => box.top < end - 4 && box.bottom > end + 1).map((box) => `${box.top}-${box.bottom} of ${end}`);
"#;

/// Whole enough for sums of two digits.
const GAME: &str = "?line=f5d6c3d3c4f4c5b3c2e3d2c6b4b5f2e6&ply=9&panel=game";

fn nothing_is_cut(width: u32) {
    let server = Server::start(&[]);
    visit(&server.address, Screen { width, ..Screen::PHONE }, async |page: &Page| {
        page.board_after(0).await;
        assert_eq!(page.run(TORN).await, json!([]), "the line at {width}");
        for state in ["?line=f5d6c3", "?line=f5d6c3&search=yes"] {
            page.go(state).await;
            page.board_after(3).await;
            // The search fills the table anew: the numbers are put in and measured in one go.
            assert_eq!(page.run(CUT).await, json!([]), "{state} at {width}");
        }
        page.go(GAME).await;
        page.board_after(9).await;
        page.find(".in-game").await;
        page.until(
            "levels",
            "return document.querySelector('.in-game select').options.length",
            |count| count.as_u64() > Some(0),
        )
        .await;
        page.click(".in-game button.main").await;
        let means = "return document.querySelectorAll('.in-game .sums td').length";
        page.until("the sums", means, |count| *count == 10).await;
        assert_eq!(page.run(CUT).await, json!([]), "an analysis at {width}");
    });
}

#[test]
fn nothing_is_cut_on_the_smallest_phone() {
    nothing_is_cut(320);
}

#[test]
fn nothing_is_cut_on_a_small_phone() {
    nothing_is_cut(360);
}

#[test]
fn nothing_is_cut_on_a_phone() {
    nothing_is_cut(390);
}

#[test]
fn nothing_is_cut_on_a_tablet() {
    nothing_is_cut(768);
}

#[test]
fn nothing_is_cut_on_a_small_desk() {
    nothing_is_cut(1024);
}

#[test]
fn nothing_is_cut_on_a_desk() {
    nothing_is_cut(1280);
}
