-- A book: positions with values, and where they come from.

-- A node is a position of the book in its canonical orientation. Boards are 64-bit sets of squares
-- (bit 0 = a1, bit 7 = h1, bit 63 = h8), stored as the signed integer of the same bits: ask for a
-- layer by `discs`, and expect the signed order inside it. People ask the view `book` below.
CREATE TABLE node (
    discs INTEGER NOT NULL,
    mover INTEGER NOT NULL,
    opponent INTEGER NOT NULL,
    guess INTEGER NOT NULL,        -- centidiscs, for the side to move
    draw_seeking INTEGER,          -- null: as guess
    win_seeking INTEGER,           -- null: as guess
    bounds INTEGER,                -- (lower + 64) * 129 + upper + 64 in discs; null: -64..64
    rest INTEGER NOT NULL,         -- from the lowest bit: square 7 bits (64 none is left, 65 a value
                                   -- without a move, 66 none and a search is due), selectivity 7,
                                   -- depth 6, proof 3, score + 32768 16, source above
    links INTEGER NOT NULL,        -- bit i: the i-th legal move, by square, leads to a node
    PRIMARY KEY (discs, mover, opponent)
) WITHOUT ROWID, STRICT;

-- Nodes on which a search is due.
CREATE INDEX node_due ON node (discs) WHERE (rest & 127) = 66;

-- How many nodes each layer has.
CREATE TABLE layer (
    discs INTEGER PRIMARY KEY,
    positions INTEGER NOT NULL
) STRICT;

-- Who searched: an evaluator of ours at a level, or a book of another program.
CREATE TABLE source (
    id INTEGER PRIMARY KEY,
    engine TEXT NOT NULL,
    evaluator TEXT NOT NULL,
    level TEXT NOT NULL,
    format TEXT NOT NULL,          -- '' for our own searches
    file TEXT NOT NULL,
    day TEXT NOT NULL,             -- as 2026-11-20, or ''
    checksum TEXT NOT NULL,
    UNIQUE (engine, evaluator, level, format, file, day, checksum)
) STRICT;

-- What was asked of the book, and what came of it.
CREATE TABLE run (
    id INTEGER PRIMARY KEY,
    asked TEXT NOT NULL,           -- the command
    started TEXT NOT NULL,         -- UTC, as 2026-11-20T19:30:00Z
    ended TEXT,
    progress TEXT NOT NULL DEFAULT '',
    result TEXT
) STRICT;

CREATE TABLE meta (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID, STRICT;

-- The book for people and for other tools: discs as numbers, squares as names, all values from the
-- point of view of the side to move, which is X in `board` (a1 to h1 first).
CREATE VIEW book AS
WITH RECURSIVE
square (number, name) AS (
    SELECT 0, 'a1'
    UNION ALL
    SELECT number + 1, char(97 + ((number + 1) & 7)) || ((number + 1) / 8 + 1)
    FROM square WHERE number < 63
)
SELECT
    discs,
    printf('%016x', mover) AS mover,
    printf('%016x', opponent) AS opponent,
    (
        -- The inner order is kept: an ORDER BY inside the aggregate needs SQLite 3.44.
        SELECT group_concat(disc, '')
        FROM (
            SELECT CASE
                WHEN node.mover >> number & 1 THEN 'X'
                WHEN node.opponent >> number & 1 THEN 'O'
                ELSE '-'
            END AS disc
            FROM square ORDER BY number
        )
    ) AS board,
    guess / 100.0 AS guess,
    coalesce(draw_seeking, guess) / 100.0 AS draw_seeking,
    coalesce(win_seeking, guess) / 100.0 AS win_seeking,
    coalesce(bounds / 129 - 64, -64) AS lower,
    coalesce(bounds % 129 - 64, 64) AS upper,
    CASE
        WHEN rest & 127 < 64
        THEN char(97 + (rest & 7)) || ((rest >> 3 & 7) + 1)
    END AS rest_move,
    CASE WHEN rest & 127 IN (64, 66) THEN NULL ELSE ((rest >> 23 & 65535) - 32768) / 100.0 END
        AS rest_value,
    CASE WHEN rest & 127 NOT IN (64, 66) THEN
        CASE rest >> 20 & 7
            WHEN 0 THEN 'none' WHEN 1 THEN 'exact' WHEN 2 THEN 'win' WHEN 3 THEN 'loss'
            WHEN 4 THEN 'not_lost' WHEN 5 THEN 'not_won'
        END
    END AS rest_proof,
    rest >> 14 & 63 AS depth,
    rest >> 7 & 127 AS selectivity,
    rest >> 39 AS source,
    rest & 127 = 66 AS search_due,
    links
FROM node;
