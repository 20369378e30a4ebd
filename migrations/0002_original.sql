-- Files of other programs as they were imported, where nodes cannot hold all that they say: game
-- counts, kinds of nodes. What has not changed since is exported from here as it was.
CREATE TABLE original (
    source INTEGER PRIMARY KEY,    -- of the nodes that came from it
    content BLOB NOT NULL          -- the whole file, compressed with zstd
) STRICT;
