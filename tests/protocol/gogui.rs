//! GoGui's own rules for answers, over every answer to it.

use std::sync::{Arc, Mutex};

use rosebill::app::player::GameInPlay;
use rosebill::faces::protocol::Replies;
use rosebill::faces::protocol::gtp::Session;
use rosebill::othello::board::{Side, Square};
use rosebill::othello::search::Level;

use crate::desk::Desk;
use crate::engine::Engine;
use crate::talk::{desk_with_book, player};

/// What GoGui takes of an answer: `=` or `?` and the number of the command, then all behind the first blank, up to an
/// empty line.
fn taken(answer: &str, id: &str) -> Result<String, String> {
    assert!(answer.ends_with("\n\n") && !answer.trim_end().contains("\n\n"), "{answer:?}");
    let (status, text) = answer.trim_end_matches('\n').split_at(1);
    let text = text.strip_prefix(id).unwrap_or_else(|| panic!("no number: {answer:?}"));
    let text = match text.split_once(' ') {
        Some((before, text)) => {
            assert_eq!(before, "", "{answer:?}");
            text.to_owned()
        }
        None => {
            assert_eq!(text, "", "{answer:?}");
            String::new()
        }
    };
    match status {
        "=" => Ok(text),
        "?" => Err(text),
        _ => panic!("{answer:?}"),
    }
}

fn is_point(word: &str) -> bool {
    word.parse::<Square>().is_ok() && word.chars().all(|c| !c.is_ascii_lowercase())
}

/// Lines that draw on the board.
fn check_drawing(text: &str) {
    for line in text.lines() {
        let (command, rest) = line.split_once(' ').unwrap_or((line, ""));
        let words: Vec<&str> = rest.split_whitespace().collect();
        match command {
            "TEXT" => assert!(!rest.is_empty()),
            "LABEL" => {
                assert!(words.len() >= 2 && words.len().is_multiple_of(2), "{line}");
                for pair in words.chunks(2) {
                    assert!(is_point(pair[0]) && pair[1].len() <= 5, "{line}");
                }
            }
            "COLOR" => {
                assert_eq!(words[0], "green");
                assert!(words[1..].iter().all(|word| is_point(word)), "{line}");
            }
            "VAR" => {
                for pair in words.chunks(2) {
                    assert!(matches!(pair[0], "b" | "w"), "{line}");
                    assert!(is_point(pair[1]) || pair[1] == "pass", "{line}");
                }
            }
            _ => panic!("GoGui does not know {line}"),
        }
    }
}

/// A board is 64 words, whatever the lines.
fn check_board(text: &str) {
    let cells: Vec<&str> = text.split_whitespace().collect();
    assert_eq!(cells.len(), 64, "{text}");
    assert!(cells.iter().all(|cell| matches!(*cell, "X" | "O" | ".")), "{text}");
}

const FORCED_PASS: &str = "b c4 w c3 b e6 w b4 b a4 w a5 b b2 w a3";
const OVER: &str = "b e6 w f4 b e3 w f6 b g5 w d6 b e7 w f5 b c5";

/// Every command in the list, in all kinds of positions, is answered as GoGui reads answers.
#[test]
fn every_answer_is_one_that_gogui_reads() {
    let desk = desk_with_book();
    let mut session = Session::new(player(Some(&desk.path("book.db"))), Level::new(2));
    let mut id = 0;
    let mut ask = |command: &str| {
        id += 1;
        taken(&session.answer(&format!("{id} {command}")).unwrap(), &id.to_string())
    };
    let listed = ask("list_commands").unwrap();
    let offered = ask("gogui-analyze_commands").unwrap();
    let kinds: Vec<Vec<&str>> = offered.lines().map(|line| line.split('/').collect()).collect();
    for kind in &kinds {
        assert_eq!(kind.len(), 3, "kind, label and command: {kind:?}");
        let name = kind[2].split(' ').next().unwrap();
        assert!(listed.lines().any(|listed| listed == name), "{name}");
    }
    for moves in ["", "b f5", "b f5 w d6 b c3 w d3 b c4", FORCED_PASS, OVER] {
        for command in listed.lines().filter(|name| *name != "quit") {
            ask("clear_board").unwrap();
            ask(&format!("gogui-play_sequence {moves}")).unwrap();
            let argument = match command {
                "genmove" | "reg_genmove" => ask("gogui-rules_side_to_move").unwrap(),
                "gogui-setup_player" => "w".to_owned(),
                "known_command" => "play".to_owned(),
                "set_level" => "3".to_owned(),
                _ => String::new(),
            };
            let answer = ask(&format!("{command} {argument}"));
            match kinds.iter().find(|kind| kind[2] == command) {
                Some(kind) if kind[0] == "gfx" => check_drawing(&answer.unwrap()),
                Some(_) => assert!(!answer.unwrap().contains('\n')),
                None if command == "gogui-rules_board" => check_board(&answer.unwrap()),
                None if command == "gogui-rules_legal_moves" => {
                    let legal = answer.unwrap();
                    assert!(
                        legal.split(' ').all(|word| ["", "pass"].contains(&word) || is_point(word))
                    );
                    assert_eq!(legal.is_empty(), moves == OVER, "an empty answer is the end");
                }
                // Whatever it is, it was read.
                None => {}
            }
        }
    }
}

