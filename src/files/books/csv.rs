//! The book as a table for spreadsheets: written, not read back.

use std::io::Write;

use crate::openbook::Node;
use crate::othello::board::{Side, Squares};

/// Writes a node a row under a row of names. Scores are discs for the side to move, which is `X`
/// on the board, and with facts where there are some; lists of moves are separated by blanks.
pub(crate) struct CsvWriter<W: Write> {
    table: csv::Writer<W>,
}

const COLUMNS: [&str; 15] = [
    "board",
    "discs",
    "line",
    "guess",
    "draw_seeking",
    "win_seeking",
    "lower",
    "upper",
    "links",
    "rest_move",
    "rest_score",
    "rest_proof",
    "depth",
    "selectivity",
    "source",
];

impl<W: Write> CsvWriter<W> {
    /// Writes the row of names.
    pub(crate) fn new(output: W) -> Result<Self, csv::Error> {
        let mut table = csv::Writer::from_writer(output);
        table.write_record(COLUMNS)?;
        Ok(Self { table })
    }

    /// Writes one node. `line` is a line of moves that leads to it, or empty; `source` names the
    /// program that searched it.
    pub(crate) fn write(
        &mut self,
        node: &Node,
        line: &str,
        source: &str,
    ) -> Result<(), csv::Error> {
        let links: Vec<_> =
            Squares(node.links.squares(node.key)).map(|square| square.to_string()).collect();
        let rest = node.rest();
        let square = rest.and_then(|rest| rest.square);
        self.table.write_record([
            node.key.position().squares_text(Side::Black),
            node.key.discs().to_string(),
            line.to_owned(),
            node.values.guess.discs().to_string(),
            node.values.draw_seeking.discs().to_string(),
            node.values.win_seeking.discs().to_string(),
            node.values.lower.to_string(),
            node.values.upper.to_string(),
            links.join(" "),
            square.map(|square| square.to_string()).unwrap_or_default(),
            rest.map(|rest| rest.score.discs().to_string()).unwrap_or_default(),
            rest.map(|rest| rest.proof.name().to_owned()).unwrap_or_default(),
            node.searched.depth.to_string(),
            node.searched.selectivity.percent().to_string(),
            source.to_owned(),
        ])
    }

    /// Flushes and hands back the output.
    pub(crate) fn finish(self) -> std::io::Result<W> {
        self.table.into_inner().map_err(|error| error.into_error())
    }
}
