//! Archives, which nobody here opens, and what is told of them.

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
        _ => None,
    }
}
