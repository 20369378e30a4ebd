-- What is said of the moves of a game, and the other moves that are given.

ALTER TABLE game ADD COLUMN remarks TEXT; -- a JSON object by the numbers of the moves; null: nothing

DROP VIEW games;

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
    extra,
    remarks
FROM game
LEFT JOIN event ON event.id = game.event
LEFT JOIN player AS black ON black.id = game.black
LEFT JOIN player AS white ON white.id = game.white;
