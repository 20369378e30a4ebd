//! Lines that go out, each at once.

use crate::othello::lock::lock;
use crate::othello::search::Stop;
use std::fmt::Display;
use std::io::{Error, ErrorKind, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

/// Where replies go; clones share it. Their reader may go away: then nothing is written any more.
#[derive(Clone)]
pub struct Replies(Arc<Shared>);

struct Shared {
    output: Mutex<Box<dyn Write + Send>>,
    is_closed: AtomicBool,
    failure: OnceLock<Error>,
}

impl Replies {
    pub fn to(output: impl Write + Send + 'static) -> Self {
        let output = Mutex::new(Box::new(output) as Box<dyn Write + Send>);
        Self(Arc::new(Shared {
            output,
            is_closed: AtomicBool::new(false),
            failure: OnceLock::new(),
        }))
    }

    /// Writes a line and hands it on at once.
    pub fn line(&self, text: impl Display) {
        self.text(&format!("{text}\n"));
    }

    /// As [`Self::line`], for a text of several lines with all their ends.
    pub fn text(&self, text: &str) {
        self.write(&mut lock(&self.0.output), text);
    }

    /// As [`Self::line`], unless `stop` is raised.
    pub fn line_unless(&self, stop: &Stop, text: impl Display) {
        let text = format!("{text}\n");
        // Looked at behind the lock, so that nothing comes between the look and the line.
        let mut output = lock(&self.0.output);
        if !stop.is_stopped() {
            self.write(&mut output, &text);
        }
    }

    /// Raises a stop: behind this nothing is written that [`Self::line_unless`] is given it for.
    pub fn silence(&self, stop: &Stop) {
        let _output = lock(&self.0.output);
        stop.stop();
    }

    fn write(&self, output: &mut Box<dyn Write + Send>, text: &str) {
        if let Err(error) = output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
            if error.kind() != ErrorKind::BrokenPipe {
                let _ = self.0.failure.set(error);
            }
            self.0.is_closed.store(true, Ordering::Relaxed);
        }
    }

    /// Why replies could not be written; none where their reader had gone.
    pub fn failure(&self) -> Option<&Error> {
        self.0.failure.get()
    }

    /// Whether the reader has gone.
    pub fn are_closed(&self) -> bool {
        self.0.is_closed.load(Ordering::Relaxed)
    }
}
