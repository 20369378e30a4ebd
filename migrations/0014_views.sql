-- The views anew, so that programs which bring their own SQL read them, too: DuckDB has other functions, and
-- divides integers otherwise. Rows of which the search is kept in six bytes are read, too.

-- Four squares of a row of a board, by the mover's four bits and 16 times the opponent's. One text of all is found
-- at once; a square at a time takes nine times as long.
DROP VIEW IF EXISTS four;
CREATE VIEW four AS SELECT
    '----X----X--XX----X-X-X--XX-XXX----XX--X-X-XXX-X--XXX-XX-XXXXXXXO---?---OX--?X--O-X-?-X-OXX-?XX-O--X'
    || '?--XOX-X?X-XO-XX?-XXOXXX?XXX-O--XO---?--X?---OX-XOX--?X-X?X--O-XXO-X-?-XX?-X-OXXXOXX-?XXX?XXOO--?O--'
    || 'O?--??--OOX-?OX-O?X-??X-OO-X?O-XO?-X??-XOOXX?OXXO?XX??XX--O-X-O--XO-XXO---?-X-?--X?-XX?---OXX-OX-XOX'
    || 'XXOX--?XX-?X-X?XXX?XO-O-?-O-OXO-?XO-O-?-?-?-OX?-?X?-O-OX?-OXOXOX?XOXO-?X?-?XOX?X?X?X-OO-XOO--?O-X?O-'
    || '-O?-XO?--??-X??--OOXXOOX-?OXX?OX-O?XXO?X-??XX??XOOO-?OO-O?O-??O-OO?-?O?-O??-???-OOOX?OOXO?OX??OXOO?X'
    || '?O?XO??X???X---OX--O-X-OXX-O--XOX-XO-XXOXXXO---?X--?-X-?XX-?--X?X-X?-XX?XXX?O--O?--OOX-O?X-OO-XO?-XO'
    || 'OXXO?XXOO--??--?OX-??X-?O-X??-X?OXX??XX?-O-OXO-O-?-OX?-O-OXOXOXO-?XOX?XO-O-?XO-?-?-?X?-?-OX?XOX?-?X?'
    || 'X?X?OO-O?O-OO?-O??-OOOXO?OXOO?XO??XOOO-??O-?O?-???-?OOX??OX?O?X???X?--OOX-OO-XOOXXOO--?OX-?O-X?OXX?O'
    || '--O?X-O?-XO?XXO?--??X-??-X??XX??O-OO?-OOOXOO?XOOO-?O?-?OOX?O?X?OO-O??-O?OXO??XO?O-???-??OX???X??-OOO'
    || 'XOOO-?OOX?OO-O?OXO?O-??OX??O-OO?XOO?-?O?X?O?-O??XO??-???X???OOOO?OOOO?OO??OOOO?O?O?OO??O???OOOO??OO?'
    || 'O?O???O?OO???O??O???????' AS squares;

