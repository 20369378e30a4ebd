//! A set of keys that may err on one side.

use super::{Key, Position};

/// Bits that say of most keys that they are not in a set, and of those in it that they may be. They
/// stay in the processor's cache where the set itself does not: of the moves of a book most lead
/// out of it.
#[derive(Clone, Debug)]
pub struct KeyFilter {
    bits: Vec<u64>,
}

impl KeyFilter {
    /// The empty set, to hold so many keys: 16 bits for each.
    pub(crate) fn with_capacity(count: usize) -> Self {
        Self { bits: vec![0; (count / 4).next_power_of_two()] }
    }

    /// The word of a key, and three bits in it: one alone would let one key in twenty pass.
    #[inline]
    fn place(&self, key: Key) -> (usize, u64) {
        let Position { mover, opponent } = key.position();
        let mixed = (mover ^ opponent.rotate_left(31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ opponent).wrapping_mul(0xd6e8_feb8_6659_fd93);
        let bit = |by: u32| 1 << (mixed >> by & 63);
        // There is a power of two of words, one at least.
        ((mixed >> 38) as usize & (self.bits.len() - 1), bit(20) | bit(26) | bit(32))
    }

    pub fn insert(&mut self, key: Key) {
        let (word, bits) = self.place(key);
        self.bits[word] |= bits;
    }

    /// Whether the set may hold a key: never false of one that was added.
    #[inline]
    pub fn may_contain(&self, key: Key) -> bool {
        let (word, bits) = self.place(key);
        self.bits[word] & bits == bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misses_none_and_lets_few_pass() {
        let key = |number: u64| {
            Key::from_stored(Position { mover: number << 20, opponent: !number >> 3 })
        };
        let mut filter = KeyFilter::with_capacity(1000);
        assert!((0..1000).all(|number| !filter.may_contain(key(number))));
        (0..1000).for_each(|number| filter.insert(key(number)));
        assert!((0..1000).all(|number| filter.may_contain(key(number))));
        let wrong = (1000..11_000).filter(|&number| filter.may_contain(key(number))).count();
        assert!(wrong < 100, "{wrong} of 10000");
    }
}
