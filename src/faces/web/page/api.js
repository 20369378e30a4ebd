// The server: questions, streams, and whether it is there at all.

/** What the server said against a question, as a sentence, and what helps: kinds with commands. */
export class Refused extends Error {
  constructor(status, message, hints) {
    super(message);
    this.status = status;
    this.hints = hints;
  }
}

/** The server can't be reached. */
export class Offline extends Error {}

const answers = new Map();
const MOST_ANSWERS = 300;
const watchers = { online: [], generation: [], growth: [] };
let isOnline = true;
let generation = null;

/** Listens for "online" (a boolean), "generation" (the book changed) or "growth" (its state). */
export const watch = (what, call) => watchers[what].push(call);
const tell = (what, value) => watchers[what].forEach((call) => call(value));

function heard(online) {
  if (online === isOnline) return;
  isOnline = online;
  tell("online", online);
}

function link(path, parameters) {
  const pairs = Array.isArray(parameters) ? parameters : Object.entries(parameters ?? {});
  const kept = pairs.filter(([, value]) => value !== null && value !== undefined && value !== "");
  const text = new URLSearchParams(kept).toString();
  return text ? `api/${path}?${text}` : `api/${path}`;
}

async function asked(address, options) {
  let answer;
  try {
    answer = await fetch(address, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    heard(false);
    throw new Offline("The server does not answer.");
  }
  heard(true);
  if (answer.ok) return answer;
  let told = "", hints;
  try {
    ({ message: told = "", hints } = await answer.json());
  } catch { /* no sentence */ }
  const late = answer.headers.get("Retry-After");
  if (!told) told = answer.status === 404 ? "the server has nothing at this address" : `the server answered ${answer.status}`;
  if (answer.status === 503 && late) told += `; try again in ${late} s`;
  throw new Refused(answer.status, told, hints);
}

/** Asks; an answer is kept until the book changes. */
export async function get(path, parameters, signal) {
  const address = link(path, parameters);
  if (answers.has(address)) return answers.get(address);
  const at = generation;
  const told = await (await asked(address, { signal, headers: { Accept: "application/json" } })).json();
  if (at === generation) {
    answers.set(address, told);
    if (answers.size > MOST_ANSWERS) answers.delete(answers.keys().next().value);
  }
  return told;
}

/** What is known already, without asking. */
export const known = (path, parameters) => answers.get(link(path, parameters));

/** Sends a text or a file. */
export const send = (path, parameters, body, { method = "POST", headers = {}, signal } = {}) =>
  asked(link(path, parameters), { method, body, headers, signal });

/** Objects of a stream of lines, one after another. */
export async function* lines(answer) {
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      rest += value;
      const parts = rest.split("\n");
      rest = parts.pop();
      for (const part of parts) if (part.trim()) yield JSON.parse(part);
    }
    if (rest.trim()) yield JSON.parse(rest);
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** A stream of events, by their names; returns what closes it. */
export function events(path, parameters, calls, broken) {
  const source = new EventSource(link(path, parameters));
  for (const [name, call] of Object.entries(calls)) {
    source.addEventListener(name, (event) => {
      if (event.data === undefined) return;
      let data = event.data;
      try { data = JSON.parse(data); } catch { /* a bare word */ }
      call(data);
    });
  }
  source.onerror = (event) => {
    if (event.data === undefined) broken?.(source);
  };
  return () => source.close();
}

// A browser opens few connections to one server: pages that nobody sees leave theirs to others.
let close = null;
function follow() {
  if (close || document.hidden) return;
  close = events("events", null, {
    generation: (next) => {
      heard(true);
      const value = String(next);
      if (generation !== null && generation !== value) {
        answers.clear();
        generation = value;
        tell("generation", value);
      }
      generation = value;
    },
    growth: (state) => tell("growth", state),
  }, (source) => {
    if (source.readyState === EventSource.CLOSED) {
      close = null;
      setTimeout(follow, 3000);
    }
    probe();
  });
}

let probing = false;
async function probe() {
  if (probing) return;
  probing = true;
  for (let wait = 1000; ; wait = Math.min(wait * 1.5, 8000)) {
    try {
      await fetch("api/stats", { cache: "no-store" });
      heard(true);
      break;
    } catch {
      heard(false);
    }
    await new Promise((go) => setTimeout(go, wait));
  }
  probing = false;
}
watch("online", (online) => { if (!online) probe(); });

document.addEventListener("visibilitychange", () => {
  if (!document.hidden) follow();
  else if (close) {
    close();
    close = null;
  }
});

export const start = follow;