-- The book for people and for other tools: discs as numbers, squares as names, all values from the point of view of
-- the side to move, which is X in `board` (a1 to h1 first), with what is known from facts; `searched_guess` is
-- without. `rest_*` is the position's own search; `evidence` the error to be expected of its value without facts, in
-- discs.
DROP VIEW IF EXISTS book;
CREATE VIEW book AS
WITH kept AS (
    -- What is kept in six bytes has the same parts in fewer bits.
    SELECT node.*,
        CASE WHEN rest BETWEEN -140737488355328 AND -1 THEN
            (-9223372036854775807 - 1) | (rest & 511)
                | (CAST(substr('073087095098099100', 1 + 3 * ((rest >> 9) & 7), 3) AS INTEGER) << 10)
                | (((rest >> 12) & 4294967295) << 17) | (((rest >> 44) & 7) << 50)
        ELSE rest END AS long
    FROM node
),
one AS (
    SELECT
        node.discs AS discs, node.mover AS mover, node.opponent AS opponent,
        coalesce(known.guess, node.guess) AS guess,
        coalesce(CASE WHEN known.guess IS NULL THEN node.draw_seeking ELSE known.draw_seeking END,
            known.guess, node.guess) AS draw_seeking,
        coalesce(CASE WHEN known.guess IS NULL THEN node.win_seeking ELSE known.win_seeking END,
            known.guess, node.guess) AS win_seeking,
        coalesce(known.bounds, nullif(CASE WHEN node.rest < 0 THEN (node.bounds >> 8 & 32767) - 1
            ELSE node.bounds END, -1), 128) AS bounds,
        node.long AS rest, node.links AS links, node.guess AS searched_guess,
        -- Rows of before schema 10 have no evidence.
        CASE WHEN node.rest < -140737488355328 THEN (node.rest >> 40) & 1023
            WHEN node.rest < 0 THEN (node.rest >> 35) & 511 END AS error,
        64 - node.discs AS empties,
        '260220200180165155142136130127123115111108103097094092091089088086085083082081080078076074072070068066065064063062061060059058057056055054053052051050049048047046045044043042041040039' AS plies,
        CAST(substr('2208220822082208220822082208220822082208220822082208220822082208220822082208220822082113202219351851177216951622155214861422136013021246119211411092104510001000100010001000100010001000100010001000100010001000100010001000100010001000100010001000', 1 + 4 * (64 - node.discs), 4) AS INTEGER) AS rise
    FROM kept AS node
    LEFT JOIN known ON known.discs = node.discs AND known.mover = node.mover
        AND known.opponent = node.opponent
)
SELECT
    one.discs AS discs,
    substr('0123456789abcdef', 1 + (one.mover >> 60 & 15), 1) || substr('0123456789abcdef', 1 + (one.mover >> 56 & 15), 1)
        || substr('0123456789abcdef', 1 + (one.mover >> 52 & 15), 1) || substr('0123456789abcdef', 1 + (one.mover >> 48 & 15), 1)
        || substr('0123456789abcdef', 1 + (one.mover >> 44 & 15), 1) || substr('0123456789abcdef', 1 + (one.mover >> 40 & 15), 1)
        || substr('0123456789abcdef', 1 + (one.mover >> 36 & 15), 1) || substr('0123456789abcdef', 1 + (one.mover >> 32 & 15), 1)
        || substr('0123456789abcdef', 1 + (one.mover >> 28 & 15), 1) || substr('0123456789abcdef', 1 + (one.mover >> 24 & 15), 1)
        || substr('0123456789abcdef', 1 + (one.mover >> 20 & 15), 1) || substr('0123456789abcdef', 1 + (one.mover >> 16 & 15), 1)
        || substr('0123456789abcdef', 1 + (one.mover >> 12 & 15), 1) || substr('0123456789abcdef', 1 + (one.mover >> 8 & 15), 1)
        || substr('0123456789abcdef', 1 + (one.mover >> 4 & 15), 1) || substr('0123456789abcdef', 1 + (one.mover >> 0 & 15), 1) AS mover,
    substr('0123456789abcdef', 1 + (one.opponent >> 60 & 15), 1) || substr('0123456789abcdef', 1 + (one.opponent >> 56 & 15), 1)
        || substr('0123456789abcdef', 1 + (one.opponent >> 52 & 15), 1) || substr('0123456789abcdef', 1 + (one.opponent >> 48 & 15), 1)
        || substr('0123456789abcdef', 1 + (one.opponent >> 44 & 15), 1) || substr('0123456789abcdef', 1 + (one.opponent >> 40 & 15), 1)
        || substr('0123456789abcdef', 1 + (one.opponent >> 36 & 15), 1) || substr('0123456789abcdef', 1 + (one.opponent >> 32 & 15), 1)
        || substr('0123456789abcdef', 1 + (one.opponent >> 28 & 15), 1) || substr('0123456789abcdef', 1 + (one.opponent >> 24 & 15), 1)
        || substr('0123456789abcdef', 1 + (one.opponent >> 20 & 15), 1) || substr('0123456789abcdef', 1 + (one.opponent >> 16 & 15), 1)
        || substr('0123456789abcdef', 1 + (one.opponent >> 12 & 15), 1) || substr('0123456789abcdef', 1 + (one.opponent >> 8 & 15), 1)
        || substr('0123456789abcdef', 1 + (one.opponent >> 4 & 15), 1) || substr('0123456789abcdef', 1 + (one.opponent >> 0 & 15), 1) AS opponent,
    substr(four.squares, 1 + 4 * ((one.mover >> 0 & 15) + 16 * (one.opponent >> 0 & 15)), 4)
        || substr(four.squares, 1 + 4 * ((one.mover >> 4 & 15) + 16 * (one.opponent >> 4 & 15)), 4)
        || substr(four.squares, 1 + 4 * ((one.mover >> 8 & 15) + 16 * (one.opponent >> 8 & 15)), 4)
        || substr(four.squares, 1 + 4 * ((one.mover >> 12 & 15) + 16 * (one.opponent >> 12 & 15)), 4)
        || substr(four.squares, 1 + 4 * ((one.mover >> 16 & 15) + 16 * (one.opponent >> 16 & 15)), 4)
        || substr(four.squares, 1 + 4 * ((one.mover >> 20 & 15) + 16 * (one.opponent >> 20 & 15)), 4)
        || substr(four.squares, 1 + 4 * ((one.mover >> 24 & 15) + 16 * (one.opponent >> 24 & 15)), 4)
        || substr(four.squares, 1 + 4 * ((one.mover >> 28 & 15) + 16 * (one.opponent >> 28 & 15)), 4)
        || substr(four.squares, 1 + 4 * ((one.mover >> 32 & 15) + 16 * (one.opponent >> 32 & 15)), 4)
        || substr(four.squares, 1 + 4 * ((one.mover >> 36 & 15) + 16 * (one.opponent >> 36 & 15)), 4)
        || substr(four.squares, 1 + 4 * ((one.mover >> 40 & 15) + 16 * (one.opponent >> 40 & 15)), 4)
        || substr(four.squares, 1 + 4 * ((one.mover >> 44 & 15) + 16 * (one.opponent >> 44 & 15)), 4)
        || substr(four.squares, 1 + 4 * ((one.mover >> 48 & 15) + 16 * (one.opponent >> 48 & 15)), 4)
        || substr(four.squares, 1 + 4 * ((one.mover >> 52 & 15) + 16 * (one.opponent >> 52 & 15)), 4)
        || substr(four.squares, 1 + 4 * ((one.mover >> 56 & 15) + 16 * (one.opponent >> 56 & 15)), 4)
        || substr(four.squares, 1 + 4 * ((one.mover >> 60 & 15) + 16 * (one.opponent >> 60 & 15)), 4) AS board,
    one.guess / 100.0 AS guess,
    one.draw_seeking / 100.0 AS draw_seeking,
    one.win_seeking / 100.0 AS win_seeking,
    CAST((one.bounds - one.bounds % 129) / 129 AS INTEGER) - 64 AS lower,
    one.bounds % 129 - 64 AS upper,
    CASE WHEN (one.rest & 127) < 64 THEN substr('abcdefgh', 1 + (one.rest & 7), 1) || substr('12345678', 1 + (one.rest >> 3 & 7), 1) END AS rest_move,
    CASE WHEN (one.rest & 127) NOT IN (64, 66) THEN
        (CASE WHEN one.rest < 0 THEN (one.rest >> 26 & 16383) - 8192
            ELSE (one.rest >> 23 & 65535) - 32768 END) / 100.0
    END AS rest_value,
    CASE WHEN (one.rest & 127) NOT IN (64, 66) THEN
        CASE (CASE WHEN one.rest < 0 THEN one.rest >> 23 ELSE one.rest >> 20 END) & 7
            WHEN 0 THEN 'none' WHEN 1 THEN 'exact' WHEN 2 THEN 'win' WHEN 3 THEN 'loss'
            WHEN 4 THEN 'not_lost' WHEN 5 THEN 'not_won'
        END
    END AS rest_proof,
    CASE WHEN one.rest < 0 THEN one.rest >> 8 & 1
        WHEN (one.rest & 127) IN (64, 66) THEN 0 ELSE 1 END AS rest_stands,
    CASE WHEN one.rest < 0 THEN one.rest >> 17 & 63 ELSE one.rest >> 14 & 63 END AS depth,
    CASE WHEN one.rest < 0 THEN one.rest >> 10 & 127 ELSE one.rest >> 7 & 127 END AS selectivity,
    CASE WHEN one.rest < 0 THEN one.rest >> 50 & 8191 ELSE one.rest >> 39 END AS source,
    CASE WHEN one.rest < 0 THEN one.rest >> 7 & 1
        WHEN (one.rest & 127) = 66 THEN 1 ELSE 0 END AS search_due,
    one.error / 100.0 AS evidence,
    -- The most plies of a search that is no surer, as src/openbook/evidence.rs has it: errors by plies, times what
    -- they rise by the empties, times what is left of them near the end; never below 8 hundredths of a disc.
    CASE
        WHEN one.error = 0 THEN one.empties
        WHEN one.error <= 8 THEN one.empties - 1
        WHEN one.empties >= 1 AND one.error * 1000000 <= 602 * (
            CAST(substr(one.plies, 1 + 3 * (one.empties - 1), 3) AS INTEGER) * one.rise
            - CAST(substr(one.plies, 1 + 3 * (one.empties - 1), 3) AS INTEGER) * one.rise % 1000) THEN one.empties - 1
        WHEN one.empties >= 2 AND one.error * 1000000 <= 842 * (
            CAST(substr(one.plies, 1 + 3 * (one.empties - 2), 3) AS INTEGER) * one.rise
            - CAST(substr(one.plies, 1 + 3 * (one.empties - 2), 3) AS INTEGER) * one.rise % 1000) THEN one.empties - 2
        WHEN one.empties >= 3 AND one.error * 1000000 <= 937 * (
            CAST(substr(one.plies, 1 + 3 * (one.empties - 3), 3) AS INTEGER) * one.rise
            - CAST(substr(one.plies, 1 + 3 * (one.empties - 3), 3) AS INTEGER) * one.rise % 1000) THEN one.empties - 3
        WHEN one.empties >= 4 AND one.error * 1000000 <= 975 * (
            CAST(substr(one.plies, 1 + 3 * (one.empties - 4), 3) AS INTEGER) * one.rise
            - CAST(substr(one.plies, 1 + 3 * (one.empties - 4), 3) AS INTEGER) * one.rise % 1000) THEN one.empties - 4
        WHEN one.empties >= 5 AND one.error * 1000000 <= 990 * (
            CAST(substr(one.plies, 1 + 3 * (one.empties - 5), 3) AS INTEGER) * one.rise
            - CAST(substr(one.plies, 1 + 3 * (one.empties - 5), 3) AS INTEGER) * one.rise % 1000) THEN one.empties - 5
        WHEN one.empties >= 6 AND one.error * 1000000 <= 996 * (
            CAST(substr(one.plies, 1 + 3 * (one.empties - 6), 3) AS INTEGER) * one.rise
            - CAST(substr(one.plies, 1 + 3 * (one.empties - 6), 3) AS INTEGER) * one.rise % 1000) THEN one.empties - 6
        WHEN one.empties >= 7 AND one.error * 1000000 <= 998 * (
            CAST(substr(one.plies, 1 + 3 * (one.empties - 7), 3) AS INTEGER) * one.rise
            - CAST(substr(one.plies, 1 + 3 * (one.empties - 7), 3) AS INTEGER) * one.rise % 1000) THEN one.empties - 7
        WHEN one.empties >= 8 AND one.error * 1000000 <= 1000 * (
            CAST(substr(one.plies, 1 + 3 * (one.empties - 8), 3) AS INTEGER) * one.rise
            - CAST(substr(one.plies, 1 + 3 * (one.empties - 8), 3) AS INTEGER) * one.rise % 1000) THEN one.empties - 8
        WHEN one.empties < 8 AND one.error IS NOT NULL THEN 0
        WHEN one.error * 1000 <= 47 * one.rise THEN 52
        WHEN one.error * 1000 <= 48 * one.rise THEN 51
        WHEN one.error * 1000 <= 49 * one.rise THEN 50
        WHEN one.error * 1000 <= 50 * one.rise THEN 49
        WHEN one.error * 1000 <= 51 * one.rise THEN 48
        WHEN one.error * 1000 <= 52 * one.rise THEN 47
        WHEN one.error * 1000 <= 53 * one.rise THEN 46
        WHEN one.error * 1000 <= 54 * one.rise THEN 45
        WHEN one.error * 1000 <= 55 * one.rise THEN 44
        WHEN one.error * 1000 <= 56 * one.rise THEN 43
        WHEN one.error * 1000 <= 57 * one.rise THEN 42
        WHEN one.error * 1000 <= 58 * one.rise THEN 41
        WHEN one.error * 1000 <= 59 * one.rise THEN 40
        WHEN one.error * 1000 <= 60 * one.rise THEN 39
        WHEN one.error * 1000 <= 61 * one.rise THEN 38
        WHEN one.error * 1000 <= 62 * one.rise THEN 37
        WHEN one.error * 1000 <= 63 * one.rise THEN 36
        WHEN one.error * 1000 <= 64 * one.rise THEN 35
        WHEN one.error * 1000 <= 65 * one.rise THEN 34
        WHEN one.error * 1000 <= 66 * one.rise THEN 33
        WHEN one.error * 1000 <= 68 * one.rise THEN 32
        WHEN one.error * 1000 <= 70 * one.rise THEN 31
        WHEN one.error * 1000 <= 72 * one.rise THEN 30
        WHEN one.error * 1000 <= 74 * one.rise THEN 29
        WHEN one.error * 1000 <= 76 * one.rise THEN 28
        WHEN one.error * 1000 <= 78 * one.rise THEN 27
        WHEN one.error * 1000 <= 80 * one.rise THEN 26
        WHEN one.error * 1000 <= 81 * one.rise THEN 25
        WHEN one.error * 1000 <= 82 * one.rise THEN 24
        WHEN one.error * 1000 <= 83 * one.rise THEN 23
        WHEN one.error * 1000 <= 85 * one.rise THEN 22
        WHEN one.error * 1000 <= 86 * one.rise THEN 21
        WHEN one.error * 1000 <= 88 * one.rise THEN 20
        WHEN one.error * 1000 <= 89 * one.rise THEN 19
        WHEN one.error * 1000 <= 91 * one.rise THEN 18
        WHEN one.error * 1000 <= 92 * one.rise THEN 17
        WHEN one.error * 1000 <= 94 * one.rise THEN 16
        WHEN one.error * 1000 <= 97 * one.rise THEN 15
        WHEN one.error * 1000 <= 103 * one.rise THEN 14
        WHEN one.error * 1000 <= 108 * one.rise THEN 13
        WHEN one.error * 1000 <= 111 * one.rise THEN 12
        WHEN one.error * 1000 <= 115 * one.rise THEN 11
        WHEN one.error * 1000 <= 123 * one.rise THEN 10
        WHEN one.error * 1000 <= 127 * one.rise THEN 9
        WHEN one.error * 1000 <= 130 * one.rise THEN 8
        WHEN one.error * 1000 <= 136 * one.rise THEN 7
        WHEN one.error * 1000 <= 142 * one.rise THEN 6
        WHEN one.error * 1000 <= 155 * one.rise THEN 5
        WHEN one.error * 1000 <= 165 * one.rise THEN 4
        WHEN one.error * 1000 <= 180 * one.rise THEN 3
        WHEN one.error * 1000 <= 200 * one.rise THEN 2
        WHEN one.error * 1000 <= 220 * one.rise THEN 1
        WHEN one.error IS NOT NULL THEN 0
    END AS evidence_plies,
    one.links & 8589934591 AS links,
    one.searched_guess / 100.0 AS searched_guess
