// What came out of a pasted or dropped text: one game is loaded, of several one is chosen.

import { h, byId, many } from "./dom.js";
import { goTo } from "./state.js";
import { show } from "./keys.js";

export function showRead(told, context) {
  const games = told.games ?? [];
  const refused = (told.refused ?? []).map((each) => `${each.where ? `${each.where}: ` : ""}${each.message}`);
  if (!games.length) {
    context.notice(refused.length ? context.sentence(refused[0]) : "No game was found in it.", "bad");
    return;
  }
  if (games.length === 1) {
    load(games[0], context);
    if (refused.length) context.notice(`${many(refused.length, "game")} could not be read. ${context.sentence(refused[0])}`, "bad");
    return;
  }
  const dialog = byId("dialog");
  const all = many(games.length, "game");
  show(dialog, `${told.more ? `The first ${all} of more` : all} (${told.format})`,
    told.more ? h("p", { class: "plain" }, "The page reads no more games at once. All of them are imported into the book by ", h("code", {}, context.command("games import", "FILE")), ".") : null,
    h("ol", { class: "pick" }, games.map((each) => h("li", {}, h("button", {
      type: "button",
      onclick: () => { dialog.close(); load(each, context); },
    }, h("b", {}, each.title ?? "A game"), h("span", { class: "soft" }, each.line.slice(0, 24)))))),
    refused.length ? h("div", { class: "refused" }, h("h3", {}, `${many(refused.length, "game")} could not be read`), h("ul", {}, refused.slice(0, 20).map((text) => h("li", {}, text)))) : null);
}

async function load(each, context) {
  const line = each.start ? `${each.start} ${each.line}` : each.line;
  context.load({ title: each.title ?? "A game", facts: each.game?.event ?? "", line, black: each.game?.black, white: each.game?.white, result: each.game?.result });
  goTo(line, { panel: "game", ply: 0 });
  const panel = await context.panels.of("game");
  panel?.analyse(each.game && each.start ? JSON.stringify(each.game) : null);
}
