//! Files that are packed whole, and what they unpack to.

use std::io::{self, BufRead, Read};

use super::gzip::Gunzip;
use super::unzstd::Unzstd;
use super::zebra::GZIP;

/// How a zstd file begins.
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// How a file is packed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Packing {
    Gzip,
    Zstd,
}

impl Packing {
    /// The first bytes tell it.
    pub(super) fn of(head: &[u8]) -> Option<Self> {
        match head {
            head if head.starts_with(&GZIP) => Some(Self::Gzip),
            head if head.starts_with(&ZSTD) => Some(Self::Zstd),
            _ => None,
        }
    }

    /// What a whole file unpacks to.
    pub(super) fn unpacked<'a>(self, file: impl BufRead + 'a) -> io::Result<Box<dyn Read + 'a>> {
        Ok(match self {
            Self::Gzip => Box::new(Gunzip::new(file)),
            Self::Zstd => Box::new(Unzstd::new(file)?),
        })
    }

    /// What the first bytes of a file unpack to, as far as they do.
    pub(super) fn first_unpacked(self, head: &[u8]) -> Vec<u8> {
        let mut first = Vec::new();
        // It ends in the middle: what came out before that stands.
        let _ = self.unpacked(head).and_then(|mut unpacked| unpacked.read_to_end(&mut first));
        first
    }
}
