// The table of all legal moves.

import { h, replace, signed, worth, proven, count, many, percent, percents, bar, lossMark } from "./dom.js";
import { now, change } from "./state.js";
import { sorted, valuesFor } from "./rows.js";

const COLUMNS = [
  { key: "move", title: "Move", about: "The square; symmetric ones share a row", first: "", text: true },
  { key: "guess", title: "Guess", about: "Best guess of the final score, in discs", first: "-" },
  { key: "draw_seeking", title: "Draw seek.", about: "For a player for whom a draw is enough, in discs", first: "-" },
  { key: "win_seeking", title: "Win seek.", about: "For a player that must avoid draws, in discs", first: "-" },
  { key: "loss", title: "Loss", about: "Discs given away against the best move", first: "" },
  { key: "chances", title: "W / D / L", about: "Chances of each result of perfect play: win, draw, loss", first: "-" },
  { key: "error", title: "\u00b1", about: "How sure the guess is: the error to expect of it, in discs", first: "" },
  { key: "known", title: "Searched", about: "Proven, or how the position was searched itself: plies and selectivity in percent", first: "-" },
  { key: "now", title: "Now", about: "Searched now: value and depth", first: "-" },
  { key: "games", title: "Games", about: "How often it was played, and its share", first: "-" },
  { key: "result", title: "Results", about: "Games that Black won, drew, White won", first: "-" },
  { key: "mean", title: "Mean", about: "Mean final score of its games, in discs", first: "-" },
  { key: "theoretical", title: "Theor.", about: "Mean score of its games with perfect play from a late position, in discs", first: "-" },
  { key: "name", title: "Opening", about: "Name of the position that it leads to", first: "", text: true },
];

// These are shown for Black or for the side to move.
const OF_SIDE = ["guess", "draw_seeking", "win_seeking", "chances", "now", "mean", "theoretical"];
const OF_GAMES = ["games", "result", "mean", "theoretical"];

/** The column of what is sorted by. */
const keyOf = (sort) => sort.replace(/^-/, "");

