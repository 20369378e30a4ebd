//! The lines of a text, decoded, and never longer than a bound.

use std::io::BufRead;

use super::defect::{Place, Why};
use super::draft::Refused;
use crate::files::charset::Charset;
use crate::othello::text_lines::read_line;

/// No line of games comes near it, even with all games of a tournament on one line.
const LONGEST: usize = 16 << 20;

/// What may follow the last line of a text from DOS.
const DOS_END: [char; 2] = ['\u{1a}', '\0'];

/// The lines of a file with their numbers.
pub(super) struct Lines<R> {
    input: R,
    charset: Charset,
    number: u64,
    bytes: Vec<u8>,
    failed: bool,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(input: R, charset: Charset) -> Self {
        Self { input, charset, number: 0, bytes: Vec::new(), failed: false }
    }

    /// The number of the line that was read last, from 1.
    pub(super) const fn number(&self) -> u64 {
        self.number
    }

    /// Whether the last line of the file had an end; a file that was cut off mostly has none.
    pub(super) fn had_end(&self) -> bool {
        matches!(self.bytes.last(), Some(b'\n' | b'\r'))
    }

    /// The next line without its end and without a byte order mark. After an error nothing comes.
    pub(super) fn next(&mut self) -> Option<Result<String, Refused>> {
        if self.failed {
            return None;
        }
        self.number += 1;
        self.bytes.clear();
        let place = Place::Line(self.number);
        let why = match read_line(&mut self.input, &mut self.bytes, LONGEST) {
            Ok(0) => return None,
            Ok(LONGEST) if !self.had_end() => Why::EndlessLine(LONGEST),
            Ok(_) => {
                let text = self.charset.decode(&self.bytes);
                let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
                let mut text = text.trim_end_matches(['\r', '\n']);
                // DOS marked the end of a text, and filled its last block.
                if text.ends_with(DOS_END) && self.input.fill_buf().is_ok_and(<[u8]>::is_empty) {
                    text = text.trim_end_matches(DOS_END);
                }
                return Some(Ok(text.to_owned()));
            }
            Err(error) => Why::Io(error.to_string()),
        };
        self.failed = true;
        Some(Err(Refused { place, why }))
    }
}

#[cfg(test)]
mod tests {
    use crate::files::games::defect::Note;
    use crate::files::games::testing::{read_all, read_bytes};
    use crate::files::games::wthor::WthorNames;

    /// Every format is read with each of the three ends of lines.
    #[test]
    fn lines_have_three_ends() {
        for text in [
            "[Event \"x\"]\n[Black \"one\"]\n\n1. f5 d6 *\n\n[Event \"x\"]\n\n1. f5 f4 *\n",
            "f5d6\nf5f4\n",
            "black,moves\none,f5d6\ntwo,f5f4\n",
            "(;GM[2]FF[4]\n;B[f5];W[d6])\n(;GM[2]\n;B[f5];W[f4])\n",
            "{\"moves\":\"f5d6\"}\n{\"moves\":\"f5f4\"}\n",
        ] {
            for (end, last) in [("\n", ""), ("\r\n", ""), ("\r", ""), ("\r\n", "\u{1a}\0")] {
                let (games, defects) = read_all(&(text.replace('\n', end) + last));
                let lines: Vec<_> = games.iter().map(|game| game.game.line().to_string()).collect();
                assert_eq!(
                    (&lines[..], &defects[..]),
                    (&["f5d6".into(), "f5f4".into()][..], &[][..])
                );
            }
        }
    }

    #[test]
    fn names_in_other_encodings_are_told() {
        for name in
            [&b"\xcd\xf5\xd0\xa1\xc3\xf7"[..], b"\xc8\xe2\xe0\xed\xee\xe2", b"\xbc\xbe\xe5\xb7\xf2"]
        {
            let line = [name, b" 40-24 Bob: f5d6c3\n"].concat();
            let (games, defects) = read_bytes(&line, &WthorNames::default());
            assert_eq!((games.len(), defects.len()), (1, 0));
            assert_eq!(games[0].game.moves.len(), 3);
            assert!(matches!(&games[0].notes[..], [Note::Letters(_)]), "{:?}", games[0].notes);
        }
        let (games, _) =
            read_bytes(b"Andr\xe9 M\xfcller 40-24 L\xf6f: f5d6c3\n", &WthorNames::default());
        assert_eq!(games[0].notes, []);
    }
}
