//! Transcripts of GTP.

use std::time::{Duration, Instant};

use rosebill::app::player::GameInPlay;
use rosebill::faces::protocol::gtp::Session;
use rosebill::othello::search::Level;

use crate::desk::Desk;
use crate::engine::Engine;
use crate::talk::{desk_with_book, is_behind_the_pass, player};

fn session() -> Session {
    Session::new(player(None), Level::new(2))
}

/// Says lines and compares the answers, without the empty line behind each.
fn talk(session: &mut Session, lines: &[(&str, &str)]) {
    for (line, expected) in lines {
        let answer = session.answer(line).unwrap_or_default();
        assert!(answer.is_empty() || answer.ends_with("\n\n"), "{line}: {answer:?}");
        assert_eq!(answer.trim_end_matches('\n'), *expected, "{line}");
    }
}

const CLEAR: (&str, &str) = ("clear_board", "=");

#[test]
fn administration() {
    let mut session = session();
    talk(
        &mut session,
        &[
            ("protocol_version", "= 2"),
            ("1 name", "=1 rosebill"),
            ("007 version", concat!("=007 ", env!("CARGO_PKG_VERSION"))),
            ("known_command play", "= true"),
            ("known_command fly", "= false"),
            ("known_command", "= false"),
            ("", ""),
            ("   # only a comment", ""),
            ("2 name # with a comment", "=2 rosebill"),
            ("3\tname\r", "=3 rosebill"),
            ("fly", "? unknown command"),
            ("4 fly", "?4 unknown command"),
            ("5", "?5 unknown command"),
            ("boardsize 8", "="),
            ("boardsize 19", "? unacceptable size"),
            ("boardsize", "? syntax error: expected a size"),
            ("undo 2", "? syntax error: expected no argument"),
            ("genmove b 3", "? syntax error: expected no more than 1 argument"),
            ("play b f5 d6", "? syntax error: expected no more than 2 arguments"),
            ("boardsize 8 8", "="),
            ("clear_board 1", "="),
            ("komi 0.5", "="),
            ("komi x", "? syntax error: expected a number"),
        ],
    );
    let listed = session.answer("list_commands").unwrap();
    for name in listed.trim_start_matches("= ").split_whitespace() {
        assert_eq!(session.answer(&format!("known_command {name}")).unwrap(), "= true\n\n");
        assert!(!session.answer(name).unwrap().contains("unknown command"), "{name}");
    }
    assert!(session.has_quit(), "quit is among them");
}

#[test]
fn moves_are_played_taken_back_and_refused() {
    let mut session = session();
    talk(
        &mut session,
        &[
            ("play black f5", "="),
            ("play b d6", "? illegal move: it is white's turn; expected f4 d6 f6"),
            ("play w a1", "? illegal move: flips no disc; expected one of f4 d6 f6 (white)"),
            (
                "play w F5",
                "? illegal move: the square is occupied; expected one of f4 d6 f6 (white)",
            ),
            ("play w pass", "? illegal move: a pass, but white can move; expected one of f4 d6 f6"),
            ("play green f4", "? syntax error: expected a color, black or white"),
            ("play w i9", "? syntax error: expected a square a1 to h8, or pass"),
            ("play", "? syntax error: expected a color, black or white"),
            ("play white D6", "="),
            ("gogui-rules_legal_moves", "= C3 C4 C5 C6 C7"),
            ("undo", "="),
            ("gogui-rules_side_to_move", "= white"),
            ("undo", "="),
            ("undo", "? cannot undo"),
            ("gogui-rules_side_to_move", "= black"),
        ],
    );
    assert!(session.answer("genmove black").unwrap().starts_with("= "));
    talk(
        &mut session,
        &[
            ("gogui-rules_side_to_move", "= white"),
            ("undo", "="),
            ("gogui-rules_legal_moves", "= D3 C4 F5 E6"),
        ],
    );
    let refused = session.answer("genmove white").unwrap();
    assert!(refused.starts_with("? illegal move: it is black's turn"), "{refused}");
}

const FORCED_PASS: [&str; 8] = ["c4", "c3", "e6", "b4", "a4", "a5", "b2", "a3"];

