// All legal moves of a position with all that the book, the games and a search say of them.

/**
 * One row for each class of symmetric moves, in the server's order: of equals the first is the best, as in the lines
 * of best play. Numbers are for the side to move.
 */
export function rowsOf(position, search) {
  if (!position) return [];
  const legal = position.legal ?? {};
  const classes = new Map();
  for (const { move } of [...position.moves ?? [], ...search?.moves ?? []]) if (legal[move]) classes.set(legal[move], []);
  for (const [square, posting] of Object.entries(legal)) {
    if (!classes.has(posting)) classes.set(posting, []);
    classes.get(posting).push(square);
  }
  const booked = new Map((position.moves ?? []).map((move) => [move.move, move]));
  const played = new Map((position.games?.moves ?? []).map((move) => [move.move, move]));
  const searched = new Map((search?.moves ?? []).map((move) => [move.move, move]));
  const first = (map, squares) => {
    for (const square of squares) if (map.has(square)) return map.get(square);
    return null;
  };
  const all = position.games?.games ?? 0;
  const rows = [...classes].map(([posting, squares]) => {
    squares.sort((a, b) => (b === posting) - (a === posting) || (a < b ? -1 : 1));
    const book = first(booked, squares);
    const games = first(played, squares);
    const found = first(searched, squares);
    const row = {
      posting, squares,
      values: book?.values ?? null, alone: book?.searched_values ?? null, loss: book?.loss ?? null, chances: book?.chances ?? null,
      sure: book?.evidence ?? null, plies: book?.evidence_plies ?? null, held: book?.held ?? null, depth: book?.depth ?? null, selectivity: book?.selectivity ?? null,
      kind: book?.known_by ?? "unknown", name: book?.name ?? null, transposition: Boolean(book?.transposition),
      games: games?.games ?? 0, share: games && all ? games.games / all : 0,
      results: games ? [games.black, games.draw, games.white] : null,
      mean: forMover(position, games?.mean_score), theoretical: forMover(position, games?.mean_theoretical_score),
      years: games?.first_year ? [games.first_year, games.last_year] : null,
      players: games?.players ?? [],
      found, level: search?.level ?? null, isFresh: false,
    };
    if (!row.name && games?.name && games.name !== position.name) row.name = games.name;
    if (!row.values && found) {
      row.isFresh = true;
      row.values = found.values;
      row.chances = found.chances;
      row.sure = found.evidence;
      row.plies = found.evidence_plies;
      row.depth = found.depth;
      row.selectivity = found.selectivity;
    }
    return row;
  });
  const best = Math.max(...rows.map((row) => row.values?.guess ?? -Infinity));
  for (const row of rows) if (row.values && (row.loss === null || best > bestOfBook(rows))) row.loss = best - row.values.guess;
  return rows;
}

const bestOfBook = (rows) => Math.max(...rows.map((row) => (row.isFresh ? -Infinity : row.values?.guess ?? -Infinity)));

const forMover = (position, value) =>
  value === null || value === undefined ? null : position.position.side === "black" ? value : -value;

/** The value that is another's side of a value: who is content with a draw faces who must avoid it. */
const ACROSS = { draw_seeking: "win_seeking", win_seeking: "draw_seeking" };

/** The value of the side to move by which a shown one is best; `sign` is -1 where the other side's are shown. */
export const ofMover = (by, sign) => (sign < 0 ? ACROSS[by] ?? by : by);

/** Values as they are shown: those of the side to move, or with -1 what they mean for the other. */
export function valuesFor(values, sign) {
  if (!values || sign > 0) return values;
  const { guess, draw_seeking: draw, win_seeking: win, lower, upper } = values;
  const turned = (value) => (value === null || value === undefined ? null : -value);
  return { ...values, guess: turned(guess), draw_seeking: turned(win), win_seeking: turned(draw), lower: turned(upper), upper: turned(lower) };
}

const KEYS = {
  move: (row) => row.squares[0],
  guess: (row) => row.values?.guess,
  draw_seeking: (row) => row.values?.draw_seeking,
  win_seeking: (row) => row.values?.win_seeking,
  loss: (row) => row.loss,
  chances: (row) => (row.chances ? row.chances.win + row.chances.draw / 2 : null),
  error: (row) => row.sure,
  known: (row) => (row.values ? (row.values.lower === row.values.upper ? 1000 : 0) + (row.depth ?? 0) : null),
  now: (row) => row.found?.value,
  games: (row) => row.games || null,
  result: (row) => (row.results ? (row.results[0] + row.results[1] / 2) / row.games : null),
  mean: (row) => row.mean,
  theoretical: (row) => row.theoretical,
  name: (row) => row.name,
};

/** Whether rows can be sorted by that. */
export const isColumn = (name) => Object.hasOwn(KEYS, name);

/** Sorted by a column, "-guess" the best for the side to move first; what is not known stands last. */
export function sorted(rows, sort, sign = 1) {
  const falling = sort.startsWith("-");
  const name = ofMover(falling ? sort.slice(1) : sort, sign);
  const key = isColumn(name) ? KEYS[name] : KEYS.guess;
  const turn = falling ? -1 : 1;
  const compare = (a, b) => {
    const left = key(a) ?? null, right = key(b) ?? null;
    if (left === null || right === null) return (left === null) - (right === null);
    return left < right ? -turn : left > right ? turn : 0;
  };
  const byGuess = (a, b) => (b.values?.guess ?? -Infinity) - (a.values?.guess ?? -Infinity);
  return [...rows].sort((a, b) => compare(a, b) || byGuess(a, b) || 0);
}

/** The best of the rows by a value; none when nothing is known. */
export function bestRow(rows, by = "guess") {
  const known = rows.filter((row) => row.values);
  return known.length ? known.reduce((a, b) => ((b.values[by] ?? b.values.guess) > (a.values[by] ?? a.values.guess) ? b : a)) : null;
}
