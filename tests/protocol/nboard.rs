//! Transcripts of NBoard: a test for each line of the protocol and each of its traps.

use std::time::{Duration, Instant};

use crate::desk::Desk;
use crate::talk::{FORCED_PASS, Talk, desk_with_book, ggf, is_behind_the_pass, timed_ggf};

/// NBoard's rules for a reply: who breaks one gives its user a box to click away.
fn check(line: &str) {
    let words: Vec<&str> = line.split(' ').collect();
    let eval = |text: &str| -> Vec<f64> {
        assert!(!text.to_ascii_lowercase().contains("nan") || text == "NaN", "{line}");
        let numbers: Vec<f64> = text.split(',').map(|number| number.parse().unwrap()).collect();
        assert!(numbers.len() <= 2 && numbers.is_sorted_by(|a, b| a.is_nan() || a >= b), "{line}");
        numbers
    };
    let plain = |text: &str| assert!(!text.contains(['e', 'E']), "{line}");
    match words.as_slice() {
        ["pong", number] => assert!(number.parse::<i64>().is_ok()),
        ["set", "myname", name] => assert!(!name.is_empty()),
        ["status", ..] | ["learned"] => {}
        ["nodestats", nodes, seconds] => {
            assert!(nodes.parse::<u64>().is_ok() && seconds.parse::<f64>().is_ok());
            plain(seconds);
        }
        [kind @ ("search" | "book"), line_of_play, value, games, depth] => {
            assert!(is_move(line_of_play), "{line}");
            eval(value);
            plain(value);
            let games: u64 = games.parse().unwrap();
            assert!(*kind == "book" || games == 0, "{line}");
            assert!(
                depth.starts_with(|c: char| c.is_ascii_digit()) && !depth.contains('@'),
                "{line}"
            );
        }
        ["===", chosen] => {
            let mut parts = chosen.split('/');
            assert!(is_move(parts.next().unwrap()), "{line}");
            if let Some(value) = parts.next().filter(|value| !value.is_empty()) {
                eval(value);
            }
            if let Some(seconds) = parts.next() {
                assert!(seconds.parse::<f64>().is_ok());
            }
            assert_eq!(parts.next(), None);
        }
        ["analysis", plies, value] => {
            assert!(plies.parse::<usize>().is_ok());
            eval(value);
        }
        _ => panic!("not a reply: {line}"),
    }
}

fn is_move(text: &str) -> bool {
    let first = text.get(..2).unwrap_or_default();
    first == "PA" || first.parse::<rosebill::othello::board::Square>().is_ok()
}

/// Lines that keep them.
pub fn checked(lines: Vec<String>) -> Vec<String> {
    lines.iter().for_each(|line| check(line));
    lines
}

#[test]
fn the_session_begins_with_a_name() {
    let mut talk = Talk::new(None);
    for (line, name) in [("nboard 2", "Rosebill2"), ("set depth 7", "Rosebill7")] {
        talk.say(&[line]);
        assert_eq!(talk.next(), format!("set myname {name}"));
    }
    talk.leave();
}

#[test]
fn settings_and_moves_are_not_answered() {
    let mut talk = Talk::new(None);
    let game = ggf("B[F5//1.2]");
    talk.say(&[
        "set depth 3",
        "set contempt 100",
        "set contempt -100",
        "set contempt 0",
        "set style 7",
        "set",
        "set depth",
        "set depth many",
        &format!("set game {game}"),
        "move D6//0.5",
        "move c3/-0.42",
        "xyzzy",
        "",
        "   ",
        "GO",
        "new 8",
        "draw_tree",
    ]);
    assert_eq!(talk.pong(7), [""; 0]);
    // Both moves were played: White moves next.
    talk.say(&["go"]);
    let chosen = talk.chosen();
    let square = chosen["=== ".len()..][..2].to_lowercase();
    let line: rosebill::othello::board::Line = format!("f5d6c3{square}").parse().unwrap();
    assert_eq!(line.len(), 4);
}

