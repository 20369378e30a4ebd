// What is shown, and its address: every state can be linked to.

import { isColumn } from "./rows.js";

export const START = "---------------------------OX------XO--------------------------- X";
const DEFAULTS = {
  start: null, moves: [], ply: 0, text: null,
  flip: false, overlay: "guess", pov: "mover", sort: "-guess", panel: "games", search: false,
  filters: {}, order: "date", kind: "novelties", game: null,
};
export const FILTERS = ["player", "against", "black", "white", "event", "years", "result", "programs", "xot", "theory", "source", "rating", "opening", "position"];
// Those may be given several times.
const REPEATED = ["player", "against", "black", "white", "position"];
const YES = /^(?:yes|no)$/, YEARS = /^(?:\d{4}(?:-(?:\d{4})?)?|-\d{4})$/;
// What an address may say of the others; what it can't mean counts for nothing.
const POSSIBLE = { years: YEARS, result: /^(?:black|draw|white)$/, programs: YES, xot: YES, theory: YES, rating: /^\d{1,4}$/ };
const ORDERS = ["date", "rating", "result", "player"];
const OVERLAYS = ["guess", "draw_seeking", "win_seeking", "chances", "games", "none"];
const MOVES = /^(?:[a-h][1-8]|--)*$/i;
const BOARD = /^([-.XO*x o]{64})\s*([XO*])\s*((?:[a-h][1-8]|--)*)$/;

let state = { ...DEFAULTS };
const listeners = [];

export const now = () => state;
export const listen = (call) => listeners.push(call);

/** The text that asks the server for the position after some of the moves. */
export function lineText(of = state, plies = of.ply) {
  if (of.text !== null) return of.text;
  const moves = of.moves.slice(0, plies).join("");
  return of.start ? `${of.start} ${moves}`.trim() : moves;
}

/** All moves of a game of the server's, behind the board that it starts from if that is another. */
export const lineOf = (game) => (game.start ? `${game.start} ${game.moves}`.trim() : game.moves);

/** The filters as parameters. */
export function filterParameters(filters = state.filters) {
  const made = [];
  for (const name of FILTERS) {
    const value = filters[name];
    if (Array.isArray(value)) made.push(...value.map((each) => [name, each]));
    else if (value) made.push([name, value]);
  }
  return made;
}

/** Years as one filter, of which either end may be missing. */
export const yearsOf = (from, to) => (from === to ? from : `${from}-${to}`);

function address(of) {
  const made = new URLSearchParams();
  const put = (name, value, usual) => { if (value !== usual) made.append(name, value); };
  put("line", of.text === null ? lineText(of, of.moves.length) : of.text, "");
  put("ply", String(of.ply), String(of.moves.length));
  put("flip", of.flip ? "yes" : "no", "no");
  put("overlay", of.overlay, DEFAULTS.overlay);
  put("for", of.pov, DEFAULTS.pov);
  put("sort", of.sort, DEFAULTS.sort);
  put("panel", of.panel, DEFAULTS.panel);
  put("search", of.search ? "yes" : "no", "no");
  put("order", of.order, DEFAULTS.order);
  put("kind", of.kind, DEFAULTS.kind);
  if (of.game !== null) made.append("game", of.game);
  for (const [name, value] of filterParameters(of.filters)) made.append(name, value);
  const text = made.toString().replaceAll("%20", "+");
  return text ? `?${text}` : location.pathname;
}

/** Reads the state that an address stands for. */
export function fromAddress(search) {
  const asked = new URLSearchParams(search);
  const made = { ...DEFAULTS, filters: {} };
  const line = (asked.get("line") ?? asked.get("board") ?? "").trim();
  const board = BOARD.exec(line);
  if (MOVES.test(line)) made.moves = split(line.toLowerCase());
  else if (board) {
    const squares = board[1].replace(/[. ]/g, "-").replace(/[*x]/g, "X").replace(/o/g, "O");
    const start = `${squares} ${board[2] === "*" ? "X" : board[2]}`;
    made.start = start === START ? null : start;
    made.moves = split(board[3]);
  } else made.text = line;
  const ply = Number(asked.get("ply") ?? made.moves.length);
  made.ply = Number.isInteger(ply) ? Math.max(0, Math.min(ply, made.moves.length)) : made.moves.length;
  made.flip = asked.get("flip") === "yes";
  made.search = asked.get("search") === "yes";
  const overlay = asked.get("overlay");
  if (OVERLAYS.includes(overlay)) made.overlay = overlay;
  if (asked.get("for") === "black") made.pov = "black";
  const sort = asked.get("sort") ?? "", order = asked.get("order");
  if (isColumn(sort.replace(/^-/, ""))) made.sort = sort;
  if (asked.get("panel")) made.panel = asked.get("panel");
  if (ORDERS.includes(order)) made.order = order;
  if (asked.get("kind")) made.kind = asked.get("kind");
  if (/^\d+$/.test(asked.get("game") ?? "")) made.game = Number(asked.get("game"));
  // As years were asked for once.
  const ends = [asked.get("from_year") ?? "", asked.get("to_year") ?? ""];
  if (!asked.has("years") && ends.some(Boolean)) asked.set("years", yearsOf(...ends));
  for (const name of FILTERS) {
    const given = asked.getAll(name).filter((value) => value && (POSSIBLE[name]?.test(value) ?? true));
    const values = REPEATED.includes(name) ? given : given.slice(0, 1);
    if (values.length) made.filters[name] = values.length > 1 ? values : values[0];
  }
  return made;
}

/** Moves in one word, taken apart. */
export const split = (line) => line.match(/[a-h][1-8]/gi) ?? [];

/**
 * Changes the state. `how` is "push" for a step that the browser's back takes back, "replace" for
 * one that it doesn't, "none" where the address is already right.
 */
export function change(patch, how = "push") {
  const before = state;
  state = { ...state, ...patch };
  const link = address(state);
  const here = location.search || location.pathname;
  if (how !== "none" && link !== here) history[how === "push" ? "pushState" : "replaceState"](null, "", link);
  for (const call of listeners) call(state, before, how);
}

/** Goes to the end of a line from the start or from a board; `patch` may say otherwise. */
export function goTo(line, patch = {}, how = "push") {
  const { start, moves, ply, text } = fromAddress(`?line=${encodeURIComponent(line)}`);
  change({ start, moves, ply, text, game: null, ...patch }, how);
}

/** Plays a move at the shown position: forward where it is the next of the line. */
export function play(move, how = "push") {
  if (state.text !== null) return;
  if (state.moves[state.ply] === move) change({ ply: state.ply + 1 }, how);
  else change({ moves: [...state.moves.slice(0, state.ply), move], ply: state.ply + 1, game: null }, how);
}

/** Goes to a ply of the line. */
export function step(ply, how = "push") {
  const to = Math.max(0, Math.min(state.moves.length, ply));
  if (to !== state.ply && state.text === null) change({ ply: to }, how);
}

addEventListener("popstate", () => change(fromAddress(location.search), "none"));