fn before_a_pass() -> Session {
    let mut session = session();
    for (square, side) in FORCED_PASS.iter().zip(["b", "w"].into_iter().cycle()) {
        talk(&mut session, &[(&format!("play {side} {square}"), "=")]);
    }
    session
}

#[test]
fn a_forced_pass_may_be_said_or_left_out() {
    let mut session = before_a_pass();
    talk(
        &mut session,
        &[
            ("gogui-rules_side_to_move", "= black"),
            ("gogui-rules_legal_moves", "= pass"),
            ("genmove b", "= pass"),
            ("play w F4", "="),
            ("undo", "="),
            ("undo", "="),
            ("gogui-rules_side_to_move", "= black"),
            // Left out, it is taken back with the move behind it.
            ("play w F4", "="),
            ("undo", "="),
            ("gogui-rules_legal_moves", "= pass"),
            ("play w f4", "="),
            ("undo", "="),
            ("play b pass", "="),
            ("play b pass", "? illegal move: it is white's turn; expected c1 d2 f4"),
            ("play w f4", "="),
        ],
    );
    // Chosen, too.
    let mut session = before_a_pass();
    assert!(is_behind_the_pass(&session.answer("genmove w").unwrap()));
    talk(&mut session, &[("undo", "="), ("gogui-rules_legal_moves", "= pass")]);
}

#[test]
fn a_finished_game_has_a_score() {
    let mut session = session();
    talk(
        &mut session,
        &[
            ("final_score", "? cannot score: the game is not over"),
            ("gogui-rules_final_result", "="),
        ],
    );
    let moves = ["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"];
    for (square, side) in moves.iter().zip(["b", "w"].into_iter().cycle()) {
        talk(&mut session, &[(&format!("play {side} {square}"), "=")]);
    }
    talk(
        &mut session,
        &[
            ("final_score", "= B+64"),
            ("gogui-rules_final_result", "= Black wins by 64 discs"),
            ("gogui-rules_legal_moves", "="),
            ("genmove w", "= pass"),
            ("play b pass", "="),
            ("play w a1", "? illegal move: the game is already over"),
            CLEAR,
            ("final_score", "? cannot score: the game is not over"),
        ],
    );
}

/// GoGui counts rows from below, and looks for capitals among the legal moves.
#[test]
fn boards_are_shown_to_people_and_to_gogui() {
    let mut session = session();
    talk(&mut session, &[("play b f5", "="), ("play w f6", "=")]);
    assert_eq!(
        session.answer("showboard").unwrap(),
        "= \n  a b c d e f g h\n1 . . . . . . . .\n2 . . . . . . . .\n3 . . . + . . . .\n\
         4 . . + O X . . .\n5 . . . X O X . .\n6 . . . . + O . .\n7 . . . . . + . .\n\
         8 . . . . . . . .\nblack (X) 3, white (O) 3, black to move\n\n"
    );
    assert_eq!(
        session.answer("gogui-rules_board").unwrap(),
        "= \n. . . . . . . .\n. . . . . . . .\n. . . . . O . .\n. . . X O X . .\n\
         . . . O X . . .\n. . . . . . . .\n. . . . . . . .\n. . . . . . . .\n\n"
    );
    talk(&mut session, &[("gogui-rules_board_size", "= 8"), ("gogui-rules_game_id", "= Othello")]);
    // As GoGui reads it: what is behind the first blank, in words.
    let answer = session.answer("7 gogui-rules_board").unwrap();
    let (_, behind) = answer.split_once(' ').unwrap();
    assert_eq!(behind.split_whitespace().count(), 64);
}

