-- A book of schema 7, the oldest that was released. What later steps replace is made there: the view `book` and
-- the table `fleet_result`.

-- Positions with values, and where they come from.

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
    bounds INTEGER,                -- (lower + 64) * 129 + upper + 64 in discs; null: -64..64; 0010 adds
    rest INTEGER NOT NULL,         -- from the lowest bit: square 7 bits (64 none is left, 65 a value
                                   -- without a move, 66 none and a search is due), selectivity 7,
                                   -- depth 6, proof 3, score + 32768 16, source above; 0010 changes it
    links INTEGER NOT NULL,        -- bit i: the i-th legal move, by square, leads to a node; 0010 adds
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

-- Files of other programs as they were imported, where nodes cannot hold all that they say: game
-- counts, kinds of nodes. What has not changed since is exported from here as it was.
CREATE TABLE original (
    source INTEGER PRIMARY KEY,    -- of the nodes that came from it
    content BLOB NOT NULL          -- the whole file, compressed with zstd
) STRICT;

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

-- The squares by number, for the views that draw boards.
CREATE VIEW square AS
WITH RECURSIVE square (number) AS (
    SELECT 0
    UNION ALL
    SELECT number + 1 FROM square WHERE number < 63
)
SELECT number FROM square;

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
SELECT
    played.discs AS discs,
    (
        SELECT group_concat(substr('-XO', 1 + (played.mover >> number & 1) + 2 * (played.opponent >> number & 1), 1), '')
        FROM (SELECT number FROM square ORDER BY number)
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

-- What a fleet needs to remember beside the nodes.

-- Positions that no worker could search: growth by a fleet leaves them alone.
CREATE TABLE fleet_failed (
    discs INTEGER NOT NULL,
    mover INTEGER NOT NULL,
    opponent INTEGER NOT NULL,
    why TEXT NOT NULL,
    day TEXT NOT NULL,             -- as 2026-11-20
    PRIMARY KEY (discs, mover, opponent)
) WITHOUT ROWID, STRICT;

CREATE TABLE fleet_worker (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
) STRICT;

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
SELECT
    fact.discs AS discs,
    (
        SELECT group_concat(substr('-XO', 1 + (fact.mover >> number & 1) + 2 * (fact.opponent >> number & 1), 1), '')
        FROM (SELECT number FROM square ORDER BY number)
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

-- How values moved while the book grew.

-- Checkpoints: growth keeps one now and then. No more than some tens, of the whole history.
CREATE TABLE history_point (
    id INTEGER PRIMARY KEY,
    run INTEGER NOT NULL,          -- a row of `run`; 0 where that is lost
    positions INTEGER NOT NULL,    -- in the book
    searches INTEGER NOT NULL,     -- of all runs up to here
    milliseconds INTEGER NOT NULL, -- of processor time, of all runs up to here
    taken TEXT NOT NULL            -- UTC, as 2026-11-20T19:30:00Z
) STRICT;

-- Positions, in their canonical orientation, whose values are kept.
CREATE TABLE history_position (
    id INTEGER PRIMARY KEY,
    discs INTEGER NOT NULL,
    mover INTEGER NOT NULL,
    opponent INTEGER NOT NULL
) STRICT;

-- What a position is worth by searches alone, from a checkpoint on and until the next row of the same
-- position. The columns mean what they do in `node`; without a guess the position is not in the book.
CREATE TABLE history_value (
    position INTEGER NOT NULL,     -- a row of `history_position`
    point INTEGER NOT NULL,        -- a row of `history_point`
    guess INTEGER,
    draw_seeking INTEGER,
    win_seeking INTEGER,
    bounds INTEGER,
    PRIMARY KEY (position, point)
) WITHOUT ROWID, STRICT;