export function makeMoves(place, on) {
  const caption = h("div", { class: "for" });
  const head = h("tr", { role: "row" });
  const body = h("tbody", { role: "rowgroup" });
  const table = h("table", { class: "moves", role: "table", "aria-label": "All legal moves" },
    h("thead", { role: "rowgroup" }, head), body);
  const phoneSort = h("select", { "aria-label": "Sort by", onchange: () => change({ sort: phoneSort.value }, "push") },
    COLUMNS.filter((column) => column.key !== "now").map((column) => h("option", { value: column.first + column.key }, column.title)));
  const heldBack = h("ul", { class: "held", "aria-label": "Moves that do not count yet" });
  place.append(caption, h("div", { class: "table" }, table), heldBack);
  const shownColumns = (state) => COLUMNS.filter(({ key }) => (key !== "now" || state.search) && (hasGames || !OF_GAMES.includes(key)));
  let hasGames = true;
  let drawn = "", old = new Map(), shown = null;

  const rowOf = (event) => event.target.closest?.("tr[data-move]");
  body.addEventListener("click", (event) => {
    const row = rowOf(event);
    if (row) on.play(row.dataset.move, shown);
  });
  body.addEventListener("pointerover", (event) => on.point(rowOf(event)?.dataset.move ?? null));
  body.addEventListener("pointerleave", () => on.point(null));
  body.addEventListener("focusin", (event) => on.point(rowOf(event)?.dataset.move ?? null));
  body.addEventListener("focusout", () => on.point(null));

  function heads(state, sign) {
    const made = shownColumns(state).map((column) => {
      const falls = state.sort === `-${column.key}`, rises = state.sort === column.key;
      const next = falls ? column.key : rises ? `-${column.key}` : column.first + column.key;
      // The best move for the side to move stands first; the arrow tells how the shown numbers run.
      const isDown = sign < 0 && OF_SIDE.includes(column.key) ? rises : falls;
      return h("th", {
        scope: "col", role: "columnheader", class: `c-${column.key}`,
        "aria-sort": !falls && !rises ? "none" : isDown ? "descending" : "ascending",
      }, h("button", {
        type: "button", title: column.about, "data-key": `head-${column.key}`, onclick: () => change({ sort: next }),
      }, column.title, h("span", { class: "arrow", "aria-hidden": "true" }, !falls && !rises ? "" : isDown ? "\u25be" : "\u25b4")));
    });
    replace(head, made);
    for (const option of phoneSort.options) {
      const key = keyOf(option.value);
      option.hidden = option.disabled = !hasGames && OF_GAMES.includes(key);
      option.selected = key === keyOf(state.sort);
    }
    const who = (value, ...label) => h("label", {}, h("input", {
      type: "radio", name: "for", value, "data-key": `for-${value}`, checked: state.pov === value, onchange: () => change({ pov: value }),
    }), h("span", {}, label));
    replace(caption,
      h("span", {}, "Discs and chances for "),
      h("fieldset", { class: "choice", "aria-label": "Whose numbers" },
        who("mover", "side to move"), who("black", "always Black")),
      h("label", { class: "phone-sort" }, "sort by ", phoneSort),
      h("label", { class: "switch", title: "Search every shown position, not only those that the book doesn't know" },
        h("input", { type: "checkbox", "data-key": "search", checked: state.search, onchange: (event) => change({ search: event.target.checked }) }),
        h("span", {}, "search always")));
  }

  /** Whether the rows are those of a position before, which is told at once; app.css dims them a moment later. */
  function wait(isLate) {
    place.toggleAttribute("data-late", isLate);
    place.setAttribute("aria-busy", String(isLate));
  }

  function show(position, rows, isLate) {
    const state = now();
    const side = position?.over ? null : position?.position.side ?? null;
    if (position && !position.over) hasGames = Boolean(position.games);
    const stamp = JSON.stringify([position?.line, position?.position, rows, state.sort, state.pov, state.search, hasGames]);
    wait(Boolean(isLate));
    if (stamp === drawn) return;
    drawn = stamp;
    const sign = state.pov === "black" && side === "white" ? -1 : 1;
    heads(state, sign);
    table.classList.toggle("searching", state.search);
    // On a phone a row has no room for all: that by which it is sorted is shown.
    table.dataset.sort = keyOf(state.sort);
    const same = shown === position?.position.board;
    shown = position?.position.board;
    const fresh = new Map();
    const made = sorted(rows, state.sort, sign).map((row) => {
      const value = row.values?.guess;
      fresh.set(row.posting, value);
      const moved = same && old.has(row.posting) && old.get(row.posting) !== value && !row.isFresh;
      return line(row, sign, state, moved, side);
    });
    old = fresh;
    const held = rows.filter((row) => row.held);
    heldBack.hidden = held.length === 0;
    replace(heldBack, held.map((row) => h("li", {}, heldText(row, sign, on.command))));
    const hadFocus = body.contains(document.activeElement);
    replace(body, made);
    // Who plays by the keys goes on in the next table.
    if (hadFocus && !body.contains(document.activeElement)) body.querySelector(".play")?.focus({ preventScroll: true });
  }

  function line(row, sign, state, moved, side) {
    const { mark, kind, word } = lossMark(row.loss);
    const cell = (key, attributes, ...children) =>
      h("td", { role: "cell", ...attributes, class: `c-${key} ${attributes?.class ?? ""}`.trim() }, ...children);
    const isExact = row.values && row.values.lower === row.values.upper;
    const values = valuesFor(row.values, sign);
    const number = (value) => (value === null || value === undefined ? "" :
      Math.abs(value) >= 100 ? worth(value) : signed(value, isExact ? 0 : 2));
    // Without a proof the three values are one: that is said by a sign.
    const other = (key, label) => (values && values[key] === values.guess
      ? cell(key, { class: "same", title: `${label}: the same as the guess, ${number(values.guess)}` }, "=")
      : cell(key, { "data-label": label }, number(values?.[key])));
    const others = row.squares.slice(1);
    const cells = {
      move: h("th", { scope: "row", role: "rowheader", class: "c-move" },
        h("button", {
          type: "button", class: "play", "data-key": row.posting,
          "aria-label": `Play ${row.posting}${others.length ? `, or ${others.join(" ")}` : ""}`,
        }, row.posting),
        others.length ? h("span", { class: "others", title: `the same as ${others.join(", ")}` }, `+${others.length}`) : null),
      guess: cell("guess", {
        class: `value${row.isFresh ? " fresh" : ""}${moved ? " moved" : ""}`,
        title: row.alone ? `with imported facts; searches alone say ${signed(row.alone.guess * sign, 2)}` : null,
      }, number(values?.guess)),
      draw_seeking: other("draw_seeking", "draw-seeking"),
      win_seeking: other("win_seeking", "win-seeking"),
      loss: cell("loss", { class: kind },
        row.loss === null ? "" : [
          h("span", { class: "mark", "aria-label": word, title: word }, mark),
          h("span", {}, row.loss < 0.005 ? "" : row.loss.toFixed(isExact ? 0 : 2)),
        ]),
      chances: cell("chances", {}, row.chances ? chances(row.chances, sign) : ""),
      error: cell("error", { title: asSure(row) }, row.sure === null ? "" : row.sure === 0 ? "0" : row.sure.toFixed(2)),
      known: cell("known", {}, known(row, values)),
      now: cell("now", { class: "fresh" }, row.found ? `${signed(row.found.value * sign, 1)} at ${row.found.depth}` : ""),
      games: cell("games", { title: row.years ? `${row.years[0]} to ${row.years[1]}, ${percent(row.share, 1)} of the games here` : null },
        row.games ? [count(row.games), h("span", { class: "share" }, row.share >= 0.995 ? "" : row.share < 0.01 ? "<1%" : percent(row.share))] : ""),
      result: cell("result", {}, row.results ? results(row.results) : ""),
      mean: cell("mean", {}, row.mean === null ? "" : signed(row.mean * sign, 1)),
      theoretical: cell("theoretical", {}, row.theoretical === null ? "" : signed(row.theoretical * sign, 1)),
      name: cell("name", { title: row.name }, row.name ?? ""),
    };
    return h("tr", { role: "row", "data-move": row.posting, class: kind },
      shownColumns(state).map((column) => cells[column.key]));
  }

  return { show, wait };
}

