-- Values are in discs for the side to move. A position is stored once for its eight images: squares named `move`,
-- but for those of games as they were recorded, are on the board of `positions`.

CREATE TABLE about (
    name TEXT PRIMARY KEY,          -- program, tables: the version of these tables, book: the book's identity
    value TEXT NOT NULL
) WITHOUT ROWID, STRICT;

CREATE TABLE sources (              -- what searched positions of the book; null where it is not known
    id INTEGER PRIMARY KEY,
    engine TEXT,                    -- the program
    evaluator TEXT,                 -- the weights
    level TEXT,                     -- as that program calls it
    format TEXT,                    -- of the file that was imported, null for searches by rosebill
    file TEXT,                      -- that file
    day TEXT                        -- on which it was saved, or of the search, as 2026-11-20
) STRICT;

CREATE TABLE positions (            -- of the book, the games, the analyses and the openings
    key INTEGER PRIMARY KEY,        -- the same for a position in every export of every book; rises with discs
    board TEXT NOT NULL,            -- a1 to h1, a2 to h2, down to h8; X is to move, O the other side, - empty
    discs INTEGER NOT NULL,
    empties INTEGER NOT NULL,
    in_book INTEGER NOT NULL,       -- 1: what follows but `games` is known; 0: it is null
    games INTEGER NOT NULL,         -- games that went on from here
    guess REAL,                     -- the best guess of its value
    draw_seeking REAL,              -- where a draw is enough: a proven win or draw counts 100 more, a loss 100 less
    win_seeking REAL,               -- where it is not: a proven win counts 100 more, a draw or loss 100 less
    lower INTEGER,                  -- the result is proven to lie between them
    upper INTEGER,
    evidence REAL,                  -- the error to expect of the guess by searches alone, 0 where it is exact
    evidence_plies INTEGER,         -- how many plies a search has that is as sure
    depth INTEGER,                  -- plies of its own search
    selectivity INTEGER,            -- of its own search, in percent
    source INTEGER REFERENCES sources (id),
    search_due INTEGER              -- 1: moves are not searched yet
) STRICT;

CREATE TABLE moves (                -- with a value or played in games; of moves that are images of each other the first
    position INTEGER NOT NULL REFERENCES positions (key),
    move TEXT NOT NULL,
    child INTEGER REFERENCES positions (key), -- what it leads to, null where that is not in `positions`
    same_side INTEGER NOT NULL,     -- 1: the other side must pass, so `child` is of the same side
    known_by TEXT,                  -- how its value is known: book, held, best other, ends the game; null: it is not
    value REAL,                     -- the best guess, for the side that moves
    draw_seeking REAL,
    win_seeking REAL,
    lower INTEGER,
    upper INTEGER,
    loss REAL,                      -- what it gives away against the best value
    games INTEGER NOT NULL,         -- games that went on with it
    PRIMARY KEY (position, move)
) WITHOUT ROWID, STRICT;

CREATE TABLE games (
    id INTEGER PRIMARY KEY,         -- as in the book
    event TEXT,                     -- this and the next are null where the source does not say it
    round TEXT,
    year INTEGER,
    month INTEGER,
    day INTEGER,
    black TEXT,
    white TEXT,
    black_rating REAL,
    white_rating REAL,
    black_discs INTEGER,            -- at the end, empties to the winner; null where the moves do not reach it
    winner TEXT,                    -- by the board, else by the header: black, white or draw
    stated TEXT,                    -- what the header says of the result
    theoretical INTEGER,            -- Black's discs after perfect play ...
    theoretical_empties INTEGER,    -- ... from the position with so many empties
    xot INTEGER NOT NULL,           -- 1: its opening was drawn by lot
    start TEXT,                     -- the board and its side to move; null: the start position
    plies INTEGER NOT NULL,         -- moves, passes not counted
    line TEXT NOT NULL,             -- the moves as they were recorded
    sources TEXT NOT NULL,          -- files and collections
    extra TEXT,                     -- all other facts, a JSON object
    remarks TEXT                    -- what is said of moves, a JSON object by their numbers, 0 before the first
) STRICT;

CREATE TABLE game_positions (       -- a row a move
    game INTEGER NOT NULL REFERENCES games (id),
    ply INTEGER NOT NULL,           -- the number of the move, from 1 on, passes not counted
    position INTEGER NOT NULL REFERENCES positions (key), -- in which it was made
    side TEXT NOT NULL,             -- that made it: black or white
    move TEXT NOT NULL,             -- as it was recorded
    stored_move TEXT NOT NULL,      -- on the board of `positions`, as in `moves`
    PRIMARY KEY (game, ply)
) WITHOUT ROWID, STRICT;

CREATE TABLE openings (
    name TEXT NOT NULL,
    language TEXT NOT NULL,         -- en, fr or ja
    position INTEGER NOT NULL REFERENCES positions (key),
    line TEXT NOT NULL,             -- the usual moves to it
    PRIMARY KEY (name, language, position)
) WITHOUT ROWID, STRICT;

CREATE TABLE analysed (             -- moves that were searched when games were analysed, in the book or not
    position INTEGER NOT NULL REFERENCES positions (key),
    move TEXT NOT NULL,
    value REAL NOT NULL,
    loss REAL NOT NULL,             -- what it gives away against `best_move`
    best_move TEXT NOT NULL,        -- which has a row of its own
    exact INTEGER NOT NULL,         -- 1: the value is proven
    depth INTEGER NOT NULL,         -- plies, this move among them
    selectivity INTEGER NOT NULL,   -- in percent
    searcher TEXT NOT NULL,         -- the program and the weights
    PRIMARY KEY (position, move)
) WITHOUT ROWID, STRICT;
