//! The bytes of a file, from the first to the last, whatever kind of file it is.

use std::fs::{self, File};
use std::io::{self, Cursor, Read};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use crate::othello::search::Stop;

/// Bytes of a pipe that are passed on at a time.
const PIECE: usize = 1 << 18;

/// Pieces that wait to be taken.
const WAITING: usize = 4;

/// How long it takes at most until a stop is noticed.
const PATIENCE: Duration = Duration::from_millis(50);

/// Opens a file to be read once. What is no regular file may let its reader wait for ever, as a
/// named pipe without a writer does: it is read in a thread of its own, so that a stop ends the
/// waiting.
pub(super) fn bytes_of(path: &Path, stop: &Stop) -> io::Result<Box<dyn Read>> {
    let kind = fs::metadata(path)?;
    if kind.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
    }
    if kind.is_file() {
        return Ok(Box::new(File::open(path)?));
    }
    let path = path.to_owned();
    waiting_for(move || File::open(path), stop)
}

/// Standard input, in the same way.
pub(super) fn bytes_of_standard_input(stop: &Stop) -> io::Result<Box<dyn Read>> {
    waiting_for(|| Ok(io::stdin()), stop)
}

fn waiting_for<R: Read>(
    open: impl FnOnce() -> io::Result<R> + Send + 'static,
    stop: &Stop,
) -> io::Result<Box<dyn Read>> {
    let (sender, pieces) = sync_channel(WAITING);
    thread::Builder::new().spawn(move || pass_on(open, &sender))?;
    Ok(Box::new(Pipe { pieces, piece: Cursor::default(), ended: false, stop: stop.clone() }))
}

/// Hands over what comes, at last an empty piece; ends when the receiver has gone.
fn pass_on<R: Read>(
    open: impl FnOnce() -> io::Result<R>,
    sender: &SyncSender<io::Result<Vec<u8>>>,
) {
    let mut file = match open() {
        Ok(file) => file,
        Err(error) => return drop(sender.send(Err(error))),
    };
    loop {
        let mut piece = vec![0; PIECE];
        let read = match file.read(&mut piece) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read,
        };
        let is_last = !matches!(read, Ok(count) if count > 0);
        let piece = read.map(|count| {
            piece.truncate(count);
            piece
        });
        if sender.send(piece).is_err() || is_last {
            return;
        }
    }
}

/// What another thread reads.
struct Pipe {
    pieces: Receiver<io::Result<Vec<u8>>>,
    piece: Cursor<Vec<u8>>,
    ended: bool,
    stop: Stop,
}

impl Read for Pipe {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let count = self.piece.read(buffer)?;
            if count > 0 || self.ended || buffer.is_empty() {
                return Ok(count);
            }
            match self.pieces.recv_timeout(PATIENCE) {
                Ok(piece) => {
                    self.piece = Cursor::new(piece?);
                    self.ended = self.piece.get_ref().is_empty();
                }
                Err(RecvTimeoutError::Timeout) if self.stop.is_stopped() => {
                    return Err(io::Error::other("stopped"));
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(io::Error::other("its reader ended early"));
                }
            }
        }
    }
}
