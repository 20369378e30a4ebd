// Finding: openings and players by name while one types; anything else that is typed, pasted or dropped is read.

import { h, byId, quiet, many } from "./dom.js";
import { get, send } from "./api.js";
import { change, goTo } from "./state.js";

const LARGEST = 4 * 1024 * 1024;
const LISTED = 12;
// Of a board without a side to move.
export const ASSUMED = "The board does not say whose turn it is: Black\u2019s is assumed. X or O behind the squares says it.";
// So many players are listed below openings, and where there is no opening.
const FEW_PLAYERS = 3, MORE_PLAYERS = 8;

export function makeFind(on) {
  const form = byId("find"), input = byId("find-text"), list = byId("find-list");
  // `foundFor` is the text that `found` is for: what is typed next has no hits yet.
  let found = [], foundFor = null, picked = -1, turn = 0;

  function forget() {
    found = [];
    foundFor = null;
    pick(-1);
  }

  function close() {
    list.hidden = true;
    forget();
    input.setAttribute("aria-expanded", "false");
  }

  function pick(index) {
    picked = index;
    [...list.children].forEach((item, at) => item.setAttribute("aria-selected", String(at === index)));
    if (index < 0) input.removeAttribute("aria-activedescendant");
    else {
      input.setAttribute("aria-activedescendant", `find-${index}`);
      list.children[index].scrollIntoView({ block: "nearest" });
    }
  }

  function take(item) {
    close();
    input.value = "";
    input.blur();
    if (item.query) {
      input.value = item.query;
      input.focus();
      look();
    } else if (item.player) gamesOf(item.player);
    else {
      on.notice("");
      goTo(item.line);
    }
  }

  function gamesOf(player) {
    on.notice("");
    change({ panel: "games", filters: { player } });
    on.say(`Games of ${player}`);
  }

  function draw(items, note) {
    found = items;
    foundFor = input.value.trim();
    list.replaceChildren(...items.map((item, at) => h("li", {
      id: `find-${at}`, role: "option", "aria-selected": "false",
      onpointerdown: (event) => { event.preventDefault(); take(item); },
    }, h("span", { class: "name" }, item.name), h("span", { class: "moves-text" }, item.also ?? "", item.line ?? ""))),
    ...(note ? [h("li", { class: "note", role: "presentation" }, note)] : []));
    list.hidden = !items.length && !note;
    input.setAttribute("aria-expanded", String(!list.hidden));
    picked = -1;
  }

  async function lookUp() {
    const text = input.value.trim();
    const mine = ++turn;
    if (text.length < 2) return close();
    if (/^(\d+\.?\s*)?[a-h][1-8]/i.test(text) || /[-.XO*]{8}|^[1-8pP]+(\/[1-8pP]+){4}|^[012]{16}/i.test(text)) return draw([], "Enter goes there");
    try {
      const [{ openings, similar }, players] = await Promise.all([get("openings", { query: text }), playersLike(text)]);
      if (mine !== turn || document.activeElement !== input) return;
      const items = openings.slice(0, LISTED).map(({ name, also, line }) => ({ name, line, names: [name, ...also ?? []], also: also?.length ? `${also.join(", ")} \u00b7 ` : "" }));
      const shown = players.slice(0, items.length ? FEW_PLAYERS : MORE_PLAYERS);
      for (const name of items.length || shown.length ? [] : similar ?? []) items.push({ name: `${name}?`, query: name });
      for (const { name, games } of shown) items.push({ name, player: name, also: `player, ${many(games, "game")}` });
      const more = openings.length - LISTED;
      draw(items, items.length ? (more > 0 ? `and ${more} more openings` : null) : "No opening and no player of that name; Enter reads it as anything else");
    } catch (error) {
      if (mine === turn) draw([], error.message);
    }
  }
  const look = quiet(120, lookUp);

  /** Players of the book's games; the openings do without them. */
  async function playersLike(text) {
    if (!on.stats()?.games) return [];
    try {
      return (await get("players", { prefix: text })).players;
    } catch {
      return [];
    }
  }

  /** What a whole name means: spelled just so, then but for case and accents; or the only one of its kind. */
  function meant(text) {
    const openings = found.filter((item) => item.names);
    const by = (same) => openings.find((item) => item.names.some(same)) ?? found.find((item) => item.player && same(item.player));
    return by((name) => name === text) ?? by((name) => folded(name) === folded(text))
      ?? (openings.length === 1 ? openings[0] : found.length === 1 ? found[0] : null);
  }

  input.addEventListener("input", () => {
    forget();
    look();
  });
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (list.hidden || !found.length) return;
      event.preventDefault();
      const by = event.key === "ArrowDown" ? 1 : -1;
      pick((picked + by + found.length + (picked < 0 && by < 0 ? 1 : 0)) % found.length);
    } else if (event.key === "Escape") {
      if (list.hidden) input.blur();
      close();
    }
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const text = input.value.trim();
    if (picked >= 0) return take(found[picked]);
    if (foundFor !== text) {
      // What was to be looked up in a moment is now, and may not draw over what is told of it.
      look.stop();
      await lookUp();
      if (input.value.trim() !== text) return;
    }
    const exact = meant(text);
    if (exact) return take(exact);
    // Several may be meant: nobody knows which but who asks.
    if (found.length) {
      const several = "Choose one: Enter takes the marked one";
      draw(found, several);
      pick(0);
      on.say(several);
    } else if (text) read(text);
  });
  input.addEventListener("paste", (event) => {
    const text = event.clipboardData.getData("text");
    if (!/\n/.test(text.trim()) && text.length < 400) return;
    event.preventDefault();
    read(text);
  });
  document.addEventListener("paste", (event) => {
    if (event.target.closest?.("input,textarea,select,[contenteditable]") || document.querySelector("dialog[open]")) return;
    const file = event.clipboardData.files[0];
    const text = event.clipboardData.getData("text");
    if (file || text.trim()) read(file ?? text);
  });

  const veil = byId("drop");
  let depth = 0;
  const carries = (event) => [...event.dataTransfer.types].some((type) => type === "Files" || type === "text/plain");
  document.addEventListener("dragenter", (event) => { if (carries(event)) { depth += 1; veil.hidden = false; } });
  document.addEventListener("dragleave", () => { depth = Math.max(0, depth - 1); if (!depth) veil.hidden = true; });
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    depth = 0;
    veil.hidden = true;
    const file = event.dataTransfer.files[0];
    const text = event.dataTransfer.getData("text/plain");
    if (file || text) read(file ?? text);
  });

  /** Has the server read a text or a file, and goes there. */
  async function read(what) {
    const size = what.size ?? what.length;
    if (size > LARGEST) return on.notice(`That is larger than 4 MiB. Import it instead: ${on.command("games import", "FILE")}`, "bad");
    close();
    on.say("Reading");
    try {
      const told = await (await send("read", {}, what)).json();
      input.value = "";
      input.blur();
      on.notice("");
      if (told.kind === "position") {
        goTo([told.board, told.line].filter(Boolean).join(" "));
        on.say(told.name ?? "Position read");
        if (told.turn_assumed) on.notice(ASSUMED);
      } else on.games(told);
    } catch (error) {
      on.notice([refusal(error, on.command), advice(what, error.message)].filter(Boolean).join(" "), "bad");
    }
  }

  /** What can be read, where the server has not said so; and where players are, whom it knows nothing of. */
  function advice(what, told) {
    const isName = typeof what === "string" && /^\p{L}[\p{L}\p{M} .,'\u2019-]{1,60}$/u.test(what);
    if (isName && on.stats()?.games) return "Players are found under Games, by the beginnings of their names.";
    return /\bexpected\b/.test(told) ? "" : "A line such as f5d6c3, a board with the side to move, an opening\u2019s name, or games (PGN, GGF, SGF, WTHOR) can be read.";
  }

  return { focus: () => { input.focus(); input.select(); } };
}

/** A name without what writers of it differ in. */
const folded = (name) => name.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** What helps on the page itself. */
const HERE = {
  find_players: "Type the beginning of a name under Games: the field lists those that there are.",
  latest_games: "The games below a position name their events: clear the field to see them.",
};

/** What is wrong, and what helps: on the page where that is known, else the command of a terminal. */
export function refusal({ message, hints }, command) {
  const typed = (words) => command(words.replace(/^rosebill /, ""));
  const helps = (hints ?? []).map((hint) => HERE[hint.kind] ?? `In a terminal: ${hint.commands.map(typed).join(" or ")}`);
  return [sentence(message), ...helps].join(" ");
}

export const sentence = (text) => {
  const trimmed = String(text).trim();
  const first = trimmed.charAt(0).toUpperCase() + trimmed.slice(1);
  return /[.!?]$/.test(first) ? first : `${first}.`;
};
