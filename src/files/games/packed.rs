//! Files that are packed: gzip and zstd are opened on the way.

use std::io::{self, BufReader, Cursor, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::read::MultiGzDecoder;

use crate::files::archive::Packing;

/// What any file may unpack to.
const FREE: u64 = 256 << 20;

/// Above that, how often its own size: games are packed to a quarter, the same game a million times
/// to a three-hundredth.
const MOST_TIMES: u64 = 400;

/// The window that an unpacker of zstd keeps in memory is at most two to this power of bytes.
const LARGEST_WINDOW: u32 = 27;

/// Opens what is packed, and leaves everything else as it is.
pub(super) fn unpack<'a>(input: impl Read + 'a) -> io::Result<Box<dyn Read + 'a>> {
    unpack_within(input, None)
}

/// Input of strangers, unpacked where it is packed with gzip or zstd: to so many bytes and no more, and what
/// is in it is not packed again.
pub(crate) fn unpack_at_most<'a>(
    input: impl Read + 'a,
    most: u64,
) -> io::Result<Box<dyn Read + 'a>> {
    let (head, rest) = head_of(unpack_within(input, Some(most))?)?;
    // A reader of the bytes would unpack them itself, without that bound.
    if Packing::of(&head).is_some() {
        return Err(io::Error::other("packed twice: unpack it once"));
    }
    Ok(Box::new(Cursor::new(head).chain(rest)))
}

/// The first bytes of an input, and what follows.
fn head_of<R: Read>(mut input: R) -> io::Result<(Vec<u8>, R)> {
    let mut head = Vec::new();
    input.by_ref().take(4).read_to_end(&mut head)?;
    Ok((head, input))
}

fn unpack_within<'a>(input: impl Read + 'a, most: Option<u64>) -> io::Result<Box<dyn Read + 'a>> {
    let (head, input) = head_of(input)?;
    let packing = Packing::of(&head);
    let whole = Cursor::new(head).chain(input);
    let Some(packing) = packing else { return Ok(Box::new(whole)) };
    let packed = Arc::new(AtomicU64::new(0));
    let counted = Counted { input: whole, count: Arc::clone(&packed) };
    let unpacked: Box<dyn Read + 'a> = match packing {
        Packing::Gzip => Box::new(MultiGzDecoder::new(BufReader::new(counted))),
        Packing::Zstd => {
            let mut decoder = zstd::Decoder::new(counted)?;
            decoder.window_log_max(LARGEST_WINDOW)?;
            Box::new(decoder)
        }
    };
    Ok(Box::new(Bounded { unpacked, packed, count: 0, most }))
}

struct Counted<R> {
    input: R,
    count: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        self.count.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

struct Bounded<'a> {
    unpacked: Box<dyn Read + 'a>,
    packed: Arc<AtomicU64>,
    count: u64,
    most: Option<u64>,
}

impl Read for Bounded<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.unpacked.read(buffer)?;
        self.count += count as u64;
        if let Some(most) = self.most.filter(|&most| self.count > most) {
            let mebibytes = most >> 20;
            return Err(io::Error::other(format!("unpacks to more than {mebibytes} MiB")));
        }
        if self.count > FREE && self.count / MOST_TIMES > self.packed.load(Ordering::Relaxed) {
            return Err(io::Error::other(format!(
                "unpacks to more than {MOST_TIMES} times its size, as no file of games does"
            )));
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packed.write_all(bytes).unwrap();
        packed.finish().unwrap()
    }

    #[test]
    fn opens_what_is_packed() {
        let text = b"f5d6c3\n";
        let twice = [gzip(text), gzip(text)].concat();
        for (packed, whole) in [
            (text.to_vec(), text.to_vec()),
            (gzip(text), text.to_vec()),
            (twice, text.repeat(2)),
            (zstd::encode_all(&text[..], 3).unwrap(), text.to_vec()),
            (b"f5".to_vec(), b"f5".to_vec()),
            (Vec::new(), Vec::new()),
        ] {
            let mut read = Vec::new();
            unpack(&packed[..]).unwrap().read_to_end(&mut read).unwrap();
            assert_eq!(read, whole);
        }
        let cut = gzip(&text.repeat(100));
        assert!(unpack(&cut[..cut.len() - 9]).unwrap().read_to_end(&mut Vec::new()).is_err());
    }

    #[test]
    fn what_strangers_send_has_a_bound_of_its_own() {
        let text = vec![b'\n'; 3 << 20];
        for packed in [gzip(&text), zstd::encode_all(&text[..], 1).unwrap()] {
            let read = |most| io::copy(&mut unpack_at_most(&packed[..], most)?, &mut io::sink());
            assert_eq!(read(3 << 20).unwrap(), 3 << 20);
            assert!(read(2 << 20).unwrap_err().to_string().contains("more than 2 MiB"));
            let twice = gzip(&packed);
            let error = unpack_at_most(&twice[..], 4 << 20).err().unwrap().to_string();
            assert!(error.starts_with("packed twice"), "{error}");
        }
        let mut read = Vec::new();
        unpack_at_most(&b"f5"[..], 1).unwrap().read_to_end(&mut read).unwrap();
        assert_eq!(read, b"f5");
    }

    #[test]
    fn a_bomb_is_refused() {
        let bomb = zstd::encode_all(io::repeat(b'\n').take(FREE + (8 << 20)), 1).unwrap();
        let read = io::copy(&mut unpack(&bomb[..]).unwrap(), &mut io::sink());
        assert!(read.unwrap_err().to_string().contains("times its size"));
    }
}
