//! Packed files: those of gzip, zstd and bzip2 are unpacked as a stream, what else packs files is recognized alone.
//!
//! A file is of one or several compressed parts (sources: RFC 1952, 2.2; RFC 8878, 3.1), with zeros between
//! and behind them where a medium filled its blocks. An error names its byte in the packed file, and what
//! unpacks to far more than any file does is refused before it is unpacked.

use std::io::{self, BufRead, BufReader, Cursor, Read};

use bzip2::bufread::BzDecoder;
use flate2::Crc;
use flate2::bufread::DeflateDecoder;
use thiserror::Error;

use super::fault::Fault;

/// Bytes taken from a packed file at a time.
const BUFFER: usize = 1 << 16;

/// So many bytes may come out whatever went in: a file may say the same again and again.
const ALWAYS: u64 = 256 << 20;

/// The most bytes that come out for each that goes in: books have less than 10, games 4, the same game a million
/// times 300.
const MOST_FOR_ONE: u64 = 400;

/// The window that zstd keeps in memory is at most two to this power of bytes.
const LARGEST_WINDOW: u32 = 27;

/// The offset of a tar archive's magic, in the header of its first file (source: POSIX, ustar).
const TAR_MARK: usize = 257;

/// How a file is packed that is opened here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Packing {
    Gzip,
    Zstd,
    Bzip2,
}

/// The bytes of the first block of bzip2, or of its end, behind the mark and the size of blocks.
const BZIP2_BLOCKS: [&[u8]; 2] = [b"1AY&SY", b"\x17rE8P\x90"];

/// Bytes that tell a packing.
const TELLING: u64 = 10;

impl Packing {
    const ALL: [Self; 3] = [Self::Gzip, Self::Zstd, Self::Bzip2];

    /// Recognizes it by its first bytes.
    pub(crate) fn of(head: &[u8]) -> Option<Self> {
        Self::ALL.into_iter().find(|packing| {
            // Its mark is text.
            let is_so = |behind: &[u8]| match packing {
                Self::Gzip | Self::Zstd => true,
                Self::Bzip2 => BZIP2_BLOCKS
                    .iter()
                    .any(|block| behind.get(1..).is_some_and(|all| all.starts_with(block))),
            };
            head.strip_prefix(packing.mark()).is_some_and(is_so)
        })
    }

    /// What each part begins with (sources: RFC 1952, 2.3.1; RFC 8878, 3.1.1).
    pub(crate) const fn mark(self) -> &'static [u8] {
        match self {
            Self::Gzip => &[0x1f, 0x8b],
            Self::Zstd => &[0x28, 0xb5, 0x2f, 0xfd],
            Self::Bzip2 => b"BZh",
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Gzip => "compressed by gzip",
            Self::Zstd => "zstd",
            Self::Bzip2 => "bzip2'd",
        }
    }

    /// Whether a further part may begin with this byte; those of zstd may be there to be skipped.
    fn goes_on_with(self, first: u8) -> bool {
        self.mark().first() == Some(&first) || (self == Self::Zstd && (0x50..0x60).contains(&first))
    }

    pub(crate) const fn unpacked<R: BufRead>(self, file: R) -> Unpacked<R> {
        let input = PackedInput { input: file, taken: 0, has_failed: false };
        Unpacked { packing: self, state: State::First(input), unpacked: 0, most: None }
    }

    /// What the first bytes of a file unpack to, as far as they do, and no more than tells what it is: few bytes may
    /// unpack to very many.
    pub(crate) fn first_unpacked(self, head: &[u8]) -> Vec<u8> {
        let mut first = Vec::new();
        // It ends in the middle: what came out before that is valid.
        let _ = self.unpacked(head).take(MOST_FIRST).read_to_end(&mut first);
        first
    }
}

/// The most bytes of what is packed that tell what it is.
const MOST_FIRST: u64 = 1 << 17;

