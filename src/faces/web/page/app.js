// The explorer: asks the server for what the address says, and has every part show it.

import { byId, say, signed, many, sideName, letterOf, count, command, h, replace } from "./dom.js";
import { START, now, listen, change, lineText, filterParameters, fromAddress, goTo, lineOf, play, split } from "./state.js";
import { get, known, watch, start, Refused, Offline } from "./api.js";
import { makeBoard } from "./board.js";
import { rowsOf, bestRow, ofMover, valuesFor } from "./rows.js";
import { makeMoves } from "./moves.js";
import { makeSteps, makeLine, makePosition, titleOf } from "./line.js";
import { makeFind, sentence, refusal, ASSUMED } from "./find.js";
import { makeKeys } from "./keys.js";
import { makeSearch } from "./live.js";
import { makePanels } from "./panels.js";

const NO_GAMES = { games: 0, black: 0, draw: 0, white: 0, this_order: null, moves: [] };
const LATE = 150, AGAIN = 3000, KNOWN_LEVEL = 14, USUAL_LEVEL = 16;

const view = { path: [], position: null, of: null, rows: [], search: null, stats: null, loaded: null };
let trainer = null;
// The start position needs no question.
let road = { start: null, moves: [], steps: [{ board: START.slice(0, 64), side: "black", move: null, name: null, passed: false }] };
let turn = 0, begun = false, inTrouble = false, isUnsearched = false, isAnswered = false;

takeToken();

const context = {
  view: () => view,
  stats: () => view.stats,
  say: (text) => say(byId("said"), text),
  notice,
  command: (words, rest = "") => {
    const begins = view.stats?.is_starter && /^(grow|import|games import)\b/.test(words);
    return command(words, begins ? `${rest} --starter`.trim() : rest, view.stats?.book_argument);
  },
  point: (square) => pointAt(square),
  canGrow: () => Boolean(view.stats?.grow?.enabled && token()),
  token,
  /** Names what was loaded: `{title, facts, line}`. */
  load(loaded) {
    view.loaded = loaded;
    // What was pasted is nowhere but in the page: its names survive a reload of it.
    try { sessionStorage.setItem("loaded", JSON.stringify(loaded)); } catch { /* no store */ }
  },
  loadGame(game) { view.loaded = loadedGame(game); },
  /** A trainer hides the values and is asked what a click on a square means. */
  train(next) {
    trainer = next;
    document.body.classList.toggle("training", Boolean(next));
    draw();
  },
  redraw: () => draw(),
  sentence,
  refusal: (error) => refusal(error, context.command),
};

const board = makeBoard(byId("board"), {
  play: (square) => { if (trainer) trainer.guess(square); else if (!view.isLate) play(square); },
  point: (square) => pointAt(square),
});
const steps = makeSteps(byId("steps"));
const line = makeLine(byId("line"), context);
const position = makePosition(byId("position"));
const moves = makeMoves(byId("moves"), {
  play: (square, shown) => { if (!view.isLate && shown === view.position?.position.board) play(square); },
  point: (square) => pointAt(square),
  // Its words are whole but for the book.
  command: (words) => context.command(words.replace(/^rosebill /, "")),
});
const panels = makePanels(byId("panels"), context);
const search = makeSearch((found) => {
  view.search = found;
  if (isUnsearched) notice("");
  isUnsearched = false;
  draw();
}, (told) => say(byId("said"), told), (told) => {
  // Where the server is away that is shown already, and the search goes on with it.
  if (document.body.classList.contains("offline")) return;
  isUnsearched = true;
  notice(sentence(told), "bad", { label: "Search again", call: () => { isUnsearched = false; search.again(); } });
});
const find = makeFind({
  ...context,
  async games(told) {
    const { showRead } = await import("./read.js");
    showRead(told, { ...context, panels });
  },
});
makeKeys({
  best: () => { if (!trainer) playRow(bestRow(view.rows, view.overlay)); },
  mostPlayed: () => { if (!trainer) playRow(view.rows.filter((row) => row.games).sort((a, b) => b.games - a.games)[0]); },
  next: async (kind, direction) => { if (!trainer) (await panels.of("game"))?.next(kind, direction); },
  find: find.focus,
});

function playRow(row) {
  if (row && !view.isLate) play(row.posting);
}

function pointAt(square) {
  const row = square && view.rows.find((each) => each.squares.includes(square));
  board.point(row ? row.squares : []);
  for (const marked of document.querySelectorAll("tr.pointed")) marked.classList.remove("pointed");
  if (row) document.querySelector(`tr[data-move="${row.posting}"]`)?.classList.add("pointed");
}

