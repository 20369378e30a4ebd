CREATE INDEX positions_discs ON positions (discs);
CREATE INDEX moves_child ON moves (child);
CREATE INDEX games_year ON games (year);
CREATE INDEX games_black ON games (black);
CREATE INDEX games_white ON games (white);
CREATE INDEX game_positions_position ON game_positions (position, stored_move);
CREATE INDEX openings_position ON openings (position);
PRAGMA analysis_limit = 1000;
ANALYZE;
