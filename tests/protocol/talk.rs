//! A session of NBoard inside the test, and books to talk about.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use rosebill::app::BookFile;
use rosebill::app::player::{Player, PlayerOptions};
use rosebill::faces::protocol::Replies;
use rosebill::faces::protocol::nboard::{Options, Session, Then};
use rosebill::othello::score::Score;
use rosebill::othello::search::Level;

use crate::desk::Desk;

/// A book made by hand: after f5 an estimate beside a proven draw, and two games that went there.
const BOOK: &str = r#"{"format":"rosebill-book","version":1,"positions":3,"sources":[{"id":0,"engine":"rosebill 0.1.0","evaluator":"rosebill 12345678","level":"12","format":"","file":"","day":"2026-11-20","checksum":""}]}
{"board":"---------------------------OX------XO---------------------------","discs":4,"values":{"guess":-0.5,"draw_seeking":-0.5,"win_seeking":-100,"lower":-64,"upper":0},"links":["d3","c4","f5","e6"],"rest":null,"depth":12,"selectivity":73,"source":0}
{"board":"---------------------------XO------OOO--------------------------","discs":5,"values":{"guess":0.5,"draw_seeking":100,"win_seeking":0.5,"lower":0,"upper":64},"links":["d6"],"rest":{"move":"f4","score":0.5,"proof":"none"},"depth":12,"selectivity":73,"source":0}
{"board":"-------------------X-------XX-----OOO---------------------------","discs":6,"values":{"guess":0,"draw_seeking":100,"win_seeking":-100,"lower":0,"upper":0},"links":[],"rest":{"move":"d6","score":0,"proof":"exact"},"depth":54,"selectivity":100,"source":0}
"#;

const GAMES: &str = "(;GM[Othello]PB[one]PW[two]B[f5]W[f4]B[e3];)\n\
    (;GM[Othello]PB[one]PW[three]B[f5]W[f4]B[g3];)\n\
    (;GM[Othello]PB[two]PW[three]B[f5]W[d6]B[c3];)\n";

/// A desk with that book.
pub fn desk_with_book() -> Desk {
    let desk = Desk::new();
    std::fs::write(desk.path("book.jsonl"), BOOK).unwrap();
    std::fs::write(desk.path("games.ggf"), GAMES).unwrap();
    desk.ok(&["import", "book.jsonl", "--quiet"]);
    desk.ok(&["games", "import", "games.ggf", "--quiet"]);
    desk
}

pub fn player(book: Option<&Path>) -> Player {
    Player::new(PlayerOptions {
        table_megabytes: 4,
        seed: Some(1),
        book: book.map(BookFile::at),
        ..PlayerOptions::default()
    })
    .unwrap()
}

/// GGF as NBoard writes it, with these items behind the start.
pub fn ggf(items: &str) -> String {
    timed_ggf("15:00", items)
}

pub fn timed_ggf(clock: &str, items: &str) -> String {
    let board = "8 ---------------------------O*------*O--------------------------- *";
    format!(
        "(;GM[Othello]PC[NBoard]DT[2024-05-01 12:00:00 GMT]PB[me]PW[you]RE[?]TI[{clock}]TY[8]\
         BO[{board}]{items};)"
    )
}

/// A game in which Black must pass after the last move.
pub const FORCED_PASS: &str = "B[c4]W[c3]B[e6]W[b4]B[a4]W[a5]B[b2]W[a3]";

/// Whether a choice is one of White's moves behind that pass.
pub fn is_behind_the_pass(chosen: &str) -> bool {
    let name = chosen.trim_start_matches(['=', ' ']);
    ["C1", "D2", "F4"].iter().any(|square| name.starts_with(square))
}

/// A session of NBoard.
pub struct Talk {
    session: Session,
    replies: Receiver<String>,
}

struct Lines(Sender<String>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let text = std::str::from_utf8(bytes).unwrap();
        assert!(text.ends_with('\n') && text.matches('\n').count() == 1, "{text:?}");
        // After the test nobody listens.
        let _ = self.0.send(text.trim_end_matches('\n').to_owned());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Talk {
    pub fn new(book: Option<PathBuf>) -> Self {
        let (sender, replies) = channel();
        let level = Level::new(2).unwrap();
        let options = Options { level, least_learned: level, draw_for_black: Score::ZERO };
        let player = player(book.as_deref());
        let session = Session::new(player, Replies::to(Lines(sender)), options).unwrap();
        Self { session, replies }
    }

    pub fn say(&mut self, lines: &[&str]) -> &mut Self {
        for line in lines {
            assert_eq!(self.session.line(line), Then::GoOn, "{line}");
        }
        self
    }

    /// The next reply, whatever it is.
    pub fn next(&self) -> String {
        self.replies.recv_timeout(Duration::from_secs(60)).unwrap()
    }

    /// The replies up to one that is the last of its request.
    pub fn hear(&self, mut is_last: impl FnMut(&str) -> bool) -> Vec<String> {
        let mut heard = Vec::new();
        loop {
            let line = self.replies.recv_timeout(Duration::from_secs(60));
            let line = line.unwrap_or_else(|_| panic!("nothing more after {heard:?}"));
            // Each depth that is set is answered with the name.
            if line.starts_with("set myname ") {
                continue;
            }
            heard.push(line);
            if heard.last().is_some_and(|line| is_last(line)) {
                return heard;
            }
        }
    }

    /// The replies until the status line is cleared.
    pub fn hear_all(&self) -> Vec<String> {
        let mut heard = self.hear(|line| line == "status");
        heard.pop();
        heard.retain(|line| !line.starts_with("status "));
        heard
    }

    /// What is chosen.
    pub fn chosen(&self) -> String {
        self.hear(|line| line.starts_with("===")).pop().unwrap()
    }

    /// A status line with its text.
    pub fn told(&self) -> String {
        let told = self.hear(|line| line.starts_with("status ")).pop().unwrap();
        told["status ".len()..].to_owned()
    }

    /// Nothing was said before this, nor is anything waiting.
    pub fn pong(&mut self, number: u32) -> Vec<String> {
        self.say(&[&format!("ping {number}")]);
        let pong = format!("pong {number}");
        let mut heard = self.hear(|line| line == pong);
        heard.pop();
        assert!(self.replies.try_recv().is_err(), "something behind {pong}");
        heard
    }

    pub fn leave(mut self) {
        assert_eq!(self.session.line("quit"), Then::Leave);
    }
}
