// The analysis of the shown line or of a loaded game: streamed from the server, filled in as it comes.

import { h, replace, signed, many, plural, lossMark, disc } from "./dom.js";
import { send, lines as linesOf } from "./api.js";
import { now, change, step, lineText } from "./state.js";
import { makeGraph, legend } from "./graph.js";

const LEAST = { blunder: 6, mistake: 3, inaccuracy: 1 };
const LEVELS = [4, 8, 10, 12, 14, 16, 20, 24];
const TURN = ({ from, to, proven }) => ` It turns a ${from} into a ${to}${proven ? "" : ", as far as searched"}.`;

export function make(box, context) {
  const analysed = new Map();
  let running = null, last = null, unsay = null;

  const level = h("select", { "aria-label": "Level of the searches" });
  const button = h("button", { type: "button", class: "main", onclick: () => (running ? stop() : analyse()) }, "Analyze");
  const told = h("p", { class: "told", role: "status" });
  const back = h("button", { type: "button", class: "small", hidden: true, onclick: goBack }, "back to the analyzed line");
  const jumps = h("div", { class: "jumps", role: "group", "aria-label": "Next error" }, Object.keys(LEAST).map((kind) => h("button", {
    type: "button", class: `small ${kind}`, "data-kind": kind, title: `Next ${kind} (${kind[0]}), with shift the one before`,
    onclick: (event) => next(kind, event.shiftKey ? -1 : 1),
  })));
  const picture = h("div", { class: "picture" });
  const text = h("p", { class: "now" });
  const sums = h("div", { class: "sums" });
  const worst = h("div", {});
  const remarks = h("div", {});
  box.append(
    h("div", { class: "above" }, button, h("label", { class: "soft" }, "level ", level), back, jumps),
    picture, legend(), text, told, sums, worst, remarks);
  const graph = makeGraph(picture, { go: (ply, isDragged) => step(ply, isDragged ? "replace" : "push") });

  const keyOf = (state) => lineText(state, state.moves.length);

  function levels(limit) {
    if (level.options.length) return;
    for (const value of LEVELS.filter((each) => each <= limit)) level.append(h("option", { value }, String(value)));
    level.value = String(Math.min(10, limit));
  }

  function stop() {
    running?.control.abort();
    running = null;
    draw();
  }

  /** Analyses the whole shown line; `body` is the game as the server read it, where a line isn't enough. */
  async function analyse(body = null) {
    const state = now();
    const key = keyOf(state);
    if (!state.moves.length) return context.notice("Play or paste some moves first: an analysis goes through a line.");
    running?.control.abort();
    const control = new AbortController();
    const mine = { key, control, known: 0 };
    running = mine;
    const kept = analysed.get(key);
    const game = { moves: kept?.moves ?? state.moves.map((move, index) => ({ ply: index + 1, move, side: null, loss: null, value: null, best_value: null })), done: false };
    analysed.set(key, game);
    draw();
    try {
      const answer = await send("analyze", { level: level.value || 10 }, body ?? key, { signal: control.signal });
      for await (const part of linesOf(answer)) {
        if (running !== mine) return;
        if (part.kind === "error") throw new Error(part.message);
        if (part.kind === "game") game.moves = part.moves;
        else if (part.kind === "move") {
          game.moves[part.move.ply - 1] = part.move;
          mine.known += 1;
        } else if (part.kind === "done") Object.assign(game, part, { done: true });
        soon();
      }
      // A server that goes away in the middle closes the stream as if all were told.
      if (running === mine && !game.done) throw new Error(`The analysis broke off: ${mine.known} of ${state.moves.length} moves were valued.`);
      if (running === mine) running = null;
      last = key;
      unsay?.();
      if (game.done) context.say(`Analyzed: ${summary(game)}`);
    } catch (error) {
      if (running === mine) running = null;
      if (error.name !== "AbortError") unsay = context.notice(context.sentence(error.message), "bad", { label: "Again", call: () => analyse(body) });
    }
    last = key;
    draw();
  }

  let waiting = false;
  function soon() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      draw();
    });
  }

  // A blunder is no mistake as well: what is counted, and led to, bears the mark that the list has.
  const errors = (game, kind) => game.moves.filter((move) => lossMark(move.loss).kind === kind);
  const summary = (game) => Object.keys(LEAST).map((kind) => many(errors(game, kind).length, kind)).join(", ");

  function next(kind, direction) {
    const state = now();
    const game = analysed.get(keyOf(state));
    if (!game) {
      if (state.moves.length) {
        context.say("Analyzing first");
        analyse();
      }
      return;
    }
    const plies = errors(game, kind).map((move) => move.ply);
    const to = direction > 0 ? plies.find((ply) => ply > state.ply) : plies.filter((ply) => ply < state.ply).pop();
    if (to === undefined) context.notice(`No ${kind} ${direction > 0 ? "after" : "before"} this move.`);
    else step(to);
  }

  function goBack() {
    const key = last;
    const state = now();
    const board = /^(.{64} [XO]) ?(.*)$/.exec(key);
    const moves = (board ? board[2] : key).match(/[a-h][1-8]/g) ?? [];
    let same = 0;
    while (same < state.ply && state.moves[same] === moves[same]) same += 1;
    change({ start: board ? board[1] : null, text: null, moves, ply: same });
  }

  function tell(state, game) {
    const move = game?.moves[state.ply - 1];
    const following = game?.moves[state.ply];
    const parts = [];
    if (move?.side) {
      const { mark, kind, word } = lossMark(move.loss);
      parts.push(disc(move.side), h("b", {}, `${move.ply}. ${move.move}`));
      if (move.loss === null || move.loss === undefined) parts.push(" not valued yet.");
      else if (move.choices === 1) parts.push(` ${signed(move.value)}, the only move.`);
      else if (move.loss < 0.005) parts.push(` ${signed(move.value)}, as good as any.`);
      else parts.push(h("span", { class: kind, title: word }, ` ${mark} loses ${move.loss.toFixed(2)}`), `: ${signed(move.value)}; `, h("b", {}, move.best_move), ` is worth ${signed(move.best_value)}.`);
      if (move.winner_change) parts.push(TURN(move.winner_change));
      if (move.known_by === "search") parts.push(h("span", { class: "soft" }, ` Searched ${move.depth} plies.`));
    } else if (following?.best_move) parts.push(`Best is ${following.best_move}, ${signed(following.best_value)}.`);
    else parts.push(h("span", { class: "soft" }, game ? "The arrows, or a finger on the graph, lead along the game." : "An analysis says what each move of the line was worth, what was best and what it cost."));
    replace(text, parts);
  }

  function table(game) {
    if (!game.black || !game.white) return [];
    const number = (value) => (value === null || value === undefined ? "" : value.toFixed(1));
    const line = (side, title) => h("tr", {}, h("th", { scope: "row", title }, disc(side), title),
      ["opening", "midgame", "endgame", "loss", "mean_loss"].map((key) => h("td", {}, number(game[side === "black" ? "black" : "white"][key]))));
    const { black, white } = context.view().loaded ?? {};
    return [h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Lost"), ["opening", "midgame", "endgame", "all", "a move"].map((title) => h("th", { scope: "col" }, title)))),
      h("tbody", {}, line("black", game.players?.black || black || "Black"), line("white", game.players?.white || white || "White")))];
  }

  function dearest(game) {
    const found = [...game.moves].filter((move) => move.loss >= 1).sort((a, b) => b.loss - a.loss).slice(0, 6);
    if (!found.length) return [];
    return [h("h3", {}, "Costliest moves"), h("p", { class: "chips" }, found.map((move) => h("button", {
      type: "button", class: "small", onclick: () => step(move.ply),
    }, disc(move.side), ` ${move.ply}. ${move.move} `, h("span", { class: lossMark(move.loss).kind }, `${lossMark(move.loss).mark} ${move.loss.toFixed(1)}`))))];
  }

  /** What the source of a loaded game says of its moves, as PGN has it. */
  function remarked() {
    const said = now().game === null ? [] : context.view().loaded?.remarked ?? [];
    return said.length ? [h("h3", {}, "Remarks"), h("ul", {}, said.map((each) => h("li", {}, each)))] : [];
  }

  function draw() {
    const state = now();
    const key = keyOf(state);
    const game = analysed.get(key);
    if (running && running.key !== key) stop();
    const isRunning = running?.key === key;
    button.textContent = isRunning ? "Stop" : game?.done ? "Analyze again" : "Analyze";
    button.classList.toggle("main", !game?.done && !isRunning);
    back.hidden = !last || last === key || !analysed.has(last);
    button.title = isRunning ? "Stop the analysis" : "Go through the whole line";
    replace(told, isRunning ? `Searching: ${running.known} of ${state.moves.length} moves are known.` : game?.done ? [
      game.left_book_at ? `Left the book at move ${game.left_book_at}. ` : "",
      game.last_game_at?.title && game.last_game_at.ply < state.moves.length ? h("span", { title: `${many(game.last_game_at.games, "game")} until then` }, `Last seen at move ${game.last_game_at.ply}: ${game.last_game_at.title}`) : ""] : "");
    for (const jump of jumps.children) {
      const found = game ? errors(game, jump.dataset.kind).length : 0;
      jump.disabled = !found;
      jump.textContent = `${lossMark(LEAST[jump.dataset.kind]).mark} ${game ? many(found, jump.dataset.kind) : plural(jump.dataset.kind)}`;
    }
    graph.move(state.ply);
    graph.show({ moves: game?.moves.filter((move) => move.side) ?? [], length: state.moves.length });
    tell(state, game);
    replace(sums, game ? table(game) : []);
    replace(worst, game ? dearest(game) : []);
    replace(remarks, remarked());
  }

  return {
    show(state, view) {
      levels(view.stats?.limits?.analyze_level ?? 16);
      draw();
    },
    analyse, next,
  };
}
