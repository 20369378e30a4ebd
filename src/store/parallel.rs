//! Sweeps on several threads: each reads parts of a layer through a connection of its own.

use std::collections::BTreeMap;
use std::sync::Mutex;

use crate::book::propagate::{Changes, LayerSweep, Layered, Links};
use crate::book::{LayerValues, deepest_first};
use crate::lock::lock;

use super::part::PART;
use super::{Book, Reader, StoreError};

/// Layers of fewer nodes are not worth a second thread.
const WORTH_IT: u64 = 2 * PART as u64;

impl Book {
    /// As [`Book::sweep`], on so many threads. The values are the same, bit for bit. What is not
    /// committed yet no other connection sees: then it is one thread.
    ///
    /// # Errors
    /// The book cannot be read or written.
    pub fn sweep_on(&mut self, threads: usize) -> Result<u64, StoreError> {
        if threads < 2 || self.unswept || !self.reader.connection.is_autocommit() {
            return self.sweep();
        }
        self.dirty.clear();
        // From here on nobody can commit: all connections see the same.
        self.begin()?;
        let changed =
            self.sweep_in_parts(threads).and_then(|changed| Ok(changed + self.rebuild_known()?));
        self.whole_or_nothing(changed)
    }

    fn sweep_in_parts(&mut self, threads: usize) -> Result<u64, StoreError> {
        let mut readers: Vec<Reader> =
            (0..threads).map(|_| Reader::open(&self.reader.path)).collect::<Result<_, _>>()?;
        for reader in &readers {
            reader.map_file(false)?;
            reader.connection.execute_batch("BEGIN").map_err(|cause| reader.failed(cause))?;
        }
        let counts: BTreeMap<u8, u64> = self.reader.layers()?.into_iter().collect();
        let mut total = 0;
        deepest_first(counts.keys().copied(), |discs, below: Option<LayerValues>| {
            let below = below.unwrap_or_default();
            let count = counts.get(&discs).copied().unwrap_or_default();
            let (mut layer, changes) = if count < WORTH_IT {
                let mut sweep = LayerSweep::new(Links::Keep, &below);
                self.read_layer(discs, &mut |node| {
                    sweep.push(node);
                    Ok(())
                })?;
                sweep.finish()
            } else {
                sweep_layer(&mut readers, discs, count, &below)?
            };
            total += changes.len() as u64;
            if !changes.is_empty() {
                self.write_layer(discs, changes)?;
            }
            layer.build_index();
            Ok::<_, StoreError>(layer)
        })?;
        Ok(total)
    }
}

/// Where the next part of a layer starts: its number, and the mover's board of its first node as it is
/// stored; none when there is none left. Nodes with the same mover's board are in the same part.
type Next = Option<(usize, i64)>;

fn sweep_layer(
    readers: &mut [Reader],
    discs: u8,
    count: u64,
    below: &LayerValues,
) -> Result<(LayerValues, Changes), StoreError> {
    let next = Mutex::new(Some((0, i64::MIN)));
    let parts = std::thread::scope(|scope| {
        let threads: Vec<_> = readers
            .iter_mut()
            .map(|reader| scope.spawn(|| sweep_parts(reader, discs, &next, below)))
            .collect();
        let joined = threads
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        joined.collect::<Result<Vec<_>, _>>()
    })?;
    let mut parts: Vec<_> = parts.into_iter().flatten().collect();
    parts.sort_unstable_by_key(|&(number, ..)| number);
    let (mut layer, mut changes) = (LayerValues::default(), Changes::default());
    layer.reserve(count as usize);
    for (_, values, changed) in parts {
        layer.append(values);
        changes.append(changed);
    }
    Ok((layer, changes))
}

/// Takes parts until none is left.
fn sweep_parts(
    reader: &mut Reader,
    discs: u8,
    next: &Mutex<Next>,
    below: &LayerValues,
) -> Result<Vec<(usize, LayerValues, Changes)>, StoreError> {
    let mut done = Vec::new();
    loop {
        let (number, first, end) = {
            let mut next = lock(next);
            let Some((number, first)) = *next else { return Ok(done) };
            let end = reader.part_after(discs, first)?;
            *next = end.map(|end| (number + 1, end));
            (number, first, end)
        };
        let mut sweep = LayerSweep::new(Links::Keep, below);
        reader.each_in_part(discs, first, end, |node| sweep.push(node))?;
        let (values, changes) = sweep.finish();
        done.push((number, values, changes));
    }
}
