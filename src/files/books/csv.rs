//! The book as a table for spreadsheets: written, not read back. A table that is read is one of facts.

use std::collections::HashMap;
use std::io::Write;

use super::facts::{begins_as_book_table, begins_with_names};
use super::format::{BookFacts, BookFormat, BookSource, Head, Mark, ReadResult};
use super::input::written_only;
use super::json::known_from_facts;
use super::write::{KeyMap, Steps, WriteJob, WriteResult, for_each_in_key_order};
use super::{ExportReport, NotHeld};
use crate::openbook::{Node, SourceId};
use crate::othello::board::{After, Key, Position, Side, Squares};
use crate::store::KnownSource;

pub(super) const BACK: NotHeld =
    NotHeld::of("what an import needs", "this file cannot be imported again");

pub(super) struct CsvTable;

impl BookFormat for CsvTable {
    fn facts(&self) -> BookFacts {
        BookFacts { not_held: &[BACK], ..BookFacts::of("csv", "CSV table", &["csv"]) }
    }

    fn sniff(&self, head: &Head<'_>) -> Option<Mark> {
        let text = head.text();
        (begins_as_book_table(&text) || begins_with_names(&text)).then_some(Mark::Content)
    }

    fn read<'a>(&self, source: BookSource<'a>) -> ReadResult<'a> {
        Err(written_only(source.file))
    }

    /// Every node, in the order of discs and keys, with a line that leads to it from the start.
    fn write(&self, job: WriteJob<'_>, steps: &mut Steps<'_>) -> WriteResult {
        let WriteJob { book, output, .. } = job;
        let named = book.sources()?.into_iter().map(|KnownSource { id, source }| {
            (id, format!("{} {}", source.engine, source.level).trim().to_owned())
        });
        let names: HashMap<SourceId, String> = named.collect();
        let known_values = known_from_facts(book)?;
        let mut writer = CsvWriter::new(output)?;
        let mut reached: KeyMap<Reached> = KeyMap::default();
        reached.insert(Key::of(Position::START), (Position::START, String::new()));
        for (discs, _) in book.counts()?.layers {
            let mut next: KeyMap<Reached> = KeyMap::default();
            for_each_in_key_order(book, discs, |node| {
                steps.step()?;
                let known = reached.get(&node.key);
                if let Some((position, line)) = known {
                    let (_, symmetry) = Key::with_symmetry(*position);
                    for square in node.linked() {
                        let square = symmetry.inverse().square(square);
                        if let Some(After::Opponent(after) | After::Same(after)) =
                            position.after(square)
                        {
                            next.entry(Key::of(after))
                                .or_insert_with(|| (after, format!("{line}{square}")));
                        }
                    }
                }
                let line = known.map_or("", |(_, line)| line.as_str());
                let name = names.get(&node.searched.source).map_or("", String::as_str);
                let values = known_values.get(&node.key).copied();
                let node = Node { values: values.unwrap_or(node.values), ..node };
                Ok(writer.write(&node, line, name)?)
            })?;
            reached = next;
        }
        writer.finish()?;
        Ok(ExportReport { positions: steps.done, ..ExportReport::default() })
    }
}

/// A position on a line from the start, and the line.
type Reached = (Position, String);

/// Writes a node a row under a row of names. Scores are discs for the side to move, which is `X`
/// on the board, and with facts where there are some; lists of moves are separated by blanks.
struct CsvWriter<W: Write> {
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
    fn new(output: W) -> Result<Self, csv::Error> {
        let mut table = csv::Writer::from_writer(output);
        table.write_record(COLUMNS)?;
        Ok(Self { table })
    }

    /// Writes one node. `line` is a line of moves that leads to it, or empty; `source` names the
    /// program that searched it.
    fn write(&mut self, node: &Node, line: &str, source: &str) -> Result<(), csv::Error> {
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
    fn finish(self) -> std::io::Result<W> {
        self.table.into_inner().map_err(|error| error.into_error())
    }
}
