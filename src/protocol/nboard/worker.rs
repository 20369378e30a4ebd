//! The thread that answers requests, one at a time, while the next line is waited for.

use std::panic::AssertUnwindSafe;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use crate::ops::player::Player;
use crate::protocol::Replies;
use crate::search::Stop;

use super::request::{Answers, Request};

/// The thread that answers requests.
pub(super) struct Worker {
    requests: Sender<(Request, Stop)>,
    /// Hears once of each request that is done.
    done: Receiver<()>,
    replies: Replies,
    /// What stops the request that was handed out last.
    last: Stop,
    /// Requests that were handed out and are not known to be done; all but the last are stopped.
    handed_out: usize,
}

impl Worker {
    /// Starts it.
    ///
    /// # Errors
    /// No thread can be started.
    pub(super) fn start(mut player: Player, replies: Replies) -> std::io::Result<Self> {
        let (requests, to_do) = channel::<(Request, Stop)>();
        let (tell, done) = channel();
        let its_replies = replies.clone();
        let work = move || {
            while let Ok((request, stop)) = to_do.recv() {
                let answers = Answers { replies: &its_replies, stop: &stop };
                // A fault in one request must not leave the program deaf for the next.
                let answered = std::panic::catch_unwind(AssertUnwindSafe(|| {
                    if !stop.is_stopped() {
                        request.answer(&mut player, &answers);
                    }
                }));
                if answered.is_err() {
                    answers.status("That failed by a fault in the program: please report it");
                }
                if tell.send(()).is_err() {
                    break;
                }
            }
        };
        std::thread::Builder::new().name("nboard".to_owned()).spawn(work)?;
        Ok(Self { requests, done, replies, last: Stop::new(), handed_out: 0 })
    }

    /// Silences what runs, and hands out the next request.
    pub(super) fn hand_out(&mut self, request: Request) {
        self.silence();
        let stop = Stop::new();
        if self.requests.send((request, stop.clone())).is_ok() {
            self.last = stop;
            self.handed_out += 1;
        }
    }

    /// Stops what runs. Nothing more comes of it, although it may take a moment to be gone: a book that
    /// is just written must be left whole. Nobody has to wait for that.
    pub(super) fn silence(&mut self) {
        self.replies.silence(&self.last);
        while self.handed_out > 0 && self.done.try_recv().is_ok() {
            self.handed_out -= 1;
        }
    }

    /// Lets what runs come to its end, but no longer than this; then stops it, and waits until it is gone.
    pub(super) fn finish(&mut self, most: Duration) {
        let end = Instant::now() + most;
        while self.handed_out > 0 {
            match self.done.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(()) => self.handed_out -= 1,
                Err(RecvTimeoutError::Timeout) => break,
                // A thread that is gone says nothing more either.
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
        self.silence();
        while self.handed_out > 0 && self.done.recv().is_ok() {
            self.handed_out -= 1;
        }
    }
}
