// The book's best lines from the shown position, as a tree that unfolds.

import { h, replace, signed, worth, count, many, percent, quoted } from "./dom.js";
import { get } from "./api.js";
import { now, lineText, filterParameters, goTo } from "./state.js";

const WORDS = { draw_seeking: "draw-seeking", win_seeking: "win-seeking", games: "games" };
const FIRST = 20, MOST = 200;

export function make(box, context) {
  const head = h("p", { class: "tally" });
  const tree = h("ul", { role: "tree", "aria-label": "Best lines", class: "tree" });
  const more = h("button", { type: "button", class: "more" }, "more lines");
  box.append(head, tree, more);
  let drawn = "", serial = 0, wanted = FIRST, folded = new Set(), lines = [];

  more.addEventListener("click", () => {
    wanted = Math.min(MOST, wanted * 3);
    show(now(), context.view());
  });
  tree.addEventListener("keydown", (event) => {
    const items = [...tree.querySelectorAll('[role="treeitem"]')].filter((item) => !item.parentElement.closest('[aria-expanded="false"]'));
    const item = event.target.closest('[role="treeitem"]');
    const at = items.indexOf(item);
    if (at < 0) return;
    const open = item.getAttribute("aria-expanded");
    let to = null;
    if (event.key === "ArrowDown") to = items[at + 1];
    else if (event.key === "ArrowUp") to = items[at - 1];
    else if (event.key === "Home") to = items[0];
    else if (event.key === "End") to = items.at(-1);
    else if (event.key === "ArrowRight") { if (open === "false") fold(item); else to = open === "true" ? items[at + 1] : null; }
    else if (event.key === "ArrowLeft") { if (open === "true") fold(item); else to = item.parentElement.closest('[role="treeitem"]'); }
    else if (event.key === "Enter" || event.key === " ") item.querySelector("button.end")?.click();
    else return;
    event.preventDefault();
    event.stopPropagation();
    if (to) rove(to);
  });
  tree.addEventListener("click", (event) => {
    const go = event.target.closest("button[data-line]");
    if (go) return goTo(go.dataset.line);
    const item = event.target.closest('[role="treeitem"]');
    if (item && event.target.closest(".fold")) fold(item);
  });

  function rove(item) {
    for (const other of tree.querySelectorAll('[tabindex="0"]')) other.setAttribute("tabindex", "-1");
    item.setAttribute("tabindex", "0");
    item.focus();
  }
  function fold(item) {
    const open = item.getAttribute("aria-expanded") === "true";
    item.setAttribute("aria-expanded", String(!open));
    if (open) folded.add(item.dataset.prefix);
    else folded.delete(item.dataset.prefix);
  }

  async function show(state, view) {
    const line = lineText(state);
    const by = WORDS[state.overlay] ?? "guess";
    const filters = by === "games" ? filterParameters(state.filters) : [];
    const stamp = JSON.stringify([line, by, wanted, view.stats?.generation, filters]);
    if (stamp === drawn) return;
    if (drawn && JSON.parse(drawn)[0] !== line) folded = new Set();
    drawn = stamp;
    const mine = ++serial;
    let told;
    try {
      told = await get("lines", [["line", line], ["limit", wanted], ["by", by], ...filters]);
    } catch (error) {
      if (mine !== serial) return;
      drawn = "";
      replace(head, h("span", { class: "bad" }, context.sentence(error.message)));
      return;
    }
    if (mine !== serial) return;
    // A position none of whose moves has a value is a line of no moves: there is nothing to draw.
    lines = told.lines.filter((each) => each.continuation);
    const side = view.path[state.ply]?.side === "white" ? "White" : "Black";
    replace(head, lines.length ? [h("b", {}, count(lines.length)), by === "games" ? ` line${lines.length === 1 ? "" : "s"} most played, ` : ` best line${lines.length === 1 ? "" : "s"} by the ${by} value, `,
        h("span", { class: "soft" }, by === "games" ? "behind each is how many games come to its end" : `in discs for ${side}; behind each is what it gives away`)]
      : by === "games" ? "No line from here was played in ten games or more."
      : ["The book has no line from here. Grow it from this position: ", h("code", {}, context.command("grow", line ? `--from ${quoted(line)}` : ""))]);
    more.hidden = lines.length < wanted || wanted >= MOST;
    const base = line + (state.start && !state.moves.length ? " " : "");
    replace(tree, branch(lines.map((each) => ({ ...each, plies: each.continuation.match(/../g) ?? [] })), 0, base, state.ply, 1));
    tree.querySelector('[role="treeitem"]')?.setAttribute("tabindex", "0");
  }

  // Lines that share a move share an item; a run without branches is one item.
  function branch(all, depth, base, ply, level) {
    const groups = new Map();
    for (const line of all) {
      if (line.plies.length <= depth) continue;
      const key = line.plies[depth];
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push(line);
    }
    return [...groups.values()].map((group) => {
      let end = depth + 1;
      while (group.every((line) => line.plies.length > end && line.plies[end] === group[0].plies[end])) end += 1;
      const run = group[0].plies.slice(depth, end);
      const before = base + group[0].plies.slice(0, depth).join("");
      const prefix = before + run.join("");
      // They come best, or most played, first.
      const best = group[0];
      const isLeaf = group.length === 1;
      const open = !folded.has(prefix) && (level <= 2 || group.length <= 3);
      return h("li", {
        role: "treeitem", tabindex: "-1", "data-prefix": prefix, "aria-level": level,
        "aria-expanded": isLeaf ? null : String(open),
        "aria-label": `${run.join(" ")}, ${best.values ? signed(best.values.guess) : many(best.games, "game")}${best.name ? `, ${best.name}` : ""}`,
      },
      h("div", { class: "run" },
        isLeaf ? h("span", { class: "nofold" }) : h("span", { class: "fold", "aria-hidden": "true" }),
        h("span", { class: "plies" }, h("span", { class: "number" }, ply + depth + 1),
          run.map((move, index) => h("button", {
            type: "button", tabindex: "-1", class: index === run.length - 1 ? "end" : null,
            "data-line": before + run.slice(0, index + 1).join(""),
          }, move))),
        h("span", { class: "what" },
          isLeaf && best.name ? h("em", {}, best.name) : null,
          isLeaf ? null : h("span", { class: "soft" }, `${group.length} lines`),
          worthOf(best))),
      isLeaf ? null : h("ul", { role: "group" }, branch(group, end, base, ply, level + 1)));
    });
  }

  /** What a line is worth and gives away; of one that is played, how many games play it to its end. */
  function worthOf(line) {
    if (!line.values) return h("b", { title: `${percent(line.fashion)} as fashionable as the first` }, many(line.games, "game"));
    const given = `given away: ${line.own_regret} by the side to move, ${line.other_regret} by the other`;
    return [h("b", {}, worth(line.values.guess)),
      h("span", { class: line.regret >= 1 ? "regret bad" : "regret soft", title: given }, line.regret < 0.005 ? "\u2605" : `\u2212${line.regret.toFixed(2)}`)];
  }

  return { show };
}