#[test]
fn go_chooses_once_and_does_not_play() {
    let mut talk = Talk::new(None);
    talk.say(&["set depth 4", "go"]);
    let first = checked(talk.hear(|line| line.starts_with("===")));
    let kinds: Vec<&str> = first.iter().map(|line| line.split(' ').next().unwrap()).collect();
    // Each iteration, and all positions at last.
    let iteration = ["search", "nodestats"];
    let expected: Vec<&str> = ["status"]
        .into_iter()
        .chain(iteration.into_iter().cycle().take(8))
        .chain(["nodestats", "==="])
        .collect();
    assert_eq!(kinds, expected, "{first:?}");
    let last = first.iter().rfind(|line| line.starts_with("search ")).unwrap();
    let chosen = &first.last().unwrap()["=== ".len()..][..2];
    assert!(last[7..].starts_with(chosen) && last.ends_with(" 0 4"), "{first:?}");
    assert_eq!(talk.pong(1), [""; 0]);
    // The move is echoed, by the same side as before.
    let choice = first.last().unwrap();
    let echo = choice.replace("=== ", "move ");
    talk.say(&["go"]);
    assert_eq!(talk.chosen()[..6], choice[..6]);
    talk.say(&[&echo, "move F5"]);
    let told = talk.told();
    assert!(told.starts_with("The move cannot be played:"), "{told}");
}

/// All requests in all kinds of positions: no line gives NBoard's user a box to click away.
#[test]
fn every_answer_is_one_that_nboard_takes() {
    let desk = desk_with_book();
    let late = ggf("").replace(
        "---------------------------O*------*O--------------------------- *",
        "-XXXXXXX--XXOOOO-OXOXXOOOXXOXOOOXXOXXOOOXXXXOOOOX-XXOOOO--XXXXXX O",
    );
    let mirrored = ggf("B[C5]").replace("O*------*O", "*O------O*");
    let over = "B[e6]W[f4]B[e3]W[f6]B[g5]W[d6]B[e7]W[f5]B[c5]";
    let mut talk = Talk::new(Some(desk.path("book.db")));
    let mut pings = 0;
    for game in [
        ggf(""),
        ggf("B[F5]"),
        ggf("B[F5]W[D6]B[C3]W[D3]B[C4]"),
        ggf(FORCED_PASS),
        ggf(&format!("{FORCED_PASS}B[PA]")),
        ggf(over),
        mirrored,
        late,
    ] {
        for request in ["hint 1", "hint 2", "hint 4", "hint 64", "go", "analyze", "learn"] {
            pings += 1;
            let ping = format!("ping {pings}");
            talk.say(&["set depth 3", &format!("set game {game}"), &ping, request]);
            let told = talk.hear(|line| match request {
                "go" => line.starts_with("==="),
                "learn" => line == "learned" || line.contains("not learned"),
                _ => line == "status" || line == "status The game is over",
            });
            let (before, after) =
                told.split_at(1 + told.iter().position(|line| line.starts_with("pong")).unwrap());
            assert_eq!(before, [format!("pong {pings}")], "what comes before is lost");
            checked(after.to_vec());
        }
    }
}

/// A move is told as soon as it is known, and positions when a level is done.
#[test]
fn moves_are_told_as_they_are_known() {
    let mut talk = Talk::new(None);
    talk.say(&["set depth 4", &format!("set game {}", ggf("B[F5]W[D6]")), "hint 64"]);
    let hints = checked(talk.hear_all());
    let kinds: Vec<&str> = hints.iter().map(|line| line.split(' ').next().unwrap()).collect();
    let level = |moves| std::iter::repeat_n("search", moves).chain(["nodestats"]);
    assert_eq!(kinds, level(5).chain(level(5)).collect::<Vec<_>>(), "{hints:?}");
    let squares = |lines: &[String]| -> Vec<String> {
        lines.iter().map(|line| line[7..9].to_owned()).collect()
    };
    // In the order in which they are searched, that of their squares.
    assert_eq!(squares(&hints[..5]), ["C3", "C4", "C5", "C6", "C7"]);
    assert_eq!(squares(&hints[..5]), squares(&hints[6..11]));
}

