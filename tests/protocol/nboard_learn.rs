//! NBoard's `learn`: a game and its positions come into the book, or it is told why not.

use rosebill::store::Book;

use crate::desk::Desk;
use crate::nboard::checked;
use crate::talk::{Talk, desk_with_book, ggf};

#[test]
fn a_learned_game_is_in_the_book_with_its_positions() {
    let desk = desk_with_book();
    let mut talk = Talk::new(Some(desk.path("book.db")));
    talk.say(&["set depth 2", &format!("set game {}", ggf("B[F5]W[F6]B[E6]W[F4]")), "learn"]);
    checked(talk.hear(|line| line == "learned"));
    talk.say(&[&format!("set game {}", ggf("B[F5]")), "hint 1"]);
    let hints = checked(talk.hear_all());
    let f6 = hints.iter().find(|line| line.starts_with("book F6 ")).unwrap();
    assert_eq!(f6.split(' ').nth(3), Some("1"), "{f6}");
    let games = desk.json(&["games", "list", "f5f6e6"]);
    assert_eq!((&games["black"], &games["white"]), (&"me".into(), &"you".into()));
    assert!(desk.ok(&["verify"]).contains("0 violations"), "the book is whole");
    // Again, it is known, and that is no failure.
    talk.say(&[&format!("set game {}", ggf("B[F5]W[F6]B[E6]W[F4]")), "learn"]);
    checked(talk.hear(|line| line == "learned"));
}

#[test]
fn a_learned_game_is_taken_back_and_stays_among_the_games() {
    let desk = desk_with_book();
    let info = || desk.json(&["info"]);
    let count = |name: &str| info()[name].as_u64().unwrap();
    let before = (count("positions"), count("games"));
    let mut talk = Talk::new(Some(desk.path("book.db")));
    talk.say(&["set depth 2", &format!("set game {}", ggf("B[F5]W[F6]B[E6]W[F4]B[E3]")), "learn"]);
    talk.hear(|line| line == "learned");
    drop(talk);
    assert!(count("positions") > before.0);
    assert_eq!(count("games"), before.1 + 1);
    let list = desk.json(&["undo", "--list"]);
    let last = list["changes"].as_array().unwrap().last().unwrap();
    assert_eq!(last["command"], "learn a game", "{list}");
    desk.ok(&["undo"]);
    assert_eq!((count("positions"), count("games")), (before.0, before.1 + 1));
}

#[test]
fn a_low_depth_learns_nothing_shallow() {
    let desk = desk_with_book();
    let mut talk = Talk::new(Some(desk.path("book.db")));
    talk.say(&["set depth 1", &format!("set game {}", ggf("B[F5]W[F6]B[E6]")), "learn"]);
    checked(talk.hear(|line| line == "learned"));
    assert_eq!(desk.json(&["show", "f5f6"])["depth"], 2);
}

#[test]
fn what_is_stopped_before_it_began_learns_nothing() {
    let desk = Desk::new();
    let stop = rosebill::othello::search::Stop::new();
    stop.stop();
    let mut game = rosebill::app::player::GameInPlay::default();
    game.play("f5".parse().unwrap()).unwrap();
    let level = rosebill::othello::search::Level::new(2).unwrap();
    let mut player = crate::talk::player(Some(&desk.path("book.db")));
    let learned = player.learn(&game.game(), level, &stop, &mut |_| panic!("it goes on")).unwrap();
    assert!(learned.stopped && !learned.is_new && learned.added == 0);
    assert!(!desk.path("book.db").exists(), "not even a book is made");
}

#[test]
fn a_game_is_not_learned_where_another_process_writes_or_no_book_is() {
    let desk = desk_with_book();
    let mut talk = Talk::new(Some(desk.path("book.db")));
    let held = Book::open(desk.path("book.db")).unwrap();
    talk.say(&[&format!("set game {}", ggf("B[F5]W[F6]")), "learn"]);
    let told = talk.hear(|line| line.contains("not learned")).pop().unwrap();
    assert!(told.starts_with("status ") && told.contains("being written by"), "{told}");
    assert_eq!(talk.pong(1), [""; 0], "no 'learned' follows");
    drop(held);
    talk.say(&["learn"]);
    talk.hear(|line| line == "learned");
    let mut talk = Talk::new(None);
    talk.say(&["learn"]);
    let told = talk.hear(|line| line.contains("not learned")).pop().unwrap();
    assert!(told.contains("no move was played"), "{told}");
    talk.say(&["move F5", "learn"]);
    let told = talk.hear(|line| line.contains("not learned")).pop().unwrap();
    assert!(told.contains("no book"), "{told}");
    assert_eq!(talk.pong(2), [""; 0]);
}
