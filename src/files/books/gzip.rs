//! Unpacking gzip as a stream. An error names its byte in the compressed file, and what unpacks to
//! far more than any book does is refused before it is unpacked.

use std::io::{self, BufRead, Read};

use flate2::bufread::GzDecoder;

use super::error::Broken;
use super::packed_input::PackedInput;

/// Checksum and length at the end.
const TRAILER_BYTES: u64 = 8;

/// What a gzip'd file unpacks to: one or several compressed parts, one behind the other (source: RFC 1952,
/// 2.2), and zeros that a medium filled its end with.
pub(super) struct Gunzip<R> {
    /// None for the moment between two parts.
    decoder: Option<GzDecoder<PackedInput<R>>>,
    /// Unpacked from the parts before this one.
    before: u64,
    unpacked: u64,
    has_ended: bool,
}

impl<R: BufRead> Gunzip<R> {
    pub(super) fn new(input: R) -> Self {
        let decoder = GzDecoder::new(PackedInput::new(input));
        Self { decoder: Some(decoder), before: 0, unpacked: 0, has_ended: false }
    }

    /// What an error of the decoder means.
    fn told(&self, error: io::Error) -> io::Error {
        let Some(decoder) = &self.decoder else { return error };
        let input = decoder.get_ref();
        if input.has_failed() {
            return error;
        }
        let taken = input.taken();
        let broken = if error.kind() == io::ErrorKind::UnexpectedEof {
            let found = "the end of the file inside the compressed data";
            Broken::new(taken, found, "a whole gzip'd file")
        } else if decoder.header().is_none() {
            Broken::new(taken, "a gzip header that makes no sense", "that of a gzip'd file")
        } else if error.to_string().contains("checksum") {
            let found = "checksum and length of other data";
            let expected =
                format!("those of the {} bytes that it unpacks to", self.unpacked - self.before);
            Broken::new(taken.saturating_sub(TRAILER_BYTES), found, expected)
        } else {
            Broken::new(taken, "what no compressor writes", "compressed data")
        };
        broken.into()
    }

    /// Goes on to the next part; false at the end.
    fn begin_next(&mut self) -> io::Result<bool> {
        let Some(decoder) = self.decoder.take() else { return Ok(false) };
        let mut rest = decoder.into_inner();
        let (mut has_next, mut is_filled) = (false, false);
        let outcome = loop {
            match rest.fill_buf() {
                Ok([]) => break Ok(()),
                Ok([0x1f, ..]) if !is_filled => {
                    has_next = true;
                    break Ok(());
                }
                Ok(bytes) => {
                    let noughts = bytes.iter().take_while(|&&byte| byte == 0).count();
                    let is_all = noughts == bytes.len();
                    rest.consume(noughts);
                    is_filled = true;
                    if !is_all {
                        let found = "bytes after the end of the gzip'd data";
                        break Err(Broken::new(rest.taken(), found, "the end of the file").into());
                    }
                }
                Err(error) => break Err(error),
            }
        };
        self.decoder = Some(GzDecoder::new(rest));
        self.before = self.unpacked;
        outcome.map(|()| has_next)
    }
}

impl<R: BufRead> Read for Gunzip<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.has_ended || buffer.is_empty() {
            return Ok(0);
        }
        loop {
            let Some(decoder) = &mut self.decoder else { return Ok(0) };
            let count = decoder.read(buffer);
            let count = count.map_err(|error| self.told(error))?;
            self.unpacked += count as u64;
            if let Some(decoder) = &self.decoder {
                decoder.get_ref().check_size(self.unpacked)?;
            }
            if count > 0 {
                return Ok(count);
            }
            self.has_ended = true;
            self.has_ended = !self.begin_next()?;
            if self.has_ended {
                return Ok(0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::files::books::FormatError;
    use crate::files::books::testing::failing_after;

    fn packed(content: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(content).unwrap();
        encoder.finish().unwrap()
    }

    fn unpacked(bytes: &[u8]) -> Result<Vec<u8>, String> {
        let mut content = Vec::new();
        match Gunzip::new(bytes).read_to_end(&mut content) {
            Ok(_) => Ok(content),
            Err(error) => Err(FormatError::io("x.gz", error).to_string()),
        }
    }

    #[test]
    fn whatever_is_wrong_is_told_with_its_byte() {
        let content: Vec<u8> = (0..5000_u32).flat_map(|n| (n * n).to_le_bytes()).collect();
        let sound = packed(&content);
        assert_eq!(unpacked(&sound), Ok(content));
        let end = sound.len();
        let told = |bytes: &[u8]| unpacked(bytes).unwrap_err();
        for length in [0, 1, 5, 11, end / 2, end - 9, end - 8, end - 1] {
            let place = format!("x.gz, byte {length}: found the end of the file inside");
            assert!(told(&sound[..length]).starts_with(&place), "{}", told(&sound[..length]));
        }
        for at in [end - 1, end - 8] {
            let mut broken = sound.clone();
            broken[at] ^= 1;
            let place = format!("x.gz, byte {}: found checksum and length of other", end - 8);
            assert!(told(&broken).starts_with(&place), "{}", told(&broken));
        }
        let longer = [&sound[..], b"x"].concat();
        assert!(told(&longer).starts_with(&format!("x.gz, byte {end}: found bytes after the end")));
        // A block of a kind that there is not.
        let mut broken = sound.clone();
        broken[10] = 0xff;
        let told = told(&broken);
        let at: usize = told["x.gz, byte ".len()..].split(':').next().unwrap().parse().unwrap();
        assert!(told.contains("what no compressor writes") && (10..40).contains(&at), "{told}");
    }

    #[test]
    fn parts_follow_each_other_and_noughts_fill_the_end() {
        let parts = [&packed(b"one ")[..], &packed(b""), &packed(b"two"), &[0; 512]].concat();
        assert_eq!(unpacked(&parts), Ok(b"one two".to_vec()));
        let end = parts.len();
        let told = unpacked(&[&parts[..], b"x"].concat()).unwrap_err();
        assert!(
            told.starts_with(&format!("x.gz, byte {end}: found bytes after the end")),
            "{told}"
        );
        let cut = [&packed(b"one ")[..], &packed(b"two")[..9]].concat();
        let told = unpacked(&cut).unwrap_err();
        assert!(told.contains("found the end of the file inside"), "{told}");
    }

    #[test]
    fn a_bomb_is_refused_by_its_ratio() {
        let bomb = packed(&vec![0; 8 << 20]);
        let told = unpacked(&bomb).unwrap_err();
        assert!(told.contains("bytes unpacked from the first") && told.contains("100"), "{told}");
        // A small book may well be monotonous.
        assert_eq!(unpacked(&packed(&vec![7; 1 << 20])).unwrap().len(), 1 << 20);
    }

    #[test]
    fn an_input_that_fails_is_not_blamed_on_the_file() {
        let sound = packed(&[1; 100]);
        let mut input = Gunzip::new(failing_after(&sound[..20]));
        let error = input.read_to_end(&mut Vec::new()).unwrap_err();
        assert_eq!(FormatError::io("x.gz", error).to_string(), "x.gz: stopped");
    }
}
