// The board: discs, legal moves and one overlay of choice.

import { shape, set, signed, worth, lossMark, short, percents, sideName, many } from "./dom.js";

const CELL = 100, EDGE = 38, SIZE = 8 * CELL + 2 * EDGE;
const name = (at) => "abcdefgh"[at & 7] + ((at >> 3) + 1);

/** Draws into an SVG; `on` has `play(square)` and `point(square or null)`. */
export function makeBoard(svg, on) {
  svg.setAttribute("viewBox", `0 0 ${SIZE} ${SIZE}`);
  const labels = shape("g", { class: "labels", "aria-hidden": "true" });
  const rules = shape("g", { class: "rules", "aria-hidden": "true" });
  const squares = shape("g", { role: "presentation" });
  svg.append(
    shape("defs", {},
      gradient("felt", "0", "0", "1", "1"), glow("black-disc"), glow("white-disc")),
    shape("rect", { class: "frame", width: SIZE, height: SIZE, rx: 22 }),
    shape("rect", { class: "felt", x: EDGE, y: EDGE, width: 8 * CELL, height: 8 * CELL, rx: 4 }),
    rules, labels, squares);
  for (let at = 1; at < 8; at += 1) {
    const line = EDGE + at * CELL;
    rules.append(
      shape("line", { x1: line, x2: line, y1: EDGE, y2: SIZE - EDGE }),
      shape("line", { y1: line, y2: line, x1: EDGE, x2: SIZE - EDGE }));
  }
  for (const [x, y] of [[2, 2], [6, 2], [2, 6], [6, 6]]) {
    rules.append(shape("circle", { cx: EDGE + x * CELL, cy: EDGE + y * CELL, r: 6 }));
  }
  const cells = [];
  for (let row = 0; row < 8; row += 1) {
    const line = shape("g", { role: "row" });
    for (let column = 0; column < 8; column += 1) {
      const at = row * 8 + column;
      const cell = {
        at, square: name(at), disc: null,
        cover: shape("rect", { class: "cover", width: CELL, height: CELL }),
        discs: shape("g", {}), over: shape("g", { class: "over" }),
      };
      cell.group = shape("g", { class: "cell", role: "gridcell", tabindex: "-1", "data-square": cell.square },
        cell.cover, cell.discs, cell.over);
      cells.push(cell);
      line.append(cell.group);
    }
    squares.append(line);
  }
  let view = { flip: null, board: "", legal: {}, ply: 0 };
  let focus = 19;

  const of = (event) => {
    const group = event.target.closest?.(".cell");
    return group ? cells[index(group.dataset.square)] : null;
  };
  // A click leaves the keys to the line; the squares have them when the tabulator led here.
  svg.addEventListener("pointerdown", (event) => event.preventDefault());
  svg.addEventListener("click", (event) => {
    const cell = of(event);
    if (cell && view.legal[cell.square]) on.play(cell.square);
  });
  svg.addEventListener("pointerover", (event) => {
    const cell = of(event);
    on.point(cell && view.legal[cell.square] ? cell.square : null);
  });
  svg.addEventListener("pointerleave", () => on.point(null));
  // Listeners of the focus would make the picture itself a stop of the tabulator: its box has them.
  const box = svg.parentElement;
  box.addEventListener("focusin", (event) => {
    const cell = of(event);
    if (cell) on.point(view.legal[cell.square] ? cell.square : null);
  });
  box.addEventListener("focusout", () => on.point(null));
  svg.addEventListener("keydown", (event) => {
    const cell = of(event);
    if (!cell || event.ctrlKey || event.metaKey || event.altKey) return;
    const turn = view.flip ? -1 : 1;
    const steps = { ArrowLeft: [-turn, 0], ArrowRight: [turn, 0], ArrowUp: [0, -turn], ArrowDown: [0, turn] };
    if (steps[event.key]) {
      const x = (cell.at & 7) + steps[event.key][0], y = (cell.at >> 3) + steps[event.key][1];
      if (x >= 0 && x < 8 && y >= 0 && y < 8) rove(y * 8 + x, true);
    } else if (event.key === "Enter" || event.key === " ") {
      if (view.legal[cell.square]) on.play(cell.square);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });

  function rove(at, take) {
    cells[focus].group.setAttribute("tabindex", "-1");
    focus = at;
    cells[at].group.setAttribute("tabindex", "0");
    if (take) cells[at].group.focus();
  }
  rove(focus, false);

  function place(flip) {
    labels.replaceChildren();
    for (let at = 0; at < 8; at += 1) {
      const shown = flip ? 7 - at : at;
      const middle = EDGE + at * CELL + CELL / 2;
      labels.append(
        shape("text", { x: middle, y: EDGE - 11 }, "abcdefgh"[shown]),
        shape("text", { x: EDGE / 2, y: middle + 8 }, String(shown + 1)));
    }
    for (const cell of cells) {
      const shown = flip ? 63 - cell.at : cell.at;
      cell.group.setAttribute("transform", `translate(${EDGE + (shown & 7) * CELL} ${EDGE + (shown >> 3) * CELL})`);
    }
  }

  /** Shows `{board, side, last, legal, overlay, marks: Map(square, facts), flip, ply}`. */
  function show(next) {
    if (next.flip !== view.flip) place(next.flip);
    const near = Math.abs(next.ply - view.ply) <= 1 && view.board !== "";
    for (const cell of cells) {
      const colour = next.board[cell.at] === "-" ? null : next.board[cell.at];
      if (colour !== cell.disc) {
        const old = cell.disc;
        cell.disc = colour;
        cell.discs.replaceChildren();
        if (colour) {
          const made = near ? (old ? " turned" : " placed") : "";
          cell.discs.append(
            shape("circle", { class: "shade", cx: 52, cy: 54, r: 42 }),
            shape("circle", { class: `stone ${colour === "X" ? "x" : "o"}${made}`, cx: 50, cy: 50, r: 42 }));
        }
      }
      const facts = next.marks.get(cell.square);
      const legal = Boolean(next.legal[cell.square]);
      set(cell.group, "class", `cell${legal ? " legal" : ""}`);
      cell.over.replaceChildren(...overlay(next, cell.square, legal, facts));
      if (next.last === cell.square) {
        cell.over.append(shape("circle", { class: `last ${colour === "X" ? "on-black" : "on-white"}`, cx: 50, cy: 50, r: 11 }));
      }
      set(cell.group, "aria-label", told(next, cell, legal, facts));
      set(cell.group, "aria-disabled", legal ? null : "true");
    }
    view = next;
    const first = cells.find((cell) => next.legal[cell.square]);
    if (first && !svg.contains(document.activeElement)) rove(first.at, false);
    const count = (colour) => next.board.split(colour).length - 1;
    set(svg, "aria-label",
      `Board after ${many(next.ply, "move")}: ${count("X")} black and ${count("O")} white discs${next.over ? ", the game is over" : `, ${sideName(next.side)} to move`}`);
  }

  /** Shows where a move, or several that are alike, would go. */
  function point(pointed) {
    for (const cell of cells) {
      cell.group.classList.toggle("pointed", pointed.includes(cell.square));
      cell.group.classList.toggle("by-white", view.side === "white");
    }
  }

  return { show, point };
}

const index = (square) => square.charCodeAt(0) - 97 + 8 * (square.charCodeAt(1) - 49);

function overlay(view, square, legal, facts) {
  if (!legal) return [];
  const ghost = shape("circle", { class: "ghost", cx: 50, cy: 50, r: 42 });
  const dot = shape("circle", { class: "dot", cx: 50, cy: 50, r: 9 });
  if (view.overlay === "none" || !facts) return [ghost, dot];
  const kind = lossMark(facts.loss).kind;
  if (view.overlay === "games") {
    if (!facts.games) return [ghost, dot];
    return [ghost,
      shape("text", { class: "figure", x: 50, y: 54 }, short(facts.games)),
      ...gauge([facts.share, 1 - facts.share], "share"),
    ];
  }
  const ring = kind === "best" ? [shape("circle", { class: "ring", cx: 50, cy: 50, r: 44 })] : [];
  if (view.overlay === "chances") {
    if (!facts.chances) return [ghost, dot];
    const { win, draw, loss } = facts.chances;
    return [ghost, ...ring,
      shape("text", { class: `figure ${kind}`, x: 50, y: 54 }, percents([win, draw, loss])[0]),
      ...gauge([win, draw, loss], "chance"),
    ];
  }
  const value = facts.values?.[view.overlay];
  if (value === null || value === undefined) return [ghost, dot];
  const exact = facts.exact || Math.abs(value) >= 100;
  const { mark } = lossMark(facts.loss);
  const text = exact ? worth(value, 0) : signed(value, Math.abs(value) < 9.95 ? 1 : 0);
  return [ghost, ...ring,
    shape("text", { class: `figure ${kind}${facts.fresh ? " fresh" : ""}${text.length > 4 ? " long" : ""}`, x: 50, y: mark && kind !== "best" ? 53 : 61 }, text),
    kind === "best" ? null : shape("text", { class: `mark ${kind}`, x: 50, y: 84 }, mark),
  ].filter(Boolean);
}

function gauge(parts, kind) {
  let x = 22;
  const sum = parts.reduce((all, part) => all + part, 0) || 1;
  return parts.map((part, number) => {
    const width = (56 * part) / sum;
    const made = shape("rect", { class: `gauge ${kind}${number}`, x, y: 64, width, height: 9 });
    x += width;
    return made;
  });
}

function told(view, cell, legal, facts) {
  const parts = [cell.square];
  parts.push(cell.disc ? (cell.disc === "X" ? "black" : "white") : "empty");
  if (view.last === cell.square) parts.push("last move");
  if (legal) {
    parts.push("legal");
    if (facts && view.overlay !== "none") {
      const value = facts.values?.guess;
      if (value !== undefined && value !== null) parts.push(`${facts.exact ? "exactly " : ""}${signed(value, facts.exact ? 0 : 2)}`);
      const { word } = lossMark(facts.loss);
      if (word) parts.push(word);
      if (view.overlay === "games" && facts.games) parts.push(many(facts.games, "game"));
      if (facts.fresh) parts.push("searched now");
    }
  }
  return parts.join(", ");
}

function gradient(id, x1, y1, x2, y2) {
  return shape("linearGradient", { id, x1, y1, x2, y2 },
    shape("stop", { class: `${id}-from`, offset: "0" }), shape("stop", { class: `${id}-to`, offset: "1" }));
}

function glow(id) {
  return shape("radialGradient", { id, cx: ".36", cy: ".3", r: ".85" },
    shape("stop", { class: `${id}-from`, offset: "0" }), shape("stop", { class: `${id}-to`, offset: "1" }));
}
