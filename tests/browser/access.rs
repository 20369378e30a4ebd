//! Roles, names and contrast, in light and in dark.

use serde_json::Value;

use crate::page::{Page, Screen, visit};
use crate::server::Server;

/// What is wrong with roles and names: each fault in words.
const ROLES: &str = r#"
const faults = [];
const seen = (each) => each.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true });
const name = (each) => (each.getAttribute("aria-label") ?? "").trim()
  || (each.getAttribute("aria-labelledby") ?? "").split(" ").map((id) => document.getElementById(id)?.innerText ?? "").join("").trim()
  || [...(each.labels ?? [])].map((label) => label.innerText).join("").trim()
  || (each.innerText ?? "").trim() || (each.getAttribute("title") ?? "").trim() || (each.getAttribute("alt") ?? "").trim();
const told = (each) => each.outerHTML.slice(0, 120);
if (!document.documentElement.lang) faults.push("the page has no language");
if (document.querySelectorAll("main").length !== 1) faults.push("there must be one main part");
const ids = [...document.querySelectorAll("[id]")].map((each) => each.id);
for (const id of new Set(ids)) if (ids.filter((other) => other === id).length > 1) faults.push(`two elements are #${id}`);
for (const each of document.querySelectorAll("button, a[href], input, select, textarea, [role=button], [role=tab], [role=slider], [role=gridcell], [role=grid], [role=listbox], dialog[open], table")) {
  if (seen(each) && !name(each)) faults.push(`no name: ${told(each)}`);
}
for (const image of document.querySelectorAll("img")) if (image.getAttribute("alt") === null) faults.push(`no alt: ${told(image)}`);
for (const each of document.querySelectorAll("[aria-controls], [aria-labelledby], [aria-describedby]")) {
  for (const kind of ["aria-controls", "aria-labelledby", "aria-describedby"]) {
    for (const id of (each.getAttribute(kind) ?? "").split(" ").filter(Boolean)) {
      if (!document.getElementById(id)) faults.push(`${kind} leads nowhere: ${told(each)}`);
    }
  }
}
const inside = { row: "grid, table, rowgroup, treegrid", gridcell: "row", columnheader: "row", rowheader: "row", cell: "row", tab: "tablist", option: "listbox" };
for (const [role, owners] of Object.entries(inside)) {
  for (const each of document.querySelectorAll(`[role=${role}]`)) {
    let above = each.parentElement;
    while (above && ["presentation", "none", null].includes(above.getAttribute("role")) && above !== document.body) above = above.parentElement;
    if (!owners.split(", ").includes(above?.getAttribute("role"))) faults.push(`a ${role} outside of ${owners}: ${told(each)}`);
  }
}
if (document.querySelectorAll("[role=grid] [role=row]").length !== 8) faults.push("a board has eight rows");
if (document.querySelectorAll("[role=grid] [tabindex='0']").length !== 1) faults.push("the tabulator leads to one square of the board");
for (const each of document.querySelectorAll("[tabindex]")) if (Number(each.getAttribute("tabindex")) > 0) faults.push(`tabindex above 0: ${told(each)}`);
return faults;
"#;

/// Texts whose contrast is below what WCAG's level AA wants: 4.5, and 3 for large ones. Each colour is
/// painted over those below it until one is opaque.
const CONTRAST: &str = r#"
const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
const known = new Map();
const rgba = (colour) => {
  if (!known.has(colour)) {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
    known.set(colour, [red, green, blue, alpha / 255]);
  }
  return known.get(colour);
};
const over = (top, below) => [0, 1, 2].map((at) => top[at] * top[3] + below[at] * (1 - top[3])).concat(1);
const light = (colour) => {
  const [red, green, blue] = colour.map((part) => { const share = part / 255; return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4; });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
const page = rgba(getComputedStyle(document.documentElement).backgroundColor);
const canvasColour = page[3] ? page : rgba(getComputedStyle(document.body).backgroundColor);
function ground(element) {
  const layers = [];
  for (let each = element; each; each = each.parentElement) {
    const colour = rgba(getComputedStyle(each).backgroundColor);
    if (colour[3]) layers.push(colour);
    if (colour[3] === 1) break;
  }
  return layers.reverse().reduce((below, layer) => over(layer, below), canvasColour);
}
const faults = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const text = walker.currentNode.data.trim();
  const element = walker.currentNode.parentElement;
  if (!text || element.closest("svg, noscript, .unseen, .skip, datalist, option, [disabled], [aria-disabled=true]") || !element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })) continue;
  const style = getComputedStyle(element);
  const below = ground(element);
  const colour = over(rgba(style.color), below);
  const [a, b] = [light(colour), light(below)].sort((one, other) => other - one);
  const ratio = (a + 0.05) / (b + 0.05);
  const size = parseFloat(style.fontSize), large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
  if (ratio < (large ? 3 : 4.5)) faults.push(`${ratio.toFixed(2)} "${text.slice(0, 30)}" ${element.tagName}.${element.className}`);
}
return [...new Set(faults)];
"#;

const STATES: [&str; 7] = [
    "",
    "?line=f5d6c3d3c4",
    "?line=f5d6c3d3c4&overlay=games&panel=lines",
    "?line=f5d6c3d3c4&overlay=chances&panel=game",
    "?line=f5d6&panel=discover&for=black",
    "?line=f5d6&panel=training",
    "?line=f5f5",
];

fn sound(screen: Screen) {
    let server = Server::start(&[]);
    visit(&server.address, screen, async |page: &Page| {
        for state in STATES {
            page.go(state).await;
            page.find("#panel > *").await;
            page.until(
                "the moves",
                "return document.querySelectorAll('#moves tr[data-move]').length",
                |count| count.as_u64() > Some(0),
            )
            .await;
            for (what, script) in [("roles", ROLES), ("contrast", CONTRAST)] {
                let faults = page.run(script).await;
                assert_eq!(faults, Value::Array(Vec::new()), "{what} of {state:?} on {screen:?}");
            }
        }
    });
}

#[test]
fn by_day_everything_has_a_name_and_can_be_read() {
    sound(Screen::WIDE);
}

#[test]
fn by_night_everything_has_a_name_and_can_be_read() {
    sound(Screen::DARK);
}
