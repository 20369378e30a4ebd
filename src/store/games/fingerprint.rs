//! Fingerprints of books that were written by an older rule.

use rusqlite::{Connection, params};

use super::row::{moves, start};
use crate::othello::board::{Identity, Placed, Square};

/// Gives games with the fingerprint that books before schema 8 had the one of today. One that neither
/// rule gives is damage, and stays for `verify` to report.
pub(in crate::store) fn renew_fingerprints(connection: &Connection) -> rusqlite::Result<()> {
    let mut changed: Vec<(i64, i64)> = Vec::new();
    {
        let mut statement = connection.prepare("SELECT id, start, moves, fingerprint FROM game")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let (Ok(start), Ok(moves)) = (start(row, 1), moves(row, 2)) else { continue };
            let start = start.unwrap_or(Placed::START);
            let moves = moves.into_iter().map(Square::try_new).collect::<Option<Vec<Square>>>();
            let (Some(moves), Ok(stored)) = (moves, row.get::<_, i64>(3)) else { continue };
            let today = Identity::of_line(start, &moves).fingerprint().cast_signed();
            let is_older = || Identity::older_fingerprint(start, &moves).cast_signed() == stored;
            if stored != today && is_older() {
                changed.push((row.get(0)?, today));
            }
        }
    }
    let mut statement = connection.prepare("UPDATE game SET fingerprint = ?2 WHERE id = ?1")?;
    for (game, fingerprint) in changed {
        statement.execute(params![game, fingerprint])?;
    }
    Ok(())
}
