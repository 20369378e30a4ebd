//! Reads PGN in all dialects that were met. Passes may be left out, so that a column proves no
//! colour; numbers of moves count discs or pairs.

use std::io::BufRead;

use super::ahead::Ahead;
use super::open::Open;
use super::text::{is_prose, two_names};
use crate::files::fault::Place;
use crate::files::games::brackets::behind_a_count;
use crate::files::games::draft::{Draft, Drafts, Refused};
use crate::files::games::refused::Why;
use crate::files::lines::Lines;

pub(in crate::files::games) struct PgnReader<R> {
    lines: Ahead<R>,
}

impl<R: BufRead> PgnReader<R> {
    pub(in crate::files::games) const fn new(lines: Lines<R>) -> Self {
        Self { lines: Ahead::new(lines) }
    }
}

impl<R: BufRead> Drafts for PgnReader<R> {
    fn next_draft(&mut self) -> Option<Result<Draft, Refused>> {
        let mut game: Option<Open> = None;
        loop {
            let (number, line) = match self.lines.next() {
                Some((number, Ok(line))) => (number, line),
                Some((_, Err(refused))) => return Some(Err(refused)),
                None => return game.filter(Open::is_game).map(Open::close),
            };
            let text = line.as_str().trim();
            if text.is_empty() || line.as_str().starts_with('%') {
                if let Some(game) = &mut game {
                    game.blank |= text.is_empty();
                    game.gap |= text.is_empty();
                }
                continue;
            }
            if behind_a_count(text).is_some() && !game.as_ref().is_some_and(|open| open.in_comment)
            {
                if let Some(game) = game.filter(Open::is_game) {
                    self.lines.put_back(number, line);
                    return Some(game.close());
                }
                let why = Why::content(text, "a game in PGN, as others of this file are");
                return Some(Err(Refused { place: Place::Line(number), why }));
            }
            if game.as_ref().is_none_or(Open::awaits_moves)
                && let Some(names) = two_names(text)
            {
                game.get_or_insert_with(|| Open::at(number)).named_above(names);
                continue;
            }
            if game.as_ref().is_none_or(Open::is_between_games) && is_prose(text) {
                continue;
            }
            if let Some(open) = &game
                && open.ends_before_prose(text)
            {
                // They may be the players of the next one.
                if two_names(text).is_some() {
                    self.lines.put_back(number, line);
                }
                return game.map(Open::close);
            }
            let is_tag = text.starts_with('[')
                && game.as_mut().is_none_or(|open| !open.is_comment(text, &mut self.lines));
            if let Some(open) = &game
                && is_tag
                && open.ends_before(text)
            {
                self.lines.put_back(number, line);
                return game.map(Open::close);
            }
            let open = game.get_or_insert_with(|| Open::at(number));
            let moves = if is_tag { open.tags(text, number) } else { Some(text) };
            if let Some(rest) = moves.and_then(|moves| open.moves(moves, number)) {
                let left = rest.len();
                if left > 0 {
                    self.lines.put_back(number, line.only_last(left));
                }
                // A comment may come before a tag.
                if !open.is_over() {
                    continue;
                }
                if let Some(mut game) = game.take().filter(Open::is_game) {
                    while let Some(comment) = self.lines.comment() {
                        game.say(&comment);
                    }
                    if let Some(comments) = self.lines.last_comments() {
                        game.say(&comments);
                    }
                    return Some(game.close());
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::files::games::remarks::Item;
    use crate::files::games::testing::{read_all, read_text, refused};
    use crate::files::games::{Note, Place};

    const HEAD: &str = "[Event \"Cup\"]\n[Date \"2006.05.28\"]\n[Black \"one\"]\n[White \"two\"]\n";

    /// Any white space may separate tags and moves (source: the PGN standard, import format).
    #[test]
    fn moves_may_follow_a_tag_in_its_line() {
        let tags = "[Event \"Cup\"] [Black \"one\"] [White \"two\"]";
        for text in [
            format!("{tags} 1. f5 d6 2. c3 *"),
            format!("{tags} f5d6c3 *  "),
            format!("{tags} {{by hand}} 1. f5 d6\n2. c3 *"),
            format!("{tags} 1. f5 d6 2. c3 * {tags} 1. f5 d6 2. c3 * {tags} 1. f5 d6 2. c3"),
        ] {
            let games = read_text(&text);
            assert_eq!(games.len(), text.matches("Cup").count(), "{text}");
            for game in games {
                assert_eq!(game.game.line().to_string(), "f5d6c3", "{text}");
                assert_eq!(game.game.white.name.as_deref(), Some("two"));
            }
        }
        let by_hand = read_text(&format!("{tags} - a note\n1. f5 d6 2. c3 *"));
        assert_eq!(by_hand[0].game.line().to_string(), "f5d6c3");
    }

    /// Behind each word it is asked whether the rest of its line is a result: that must not be read for it.
    #[test]
    fn a_tournament_may_stand_on_one_line() {
        let game = "[Event \"Cup\"] [Black \"one\"] [White \"two\"] 1. f5 d6 2. c3 * ";
        assert_eq!(read_text(&game.repeat(4000)).len(), 4000);
        assert!(!refused(&format!("{HEAD}\n{}", "f5 ".repeat(60_000))).is_empty());
    }

    #[test]
    fn a_tag_ends_the_game_before_it() {
        for end in [" 40-24", " 40-24 ", "", " ", " 1-0", " {x}", " *"] {
            let game = format!("{HEAD}\n1. f5 d6 2. c3{end}");
            let games = read_text(&game.repeat(3));
            let lines: Vec<_> = games.iter().map(|game| game.game.line().to_string()).collect();
            assert_eq!(lines, ["f5d6c3"; 3], "{end}");
            assert!(games.iter().all(|game| game.game.event.as_deref() == Some("Cup")), "{end}");
        }
        // Only a comment may come before it.
        let games =
            read_text(&format!("{{by hand}} {HEAD}\n1. f5 d6 *\n{{x}} {HEAD}\n1. f5 f4 *\n"));
        assert_eq!((games.len(), games[1].game.event.as_deref()), (2, Some("Cup")));
        // Other brackets part no word.
        let found = refused(&format!("{HEAD}\n1. f5 d6[x]\n"));
        assert!(found.contains("move 3 \"[x]\": no such square"), "{found}");
        // Inside a variation it is a word as any other.
        let games = read_text(&format!("{HEAD}\n1. f5 (1. f5 [Event \"x\"]) d6 2. c3 *\n"));
        assert_eq!(games[0].game.line().to_string(), "f5d6c3");
    }

    #[test]
    fn reads_all_dialects() {
        for moves in [
            "1. f5 d6 2. c3\n",
            "1. F5 D6\n3. C3\n*\n",
            "1.f5 d6 2.c3 *",
            "1 f5 d6\n2 c3",
            "1. f5 {a comment\nof two (lines)} d6 (1... f4 2. c3 {x}) 2. c3 ; the end",
            "1. f5! d6?144 $1 2. c3?!",
            "% by hand\n1. f5d6c3",
        ] {
            let games = read_text(&format!("{HEAD}\n{moves}\n\n{HEAD}\n{moves}"));
            assert_eq!(games.len(), 2, "{moves}");
            for game in games {
                assert_eq!(game.game.line().to_string(), "f5d6c3", "{moves}");
                assert_eq!(game.game.stated, None);
            }
        }
        // After these moves Black has none.
        for pass in ["", "--", "pass", "PA"] {
            let text = format!("{HEAD}1. c4 c3 2. e6 b4 3. a4 a5 4. b2 a3 5. {pass} f4 0-1");
            assert_eq!(read_text(&text)[0].game.moves.len(), 9);
        }
    }

    #[test]
    fn reads_facts() {
        let text = "[Event \"Online game\"][Site \"PlayOK\"]\n[Round \"-\"]\n[Date \"2021.03.11\"]\n\
                    [UTCDate \"2021.03.11\"]\n[Black \"a \\\"b\\\" c\\\"]\n[White \"d \"e\" f\"]\n\
                    [Result \"47-17\"]\n[BlackElo \"?144\"]\n[WhiteRating \"1314\"]\n[Variant \"xot\"]\n\
                    [TimeControl \"120\"]\n[Time \"20:13:30\"]\n\n1. f5 d6 47-17";
        let games = read_text(text);
        let game = &games[0].game;
        assert_eq!(game.black.name.as_deref(), Some("a \"b\" c\\"));
        assert_eq!(game.white.name.as_deref(), Some("d \"e\" f"));
        assert_eq!((game.black.rating, game.white.rating), (Some(144.0), Some(1314.0)));
        assert_eq!((game.round.as_deref(), game.xot), (None, true));
        assert_eq!(game.time_control.as_deref(), Some("120"));
        assert_eq!(game.stated.as_ref().map(ToString::to_string).as_deref(), Some("47-17"));
        let extra: Vec<_> =
            game.extra.iter().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!(extra, ["Site=PlayOK", "Time=20:13:30"]);
    }

    #[test]
    fn text_between_games_is_none() {
        for (before, between) in [
            ("Here are my games of 2019:\n\n", "some words\nmore of them\n\n"),
            ("", "-- \nsent by mail\n"),
            ("----------\n", "==========\n"),
            ("", "Black wins 40-24\n"),
        ] {
            let text =
                format!("{before}{HEAD}\n1. f5 d6 1-0\n\n{between}\n{HEAD}\n1. f5\n\n{between}");
            let games = read_text(&text);
            let moves: Vec<usize> = games.iter().map(|game| game.game.moves.len()).collect();
            assert_eq!(moves, [2, 1], "{text}");
        }
        // In the middle of moves it is no text.
        let found = refused(&format!("{HEAD}\n1. f5\nsome words\n"));
        assert!(found.contains("move 2 \"some\": no such square"), "{found}");
    }

    #[test]
    fn games_without_moves_and_without_headers() {
        let games = read_text(&format!("{HEAD}1. \n1-0\n\n{HEAD}\n{HEAD}1. f5\n"));
        let moves: Vec<usize> = games.iter().map(|game| game.game.moves.len()).collect();
        assert_eq!(moves, [0, 0, 1]);
        assert_eq!(games[0].game.stated.as_ref().map(ToString::to_string).as_deref(), Some("1-0"));
    }

    /// Draughts has numbers for squares, of which two look like a result.
    #[test]
    fn games_of_other_boards_are_no_games_without_moves() {
        for text in [
            "[Event \"x\"]\n[Result \"2-0\"]\n\n1. 32-28 19-23 2. 28x19 14x23 2-0\n",
            "[Event \"x\"]\n[Result \"1-0\"]\n[ECO \"A00\"]\n\n1-0\n",
            "[Event \"x\"]\n\n1. e4 e5 2. Nf3 1-0\n",
        ] {
            assert!(!refused(text).is_empty());
        }
    }

    #[test]
    fn comments_between_games_are_none() {
        for (before, between) in [
            ("{by hand}\n", "{Black resigns}"),
            ("; by hand\n\n", "; Black resigns"),
            ("{by\nhand}\n\n", "\n{Black\n\nresigns}\n"),
            ("", "{Black resigns"),
            ("", "(Black resigns"),
        ] {
            let head = format!("{before}{HEAD}");
            let games =
                read_text(&format!("{head}{{of 2006}}\n1. f5 d6 1-0 {between}\n\n{HEAD}1. f5 1-0"));
            let moves: Vec<usize> = games.iter().map(|game| game.game.moves.len()).collect();
            assert_eq!(moves, [2, 1], "{between}");
            let games = read_text(&format!("{head}1. f5 d6 1-0 {between}\n"));
            assert_eq!(games.len(), 1, "{between}");
        }
    }

    #[test]
    fn comments_beside_the_moves_are_kept() {
        for (text, said) in [
            ("[Event \"a\"]\n{by hand}\n[Black \"x\"]\n\n1. f5 *\n", &["by hand"][..]),
            ("[Event \"a\"] {by hand} [Black \"x\"]\n; of it\n\n1. f5 *\n", &["by hand of it"]),
            (
                "{My games}\n[Black \"x\"]\n\n1. f5 1-0\n{White\nresigns}\n",
                &["My games White resigns"],
            ),
            ("[Black \"x\"]\n1. f5 1-0 ; resigned\n[Black \"y\"]\n1. f5 *", &["resigned", ""]),
            ("[Black \"x\"]\n1. f5 1-0\n\n{b}\n[Black \"y\"]\n1. f5 * {c} {d}", &["", "b c d"]),
            ("[Black \"x\"]\n1. f5 1-0\n{b} [Black \"y\"]\n1. f5 *", &["", "b"]),
            ("[Black \"x\"]\n1. f5 1-0\n\n{b\n\nc}\n; d\n\n", &["b c d"]),
            ("[Black \"x\"]\n1. f5 1-0\n\n{b} {c\n", &[""]),
            ("[Black \"x\"]\n1. f5 1-0 {a}\n{b}\n\n{c}", &["a b c"]),
            ("[Black \"x\"]\n1. f5 1-0\n\n{b}\nfrom a book\n", &[""]),
        ] {
            let games = read_text(text);
            let said_of = |game: &crate::files::games::ReadGame| {
                let items = game.game.remarks.clone().into_items();
                let words = items.filter_map(|(_, item)| match item {
                    Item::Comment(words) => Some(words),
                    _ => None,
                });
                words.collect::<Vec<_>>().join(" ")
            };
            assert_eq!(games.iter().map(said_of).collect::<Vec<_>>(), said, "{text}");
            assert!(games.iter().all(|game| game.game.black.name.is_some()), "{text}");
        }
    }

    #[test]
    fn names_may_stand_above_moves_without_tags() {
        for (text, players) in [
            (
                "[Black \"x\"]\n\n1. f5 *\n\nAnn Lee - Bob\n1. f5 d6 *\n\n1. f5 *\n",
                &["x ", "Ann Lee Bob", " "][..],
            ),
            (
                "[Event \"x\"]\n\nAnn vs. Bob\n\n1. f5\n\nCid - Dan\n\n1. f5 d6 *\n",
                &["Ann Bob", "Cid Dan"],
            ),
            ("[Round \"1\"]\nAnn 40-24 Bob\n1. f5 *\n", &["Ann Bob"]),
            ("My games - all of them\nAnn - Bob\n[White \"y\"]\n\n1. f5 *\n", &[" y"]),
            (
                "{by hand}\n1. f5 {good} d6 (1... f6) *\n\nEve - Flo\n1. f5 $1 *\n",
                &[" ", "Eve Flo"],
            ),
        ] {
            let games = read_text(text);
            let of = |name: &Option<String>| name.clone().unwrap_or_default();
            let found = games
                .iter()
                .map(|read| format!("{} {}", of(&read.game.black.name), of(&read.game.white.name)));
            assert_eq!(found.collect::<Vec<_>>(), players, "{text}");
        }
        let game = read_text("[Round \"1\"]\nAnn 40-24 Bob\n1. f5 *\n").remove(0).game;
        assert_eq!(game.stated.map(|stated| stated.to_string()).as_deref(), Some("40-24"));
    }

    #[test]
    fn games_in_parentheses_are_told() {
        let other = "(;GM[Othello]PB[x]B[F5]W[F6];)";
        let text = format!(
            "{HEAD}\n1. f5\n{other}\n|2 {other}\n\n{HEAD}\n1. f5 {{see\n{other}}} d6 *\n{other}\n"
        );
        let (games, defects) = read_all(&text);
        let moves: Vec<usize> = games.iter().map(|game| game.game.moves.len()).collect();
        assert_eq!((moves, defects.len()), (vec![1, 2], 3), "{defects:?}");
        for (told, place) in defects.iter().zip(["7 (game 2)", "8 (game 3)", "17 (game 5)"]) {
            assert!(told.starts_with(&format!("test:{place}: found \"")), "{told}");
        }
    }

    #[test]
    fn a_tag_in_a_comment_that_is_closed_begins_no_game() {
        let many = "of a book\n".repeat(900);
        for comment in [
            "{see\n[Event \"z\"]\n}",
            "{see\n[Event \"{z\"] [Black \"y\"] } {x}",
            "{see\n[Event \"z\"]\n\n[Black \"y\"]\n1. f5 f6\n}",
            &format!("{{see\n[Event \"z\"]\n{many}[Event \"z\"]\n}}"),
        ] {
            let games = read_text(&format!("{HEAD}\n1. f5 {comment} d6\n\n{HEAD}\n1. f5 {{x}}"));
            let moves: Vec<usize> = games.iter().map(|game| game.game.moves.len()).collect();
            assert_eq!(moves, [2, 1], "{comment}");
            assert_eq!(games[1].place, Place::Line(8 + comment.matches('\n').count() as u64));
            // Between games it is none, either.
            let games = read_text(&format!("{comment}\n{HEAD}\n1. f5 1-0\n{comment}\n"));
            assert_eq!((games.len(), games[0].game.event.as_deref()), (1, Some("Cup")));
        }
        // What is closed too far away is taken for what nothing closes.
        let text = format!("{HEAD}\n1. f5 {{see\n[Event \"z\"]\n{}}} d6\n", many.repeat(10));
        assert!(read_all(&text).1[0].starts_with("test:6 (game 1): nothing closes the '{' here"));
    }

    #[test]
    fn reads_other_starts() {
        let fen = "[FEN \"8/8/8/3pP3/3Pp3/8/8/8 b - - 0 1\"]\n";
        assert!(read_text(&format!("{HEAD}{fen}\n1. f5"))[0].game.is_from_the_start());
        assert!(
            refused(&format!("{HEAD}[FEN \"x/y\"]\n\n1. f5"))
                .contains("unreadable start position: ")
        );
    }

    #[test]
    fn a_bad_game_costs_itself_only() {
        let text = format!("{HEAD}1. f5 d6 a1\n\n{HEAD}1. f5\n{HEAD}\n1. i9\n{HEAD}1. f5 d6");
        let (games, defects) = read_all(&text);
        assert_eq!((games.len(), defects.len()), (2, 2));
        assert!(defects[0].starts_with("test:1 (game 1): move 3 \"a1\": flips no disc"));
        assert!(
            defects[1].starts_with("test:12 (game 3): move 1 \"i9\": no such square"),
            "{defects:?}"
        );
        // Cut inside a tag, at the end of the file; anywhere else the tag is left out.
        let (games, defects) = read_all(&format!("{HEAD}1. f5\n\n[Event \"Cup\"]\n[Da"));
        assert_eq!((games.len(), defects.len()), (1, 1));
        assert_eq!(defects[0], "test:8 (game 2): the file ends inside a header tag");
        // What nothing closes does not reach the next game.
        for (open, place) in [("{ten (x", 6), ("(1... f6 {x} 2. e6", 6), ("d6\n(2. c3\n{x", 7)] {
            let text = format!("{HEAD}\n1. f5 {open}\n\n{HEAD}\n1. f5 d6\n");
            let (games, defects) = read_all(&text);
            let bracket = if open.contains('(') && !open.starts_with('{') { '(' } else { '{' };
            let told = format!("test:{place} (game 1): nothing closes the '{bracket}' here");
            assert_eq!((games.len(), &defects[..]), (1, &[told][..]));
            assert_eq!(games[0].game.moves.len(), 2);
        }
        let games = read_text(&format!("[Event \"Cup]\n{HEAD}1. f5"));
        assert_eq!(games[0].notes, [Note::Tag("[Event \"Cup]".to_owned())]);
    }
}
