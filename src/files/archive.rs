//! Packed files, by their first bytes: those that are opened here, and archives that are not, with their
//! description.

/// How a gzip'd file begins (source: RFC 1952, 2.3.1).
pub(crate) const GZIP: [u8; 2] = [0x1f, 0x8b];

/// How a zstd file begins (source: RFC 8878, 3.1.1).
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// The offset of a tar archive's magic, in the header of its first file (source: POSIX, ustar).
const TAR_MARK: usize = 257;

/// How a file is packed that is opened here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Packing {
    Gzip,
    Zstd,
}

impl Packing {
    /// Recognizes it by its first bytes.
    pub(crate) fn of(head: &[u8]) -> Option<Self> {
        if head.starts_with(&GZIP) {
            Some(Self::Gzip)
        } else if head.starts_with(&ZSTD) {
            Some(Self::Zstd)
        } else {
            None
        }
    }
}

/// What a file is that begins with these bytes and has to be unpacked first.
pub(crate) fn as_archive(head: &[u8]) -> Option<&'static str> {
    match head {
        [b'P', b'K', 3, 4, ..] => Some("a zip archive: unpack it, and name the file that is in it"),
        [b'B', b'Z', b'h', b'1'..=b'9', ..] => {
            Some("packed by bzip2: unpack it, and name the file that comes out")
        }
        [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => {
            Some("packed by xz: unpack it, and name the file that comes out")
        }
        [b'7', b'z', 0xbc, 0xaf, 0x27, 0x1c, ..] => {
            Some("a 7z archive: unpack it, and name the file that is in it")
        }
        [b'R', b'a', b'r', b'!', 0x1a, 7, ..] => {
            Some("a rar archive: unpack it, and name the file that is in it")
        }
        [0x1f, 0x9d, ..] => Some("packed by compress: unpack it, and name the file that comes out"),
        [b'L', b'Z', b'I', b'P', ..] => {
            Some("packed by lzip: unpack it, and name the file that comes out")
        }
        [4, b'"', b'M', 0x18, ..] => {
            Some("packed by lz4: unpack it, and name the file that comes out")
        }
        _ if head.get(TAR_MARK..).is_some_and(|head| head.starts_with(b"ustar")) => {
            Some("a tar archive: unpack it, and name the file that is in it")
        }
        _ => None,
    }
}
