// Training: the values are hidden, the book's move is guessed, what was missed comes again later.

import { h, replace, signed, many, sideName, letterOf } from "./dom.js";
import { now, play, step, goTo, lineText } from "./state.js";

const STORE = "rosebill training";
const MINUTE = 60e3, DAY = 1440 * MINUTE;
// A card moves one box on when it was known, and back to the first when not.
const WAITS = [10 * MINUTE, DAY, 3 * DAY, 7 * DAY, 16 * DAY, 35 * DAY];
const MOST_CARDS = 3000;
const CHOOSES_WITHIN = 1;
// So many lines in a row that end before a guess: there is nothing to train.
const EMPTY_LINES = 5;
const NOTHING_HERE = "The book has no move here, so there is nothing to guess. Go to a position of the book.";

function load() {
  try {
    const read = JSON.parse(localStorage.getItem(STORE));
    return read && typeof read === "object" ? read : {};
  } catch {
    return {};
  }
}
function save(cards) {
  const kept = Object.entries(cards).sort((a, b) => a[1].due - b[1].due).slice(0, MOST_CARDS);
  try {
    localStorage.setItem(STORE, JSON.stringify(Object.fromEntries(kept)));
  } catch { /* private windows have no store; training goes on without */ }
}

export function make(box, context) {
  let cards = load(), session = null, asked = null;
  const learn = h("p", {});
  const due = h("p", { class: "soft" });
  const colour = h("select", { id: "train-colour" }, h("option", { value: "black" }, "Black"), h("option", { value: "white" }, "White"));
  const within = h("select", { id: "train-within" }, [["0", "only the best move"], ["0.5", "half a disc"], ["1", "one disc"]].map(([value, text]) => h("option", { value }, text)));
  within.value = "0.5";
  const depth = h("select", { id: "train-depth" }, [["6", "6 guesses"], ["10", "10 guesses"], ["60", "until the book ends"]].map(([value, text]) => h("option", { value }, text)));
  depth.value = "10";
  const setup = h("div", { class: "setup" },
    h("p", {}, "Guess the book\u2019s moves from the shown position on. The book answers with good moves, often played ones more often."),
    learn,
    h("form", { class: "grow", onsubmit: (event) => event.preventDefault() },
      h("label", {}, h("span", {}, "You play"), colour),
      h("label", {}, h("span", {}, "A guess may lose"), within),
      h("label", {}, h("span", {}, "A line has"), depth),
      h("div", { class: "buttons" }, h("button", { type: "button", class: "main", onclick: begin }, "Begin"),
        h("button", { type: "button", class: "small", onclick: forget }, "forget all"))),
    due);
  const said = h("p", { class: "question", role: "status" });
  const tally = h("p", { class: "soft" });
  const on = h("button", { type: "button", class: "main", onclick: () => go() }, "Go on");
  const hint = h("button", { type: "button", onclick: () => answer(null) }, "Show it");
  const drill = h("div", { class: "drill", hidden: true }, said,
    h("div", { class: "buttons" }, on, hint, h("button", { type: "button", onclick: () => end() }, "Stop")), tally);
  box.append(setup, drill);

  const keyOf = (view) => `${view.position.position.board}${view.position.position.side}`;
  const dueNow = () => Object.entries(cards).filter(([, card]) => card.due <= Date.now() && card.box < WAITS.length);

  const inBook = (rows) => rows.filter((row) => row.values && !row.isFresh);

  function begin() {
    const state = now(), { position, rows, isLate } = context.view();
    if (!position || isLate) return context.notice("The position is still on its way. Begin again in a moment.");
    if (position.over || !inBook(rows).length) return context.notice(position.over ? "The game is over here: there is nothing to guess." : NOTHING_HERE);
    session = { base: lineText(state), colour: colour.value, within: Number(within.value), depth: Number(depth.value), right: 0, all: 0, inLine: 0, empty: 0, again: [], offered: new Set(), at: null };
    setup.hidden = true;
    drill.hidden = false;
    context.train({ guess: answer });
    round();
  }
  function end(why = null) {
    const was = session;
    session = null;
    asked = null;
    setup.hidden = false;
    drill.hidden = true;
    context.train(null);
    const said = [why, was?.all ? `${was.right} of ${many(was.all, "guess")} right.` : null].filter(Boolean);
    if (said.length) context.notice(said.join(" "));
    // Another line was gone to: that is what is wanted.
    if (was?.line !== undefined && lineText(now(), was.ply) === was.line) goTo(was.base, {}, "replace");
  }
  function forget() {
    if (!Object.keys(cards).length || !confirm("Forget all positions that you have trained?")) return;
    cards = {};
    save(cards);
    show(now(), context.view());
  }

  /** A new line: what was missed first, then what is due, then from the start of the training. */
  function round() {
    session.inLine = 0;
    session.at = null;
    asked = null;
    const missed = session.again.shift();
    // Each comes once: another book may not have it, and what is missed comes again by itself.
    const old = missed ? null : dueNow().find(([, card]) => card.colour === letterOf(session.colour) && card.line.startsWith(session.base) && !session.offered.has(card.line));
    const line = missed ?? old?.[1].line ?? session.base;
    if (old) session.offered.add(line);
    session.isOld = Boolean(missed || old);
    // A position that is repeated stands alone; a line goes on.
    session.ends = session.isOld ? 1 : session.depth;
    if (line === lineText(now())) show(now(), context.view());
    else goTo(line, {}, "replace");
  }

  function remember(view, isRight) {
    const key = keyOf(view);
    const old = cards[key] ?? { box: 0, missed: 0 };
    const box = isRight ? Math.min(old.box + 1, WAITS.length - 1) : 0;
    cards[key] = { line: lineText(now()), colour: letterOf(session.colour), box, missed: old.missed + (isRight ? 0 : 1), due: Date.now() + WAITS[box] };
    save(cards);
  }

  /** A guess, or none to be shown the move. */
  function answer(square) {
    if (!session || asked?.state !== "asked" || looksBack(now())) return;
    const view = context.view();
    const best = asked.best;
    const row = square && view.rows.find((each) => each.squares.includes(square));
    if (square && !row) return;
    const loss = row?.values ? best.values.guess - row.values.guess : null;
    const isRight = row !== null && loss !== null && loss <= session.within + 0.004;
    session.all += 1;
    session.inLine += 1;
    if (isRight) session.right += 1;
    else if (!session.again.includes(lineText(now()))) session.again.push(lineText(now()));
    remember(view, isRight);
    asked.state = "told";
    asked.next = isRight ? row.posting : best.posting;
    const value = (of) => signed(of.values.guess);
    replace(said, isRight
      ? [h("b", { class: "good" }, `\u2713 ${square}`), ` is right: ${value(row)}${loss >= 0.005 ? `; ${best.posting} is the best by ${loss.toFixed(2)}` : ""}.`]
      : [square ? h("b", { class: "blunder" }, `\u2717 ${square}`) : null, square ? (loss === null ? " is not in the book. " : ` gives ${loss.toFixed(2)} away. `) : "", "The book plays ", h("b", {}, best.posting), ` (${value(best)}). It will come again.`]);
    on.hidden = false;
    hint.hidden = true;
    context.point(asked.next);
    if (isRight) setTimeout(() => { if (asked?.state === "told") go(); }, 1100);
    else on.focus({ preventScroll: true });
    count();
  }

  function go() {
    if (!session || asked?.state !== "told") return;
    const next = asked.next;
    forward();
    asked = null;
    session.at = null;
    context.point(null);
    if (session.inLine >= session.ends) return over(session.ends === 1 ? "" : "This line is done.");
    play(next, "replace");
  }

  function over(why) {
    asked = { state: "over" };
    replace(said, why, session.again.length ? ` ${many(session.again.length, "missed position")} come${session.again.length === 1 ? "s" : ""} again now.` : " On to another line.");
    on.hidden = hint.hidden = true;
    setTimeout(() => { if (session && asked?.state === "over") round(); }, 1400);
  }

  /** Leaves a position of another book out. */
  function pass() {
    const waiting = asked = { state: "over" };
    on.hidden = hint.hidden = true;
    setTimeout(() => { if (session && asked === waiting) round(); });
  }

  function count() {
    replace(tally, session.all ? `${session.right} of ${session.all} right` : "", session.again.length ? `, ${many(session.again.length, "position")} to repeat` : "");
  }

  // There may be too many to count at once.
  const positions = (number) => (typeof number === "number" ? many(number, "position") : "many positions");

  const outside = (stats) => (stats?.positions === 0
    ? ["There is nothing to train: this book has no positions yet. Let it grow: ", h("code", {}, context.command("grow", "--time 60s")), "."]
    : "There is nothing to train from here: the book does not have this position. Go to one of the book, such as the start.");

  /** Whether one looks at an earlier position of the line than that of the question. */
  const looksBack = (state) => Boolean(session?.line) && state.ply < session.ply && lineText(state, session.ply) === session.line;
  /** Back to the position of the question, if one looked at an earlier one. */
  const forward = () => { if (looksBack(now())) step(session.ply, "replace"); };

  function show(state, view) {
    if (!session) {
      const position = view.position;
      if (!position || view.isLate) return;
      const isBlack = position.position.side === "black";
      if (position.over) replace(learn, "The game is over here: there is nothing to guess.");
      else if (!position.in_book) replace(learn, outside(view.stats));
      else {
        const [black, white] = isBlack ? [position.to_learn, position.other_to_learn] : [position.other_to_learn, position.to_learn];
        replace(learn, "From here on the book has ", h("b", {}, positions(black)), " that Black must remember to hold best play, and ", h("b", {}, positions(white)), " that White must.");
      }
      const all = Object.values(cards);
      replace(due, all.length ? `${many(all.length, "position")} trained, ${dueNow().length} due now, ${all.filter((card) => card.missed > 1).length} missed more than once.` : "What you train is kept in this browser only.");
      return;
    }
    if (view.isLate || !view.position || view.path[state.ply]?.board !== view.position.position.board) return;
    const key = `${lineText(state)}|${keyOf(view)}`;
    if (session.at !== null && looksBack(state)) return look(true);
    if (session.at === key) return look(false);
    Object.assign(session, { at: key, line: lineText(state), ply: state.ply, kept: null });
    count();
    const position = view.position;
    const known = inBook(view.rows);
    if (position.over || !known.length) {
      if (lineText(state) === session.base) return end(NOTHING_HERE);
      if (session.isOld) return pass();
      session.empty += session.inLine ? 0 : 1;
      if (session.empty >= EMPTY_LINES) return end("The book ends before a guess of yours: there is nothing to train from here.");
      return over("The book ends here.");
    }
    const best = known.reduce((a, b) => (b.values.guess > a.values.guess ? b : a));
    if (position.position.side === session.colour) {
      asked = { state: "asked", best };
      session.empty = 0;
      on.hidden = true;
      hint.hidden = false;
      replace(said, h("b", {}, sideName(session.colour)), " to move. Which move does the book play?");
      return;
    }
    // A position may be shown twice, as at the beginning: only the last answer is played.
    const waiting = asked = { state: "waiting" };
    on.hidden = hint.hidden = true;
    const good = known.filter((row) => best.values.guess - row.values.guess <= CHOOSES_WITHIN);
    const weights = good.map((row) => 1 + Math.sqrt(row.games));
    let at = Math.random() * weights.reduce((a, b) => a + b, 0);
    const chosen = good.find((row, index) => (at -= weights[index]) <= 0) ?? best;
    replace(said, `The book plays ${chosen.posting}.`);
    setTimeout(() => {
      if (session?.at !== key || asked !== waiting) return;
      forward();
      play(chosen.posting, "replace");
    }, 650);
  }

  /** The question waits while one looks at what came before it. */
  function look(isBack) {
    if (asked?.state !== "asked" || isBack === Boolean(session.kept)) return;
    hint.hidden = isBack;
    if (isBack) {
      session.kept = [...said.childNodes];
      replace(said, "This came before. Go forward again to the question.");
    } else {
      replace(said, session.kept);
      session.kept = null;
    }
  }

  return { show, leave: () => { if (session) end(); } };
}
