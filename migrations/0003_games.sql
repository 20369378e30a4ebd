-- Games: who, when, where, what was played, and which positions several games share.

CREATE TABLE player (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,     -- as the first source spelt it
    folded TEXT NOT NULL,          -- its words in small letters without accents: for searching
    program INTEGER NOT NULL       -- 1: a program
) STRICT;

CREATE INDEX player_folded ON player (folded);

CREATE TABLE event (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
) STRICT;

-- Where games came from: files and collections.
CREATE TABLE collection (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    added TEXT NOT NULL            -- the day it came first, as 2026-11-20
) STRICT;

-- A game as it was played, in the orientation of its source. People ask the views `games` and
-- `game_moves` below.
CREATE TABLE game (
    id INTEGER PRIMARY KEY,
    event INTEGER,
    round TEXT,
    year INTEGER,
    month INTEGER,
    day INTEGER,
    black INTEGER,
    white INTEGER,
    black_rating REAL,
    white_rating REAL,
    black_discs INTEGER,           -- at the end, empties to the winner, when the board says so
    stated TEXT,                   -- what the header says of the result
    theoretical INTEGER,           -- Black's discs after perfect play...
    theoretical_empties INTEGER,   -- ...from the position with so many empties
    xot INTEGER NOT NULL,          -- 1: its opening was drawn by lot
    start TEXT,                    -- null: the start position; else a1 to h8 as X, O, - and who moves
    moves BLOB NOT NULL,           -- a byte a move, 0 for a1 to 63 for h8; passes follow from the rules
    extra TEXT,                    -- all other facts, a JSON object
    fingerprint INTEGER NOT NULL   -- of the moves in any orientation; games may share one
) STRICT;

CREATE INDEX game_fingerprint ON game (fingerprint);

-- Its rows are numbered, so that in a damaged file they look like those of no other table or index.
CREATE TABLE game_source (
    collection INTEGER NOT NULL,
    game INTEGER NOT NULL,
    PRIMARY KEY (collection, game)
) STRICT;

CREATE INDEX game_source_game ON game_source (game);

-- What filters and counts need of 4096 games together, so that they are in memory at once.
CREATE TABLE game_facts (
    block INTEGER PRIMARY KEY,     -- games from 4096 * block on
    games INTEGER NOT NULL,
    facts BLOB NOT NULL
) STRICT;

-- Positions that occur in two games or more, in their canonical orientation, and the games that went
-- on with each move. Of moves that are images of each other the first stands for all.
CREATE TABLE game_move (
    discs INTEGER NOT NULL,
    mover INTEGER NOT NULL,
    opponent INTEGER NOT NULL,
    square INTEGER NOT NULL,
    games INTEGER NOT NULL,
    list BLOB NOT NULL,            -- 2 * game + 1 where Black moves, as differences, 7 bits a byte
    PRIMARY KEY (discs, mover, opponent, square)
) WITHOUT ROWID, STRICT;

-- Games for people and for other tools.
CREATE VIEW games AS
SELECT
    game.id AS id,
    event.name AS event,
    round, year, month, day,
    black.name AS black,
    white.name AS white,
    black_rating, white_rating,
    black_discs, stated, theoretical, theoretical_empties, xot, start,
    length(moves) AS plies,
    (
        -- The inner order is kept: an ORDER BY inside the aggregate needs SQLite 3.44.
        SELECT group_concat(name, ', ')
        FROM (
            SELECT collection.name AS name
            FROM game_source JOIN collection ON collection.id = game_source.collection
            WHERE game_source.game = game.id ORDER BY collection.id
        )
    ) AS sources,
    extra
FROM game
LEFT JOIN event ON event.id = game.event
LEFT JOIN player AS black ON black.id = game.black
LEFT JOIN player AS white ON white.id = game.white;

-- The moves of games as they were recorded, from ply 1 on.
CREATE VIEW game_moves AS
WITH RECURSIVE
ply (number) AS (
    SELECT 1
    UNION ALL
    SELECT number + 1 FROM ply WHERE number < 60
),
played (game, ply, square) AS (
    -- A byte as text is a character, but for 0, which ends it.
    SELECT game.id, number, coalesce(unicode(CAST(substr(moves, number, 1) AS TEXT)), 0)
    FROM game JOIN ply ON number <= length(moves)
)
SELECT game, ply, char(97 + (square & 7)) || ((square >> 3) + 1) AS move
FROM played;
