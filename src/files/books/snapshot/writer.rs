//! Writing a snapshot.

use std::io::{self, Write};

use crate::openbook::{Held, Node};
use crate::othello::board::Key;
use crate::store::{Fact, SNAPSHOT_MAGIC};

use super::header::{END, MOST_OF_HEADER, SnapshotHeader};
use super::layer::{Encoded, encode};
use super::packed_held;
use super::parts::{MOST_OF_FACTS, MOST_OF_ORIGINAL, VERSION, length, write_guarded};
use crate::files::books::packed_facts;

/// Packs tightly and still fast.
const LEVEL: i32 = 9;

/// Writes a snapshot layer by layer.
#[derive(Debug)]
pub(crate) struct SnapshotWriter<W> {
    target: W,
    /// The keys of the next layer that follow from the last one.
    led_to: (u8, Vec<Key>),
    nodes: u64,
}

impl<W: Write> SnapshotWriter<W> {
    pub(crate) fn new(mut target: W, header: &SnapshotHeader) -> io::Result<Self> {
        let packed = zstd::bulk::compress(&serde_json::to_vec(header)?, LEVEL)?;
        target.write_all(SNAPSHOT_MAGIC)?;
        target.write_all(&VERSION.to_le_bytes())?;
        write_guarded(&mut target, &packed, MOST_OF_HEADER)?;
        Ok(Self { target, led_to: (0, Vec::new()), nodes: 0 })
    }

    /// Adds an imported file, compressed with zstd: first of all, in the order of the header.
    pub(crate) fn original(&mut self, packed: &[u8]) -> io::Result<()> {
        write_guarded(&mut self.target, packed, MOST_OF_ORIGINAL)
    }

    /// Adds the facts, in storage order, those of one position by source, when all imported files are
    /// in: not called for none.
    pub(crate) fn facts(&mut self, facts: &[Fact]) -> io::Result<()> {
        write_guarded(&mut self.target, &packed_facts::pack(facts, LEVEL)?, MOST_OF_FACTS)
    }

    /// Adds what is kept of positions beside their search, in the book or not, in storage order, when the facts
    /// are in: not called for none.
    pub(crate) fn held(&mut self, held: &[(Key, Held)]) -> io::Result<()> {
        write_guarded(&mut self.target, &packed_held::pack(held, LEVEL)?, MOST_OF_FACTS)
    }

    /// Adds the nodes with so many discs, in storage order. Layers come in ascending order.
    pub(crate) fn layer(&mut self, discs: u8, nodes: &[Node]) -> io::Result<()> {
        let known =
            if self.led_to.0 == discs { std::mem::take(&mut self.led_to.1) } else { vec![] };
        let Encoded { written, raw, led_to } = encode(nodes, &known);
        let packed = zstd::bulk::compress(&raw, LEVEL)?;
        self.target.write_all(&[discs])?;
        for number in [nodes.len(), written, raw.len(), packed.len()] {
            self.target.write_all(&length(number)?.to_le_bytes())?;
        }
        self.target.write_all(&crc32fast::hash(&packed).to_le_bytes())?;
        self.target.write_all(&packed)?;
        self.nodes += nodes.len() as u64;
        self.led_to = (discs + 1, led_to);
        Ok(())
    }

    /// Ends the snapshot.
    pub(crate) fn finish(mut self) -> io::Result<W> {
        self.target.write_all(&[END])?;
        self.target.write_all(&self.nodes.to_le_bytes())?;
        self.target.flush()?;
        Ok(self.target)
    }
}
