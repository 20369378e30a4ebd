//! Lines of a file of games.

use std::io::BufRead;

use super::draft::Refused;
use super::refused::Why;
use crate::files::fault::Place;
use crate::files::lines::{LONGEST, LineError, Lines};

impl<R: BufRead> Lines<R> {
    /// The next line. After an error nothing comes.
    pub(super) fn next(&mut self) -> Option<Result<String, Refused>> {
        let line = self.read()?;
        let place = Place::Line(self.number());
        Some(line.map_err(|error| match error {
            LineError::System(error) => Refused::io(place, error),
            LineError::Endless => Refused { place, why: Why::EndlessLine(LONGEST) },
            LineError::NoText(fault) => Refused { place, why: fault.into() },
        }))
    }
}

#[cfg(test)]
mod tests {
    use crate::files::games::refused::Note;
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
        let line = b"\xbc\xbe\xe5\xb7\xf2 40-24 Bob: f5d6c3\n";
        let (games, defects) = read_bytes(line, &WthorNames::default());
        assert_eq!((games.len(), defects.len()), (1, 0));
        assert_eq!(games[0].game.moves.len(), 3);
        assert!(matches!(&games[0].notes[..], [Note::Letters(_)]), "{:?}", games[0].notes);
        for (name, letters) in [
            (&b"\xcd\xf5\xd0\xa1\xc3\xf7"[..], "王小明"),
            (b"\xc8\xe2\xe0\xed\xee\xe2", "Иванов"),
            (b"\xba\xda\xb7\xbd\xa3\xba\xcd\xf5\xd0\xa1\xc3\xf7\n", "王小明"),
        ] {
            let behind = if name.ends_with(b"\n") { "f5d6c3\n" } else { " 40-24 Bob: f5d6c3\n" };
            let line = [name, behind.as_bytes()].concat();
            let (games, _) = read_bytes(&line, &WthorNames::default());
            assert_eq!(games[0].game.black.name.as_deref(), Some(letters));
            assert_eq!(games[0].notes, []);
        }
        let (games, _) =
            read_bytes(b"Andr\xe9 M\xfcller 40-24 L\xf6f: f5d6c3\n", &WthorNames::default());
        assert_eq!(games[0].notes, []);
    }
}
