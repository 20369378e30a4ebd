//! Writing a book as JSON Lines.

use std::io::{self, Write};

use serde::Serialize;

use super::lines::{
    BoundLine, BoundsLine, Discs, FORMAT, FactLine, HeaderLine, JudgementLine, NodeLine, ProofName,
    RecordLine, RestLine, SourceLine, VERSION,
};
use crate::openbook::{
    Bounds, Held, MoveMask, Node, Record, Source, SourceId, SourcedBounds, Values,
};
use crate::othello::board::{Key, Side, Squares};

fn names(key: Key, moves: MoveMask) -> Vec<String> {
    Squares(moves.squares(key)).map(|square| square.to_string()).collect()
}

fn record_line(key: Key, record: &Record) -> RecordLine {
    let Record { rest, searched, left_out } = *record;
    RecordLine {
        square: rest.square.map(|square| square.to_string()),
        score: Discs(rest.score),
        proof: ProofName(rest.proof),
        depth: searched.depth,
        selectivity: searched.selectivity.percent(),
        source: searched.source.0,
        left_out: names(key, left_out),
    }
}

fn bound_line(known: &SourcedBounds) -> BoundLine {
    let Bounds { lower, upper } = known.bounds;
    BoundLine { lower, upper, source: known.source.0 }
}

/// Writes a book as JSON Lines.
pub(crate) struct JsonWriter<W> {
    output: W,
}

impl<W: Write> JsonWriter<W> {
    /// Writes the header. `positions` must be the number of nodes to come, `bounds` that of positions
    /// of which only bounds are written, `facts` that of facts.
    pub(crate) fn new(
        mut output: W,
        positions: u64,
        [bounds, facts]: [u64; 2],
        sources: &[(SourceId, Source)],
    ) -> io::Result<Self> {
        let sources = sources
            .iter()
            .map(|(id, facts)| SourceLine { id: id.0, facts: facts.clone() })
            .collect();
        let format = FORMAT.to_owned();
        let header = HeaderLine { format, version: VERSION, positions, facts, bounds, sources };
        write_line(&mut output, &header)?;
        Ok(Self { output })
    }

    /// Writes one node with all that is kept of it and the links that are held; `known` is what it is worth
    /// with facts, where these make a difference.
    pub(crate) fn write(
        &mut self,
        node: &Node,
        held: &Held,
        held_links: MoveMask,
        known: Option<Values>,
    ) -> io::Result<()> {
        let key = node.key;
        let is_usual = match (held.records.as_slice(), node.rest()) {
            ([], _) => true,
            ([record], Some(_)) => record.left_out == node.links,
            _ => false,
        };
        let records = || held.records.iter().map(|record| record_line(key, record)).collect();
        let line = NodeLine {
            board: key.position().squares_text(Side::Black),
            discs: Some(key.discs()),
            values: Some(known.unwrap_or(node.values).into()),
            searched_values: known.map(|_| node.values.into()),
            links: names(key, node.links),
            rest: node.rest().map(|rest| RestLine {
                square: rest.square.map(|square| square.to_string()),
                score: Discs(rest.score),
                proof: ProofName(rest.proof),
            }),
            depth: node.searched.depth,
            selectivity: node.searched.selectivity.percent(),
            source: node.searched.source.0,
            evidence: Some(node.evidence.discs()),
            held: names(key, held_links),
            search_due: node.due,
            records: (!is_usual).then(records),
            bounds: held.bounds.iter().map(bound_line).collect(),
            judgement: held.judgement.as_ref().map(|judgement| JudgementLine {
                value: Discs(judgement.score),
                day: judgement.day.clone(),
                author: judgement.author.clone(),
            }),
        };
        write_line(&mut self.output, &line)
    }

    /// Writes what is proven of a position that is no node: when all nodes are written.
    pub(crate) fn write_bounds(&mut self, key: Key, held: &Held) -> io::Result<()> {
        let board = key.position().squares_text(Side::Black);
        let bounds = held.bounds.iter().map(bound_line).collect();
        write_line(&mut self.output, &BoundsLine { board, bounds })
    }

    /// Writes one fact: when all nodes and bounds are written.
    pub(crate) fn write_fact(
        &mut self,
        key: Key,
        bounds: Bounds,
        source: SourceId,
    ) -> io::Result<()> {
        let board = key.position().squares_text(Side::Black);
        let Bounds { lower, upper } = bounds;
        write_line(&mut self.output, &FactLine { board, lower, upper, source: source.0 })
    }

    /// Flushes and hands back the output.
    pub(crate) fn finish(mut self) -> io::Result<W> {
        self.output.flush()?;
        Ok(self.output)
    }
}

fn write_line(output: &mut impl Write, line: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *output, line)?;
    output.write_all(b"\n")
}
