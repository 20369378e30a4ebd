//! Files that are read whole: no longer ones than there can be.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The longest file of positions, in bytes.
pub(crate) const LONGEST_LIST: u64 = 256 << 20;

/// Reads a file of at most so many bytes, whatever it is: a device never ends.
pub(crate) fn read_whole(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    read_to_end(File::open(path)?, most)
}

#[cfg(any(feature = "cli", feature = "workshop"))]
pub(crate) fn read_text(path: &Path, most: u64) -> io::Result<String> {
    String::from_utf8(read_whole(path, most)?)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8 text"))
}

/// The same of anything that can be read.
pub(crate) fn read_to_end(from: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let what = format!("it is longer than {} MiB", most >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, what));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_long_is_refused() {
        let read = |length: usize| read_to_end(&vec![7; length][..], 1 << 20);
        assert_eq!(read(1 << 20).unwrap().len(), 1 << 20);
        assert_eq!(read((1 << 20) + 1).unwrap_err().to_string(), "it is longer than 1 MiB");
        assert!(read_to_end(io::repeat(0), 1 << 20).is_err());
    }
}