/// Opens what is packed, and leaves everything else as it is.
pub(crate) fn unpack<'a>(input: impl Read + 'a) -> io::Result<Box<dyn Read + 'a>> {
    unpack_within(input, None)
}

/// Input of strangers, unpacked where it is packed: to so many bytes and no more, and what is in it is not
/// packed again.
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

fn unpack_within<'a>(input: impl Read + 'a, most: Option<u64>) -> io::Result<Box<dyn Read + 'a>> {
    let (head, input) = head_of(input)?;
    let packing = Packing::of(&head);
    let whole = Cursor::new(head).chain(input);
    Ok(match packing {
        None => Box::new(whole),
        Some(packing) => {
            let file = BufReader::with_capacity(BUFFER, whole);
            Box::new(Unpacked { most, ..packing.unpacked(file) })
        }
    })
}

/// The first bytes of an input, and what follows.
fn head_of<R: Read>(mut input: R) -> io::Result<(Vec<u8>, R)> {
    let mut head = Vec::new();
    input.by_ref().take(TELLING).read_to_end(&mut head)?;
    Ok((head, input))
}

/// What a packed file unpacks to.
pub(crate) struct Unpacked<R: BufRead> {
    packing: Packing,
    state: State<R>,
    unpacked: u64,
    /// Bytes that may come out beside the bounds of any file.
    most: Option<u64>,
}

enum State<R: BufRead> {
    First(PackedInput<R>),
    Gzip(DeflateDecoder<PackedInput<R>>, Crc),
    Zstd(zstd::Decoder<'static, PackedInput<R>>),
    Bzip2(BzDecoder<PackedInput<R>>),
    Over,
}

impl<R: BufRead> Unpacked<R> {
    /// An error that was met behind the bytes that were taken so far.
    fn broken(&self, input: &PackedInput<R>, error: io::Error) -> io::Error {
        let found = match error.kind() {
            _ if input.has_failed => return error,
            io::ErrorKind::UnexpectedEof => {
                "the end of the file inside the compressed data".to_owned()
            }
            _ => format!("what cannot be unpacked ({error})"),
        };
        let expected = format!("a whole {} file", self.packing.name());
        Broken { at: input.taken, fault: Fault::new(found, expected) }.into()
    }

    fn begin_part(&self, mut input: PackedInput<R>) -> io::Result<State<R>> {
        match self.packing {
            Packing::Gzip => {
                let at = input.taken;
                let is_sound =
                    read_header(&mut input).map_err(|error| self.broken(&input, error))?;
                if !is_sound {
                    let found = "a gzip header that is not valid";
                    let fault = Fault::new(found, "that of a gzip'd file");
                    return Err(Broken { at, fault }.into());
                }
                Ok(State::Gzip(DeflateDecoder::new(input), Crc::new()))
            }
            Packing::Zstd => {
                let mut decoder = zstd::Decoder::with_buffer(input)?.single_frame();
                decoder.window_log_max(LARGEST_WINDOW)?;
                Ok(State::Zstd(decoder))
            }
            Packing::Bzip2 => Ok(State::Bzip2(BzDecoder::new(input))),
        }
    }

