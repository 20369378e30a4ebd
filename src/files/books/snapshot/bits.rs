//! Bits in bytes, the lowest first.

/// Bits, lowest first.
#[derive(Default)]
pub(super) struct BitWriter {
    pub bytes: Vec<u8>,
    used: usize,
}

impl BitWriter {
    pub(crate) fn push(&mut self, bits: u64, count: usize) {
        for index in 0..count {
            if self.used.is_multiple_of(8) {
                self.bytes.push(0);
            }
            if let Some(last) = self.bytes.last_mut() {
                *last |= ((bits >> index & 1) as u8) << (self.used % 8);
            }
            self.used += 1;
        }
    }
}

pub(super) struct BitReader<'a> {
    pub bytes: &'a [u8],
    pub at: usize,
}

impl BitReader<'_> {
    pub(crate) fn next(&mut self, count: usize) -> Option<u64> {
        let mut bits = 0;
        for index in 0..count {
            let byte = self.bytes.get(self.at / 8)?;
            bits |= u64::from(byte >> (self.at % 8) & 1) << index;
            self.at += 1;
        }
        Some(bits)
    }
}
