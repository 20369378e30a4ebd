-- What is said of the moves of a game, and the other moves that are given.

ALTER TABLE game ADD COLUMN remarks TEXT; -- a JSON object by the numbers of the moves; null: nothing