#[test]
fn games_of_files_are_loaded() {
    let desk = Desk::new();
    let file = desk.path("game.sgf");
    let sgf = "(;GM[2]FF[4]SZ[8];B[f5];W[d6];B[c3];W[d3])";
    std::fs::write(&file, sgf).unwrap();
    let mut session = session();
    let load = |rest: &str| format!("loadsgf {}{rest}", file.display());
    talk(
        &mut session,
        &[
            (&load(""), "="),
            ("gogui-rules_side_to_move", "= black"),
            ("undo", "="),
            ("gogui-rules_side_to_move", "= white"),
            // Up to before the second move.
            (&load(" 2"), "="),
            ("gogui-rules_legal_moves", "= F4 D6 F6"),
            (&load(" 1"), "="),
            ("undo", "? cannot undo"),
            (&load(" 99"), "="),
            ("loadsgf", "? syntax error: expected the name of a file"),
        ],
    );
    // A name may have blanks, and GoGui's own files count rows from below.
    let spaced = desk.path("my  game 2.sgf");
    std::fs::write(&spaced, "(;GM[2]FF[4]AP[GoGui:1.6];B[df];W[cf];B[ce];W[ef])").unwrap();
    let load_spaced = format!("loadsgf {} 5", spaced.display());
    talk(&mut session, &[(&load_spaced, "="), ("gogui-rules_side_to_move", "= black")]);
    let own: Vec<String> = ["D3", "C3", "C4", "E3"].map(str::to_owned).into();
    let board = session.answer("showboard").unwrap();
    let mut other = self::session();
    for (side, square) in ["black", "white", "black", "white"].iter().zip(own) {
        talk(&mut other, &[(&format!("play {side} {square}"), "=")]);
    }
    assert_eq!(board, other.answer("showboard").unwrap());
    std::fs::write(&file, sgf.replace("c3", "a1")).unwrap();
    for command in [load(""), "loadsgf nowhere.sgf".to_owned()] {
        let refused = session.answer(&command).unwrap();
        assert!(refused.starts_with("? cannot load file: "), "{refused}");
        assert_eq!(refused.matches('\n').count(), 2, "{refused}");
    }
    talk(&mut session, &[("gogui-rules_side_to_move", "= black")]);
}

/// Something takes less time than this. A busy machine is late, but not every time.
fn is_quick(limit: Duration, run: impl FnMut() -> Duration) {
    let taken: Vec<Duration> =
        std::iter::repeat_with(run).take(20).take_while(|taken| *taken >= limit).collect();
    assert!(taken.len() < 20, "never within {limit:?}: {taken:?}");
}

#[test]
fn clocks_are_set_and_kept() {
    let mut session = Session::new(player(None), None);
    talk(
        &mut session,
        &[
            ("time_settings 1 0 0", "="),
            ("time_settings 18000000000000000000 18000000000000000000 0", "="),
            ("time_settings 0 0 0", "="),
            ("time_settings x 0 0", "? syntax error: expected a number of seconds, 0 or more"),
            ("time_settings 1 0", "? syntax error: expected a number of stones"),
            ("time_settings -1 0 0", "? syntax error: expected a number of seconds, 0 or more"),
            ("time_left b 1 0", "="),
            ("time_left w 0.5 3", "="),
            ("time_left b", "? syntax error: expected a number of seconds, 0 or more"),
        ],
    );
    is_quick(Duration::from_secs(2), || {
        talk(
            &mut session,
            &[("clear_board", "="), ("time_left b 1 0", "="), ("time_left w 0.5 3", "=")],
        );
        let began = Instant::now();
        session.answer("genmove b").unwrap();
        session.answer("genmove w").unwrap();
        began.elapsed()
    });
    // A match program that tells the time of each move, or an increment, without a number of moves.
    for settings in ["0 1 0", "1 1 0"] {
        let settings = format!("time_settings {settings}");
        is_quick(Duration::from_secs(1), || {
            let mut session = Session::new(player(None), None);
            let clocks = [(&*settings, "="), ("time_left b 1 0", "="), ("time_left w 1 0", "=")];
            talk(&mut session, &clocks);
            let began = Instant::now();
            session.answer("genmove b").unwrap();
            began.elapsed()
        });
    }
    // No limit by the clock: the level alone counts.
    let mut session = self::session();
    talk(&mut session, &[("time_settings 0 1 0", "=")]);
    session.answer("genmove b").unwrap();
}

