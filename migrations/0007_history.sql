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
