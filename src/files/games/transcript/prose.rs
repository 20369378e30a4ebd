//! Lines that are no games: titles, and what people write between moves.

use super::facts_of::has_names;
use super::names::{header_of_two, names_an_event};
use crate::files::games::draft::Draft;
use crate::othello::board::Played;
use crate::othello::board::move_text::squares_in;

/// Whether a line is words and nothing else: none of them may be meant as a move, and nothing of a game was
/// found among them. What a bracket or another mark opens is of another format, and reported.
pub(super) fn is_prose(line: &str, found: &Draft) -> bool {
    let is_nothing = !found.entries.is_empty()
        && found.entries.iter().all(|entry| is_unread(&entry.played))
        && !has_names(found)
        && found.game.stated.is_none();
    let begins = line.starts_with(|c: char| c.is_alphanumeric() || !c.is_ascii());
    // In a row it is unknown which fields are the names, but it may say them.
    let is_row = || line.contains('\t') || header_of_two(line).is_some();
    is_nothing
        && begins
        && squares_in(line) == 0
        && are_words(line)
        && !is_row()
        && !holds_moves(line)
}

/// Whether text is no move.
pub(super) const fn is_unread(played: &Played) -> bool {
    matches!(played, Played::Unreadable(_) | Played::Cut(_))
}

/// Whether most of a word is squares in a row, so that the line is moves, though some cannot be read.
pub(super) fn holds_moves(line: &str) -> bool {
    const LEAST: usize = 3;
    line.split_whitespace().any(|word| {
        let is_square = |two: &[u8]| {
            matches!(two, [letter, digit] if matches!(letter.to_ascii_lowercase(), b'a'..=b'h')
                && matches!(digit, b'1'..=b'8'))
        };
        let squares = word.as_bytes().windows(2).filter(|two| is_square(two)).count();
        squares >= LEAST && 3 * squares >= word.len()
    })
}

/// Whether words end as a sentence does.
pub(super) fn is_sentence(words: &str) -> bool {
    words.ends_with(['.', '!', '?', '。', '！', '？'])
}

/// Whether words stand above games: no sentence, and a number or an event is in them, as in `The final`.
pub(super) fn is_title(words: &str) -> bool {
    let words = words.trim();
    let has_number = words.contains(char::is_numeric);
    let is_event = || !words.starts_with(char::is_lowercase) && names_an_event(words);
    !is_sentence(words) && (words.ends_with([':', '：']) || has_number || is_event())
}

/// Whether a text has a word in it, and nothing that looks like a square, even one that no board has.
pub(super) fn are_words(text: &str) -> bool {
    let words = || text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let is_word = |word: &str| {
        let letters = word.chars().filter(|letter| letter.is_alphabetic());
        letters.count() >= 2 || word.starts_with(|c: char| c.is_alphabetic() && !c.is_ascii())
    };
    let is_square = |word: &str| {
        let mut letters = word.trim_start_matches(|c: char| c.is_ascii_digit()).chars();
        // `R3` is a round.
        letters.next().is_some_and(|first| first.is_ascii_alphabetic() && first != 'R')
            && letters.next().is_some_and(|second| second.is_ascii_digit())
    };
    words().any(is_word) && !words().any(is_square)
}

#[cfg(test)]
mod tests {
    use crate::files::games::testing::{read_all, read_text};

    /// A game to its end, 12-52, and another one.
    const WHOLE: &str = "f5f4f3f6c4g3f7e3f2d3d2g4h3c6d6e6b6c5b4g6g5e7e8c2c3h4h5c1e2d7c8d8e1d1b1g1f1a1c7\
        b5a5b2b3g2h1a4a3a7a6a2f8g7h2g8h8h7h6b7a8b8";
    const OTHER: &str = "f5d6c3d3c4";

