-- Facts: what others have proven of positions, and what nodes are known to be worth from that.

-- A fact is about a position in its canonical orientation, be it a node or not; a position has one
-- from each source that says something new of it. People ask the view `facts` below.
CREATE TABLE fact (
    discs INTEGER NOT NULL,
    mover INTEGER NOT NULL,
    opponent INTEGER NOT NULL,
    source INTEGER NOT NULL,
    lower INTEGER NOT NULL,        -- the result is proven to be at least this: discs, for the side
    upper INTEGER NOT NULL,        -- to move; and at most this
    PRIMARY KEY (discs, mover, opponent, source)
) WITHOUT ROWID, STRICT;

-- Nodes that are known to be worth something else than their searches say, which `node` holds: those
-- that facts are about, and those above them. The columns mean what they do there.
CREATE TABLE known (
    discs INTEGER NOT NULL,
    mover INTEGER NOT NULL,
    opponent INTEGER NOT NULL,
    guess INTEGER NOT NULL,
    draw_seeking INTEGER,
    win_seeking INTEGER,
    bounds INTEGER,
    PRIMARY KEY (discs, mover, opponent)
) WITHOUT ROWID, STRICT;

-- Facts for people and for other tools: bounds in discs, for the side to move, which is X in `board`
-- (a1 to h1 first).
CREATE VIEW facts AS
WITH RECURSIVE
square (number) AS (
    SELECT 0
    UNION ALL
    SELECT number + 1 FROM square WHERE number < 63
)
SELECT
    fact.discs AS discs,
    (
        -- The inner order is kept: an ORDER BY inside the aggregate needs SQLite 3.44.
        SELECT group_concat(disc, '')
        FROM (
            SELECT CASE
                WHEN fact.mover >> number & 1 THEN 'X'
                WHEN fact.opponent >> number & 1 THEN 'O'
                ELSE '-'
            END AS disc
            FROM square ORDER BY number
        )
    ) AS board,
    fact.lower AS lower,
    fact.upper AS upper,
    source.file AS source,
    EXISTS (
        SELECT 1 FROM node
        WHERE node.discs = fact.discs AND node.mover = fact.mover
            AND node.opponent = fact.opponent
    ) AS in_book
FROM fact
LEFT JOIN source ON source.id = fact.source;

-- The book for people and for other tools, as before, with what is known from facts: values and
-- bounds are with facts, `searched_guess` is without.
DROP VIEW book;

CREATE VIEW book AS
WITH RECURSIVE
square (number, name) AS (
    SELECT 0, 'a1'
    UNION ALL
    SELECT number + 1, char(97 + ((number + 1) & 7)) || ((number + 1) / 8 + 1)
    FROM square WHERE number < 63
)
SELECT
    node.discs AS discs,
    printf('%016x', node.mover) AS mover,
    printf('%016x', node.opponent) AS opponent,
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
    coalesce(known.guess, node.guess) / 100.0 AS guess,
    CASE WHEN known.guess IS NULL THEN coalesce(node.draw_seeking, node.guess)
        ELSE coalesce(known.draw_seeking, known.guess) END / 100.0 AS draw_seeking,
    CASE WHEN known.guess IS NULL THEN coalesce(node.win_seeking, node.guess)
        ELSE coalesce(known.win_seeking, known.guess) END / 100.0 AS win_seeking,
    coalesce(known.bounds / 129 - 64, node.bounds / 129 - 64, -64) AS lower,
    coalesce(known.bounds % 129 - 64, node.bounds % 129 - 64, 64) AS upper,
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
    links,
    node.guess / 100.0 AS searched_guess
FROM node
LEFT JOIN known ON known.discs = node.discs AND known.mover = node.mover
    AND known.opponent = node.opponent;
