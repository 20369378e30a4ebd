// Keys of the whole page, and the dialog that tells them.

import { h, byId } from "./dom.js";
import { now, step, change } from "./state.js";

/** `on` has best, mostPlayed, next(kind, direction), find. */
export function makeKeys(on) {
  const dialog = byId("dialog");
  byId("help-button").addEventListener("click", () => help(dialog));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (dialog.open) return;
    const target = event.target;
    if (target.closest("input:not([type=checkbox]):not([type=radio]),textarea,select")) return;
    const isButton = target.closest("button,a,[role=tab],[role=treeitem],[role=slider],input");
    const next = (kind) => () => on.next(kind, event.shiftKey ? -1 : 1);
    const keys = {
      ArrowLeft: () => step(now().ply - 1), ArrowRight: () => step(now().ply + 1),
      Home: () => step(0), End: () => step(now().moves.length),
      f: () => change({ flip: !now().flip }), "/": on.find, "?": () => help(dialog),
      b: next("blunder"), m: next("mistake"), i: next("inaccuracy"),
      " ": () => (event.shiftKey ? on.mostPlayed() : on.best()),
    };
    if (isButton && (event.key === " " || target.closest("[role=tab],[role=treeitem],[role=slider],input"))) return;
    const call = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!call) return;
    event.preventDefault();
    call();
  });
}

const KEYS = [
  [["\u2190", "\u2192"], "one move back, forward"],
  [["Home", "End"], "the start, the end of the line"],
  [["space"], "play the best move"],
  [["shift", "space"], "play the move that was played most"],
  [["b"], "next blunder (6 discs or more)"],
  [["m"], "next mistake (3 to 6)"],
  [["i"], "next inaccuracy (1 to 3); with shift, the one before"],
  [["f"], "turn the board"],
  [["/"], "find an opening, or paste"],
  [["tab"], "squares, moves and all else; arrows move on the board, enter plays"],
  [["?"], "this help"],
];

function help(dialog) {
  show(dialog, "Rosebill explorer",
    h("div", { class: "help" },
      h("section", {}, h("h3", {}, "Keys"),
        h("dl", { class: "keys" }, KEYS.map(([keys, what]) => [h("dt", {}, keys.map((key) => h("kbd", {}, key))), h("dd", {}, what)]))),
      h("section", {}, h("h3", {}, "Numbers"),
        h("p", {}, "Values are discs at the end of the game: +2 wins 33\u201331. Above the table is whose they are. The results of games are Black\u2019s and White\u2019s."),
        h("p", {}, h("b", {}, "Guess"), " is the best guess. ", h("b", {}, "Draw-seeking"), " counts a proven draw as a success, ", h("b", {}, "win-seeking"), " as a failure; where nothing below is proven the three are one. Both differ from the guess alike where a move that is proven to lose by little is passed over for one that may still win. A tick \u2713 is a proof; \u2265 draw means at least a draw, \u2264 draw at most one."),
        h("p", {}, h("b", {}, "Loss"), " is what a move gives away against the best: ", h("b", {}, "\u2605"), " nothing, ", h("b", {}, "?!"), " an inaccuracy from 1 disc, ", h("b", {}, "?"), " a mistake from 3, ", h("b", {}, "??"), " a blunder from 6."),
        h("p", {}, h("b", {}, "\u21c4"), " is known by transposition; ", h("b", {}, "\u25cb"), " is the best move outside the book; ", h("span", { class: "fresh" }, "searched now"), " is no part of the book.")),
      h("section", {}, h("h3", {}, "Anything can be pasted"),
        h("p", {}, "Paste or drop a line, a board of 64 squares or drawn in rows, OBF, GGF, PGN, SGF, WTHOR or a list of moves anywhere on the page. Nothing of it is kept. The address in the browser always leads back to what is shown.")),
      h("section", {}, h("h3", {}, "Guides"),
        h("p", {}, h("a", { href: "guides/values", target: "_blank" }, "What the values mean"), ", ", h("a", { href: "guides/explorer", target: "_blank" }, "the explorer"), " and all other guides open in a page of their own."))));
}

/** Opens the dialog with a title and something in it. */
export function show(dialog, title, ...children) {
  dialog.setAttribute("aria-label", title);
  dialog.replaceChildren(
    h("header", {}, h("h2", {}, title), h("button", { type: "button", "aria-label": "Close", class: "close", onclick: () => dialog.close() }, "\u00d7")),
    ...children.filter(Boolean));
  dialog.onclick = (event) => { if (event.target === dialog) dialog.close(); };
  if (!dialog.open) dialog.showModal();
}
