// Growing the book from the shown position, watched while it does.

import { h, replace, count, many } from "./dom.js";
import { get, send, watch } from "./api.js";
import { now, lineText } from "./state.js";
import { makeEdit } from "./edit.js";

const POLICIES = [
  ["best", "what good players reach first"], ["deviate", "every move that gives little away"],
  ["popular", "what games reach most"], ["doubt", "what games reach and the book trusts least"],
  ["fill", "positions missing between known ones"], ["deepen", "search again, deeper"],
  ["solve", "prove the ends"],
];
// The server takes no higher one.
const HIGHEST_LEVEL = 30;
const ENDS = { time: "The time is over.", interrupted: "It was stopped.", nothing_left: "Nothing is left to grow here." };

export function make(box, context) {
  const policy = h("select", {}, POLICIES.map(([value, text]) => h("option", { value }, `${value}: ${text}`)));
  const level = h("input", { type: "number", min: 1, max: HIGHEST_LEVEL, required: true, value: 12, oninput: () => { isChosen = true; } });
  let isChosen = false;
  const time = h("select", {}, [["60", "1 minute"], ["300", "5 minutes"], ["1800", "30 minutes"], ["7200", "2 hours"], ["28800", "8 hours"]].map(([value, text]) => h("option", { value }, text)));
  const start = h("button", { type: "button", class: "main", onclick: begin }, "Grow from here");
  const stop = h("button", { type: "button", onclick: end }, "Stop");
  const back = h("button", { type: "button", onclick: undo }, "Undo the last change");
  const progress = h("progress", { max: 1, value: 0, "aria-label": "Progress" });
  const told = h("p", { class: "told", role: "status" });
  const from = h("p", { class: "soft" });
  const form = h("form", { class: "grow", onsubmit: (event) => event.preventDefault() },
    h("label", {}, h("span", {}, "What first"), policy),
    h("label", {}, h("span", {}, "Level"), level),
    h("label", {}, h("span", {}, "For"), time),
    h("div", { class: "buttons" }, start, stop, back));
  // Without the token of the server's run all that the form asks would be refused.
  const closed = h("p", { class: "plain", hidden: true });
  const edit = makeEdit(context);
  box.append(closed, form, from, progress, told, edit.box);

  const headers = () => ({ Authorization: `Bearer ${context.token()}`, "Content-Type": "application/json" });
  let unsay = null;
  async function begin() {
    if (!level.reportValidity()) return;
    try {
      const body = JSON.stringify({ line: lineText(now()), policy: policy.value, level: Number(level.value), seconds: Number(time.value) });
      draw(await (await send("grow", null, body, { headers: headers() })).json());
      unsay?.();
    } catch (error) {
      unsay = context.notice(context.sentence(error.message), "bad");
    }
  }
  async function end() {
    try {
      draw(await (await send("grow", null, undefined, { method: "DELETE", headers: headers() })).json());
      unsay?.();
    } catch (error) {
      unsay = context.notice(context.sentence(error.message), "bad");
    }
  }

  async function undo() {
    try {
      const { positions, changes: [change] } = await (await send("undo", null, "{}", { headers: headers() })).json();
      replace(told, h("b", {}, "Undone"), `: ${change.command}. The book has ${many(positions, "position")}.`);
      unsay?.();
    } catch (error) {
      unsay = context.notice(context.sentence(error.message), "bad");
    }
  }

  function draw(state) {
    if (!state) return;
    back.disabled = state.running;
    edit.wait(state.running);
    start.disabled = state.running;
    stop.disabled = !state.running;
    progress.hidden = !state.running;
    if (state.limit_seconds) progress.value = Math.min(1, state.seconds / state.limit_seconds);
    const left = Math.max(0, Math.round((state.limit_seconds ?? 0) - state.seconds));
    const clock = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    const sums = `${many(state.new_positions ?? state.positions ?? 0, "new position")}, ${many(state.searches ?? 0, "search")}`;
    if (state.running) replace(told, h("b", {}, "Growing"), ` (${state.policy}, level ${state.level}): ${sums}; ${clock} left`);
    else if (state.ended_by || state.message) replace(told, state.policy ? [h("b", {}, "Last growth"), ` (${state.policy}, level ${state.level}, from ${state.line || "the start"}): `] : null, `${ENDS[state.ended_by] ?? (state.ended_by ? context.sentence(state.ended_by) : "")} ${state.new_positions || state.searches ? `${sums}.` : ""} ${state.message ? context.sentence(state.message) : ""}`);
    else replace(told, "Nothing grows now. The book can be read while it grows.");
  }
  watch("growth", draw);
  get("grow").then(draw).catch((error) => replace(told, context.sentence(error.message)));

  return {
    show(state, view) {
      const canGrow = context.canGrow();
      form.hidden = from.hidden = told.hidden = edit.box.hidden = !canGrow;
      edit.show(state, view);
      if (!isChosen && view.stats?.grow?.level) level.value = Math.min(view.stats.grow.level, HIGHEST_LEVEL);
      closed.hidden = canGrow || !view.stats;
      replace(closed, view.stats?.grow?.enabled ? "This server can grow its book, but the page was opened without the token: open the address that the start of " : "From here the book can be grown when the server is started by ",
        h("code", {}, "rosebill serve --grow"), view.stats?.grow?.enabled ? " printed." : "; then open the address that it prints.");
      replace(from, "From ", h("b", {}, view.position?.name ?? "the shown position"), state.ply ? ` (${lineText(state)})` : "", view.stats ? `, in ${view.stats.book}: ${count(view.stats.positions)} positions` : "");
    },
  };
}
