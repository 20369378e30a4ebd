// A search while one looks: begins at once with a small level and deepens; ends when one leaves.

import { events } from "./api.js";

const SOON = 200, AGAIN = 3000, MOST_TRIES = 8;

/** Searches what it is told to; `heard` gets `{level, moves, done}` or null, `failed` a sentence. */
export function makeSearch(heard, failed) {
  let wanted = "", asked = null, close = null, timer = 0, tries = 0, isDone = false;

  function stop() {
    clearTimeout(timer);
    close?.();
    close = null;
  }

  function begin(line, level) {
    let last = null;
    close = events("search", { line, level }, {
      iteration: (iteration) => {
        last = { ...iteration, done: false };
        heard(last);
      },
      done: () => {
        stop();
        isDone = true;
        if (last) heard({ ...last, done: true });
      },
      error: (told) => {
        stop();
        failed(told.error ?? String(told));
      },
    }, () => {
      stop();
      if (last) return;
      // All searches are taken, or the server is away.
      failed("All searches of the server are taken; this position waits for one.");
      tries += 1;
      if (tries <= MOST_TRIES) timer = setTimeout(() => begin(line, level), AGAIN * tries);
    });
  }

  /** Searches the line to a level, or nothing where the line is null. */
  function want(line, level) {
    const next = line === null ? "" : `${line}@${level}`;
    if (next === wanted) return;
    wanted = next;
    asked = line === null ? null : [line, level];
    isDone = false;
    tries = 0;
    stop();
    heard(null);
    if (line !== null) timer = setTimeout(() => begin(line, level), SOON);
  }

  // Nobody looks on at a hidden page.
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) stop();
    else if (asked && !isDone && !close) begin(...asked);
  });
  addEventListener("pagehide", stop);
  return { want };
}
