// What only the book and the games together can tell below a position: novelties, habits, traps and the like.

import { h, replace, many, signed, percent } from "./dom.js";
import { get } from "./api.js";
import { change, lineText, goTo, filterParameters } from "./state.js";

// JSON has standard errors; behind the \u00b1 is the error to expect, as everywhere.
const toExpect = (error) => error / 1.25;

const KINDS = [
  ["novelties", "Novelties", "Good moves that are rarely played", "novelties"],
  ["habits", "Costly habits", "Popular moves that give something away", "novelties"],
  ["traps", "Traps", "Cheap positions that people go wrong in", "traps"],
  ["only-moves", "Only moves", "Positions with one good move that people miss", "only-moves"],
  ["disagreements", "Disagreements", "Positions that games end otherwise from than the book says", "disagreements"],
];

export function make(box, context) {
  let drawn = "", serial = 0, control = null;
  const pick = h("div", { class: "choice", role: "radiogroup", "aria-label": "What to look for" }, KINDS.map(([value, title, about]) =>
    h("label", { title: about }, h("input", { type: "radio", name: "kind", value, onchange: () => change({ kind: value }) }), h("span", {}, title))));
  const about = h("p", { class: "tally", role: "status" });
  const list = h("ol", { class: "found" });
  box.append(h("div", { class: "above" }, pick), about, list);

  const link = (line, ...children) => h("a", {
    href: `?line=${line}`, "data-key": line,
    onclick: (event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      goTo(line);
    },
  }, children);

  const row = (each, move, text) => link(each.line,
    h("span", { class: "move" }, move),
    h("span", { class: "name" }, each.name ?? "No name", h("small", {}, each.line)),
    h("span", { class: "text" }, text));

  const item = {
    novelties: (each) => row(each, each.move, `${each.loss < 0.05 ? "as good as the best" : `${signed(-each.loss)} discs against the best`} (\u00b1${toExpect(each.error).toFixed(1)}); played in ${each.move_games} of ${many(each.games, "game")}; usual is ${each.usual_move}${each.usual_loss >= 0.1 ? `, which gives ${each.usual_loss.toFixed(1)} away` : ""}`),
    habits: (each) => row(each, each.move, `gives ${each.loss.toFixed(1)} away (\u00b1${toExpect(each.error).toFixed(1)}) and is played in ${each.move_games} of ${many(each.games, "game")}; the book prefers ${each.usual_move ?? each.best_line ?? "another"}`),
    traps: (each) => row(each, each.best_move, `${each.side === "black" ? "White" : "Black"} goes wrong in ${percent(each.wrong / each.games)} of ${many(each.games, "game")}, at a cost of ${each.regret.toFixed(1)} to ${each.side === "black" ? "Black" : "White"}: ${each.usual_move} loses ${each.at_least ? "at least " : ""}${each.loss.toFixed(1)}, right is ${each.best_move}`),
    "only-moves": (each) => row(each, each.move, `missed in ${each.missed} of ${many(each.games, "game")}; every other move gives ${each.at_least ? "at least " : ""}${each.loss.toFixed(1)} away, usual is ${each.usual_move}`),
    disagreements: (each) => row(each, each.line.slice(-2) || "start", `for ${each.side === "black" ? "Black" : "White"} the book says ${signed(each.guess)}, ${many(each.games, "game")} end with ${signed(each.mean_score)} on average (difference \u00b1${each.error.toFixed(1)})`),
  };

  async function show(state, view) {
    const line = lineText(state);
    const kind = Object.hasOwn(item, state.kind) ? state.kind : "novelties";
    const [, , meaning, path] = KINDS.find(([key]) => key === kind);
    for (const input of pick.querySelectorAll("input")) input.checked = input.value === kind;
    // Looking goes through many positions: what was found stays while the book grows.
    const filters = filterParameters(state.filters);
    const stamp = JSON.stringify([line, kind, filters, view.stats?.games]);
    if (stamp === drawn) return;
    drawn = stamp;
    const mine = ++serial;
    control?.abort();
    control = new AbortController();
    if (view.stats && !view.stats.games) {
      replace(about, "This book has no games; with games it finds novelties, traps and more: ", h("code", {}, context.command("games import", "FILE")));
      replace(list);
      return;
    }
    replace(about, h("span", { class: "soft" }, "Looking below this position \u2026"));
    let told;
    try {
      const asked = [["line", line], ["limit", 12], ...filters, ...(kind === "habits" ? [["habits", "yes"]] : [])];
      told = await get(path, asked, control.signal);
    } catch (error) {
      if (error.name !== "AbortError" && mine === serial) {
        drawn = "";
        replace(about, h("span", { class: "bad" }, context.refusal(error)));
      }
      return;
    }
    if (mine !== serial) return;
    const found = told[path.replace("-", "_")] ?? [];
    replace(about, found.length ? h("span", {}, meaning, h("span", { class: "soft" }, `, below ${view.position?.name ?? (line || "the start")}${filters.length ? ", in the games that pass the filters" : ""}`))
      : h("span", {}, context.refusal({ message: told.message ?? "nothing was found below this position", hints: told.hints })));
    replace(list, found.map((each) => h("li", {}, item[kind](each))));
  }

  return { show, leave: () => { control?.abort(); drawn = ""; serial += 1; } };
}
