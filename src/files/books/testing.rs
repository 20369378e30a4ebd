//! What tests of several formats need.

use std::io::{self, BufRead, BufReader, Read};

struct Failing;

impl Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::other("stopped"))
    }
}

/// An input of these bytes that then fails with "stopped".
pub(super) fn failing_after(bytes: &[u8]) -> impl BufRead {
    BufReader::new(bytes.chain(Failing))
}