/// A level that takes long is not silent.
#[test]
fn nodes_are_told_within_a_level() {
    let mut talk = Talk::new(None);
    for request in ["hint 64", "hint 1", "go"] {
        talk.say(&["set depth 60", request]);
        // Twice at one depth, without a move that is done between.
        let mut last = 0;
        let mut in_a_row = 0;
        talk.hear(|line| {
            let words: Vec<&str> = line.split(' ').collect();
            let nodes = (words[0] == "nodestats").then(|| words[1].parse::<u64>().unwrap());
            in_a_row = if nodes.is_some() { in_a_row + 1 } else { 0 };
            assert!(nodes.is_none_or(|nodes| nodes >= last), "{line}");
            last = nodes.unwrap_or(last);
            in_a_row == 3
        });
        talk.pong(1);
    }
}

#[test]
fn moves_of_version_1_are_bare() {
    let mut talk = Talk::new(None);
    talk.say(&["F5", "d6//0.3", "C3", &format!("set game {}", ggf(FORCED_PASS)), "PA", "go"]);
    assert!(is_behind_the_pass(&talk.chosen()));
}

#[test]
fn a_pass_is_chosen_bare() {
    let mut talk = Talk::new(None);
    talk.say(&[&format!("set game {}", ggf(FORCED_PASS)), "go"]);
    assert_eq!(talk.chosen(), "=== PA");
    assert_eq!(talk.pong(1), [""; 0]);
    // It was not made on the board.
    talk.say(&["go"]);
    assert_eq!(talk.chosen(), "=== PA");
    talk.say(&["move PA", "go"]);
    assert!(is_behind_the_pass(&talk.chosen()));
}

/// Others lose the pass that ends the game, and answer for the wrong side.
#[test]
fn a_game_that_ends_with_a_forced_pass_is_taken_as_it_is() {
    let mut talk = Talk::new(None);
    for pass in ["B[PA]", "B[pass]", "B[--]"] {
        talk.say(&[&format!("set game {}", ggf(&format!("{FORCED_PASS}{pass}"))), "go"]);
        assert!(is_behind_the_pass(&talk.chosen()), "{pass}");
    }
    // Inside a game it may be left out.
    for pass in ["B[PA]", ""] {
        talk.say(&[&format!("set game {}", ggf(&format!("{FORCED_PASS}{pass}W[F4]"))), "hint 1"]);
        let hints = checked(talk.hear_all());
        assert!(hints.iter().any(|line| line.starts_with("search ")), "{hints:?}");
        assert!(!hints.iter().any(|line| line.contains("PA")), "{hints:?}");
    }
}

#[test]
fn a_hint_for_a_forced_pass_is_a_pass() {
    let mut talk = Talk::new(None);
    talk.say(&["set depth 4", &format!("set game {}", ggf(FORCED_PASS)), "hint 4"]);
    let hints = checked(talk.hear_all());
    assert_eq!(hints[0], "search PA NaN 0 0");
    let searched = &hints[1..];
    let lines = searched.iter().filter(|line| line.starts_with("search PA-"));
    assert!(lines.count() >= 1, "{hints:?}");
    assert!(
        searched.iter().all(|line| line.starts_with("search PA-") || line.starts_with("nodes"))
    );
}

#[test]
fn hints_deepen_and_are_as_many_as_asked_for() {
    let mut talk = Talk::new(None);
    for (asked, given) in [(1, 1), (2, 2), (4, 3), (64, 3)] {
        talk.say(&["set depth 5", &format!("set game {}", ggf("B[F5]")), &format!("hint {asked}")]);
        let hints = checked(talk.hear_all());
        let depths: Vec<&str> = hints
            .iter()
            .filter(|line| line.starts_with("search "))
            .map(|line| line.split(' ').nth(4).unwrap())
            .collect();
        let expected: Vec<&str> =
            ["2", "4", "5"].into_iter().flat_map(|depth| vec![depth; given]).collect();
        assert_eq!(depths, expected, "hint {asked}");
        assert_eq!(hints.iter().filter(|line| line.starts_with("nodestats ")).count(), 3);
    }
    // A hint without a number is one for the best move.
    talk.say(&["hint"]);
    assert!(talk.hear_all().iter().any(|line| line.starts_with("search ")));
}

