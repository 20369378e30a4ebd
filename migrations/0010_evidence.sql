-- Why values are believed: records with the moves that they covered, bounds, judgements, and what follows.
--
-- The columns of `node` hold more from here on. A row that is as older programs wrote it has no negative
-- number in `rest`; the program rewrites all of them when it first writes to the book.
--
-- rest, from the lowest bit: best move of the position's own search 7 bits (64 there is no record, 65 a value
-- without a move), 1 a search is due, 1 the record stands, 1 more is kept in the tables below, selectivity 7,
-- depth 6, proof 3, score + 8192 14, evidence 10 (hundredths of a disc), source 13; the sign is set.
-- bounds, from the lowest bit: how lines end 3, positions to learn less 1 for the side to move 3 and for the
-- other one 2, bounds as before and 1 more 15 (0 is -64..64), the high bits of what is to be learned 13 and 14;
-- null: nothing is proven, no line comes to an end, 1 and 1.
-- links: 33 bits as before; above them, for the first 30 moves, a bit for each that is a link or was left out
-- of the search, but not both.

DROP INDEX IF EXISTS node_due;
CREATE INDEX node_due ON node (discs) WHERE rest < 0 AND (rest & 128) <> 0;

-- Records of a position beside the one in its row: each is the greatest for a move. The greatest of all has
-- place 0; the place that is missing is that of the row's.
CREATE TABLE IF NOT EXISTS record (
    discs INTEGER NOT NULL,
    mover INTEGER NOT NULL,
    opponent INTEGER NOT NULL,
    place INTEGER NOT NULL,
    rest INTEGER NOT NULL,         -- as in `node`
    left_out INTEGER NOT NULL,     -- bit i: the search left the i-th legal move out
    PRIMARY KEY (discs, mover, opponent, place)
) WITHOUT ROWID, STRICT;

-- What searches proved of a position, in the book or not, beyond what its records prove.
CREATE TABLE IF NOT EXISTS bound (
    discs INTEGER NOT NULL,
    mover INTEGER NOT NULL,
    opponent INTEGER NOT NULL,
    source INTEGER NOT NULL,
    bounds INTEGER NOT NULL,       -- (lower + 64) * 129 + upper + 64, in discs, for the side to move
    PRIMARY KEY (discs, mover, opponent, source, bounds)
) WITHOUT ROWID, STRICT;

-- What a person said that a position is worth.
CREATE TABLE IF NOT EXISTS judgement (
    discs INTEGER NOT NULL,
    mover INTEGER NOT NULL,
    opponent INTEGER NOT NULL,
    value INTEGER NOT NULL,        -- centidiscs, for the side to move
    day TEXT NOT NULL,             -- as 2026-11-20
    author TEXT NOT NULL,
    PRIMARY KEY (discs, mover, opponent)
) WITHOUT ROWID, STRICT;

-- The squares by number, for the views that draw boards.
CREATE VIEW IF NOT EXISTS square AS
WITH RECURSIVE square (number) AS (
    SELECT 0
    UNION ALL
    SELECT number + 1 FROM square WHERE number < 63
)
SELECT number FROM square;

-- The book for people and for other tools: discs as numbers, squares as names, all values from the point of view of
-- the side to move, which is X in `board` (a1 to h1 first), with what is known from facts; `searched_guess` is
-- without. `rest_*` is the position's own search; `evidence` the error to be expected of its value without facts, in
-- discs.
DROP VIEW IF EXISTS book;