    #[test]
    fn sentences_with_squares_are_no_games() {
        for line in [
            "Here I would play f5",
            "and then White should answer d6",
            "In the Rose I like c5 f4 e3",
            "d6 is the best answer here",
            "Remember: f5 d6 c3 is the Diagonal.",
            "Best: d3",
            "A nice game, I should have played f4 there.",
        ] {
            let (games, _) = read_all(&format!("f5d6c3d3c4\n\n{line}\n"));
            assert_eq!(games.len(), 1, "{line}");
        }
        for (line, said) in [
            ("F5D6C3D3C4                Tiger", "Tiger"),
            ("F5D6C3D3C4F4C5B3C2        Rose-Bill sort of", "Rose-Bill sort of"),
            ("f5d6c3\tDiagonal", "Diagonal"),
            ("f5 d6 c4 \"Rose\"", "Rose"),
            ("f5d6c3 ; Diagonal", "Diagonal"),
        ] {
            let game = read_text(&format!("{line}\n")).remove(0).game;
            assert_eq!(game.extra["Comment"], said, "{line}");
        }
        for text in ["```f5d6c3d3c4```\n", "```text\nf5d6c3d3c4\n```\n", "['f5d6c3d3c4']\n"] {
            assert_eq!(read_text(text)[0].game.moves.len(), 5, "{text}");
        }
        assert_eq!(read_text("['f5d6c3','f5f6e6']\n").len(), 2);
        assert_eq!(read_text("['f5','d6','c3']\n").len(), 1);
    }

    /// Words of a person beside a game are kept with it; across an empty line they may be anything.
    #[test]
    fn words_beside_a_game_are_its_comment() {
        for (text, said) in [
            ("Ronde 3 - the final\nf5d6c3\n", Some("Ronde 3 - the final")),
            ("Paris Open 2017 - R3\nf5d6c3\n", Some("Paris Open 2017 - R3")),
            ("f5d6c3\nwell played\n", Some("well played")),
            ("# blitz\nf5d6c3 # a comment\n", Some("a comment; blitz")),
            ("f5 d6 {good move} c3\n", Some("good move")),
            ("My games\n\nf5d6c3\n", None),
            ("No Black White\n1 f5 d6\n2 c3\n", None),
            ("---\nf5d6c3\n|---|---|\n", None),
        ] {
            let game = read_text(text).remove(0).game;
            assert_eq!(game.line().to_string(), "f5d6c3", "{text}");
            assert_eq!(game.extra.get("Comment").map(String::as_str), said, "{text}");
        }
    }

    #[test]
    fn words_below_a_game_are_its_comment_where_none_lead() {
        let comments = |text: &str| -> Vec<String> {
            let comment = |mut game: crate::files::games::Game| game.extra.remove("Comment");
            let games = read_text(text).into_iter().map(|read| comment(read.game));
            games.map(Option::unwrap_or_default).collect()
        };
        let two = |[one, other]: [&str; 2]| {
            format!("Ann - Bob\n{OTHER}\n{one}\nCid - Dan\nf5f6e6f4\n{other}\n")
        };
        assert_eq!(
            comments(&two(["A nice game.", "not so nice a game"])),
            ["A nice game.", "not so nice a game"]
        );
        assert_eq!(comments(&two(["Round 2", "bad"])), ["", "Round 2; bad"]);
        assert_eq!(
            comments(&two(["well played\nThe final", "bad"])),
            ["well played", "The final; bad"]
        );
        assert_eq!(comments(&two(["# the best one", "bad"])), ["", "the best one; bad"]);
        // Where they lead the first game, they lead all.
        let led = format!("nice\n{}", two(["well played", ""]));
        assert_eq!(comments(&led), ["nice", "well played"]);
    }

