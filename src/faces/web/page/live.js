// A search while one looks: begins at once with a small level and deepens; ends when one leaves.

import { events, watch } from "./api.js";

const SOON = 200, AGAIN = 3000, MOST_TRIES = 8;

/**
 * Searches what it is told to; `heard` gets `{level, moves, done}` or null, `waits` a sentence when a search that
 * broke off is to be tried again, `failed` one when it is given up.
 */
export function makeSearch(heard, waits, failed) {
  let wanted = "", asked = null, close = null, timer = 0, tries = 0, isDone = false, last = null;

  function stop() {
    clearTimeout(timer);
    close?.();
    close = null;
  }

  function begin() {
    const [line, level] = asked;
    close = events("search", { line, level }, {
      iteration: (iteration) => {
        // What was found before the search broke off is shown until more is found.
        if (last && iteration.level <= last.level) return;
        last = { ...iteration, done: false };
        tries = 0;
        heard(last);
      },
      done: () => {
        stop();
        isDone = true;
        if (last) heard({ ...last, done: true });
      },
      error: (told) => {
        stop();
        failed(told.message ?? String(told));
      },
    }, () => {
      stop();
      tries += 1;
      // All searches are taken, or the server is away.
      if (tries > MOST_TRIES) {
        failed(last ? "The search of this position broke off." : "This position could not be searched: all searches of the server are taken.");
        return;
      }
      waits(last ? "The search of this position broke off; it begins again in a moment." : "All searches of the server are taken; this position waits for one.");
      timer = setTimeout(begin, AGAIN * tries);
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
    last = null;
    stop();
    heard(null);
    if (line !== null) timer = setTimeout(begin, SOON);
  }

  /** Goes on with what is wanted, where it is neither searched nor done. */
  function again() {
    if (!asked || isDone || close) return;
    stop();
    tries = 0;
    begin();
  }

  // Nobody looks on at a hidden page.
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) stop();
    else again();
  });
  addEventListener("pagehide", stop);
  // A server that is there again knows nothing of searches before.
  watch("online", (online) => { if (online) again(); });
  return { want, again };
}
