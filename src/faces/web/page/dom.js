// Elements, and numbers as they are written.

const SVG = "http://www.w3.org/2000/svg";

function fill(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

/** An element with attributes (`onclick` and the like are listeners) and children. */
export const h = (name, attributes, ...children) => fill(document.createElement(name), attributes, children);

/** The same for a shape of a picture. */
export const shape = (name, attributes, ...children) =>
  fill(document.createElementNS(SVG, name), attributes, children);

export const byId = (id) => document.getElementById(id);

/** Sets an attribute only where it differs, so that nothing is drawn again. */
export function set(element, name, value) {
  if (value === null || value === undefined || value === false) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
}

/** Sets a text only where it differs. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

const MINUS = "\u2212";

/** A number with its sign: +0.06, −3.62, 0.00. */
export function signed(value, digits = 2) {
  if (value === null || value === undefined) return "";
  const text = Math.abs(value).toFixed(digits);
  return (Number(text) === 0 ? "" : value > 0 ? "+" : MINUS) + text;
}

// A proof counts 100 discs more or less in the draw- and win-seeking values.
const PROOF = 100;

/** A value in discs; proven ones are whole and bear a tick. */
export function worth(value, digits = 2) {
  if (value === null || value === undefined) return "";
  if (Math.abs(value) < PROOF) return signed(value, digits);
  const rest = Math.round(Math.abs(value) - PROOF);
  return rest === 0 ? "=\u2713" : `${value > 0 ? "+" : MINUS}${rest}\u2713`;
}

/** What is proven of values for the side that they are for; "" if nothing. */
export function proven(values) {
  if (!values) return "";
  const { lower, upper } = values;
  if (lower === upper) return "exact";
  if (lower > 0) return "proven win";
  if (upper < 0) return "proven loss";
  if (lower === 0) return "at least a draw";
  if (upper === 0) return "at most a draw";
  return "";
}

/** A count with separators: 131,721. */
export const count = (number) => (number === null || number === undefined ? "" : number.toLocaleString("en"));

/** A count in four characters: 41k, 1.2M. */
export function short(number) {
  if (number < 1000) return String(number);
  if (number < 9950) return `${(number / 1000).toFixed(1)}k`;
  if (number < 999500) return `${Math.round(number / 1000)}k`;
  return `${(number / 1e6).toFixed(1)}M`;
}

export const percent = (share, digits = 0) => `${(share * 100).toFixed(digits)}%`;

/** Shares in whole percents that add up to 100: what rounding down leaves goes to those that lose most by it. */
export function percents(parts) {
  const sum = parts.reduce((all, part) => all + part, 0);
  if (!(sum > 0)) return parts.map(() => "0%");
  const exact = parts.map((part) => (100 * part) / sum);
  const whole = exact.map(Math.floor);
  const lost = (index) => Math.floor((exact[index] - whole[index]) * 1e6);
  const order = whole.map((_, index) => index).sort((a, b) => lost(b) - lost(a));
  const missing = 100 - whole.reduce((all, part) => all + part, 0);
  for (const index of order.slice(0, missing)) whole[index] += 1;
  return whole.map((part) => `${part}%`);
}

/** A word as a shell takes it. */
export const quoted = (word) => (/^[\p{L}\p{N}/._\-:@%+]+$/u.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/** A command to type, about the book that is served: `book` is what names it, nothing for the usual one. */
export const command = (words, rest, book) =>
  ["rosebill", words, book ? `--book${book.startsWith("-") ? "=" : " "}${quoted(book)}` : "", rest].filter(Boolean).join(" ");

export const sideName = (side) => (side === "black" ? "Black" : "White");

/** A side as boards are written, and as trained positions are kept. */
export const letterOf = (side) => (side === "black" ? "X" : "O");

/** "1 game", "2 games"; also searches, guesses, inaccuracies. */
export const many = (number, one) => `${count(number)} ${number === 1 ? one : plural(one)}`;
export const plural = (one) => (/(s|ch)$/.test(one) ? `${one}es` : one.endsWith("y") ? `${one.slice(0, -1)}ies` : `${one}s`);

/** Marks of lost discs, as players write them; shapes as well as colours. */
export function lossMark(loss) {
  if (loss === null || loss === undefined) return { mark: "", kind: "unknown", word: "" };
  if (loss < 0.005) return { mark: "\u2605", kind: "best", word: "best" };
  if (loss < 1) return { mark: "", kind: "good", word: "good" };
  if (loss < 3) return { mark: "?!", kind: "inaccuracy", word: "inaccuracy" };
  if (loss < 6) return { mark: "?", kind: "mistake", word: "mistake" };
  return { mark: "??", kind: "blunder", word: "blunder" };
}

/** Calls once things have been quiet for so many milliseconds; `stop` calls it off. */
export function quiet(milliseconds, call) {
  let timer = 0;
  const later = (...all) => {
    clearTimeout(timer);
    timer = setTimeout(() => call(...all), milliseconds);
  };
  later.stop = () => clearTimeout(timer);
  return later;
}

/** A disc beside a name. */
export const disc = (side) => h("i", { class: side === "black" ? "disc black" : "disc white", "aria-hidden": "true" });

/** A bar of three parts with a text for those who can't see it. */
export function bar(parts, label, kind) {
  const sum = parts.reduce((all, part) => all + part, 0) || 1;
  const made = h("span", { class: `bar ${kind}`, role: "img", "aria-label": label, title: label });
  for (const part of parts) {
    const piece = h("i", {});
    piece.style.width = `${(100 * part) / sum}%`;
    made.append(piece);
  }
  return made;
}

/** Puts new children where old ones were; what had the focus has it again (by `data-key`). */
export function replace(parent, ...children) {
  const active = document.activeElement;
  const key = active && active !== document.body && parent.contains(active) ? active.dataset.key : undefined;
  parent.replaceChildren(...children.flat(Infinity).filter(Boolean));
  if (key !== undefined) parent.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
}
