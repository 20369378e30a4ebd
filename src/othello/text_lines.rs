//! Lines of a text, whichever of the three ends they have: `\n`, `\r\n`, or the `\r` alone of an old Mac.

use std::io::{self, BufRead, ErrorKind};

use memchr::memchr2;

/// The lines of a text without their ends.
pub(crate) fn lines_of(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text).filter(|text| !text.is_empty());
    std::iter::from_fn(move || {
        let text = rest?;
        let Some(end) = memchr2(b'\n', b'\r', text.as_bytes()) else {
            rest = None;
            return Some(text);
        };
        let (line, behind) = text.split_at(end);
        let behind = behind.strip_prefix("\r\n").or_else(|| behind.get(1..)).unwrap_or_default();
        rest = Some(behind).filter(|behind| !behind.is_empty());
        Some(line)
    })
}

/// Appends the next line with its end to `line`, but no more than `most` bytes of it, and says how many
/// they were: none at the end of the input.
pub(crate) fn read_line(
    input: &mut impl BufRead,
    line: &mut Vec<u8>,
    most: usize,
) -> io::Result<usize> {
    let before = line.len();
    loop {
        let room = most - (line.len() - before);
        let ready = match input.fill_buf() {
            Ok(ready) => ready.get(..room).unwrap_or(ready),
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let end = memchr2(b'\n', b'\r', ready);
        let is_mac = end.is_some_and(|end| ready.get(end) == Some(&b'\r'));
        let taken = end.map_or(ready.len(), |end| end + 1);
        line.extend_from_slice(ready.get(..taken).unwrap_or_default());
        input.consume(taken);
        if end.is_some() || taken == 0 {
            if is_mac && line.len() - before < most && next_byte(input)? == Some(b'\n') {
                line.push(b'\n');
                input.consume(1);
            }
            return Ok(line.len() - before);
        }
    }
}

/// What comes next, which stays there.
fn next_byte(input: &mut impl BufRead) -> io::Result<Option<u8>> {
    loop {
        match input.fill_buf() {
            Ok(ready) => return Ok(ready.first().copied()),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            // The line is whole; what is wrong behind it is met again when that is read.
            Err(_) => return Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    #[test]
    fn lines_have_three_ends() {
        for (text, lines) in [
            ("", vec![]),
            ("a", vec!["a"]),
            ("a\nb\n", vec!["a", "b"]),
            ("a\r\nb\r\n", vec!["a", "b"]),
            ("a\rb\r", vec!["a", "b"]),
            ("a\r\r\nb\n\nc", vec!["a", "", "b", "", "c"]),
            ("é\rö\n\r", vec!["é", "ö", ""]),
        ] {
            assert_eq!(lines_of(text).collect::<Vec<_>>(), lines, "{text:?}");
            // An end of two bytes may be parted between two pieces.
            for piece in 1..=4 {
                let mut input = BufReader::with_capacity(piece, text.as_bytes());
                let (mut read, mut line) = (Vec::new(), Vec::new());
                while read_line(&mut input, &mut line, 9).unwrap() > 0 {
                    let end = line.iter().position(|byte| b"\r\n".contains(byte));
                    let content = &line[..end.unwrap_or(line.len())];
                    read.push(String::from_utf8(content.to_vec()).unwrap());
                    line.clear();
                }
                assert_eq!(read, lines, "{text:?} in pieces of {piece}");
            }
        }
    }

    #[test]
    fn a_line_is_no_longer_than_asked_for() {
        let (mut input, mut line) = (&b"abcdefg\n"[..], Vec::new());
        let mut read = || {
            line.clear();
            let count = read_line(&mut input, &mut line, 4).unwrap();
            (count, String::from_utf8(line.clone()).unwrap())
        };
        assert_eq!(read(), (4, "abcd".to_owned()));
        assert_eq!(read(), (4, "efg\n".to_owned()));
        assert_eq!(read(), (0, String::new()));
    }
}
