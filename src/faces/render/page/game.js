"use strict";
(() => {
  const games = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);
  const SVG = "http://www.w3.org/2000/svg";
  const CELL = 50, EDGE = 20;
  let game = games[0];
  let ply = 0;

  // Proven values are whole discs; others are shown to a hundredth of one.
  const discs = (value, known) => (known === "exact" ? String(value) : value.toFixed(2));
  const worth = (value, known) => {
    const text = discs(Math.abs(value), known);
    return (Number(text) === 0 ? "" : value > 0 ? "+" : "\u2212") + text;
  };
  const element = (name, attributes, text) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const shape = (name, attributes, text) => {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const column = (square) => square.charCodeAt(0) - 97;
  const row = (square) => square.charCodeAt(1) - 49;
  const centre = (square) => ({
    x: EDGE + column(square) * CELL + CELL / 2,
    y: EDGE + row(square) * CELL + CELL / 2,
  });

  function drawBoard() {
    const board = byId("board");
    const cells = game.boards[ply];
    const parts = [
      shape("rect", { class: "frame", width: 440, height: 440, rx: 10 }),
      shape("rect", { class: "felt", x: EDGE, y: EDGE, width: 400, height: 400 }),
    ];
    for (let at = 0; at <= 8; at += 1) {
      const line = EDGE + at * CELL;
      parts.push(shape("line", { class: "rule", x1: line, x2: line, y1: EDGE, y2: EDGE + 400 }));
      parts.push(shape("line", { class: "rule", y1: line, y2: line, x1: EDGE, x2: EDGE + 400 }));
    }
    for (let at = 0; at < 8; at += 1) {
      const middle = EDGE + at * CELL + CELL / 2;
      parts.push(shape("text", { x: middle, y: 15 }, "abcdefgh"[at]));
      parts.push(shape("text", { x: 10, y: middle + 5 }, String(at + 1)));
    }
    for (let at = 0; at < 64; at += 1) {
      const square = "abcdefgh"[at & 7] + ((at >> 3) + 1);
      const { x, y } = centre(square);
      if (cells[at] !== "-") {
        parts.push(shape("circle", { class: cells[at] === "X" ? "x" : "o", cx: x, cy: y, r: 21 }));
      }
      const played = game.moves.find((move) => move.move === square);
      const cover = shape("rect", {
        class: played ? "square played" : "square",
        x: x - CELL / 2, y: y - CELL / 2, width: CELL, height: CELL,
      });
      if (played) {
        cover.append(shape("title", {}, `move ${played.ply}`));
        cover.addEventListener("click", () => go(played.ply));
      }
      parts.push(cover);
    }
    const last = game.moves[ply - 1];
    const next = game.moves[ply];
    if (next && next.best_move) {
      const { x, y } = centre(next.best_move);
      parts.push(shape("circle", { class: "best", cx: x, cy: y, r: 17, "pointer-events": "none" }));
    }
    if (last) {
      const { x, y } = centre(last.move);
      parts.push(shape("circle", { class: "last", cx: x, cy: y, r: 7, "pointer-events": "none" }));
    }
    board.replaceChildren(...parts);
    const count = (disc) => cells.split(disc).length - 1;
    board.setAttribute("aria-label",
      `Board after ${ply} moves: ${count("X")} black, ${count("O")} white discs`);
  }

  const names = { black: "Black", white: "White" };
  const turns = {
    "win-draw": "gives the win away for a draw",
    "win-loss": "turns a win into a loss",
    "draw-loss": "turns a draw into a loss",
  };

  function tellNow() {
    const now = byId("now");
    const last = game.moves[ply - 1];
    const next = game.moves[ply];
    const parts = [];
    if (last) {
      parts.push(element("strong", {}, `${last.ply}. ${names[last.side]} ${last.move}`));
      if (last.loss === null) parts.push(" was not valued.");
      else if (last.choices === 1) parts.push(` (${worth(last.value, last.known_by)}), the only move.`);
      else if (last.loss === 0) parts.push(` (${worth(last.value, last.known_by)}), as good as any.`);
      else {
        parts.push(` (${worth(last.value, last.known_by)}) `);
        parts.push(element("span", { class: "lost" }, `loses ${discs(last.loss, last.known_by)}`));
        parts.push(`: ${last.best_move} is worth ${worth(last.best_value, last.known_by)}.`);
      }
      if (last.winner_change) parts.push(` It ${turns[last.winner_change]}${last.proven ? "" : ", as far as searched"}.`);
      if (last.pass) parts.push(` ${names[last.side === "black" ? "white" : "black"]} had to pass before it.`);
      if (last.name) parts.push(` ${last.name}.`);
    }
    if (next) {
      if (last) parts.push(element("br"));
      parts.push(`${names[next.side]} to move`);
      if (next.best_move) parts.push(`; best is ${next.best_move} (${worth(next.best_value, next.known_by)}).`);
      else parts.push(".");
    } else if (game.result) {
      parts.push(element("br"), `The game ended ${game.result}.`);
    }
    now.replaceChildren(...parts);
  }

  function showCursor() {
    const cursor = byId("graph").querySelector(".cursor");
    if (!cursor) return;
    const x = Number(cursor.dataset.left) + ply * Number(cursor.dataset.step);
    cursor.setAttribute("x1", x);
    cursor.setAttribute("x2", x);
  }

  function showRow() {
    const box = byId("moves");
    for (const marked of box.querySelectorAll("[aria-current]")) marked.removeAttribute("aria-current");
    const current = box.querySelector(`tr[data-ply="${ply}"]`);
    if (!current) {
      box.scrollTop = 0;
      return;
    }
    current.setAttribute("aria-current", "true");
    if (box.scrollHeight > box.clientHeight) {
      box.scrollTop = current.offsetTop - box.clientHeight / 2;
    }
  }

  function go(to) {
    ply = Math.max(0, Math.min(game.moves.length, to));
    drawBoard();
    tellNow();
    showCursor();
    showRow();
    const place = games.length > 1 ? `${games.indexOf(game) + 1}.${ply}` : String(ply);
    history.replaceState(null, "", `#${place}`);
  }

  function mistake(step) {
    const wrong = game.moves.filter((move) => move.loss >= 1).map((move) => move.ply);
    const found = step > 0 ? wrong.find((at) => at > ply) : wrong.filter((at) => at < ply).pop();
    if (found !== undefined) go(found);
  }

  const steps = {
    first: () => go(0),
    back: () => go(ply - 1),
    forward: () => go(ply + 1),
    last: () => go(game.moves.length),
    mistake: () => mistake(1),
  };

  function fillMoves() {
    const rows = game.moves.map((move) => {
      const line = element("tr", { "data-ply": move.ply });
      const cell = (text, className) => element("td", className ? { class: className } : {}, text);
      const square = cell("");
      square.append(element("span", { class: `disc ${move.side}` }), move.move);
      if (move.winner_change) square.append(" ", element("span", { class: "turn", title: turns[move.winner_change] }, "!"));
      const known = move.known_by === "search" ? `depth ${move.depth}, ${move.selectivity} %` : move.known_by || "";
      const isKnown = move.loss !== null;
      line.append(
        cell(String(move.ply)),
        square,
        cell(isKnown ? worth(move.value, move.known_by) : ""),
        cell(isKnown && move.loss > 0 ? move.best_move : ""),
        cell(isKnown && move.loss > 0 ? worth(move.best_value, move.known_by) : ""),
        cell(isKnown ? (move.loss > 0 ? discs(move.loss, move.known_by) : "") : "?", move.loss >= 1 ? "lost" : ""),
        cell(move.choices === 1 ? "only move" : known),
        cell(move.name || ""),
      );
      line.addEventListener("click", () => go(move.ply));
      return line;
    });
    byId("moves").querySelector("tbody").replaceChildren(...rows);
  }

  function fillSums() {
    const table = element("table");
    const head = element("tr");
    for (const title of ["discs lost", "opening", "midgame", "endgame", "all", "a move", "exactly"]) {
      head.append(element("th", {}, title));
    }
    table.append(head);
    for (const side of ["black", "white"]) {
      const sums = game.sums[side];
      const line = element("tr");
      line.append(element("td", {}, `${names[side]}${game[side].name ? ", " + game[side].name : ""}`));
      for (const value of [sums.opening, sums.midgame, sums.endgame, sums.all, sums.mean_loss, sums.exact]) {
        line.append(element("td", {}, value === null ? "" : String(value)));
      }
      table.append(line);
    }
    const parts = [table];
    for (const note of game.notes) parts.push(element("p", {}, note));
    byId("sums").replaceChildren(...parts);
  }

  function show(number) {
    game = games[number];
    const player = (side) => {
      const made = element("span");
      made.append(element("span", { class: `disc ${side}` }), game[side].name || "?");
      if (game[side].rating) made.append(element("span", { class: "rating" }, ` ${game[side].rating}`));
      return made;
    };
    byId("players").replaceChildren(player("black"), " \u2013 ", player("white"));
    byId("facts").textContent = [game.result, game.event, game.round, game.date].filter(Boolean).join(" \u00b7 ");
    document.title = game.title;
    byId("graph").innerHTML = game.graph;
    fillMoves();
    fillSums();
  }

  byId("steps").addEventListener("click", (event) => {
    const to = event.target.closest("button");
    if (to) steps[to.dataset.go]();
  });
  const scrub = (event) => {
    const svg = byId("graph").querySelector("svg");
    const cursor = svg && svg.querySelector(".cursor");
    if (!cursor) return;
    const box = svg.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * svg.viewBox.baseVal.width;
    go(Math.round((x - Number(cursor.dataset.left)) / Number(cursor.dataset.step)));
  };
  byId("graph").addEventListener("pointerdown", scrub);
  byId("graph").addEventListener("pointermove", (event) => {
    if (event.buttons === 1) scrub(event);
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("select")) return;
    const keys = {
      ArrowLeft: steps.back, ArrowRight: steps.forward, Home: steps.first, End: steps.last,
      n: () => mistake(1), p: () => mistake(-1),
    };
    const step = keys[event.key];
    if (step) {
      event.preventDefault();
      step();
    }
  });
  if (games.length > 1) {
    byId("pick").hidden = false;
    const pick = byId("game");
    games.forEach((each, number) => pick.append(element("option", { value: number }, `${number + 1}. ${each.title}`)));
    pick.addEventListener("change", () => { show(Number(pick.value)); go(0); });
  }
  const place = /^#(?:(\d+)\.)?(\d+)$/.exec(location.hash);
  const number = place && place[1] ? Number(place[1]) - 1 : 0;
  show(games[number] ? number : 0);
  if (games.length > 1) byId("game").value = String(games.indexOf(game));
  go(place ? Number(place[2]) : 0);
})();