/// Near the end every number is exact, and says so.
#[test]
fn only_solves_have_a_percentage() {
    let mut talk = Talk::new(None);
    talk.say(&["set depth 12", "hint 2"]);
    assert!(checked(talk.hear_all()).iter().all(|line| !line.contains('%')));
    let late = ggf("").replace(
        "---------------------------O*------*O--------------------------- *",
        "-XXXXXXX--XXOOOO-OXOXXOOOXXOXOOOXXOXXOOOXXXXOOOOX-XXOOOO--XXXXXX O",
    );
    talk.say(&[&format!("set game {late}"), "hint 64"]);
    let hints = checked(talk.hear_all());
    let searched = hints.iter().rfind(|line| line.starts_with("search ")).unwrap();
    assert!(searched.ends_with(" 100%"), "{hints:?}");
    let value: f64 = searched.split(' ').nth(2).unwrap().parse().unwrap();
    assert_eq!(value % 2.0, 0.0, "{searched}");
}

#[test]
fn book_moves_come_first_with_pairs_and_numbers_of_games() {
    let desk = desk_with_book();
    let mut talk = Talk::new(Some(desk.path("book.db")));
    talk.say(&["set depth 2", &format!("set game {}", ggf("B[F5]")), "hint 4"]);
    let hints = checked(talk.hear_all());
    assert_eq!(hints[0], "book F4 +0.50 2 12");
    // White moves: its draw-seeking value is first, although that is not draw-to-black.
    assert_eq!(hints[1], "book D6 +100.00,-100.00 1 100%");
    assert!(hints[2].starts_with("search F6"), "{hints:?}");
    // As many as asked for are in the book: none is searched. All of the book are told.
    for count in [1, 2] {
        talk.say(&[&format!("hint {count}")]);
        assert_eq!(talk.hear_all(), hints[..2], "hint {count}");
    }
    // The game may be in any orientation; a move that nobody played has been played no times.
    talk.say(&[&format!("set game {}", ggf("B[D3]")), "hint 2"]);
    let images = talk.hear_all();
    assert_eq!(images.len(), 2);
    assert!(images[0].ends_with(" +0.50 2 12"), "{images:?}");
    assert!(images[1].ends_with(" +100.00,-100.00 1 100%"), "{images:?}");
}

/// One move leads into the book from outside: that it is there does not make it the best.
#[test]
fn a_move_that_leads_into_the_book_from_outside_does_not_stand_for_the_best() {
    let desk = desk_with_book();
    let mut talk = Talk::new(Some(desk.path("book.db")));
    talk.say(&[&format!("set game {}", ggf("B[F5]W[D6]B[C3]W[D3]B[C4]")), "learn"]);
    checked(talk.hear(|line| line == "learned"));
    // By another order of the moves that comes to the same.
    talk.say(&["set depth 4", &format!("set game {}", ggf("B[F5]W[D6]B[C4]W[D3]")), "hint 1"]);
    let hints = checked(talk.hear_all());
    assert!(hints[0].starts_with("book C3 "), "{hints:?}");
    let searched: Vec<&String> = hints.iter().filter(|line| line.starts_with("search ")).collect();
    assert!(searched.iter().any(|line| line.ends_with(" 4")), "{hints:?}");
    assert!(searched.iter().all(|line| !line.starts_with("search C3")), "{hints:?}");
    assert_eq!(hints.iter().filter(|line| line.starts_with("book ")).count(), 1, "{hints:?}");
}

#[test]
fn contempt_is_that_of_black() {
    let desk = desk_with_book();
    let mut talk = Talk::new(Some(desk.path("book.db")));
    talk.say(&[&format!("set game {}", ggf("B[F5]"))]);
    // White moves. A draw that counts as Black's win is to be avoided.
    for (contempt, best) in [("100", "F4"), ("0", "F4"), ("-100", "D6")] {
        talk.say(&[&format!("set contempt {contempt}"), "go"]);
        assert!(talk.chosen().starts_with(&format!("=== {best}/")), "contempt {contempt}");
        talk.say(&["hint 1"]);
        assert!(talk.hear_all()[0].starts_with(&format!("book {best} ")), "contempt {contempt}");
    }
}

