//! A book without games.

/// What to do about it.
pub(in crate::cli::commands) const NO_GAMES: &str =
    "the book has no games yet: 'rosebill games import FILE' takes them in";
