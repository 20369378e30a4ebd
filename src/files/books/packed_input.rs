//! What an unpacker takes its bytes from: it counts them, and knows what they can unpack to.

use std::io::{self, BufRead, Read};

use super::error::Broken;

/// The most bytes that a file may unpack to: there are books of several GB.
const MOST_UNPACKED: u64 = 1 << 40;

/// The most bytes that come out for each that goes in: books have less than 10.
const MOST_FOR_ONE: u64 = 100;

/// So many bytes may come out whatever went in: a small book may say the same again and again.
const ALWAYS: u64 = 1 << 20;

pub(super) struct PackedInput<R> {
    input: R,
    taken: u64,
    has_failed: bool,
}

impl<R> PackedInput<R> {
    pub(super) const fn new(input: R) -> Self {
        Self { input, taken: 0, has_failed: false }
    }

    /// Bytes taken so far.
    pub(super) const fn taken(&self) -> u64 {
        self.taken
    }

    /// Whether the bytes cannot be had: the file itself is not to blame then.
    pub(super) const fn has_failed(&self) -> bool {
        self.has_failed
    }

    /// Refuses what unpacks to far more than any book does.
    pub(super) fn check_size(&self, unpacked: u64) -> io::Result<()> {
        let taken = self.taken;
        let most = taken.saturating_mul(MOST_FOR_ONE).clamp(ALWAYS, MOST_UNPACKED);
        if unpacked <= most {
            return Ok(());
        }
        let found = format!("{unpacked} bytes unpacked from the first {taken}");
        let expected = format!("at most {MOST_FOR_ONE} for one, and {MOST_UNPACKED} in all");
        Err(Broken::new(taken, found, expected).into())
    }
}

impl<R: BufRead> BufRead for PackedInput<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let Self { input, has_failed, .. } = self;
        input.fill_buf().inspect_err(|_| *has_failed = true)
    }

    fn consume(&mut self, count: usize) {
        self.taken += count as u64;
        self.input.consume(count);
    }
}

impl<R: BufRead> Read for PackedInput<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}