/// NBoard shows squares and lets any of them be clicked: what is as good stands there, too.
#[test]
fn moves_that_are_images_of_each_other_are_all_told() {
    let searched = |hints: &[String]| -> Vec<(String, String)> {
        let lines = hints.iter().filter(|line| line.starts_with("search "));
        let words = lines.map(|line| line.split(' ').map(str::to_owned).collect::<Vec<_>>());
        words
            .filter(|words| words[4] == "4")
            .map(|words| (words[1].clone(), words[2].clone()))
            .collect()
    };
    let mut talk = Talk::new(None);
    talk.say(&["set depth 4"]);
    for count in [1, 4, 64] {
        talk.say(&[&format!("hint {count}")]);
        let last = searched(&checked(talk.hear_all()));
        let squares: Vec<&str> = last.iter().map(|(line, _)| &line[..2]).collect();
        let mut sorted = squares.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, ["C4", "D3", "E6", "F5"], "hint {count}");
        assert!(last.iter().all(|(_, value)| *value == last[0].1), "{last:?}");
        // Each with its own line, which can be played.
        for (line, _) in &last {
            let line = line.replace('-', "");
            assert!(
                line.parse::<rosebill::othello::board::Line>().is_ok_and(|line| line.len() > 1),
                "{line}"
            );
        }
    }
    // In a book the four moves are links, and so are all told; the rest is one move of four.
    let desk = Desk::new();
    desk.ok(&["grow", "--positions", "1", "--level", "2", "--threads", "1", "--quiet"]);
    let mut talk = Talk::new(Some(desk.path("book.db")));
    talk.say(&["hint 1"]);
    let hints = checked(talk.hear_all());
    let mut squares: Vec<&str> = hints.iter().map(|line| &line[..7]).collect();
    squares.sort_unstable();
    assert_eq!(squares, ["book C4", "book D3", "book E6", "book F5"]);
    let value = |line: &str| line.split(' ').nth(2).unwrap().to_owned();
    assert!(hints.iter().all(|line| value(line) == value(&hints[0])), "{hints:?}");
}

/// The start mirrored is another board of the same game: NBoard shows it as it is, and is answered so.
#[test]
fn a_game_from_the_mirrored_start_keeps_its_squares() {
    let mirrored = |items: &str| ggf(items).replace("O*------*O", "*O------O*");
    let desk = desk_with_book();
    let mut talk = Talk::new(Some(desk.path("book.db")));
    talk.say(&["set depth 2", &format!("set game {}", mirrored("B[C5]")), "hint 2"]);
    let hints = checked(talk.hear_all());
    assert_eq!(hints, ["book C4 +0.50 2 12", "book E6 +100.00,-100.00 1 100%"]);
    talk.say(&["move C6", "move D6", "go"]);
    assert!(talk.chosen().starts_with("=== "), "all of that is legal");
    talk.say(&["analyze"]);
    let lines = checked(talk.hear_all());
    assert_eq!(lines.iter().filter(|line| line.starts_with("analysis ")).count(), 4, "{lines:?}");
    // What is learned is a game like others.
    talk.say(&["learn"]);
    talk.hear(|line| line == "learned");
    talk.say(&[&format!("set game {}", ggf("B[F5]")), "hint 1"]);
    let hints = talk.hear_all();
    assert!(hints.iter().any(|line| line.starts_with("book F6 ")), "{hints:?}");
    assert_eq!(desk.json(&["games", "list", "f5f6"])["black"], "me");
    // Where the board is the usual one, a first move for the other one turns nothing.
    talk.say(&[&format!("set game {}", ggf("B[C5]")), "hint 1"]);
    let told = talk.told();
    assert!(told.contains("flips no disc; expected one of"), "{told}");
}