/** The token that lets the page grow the book comes behind the # and is kept for this tab only. */
function takeToken() {
  const found = /[#&]token=([^&]+)/.exec(location.hash);
  if (!found) return;
  try { sessionStorage.setItem("token", decodeURIComponent(found[1])); } catch { /* no store, or no token */ }
  history.replaceState(null, "", location.pathname + location.search);
}
function token() {
  try { return sessionStorage.getItem("token"); } catch { return null; }
}

let noticeTimer = 0, noticeNumber = 0, noticeAt = "";
/**
 * Says something that is seen: "bad" until it is closed, or what comes next succeeds; the rest goes away. Returns
 * what takes it back, where it is still said.
 */
function notice(text, kind = "note", action = null) {
  const box = byId("notice");
  const mine = ++noticeNumber;
  clearTimeout(noticeTimer);
  if (!text) {
    box.hidden = true;
    return;
  }
  noticeAt = labelOf(now());
  box.className = kind;
  box.setAttribute("role", kind === "note" ? "status" : "alert");
  replace(box, h("p", {}, text),
    action ? h("button", { type: "button", onclick: () => { box.hidden = true; action.call(); } }, action.label) : null,
    h("button", { type: "button", "aria-label": "Close", class: "close", onclick: () => { box.hidden = true; } }, "\u00d7"));
  box.hidden = false;
  if (kind === "note") noticeTimer = setTimeout(() => { box.hidden = true; }, 6000);
  return () => { if (mine === noticeNumber) notice(""); };
}

/** What is bad belongs to what was shown when it was said; that the server is away is so everywhere. */
function shownAt(label) {
  if (label !== noticeAt && byId("notice").className === "bad" && !document.body.classList.contains("offline")) notice("");
}

const askedOf = (state) => [["line", lineText(state)], ...filterParameters(state.filters)];
const labelOf = (state) => JSON.stringify(askedOf(state));

// The way of the line: boards of every ply, so that steps along it need no question.
function learn(asked, moves, from) {
  const same = road.start === from && moves.every((move, index) => road.moves[index] === move);
  if (same && road.steps.length >= asked.length) road.steps.splice(0, asked.length, ...asked);
  else road = { start: from, moves, steps: asked };
}

function stepsOf(state) {
  if (state.text !== null || road.start !== state.start) return [];
  let common = 0;
  while (common < state.moves.length && road.moves[common] === state.moves[common]) common += 1;
  return road.steps.slice(0, common + 1);
}

function recall(state) {
  if (view.loaded || state.game !== null) return;
  try {
    const loaded = JSON.parse(sessionStorage.getItem("loaded"));
    if (loaded?.line && loaded.line === lineText(state, state.moves.length)) view.loaded = loaded;
  } catch { /* no store */ }
}

async function refresh(state) {
  const mine = ++turn;
  const asked = askedOf(state), label = labelOf(state);
  const ready = known("position", asked);
  view.path = stepsOf(state);
  if (view.of === label) {
    view.isLate = false;
    moves.wait(false);
  } else if (!ready) {
    view.isLate = true;
    moves.wait(true);
    setTimeout(() => { if (mine === turn && view.isLate) draw(); }, LATE);
    if (view.path.length > state.ply) drawBoardOnly();
  }
  let told;
  try {
    told = ready ?? await get("position", asked).catch(async (error) => {
      // Filters that nobody passes leave the book as it is; the games say what is wrong with them.
      if (asked.length === 1 || !(error instanceof Refused) || error.status !== 400) throw error;
      return { ...await get("position", asked.slice(0, 1)), games: NO_GAMES };
    });
  } catch (error) {
    if (mine !== turn) return;
    refused(error, state);
    return;
  }
  if (mine !== turn) return;
  const from = told.path[0];
  const board = `${from.board} ${letterOf(from.side)}`;
  const isStart = board === START;
  const played = told.path.slice(1).map((step) => step.move);
  const first = isStart ? null : state.start ?? board;
  learn(told.path, played, first);
  if (state.text !== null) {
    view.of = null;
    const read = { text: null, start: first, moves: played, ply: played.length };
    if (told.turn_assumed) notice(ASSUMED);
    if (noticeAt === label) noticeAt = labelOf({ ...state, ...read });
    change(read, "replace");
    return;
  }
  view.position = told;
  view.of = label;
  view.isLate = false;
  if (inTrouble) notice("");
  inTrouble = false;
  shownAt(label);
  view.path = stepsOf(state);
  if (view.path.length <= state.moves.length) fetchRest(state, mine);
  searchOn(state, told);
  draw();
  announce(state, told);
}

/** Searches what the book doesn't know of a position; not before the server has said how deep that may go. */
function searchOn(state, told) {
  if (!isAnswered) return;
  const unknown = !told.over && (!told.in_book || (told.other_moves ?? []).length > 0 || state.search);
  // What the book knows partly needs no depth that takes a processor for long.
  const most = view.stats?.limits?.search_level ?? USUAL_LEVEL;
  search.want(unknown && !trainer ? lineText(state) : null, told.in_book && !state.search ? Math.min(most, KNOWN_LEVEL) : most);
}

/** A game of the database that an address names brings its title along. */
async function nameGame(state) {
  if (state.game === null || state.text !== null || view.naming === state.game || view.loaded) return;
  view.naming = state.game;
  try {
    const game = await get(`games/${state.game}`);
    view.naming = null;
    if (now().game !== state.game || now().text !== null) return;
    view.loaded = loadedGame(game);
    const shown = lineText(now(), now().moves.length);
    if (!shown) change({ start: game.start ?? null, moves: split(game.moves) }, "replace");
    // The line is another one: the number means nothing.
    else if (shown !== view.loaded.line) change({ game: null }, "replace");
    else draw();
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 404) view.naming = null;
    if (error instanceof Refused) notice(sentence(error.message), "bad");
  }
}

