//! The thread that answers requests, one at a time, while the next line is waited for.

use std::collections::VecDeque;
use std::panic::AssertUnwindSafe;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use crate::app::player::Player;
use crate::faces::protocol::Replies;
use crate::othello::search::Stop;

use super::request::{Answers, Request, Task};

/// The thread that answers requests.
pub(super) struct Worker {
    requests: Sender<(Request, Stop)>,
    /// Hears once of each request that is done.
    done: Receiver<()>,
    replies: Replies,
    /// What stops each request that was handed out, oldest first: whether it is to choose a move.
    handed_out: VecDeque<(bool, Stop)>,
}

impl Worker {
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
                    answers.status("That failed because of a fault in rosebill: please report it");
                }
                if tell.send(()).is_err() {
                    break;
                }
            }
        };
        std::thread::Builder::new().name("nboard".to_owned()).spawn(work)?;
        Ok(Self { requests, done, replies, handed_out: VecDeque::new() })
    }

    /// Hands out the next request. What runs is silenced for it, unless it is to choose a move: its asker waits
    /// for it, and stops it by a ping.
    pub(super) fn hand_out(&mut self, request: Request) {
        self.silence_if(|is_choice| !is_choice);
        let is_choice = matches!(request.task, Task::Go(_));
        let stop = Stop::new();
        if self.requests.send((request, stop.clone())).is_ok() {
            self.handed_out.push_back((is_choice, stop));
        }
    }

    /// Stops what runs and what waits. Nothing more comes of it, although it may take a moment to be gone: a book
    /// that is just written must be left whole. No request has to wait for that.
    pub(super) fn silence(&mut self) {
        self.silence_if(|_| true);
    }

    fn silence_if(&mut self, is_meant: impl Fn(bool) -> bool) {
        while !self.handed_out.is_empty() && self.done.try_recv().is_ok() {
            self.handed_out.pop_front();
        }
        for (is_choice, stop) in &self.handed_out {
            if is_meant(*is_choice) {
                self.replies.silence(stop);
            }
        }
    }

    /// Lets what runs come to its end, but no longer than this; then stops it, and waits until it is gone.
    pub(super) fn finish(&mut self, most: Duration) {
        let end = Instant::now() + most;
        while !self.handed_out.is_empty() {
            match self.done.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(()) => drop(self.handed_out.pop_front()),
                Err(RecvTimeoutError::Timeout) => break,
                // A thread that is gone says nothing more either.
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
        self.silence();
        while !self.handed_out.is_empty() && self.done.recv().is_ok() {
            self.handed_out.pop_front();
        }
    }
}
