//! Transcripts of UGI.

use rosebill::faces::protocol::Replies;
use rosebill::faces::protocol::ugi::Session;
use rosebill::othello::score::Score;
use rosebill::othello::search::Level;

use crate::desk::Desk;
use crate::engine::Engine;
use crate::gogui::Log;
use crate::talk::player;

struct Talk(Session, Log);

impl Talk {
    fn new() -> Self {
        let log = Log::default();
        let replies = Replies::to(log.clone());
        Self(Session::new(player(None), replies, Level::new(2), Score::ZERO), log)
    }

    /// Says a line, and returns the replies to it.
    fn say(&mut self, line: &str) -> Vec<String> {
        assert!(self.0.line(line), "{line}");
        self.1.take().lines().map(str::to_owned).collect()
    }

    fn ask(&mut self, question: &str) -> String {
        let told = self.say(&format!("query {question}"));
        told[0].strip_prefix("response ").unwrap().to_owned()
    }
}

#[test]
fn the_session_begins_as_in_uci() {
    let mut talk = Talk::new();
    let told = talk.say("ugi");
    assert!(told[0].starts_with("id name rosebill ") && told[1].starts_with("id author "));
    assert_eq!(told[2..], ["ugiok"]);
    assert_eq!(talk.say("isready"), ["readyok"]);
    for silent in ["uginewgame", "setoption name hash value 3", "", "stop", "xyzzy"] {
        assert_eq!(talk.say(silent), [""; 0], "{silent}");
    }
    assert!(!talk.0.line("quit"));
}

#[test]
fn positions_are_taken_and_asked_about() {
    let mut talk = Talk::new();
    assert_eq!(talk.say("position startpos moves f5 d6 c3"), [""; 0]);
    assert_eq!(
        [talk.ask("p1turn"), talk.ask("gameover"), talk.ask("result")],
        ["false", "false", "none"]
    );
    // What is wrong changes nothing.
    for wrong in [
        "position startpos moves f5 a1",
        "position",
        "position fen 8/8 x",
        "position startpos moves x",
    ] {
        let told = talk.say(wrong);
        assert!(told.len() == 1 && told[0].starts_with("info string "), "{told:?}");
        assert_eq!(talk.ask("p1turn"), "false");
    }
    talk.say("position fen 8/8/8/3ox3/3xo3/8/8/8 x moves f5");
    assert_eq!(talk.ask("p1turn"), "false");
    talk.say("position startpos moves e6 f4 e3 f6 g5 d6 e7 f5 c5");
    assert_eq!([talk.ask("gameover"), talk.ask("result")], ["true", "p1win"]);
    assert_eq!(talk.say("go depth 3"), ["bestmove 0000"]);
    // A forced pass is a move; left out, it is made.
    let forced = "position startpos moves c4 c3 e6 b4 a4 a5 b2 a3";
    talk.say(forced);
    assert_eq!(talk.say("go depth 3"), ["bestmove 0000"]);
    for pass in ["0000 f4", "f4"] {
        assert_eq!(talk.say(&format!("{forced} {pass}")), [""; 0]);
        assert_eq!(talk.ask("p1turn"), "true");
    }
    talk.say("uginewgame");
    assert_eq!(talk.ask("p1turn"), "true");
}

#[test]
fn moves_are_chosen_within_all_limits() {
    let mut talk = Talk::new();
    talk.say("position startpos moves f5");
    for limits in [
        "",
        "depth 4",
        "movetime 20",
        "p1time 900 p2time 900 p1inc 5 p2inc 5",
        "wtime 500 btime 500",
        "wtime -3",
    ] {
        let told = talk.say(&format!("go {limits}"));
        let (best, infos) = told.split_last().unwrap();
        let best = best.strip_prefix("bestmove ").unwrap();
        assert!(["f4", "d6", "f6"].contains(&best), "{limits}: {told:?}");
        let mut infos = infos.iter().filter(|info| info.contains(" depth "));
        let last: Vec<&str> = infos.next_back().unwrap().split(' ').collect();
        assert_eq!(
            (last[1], last[3], last[4], last[6]),
            ("depth", "score", "cp", "nodes"),
            "{told:?}"
        );
        assert!(last[5].parse::<i32>().is_ok() && last[10] == "pv", "{told:?}");
        assert!(!limits.contains("depth") || (last[2], last[11]) == ("4", best), "{told:?}");
    }
    assert!(talk.say("go depth x")[0].starts_with("info string expected a whole number"));
}

/// A search without an end is stopped by a line behind it.
#[test]
fn a_search_is_stopped() {
    let desk = Desk::new();
    let mut engine = Engine::start(&desk, &["gtp", "--ugi", "--no-book"]);
    engine.say("go infinite");
    engine.until(|line| line.starts_with("info "));
    engine.say("stop");
    engine.until(|line| line.starts_with("bestmove "));
    engine.say("isready");
    assert_eq!(engine.line(), "readyok");
    engine.say("go infinite");
    engine.say("quit");
    assert_eq!(engine.leaves_within(std::time::Duration::from_secs(30)), Some(0));
}
