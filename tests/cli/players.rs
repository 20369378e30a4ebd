//! Players, and two of them against each other.

use std::fs;

use crate::desk::{Desk, is_one_line};

/// Ann wins with Black by 40-24, loses with White, and draws with Bob; one game has no result, one is
/// against somebody else.
fn desk() -> Desk {
    let desk = Desk::new();
    let table = "black,white,year,black_score,white_score,moves\n\
                 Ann Ash,Bob Birch,2001,40,24,f5d6c3\n\
                 Bob Birch,Ann Ash,2002,50,14,f5f6e6\n\
                 Bob Birch,Ann Ash,2003,32,32,f5d6c4\n\
                 Ann Ash,Bob Birch,2003,,,f5f4\n\
                 Ann Ash,Carl Birch,2003,64,0,f5d6c6\n";
    fs::write(desk.path("club.csv"), table).unwrap();
    desk.ok(&["games", "import", "club.csv"]);
    desk
}

#[test]
fn two_players_have_a_score_against_each_other() {
    let desk = desk();
    let ann = desk.json(&["games", "player", "ann", "--against", "bob"]);
    let of = |score: &serde_json::Value| {
        let names = ["games", "won", "drawn", "lost"];
        (names.map(|name| score[name].as_u64().unwrap()), score["mean_difference"].as_f64())
    };
    assert_eq!((&ann["name"], &ann["against"]), (&"Ann Ash".into(), &"Bob Birch".into()));
    assert_eq!(of(&ann), ([4, 1, 1, 1], Some(-6.67)));
    assert_eq!(of(&ann["black"]), ([2, 1, 0, 0], Some(16.0)));
    assert_eq!(of(&ann["white"]), ([2, 0, 1, 1], Some(-18.0)));
    assert_eq!(ann["percent"], 50.0);
    let bob = desk.json(&["games", "player", "bob", "birch", "--against", "Ann Ash"]);
    assert_eq!(of(&bob), ([4, 1, 1, 1], Some(6.67)));
    assert_eq!(of(&bob["black"]), ([2, 1, 1, 0], Some(18.0)));
    let text = desk.ok(&["games", "player", "ann", "--against", "bob"]);
    assert!(text.starts_with("Ann Ash against Bob Birch\n"), "{text}");
    let words = |row: &str| {
        let row = text.lines().find(|line| line.trim_start().starts_with(row)).unwrap();
        row.split_whitespace().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(words("all"), ["4", "1", "1", "1", "50.0", "%", "-6.7"]);
    assert_eq!(words("black"), ["2", "1", "0", "0", "100.0", "%", "+16.0"]);
    assert_eq!(words("2002"), ["1", "0", "0", "1", "0.0", "%", "-36.0"]);
    // Without the other one all games count.
    let all = desk.json(&["games", "player", "ann"]);
    assert_eq!((of(&all).0, all.get("against")), ([5, 2, 1, 1], None));
}

#[test]
fn two_players_must_be_two_and_have_met() {
    let desk = desk();
    for (name, against, told) in [
        ("ann", "ann ash", "Ann Ash is asked for twice: name two players"),
        ("ann", "nobody", "no player has a name like \"nobody\""),
        ("carl", "bob", "no game between Carl Birch and Bob Birch"),
    ] {
        let error = desk.not_there(&["games", "player", name, "--against", against]);
        assert!(is_one_line(&error) && error.contains(told), "{error}");
    }
    desk.refused(&["games", "player", "ann", "--losses", "--least-games", "3"]);
}
