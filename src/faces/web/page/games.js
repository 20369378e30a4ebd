// Games through the shown position: who, when, how they ended; a click loads one.

import { h, set, replace, count, many, percent, quiet, disc, bar } from "./dom.js";
import { get } from "./api.js";
import { now, change, listen, lineOf, lineText, filterParameters, split, yearsOf } from "./state.js";

const PAGE = 20;
const ORDERS = [["date", "latest first"], ["rating", "highest rated first"], ["result", "largest win of Black first"], ["player", "by name"]];

export function make(box, context) {
  let serial = 0, drawn = "";
  const names = h("datalist", { id: "player-names" });
  const field = (name, label, attributes = {}) => {
    const input = h("input", { type: "text", name, "aria-label": label, placeholder: label, autocomplete: "off", spellcheck: "false", ...attributes });
    return input;
  };
  const choice = (name, label, options) => h("select", { name, "aria-label": label, title: label }, options.map(([value, text]) => h("option", { value }, text)));
  const player = field("player", "player", { list: "player-names", class: "wide" });
  const against = field("against", "against", { list: "player-names", class: "wide" });
  const colour = choice("colour", "The player's color", [["", "any color"], ["black", "Black"], ["white", "White"]]);
  const event = field("event", "event");
  const from = field("from", "from", { inputmode: "numeric", maxlength: 4, class: "year" });
  const to = field("to", "to", { inputmode: "numeric", maxlength: 4, class: "year" });
  const result = choice("result", "Result", [["", "any result"], ["black", "Black won"], ["draw", "drawn"], ["white", "White won"]]);
  const programs = choice("programs", "Programs", [["", "programs or people"], ["no", "people only"], ["yes", "with a program"]]);
  const order = choice("order", "Order", ORDERS);
  const swap = h("button", { type: "button", class: "small", hidden: true, onclick: () => change({ filters: swapped(now().filters) }) });
  const clear = h("button", { type: "button", class: "small", onclick: () => change({ filters: {} }) }, "clear");
  const wrong = h("span", { class: "bad", role: "status", hidden: true }, "A year has four digits.");
  const form = h("form", { class: "filters", "aria-label": "Filters", autocomplete: "off" },
    player, colour, against, event, from, to, wrong, result, programs, clear, names);
  const tally = h("p", { class: "tally", role: "status" });
  const list = h("ol", { class: "games" });
  const more = h("button", { type: "button", class: "more", hidden: true }, "more games");
  const who = h("div", { class: "who" });
  box.append(form, h("div", { class: "above" }, tally, swap, order), list, more, who);

  form.addEventListener("submit", (submitted) => { submitted.preventDefault(); apply(); });
  order.addEventListener("change", () => change({ order: order.value }));
  for (const input of [colour, result, programs]) input.addEventListener("change", () => apply());
  const soon = quiet(500, () => apply("replace")), later = quiet(700, () => apply("replace"));
  for (const input of [event, from, to]) input.addEventListener("input", soon);
  for (const input of [player, against]) {
    input.addEventListener("input", quiet(120, () => suggest(input)));
    input.addEventListener("input", later);
    input.addEventListener("change", () => apply());
  }
  // What was typed and is no filter yet: it stays in its field until filters change in another way.
  const pending = new Set();
  let applies = false;
  form.addEventListener("input", ({ target }) => pending.add(target));
  // The fields follow at once, and nothing typed earlier comes after: the server may be slow. An address that the
  // browser goes back to says it all.
  listen((state, before, how) => {
    if (how !== "none" && JSON.stringify(filterParameters(state.filters)) === JSON.stringify(filterParameters(before.filters))) return;
    if (!applies) pending.clear();
    soon.stop();
    later.stop();
    fill(state);
  });

  async function suggest(input) {
    const prefix = input.value.trim();
    if (prefix.length < 2) return;
    try {
      const { players } = await get("players", { prefix });
      replace(names, players.map((each) => h("option", { value: each.name }, `${many(each.games, "game")}${each.program ? ", program" : ""}`)));
    } catch { /* the names are a help only */ }
  }

  // What stands in a field stays as the address has it, with its commas, until it is edited.
  const written = new Map();
  const typed = (input) => {
    const shown = written.get(input);
    if (shown?.text === input.value && shown.value) return shown.value;
    const names = input.value.split(",").map((name) => name.trim()).filter(Boolean);
    return names.length > 1 ? names : names[0] ?? "";
  };

  const isYear = (text) => /^\d{4}$/.test(text);
  function apply(how = "push") {
    pending.clear();
    const year = (input) => (isYear(input.value.trim()) ? input.value.trim() : "");
    for (const input of [from, to]) tellYear(input, Boolean(input.value.trim()) && !year(input));
    const filters = {};
    const name = typed(player), other = typed(against);
    // A colour waits for a name.
    if (colour.value && !name.length && !other.length) pending.add(colour);
    if (colour.value === "black") Object.assign(filters, { black: name, white: other });
    else if (colour.value === "white") Object.assign(filters, { white: name, black: other });
    else Object.assign(filters, { player: name, against: other });
    Object.assign(filters, { event: event.value.trim(), years: yearsOf(year(from), year(to)), result: result.value, programs: programs.value });
    const { xot, theory, source, rating, opening, position } = now().filters;
    Object.assign(filters, { xot, theory, source, rating, opening, position });
    for (const [key, value] of Object.entries(filters)) if (!value) delete filters[key];
    applies = true;
    if (JSON.stringify(filterParameters(filters)) !== JSON.stringify(filterParameters())) change({ filters }, how);
    applies = false;
  }

  /** Somebody plays against another once there is somebody. */
  function pair() {
    against.disabled = colour.value === "" && !player.value.trim();
    against.title = against.disabled ? "First a player: then the games against another" : "Only games against this player";
  }
  player.addEventListener("input", pair);

  /** Says beside the years whether one of them is none: it stays there, and counts for nothing. */
  function tellYear(input, isWrong) {
    if (isWrong) pending.add(input);
    set(input, "aria-invalid", isWrong ? "true" : null);
    set(input, "title", isWrong ? "A year has four digits: this counts for nothing" : null);
    wrong.hidden = ![from, to].some((each) => each.hasAttribute("aria-invalid"));
  }

  function fill(state) {
    // What means the same stays as it is written: a blank behind a word has just been typed.
    const put = (input, value) => {
      if (!pending.has(input) && input.value.trim() !== (value ?? "")) input.value = value ?? "";
    };
    const putNames = (input, value) => {
      const same = JSON.stringify([typed(input)].flat().filter(Boolean)) === JSON.stringify([value].flat().filter(Boolean));
      if (!same || !value) put(input, [value].flat().filter(Boolean).join(", "));
      if (!pending.has(input)) written.set(input, { text: input.value, value });
    };
    const { filters } = state;
    const isNamed = filters.player || filters.black || filters.white;
    if (isNamed) colour.value = filters.player ? "" : filters.black && !(colour.value === "white" && filters.white) ? "black" : "white";
    else if (!pending.has(colour)) colour.value = "";
    putNames(player, filters.player ?? (colour.value === "white" ? filters.white : filters.black));
    putNames(against, filters.against ?? (colour.value === "white" ? filters.black : colour.value === "black" ? filters.white : ""));
    put(event, filters.event);
    const [first, last = first] = (filters.years ?? "").split("-");
    put(from, first);
    put(to, last);
    for (const input of [from, to]) if (!pending.has(input)) tellYear(input, false);
    pair();
    result.value = filters.result ?? "";
    programs.value = filters.programs ?? "";
    order.value = state.order;
    clear.hidden = filterParameters(filters).length === 0;
  }

  const swapped = ({ black, white, ...rest }) => ({ ...rest, black: white, white: black });

  /** Offers the games of two players with the colours the other way round, and says how many there are. */
  async function offerSwap(state, mine) {
    const { black, white } = state.filters;
    swap.hidden = true;
    if (!black || !white) return;
    try {
      const told = await get("games", [["line", lineText(state)], ...filterParameters(swapped(state.filters)), ["limit", 1]]);
      if (mine !== serial) return;
      swap.textContent = `colors changed: ${many(told.count, "game")}`;
      swap.title = `Games in which ${[white].flat().join(" or ")} had Black and ${[black].flat().join(" or ")} White`;
      swap.hidden = false;
    } catch { /* what is wrong with the names the list says */ }
  }

  /** A game in words: discs and heavy letters tell colours and who won only to those who see them. */
  function spoken({ black, white, black_discs: discs, winner, result, event, date }) {
    const isPlayed = discs !== null && discs !== undefined;
    const [first, second] = winner === "white" ? [`${white ?? "?"}, White,`, black] : [`${black ?? "?"}, Black,`, white];
    const score = isPlayed ? ` ${Math.max(discs, 64 - discs)}-${Math.min(discs, 64 - discs)}` : "";
    const how = !winner ? "against" : winner === "draw" ? `drew${score} with` : `won${score} against`;
    return [`${first} ${how} ${second ?? "?"}`, isPlayed || result === "*" ? null : result, event, date].filter(Boolean).join(", ");
  }

  const discsOn = (board) => board.replace(/[-.]/g, "").length;

  /** The ply at which a game comes to the shown position; by turning it, or by other moves, too. */
  function plyOf(game, state) {
    const shown = context.view().path[state.ply]?.board;
    const ply = shown ? discsOn(shown) - (game.start ? discsOn(game.start.slice(0, 64)) : 4) : state.ply;
    return Math.max(0, Math.min(split(game.moves).length, ply));
  }

  const rowOf = (game, state) => {
    const name = (text, side, wins) => h("span", { class: wins ? "won" : null, title: text }, disc(side), text ?? "?");
    const event = [game.event, game.date].filter(Boolean).join(" \u00b7 ");
    return h("li", {}, h("a", {
      href: `?game=${game.id}&line=${encodeURIComponent(lineOf(game))}&ply=${plyOf(game, state)}`, "data-key": `game-${game.id}`, class: "game", "aria-label": spoken(game),
      "aria-current": state.game === game.id ? "true" : null,
      onclick: (clicked) => {
        if (clicked.metaKey || clicked.ctrlKey || clicked.shiftKey) return;
        clicked.preventDefault();
        open(game);
      },
    },
    h("span", { class: "pair" }, name(game.black, "black", game.winner === "black"), " ", name(game.white, "white", game.winner === "white")),
    h("b", { class: "result" }, game.result ?? "*"),
    h("span", { class: "event", title: event }, event)));
  };

  /** Loads a game: its line, at the position from which it was chosen. */
  function open(game) {
    const state = now();
    context.loadGame(game);
    change({ start: game.start ?? null, text: null, moves: split(game.moves), ply: plyOf(game, state), game: game.id, panel: "game" });
  }

  const scored = (percent) => (percent === null || percent === undefined ? "" : `scored ${percent}%`);

  function whoPlays(position) {
    const games = position.games;
    if (!games?.players?.length) return [];
    return [h("h3", {}, `Players here (${count(games.different_players ?? games.players.length)})`),
      h("p", { class: "chips" }, games.players.slice(0, 8).map((each, index) => h("button", {
        type: "button", class: "small", title: [many(each.games, "game"), each.percent === null ? "" : `scored ${each.percent} % (a draw is a half)`].filter(Boolean).join(", "),
        onclick: () => change({ filters: { ...now().filters, player: each.name } }),
      }, `${each.name} `, h("span", { class: "soft" }, [count(each.games), scored(position.player_percents?.[index])].filter(Boolean).join(" \u00b7 ")))))];
  }

  const none = h("li", { class: "plain" });
  function noGame(state, position) {
    if (filterParameters(state.filters).length) return "No game of this position passes the filters.";
    if (position.over) return "No game ended like this.";
    return position.in_book ? "No game came here. The table shows what the book thinks of it."
      : "No game came here, and the book does not have the position: the table shows what a search says.";
  }

  async function show(state, view) {
    fill(state);
    if (!view.stats) return;
    if (!view.stats.games) {
      drawn = "";
      form.hidden = order.hidden = more.hidden = swap.hidden = true;
      replace(list);
      replace(who);
      replace(tally, view.stats.is_starter ? starter(view.stats, context.command) : h("span", {}, "This book has no games yet. Import some: ", h("code", {}, context.command("games import", "FILE")), "."));
      return;
    }
    form.hidden = order.hidden = false;
    const line = lineText(state);
    const base = [["line", line], ...filterParameters(state.filters), ["sort", state.order]];
    const stamp = JSON.stringify([base, view.stats?.games, state.game]);
    const tellWho = () => {
      const { position, isLate } = context.view();
      if (!position || isLate) return;
      replace(who, whoPlays(position));
      none.textContent = noGame(state, position);
    };
    if (stamp === drawn) return tellWho();
    drawn = stamp;
    const mine = ++serial;
    let told;
    try {
      told = await get("games", [...base, ["limit", PAGE]]);
    } catch (error) {
      if (mine !== serial) return;
      drawn = "";
      replace(tally, h("span", { class: "bad" }, context.refusal(error)));
      replace(list);
      more.hidden = swap.hidden = true;
      return;
    }
    if (mine !== serial) return;
    const narrowed = filterParameters(state.filters).length > 0;
    replace(tally, h("span", {}, h("b", {}, count(told.count)), ` of ${count(told.of)} games`,
      h("span", { class: "soft" }, `${state.ply ? " come here" : ""}${narrowed ? ", filtered" : ""}`)),
      told.count && view.position?.games?.games ? bar([view.position.games.black, view.position.games.draw, view.position.games.white],
        `Black won ${percent(view.position.games.black / view.position.games.games)}, White ${percent(view.position.games.white / view.position.games.games)}`, "results") : null);
    replace(list, told.games.map((game) => rowOf(game, state)));
    if (!told.games.length) replace(list, h("li", { class: "plain" }, none));
    following(told.next, base, mine, state);
    offerSwap(state, mine);
    tellWho();
  }

  let unsay = null;
  function following(after, base, mine, state) {
    more.hidden = after === null || after === undefined;
    more.onclick = async () => {
      if (more.disabled) return;
      more.disabled = true;
      try {
        const told = await get("games", [...base, ["limit", PAGE * 2], ["after", after]]);
        unsay?.();
        if (mine !== serial) return;
        const first = list.children.length;
        list.append(...told.games.map((game) => rowOf(game, state)));
        list.children[first]?.querySelector("a").focus({ preventScroll: true });
        following(told.next, base, mine, state);
      } catch (error) {
        unsay = context.notice(context.sentence(error.message), "bad");
      } finally {
        more.disabled = false;
      }
    };
  }

  return { show };
}

function starter(stats, command) {
  return h("div", { class: "welcome" },
    h("h3", {}, "Welcome"),
    h("p", {}, `There is no book of your own yet, so this is the starter book that comes with the program: ${many(stats.positions, "position")}. Everything works with it; what it does not know is searched while you look.`),
    h("p", {}, "Make a book and let it grow, for a minute or a month:"),
    h("p", {}, h("code", {}, command("grow", "--time 60s"))),
    h("p", {}, "Import games, and each position shows what was played there:"),
    h("p", {}, h("code", {}, command("games import", "WTH_2023.wtb"))));
}