const loadedGame = (game) => ({
  title: `${game.black ?? "?"} \u2013 ${game.white ?? "?"}  ${game.result ?? ""}`,
  facts: [game.event, game.date].filter(Boolean).join(", "), line: lineOf(game),
  black: game.black, white: game.white, result: game.result, remarked: game.remarked,
});

async function fetchRest(state, mine) {
  try {
    const told = await get("position", { line: lineText(state, state.moves.length) });
    if (mine !== turn) return;
    learn(told.path, told.path.slice(1).map((step) => step.move), state.start);
    view.path = stepsOf(state);
    draw();
  } catch (error) {
    if (mine === turn && error instanceof Refused) refused(error, state);
  }
}

function refused(error, state) {
  if (error instanceof Offline) {
    const last = view.path.length - 1;
    if (state.text !== null || last < 0 || state.ply <= last) return draw();
    // The board can't follow: the line goes back to what the board shows, and keeps the move ahead.
    change({ ply: last }, "replace");
    notice("The server does not answer, so the position after that move can't be shown. The line keeps the move. Is rosebill serve still running?", "bad");
    return;
  }
  if (error.status !== 400) {
    // Busy, or in trouble: the line stays, and is asked for again.
    const mine = turn;
    const again = () => { if (mine === turn) refresh(now()); };
    notice(`${sentence(error.message)} The page asks again in a moment.`, "bad", { label: "Ask now", call: again });
    setTimeout(again, AGAIN);
    inTrouble = true;
    return draw();
  }
  view.isLate = false;
  // What comes before the move that is refused can be shown.
  const wrong = /at (?:move|ply) (\d+)/.exec(error.message);
  const moves = state.text === null ? state.moves : split(state.text);
  const kept = wrong ? moves.slice(0, Math.min(moves.length, Number(wrong[1]) - 1)) : [];
  const again = view.position ? { label: "Go to the start", call: () => goTo("") } : null;
  if (kept.length < moves.length || state.text !== null || state.start) {
    change({ text: null, start: kept.length ? state.start : null, moves: kept, ply: kept.length, game: null }, "replace");
    notice(`${sentence(error.message)} ${kept.length ? "The position before it is shown." : "The start position is shown."}`, "bad");
  } else {
    inTrouble = true;
    notice(sentence(error.message), "bad", again ?? { label: "Try again", call: () => refresh(now()) });
  }
}

function announce(state, told) {
  const at = view.path[state.ply];
  if (!at) return;
  const parts = [];
  if (at.move) parts.push(`${at.move}.`);
  if (told.name) parts.push(`${told.name}.`);
  if (at.passed) parts.push(`${sideName(at.side === "black" ? "white" : "black")} has to pass.`);
  if (told.over) parts.push("The game is over.");
  else {
    parts.push(`${sideName(at.side)} to move.`);
    const best = bestRow(view.rows);
    if (best && !trainer) parts.push(`Best is ${best.posting}, ${signed(best.values.guess)}.`);
  }
  say(byId("said"), parts.join(" "));
}

const NOTHING = new Map();

function boardView(state) {
  const at = view.path[state.ply] ?? view.path.at(-1);
  if (!at) return null;
  const isShown = view.position && view.position.position.board === at.board && view.position.position.side === at.side;
  return {
    board: at.board, side: at.side, last: at.move && at.move !== "--" ? at.move : null,
    legal: isShown ? view.position.legal ?? {} : {}, overlay: trainer ? "none" : state.overlay, over: view.position?.over,
    marks: isShown && !trainer ? marks(state, at.side) : NOTHING, flip: state.flip, ply: state.ply,
  };
}