    /// Words that an empty line parts from a game are its, too; those of a report above it are not all kept.
    #[test]
    fn no_note_is_lost() {
        for (text, said) in [
            ("f5d6c3\n\nwell played\n\nf5f6\n\nnot so well\n", ["well played", "not so well"]),
            ("A story.\n\nf5d6c3\n\nRound 2\n\nf5f6\n", ["A story.", "Round 2"]),
            ("Ann - Bob\n\nHe wins.\n\nf5d6c3\n\nCid - Dan\nf5f6\n", ["He wins.", ""]),
        ] {
            let games = read_text(text);
            let found: Vec<_> = games.iter().map(|read| read.game.extra.get("Comment")).collect();
            let found: Vec<_> =
                found.into_iter().map(|said| said.map_or("", |said| said)).collect();
            assert_eq!(found, said, "{text}");
        }
    }

    #[test]
    fn a_short_game_is_found_below_a_long_report() {
        let report = "It was a fine evening in the hall, with tea and cake.\n".repeat(60);
        for game in ["Ann 40-24 Bob\nf5d6c3\n", "Black: Ann\nWhite: Bob\n\n1. f5 d6\n2. c3\n"] {
            let game = read_text(&format!("{report}\n{game}")).remove(0).game;
            assert_eq!((game.black.name.as_deref(), game.moves.len()), (Some("Ann"), 3));
        }
    }

    #[test]
    fn titles_swallow_nothing() {
        for text in [
            format!("My games\nAnn 12-52 Bob\n{WHOLE}\n\nCarl 44-20 Dora\n{OTHER}\n"),
            format!("Round 1\nAnn 12 - 52 Bob\n{WHOLE}\n\nRound 2\nCarl 44 - 20 Dora\n{OTHER}\n"),
            format!("Game 1\nAnn 12-52 Bob\n{WHOLE}\nGame 2\nCarl 44-20 Dora\n{OTHER}\n"),
            format!(
                "Ann 12-52 Bob\nthe final\n{WHOLE}\nthe other\nCarl 44-20 Dora\n{OTHER}\nEnd\n"
            ),
        ] {
            let games: Vec<_> = read_text(&text).into_iter().map(|read| read.game).collect();
            let names: Vec<_> = games
                .iter()
                .map(|game| {
                    [&game.black, &game.white].map(|one| one.name.clone().unwrap_or_default())
                })
                .collect();
            assert_eq!(names, [["Ann", "Bob"], ["Carl", "Dora"]], "{text}");
            let stated = games.iter().map(|game| game.stated.as_ref().map(ToString::to_string));
            let stated: Vec<_> = stated.map(Option::unwrap_or_default).collect();
            assert_eq!(stated, ["12-52", "44-20"], "{text}");
        }
        // Names behind a title are not those of the game above it.
        let games = read_text(&format!("{OTHER}\nGame 2\nCarl 44-20 Dora\n{OTHER}\n"));
        let names: Vec<_> = games.iter().map(|read| read.game.black.name.as_deref()).collect();
        assert_eq!(names, [None, Some("Carl")]);
    }

    /// Squares are letters and numbers of much else, too.
    #[test]
    fn squares_of_other_things_are_no_games() {
        for text in [
            "item,qty\nD3,2\nC5,1\n",
            "room;pupils\nC4;25\nD3;27\n",
            "Seats: C4, C3\n",
            "Row 3: C4, C3, D3\nRow 4: F5, F6\n",
            "mov c4, c3\nadd d3, c5\n",
            "info depth 20 pv c4 c5\nbestmove c4 ponder c5\n",
            "git show c4e3f6\ngit checkout f5d6c3d3\n",
            "A4\nA5\nB5\nC4\n",
            "1. c3\n2. d3\n3. c4\n",
            "E6\n\nis a road.\n",
            "cell,value\na1,5\nb2,7\nf5,9\n",
            "e4 e5\nd4 d5\nc4 c5\n",
            "<p>Ann 40-24 Bob</p>\n<p>f5d6c3d3c4</p>\n",
        ] {
            let read = crate::files::games::read(text.as_bytes(), "", &Default::default());
            assert!(read.is_err(), "{text}");
        }
    }

