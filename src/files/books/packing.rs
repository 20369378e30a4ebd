//! Files that are packed whole, and what they unpack to.

use std::io::{self, BufRead, Read};

use crate::files::archive::Packing;

use super::gzip::Gunzip;
use super::unzstd::Unzstd;

impl Packing {
    pub(super) fn unpacked<'a>(self, file: impl BufRead + 'a) -> io::Result<Box<dyn Read + 'a>> {
        Ok(match self {
            Self::Gzip => Box::new(Gunzip::new(file)),
            Self::Zstd => Box::new(Unzstd::new(file)?),
        })
    }

    /// What the first bytes of a file unpack to, as far as they do.
    pub(super) fn first_unpacked(self, head: &[u8]) -> Vec<u8> {
        let mut first = Vec::new();
        // It ends in the middle: what came out before that is valid.
        let _ = self.unpacked(head).and_then(|mut unpacked| unpacked.read_to_end(&mut first));
        first
    }
}