#[test]
fn a_clock_that_cannot_be_read_is_told() {
    let mut talk = Talk::new(None);
    talk.say(&[&format!("set game {}", timed_ggf("10s", "B[F5]"))]);
    let told = talk.told();
    assert!(
        told.starts_with("The game is played without its clock: '10s' is not a clock"),
        "{told}"
    );
    let own = timed_ggf("5:00", "B[F5]").replace("TI[5:00]", "TB[5:00]TW[x]");
    talk.say(&[&format!("set game {own}")]);
    assert!(talk.told().contains("'x' is not a clock"));
    // The game itself was taken over.
    talk.say(&["move D6", "set depth 2", "go"]);
    talk.chosen();
    for clock in ["5:00//2:00", "0", ""] {
        talk.say(&[&format!("set game {}", timed_ggf(clock, "B[F5]"))]);
        assert_eq!(talk.pong(1), [""; 0], "{clock}");
    }
}

#[test]
fn a_book_that_is_made_later_is_used() {
    let desk = Desk::new();
    let mut talk = Talk::new(Some(desk.path("book.db")));
    talk.say(&["set depth 2", &format!("set game {}", ggf("B[F5]")), "hint 1"]);
    assert!(talk.hear_all()[0].starts_with("search "));
    let other = desk_with_book();
    std::fs::copy(other.path("book.db"), desk.path("new.db")).unwrap();
    std::fs::rename(desk.path("new.db"), desk.path("book.db")).unwrap();
    talk.say(&["hint 1"]);
    assert_eq!(talk.hear_all()[0], "book F4 +0.50 2 12");
    // What is no book is told once, and left out.
    let desk = Desk::new();
    let mut talk = Talk::new(Some(desk.path("book.db")));
    std::fs::write(desk.path("book.db"), "no book at all").unwrap();
    talk.say(&["set depth 2", "go"]);
    let told = talk.told();
    assert!(told.starts_with("Without the book from here on: "), "{told}");
    talk.chosen();
    talk.say(&["go"]);
    assert_eq!(talk.told(), "Thinking");
    talk.chosen();
}

/// The book cannot be written for seconds, and nothing can stop who waits for it: nobody waits for him.
#[test]
fn a_ping_is_answered_while_what_was_stopped_is_still_there() {
    let desk = desk_with_book();
    let mut talk = Talk::new(Some(desk.path("book.db")));
    talk.say(&["set depth 2", &format!("set game {}", ggf("B[F5]W[F6]B[E6]W[F4]"))]);
    let writer = rusqlite::Connection::open(desk.path("book.db")).unwrap();
    writer.execute_batch("BEGIN IMMEDIATE").unwrap();
    talk.say(&["learn"]);
    talk.hear(|line| line.starts_with("status Learning"));
    std::thread::sleep(Duration::from_millis(500));
    let began = Instant::now();
    assert_eq!(talk.pong(1), [""; 0]);
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    writer.execute_batch("ROLLBACK").unwrap();
    // What comes next waits for the book, and is answered; nothing comes of what was stopped.
    talk.say(&["go"]);
    checked(talk.hear(|line| line.starts_with("===")))
        .iter()
        .for_each(|line| assert!(!line.contains("earn"), "{line}"));
    talk.leave();
}

#[test]
fn behind_a_bad_game_nothing_is_answered_but_why() {
    let desk = desk_with_book();
    let mut talk = Talk::new(Some(desk.path("book.db")));
    let games = desk.json(&["games", "stats"]).to_string();
    let good = format!("set game {}", ggf("B[F5]W[D6]"));
    talk.say(&[&good, "set depth 1"]);
    for bad in [
        String::new(),
        "hello".to_owned(),
        "(;GM[Othello]".to_owned(),
        "(;GM[Go]B[f5];)".to_owned(),
        "(;GM[Othello]B[a1];)".to_owned(),
        // From the wrong start: not to be mirrored.
        "(;GM[Othello]B[e3];)".to_owned(),
        ggf("B[F5]W[D6]B[PA]"),
        ggf("B[F5]W[F5]"),
        ggf("").replace("BO[8", "BO[10"),
        ggf("B[F5]").replace("TY[8]", "TY[10]"),
        ggf("B[F5]").replace("TY[8]", "TY[8a]"),
        "x".repeat(100_000),
        "(;GM[Othello]PB[\0\u{1b}[2J".to_owned(),
    ] {
        talk.say(&[&format!("set game {bad}"), "move C3"]);
        // Said earlier, it would be dropped by NBoard.
        assert_eq!(talk.pong(1), [""; 0]);
        for request in ["go", "hint 4", "analyze", "learn"] {
            talk.say(&[request]);
            let mut lines = talk.pong(2);
            // A pass is a move only where there is no other.
            if request == "go" {
                assert_eq!(lines.remove(0), "=== PA");
            }
            let [told] = &lines[..] else { panic!("{request}: {lines:?}") };
            assert!(told.starts_with("status The game cannot be read: "), "{told}");
            assert!(told.len() < 400 && !told.contains(char::is_control), "{told}");
        }
    }
    assert_eq!(desk.json(&["games", "stats"]).to_string(), games, "nothing was learned");
    // A move cannot mend it; a game does.
    talk.say(&[&good, "move C3", "move C4", "hint 1"]);
    assert!(talk.hear_all().iter().any(|line| line.starts_with("search ")), "Black moves");
    for bad in ["move", "move F5", "move z9", "move PA", "move \0"] {
        talk.say(&[bad]);
        assert!(talk.told().starts_with("The move cannot be played: "), "{bad}");
    }
}

