//! Sweeps on several threads: each reads parts of a layer through a connection of its own.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::mpsc::{SyncSender, sync_channel};

use crate::openbook::propagate::{Changes, HeldOfLayer, LayerSweep, Layered, Links};
use crate::openbook::{LayerValues, deepest_first};
use crate::othello::lock::lock;

use super::layer_parts::PART;
use super::{Book, Reader, StoreError};

/// Layers of fewer nodes are not worth a second thread.
const WORTH_IT: u64 = 2 * PART as u64;

impl Book {
    /// As [`Book::sweep`], on so many threads. The values are the same, bit for bit. What is not
    /// committed yet no other connection sees: then it is one thread.
    pub fn sweep_on(&mut self, threads: usize) -> Result<u64, StoreError> {
        if threads < 2 || self.unswept || !self.reader.connection.is_autocommit() {
            return self.sweep();
        }
        self.dirty.clear();
        self.forget_nodes();
        self.undo_log().pause()?;
        // From here on no process can commit: all connections see the same.
        self.begin()?;
        let changed =
            self.sweep_in_parts(threads).and_then(|changed| Ok(changed + self.rebuild_known()?));
        self.whole_or_nothing(changed)
    }

    fn sweep_in_parts(&mut self, threads: usize) -> Result<u64, StoreError> {
        let mut readers: Vec<Reader> =
            (0..threads).map(|_| Reader::open(&self.reader.path)).collect::<Result<_, _>>()?;
        for reader in &mut readers {
            reader.stop_by(&self.reader.stop);
            reader.connection.execute_batch("BEGIN").map_err(|cause| reader.failed(cause))?;
        }
        let counts: BTreeMap<u8, u64> = self.reader.layers()?.into_iter().collect();
        let mut total = 0;
        deepest_first(counts.keys().copied(), |discs, below: Option<LayerValues>| {
            let below = below.unwrap_or_default();
            let count = counts.get(&discs).copied().unwrap_or_default();
            let held = self.reader.held_of_layer(discs)?;
            let (mut layer, changes) = if count < WORTH_IT {
                let mut sweep = LayerSweep::new(Links::Keep, &below, &held);
                self.read_layer(discs, &mut |node| {
                    sweep.push(node);
                    Ok(())
                })?;
                sweep.finish()
            } else {
                let swept = sweep_layer(&mut readers, discs, count, (&below, &held))?;
                self.check_layer(discs, swept.0.len() as u64)?;
                swept
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

/// A part of a layer: its number, the values of its nodes, and what is different about them.
type Part = (usize, LayerValues, Changes);

fn sweep_layer(
    readers: &mut [Reader],
    discs: u8,
    count: u64,
    beside: (&LayerValues, &HeldOfLayer),
) -> Result<(LayerValues, Changes), StoreError> {
    let next = Mutex::new(Some((0, i64::MIN)));
    let mut layer = InOrder::default();
    layer.values.reserve(count as usize);
    std::thread::scope(|scope| {
        let (give, parts) = sync_channel(2 * readers.len());
        let threads: Vec<_> = readers
            .iter_mut()
            .map(|reader| {
                let give = give.clone();
                let next = &next;
                scope.spawn(move || sweep_parts(reader, discs, next, beside, &give))
            })
            .collect();
        drop(give);
        // Not after the threads have ended: a large layer would then be in memory twice.
        for part in parts {
            layer.take(part);
        }
        threads.into_iter().try_for_each(|thread| {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    })?;
    Ok((layer.values, layer.changes))
}

/// Takes parts until none is left.
fn sweep_parts(
    reader: &mut Reader,
    discs: u8,
    next: &Mutex<Next>,
    (below, held): (&LayerValues, &HeldOfLayer),
    give: &SyncSender<Part>,
) -> Result<(), StoreError> {
    loop {
        let (number, first, end) = {
            let mut next = lock(next);
            let Some((number, first)) = *next else { return Ok(()) };
            let end = reader.part_after(discs, first)?;
            *next = end.map(|end| (number + 1, end));
            (number, first, end)
        };
        let mut sweep = LayerSweep::new(Links::Keep, below, held);
        reader.each_in_part(discs, first, end, |node| sweep.push(node))?;
        let (values, changes) = sweep.finish();
        if give.send((number, values, changes)).is_err() {
            return Ok(());
        }
    }
}

/// Parts of a layer put together in the order of their numbers, from 0, as they come.
#[derive(Default)]
struct InOrder {
    values: LayerValues,
    changes: Changes,
    /// The number of the part that follows.
    next: usize,
    /// Those that came before their turn: as many as there are threads, mostly.
    early: BTreeMap<usize, (LayerValues, Changes)>,
}

impl InOrder {
    fn take(&mut self, (number, values, changes): Part) {
        self.early.insert(number, (values, changes));
        while let Some((values, changes)) = self.early.remove(&self.next) {
            self.values.append(values);
            self.changes.append(changes);
            self.next += 1;
        }
    }
}
