// Changing the shown position by hand: what it is worth, and whether the book has it.

import { h, replace, many, say, sideName } from "./dom.js";
import { send } from "./api.js";
import { now, lineText } from "./state.js";

export function makeEdit(context) {
  const value = h("input", { type: "number", min: -64, max: 64, step: 0.01, required: true, "aria-label": "Value in discs, for the side to move" });
  const whose = h("span", {}, "Its value");
  const author = h("input", { type: "text", maxlength: 60, placeholder: "your name", "aria-label": "Your name" });
  const button = (text, about, call) => h("button", { type: "button", title: about, onclick: call }, text);
  const set = button("Set", "Set what this position is worth, in discs for the side to move", setValue);
  const clear = button("Clear", "Clear the value that was set", clearValue);
  const remove = button("Remove", "Take this position out of the book", () => take(false));
  const below = button("Remove with all below", "Take out this position and all that is only reached through it", () => take(true));
  const told = h("p", { class: "told", role: "status" });
  const form = h("form", { class: "grow", onsubmit: (event) => { event.preventDefault(); setValue(); } },
    h("label", {}, whose, value), h("label", {}, h("span", {}, "By"), author),
    h("div", { class: "buttons" }, set, clear, remove, below));
  const box = h("section", { class: "edit", "aria-label": "Change this position" }, h("h3", {}, "Change this position"), form, told);
  let waits = false, isKnown = false, isSet = false, unsay = null, shown = null;

  async function ask(path, wanted) {
    const headers = { Authorization: `Bearer ${context.token()}`, "Content-Type": "application/json" };
    const answer = await send(path, null, JSON.stringify(wanted), { headers });
    return answer.json();
  }
  /** Changes the book, and says what came of it. */
  async function change(path, wanted, done) {
    try {
      const found = await ask(path, { line: lineText(now()), ...wanted });
      unsay?.();
      replace(told, h("b", {}, done(found)), " \u201cUndo the last change\u201d takes it back.");
      return found;
    } catch (error) {
      unsay = context.notice(context.sentence(error.message), "bad");
      return null;
    }
  }
  function setValue() {
    if (!value.reportValidity()) return;
    change("set", { value: Number(value.value), author: author.value }, () => "The value is set.");
  }
  function clearValue() {
    change("set", { clear: true }, () => "The value is cleared.");
  }
  async function take(all) {
    const line = lineText(now());
    if (all) {
      let found;
      try {
        found = await ask("remove", { line, below: true, dry_run: true });
      } catch (error) {
        unsay = context.notice(context.sentence(error.message), "bad");
        return;
      }
      if (!confirm(`Remove ${many(found.removed, "position")}?`)) return;
    }
    change("remove", { line, below: all }, (found) => `${many(found.removed, "position")} removed${found.search_due ? `, ${many(found.search_due, "search")} due` : ""}.`);
  }
  function draw() {
    set.disabled = waits;
    clear.disabled = waits || !isSet;
    remove.disabled = below.disabled = waits || !isKnown;
  }

  return {
    box,
    /** While it grows nothing is changed. */
    wait(isGrowing) { waits = isGrowing; draw(); },
    show(state, view) {
      const position = view.position;
      isKnown = Boolean(position?.in_book);
      isSet = Boolean(position?.judgement);
      box.hidden ||= Boolean(position?.over);
      if (position) say(whose, `Its value for ${sideName(position.position.side)}`);
      const line = lineText(state);
      if (shown !== null && line !== shown) replace(told);
      shown = line;
      draw();
    },
  };
}
