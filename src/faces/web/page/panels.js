// The panels under the table: each is fetched when it is first opened.

import { h, set, byId } from "./dom.js";
import { now, change } from "./state.js";

const PANELS = [
  ["games", "Games", () => import("./games.js")],
  ["lines", "Lines", () => import("./tree.js")],
  ["game", "Analysis", () => import("./game.js")],
  ["discover", "Discover", () => import("./discover.js")],
  ["training", "Training", () => import("./training.js")],
  ["growth", "Growth", () => import("./growth.js")],
];

const BESIDE_BOARD = ["game", "training"];

let isStyled = null;
/** The looks of the panels come with the first of them. */
function style() {
  isStyled ??= new Promise((loaded) => {
    document.head.append(h("link", { rel: "stylesheet", href: new URL("./panels.css", import.meta.url), onload: loaded, onerror: loaded }));
  });
  return isStyled;
}

/** `context` is handed to every panel; a panel has `show(state, view)` and maybe `leave()`. */
export function makePanels(place, context) {
  const open = new Map();
  const tabs = h("div", { role: "tablist", "aria-label": "More of this position" });
  const body = h("div", { class: "panel", role: "tabpanel", tabindex: "-1" });
  const buttons = new Map(PANELS.map(([key, title]) => [key, h("button", {
    type: "button", role: "tab", id: `tab-${key}`, "data-key": key, onclick: () => change({ panel: key }),
  }, title)]));
  tabs.append(...buttons.values());
  body.id = "panel";
  place.append(tabs, body);
  let current = null, wanted = null;

  tabs.addEventListener("keydown", (event) => {
    const shown = [...buttons.values()].filter((button) => !button.hidden);
    const at = shown.indexOf(document.activeElement);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: shown.length - 1 }[event.key];
    if (to === undefined || at < 0) return;
    event.preventDefault();
    event.stopPropagation();
    const next = shown[(to + shown.length) % shown.length];
    next.focus();
    next.click();
  });

  async function show(state, view) {
    const key = buttons.has(state.panel) ? state.panel : "games";
    buttons.get("growth").hidden = !context.canGrow();
    for (const [name, button] of buttons) {
      set(button, "aria-selected", String(name === key));
      set(button, "tabindex", name === key ? "0" : "-1");
      set(button, "aria-controls", name === key ? "panel" : null);
    }
    set(body, "aria-labelledby", `tab-${key}`);
    wanted = key;
    let panel = open.get(key);
    if (!panel) {
      const load = PANELS.find(([name]) => name === key)[2];
      try {
        const [module] = await Promise.all([load(), style()]);
        panel = open.get(key);
        if (!panel) {
          const box = h("div", { class: `in-${key}` });
          panel = { box, ...module.make(box, context) };
          open.set(key, panel);
        }
      } catch {
        if (wanted !== key) return;
        current?.leave?.();
        current = null;
        body.replaceChildren(h("p", { class: "plain" }, "This part of the page could not be fetched. Load the page again."));
        return;
      }
      if (wanted !== key) return;
      state = now();
      view = context.view();
    }
    if (current !== panel) {
      current?.leave?.();
      const isFirst = current === null;
      current = panel;
      body.replaceChildren(panel.box);
      // On a phone these stand right under the board.
      if (!isFirst && BESIDE_BOARD.includes(key) && matchMedia("(max-width: 699px)").matches) byId("board-box").scrollIntoView();
    }
    panel.show(state, view);
  }

  /** The panel of a name, once it is there. */
  async function of(key) {
    change({ panel: key });
    for (let tries = 0; tries < 100 && !open.get(key); tries += 1) await new Promise((go) => setTimeout(go, 20));
    return open.get(key);
  }

  return { show, of, active: () => (open.has(wanted) ? { key: wanted, ...open.get(wanted) } : null), opened: (key) => open.get(key) };
}
