// Where one is: the position in words and figures, the line with its names, the steps along it.

import { h, replace, signed, worth, proven, count, percents, many, sideName, bar, disc } from "./dom.js";
import { now, change, step, goTo, lineText } from "./state.js";

const OVERLAYS = [
  ["guess", "guess"], ["draw_seeking", "draw-seeking"], ["win_seeking", "win-seeking"],
  ["chances", "chances"], ["games", "games"], ["none", "nothing"],
];

/** The buttons below the board. */
export function makeSteps(place) {
  const button = (label, sign, keys, call) => h("button", {
    type: "button", "aria-label": label, title: `${label} (${keys})`, "data-key": label, onclick: call,
  }, icon(sign));
  const steps = [
    button("Start", "M6 4v16M20 5l-9 7 9 7z", "Home", () => step(0)),
    button("Back", "M16 5l-9 7 9 7z", "left arrow", () => step(now().ply - 1)),
    button("Forward", "M8 5l9 7-9 7z", "right arrow", () => step(now().ply + 1)),
    button("End", "M18 4v16M4 5l9 7-9 7z", "End", () => step(now().moves.length)),
  ];
  const flip = button("Flip the board", "M4 9a8 8 0 0 1 14-3l2 2M20 3v5h-5M20 15a8 8 0 0 1-14 3l-2-2M4 21v-5h5", "f",
    () => change({ flip: !now().flip }));
  const select = h("select", { id: "overlay", title: "What the squares show", onchange: () => change({ overlay: select.value }) },
    OVERLAYS.map(([value, label]) => h("option", { value }, label)));
  place.append(
    h("div", { class: "buttons", role: "group", "aria-label": "Along the line" }, steps),
    flip,
    h("label", { class: "overlay" }, h("span", {}, "on the squares"), select));
  return {
    show(state) {
      select.value = state.overlay;
      steps[0].disabled = steps[1].disabled = state.ply === 0;
      steps[2].disabled = steps[3].disabled = state.ply === state.moves.length;
      flip.setAttribute("aria-pressed", String(state.flip));
    },
  };
}

export function icon(path) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  made.setAttribute("viewBox", "0 0 24 24");
  made.setAttribute("class", "icon");
  made.setAttribute("aria-hidden", "true");
  const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
  line.setAttribute("d", path);
  made.append(line);
  return made;
}

/** The line: its moves with the names as they change, and how best play goes on. */
export function makeLine(place, on) {
  const title = h("p", { class: "title" });
  const list = h("ol", { class: "line" });
  const copy = h("button", { type: "button", class: "small", title: "Copy the whole line", onclick: copyLine }, "copy");
  const link = h("button", { type: "button", class: "small", title: "Copy the address of what is shown", onclick: copyLink }, "link");
  place.append(h("header", {}, title, h("span", { class: "tools" }, copy, link)), list);

  async function put(text, what) {
    try {
      await navigator.clipboard.writeText(text);
      on.say(`${what} copied`);
    } catch {
      on.notice(`${what}: ${text}`);
    }
  }
  function copyLine() {
    put(lineText(now(), now().moves.length) || "(start)", "Line");
  }
  function copyLink() {
    put(location.href.split("#")[0], "Address");
  }

  list.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    if (button.dataset.ply) step(Number(button.dataset.ply));
    else if (button.dataset.line) goTo(button.dataset.line);
  });

  function show(state, path, position, loaded, hidden) {
    title.title = loaded ? [loaded.title, loaded.facts].filter(Boolean).join(", ") : "";
    replace(title, loaded ? [h("strong", {}, titled(loaded)), loaded.facts ? h("span", { class: "soft" }, loaded.facts) : null]
      : h("span", { class: "soft" }, state.moves.length === 0 ? "No moves yet: click a square" : `${many(state.moves.length, "move")}${state.ply < state.moves.length ? `, at ${state.ply}` : ""}`));
    const items = state.moves.map((move, index) => {
      const ply = index + 1;
      const side = path[index]?.side;
      const at = path[ply];
      const parts = [h("button", {
        type: "button", "data-ply": ply, "data-key": `ply-${ply}`, class: ply > state.ply ? "ahead" : null,
        "aria-current": ply === state.ply ? "step" : null,
        "aria-label": `${ply}. ${side ? `${sideName(side)} ` : ""}${move}`,
      }, h("span", { class: "number" }, ply), side ? disc(side) : null, move)];
      if (at?.passed) parts.push(h("span", { class: "pass" }, `${sideName(at.side === "black" ? "white" : "black")} passes`));
      if (at?.name && at.name !== lastName(path, ply)) parts.push(h("em", { class: ply > state.ply ? "ahead" : null }, at.name));
      return h("li", {}, parts);
    });
    const best = !hidden && state.ply === state.moves.length ? (position?.best_line ?? "").match(/../g) ?? [] : [];
    if (best.length) {
      items.push(h("li", { class: "then" }, "best play:"));
      const before = lineText() + (state.start && !state.moves.length ? " " : "");
      best.forEach((move, index) => items.push(h("li", {}, h("button", {
        type: "button", class: "best", tabindex: index ? "-1" : null, "data-line": before + best.slice(0, index + 1).join(""),
        "data-key": `best-${index}`, "aria-label": `best play: ${move}`,
      }, move))));
    }
    replace(list, items);
    const current = list.querySelector("[aria-current]");
    if (current) {
      const up = current.offsetTop;
      if (up < list.scrollTop || up + current.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = up - list.clientHeight / 2;
    } else list.scrollTop = 0;
  }
  return { show };
}

