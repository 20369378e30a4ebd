//! The checksum of an NTest book: a mixing of 32-bit items.

/// State of the sum.
#[derive(Clone, Default)]
pub(super) struct Checksum {
    state: [u32; 3],
    phase: usize,
}

impl Checksum {
    /// Takes one item.
    pub(super) fn item(&mut self, item: u32) {
        if let Some(word) = self.state.get_mut(self.phase) {
            *word = word.wrapping_add(item);
        }
        self.phase += 1;
        if self.phase == self.state.len() {
            self.phase = 0;
            self.mix();
        }
    }

    /// Takes a piece of data as little-endian items.
    pub(super) fn words(&mut self, bytes: &[u8]) {
        for word in bytes.chunks(4) {
            let mut item = [0; 4];
            for (to, from) in item.iter_mut().zip(word) {
                *to = *from;
            }
            self.item(u32::from_le_bytes(item));
        }
    }

    pub(super) const fn value(&self) -> u32 {
        self.state[0]
    }

    fn mix(&mut self) {
        let [a, b, c] = &mut self.state;
        for (right, left, again) in [(13, 8, 13), (12, 16, 5), (3, 10, 15)] {
            *a = a.wrapping_sub(*b).wrapping_sub(*c) ^ (*c >> right);
            *b = b.wrapping_sub(*c).wrapping_sub(*a) ^ (*a << left);
            *c = c.wrapping_sub(*a).wrapping_sub(*b) ^ (*b >> again);
        }
    }
}