    /// Ends a part, and goes on to the next, if there is one.
    fn end_part(&mut self) -> io::Result<State<R>> {
        let mut input = match std::mem::replace(&mut self.state, State::Over) {
            State::First(input) => return self.begin_part(input),
            State::Over => return Ok(State::Over),
            State::Zstd(decoder) => decoder.finish(),
            State::Bzip2(decoder) => decoder.into_inner(),
            State::Gzip(decoder, sum) => {
                let mut input = decoder.into_inner();
                let at = input.taken;
                let mut trailer = [0; 8];
                input.read_exact(&mut trailer).map_err(|error| self.broken(&input, error))?;
                let sums = [sum.sum().to_le_bytes(), sum.amount().to_le_bytes()];
                if trailer.as_slice() != sums.as_flattened() {
                    let bytes = sum.amount();
                    let expected = format!("those of the {bytes} bytes that it unpacks to");
                    let fault = Fault::new("checksum and length of other data", expected);
                    return Err(Broken { at, fault }.into());
                }
                input
            }
        };
        loop {
            let ready = match input.fill_buf() {
                Ok([]) => return Ok(State::Over),
                Ok(ready) => ready,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let zeros = ready.iter().take_while(|&&byte| byte == 0).count();
            let next = ready.get(zeros).copied();
            input.consume(zeros);
            if let Some(first) = next {
                return if self.packing.goes_on_with(first) {
                    self.begin_part(input)
                } else {
                    let found = format!("bytes after the end of the {} data", self.packing.name());
                    let fault = Fault::new(found, "the end of the file");
                    Err(Broken { at: input.taken, fault }.into())
                };
            }
        }
    }

    /// Refuses what unpacks to far more than any file does.
    fn check_size(&self) -> io::Result<()> {
        let taken = match &self.state {
            State::Gzip(decoder, _) => decoder.get_ref().taken,
            State::Zstd(decoder) => decoder.get_ref().taken,
            State::Bzip2(decoder) => decoder.get_ref().taken,
            State::First(_) | State::Over => return Ok(()),
        };
        if let Some(most) = self.most.filter(|&most| self.unpacked > most) {
            let mebibytes = most >> 20;
            return Err(io::Error::other(format!("unpacks to more than {mebibytes} MiB")));
        }
        if self.unpacked <= taken.saturating_mul(MOST_FOR_ONE).max(ALWAYS) {
            return Ok(());
        }
        let found = format!("{} bytes unpacked from the first {taken}", self.unpacked);
        let fault = Fault::new(found, format!("at most {MOST_FOR_ONE} for one"));
        Err(Broken { at: taken, fault }.into())
    }
}

impl<R: BufRead> Read for Unpacked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            let count = match &mut self.state {
                State::Over => return Ok(0),
                State::First(_) => Ok(0),
                State::Gzip(decoder, sum) => decoder
                    .read(buffer)
                    .inspect(|&count| sum.update(buffer.get(..count).unwrap_or_default())),
                State::Zstd(decoder) => decoder.read(buffer),
                State::Bzip2(decoder) => decoder.read(buffer),
            };
            let count = count.map_err(|error| match &self.state {
                State::Gzip(decoder, _) => self.broken(decoder.get_ref(), error),
                State::Zstd(decoder) => self.broken(decoder.get_ref(), error),
                State::Bzip2(decoder) => self.broken(decoder.get_ref(), error),
                State::First(_) | State::Over => error,
            })?;
            if count > 0 {
                self.unpacked += count as u64;
                return self.check_size().map(|()| count);
            }
            self.state = self.end_part()?;
        }
    }
}

/// Takes the header of a gzip'd part; false where it makes no sense (source: RFC 1952, 2.3).
fn read_header(input: &mut impl BufRead) -> io::Result<bool> {
    const SUM: u8 = 2;
    const EXTRA: u8 = 4;
    const TEXTS: [u8; 2] = [8, 16];
    let mut head = [0; 10];
    input.read_exact(&mut head)?;
    let [0x1f, 0x8b, 8, flags, ..] = head else { return Ok(false) };
    if flags & EXTRA != 0 {
        let mut length = [0; 2];
        input.read_exact(&mut length)?;
        skip(input, u16::from_le_bytes(length))?;
    }
    for text in TEXTS {
        if flags & text != 0 {
            input.skip_until(0)?;
        }
    }
    if flags & SUM != 0 {
        skip(input, 2)?;
    }
    Ok(true)
}

fn skip(input: &mut impl BufRead, bytes: u16) -> io::Result<()> {
    io::copy(&mut input.take(bytes.into()), &mut io::sink()).map(drop)
}

/// What an unpacker takes its bytes from: it counts them.
struct PackedInput<R> {
    input: R,
    taken: u64,
    /// Whether the bytes cannot be had: the file itself is not to blame then.
    has_failed: bool,
}

