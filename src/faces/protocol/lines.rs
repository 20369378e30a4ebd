//! Lines that come in, read by a thread of their own: a search hears of the next one at once.

use std::io::{BufRead, BufReader, Error, Read};
use std::ops::Deref;
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// No command is longer, a game with comments in every move included. What is longer is dropped up to
/// its end.
const LONGEST: usize = 1 << 20;

/// Lines that wait. Behind them the other side waits.
const MOST_WAITING: usize = 64;

/// Behind the end of the input there may be no reader left: what was asked for before is searched no
/// longer than this.
pub(super) const LAST_SEARCH: Duration = Duration::from_secs(3);

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Input {
    /// A line without its end.
    Line(String),
    /// A line that is too long to mean anything.
    TooLong,
}

/// The lines that come in: a thread that waits for the next one hears, too, that nothing more
/// comes.
pub struct Lines {
    receiver: Receiver<Input>,
    failure: Arc<OnceLock<Error>>,
}

impl Lines {
    /// Why the input could not be read any further; none when it ended by itself, or goes on.
    pub fn failure(&self) -> Option<&Error> {
        self.failure.get()
    }
}

impl Deref for Lines {
    type Target = Receiver<Input>;

    fn deref(&self) -> &Receiver<Input> {
        &self.receiver
    }
}

/// Reads lines until the input ends, when the receiver hears that nothing more comes. What is not UTF-8
/// is taken as Latin-1.
pub fn read_lines(input: impl Read + Send + 'static) -> std::io::Result<Lines> {
    read_lines_watched(input, |_| (), || ())
}

/// As [`read_lines`]; the thread that reads hands each line to `seen` before others get it, and does something else
/// when the input has ended.
pub fn read_lines_watched(
    input: impl Read + Send + 'static,
    seen: impl Fn(&Input) + Send + 'static,
    then: impl FnOnce() + Send + 'static,
) -> std::io::Result<Lines> {
    let failure = Arc::new(OnceLock::new());
    let (sender, receiver) = sync_channel(MOST_WAITING);
    let of_thread = Arc::clone(&failure);
    let read = move || {
        let mut input = BufReader::new(input);
        loop {
            match next_line(&mut input) {
                Ok(Some(line)) => {
                    seen(&line);
                    if sender.send(line).is_err() {
                        return;
                    }
                }
                Ok(None) => break,
                // An input that fails has ended.
                Err(error) => {
                    let _ = of_thread.set(error);
                    break;
                }
            }
        }
        drop((sender, seen));
        then();
    };
    std::thread::Builder::new().name("lines".to_owned()).spawn(read)?;
    Ok(Lines { receiver, failure })
}

fn next_line(input: &mut impl BufRead) -> std::io::Result<Option<Input>> {
    let mut line = Vec::new();
    let mut is_too_long = false;
    loop {
        let taken = input.by_ref().take(LONGEST as u64).read_until(b'\n', &mut line)?;
        let is_end = taken == 0;
        if is_end && line.is_empty() && !is_too_long {
            return Ok(None);
        }
        if is_end || line.ends_with(b"\n") {
            break;
        }
        if line.len() >= LONGEST {
            is_too_long = true;
            line.clear();
        }
    }
    if is_too_long {
        return Ok(Some(Input::TooLong));
    }
    while line.last().is_some_and(|&last| matches!(last, b'\n' | b'\r')) {
        line.pop();
    }
    let text = String::from_utf8(line)
        .unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect());
    Ok(Some(Input::Line(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(input: Vec<u8>) -> Vec<Input> {
        read_lines(std::io::Cursor::new(input)).unwrap().iter().collect()
    }

    fn line(text: &str) -> Input {
        Input::Line(text.to_owned())
    }

    #[test]
    fn all_ends_and_all_bytes_are_taken() {
        assert_eq!(
            read(b"one\r\ntwo\n\nlast".to_vec()),
            [line("one"), line("two"), line(""), line("last")]
        );
        assert_eq!(read(b"M\xfcller\0\n".to_vec()), [line("Müller\0")]);
        assert_eq!(read("Müller\n".as_bytes().to_vec()), [line("Müller")]);
        assert_eq!(read(Vec::new()), []);
    }

    #[test]
    fn an_input_that_fails_is_told() {
        struct Failing(bool);
        impl Read for Failing {
            fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
                if std::mem::replace(&mut self.0, true) {
                    return Err(Error::other("it is torn"));
                }
                bytes[..4].copy_from_slice(b"one\n");
                Ok(4)
            }
        }
        let lines = read_lines(Failing(false)).unwrap();
        assert_eq!(lines.iter().collect::<Vec<_>>(), [line("one")]);
        assert_eq!(lines.failure().unwrap().to_string(), "it is torn");
        let lines = read_lines(&b"one\n"[..]).unwrap();
        assert_eq!(lines.iter().count(), 1);
        assert!(lines.failure().is_none());
    }

    #[test]
    fn a_line_without_an_end_costs_itself_only() {
        for length in [LONGEST, LONGEST + 1, 5 * LONGEST] {
            let mut input = vec![b'x'; length];
            input.extend(b"\nping 1\n");
            assert_eq!(read(input), [Input::TooLong, line("ping 1")], "{length}");
        }
        assert_eq!(read(vec![b'x'; 3 * LONGEST]), [Input::TooLong]);
        let mut input = vec![b'x'; LONGEST - 1];
        input.push(b'\n');
        assert!(matches!(&read(input)[..], [Input::Line(text)] if text.len() == LONGEST - 1));
    }
}