    /// Moves that cannot be read are no words beside the game above.
    #[test]
    fn a_game_with_a_slip_is_refused() {
        for line in ["f5d6zzd3c4f4c5b3", "xxd6c3d3c4f4", "5fd6c3d3c4f4", "f5d6c3 d3zzc4f4c5b3"] {
            let (games, defects) = read_all(&format!("{OTHER}\n{line}\n"));
            assert_eq!((games.len(), defects.len()), (1, 1), "{line}: {defects:?}");
        }
    }

    #[test]
    fn a_line_of_words_is_no_game() {
        for title in [
            "WOC 2019 Final",
            "Game 1",
            "hello",
            "以下の棋譜です。",
            "第10回大会",
            "Note: the first of three",
            "Transcript by Björn",
        ] {
            for text in [format!("{title}\n{OTHER}\n"), format!("{OTHER}\n{title}\n\n{OTHER}\n")] {
                let (games, defects) = read_all(&text);
                assert_eq!(
                    (games.len(), defects.len()),
                    (text.matches(OTHER).count(), 0),
                    "{text}"
                );
                assert!(games.iter().all(|game| game.game.moves.len() == 5), "{text}");
            }
        }
        // Moves may go on behind words.
        let games = read_text("f5d6c3\nhere White thinks\nd3c4\n");
        assert_eq!((games.len(), games[0].game.line().to_string().as_str()), (1, OTHER));
    }

    #[test]
    fn an_attempt_at_a_game_is_told() {
        for (line, told) in [
            ("f5d6c3 and more", "move 4 \"and\": no such square"),
            ("i9 j3", "move 1 \"i9\": no such square"),
            ("Opening f5d6x", "move 3 \"x\": no such square"),
            ("F 5 D 6 C 3", "move 1"),
            ("56 64 33", "move 1"),
            ("[Cup] of 2019", "move 1"),
        ] {
            let (games, defects) = read_all(&format!("{OTHER}\n\n{line}\n\n{OTHER}\n"));
            assert_eq!((games.len(), defects.len()), (2, 1), "{line}: {defects:?}");
            assert!(defects[0].contains(told) && defects[0].starts_with("test:3"), "{defects:?}");
        }
    }

    #[test]
    fn what_ends_a_line_of_moves_is_none() {
        for line in [
            format!("{OTHER}。"),
            format!("{OTHER} ; my comment"),
            format!("{OTHER}; my comment f5"),
            format!("{OTHER} ;"),
        ] {
            let game = read_text(&format!("{line}\n\nf5\n")).remove(0).game;
            assert_eq!(game.moves.len(), 5, "{line}");
            assert_eq!(game.extra.contains_key("Comment"), line.contains("my"), "{line}");
        }
        let game = read_text(&format!("{OTHER}; Ann 44-20 Bob\n\nf5\n")).remove(0).game;
        assert_eq!(game.black.name.as_deref(), Some("Ann"));
    }

    #[test]
    fn names_stand_with_ratings_days_and_marks() {
        for (head, ratings, date) in [
            ("Ann (1500) - Bob (1600)", true, None),
            ("Ann (1500) vs Bob (1600), 2020-05-06", true, Some("2020-05-06")),
            ("Ann vs. Bob, 2020-05-06", false, Some("2020-05-06")),
            ("黒番 Ann\n白番 Bob", false, None),
            ("●Ann ○Bob", false, None),
            ("○Bob ●Ann", false, None),
            ("●Ann ○Bob 44-20", false, None),
        ] {
            let game = read_text(&format!("{head}\n{OTHER}\n")).remove(0).game;
            let found =
                [&game.black, &game.white].map(|one| one.name.as_deref().unwrap_or_default());
            assert_eq!((found, game.moves.len()), (["Ann", "Bob"], 5), "{head}");
            let expected = if ratings { [Some(1500.0), Some(1600.0)] } else { [None; 2] };
            assert_eq!([game.black.rating, game.white.rating], expected, "{head}");
            assert_eq!(game.date.map(|date| date.to_string()).as_deref(), date, "{head}");
            assert_eq!(game.stated.is_some(), head.contains("44-20"), "{head}");
        }
    }
}