#[test]
fn the_book_values_and_the_best_line_are_drawn() {
    let desk = desk_with_book();
    let mut session = Session::new(player(Some(&desk.path("book.db"))), Level::new(4));
    let mut ask = |command: &str| taken(&session.answer(command).unwrap(), "");
    ask("play b f5").unwrap();
    let marks = "LABEL F4 +0.5 D6 +0.0\nCOLOR green F4\nTEXT F4 +0.50 for white, 12 plies";
    assert_eq!(ask("rosebill-book").unwrap(), marks);
    let values = ask("rosebill-values").unwrap();
    assert!(values.starts_with("LABEL F4 +0.5 D6 +0.0 F6 -"), "{values}");
    let line = ask("rosebill-line").unwrap();
    assert!(line.starts_with("VAR w F4") && line.ends_with("+0.50 for white, book"), "{line}");
    assert_eq!(ask("rosebill-opening").unwrap(), "no opening with a name");
    ask("play w d6").unwrap();
    assert_eq!(ask("rosebill-opening").unwrap(), "Perpendicular Opening");
    ask("clear_board").unwrap();
    ask(&format!("gogui-play_sequence {FORCED_PASS}")).unwrap();
    assert_eq!(ask("rosebill-line").unwrap(), "TEXT no move but a pass");
    // Stones of both colors in turn, a pass among them where one is forced.
    ask("undo").unwrap();
    ask("set_level 3").unwrap();
    let line = ask("rosebill-line").unwrap();
    let moves: Vec<&str> = line.lines().next().unwrap().split(' ').skip(1).collect();
    let colours = moves.iter().step_by(2);
    assert!(colours.zip(["w", "b"].iter().cycle()).all(|(is, expected)| is == expected), "{line}");
}

#[test]
fn positions_are_set_up_and_moves_played_at_once() {
    let mut session = Session::new(player(None), Level::new(1));
    let mut ask = |command: &str| taken(&session.answer(command).unwrap(), "");
    // All or none.
    assert_eq!(ask("gogui-play_sequence b f5 w d6 b c3"), Ok(String::new()));
    let refused = ask("gogui-play_sequence w d3 b a1").unwrap_err();
    assert!(refused.starts_with("illegal move: "), "{refused}");
    assert_eq!(ask("gogui-rules_side_to_move").unwrap(), "white");
    assert!(ask("gogui-play_sequence w").is_err() && ask("gogui-play_sequence w i9").is_err());
    for _ in 0..3 {
        ask("undo").unwrap();
    }
    assert!(ask("undo").is_err(), "each move was one to take back");
    ask("play b f5").unwrap();
    assert!(ask("gogui-setup b d4 w d5").is_err(), "moves have been played");
    ask("clear_board").unwrap();
    assert_eq!(ask("gogui-setup b D4 b E4 w F4 w E5"), Ok(String::new()));
    check_board(&ask("gogui-rules_board").unwrap());
    assert_eq!(ask("gogui-rules_legal_moves").unwrap(), "G4 E6 F6");
    assert_eq!(ask("gogui-setup_player w"), Ok(String::new()));
    assert_eq!(ask("gogui-rules_side_to_move").unwrap(), "white");
    assert_eq!(ask("gogui-rules_legal_moves").unwrap(), "C3 E3 C4");
    for wrong in
        ["gogui-setup b d4 w d4", "gogui-setup x d4", "gogui-setup b", "gogui-setup b pass"]
    {
        assert!(ask(wrong).is_err(), "{wrong}");
    }
    assert_eq!(ask("list_games").unwrap(), "Othello");
    assert_eq!(ask("set_game Othello"), Ok(String::new()));
    assert_eq!(ask("set_game Go").unwrap_err(), "unsupported game: expected Othello");
    assert!(
        ask("set_level 0").is_err() && ask("set_level").is_err() && ask("set_level 61").is_err()
    );
    assert_eq!(ask("set_level 60"), Ok(String::new()));
}