/** Whether the shown numbers are those of the side to move (1) or of the other (-1). */
const signFor = (state, side) => (state.pov === "black" && side === "white" ? -1 : 1);

function marks(state, side) {
  const sign = signFor(state, side);
  const made = new Map();
  for (const row of view.rows) {
    const facts = {
      values: valuesFor(row.values, sign),
      exact: row.values && row.values.lower === row.values.upper,
      loss: lossBy(row, ofMover(state.overlay, sign)), games: row.games, share: row.share, fresh: row.isFresh,
      chances: row.chances && (sign > 0 ? row.chances : { win: row.chances.loss, draw: row.chances.draw, loss: row.chances.win }),
    };
    for (const square of row.squares) made.set(square, facts);
  }
  return made;
}

// On the squares the best is the best by what is shown there, for the side to move.
function lossBy(row, by) {
  if (by !== "draw_seeking" && by !== "win_seeking") return row.loss;
  if (!row.values) return null;
  return bestRow(view.rows, by).values[by] - row.values[by];
}

function drawBoardOnly() {
  const state = now();
  const shown = boardView(state);
  if (shown) board.show(shown);
  line.show(state, view.path, null, view.loaded, Boolean(trainer));
  steps.show(state);
}

// A row that is drawn anew between the press and the release of a button would swallow the click.
let pressed = false, owed = false;
byId("moves").addEventListener("pointerdown", () => { pressed = true; });
for (const end of ["pointerup", "pointercancel"]) {
  addEventListener(end, () => {
    pressed = false;
    if (owed) setTimeout(draw);
    owed = false;
  });
}

function draw() {
  const state = now();
  if (view.loaded && view.loaded.line !== lineText(state, state.moves.length)) view.loaded = null;
  nameGame(state);
  recall(state);
  const side = view.position?.position.side;
  view.overlay = state.overlay === "draw_seeking" || state.overlay === "win_seeking" ? ofMover(state.overlay, signFor(state, side)) : "guess";
  view.rows = rowsOf(view.position, view.search);
  const shown = boardView(state);
  if (shown) board.show(shown);
  steps.show(state);
  if (!view.position) return;
  line.show(state, view.path, view.isLate ? null : view.position, view.loaded, Boolean(trainer));
  byId("position").toggleAttribute("data-late", Boolean(view.isLate));
  position.show(state, view.path, view.position, view.rows, view.search, Boolean(trainer));
  if (pressed) owed = true;
  else moves.show(view.position, trainer ? [] : view.rows, view.isLate);
  panels.show(state, view);
  const title = titleOf(view.position, state, view.loaded);
  if (document.title !== title) document.title = title;
}

listen((state, before) => {
  const asks = (of) => JSON.stringify([lineText(of), of.filters, of.search]);
  const path = (of) => of.moves.join("");
  if (!begun || asks(state) !== asks(before) || path(state) !== path(before)) refresh(state);
  else draw();
});

async function loadStats() {
  try {
    view.stats = await get("stats");
  } catch (error) {
    // The searches that wait for it go on without.
    if (error instanceof Refused) setTimeout(loadStats, AGAIN);
  }
  isAnswered = true;
  if (view.position && !view.isLate) searchOn(now(), view.position);
  showBook();
  draw();
}

function showBook() {
  const stats = view.stats;
  if (!stats) return;
  const text = stats.is_starter
    ? ["The starter book, ", many(stats.positions, "position"), ". Grow your own: ", h("code", {}, context.command("grow", "--time 60s"))]
    : [h("span", { class: "file" }, stats.book), h("span", { class: "numbers" }, `${many(stats.positions, "position")}, ${many(stats.games, "game")}`)];
  byId("book").classList.toggle("starter", Boolean(stats.is_starter));
  byId("book").title = stats.is_starter
    ? "No book was found: this is the one that comes with the program"
    : `${stats.book}: ${count(stats.positions)} positions, ${count(stats.games)} games; Rosebill ${stats.version}`;
  replace(byId("book-text"), text);
}

watch("online", (online) => {
  document.body.classList.toggle("offline", !online);
  if (!online) notice("The server does not answer. What is shown stays; the page asks again every few seconds. Is rosebill serve still running?", "bad");
  else {
    notice("");
    view.of = null;
    loadStats();
    refresh(now());
  }
});
const renew = () => {
  loadStats();
  refresh(now());
};
watch("generation", renew);
watch("growth", (state) => document.body.classList.toggle("growing", Boolean(state?.running)));
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !document.querySelector("dialog[open]")) notice("");
});

change(fromAddress(location.search), "none");
begun = true;
loadStats();
start();