function results(parts) {
  const [black, draw, white] = percents(parts);
  return bar(parts, `Black won ${black}, drawn ${draw}, White won ${white}`, "results");
}

function chances({ win, draw, loss }, sign) {
  const [first, last] = sign > 0 ? [win, loss] : [loss, win];
  const told = percents([first, draw, last]);
  const text = `win ${told[0]}, draw ${told[1]}, loss ${told[2]}`;
  return [bar([first, draw, last], text, "chances"), h("span", { class: "figures", "aria-hidden": "true" }, told[0])];
}

/** A proof in the room of the column. */
const short = (proof) => proof.replace("at least a ", "\u2265 ").replace("at most a ", "\u2264 ");

/** As sure as which search. */
const asSure = (row) => (row.sure === null ? null : row.sure === 0 ? "exact" : `as sure as a search of ${many(row.plies, "ply")}`);

/** Why a move does not count though the book has the position behind it, and what makes it count. */
function heldText(row, sign, command) {
  const { held, posting } = row;
  const about = held.evidence ? ` \u00b1${held.evidence.toFixed(2)}` : "";
  const atMost = held.is_best ? "" : sign > 0 ? " or less" : " or more";
  return [h("b", {}, posting), " is held: it leads to ", signed(valuesFor(held.values, sign).guess), about,
    `; the search here, ${held.depth}@${held.selectivity}%, is surer (\u00b1${held.answer_evidence.toFixed(2)}) and says ${signed(held.answer * sign)}${atMost}.`,
    held.command ? [" To make it count: ", h("code", {}, command(held.command))] : null];
}

/** How a move's value is known, in a word; `values` are those that are shown. */
function known(row, values) {
  if (row.isFresh) {
    return h("span", { class: "fresh", "aria-label": `searched now, level ${row.level}`, role: "img", title: `searched now, level ${row.level}: depth ${row.depth}, ${row.selectivity} %` },
      short(proven(values)) || `level ${row.level}`);
  }
  if (!values) return h("span", { class: "faint" }, "not known");
  const proof = proven(values);
  const how = row.depth === null ? "" : row.selectivity === 100 || row.selectivity === null ? `${row.depth}` : `${row.depth}@${row.selectivity}%`;
  // The sign of percent says it is a search: the column has no room for more.
  const plies = how.includes("%") ? how : how && `${how} ply`;
  const about = row.kind === "best other" ? "best of the moves outside the book"
    : row.kind === "held" ? "held: the search of this position is surer than those behind the move, and answers for it" : row.kind;
  const facts = [proof, about, how ? `${row.depth} plies, selectivity ${row.selectivity} %` : ""].filter(Boolean).join("; ");
  const made = [h("span", { title: facts, ...(short(proof) === proof ? {} : { role: "img", "aria-label": proof }) }, short(proof) || plies || row.kind)];
  if (row.kind === "best other") made.push(h("abbr", { title: "the best of the moves outside the book, by a search" }, "\u25cb"));
  if (row.kind === "held") made.push(h("abbr", { title: "held: the search of this position is surer than those behind the move" }, "\u2016"));
  if (row.transposition) made.push(h("abbr", { title: "known by transposition: another line of the book leads there, too" }, "\u21c4"));
  return made;
}
