-- What was done to the searches of a book, and what takes it back.

-- Changes in the order in which they were done. Those that were taken back, and may be done again, are the last ones.
CREATE TABLE undo_entry (
    id INTEGER PRIMARY KEY,
    is_undone INTEGER NOT NULL,        -- 1: taken back
    schema INTEGER NOT NULL,           -- version of the schema that its rows are of
    asked TEXT NOT NULL,               -- the command
    started TEXT NOT NULL,             -- UTC, as 2026-11-20T19:30:00Z
    run INTEGER,                       -- a row of `run`, where it is one
    positions_before INTEGER NOT NULL,
    positions_after INTEGER NOT NULL,
    bytes INTEGER NOT NULL,            -- of its images, or of its file
    file TEXT                          -- length and checksum of the saved book beside this one; null: it has images
) STRICT;

-- Rows as they were before a change first touched them (of one that was taken back: before that was done), by
-- change and in the order in which they were written. A row may be among them more than once: the earliest counts.
CREATE TABLE undo_image (
    entry INTEGER NOT NULL,
    number INTEGER NOT NULL,
    images BLOB NOT NULL,              -- as src/store/undo_log/image.rs writes them
    PRIMARY KEY (entry, number)
) WITHOUT ROWID, STRICT;

-- From now on every book has what tells it from all others.
INSERT OR IGNORE INTO meta (name, value) VALUES ('identity', lower(hex(randomblob(8))));

-- What was saved before the last import, prune, merge or restore, by a program that kept one state.
INSERT INTO undo_entry (is_undone, schema, asked, started, positions_before, positions_after, bytes, file)
SELECT 0, 11, 'a change by an older rosebill', '', 0, (SELECT total(positions) FROM layer),
    CAST(value AS INTEGER), value
FROM meta WHERE name = 'saved_for_undo';

DELETE FROM meta WHERE name = 'saved_for_undo';
