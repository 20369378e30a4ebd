//! The examples in the guide on formats of games: each is read as it says.

use rosebill::files::games::{ReadOptions, read};

const GUIDE: &str = include_str!("../../src/faces/guides/game-formats.md");

/// The files that a block of code is: its format, and what each holds.
fn files() -> Vec<(&'static str, String)> {
    let mut files = Vec::new();
    let mut blocks = GUIDE.split("\n```");
    blocks.next();
    // Each block has a beginning and an end.
    while let (Some(block), Some(_)) = (blocks.next(), blocks.next()) {
        let (kind, text) = block.split_once('\n').unwrap();
        let text = format!("{text}\n");
        match kind.split_once(' ') {
            Some((format, "lines")) => {
                files.extend(text.lines().map(|line| (format, format!("{line}\n"))))
            }
            _ => files.push((kind, text)),
        }
    }
    files
}

#[test]
fn every_example_of_the_guide_is_a_game() {
    let files = files();
    assert!(files.len() > 30, "{files:?}");
    for (format, text) in files {
        let reader = read(text.as_bytes(), "example", &ReadOptions::default());
        let reader = reader.unwrap_or_else(|error| panic!("{error}: {text}"));
        assert_eq!(reader.format().name(), format, "{text}");
        let games: Vec<_> = reader.collect();
        let [Ok(game)] = &games[..] else { panic!("{text}{games:?}") };
        assert_eq!(game.notes, [], "{text}");
        assert!(game.game.line().to_string().starts_with("f5d6c3"), "{text}");
    }
}