/** The names share the room, so that none of them hides the other or the result. */
function titled({ title, black, white, result }) {
  if (!black && !white) return [h("span", { class: "player" }, title)];
  return [h("span", { class: "player" }, black ?? "?"), h("span", { class: "versus" }, " \u2013 "), h("span", { class: "player" }, white ?? "?"),
    result ? h("span", { class: "result" }, result) : null];
}

function lastName(path, ply) {
  for (let at = ply - 1; at > 0; at -= 1) if (path[at]?.name) return path[at].name;
  return null;
}

// So many moves stand for a position that has no name.
const FEW = 6;

/** The name of the position and what is known of it as a whole. */
export function makePosition(place) {
  const name = h("h1", {});
  const turn = h("p", { class: "turn" });
  const value = h("p", { class: "value" });
  const facts = h("dl", { class: "facts" });
  place.append(h("div", { class: "head" }, h("div", {}, name, turn), value), facts);

  function show(state, path, position, rows, search, hidden) {
    const at = path[state.ply];
    name.title = position?.name ?? "";
    const known = position?.name ?? nameAt(path, state.ply);
    const short = state.ply > 0 && state.ply <= FEW && !state.start ? state.moves.slice(0, state.ply).join(" ") : "No name";
    replace(name, known ?? (state.ply === 0 && !state.start ? "Start position" : short));
    name.classList.toggle("nameless", !known && (state.ply > 0 || Boolean(state.start)));
    if (!at) return;
    const over = position?.over;
    const also = position?.names?.findLast((each) => each.name === position.name)?.also ?? [];
    const black = at.board.split("X").length - 1, white = at.board.split("O").length - 1;
    replace(turn,
      over ? h("span", {}, "The game is over") : [disc(at.side), h("span", {}, `${sideName(at.side)} to move`)],
      at.passed && !over ? h("strong", { class: "passes" }, `${sideName(at.side === "black" ? "white" : "black")} has to pass`) : null,
      h("span", { class: "soft count" }, `${black}\u2013${white}`),
      h("span", { class: "soft" }, many(64 - black - white, "empty")),
      also.length ? h("span", { class: "also" }, `also ${also.join(", ")}`) : null);
    if (!position) return;
    if (hidden) {
      replace(value, h("span", { class: "soft" }, "values are hidden"));
      replace(facts);
      return;
    }
    const sign = state.pov === "black" && at.side === "white" ? -1 : 1;
    const who = state.pov === "black" ? "Black" : sideName(at.side);
    if (over) {
      const forBlack = black - white;
      const winner = position.score === 0 ? "A draw" : `${forBlack > 0 ? "Black" : "White"} wins`;
      replace(value, h("b", {}, worth(Math.abs(position.score ?? forBlack), 0)), h("span", { class: "soft" }, winner));
      replace(facts, ...gamesFact(position));
      return;
    }
    const best = rows.filter((row) => row.values).sort((a, b) => b.values.guess - a.values.guess)[0];
    const values = position.values ?? best?.values;
    const isFresh = !position.values && best?.isFresh;
    replace(value,
      values ? h("b", { class: isFresh ? "fresh" : null }, signed(values.guess * sign, values.lower === values.upper ? 0 : 2)) : h("b", { class: "faint" }, "\u2026"),
      h("span", { class: "soft" }, values ? `discs for ${who}` : "searching"));
    const made = [];
    const add = (title, about, ...text) => made.push(h("div", { title: about }, h("dt", {}, title), h("dd", {}, text)));
    if (position.chances) {
      const { win, draw, loss } = position.chances;
      const [first, last] = sign > 0 ? [win, loss] : [loss, win];
      const told = percents([first, draw, last]);
      add(`win / draw / loss`, `Chances of ${who}`, bar([first, draw, last], `win ${told[0]}, draw ${told[1]}, loss ${told[2]}`, "chances wide"),
        h("span", { class: "figures" }, told.join(" ")));
    }
    const proof = proven(position.values);
    const alone = position.searched_values;
    // What the book's own searches prove is not credited to those who say the same.
    const isOwn = !alone || proven(alone) === proof;
    const provenBy = isOwn ? "Proven by the book" : `Proven by ${position.proven_by?.join(", ") || "facts that were imported"}`;
    if (proof) add("proven", provenBy, proof === "exact" ? "exact" : `${proof} for ${sideName(at.side)}`);
    if (alone) add("searches alone", "What the book's own searches say, without the facts that were imported", signed(alone.guess * sign, 2));
    if (!position.in_book) add("book", "The book does not have this position", h("span", { class: "fresh" }, search?.level ? `not in it; searched, level ${search.level}` : "not in it"));
    if (position.evidence) add("sure", "How sure the value is, by all that is known behind it: the error to expect, in discs, and the plies of a search that is as sure",
      `\u00b1${position.evidence.toFixed(2)}, as ${many(position.evidence_plies, "ply")}`);
    if (position.in_book && position.depth !== null && !proof) add("searched itself", `How this position itself was searched${position.source ? `: ${position.source}` : ""}`, `${position.depth}${position.selectivity < 100 ? `@${position.selectivity}%` : " plies"}`);
    if (position.judgement) {
      const { value: said, author, day } = position.judgement;
      add("set by hand", [author, day].filter(Boolean).join(", "), signed(said * sign, 2), author ? h("span", { class: "soft" }, author) : null);
    }
    if (position.grade) add("grade", "How the lines of best play end: A all proven, F none searched to the end", position.grade);
    if ((position.to_learn ?? position.other_to_learn ?? null) !== null) {
      const [forBlack, forWhite] = at.side === "black" ? [position.to_learn, position.other_to_learn] : [position.other_to_learn, position.to_learn];
      add("to learn", "Positions that each side must remember to hold best play", `Black ${forBlack ?? "many"}, White ${forWhite ?? "many"}`);
    }
    made.push(...gamesFact(position));
    replace(facts, made);
  }
  return { show };
}

function gamesFact(position) {
  const games = position.games;
  if (!games) return [];
  const order = games.this_order !== null && games.this_order !== games.games ? `, ${count(games.this_order)} by these moves` : "";
  const made = [h("div", { title: `Games that came here by any order of moves${order}` }, h("dt", {}, "games"), h("dd", {}, count(games.games),
    games.games ? bar([games.black, games.draw, games.white], `Black won ${count(games.black)}, drawn ${count(games.draw)}, White won ${count(games.white)}`, "results wide") : null))];
  return made;
}

function nameAt(path, ply) {
  for (let at = ply; at > 0; at -= 1) if (path[at]?.name) return path[at].name;
  return null;
}

/** The title of the page. */
export function titleOf(position, state, loaded) {
  const name = loaded?.title ?? position?.name ?? (state.moves.length ? state.moves.slice(0, state.ply).join("") : "");
  return name ? `${name} \u00b7 Rosebill` : "Rosebill";
}
