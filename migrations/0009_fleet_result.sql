-- With what a worker found, so that what others searched there since is not taken for its result.

DROP TABLE IF EXISTS fleet_result;

-- Who searched a node last, while results are checked: what a liar found is searched again.
CREATE TABLE fleet_result (
    discs INTEGER NOT NULL,
    mover INTEGER NOT NULL,
    opponent INTEGER NOT NULL,
    worker INTEGER NOT NULL,
    rest INTEGER NOT NULL,         -- of the node, as the worker's search left it
    PRIMARY KEY (discs, mover, opponent)
) WITHOUT ROWID, STRICT;