CREATE VIEW book AS
SELECT
    node.discs AS discs,
    printf('%016x', node.mover) AS mover,
    printf('%016x', node.opponent) AS opponent,
    (
        SELECT group_concat(substr('-XO', 1 + (node.mover >> number & 1) + 2 * (node.opponent >> number & 1), 1), '')
        FROM (SELECT number FROM square ORDER BY number)
    ) AS board,
    coalesce(known.guess, node.guess) / 100.0 AS guess,
    CASE WHEN known.guess IS NULL THEN coalesce(node.draw_seeking, node.guess)
        ELSE coalesce(known.draw_seeking, known.guess) END / 100.0 AS draw_seeking,
    CASE WHEN known.guess IS NULL THEN coalesce(node.win_seeking, node.guess)
        ELSE coalesce(known.win_seeking, known.guess) END / 100.0 AS win_seeking,
    coalesce(known.bounds, nullif(CASE WHEN rest < 0 THEN (node.bounds >> 8 & 32767) - 1 ELSE node.bounds END, -1), 128)
        / 129 - 64 AS lower,
    coalesce(known.bounds, nullif(CASE WHEN rest < 0 THEN (node.bounds >> 8 & 32767) - 1 ELSE node.bounds END, -1), 128)
        % 129 - 64 AS upper,
    CASE WHEN rest & 127 < 64 THEN char(97 + (rest & 7)) || ((rest >> 3 & 7) + 1) END AS rest_move,
    CASE WHEN rest & 127 NOT IN (64, 66) THEN
        (CASE WHEN rest < 0 THEN (rest >> 26 & 16383) - 8192 ELSE (rest >> 23 & 65535) - 32768 END) / 100.0
    END AS rest_value,
    CASE WHEN rest & 127 NOT IN (64, 66) THEN
        CASE (CASE WHEN rest < 0 THEN rest >> 23 ELSE rest >> 20 END) & 7
            WHEN 0 THEN 'none' WHEN 1 THEN 'exact' WHEN 2 THEN 'win' WHEN 3 THEN 'loss'
            WHEN 4 THEN 'not_lost' WHEN 5 THEN 'not_won'
        END
    END AS rest_proof,
    CASE WHEN rest < 0 THEN (rest >> 8 & 1) = 1 ELSE rest & 127 NOT IN (64, 66) END AS rest_stands,
    CASE WHEN rest < 0 THEN rest >> 17 & 63 ELSE rest >> 14 & 63 END AS depth,
    CASE WHEN rest < 0 THEN rest >> 10 & 127 ELSE rest >> 7 & 127 END AS selectivity,
    CASE WHEN rest < 0 THEN rest >> 50 & 8191 ELSE rest >> 39 END AS source,
    CASE WHEN rest < 0 THEN (rest >> 7 & 1) = 1 ELSE rest & 127 = 66 END AS search_due,
    CASE WHEN rest < 0 THEN (rest >> 40 & 1023) / 100.0 END AS evidence,
    -- The most plies of a search that is no surer, as src/book/evidence.rs has it: errors by plies, times what they
    -- rise by the empties, times what is left of them near the end.
    CASE WHEN rest < 0 THEN
        CASE WHEN rest >> 40 & 1023 THEN coalesce((
            SELECT max(plies.key)
            FROM json_each('[260,220,200,180,165,155,142,136,130,127,123,115,111,108,103,97,94,92,91,89,88,86,85,83,82,81,80,78,76,74,72,70,68,66,65,64,63,62,61,60,59,58,57,56,55,54,53,52,51,50,49,48,47,46,45,44,43,42,41,40,39]') AS plies
            WHERE plies.key < 64 - node.discs AND rest >> 40 & 1023 <= max(8, min(1023,
                plies.value * json_extract('[2208,2208,2208,2208,2208,2208,2208,2208,2208,2208,2208,2208,2208,2208,2208,2208,2208,2208,2208,2208,2208,2113,2022,1935,1851,1772,1695,1622,1552,1486,1422,1360,1302,1246,1192,1141,1092,1045,1000,1000,1000,1000,1000,1000,1000,1000,1000,1000,1000,1000,1000,1000,1000,1000,1000,1000,1000,1000,1000,1000,1000]', '$[' || (64 - node.discs) || ']') / 1000
                * coalesce(json_extract('[0,602,842,937,975,990,996,998]', '$[' || (64 - node.discs - plies.key) || ']'), 1000) / 1000
            ))
        ), 0) ELSE 64 - node.discs END
    END AS evidence_plies,
    links & 8589934591 AS links,
    node.guess / 100.0 AS searched_guess
FROM node
LEFT JOIN known ON known.discs = node.discs AND known.mover = node.mover
    AND known.opponent = node.opponent;

-- Until the program has rewritten all rows.
INSERT OR REPLACE INTO meta (name, value) SELECT 'rewrite', '10' WHERE EXISTS (SELECT 1 FROM node);
