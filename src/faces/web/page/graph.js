// The graph of a game: its value for Black after each move, what each move lost, how each is known.

import { h, shape, set, signed, sideName, lossMark } from "./dom.js";

const LEFT = 40, RIGHT = 20, TOP = 12, VALUES = 128, GAP = 12, LOSSES = 46, BAND = 9, BOTTOM = 22;
const HEIGHT = TOP + VALUES + GAP + LOSSES + BAND + BOTTOM;
const LARGEST_LOSS = 12;

/** `on.go(ply, isDragged)` is called while one scrubs. */
export function makeGraph(place, on) {
  const svg = shape("svg", { class: "graph", height: HEIGHT, role: "slider", tabindex: "0", "aria-label": "Move of the game", "aria-orientation": "horizontal" });
  place.append(svg);
  let game = { moves: [], length: 0 }, ply = 0, width = 0, step = 0, cursor = null;

  new ResizeObserver(([{ contentRect }]) => {
    const next = Math.floor(contentRect.width);
    if (next > 120 && next !== width) {
      width = next;
      draw();
    }
  }).observe(place);

  const plyAt = (event) => Math.max(0, Math.min(game.length, Math.round((event.clientX - svg.getBoundingClientRect().left - LEFT) / step)));
  svg.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    svg.setPointerCapture(event.pointerId);
    on.go(plyAt(event), false);
  });
  svg.addEventListener("pointermove", (event) => {
    if (event.buttons & 1) on.go(plyAt(event), true);
  });
  svg.addEventListener("keydown", (event) => {
    const to = { ArrowLeft: ply - 1, ArrowDown: ply - 1, ArrowRight: ply + 1, ArrowUp: ply + 1, PageUp: ply + 10, PageDown: ply - 10, Home: 0, End: game.length }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    on.go(Math.max(0, Math.min(game.length, to)), event.repeat);
  });

  const forBlack = (move, value) => (value === null || value === undefined ? null : move.side === "black" ? value : -value);

  function points() {
    const made = [];
    const first = game.moves[0];
    if (first) made.push({ ply: 0, value: forBlack(first, first.best_value) });
    for (const move of game.moves) made.push({ ply: move.ply, value: forBlack(move, move.value) });
    return made.filter((point) => point.value !== null && point.value !== undefined);
  }

  function draw() {
    if (!width) return;
    set(svg, "width", width);
    set(svg, "viewBox", `0 0 ${width} ${HEIGHT}`);
    const length = Math.max(game.length, 1);
    step = (width - LEFT - RIGHT) / length;
    const x = (at) => LEFT + at * step;
    const all = points();
    const most = Math.min(64, Math.max(8, ...all.map((point) => Math.ceil(Math.abs(point.value) / 8) * 8)));
    const y = (value) => TOP + VALUES / 2 - (Math.max(-most, Math.min(most, value)) / most) * (VALUES / 2);
    const base = TOP + VALUES + GAP + LOSSES;
    const parts = [shape("rect", { class: "ground", x: LEFT, y: TOP, width: width - LEFT - RIGHT, height: VALUES })];
    for (const value of [most, most / 2, 0, -most / 2, -most]) {
      parts.push(
        shape("line", { class: value ? "grid" : "zero", x1: LEFT, x2: width - RIGHT, y1: y(value), y2: y(value) }),
        shape("text", { class: "scale", x: LEFT - 7, y: y(value) + 4 }, value ? signed(value, 0) : "0"));
    }
    for (let at = 10; at <= length; at += 10) {
      parts.push(
        shape("line", { class: "grid", x1: x(at), x2: x(at), y1: TOP, y2: base }),
        shape("text", { class: "ply", x: x(at), y: HEIGHT - 6 }, String(at)));
    }
    parts.push(
      shape("text", { class: "who", x: LEFT + 6, y: TOP + 13 }, "Black is better"),
      shape("text", { class: "who", x: LEFT + 6, y: TOP + VALUES - 5 }, "White is better"),
      shape("line", { class: "zero", x1: LEFT, x2: width - RIGHT, y1: base, y2: base }));
    for (const run of runs(all)) {
      const path = run.map((point, index) => `${index ? "L" : "M"}${x(point.ply).toFixed(1)} ${y(point.value).toFixed(1)}`).join("");
      const from = x(run[0].ply).toFixed(1), to = x(run.at(-1).ply).toFixed(1);
      parts.push(
        shape("path", { class: "area", d: `${path}L${to} ${y(0)}L${from} ${y(0)}Z` }),
        shape("path", { class: "value", d: path }));
      if (run.length === 1) parts.push(shape("circle", { class: "alone", cx: from, cy: y(run[0].value), r: 2.5 }));
    }
    const thick = Math.max(2, Math.min(9, step * 0.66));
    for (const move of game.moves) {
      const at = x(move.ply);
      if (move.loss > 0.005) {
        const height = Math.max(1.5, (Math.min(move.loss, LARGEST_LOSS) / LARGEST_LOSS) * (LOSSES - 14));
        const { mark, kind } = lossMark(move.loss);
        parts.push(shape("rect", { class: `loss ${move.side === "black" ? "black" : "white"} ${kind}`, x: at - thick / 2, y: base - height, width: thick, height, rx: 1 }));
        if (mark && kind !== "inaccuracy") parts.push(shape("text", { class: `mark ${kind}`, x: at, y: base - height - 3 }, mark));
      }
      if (move.known_by) parts.push(shape("rect", { class: `band ${move.known_by}`, x: at - step, y: base + 3, width: Math.max(step, 1), height: BAND - 4 }));
    }
    cursor = shape("g", { class: "cursor" },
      shape("line", { y1: TOP - 4, y2: base + BAND }), shape("circle", { r: 4.5, cy: y(0) }));
    parts.push(cursor);
    svg.replaceChildren(...parts);
    svg.scaleOf = y;
    place.classList.toggle("empty", all.length === 0);
    move();
  }

  function runs(all) {
    const made = [];
    for (const point of all) {
      const last = made.at(-1);
      if (last && last.at(-1).ply === point.ply - 1) last.push(point);
      else made.push([point]);
    }
    return made;
  }

  function move() {
    if (!cursor) return;
    const at = points().find((point) => point.ply === ply);
    set(cursor, "transform", `translate(${(LEFT + ply * step).toFixed(1)} 0)`);
    const dot = cursor.lastChild;
    set(dot, "visibility", at ? "visible" : "hidden");
    if (at) set(dot, "cy", svg.scaleOf(at.value));
    const played = game.moves[ply - 1];
    set(svg, "aria-valuemin", 0);
    set(svg, "aria-valuemax", game.length);
    set(svg, "aria-valuenow", ply);
    set(svg, "aria-valuetext", played ? `${ply}. ${sideName(played.side)} ${played.move}${at ? `, ${signed(at.value)} for Black` : ""}${played.loss > 0.005 ? `, loses ${played.loss.toFixed(2)}` : ""}` : ply ? `move ${ply}` : "start");
  }

  return {
    show(next) {
      game = next;
      draw();
    },
    move(to) {
      ply = to;
      move();
    },
  };
}

export const legend = () => h("p", { class: "legend" },
  h("span", { class: "key black" }, "lost by Black"), h("span", { class: "key white" }, "lost by White"),
  h("span", { class: "key book" }, "book"), h("span", { class: "key search" }, "searched"), h("span", { class: "key exact" }, "exact"));