FROM one CROSS JOIN four;

-- The moves of games as they were recorded, from ply 1 on.
DROP VIEW IF EXISTS game_moves;
CREATE VIEW game_moves AS
WITH played AS (
    SELECT
        game.id AS game, square.number + 1 AS ply,
        instr('123456789ABCDEF', substr(hex(game.moves), 2 * square.number + 1, 1)) * 16
            + instr('123456789ABCDEF', substr(hex(game.moves), 2 * square.number + 2, 1)) AS at
    FROM game JOIN square ON 2 * square.number < length(hex(game.moves))
)
SELECT played.game AS game, played.ply AS ply, substr('abcdefgh', 1 + (played.at & 7), 1) || substr('12345678', 1 + (played.at >> 3 & 7), 1) AS move
FROM played;

DROP VIEW IF EXISTS games;
CREATE VIEW games AS
SELECT
    game.id AS id,
    event.name AS event,
    game.round AS round, game.year AS year, game.month AS month, game.day AS day,
    black.name AS black,
    white.name AS white,
    game.black_rating AS black_rating, game.white_rating AS white_rating,
    game.black_discs AS black_discs, game.stated AS stated, game.theoretical AS theoretical,
    game.theoretical_empties AS theoretical_empties, game.xot AS xot, game.start AS start,
    CAST(length(hex(game.moves)) / 2 AS INTEGER) AS plies,
    (
        -- The inner order is kept: an ORDER BY inside the aggregate needs SQLite 3.44.
        SELECT group_concat(named.name, ', ')
        FROM (
            SELECT collection.name AS name
            FROM game_source JOIN collection ON collection.id = game_source.collection
            WHERE game_source.game = game.id ORDER BY game_source.rowid
        ) AS named
    ) AS sources,
    game.extra AS extra,
    game.remarks AS remarks
