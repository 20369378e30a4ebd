-- What moves of positions are worth, found when games were analysed; whether the games are stored or
-- not.

-- Who searched. Not the sources of the book: those are replaced when a snapshot is restored.
CREATE TABLE searcher (
    id INTEGER PRIMARY KEY,
    engine TEXT NOT NULL,
    evaluator TEXT NOT NULL,
    day TEXT NOT NULL,             -- as 2026-11-20
    UNIQUE (engine, evaluator, day)
) STRICT;

-- The best move of a position, and others that were played there. The position is in its canonical
-- orientation; of moves that are images of each other the first stands for all. All moves of a
-- position were searched with the same limits by the same evaluator, so that their values can be
-- compared. People ask the view `analysed` below.
CREATE TABLE analysis (
    discs INTEGER NOT NULL,
    mover INTEGER NOT NULL,
    opponent INTEGER NOT NULL,
    square INTEGER NOT NULL,
    best INTEGER NOT NULL,         -- 1: the search of all moves found this one
    score INTEGER NOT NULL,        -- centidiscs, for the side to move
    proof INTEGER NOT NULL,        -- 0 none, 1 exact
    depth INTEGER NOT NULL,        -- plies from the position, this move among them
    selectivity INTEGER NOT NULL,  -- percent
    source INTEGER NOT NULL,       -- a searcher
    PRIMARY KEY (discs, mover, opponent, square)
) WITHOUT ROWID, STRICT;

-- Analysed moves for people and for other tools: values in discs, for the side to move, which is X in
-- `board` (a1 to h1 first).
CREATE VIEW analysed AS
WITH RECURSIVE
square (number) AS (
    SELECT 0
    UNION ALL
    SELECT number + 1 FROM square WHERE number < 63
)
SELECT
    played.discs AS discs,
    (
        -- The inner order is kept: an ORDER BY inside the aggregate needs SQLite 3.44.
        SELECT group_concat(disc, '')
        FROM (
            SELECT CASE
                WHEN played.mover >> number & 1 THEN 'X'
                WHEN played.opponent >> number & 1 THEN 'O'
                ELSE '-'
            END AS disc
            FROM square ORDER BY number
        )
    ) AS board,
    char(97 + (played.square & 7)) || ((played.square >> 3) + 1) AS move,
    played.score / 100.0 AS value,
    max(best.score - played.score, 0) / 100.0 AS loss,
    char(97 + (best.square & 7)) || ((best.square >> 3) + 1) AS best_move,
    played.proof = 1 AS exact,
    played.depth AS depth,
    played.selectivity AS selectivity,
    searcher.engine || ', ' || searcher.evaluator AS searcher
FROM analysis AS played
JOIN analysis AS best ON best.discs = played.discs AND best.mover = played.mover
    AND best.opponent = played.opponent AND best.best = 1
LEFT JOIN searcher ON searcher.id = played.source;
