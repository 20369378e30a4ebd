//! The thread that answers requests, one at a time, while the next line is waited for.

use std::panic::AssertUnwindSafe;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use crate::ops::player::Player;
use crate::protocol::Replies;
use crate::search::Stop;

use super::request::{Answers, Request};

/// The thread that answers requests.
pub(super) struct Worker {
    requests: Sender<(Request, Stop)>,
    /// Hears once of each request that is done.
    done: Receiver<()>,
    /// What stops the request that was handed out last; none when it is known to be done.
    running: Option<Stop>,
}

impl Worker {
    /// Starts it.
    ///
    /// # Errors
    /// No thread can be started.
    pub(super) fn start(mut player: Player, replies: Replies) -> std::io::Result<Self> {
        let (requests, to_do) = channel::<(Request, Stop)>();
        let (tell, done) = channel();
        let work = move || {
            while let Ok((request, stop)) = to_do.recv() {
                let answers = Answers { replies: &replies, stop: &stop };
                // A fault in one request must not leave the program deaf for the next.
                let answered = std::panic::catch_unwind(AssertUnwindSafe(|| {
                    request.answer(&mut player, &answers);
                }));
                if answered.is_err() {
                    replies.line("status That failed by a fault in the program: please report it");
                }
                if tell.send(()).is_err() {
                    break;
                }
            }
        };
        std::thread::Builder::new().name("nboard".to_owned()).spawn(work)?;
        Ok(Self { requests, done, running: None })
    }

    /// Stops what runs, waits until nothing more comes of it, and hands out the next request.
    pub(super) fn hand_out(&mut self, request: Request) {
        self.stop();
        let stop = Stop::new();
        if self.requests.send((request, stop.clone())).is_ok() {
            self.running = Some(stop);
        }
    }

    /// Stops what runs, and waits until nothing more comes of it.
    pub(super) fn stop(&mut self) {
        if let Some(stop) = self.running.take() {
            stop.stop();
            // A thread that is gone says nothing more either.
            let _ = self.done.recv();
        }
    }

    /// Lets what runs come to its end, but no longer than this.
    pub(super) fn finish(&mut self, most: Duration) {
        if self.running.is_some() && self.done.recv_timeout(most).is_ok() {
            self.running = None;
        }
        self.stop();
    }
}