FROM game
LEFT JOIN event ON event.id = game.event
LEFT JOIN player AS black ON black.id = game.black
LEFT JOIN player AS white ON white.id = game.white;

-- Analysed moves for people and for other tools: values in discs, for the side to move, which is X in
-- `board` (a1 to h1 first).
DROP VIEW IF EXISTS analysed;
CREATE VIEW analysed AS
SELECT
    played.discs AS discs,
    substr(four.squares, 1 + 4 * ((played.mover >> 0 & 15) + 16 * (played.opponent >> 0 & 15)), 4)
        || substr(four.squares, 1 + 4 * ((played.mover >> 4 & 15) + 16 * (played.opponent >> 4 & 15)), 4)
        || substr(four.squares, 1 + 4 * ((played.mover >> 8 & 15) + 16 * (played.opponent >> 8 & 15)), 4)
        || substr(four.squares, 1 + 4 * ((played.mover >> 12 & 15) + 16 * (played.opponent >> 12 & 15)), 4)
        || substr(four.squares, 1 + 4 * ((played.mover >> 16 & 15) + 16 * (played.opponent >> 16 & 15)), 4)
        || substr(four.squares, 1 + 4 * ((played.mover >> 20 & 15) + 16 * (played.opponent >> 20 & 15)), 4)
        || substr(four.squares, 1 + 4 * ((played.mover >> 24 & 15) + 16 * (played.opponent >> 24 & 15)), 4)
        || substr(four.squares, 1 + 4 * ((played.mover >> 28 & 15) + 16 * (played.opponent >> 28 & 15)), 4)
        || substr(four.squares, 1 + 4 * ((played.mover >> 32 & 15) + 16 * (played.opponent >> 32 & 15)), 4)
        || substr(four.squares, 1 + 4 * ((played.mover >> 36 & 15) + 16 * (played.opponent >> 36 & 15)), 4)
        || substr(four.squares, 1 + 4 * ((played.mover >> 40 & 15) + 16 * (played.opponent >> 40 & 15)), 4)
        || substr(four.squares, 1 + 4 * ((played.mover >> 44 & 15) + 16 * (played.opponent >> 44 & 15)), 4)
        || substr(four.squares, 1 + 4 * ((played.mover >> 48 & 15) + 16 * (played.opponent >> 48 & 15)), 4)
        || substr(four.squares, 1 + 4 * ((played.mover >> 52 & 15) + 16 * (played.opponent >> 52 & 15)), 4)
        || substr(four.squares, 1 + 4 * ((played.mover >> 56 & 15) + 16 * (played.opponent >> 56 & 15)), 4)
        || substr(four.squares, 1 + 4 * ((played.mover >> 60 & 15) + 16 * (played.opponent >> 60 & 15)), 4) AS board,
    substr('abcdefgh', 1 + (played.square & 7), 1) || substr('12345678', 1 + (played.square >> 3 & 7), 1) AS move,
    played.score / 100.0 AS value,
    CASE WHEN best.score > played.score THEN best.score - played.score ELSE 0 END / 100.0 AS loss,
    substr('abcdefgh', 1 + (best.square & 7), 1) || substr('12345678', 1 + (best.square >> 3 & 7), 1) AS best_move,
    CASE WHEN played.proof = 1 THEN 1 ELSE 0 END AS exact,
    played.depth AS depth,
    played.selectivity AS selectivity,
    searcher.engine || ', ' || searcher.evaluator AS searcher
