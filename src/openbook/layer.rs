//! What the nodes of one layer are like, in memory, found by key.

use std::cmp::Reverse;

use crate::othello::board::{CpuLevel, Key, Position, Squares, Successor, Successors};

use super::{Child, Node};

/// Goes through layers from the one with the most discs up. Each gets what the one right below it
/// made, or nothing where there is no such layer, and makes something for the one right above it.
pub(crate) fn deepest_first<T, E>(
    layers: impl IntoIterator<Item = u8>,
    mut each: impl FnMut(u8, Option<T>) -> Result<T, E>,
) -> Result<(), E> {
    let mut layers: Vec<u8> = layers.into_iter().collect();
    layers.sort_unstable_by_key(|&discs| Reverse(discs));
    let mut made: Option<(u8, T)> = None;
    for discs in layers {
        let below = made.take().filter(|&(below, _)| below == discs + 1);
        made = Some((discs, each(discs, below.map(|(_, made)| made))?));
    }
    Ok(())
}

/// Keys and values of nodes with equally many discs, about 40 bytes each.
#[derive(Clone, Default, Debug)]
pub(crate) struct LayerValues {
    nodes: Vec<(Key, Child)>,
    /// A hash table of indices + 1 into the nodes, each under some bits of its key's hash, so that
    /// a look-up seldom touches a node for nothing; 0 is a free slot.
    slots: Vec<u32>,
    /// How many of the lowest bits of a slot are the index.
    index_bits: u32,
}

impl LayerValues {
    /// Adds a node. [`LayerValues::build_index`] must follow before the next look-up.
    pub(crate) fn push(&mut self, key: Key, values: Child) {
        self.nodes.push((key, values));
    }

    /// Makes room for so many nodes.
    pub(crate) fn reserve(&mut self, count: usize) {
        self.nodes.reserve_exact(count);
    }

    /// How many nodes there are.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Makes the nodes findable.
    pub(crate) fn build_index(&mut self) {
        // At least a quarter of the slots stays free.
        let size = (self.nodes.len() * 4 / 3 + 1).next_power_of_two();
        self.slots = vec![0; size];
        self.index_bits = usize::BITS - self.nodes.len().leading_zeros();
        let mask = size - 1;
        for (index, &(key, _)) in self.nodes.iter().enumerate() {
            let hash = hash(key);
            let mut at = hash as usize & mask;
            while self.slots[at] != 0 {
                at = (at + 1) & mask;
            }
            self.slots[at] = self.tag(hash) | (index as u32 + 1);
        }
    }

    /// The upper bits of a hash where the index leaves room for them.
    const fn tag(&self, hash: u64) -> u32 {
        ((hash >> 32) as u32) & !self.index_mask()
    }

    const fn index_mask(&self) -> u32 {
        ((1u64 << self.index_bits) - 1) as u32
    }

    /// The values of a node.
    pub(crate) fn get(&self, key: Key) -> Option<Child> {
        let mask = self.slots.len().checked_sub(1)?;
        let hash = hash(key);
        let (tag, index_mask) = (self.tag(hash), self.index_mask());
        let mut at = hash as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                return None;
            }
            if slot & !index_mask == tag {
                let (known, values) = self.nodes[(slot & index_mask) as usize - 1];
                if known == key {
                    return Some(values);
                }
            }
            at = (at + 1) & mask;
        }
    }

    /// The values of many nodes, in the order asked for. Faster than one after the other: the
    /// processor waits for several at once.
    pub(crate) fn get_all(&self, keys: &[Key], found: &mut Vec<Option<Child>>) {
        let Some(mask) = self.slots.len().checked_sub(1) else {
            found.extend(keys.iter().map(|_| None));
            return;
        };
        // Nothing here depends on the slot before, so the loads overlap; then they are near.
        let touched = keys.iter().fold(0, |sum, &key| sum ^ self.slots[hash(key) as usize & mask]);
        std::hint::black_box(touched);
        found.extend(keys.iter().map(|&key| self.get(key)));
    }

    /// Adds the nodes of another part of the layer behind those that are there.
    pub(crate) fn append(&mut self, mut part: Self) {
        self.nodes.append(&mut part.nodes);
    }
}