#[test]
fn a_ping_stops_what_runs_and_nothing_follows_it() {
    let mut talk = Talk::new(None);
    talk.say(&["set depth 60"]);
    for (number, request) in (1..).zip(["hint 4", "go", "analyze", "hint 64"]) {
        talk.say(&[request]);
        std::thread::sleep(Duration::from_millis(60));
        checked(talk.pong(number));
        std::thread::sleep(Duration::from_millis(20));
        assert_eq!(talk.pong(100 + number), [""; 0], "nothing of '{request}' comes late");
    }
    // A new request takes the place of one that runs.
    talk.say(&["hint 4", "set depth 2", "go"]);
    talk.chosen();
    // But for a move that is being chosen, which is waited for.
    talk.say(&["set depth 14", "hint 2", "go", "hint 3"]);
    talk.chosen();
    talk.leave();
}

#[test]
fn a_clock_that_has_little_left_is_kept() {
    let mut talk = Talk::new(None);
    // Three seconds for each side, of which White has used one.
    let game = timed_ggf("0:03", "B[F5//0.1]W[D6//1.0]B[C3//0.1]");
    talk.say(&["set depth 60", &format!("set game {game}")]);
    let began = Instant::now();
    talk.say(&["go"]);
    checked(vec![talk.chosen()]);
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    let own = game.replace("TI[0:03]", "TB[5:00]TW[0:02/0:00.1]");
    talk.say(&[&format!("set game {own}")]);
    let began = Instant::now();
    talk.say(&["go"]);
    talk.chosen();
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
}

#[test]
fn every_position_of_a_game_is_analyzed_passes_counted() {
    let mut talk = Talk::new(None);
    let items = format!("{FORCED_PASS}B[PA]W[F4]");
    talk.say(&["set depth 3", &format!("set game {}", ggf(&items)), "analyze"]);
    let lines = checked(talk.hear_all());
    let mut values = vec![None; 11];
    for line in &lines {
        let words: Vec<&str> = line.split(' ').collect();
        let plies: usize = words[1].parse().unwrap();
        assert_eq!(values[plies].replace(words[2].parse::<f64>().unwrap()), None, "{line}");
    }
    let values: Vec<f64> = values.into_iter().map(Option::unwrap).collect();
    assert_eq!(lines[0].split(' ').nth(1), Some("10"), "the end comes first");
    assert_eq!(values[8], values[9], "a pass changes nothing for Black");
    // A finished game ends with its score, for Black whoever would be to move.
    let whole = "B[e6]W[f4]B[e3]W[f6]B[g5]W[d6]B[e7]W[f5]B[c5]";
    talk.say(&[&format!("set game {}", ggf(whole)), "analyze"]);
    let lines = checked(talk.hear_all());
    assert!(lines.contains(&"analysis 9 +64.00".to_owned()), "{lines:?}");
    assert_eq!(lines.len(), 10);
}