impl<R: BufRead> BufRead for PackedInput<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let Self { input, has_failed, .. } = self;
        input
            .fill_buf()
            .inspect_err(|error| *has_failed |= error.kind() != io::ErrorKind::Interrupted)
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

/// What is wrong with a packed file: it goes up as an [`io::Error`].
#[derive(Debug, Error)]
#[error("byte {at}: {fault}")]
pub(crate) struct Broken {
    pub(crate) at: u64,
    pub(crate) fault: Fault,
}

impl From<Broken> for io::Error {
    fn from(broken: Broken) -> Self {
        Self::new(io::ErrorKind::InvalidData, broken)
    }
}

/// What else packs files: how such a file begins, and what it is.
const ARCHIVES: [(&[u8], &str); 7] = [
    (b"PK\x03\x04", "a zip archive: unpack it, and name the file that is in it"),
    (b"\xfd7zXZ\0", "packed by xz: unpack it, and name the file that comes out"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive: unpack it, and name the file that is in it"),
    (b"Rar!\x1a\x07", "a rar archive: unpack it, and name the file that is in it"),
    (b"\x1f\x9d", "packed by compress: unpack it, and name the file that comes out"),
    (b"LZIP", "packed by lzip: unpack it, and name the file that comes out"),
    (b"\x04\"M\x18", "packed by lz4: unpack it, and name the file that comes out"),
];

/// What a file is that begins with these bytes and has to be unpacked first.
pub(crate) fn as_archive(head: &[u8]) -> Option<&'static str> {
    match head {
        _ if head.get(TAR_MARK..).is_some_and(|head| head.starts_with(b"ustar")) => {
            Some("a tar archive: unpack it, and name the file that is in it")
        }
        _ => ARCHIVES.iter().find(|(mark, _)| head.starts_with(mark)).map(|(_, what)| *what),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::files::books::FormatError;

    fn gzip(content: &[u8]) -> Vec<u8> {
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        packed.write_all(content).unwrap();
        packed.finish().unwrap()
    }

    fn zstd(content: &[u8]) -> Vec<u8> {
        zstd::encode_all(content, 3).unwrap()
    }

    fn bzip2(content: &[u8]) -> Vec<u8> {
        let mut packed = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::best());
        packed.write_all(content).unwrap();
        packed.finish().unwrap()
    }

    fn unpacked(bytes: &[u8]) -> Result<Vec<u8>, String> {
        let mut content = Vec::new();
        match unpack(bytes).unwrap().read_to_end(&mut content) {
            Ok(_) => Ok(content),
            Err(error) => Err(FormatError::io("x", error).to_string()),
        }
    }

    #[test]
    fn parts_follow_each_other_and_zeros_fill_the_rest() {
        for pack in [gzip, zstd, bzip2] {
            let (one, two, empty) = (pack(b"one "), pack(b"two"), pack(b""));
            for count in [0, 1, 7, 512, 3 << 20] {
                let zeros = vec![0; count];
                for parts in [
                    [&one[..], &empty, &two, &zeros].concat(),
                    [&one, &zeros, &two, &zeros[..]].concat(),
                ] {
                    assert_eq!(unpacked(&parts), Ok(b"one two".to_vec()), "{count}");
                    let told = unpacked(&[&parts[..], b"x"].concat()).unwrap_err();
                    let place = format!("x, byte {}: found bytes after the end", parts.len());
                    assert!(told.starts_with(&place), "{told}");
                }
            }
        }
        // A part of zstd that is there to be skipped.
        let skipped = [&zstd(b"one")[..], &[0x5f, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 7, 7]].concat();
        assert_eq!(unpacked(&skipped), Ok(b"one".to_vec()));
        // What is not packed stays as it is.
        for plain in [&b"f5"[..], b"", b"\0\0\0\0\0", b"BZh9f5d6c3\n"] {
            assert_eq!(unpacked(plain), Ok(plain.to_vec()));
        }
    }

    #[test]
    fn what_is_wrong_is_reported_with_its_byte() {
        let content: Vec<u8> = (0..5000_u32).flat_map(|n| (n * n).to_le_bytes()).collect();
        let told = |bytes: &[u8]| unpacked(bytes).unwrap_err();
        for (packed, first) in [(gzip(&content), 5), (zstd(&content), 5), (bzip2(&content), 12)] {
            assert!(unpacked(&packed).is_ok_and(|found| found == content));
            let end = packed.len();
            for before in [0, end] {
                let whole = [&packed[..before], &packed[..]].concat();
                for length in [first, end / 2, end - 9, end - 1].map(|length| before + length) {
                    let told = told(&whole[..length]);
                    let place = format!("x, byte {length}: found the end of the file inside");
                    assert!(told.starts_with(&place), "{told}");
                }
            }
        }
        let told_part = told(&[&zstd(&content)[..], &[0x28; 20]].concat());
        assert!(told_part.contains("found what cannot be unpacked ("), "{told_part}");
        let mut broken = gzip(&content);
        // A block of a kind that there is not.
        broken[10] = 0xff;
        let told_block = told(&broken);
        assert!(told_block.contains("found what cannot be unpacked ("), "{told_block}");
        let packed = gzip(&content);
        let end = packed.len();
        for at in [end - 1, end - 8] {
            let mut broken = packed.clone();
            broken[at] ^= 1;
            let place = format!("x, byte {}: found checksum and length of other", end - 8);
            assert!(told(&broken).starts_with(&place), "{}", told(&broken));
        }
        let place = format!("x, byte {end}: found a gzip header that is not valid");
        assert!(told(&[&packed[..], &[0x1f; 10]].concat()).starts_with(&place));
    }

    #[test]
    fn headers_of_gzip_may_say_more() {
        let builder = flate2::GzBuilder::new();
        let builder = builder.filename("a.txt").comment("ours").extra(vec![1, 2, 3]);
        let mut packed = builder.write(Vec::new(), flate2::Compression::fast());
        packed.write_all(b"f5d6").unwrap();
        assert_eq!(unpacked(&packed.finish().unwrap()), Ok(b"f5d6".to_vec()));
    }

    #[test]
    fn a_bomb_is_refused_by_its_ratio() {
        let zeros = io::repeat(0).take(ALWAYS + (8 << 20));
        let bomb = zstd::encode_all(zeros, 1).unwrap();
        let told = io::copy(&mut unpack(&bomb[..]).unwrap(), &mut io::sink()).unwrap_err();
        assert!(told.to_string().contains("at most 400 for one"), "{told}");
        // A small file may well be monotonous.
        assert_eq!(unpacked(&gzip(&vec![7; 8 << 20])).unwrap().len(), 8 << 20);
    }

    #[test]
    fn what_strangers_send_has_a_bound_of_its_own() {
        let text = vec![b'\n'; 3 << 20];
        for packed in [gzip(&text), zstd(&text)] {
            let read = |most| io::copy(&mut unpack_at_most(&packed[..], most)?, &mut io::sink());
            assert_eq!(read(3 << 20).unwrap(), 3 << 20);
            assert!(read(2 << 20).unwrap_err().to_string().contains("more than 2 MiB"));
            let twice = gzip(&packed);
            let error = unpack_at_most(&twice[..], 4 << 20).err().unwrap().to_string();
            assert!(error.starts_with("packed twice"), "{error}");
        }
    }

    struct Failing;

    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("stopped"))
        }
    }

    #[test]
    fn an_input_that_fails_is_not_blamed_on_the_file() {
        for packed in [gzip(&[1; 100]), zstd(&[1; 100])] {
            let mut input = unpack(packed[..TELLING as usize].chain(Failing)).unwrap();
            let error = input.read_to_end(&mut Vec::new()).unwrap_err();
            assert_eq!(FormatError::io("x", error).to_string(), "x: stopped");
        }
    }
}