/// What the moves of nodes lead to in the layer below. Some nodes are looked at together, since a look-up is
/// mostly waiting for memory.
pub(super) struct MovesBelow<'a> {
    below: &'a LayerValues,
    cpu: CpuLevel,
    successors: Successors,
    keys: Vec<Key>,
    found: Vec<Option<Child>>,
}

impl<'a> MovesBelow<'a> {
    /// So many nodes are best looked at together.
    pub(super) const TOGETHER: usize = 64;

    /// Of nodes above these.
    pub(super) fn of(below: &'a LayerValues) -> Self {
        let (keys, found) = (Vec::new(), Vec::new());
        Self { below, cpu: CpuLevel::detect(), successors: Successors::default(), keys, found }
    }

    /// Forgets the nodes before and finds what these moves of nodes lead to: bit `i` asks for the `i`-th move.
    pub(super) fn find(&mut self, nodes: &[Node], asked: impl Fn(&Node) -> u64) {
        let positions = nodes.iter().map(|node| (node.key.position(), asked(node)));
        self.successors.find_some(self.cpu, positions);
        self.keys.clear();
        self.keys.extend(self.successors.all().iter().map(|successor| successor.next));
        self.found.clear();
        self.below.get_all(&self.keys, &mut self.found);
    }

    /// The legal moves of the node of this number.
    pub(super) fn legal(&self, number: usize) -> Squares {
        self.successors.legal(number)
    }

    /// Its moves that were asked for and do not end the game, with what the node behind them is like if there is one.
    pub(super) fn moves(&self, number: usize) -> impl Iterator<Item = (Successor, Option<Child>)> {
        let range = self.successors.range(number);
        // One was found for each successor.
        let (moves, found) = (&self.successors.all()[range.clone()], &self.found[range]);
        moves.iter().copied().zip(found.iter().copied())
    }
}

/// Spreads a key over 64 bits.
fn hash(key: Key) -> u64 {
    let Position { mover, opponent } = key.position();
    let product = u128::from(mover ^ 0x9e37_79b9_7f4a_7c15)
        * u128::from(opponent.rotate_left(32) ^ 0xd1b5_4a32_d192_ed03);
    let folded = (product as u64) ^ (product >> 64) as u64;
    folded ^ folded >> 32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openbook::{Evidence, LineEnds, Values};
    use crate::othello::score::Score;

    #[test]
    fn layers_know_only_the_one_right_below() {
        let mut seen = Vec::new();
        let walked = deepest_first([7, 9, 4, 8], |discs, below: Option<u8>| {
            seen.push((discs, below));
            Ok::<_, ()>(discs * 10)
        });
        assert_eq!(walked, Ok(()));
        assert_eq!(seen, [(9, None), (8, Some(90)), (7, Some(80)), (4, None)]);
        let failed = deepest_first([5, 6], |discs, _| if discs == 5 { Err(discs) } else { Ok(()) });
        assert_eq!(failed, Err(5));
    }

    #[test]
    fn finds_what_was_put_in_and_nothing_else() {
        let key =
            |number: u64| Key::from_stored(Position { mover: number, opponent: !number << 7 });
        let values = |number: i16| {
            let score = Score::from_centidiscs(number);
            let values = Values::of_search(score, crate::othello::search::Proof::None);
            Child { values, evidence: Evidence::EXACT, lines: LineEnds::EXACT }
        };
        for size in [0, 1, 2, 3, 255, 256, 5000] {
            let mut layer = LayerValues::default();
            (0..size).for_each(|number| layer.push(key(number), values(number as i16)));
            layer.build_index();
            let asked: Vec<Key> = (0..size + 500).map(key).collect();
            let mut found = Vec::new();
            layer.get_all(&asked, &mut found);
            for (number, found) in (0..).zip(found) {
                assert_eq!(found, (number < size).then(|| values(number as i16)));
            }
        }
    }
}