FROM analysis AS played
JOIN analysis AS best ON best.discs = played.discs AND best.mover = played.mover
    AND best.opponent = played.opponent AND best.best = 1
LEFT JOIN searcher ON searcher.id = played.source
CROSS JOIN four;

-- Facts for people and for other tools: bounds in discs, for the side to move, which is X in `board`
-- (a1 to h1 first).
DROP VIEW IF EXISTS facts;
CREATE VIEW facts AS
SELECT
    fact.discs AS discs,
    substr(four.squares, 1 + 4 * ((fact.mover >> 0 & 15) + 16 * (fact.opponent >> 0 & 15)), 4)
        || substr(four.squares, 1 + 4 * ((fact.mover >> 4 & 15) + 16 * (fact.opponent >> 4 & 15)), 4)
        || substr(four.squares, 1 + 4 * ((fact.mover >> 8 & 15) + 16 * (fact.opponent >> 8 & 15)), 4)
        || substr(four.squares, 1 + 4 * ((fact.mover >> 12 & 15) + 16 * (fact.opponent >> 12 & 15)), 4)
        || substr(four.squares, 1 + 4 * ((fact.mover >> 16 & 15) + 16 * (fact.opponent >> 16 & 15)), 4)
        || substr(four.squares, 1 + 4 * ((fact.mover >> 20 & 15) + 16 * (fact.opponent >> 20 & 15)), 4)
        || substr(four.squares, 1 + 4 * ((fact.mover >> 24 & 15) + 16 * (fact.opponent >> 24 & 15)), 4)
        || substr(four.squares, 1 + 4 * ((fact.mover >> 28 & 15) + 16 * (fact.opponent >> 28 & 15)), 4)
        || substr(four.squares, 1 + 4 * ((fact.mover >> 32 & 15) + 16 * (fact.opponent >> 32 & 15)), 4)
        || substr(four.squares, 1 + 4 * ((fact.mover >> 36 & 15) + 16 * (fact.opponent >> 36 & 15)), 4)
        || substr(four.squares, 1 + 4 * ((fact.mover >> 40 & 15) + 16 * (fact.opponent >> 40 & 15)), 4)
        || substr(four.squares, 1 + 4 * ((fact.mover >> 44 & 15) + 16 * (fact.opponent >> 44 & 15)), 4)
        || substr(four.squares, 1 + 4 * ((fact.mover >> 48 & 15) + 16 * (fact.opponent >> 48 & 15)), 4)
        || substr(four.squares, 1 + 4 * ((fact.mover >> 52 & 15) + 16 * (fact.opponent >> 52 & 15)), 4)
        || substr(four.squares, 1 + 4 * ((fact.mover >> 56 & 15) + 16 * (fact.opponent >> 56 & 15)), 4)
        || substr(four.squares, 1 + 4 * ((fact.mover >> 60 & 15) + 16 * (fact.opponent >> 60 & 15)), 4) AS board,
    fact.lower AS lower,
    fact.upper AS upper,
    source.file AS source,
    CASE WHEN EXISTS (
        SELECT 1 FROM node
        WHERE node.discs = fact.discs AND node.mover = fact.mover
            AND node.opponent = fact.opponent
    ) THEN 1 ELSE 0 END AS in_book
FROM fact
LEFT JOIN source ON source.id = fact.source
CROSS JOIN four;
