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

-- Who searched a node last, while results are checked: what a liar found is searched again.
CREATE TABLE fleet_result (
    discs INTEGER NOT NULL,
    mover INTEGER NOT NULL,
    opponent INTEGER NOT NULL,
    worker INTEGER NOT NULL,
    PRIMARY KEY (discs, mover, opponent)
) WITHOUT ROWID, STRICT;
