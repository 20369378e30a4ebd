//! Unpacking zstd as a stream, with the same limits as gzip and the same places of what is wrong.

use std::io::{self, BufRead, Read};

use super::error::Broken;
use super::packed_input::PackedInput;

/// The window that is kept in memory is at most two to this power of bytes.
const LARGEST_WINDOW: u32 = 27;

/// What a zstd file unpacks to.
pub(super) struct Unzstd<R: BufRead> {
    decoder: zstd::Decoder<'static, PackedInput<R>>,
    unpacked: u64,
}

impl<R: BufRead> Unzstd<R> {
    pub(super) fn new(input: R) -> io::Result<Self> {
        let mut decoder = zstd::Decoder::with_buffer(PackedInput::new(input))?;
        decoder.window_log_max(LARGEST_WINDOW)?;
        Ok(Self { decoder, unpacked: 0 })
    }

    /// What an error of the decoder means.
    fn told(&self, error: io::Error) -> io::Error {
        let input = self.decoder.get_ref();
        if input.has_failed() {
            return error;
        }
        let found = match error.kind() {
            io::ErrorKind::UnexpectedEof => {
                "the end of the file inside the compressed data".to_owned()
            }
            _ => format!("what cannot be unpacked ({error})"),
        };
        Broken::new(input.taken(), found, "a whole zstd file").into()
    }
}

impl<R: BufRead> Read for Unzstd<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.decoder.read(buffer).map_err(|error| self.told(error))?;
        self.unpacked += count as u64;
        self.decoder.get_ref().check_size(self.unpacked)?;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::books::FormatError;
    use crate::files::books::testing::failing_after;

    fn unpacked(bytes: &[u8]) -> Result<Vec<u8>, String> {
        let mut content = Vec::new();
        match Unzstd::new(bytes).unwrap().read_to_end(&mut content) {
            Ok(_) => Ok(content),
            Err(error) => Err(FormatError::io("x.zst", error).to_string()),
        }
    }

    #[test]
    fn whatever_is_wrong_is_told_with_its_byte() {
        let content: Vec<u8> = (0..5000_u32).flat_map(|n| (n * n).to_le_bytes()).collect();
        let sound = zstd::encode_all(&content[..], 3).unwrap();
        let twice = [&sound[..], &sound].concat();
        assert_eq!(unpacked(&twice), Ok(content.repeat(2)));
        let (end, told) = (sound.len(), |bytes: &[u8]| unpacked(bytes).unwrap_err());
        for length in [5, end / 2, end - 1] {
            let place = format!("x.zst, byte {length}: found the end of the file inside");
            assert!(told(&sound[..length]).starts_with(&place), "{}", told(&sound[..length]));
        }
        let longer = told(&[&sound[..], b"none"].concat());
        assert!(longer.contains("found what cannot be unpacked ("), "{longer}");
    }

    #[test]
    fn a_bomb_is_refused_by_its_ratio() {
        let told = unpacked(&zstd::encode_all(&vec![0; 8 << 20][..], 3).unwrap()).unwrap_err();
        assert!(told.contains("bytes unpacked from the first") && told.contains("100"), "{told}");
    }

    #[test]
    fn an_input_that_fails_is_not_blamed_on_the_file() {
        let sound = zstd::encode_all(&[1; 100][..], 3).unwrap();
        let input = failing_after(&sound[..9]);
        let error = Unzstd::new(input).unwrap().read_to_end(&mut Vec::new()).unwrap_err();
        assert_eq!(FormatError::io("x.zst", error).to_string(), "x.zst: stopped");
    }
}