#[test]
fn a_game_is_played_from_the_book_on_to_its_end() {
    let desk = desk_with_book();
    let mut session = Session::new(player(Some(&desk.path("book.db"))), Level::new(1));
    talk(&mut session, &[("play b f5", "="), ("reg_genmove w", "= F4"), ("genmove w", "= F4")]);
    let mut game = GameInPlay::default();
    game.play("f5".parse().unwrap()).unwrap();
    game.play("f4".parse().unwrap()).unwrap();
    while !game.is_over() {
        let answer = session.answer(&format!("genmove {}", game.now().side)).unwrap();
        match answer.trim_start_matches("= ").trim() {
            "pass" => game.pass().unwrap(),
            square => game.play(square.parse().unwrap()).unwrap(),
        }
    }
    let score = session.answer("final_score").unwrap();
    let expected = match game.final_score().unwrap() {
        0 => "= 0\n\n".to_owned(),
        black @ 1.. => format!("= B+{black}\n\n"),
        white => format!("= W+{}\n\n", -white),
    };
    assert_eq!(score, expected);
}

#[test]
fn a_book_that_is_made_later_is_used() {
    let desk = Desk::new();
    let mut session = Session::new(player(Some(&desk.path("book.db"))), Level::new(1));
    talk(&mut session, &[("play b f5", "=")]);
    assert!(session.answer("reg_genmove w").unwrap().starts_with("= "));
    let other = desk_with_book();
    std::fs::copy(other.path("book.db"), desk.path("new.db")).unwrap();
    std::fs::rename(desk.path("new.db"), desk.path("book.db")).unwrap();
    // A search at this level finds D6.
    talk(&mut session, &[("reg_genmove w", "= F4")]);
}

#[test]
fn hostile_input_costs_itself_only() {
    let desk = Desk::new();
    let mut engine = Engine::start(&desk, &["gtp", "--no-book", "--level", "1"]);
    engine.bytes(&[b'x'; 3 << 20]);
    engine.bytes(b"\n\xff\xfe\x00play b f5\n");
    assert!(engine.line().starts_with("? syntax error"));
    engine.line();
    assert!(engine.line().starts_with("? unknown command"));
    engine.line();
    assert_eq!(engine.ask("name"), "rosebill");
    engine.say("quit");
    assert_eq!(engine.line(), "=");
    assert_eq!(engine.leaves_within(Duration::from_secs(5)), Some(0));
    // What was asked for before the input ends is answered.
    let mut engine = Engine::start(&desk, &["gtp", "--no-book", "--level", "1"]);
    engine.say("genmove b");
    let (mut child, lines) = engine.hang_up();
    assert!(lines.iter().next().unwrap().starts_with("= "));
    assert!(child.wait().unwrap().success());
    // But not for ever: a search to any depth is cut short, and its best move is the answer.
    let mut engine = Engine::start(&desk, &["gtp", "--no-book", "--level", "60"]);
    engine.say("genmove b");
    engine.say("showboard");
    let began = Instant::now();
    let (mut child, lines) = engine.hang_up();
    let first = lines.recv_timeout(Duration::from_secs(30));
    assert!(first.unwrap().starts_with("= "), "cut short, it has an answer");
    let mut answers = lines.iter();
    assert!(answers.any(|line| line.ends_with("white to move")), "the move is on the board");
    assert!(child.wait().unwrap().success());
    assert!(began.elapsed() < Duration::from_secs(40), "{:?}", began.elapsed());
    // Without the book it plays on, and says so.
    let output = desk.run(&["gtp", "--book", "nowhere.db"]);
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && told.contains("no book at nowhere.db"), "{told}");
}

/// As GoGui's tools ask for it at the end of a game.
#[test]
fn processor_time_is_told_in_seconds() {
    let mut session = session();
    let mut seconds = || -> f64 {
        let answer = session.answer("cputime").unwrap();
        answer.strip_prefix("= ").unwrap().trim_end().parse().unwrap()
    };
    let before = seconds();
    assert!((0.0..60.0).contains(&before), "{before}");
    let began = Instant::now();
    let mut work = 0_u64;
    while began.elapsed() < Duration::from_millis(50) {
        work = std::hint::black_box(work + 1);
    }
    assert!(seconds() > before);
}
