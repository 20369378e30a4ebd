//! Drawings and pages of analysed games.

use crate::desk::{Desk, stderr};

const FAST: [&str; 5] = ["--level", "1", "--exact-from", "2", "-q"];

fn analyze(desk: &Desk, more: &[&str]) -> std::process::Output {
    desk.run(&[&["analyze"], more, &FAST].concat())
}

#[test]
fn a_game_becomes_a_drawing_and_a_page() {
    let desk = Desk::grown("3");
    let output = analyze(&desk, &["f5d6c3d3c4f4", "--svg", "game.svg", "--html", "game.html"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let svg = std::fs::read_to_string(desk.path("game.svg")).unwrap();
    assert!(svg.starts_with("<svg xmlns=") && svg.ends_with("</svg>\n"), "{svg}");
    let page = std::fs::read_to_string(desk.path("game.html")).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.trim_end().ends_with("</html>"));
    // It says what the JSON says.
    let (_, data) = page.split_once("id=\"data\">").unwrap();
    let data: serde_json::Value =
        serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap();
    let json = desk.json(&["analyze", "f5d6c3d3c4f4", FAST[0], FAST[1], FAST[2], FAST[3]]);
    let moves = json["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 6);
    for (on_page, told) in data[0]["moves"].as_array().unwrap().iter().zip(moves) {
        for field in ["ply", "move", "side", "best_move", "best_value", "value", "loss", "known_by"]
        {
            assert_eq!(on_page[field], told[field], "{field} of {told}");
        }
    }
    // On standard output it stands alone.
    let output = analyze(&desk, &["f5d6c3d3c4f4", "--svg", "-"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), svg);
}

#[test]
fn several_games_are_drawn_one_by_one_and_share_a_page() {
    let desk = Desk::grown("3");
    std::fs::write(desk.path("games.txt"), "f5d6c3\nf5f6e6\nf5a1\n").unwrap();
    let output = analyze(&desk, &["games.txt", "--svg", "g.svg", "--html", "games.html"]);
    // One was refused.
    assert_eq!(output.status.code(), Some(3));
    for name in ["g.svg", "g-2.svg"] {
        assert!(desk.path(name).exists(), "{name}");
    }
    assert!(!desk.path("g-3.svg").exists());
    let page = std::fs::read_to_string(desk.path("games.html")).unwrap();
    assert!(page.contains("<title>2 games</title>"));
}

/// Nothing is searched, and nothing lost, for a file that cannot be written.
#[test]
fn what_cannot_be_written_is_told_first() {
    let desk = Desk::grown("3");
    for (option, file, why) in [
        ("--svg", "no/where.svg", "cannot write no/where.svg"),
        ("--html", "book.db", "book.db is a book of rosebill, which is never replaced"),
    ] {
        let told = desk.refused(&["analyze", "f5d6c3", option, file]);
        assert!(told.contains(why), "{told}");
    }
    assert_eq!(desk.json(&["info", "--by-discs"])["positions"], 3);
}
