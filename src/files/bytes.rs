//! Reading numbers from bytes: nothing here trusts a length or can panic.

use std::borrow::Cow;
use std::io::{self, Read};

use super::books::FormatError;
use super::fault::Place;

/// Fills as much of a buffer as there is; less than its length means the end of the file.
pub(crate) fn fill(input: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while let Some(rest) = buffer.get_mut(filled..).filter(|rest| !rest.is_empty()) {
        match input.read(rest) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// A byte stream that knows its place and its file's name.
pub(crate) struct ByteSource<R> {
    input: R,
    file: String,
    offset: u64,
    place: fn(u64) -> Place,
}

impl<R: Read> ByteSource<R> {
    pub(crate) fn new(input: R, file: &str) -> Self {
        Self { input, file: file.to_owned(), offset: 0, place: Place::Byte }
    }

    /// The same, of what a compressed file unpacks to.
    pub(crate) fn unpacked(input: R, file: &str) -> Self {
        Self { place: Place::Unpacked, ..Self::new(input, file) }
    }

    /// What makes a place of an offset.
    pub(crate) const fn places(&self) -> fn(u64) -> Place {
        self.place
    }

    /// Bytes taken so far.
    pub(crate) const fn offset(&self) -> u64 {
        self.offset
    }

    pub(crate) fn file(&self) -> &str {
        &self.file
    }

    /// Fills as much of the buffer as there is; less than its length means the end of the file.
    pub(crate) fn fill(&mut self, buffer: &mut [u8]) -> Result<usize, FormatError> {
        let filled = fill(&mut self.input, buffer);
        let filled = filled.map_err(|error| FormatError::io(&self.file, error))?;
        self.offset += filled as u64;
        Ok(filled)
    }

    /// Takes so many bytes, which a file must have at its beginning.
    pub(crate) fn header<const N: usize>(
        &mut self,
        expected: &'static str,
    ) -> Result<[u8; N], FormatError> {
        let mut header = [0; N];
        let filled = self.fill(&mut header)?;
        if filled == N {
            return Ok(header);
        }
        let found = match filled {
            0 => quoted(&[]),
            _ => format!("the end of the file after {filled} bytes"),
        };
        Err(self.error(filled as u64, found, expected))
    }

    /// An error about the bytes at this offset.
    pub(crate) fn error(
        &self,
        offset: u64,
        found: impl Into<String>,
        expected: impl Into<Cow<'static, str>>,
    ) -> FormatError {
        FormatError::content(&self.file, (self.place)(offset), found, expected)
    }
}

/// The start of a file, for a message.
pub(crate) fn quoted(start: &[u8]) -> String {
    match start {
        [] => "an empty file".to_owned(),
        start => format!("'{}'", start.escape_ascii()),
    }
}

/// Takes little-endian numbers off the front of a slice; past its end all bytes are zero.
pub(crate) struct Fields<'a>(pub(crate) &'a [u8]);

impl Fields<'_> {
    #[inline]
    fn take<const N: usize>(&mut self) -> [u8; N] {
        if let Some((head, tail)) = self.0.split_first_chunk() {
            self.0 = tail;
            return *head;
        }
        let mut bytes = [0; N];
        for (to, from) in bytes.iter_mut().zip(std::mem::take(&mut self.0)) {
            *to = *from;
        }
        bytes
    }

    pub(crate) fn u8(&mut self) -> u8 {
        u8::from_le_bytes(self.take())
    }

    pub(crate) fn i8(&mut self) -> i8 {
        i8::from_le_bytes(self.take())
    }

    pub(crate) fn u16(&mut self) -> u16 {
        u16::from_le_bytes(self.take())
    }

    pub(crate) fn i16(&mut self) -> i16 {
        i16::from_le_bytes(self.take())
    }

    pub(crate) fn i32(&mut self) -> i32 {
        i32::from_le_bytes(self.take())
    }

    pub(crate) fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.take())
    }

    pub(crate) fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.take())
    }
}