/// What a session writes.
#[derive(Clone, Default)]
pub struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    /// What was written since this was asked last.
    pub fn take(&self) -> String {
        String::from_utf8(std::mem::take(&mut *self.0.lock().unwrap())).unwrap()
    }
}

impl std::io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Each iteration with depth, value, positions and line.
#[test]
fn iterations_are_logged() {
    let log = Log::default();
    let session = Session::new(player(None), Level::new(8)).with_log(Replies::to(log.clone()));
    let mut session = session;
    session.answer("play b f5");
    let chosen = session.answer("genmove w").unwrap().to_lowercase();
    let logged = log.take();
    let lines: Vec<Vec<&str>> =
        logged.lines().map(|line| line.split("  ").collect::<Vec<_>>()).collect();
    assert!(lines.len() >= 3, "{logged}");
    for line in &lines {
        let [plies, value, seconds, nodes, moves] = line[..] else { panic!("{logged}") };
        assert!(plies.ends_with(" plies") || plies == "1 ply", "{logged}");
        assert!(value.parse::<f64>().is_ok() && seconds.ends_with(" s"), "{logged}");
        assert!(nodes.ends_with(" nodes") && moves.len().is_multiple_of(2), "{logged}");
    }
    let last = lines.last().unwrap();
    assert!(last[0] == "8 plies" && last[4].starts_with(chosen.trim_start_matches("= ").trim()));
}

/// As quarry plays with an engine: a whole game, in which it leaves forced passes out.
#[test]
fn a_game_is_played_as_quarry_does() {
    let mut session = Session::new(player(None), Level::new(1));
    let mut ask = |command: &str| taken(&session.answer(command).unwrap(), "").unwrap();
    for command in ["protocol_version", "name", "version", "list_commands"] {
        assert!(!ask(command).is_empty());
    }
    assert_eq!(ask("list_games"), "Othello");
    for command in ["set_game Othello", "boardsize 8", "clear_board", "time_settings 0 600 10"] {
        assert_eq!(ask(command), "");
    }
    // The other side moves as a beginner does: the first that is legal.
    let mut game = GameInPlay::default();
    while !game.is_over() {
        if game.must_pass() {
            game.pass().unwrap();
        } else if game.now().side == Side::White {
            ask("time_left white 600 10");
            let chosen = ask("genmove white");
            game.play(chosen.parse().unwrap()).unwrap();
        } else {
            let square = game.now().position.legal_moves().next().unwrap();
            game.play(square).unwrap();
            assert_eq!(ask(&format!("play black {}", square.to_string().to_uppercase())), "");
        }
    }
    let passes = game.plies().iter().filter(|ply| ply.square.is_none());
    assert!(passes.count() > 0, "one at least was left out");
    assert_eq!(ask("final_score").starts_with("W+"), game.final_score().unwrap() < 0);
    assert_eq!(ask("quit"), "");
}

/// The comment that GoGui sends while a command runs: the best move so far is the answer.
#[test]
fn a_search_is_interrupted_by_a_comment() {
    let desk = Desk::new();
    let mut engine = Engine::start(&desk, &["gtp", "--no-book", "--level", "60"]);
    assert_eq!(engine.ask("gogui-interrupt"), "");
    for command in ["genmove b", "rosebill-values", "genmove w"] {
        engine.say(command);
        engine.say("# interrupt");
        let answer = engine.line();
        assert!(answer.starts_with("= "), "{answer}");
        engine.until(str::is_empty);
    }
    assert_eq!(engine.ask("name"), "rosebill");
}