/// The last position has no move to go by, but the book's value counts there as it does before.
#[test]
fn the_end_of_a_game_that_the_book_knows_has_the_books_value() {
    let desk = desk_with_book();
    let analyzed = |talk: &mut Talk, depth: u8, items: &str| {
        talk.say(&[&format!("set depth {depth}"), &format!("set game {}", ggf(items)), "analyze"]);
        checked(talk.hear_all())
    };
    let mut talk = Talk::new(Some(desk.path("book.db")));
    assert_eq!(analyzed(&mut talk, 2, "B[F5]")[0], "analysis 1 -0.50");
    assert_eq!(analyzed(&mut talk, 2, "B[F5]W[D6]")[0], "analysis 2 +0.00");
    // A search that is deeper than the book's is believed more.
    let mut alone = Talk::new(None);
    let deep = analyzed(&mut alone, 14, "B[F5]");
    assert_ne!(deep[0], "analysis 1 -0.50", "or this tells nothing");
    assert_eq!(analyzed(&mut talk, 14, "B[F5]")[0], deep[0]);
}

#[test]
fn a_finished_game_asks_for_nothing() {
    let mut talk = Talk::new(None);
    let whole = ggf("B[e6]W[f4]B[e3]W[f6]B[g5]W[d6]B[e7]W[f5]B[c5]");
    talk.say(&[&format!("set game {whole}"), "move PA", "go"]);
    assert_eq!(talk.chosen(), "=== PA");
    talk.say(&["hint 4"]);
    assert_eq!(talk.told(), "The game is over");
}

/// NBoard shows "Loading" for ever where an engine ends before its first line.
#[test]
fn what_is_wrong_at_the_start_is_a_status_and_the_engine_plays_on() {
    use crate::engine::Engine;
    let desk = Desk::new();
    let wrong: [(&[&str], &str); 2] =
        [(&["nboard", "--level", "abc"], "abc"), (&["nboard", "--book", "gone.db"], "gone.db")];
    for (arguments, why) in wrong {
        let mut engine = Engine::start(&desk, arguments);
        let status = engine.line();
        assert!(status.starts_with("status ") && status.contains(why), "{status}");
        engine.say("ping 1");
        assert_eq!(engine.line(), "pong 1");
    }
}

#[test]
fn hostile_input_does_not_end_the_program() {
    use crate::engine::Engine;
    let desk = Desk::new();
    let mut engine = Engine::start(&desk, &["nboard", "--no-book"]);
    engine.bytes(b"nboard 2\r\nset game (;GM[Othello]PB[\xff\xfe\0]");
    engine.bytes(&vec![b'x'; 3 << 20]);
    engine.bytes(b"\nping 1\n\0\0\nmove \xc3\x28\nhint -1\nhint 99999999999999999999\nping -7\n");
    assert_eq!(engine.line(), "set myname Rosebill12");
    assert!(engine.line().starts_with("status A line is too long"));
    assert_eq!(engine.line(), "pong 1");
    // It was a game: what comes behind it is about that one.
    assert_eq!(engine.line(), "status The game cannot be read: its line is too long");
    engine.until(|line| line == "pong -7");
    engine.say(&format!("set game {}", ggf("")));
    engine.bytes(b"\0\0\nmove \xc3\x28\nhint -1\nhint 99999999999999999999\nping -7\n");
    assert!(engine.line().starts_with("status The move cannot be played"));
    engine.until(|line| line == "pong -7");
    // What was asked for last is answered although the input ends.
    engine.say("set depth 3");
    engine.say("go");
    let (mut child, lines) = engine.hang_up();
    assert!(lines.iter().any(|line| line.starts_with("=== ")));
    assert!(child.wait().unwrap().success());
    // But not for ever.
    let mut engine = Engine::start(&desk, &["nboard", "--no-book"]);
    engine.say("set depth 60");
    engine.say("hint 64");
    let began = Instant::now();
    let (mut child, _lines) = engine.hang_up();
    assert!(child.wait().unwrap().success());
    assert!(began.elapsed() < Duration::from_secs(30), "{:?}", began.elapsed());
    let mut engine = Engine::start(&desk, &["nboard", "--no-book"]);
    engine.say("set depth 60");
    engine.say("hint 64");
    engine.say("quit");
    assert_eq!(engine.leaves_within(Duration::from_secs(5)), Some(0));
}
