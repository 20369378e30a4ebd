//! Games on several lines: names on one and moves on the next, in either order, a result on one of its
//! own, and moves that a program or a person wrapped.

use super::discs::take_discs;
use super::result::is_value;
use crate::files::games::draft::{Draft, MIRRORED, Refused};
use crate::files::games::refused::{Note, Why};
use crate::files::games::replay::{Entry, replay};
use crate::files::games::stated::StatedScore;
use crate::othello::board::Placed;
use crate::othello::board::Played;

/// Moves of a line that alone is hardly a game.
pub(super) const FEW: usize = 2;

/// Titles of a result.
const TITLES: [&str; 4] = ["result", "score", "final score", "final result"];

/// The game of the last line or lines.
pub(super) struct Open {
    draft: Draft,
    /// Its first line.
    line: String,
    /// Whether no line of it had more than [`FEW`] moves.
    is_short: bool,
    /// Whether its result was on a line before it, as the next one's then is.
    is_led: bool,
    /// Whether facts were on a line before its moves.
    is_headed: bool,
    /// Whether there are lines of facts that say what they are.
    is_titled: bool,
    /// The number that its last line begins with.
    number: Option<u32>,
    /// Whether numbers behind its moves are what those are worth.
    has_values: bool,
    /// Whether words follow its moves, as a title does.
    is_parted: bool,
}

impl Open {
    pub(super) fn new(draft: Draft, line: &str) -> Self {
        let (is_short, is_titled) = (is_short(&draft), is_facts(&draft));
        Self {
            draft,
            line: line.trim().to_owned(),
            is_short,
            is_led: false,
            is_headed: false,
            is_titled,
            number: number_of(line),
            has_values: false,
            is_parted: false,
        }
    }

    /// Whether it is facts with titles, so that their moves may follow an empty line.
    pub(super) fn awaits_moves(&self) -> bool {
        self.is_titled && self.draft.entries.is_empty()
    }

    /// Records that words follow what there is of it. Moves may go on, but facts that follow belong to
    /// the next game.
    pub(super) fn part(&mut self) {
        self.is_parted |= !self.draft.entries.is_empty();
    }

    /// Adds the game of the next line, which belongs to it.
    pub(super) fn append(&mut self, mut second: Draft, line: &str) {
        let number = number_of(line);
        if self.counts_on_with(&second, number) {
            self.has_values |= take_value(&mut self.draft);
            if self.has_values {
                take_value(&mut second);
            }
        }
        self.number = number;
        self.is_titled |= is_facts(&second);
        self.is_headed |= self.draft.entries.is_empty() && !second.entries.is_empty();
        if is_result(&self.draft) {
            let first = std::mem::replace(&mut self.draft, second);
            self.draft.place = first.place;
            self.draft.add_result(first.game.stated);
            (self.is_short, self.is_led) = (is_short(&self.draft), true);
        } else if is_result(&second) {
            self.draft.add_result(second.game.stated);
        } else {
            self.is_short &= is_short(&second);
            append(&mut self.draft, second);
        }
    }

    /// Whether the game of the next line belongs to it.
    pub(super) fn goes_on_with(&self, second: &Draft, line: &str) -> bool {
        let first = &self.draft;
        if self.counts_on_with(second, number_of(line)) {
            return true;
        }
        if self.is_parted && second.entries.is_empty() {
            return false;
        }
        if is_facts(second) || self.is_titled && self.draft.entries.is_empty() {
            // A line that is no game is none of theirs: they would be refused with it.
            let is_move = |entry: &Entry| matches!(entry.played, Played::Square(_) | Played::Pass);
            let is_near =
                first.entries.is_empty() || (!self.is_headed && first.entries.iter().all(is_move));
            return is_near && !differ(first, second) && agree(first, second);
        }
        match (is_result(first), is_result(second)) {
            (true, true) => false,
            (true, false) => is_plain(first) && agree(first, second),
            (false, true) => is_plain(second) && !self.is_led && agree(first, second),
            (false, false) => belong_together(first, second, self.is_short && is_short(second)),
        }
    }

    /// Whether a line with the next number goes on with its moves, perhaps with what each is worth.
    fn counts_on_with(&self, second: &Draft, number: Option<u32>) -> bool {
        let follows = self.number.zip(number).is_some_and(|(last, next)| next == last + 1);
        let has_score = |draft: &Draft| match draft.game.stated.as_ref().map(|stated| stated.score)
        {
            Some(score) => !matches!(score, Some(StatedScore::Difference(_))),
            None => false,
        };
        let first = &self.draft;
        if !follows
            || !self.is_short
            || !is_short(second)
            || first.entries.is_empty()
            || second.entries.is_empty()
            || has_names(second)
            || has_score(first)
            || has_score(second)
            || !second.game.is_from_the_start()
        {
            return false;
        }
        let together: Vec<Entry> = first.entries.iter().chain(&second.entries).cloned().collect();
        starts(first).any(|start| replay(start, &together).is_ok())
    }

    /// The game, unless its facts have no moves.
    pub(super) fn close(self) -> Result<Draft, Refused> {
        let mut draft = self.draft;
        take_discs(&mut draft);
        let expected = if draft.entries.is_empty() && self.is_titled {
            "moves with these facts: in their line, or in the one before or behind it"
        } else if is_result(&draft) {
            "moves with this result: in its line, or in the one before or behind it"
        } else if draft.entries.is_empty() && has_names(&draft) && draft.game.stated.is_none() {
            "moves with these names: in their line, or in the one before or behind it"
        } else if draft.entries.is_empty() && !has_names(&draft) {
            "moves, names or a result"
        } else {
            if draft.entries.is_empty() {
                draft.notes.push(Note::NoMoves);
            }
            return Ok(draft);
        };
        Err(Refused { place: draft.place, why: Why::content(&self.line, expected) })
    }
}

/// Whether a line has a result, and neither moves nor names.
fn is_result(draft: &Draft) -> bool {
    let is_dated =
        draft.game.date.is_some() || draft.game.event.is_some() || draft.game.round.is_some();
    draft.entries.is_empty() && !has_names(draft) && !is_dated && draft.game.stated.is_some()
}

/// Removes the value that a line gives its move; returns whether there was one.
fn take_value(draft: &mut Draft) -> bool {
    let game = &mut draft.game;
    let score = game.stated.as_ref().and_then(|stated| stated.score);
    let is_difference = matches!(score, Some(StatedScore::Difference(_)));
    if is_difference {
        game.stated = None;
    }
    let is_said = game.extra.get("Comment").is_some_and(|said| is_value(said));
    if is_said {
        game.extra.remove("Comment");
    }
    is_difference || is_said
}

/// Whether a line holds nothing but facts that say what they are, or that a game was not finished.
fn is_facts(draft: &Draft) -> bool {
    let game = &draft.game;
    let is_one_name = game.black.name.is_some() != game.white.name.is_some();
    let has_fact = game.date.is_some()
        || game.event.is_some()
        || game.round.is_some()
        || game.time_control.is_some()
        || ["Site", "Id", "Date"].iter().any(|name| game.extra.contains_key(*name));
    let says_nothing = !has_names(draft) && game.stated.is_none() && game.extra.is_empty();
    let is_titled = is_one_name && game.stated.is_none() && game.extra.is_empty();
    draft.entries.is_empty() && (is_titled || has_fact || says_nothing)
}

/// Whether two lines name the same fact.
fn differ(first: &Draft, second: &Draft) -> bool {
    let (one, two) = (&first.game, &second.game);
    (one.black.name.is_some() && two.black.name.is_some())
        || (one.white.name.is_some() && two.white.name.is_some())
        || (one.date.is_some() && two.date.is_some())
        || (one.event.is_some() && two.event.is_some())
        || (one.round.is_some() && two.round.is_some())
}

/// The number of a move or a pair of them that a line begins with.
fn number_of(line: &str) -> Option<u32> {
    let line = line.trim_start();
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let is_parted = line.get(digits..)?.starts_with(['.', ')', ':', ' ', '\t']);
    line.get(..digits)?.parse().ok().filter(|_| is_parted)
}

/// Whether a result is alone, as far as a title and a word such as `resigned` show.
fn is_plain(draft: &Draft) -> bool {
    let said = |name: &str| draft.game.extra.get(name).map(|text| text.to_lowercase());
    said("Header").is_none_or(|title| TITLES.contains(&title.trim()))
        && said("Comment").is_none_or(|comment| comment.split_whitespace().count() == 1)
}

/// Whether two lines say the same of how a game ended, as far as they do.
fn agree(first: &Draft, second: &Draft) -> bool {
    match (&first.game.stated, &second.game.stated) {
        (Some(one), Some(two)) => one.and(two).is_some(),
        _ => true,
    }
}

fn is_short(draft: &Draft) -> bool {
    draft.entries.len() <= FEW
}

fn belong_together(first: &Draft, second: &Draft, are_short: bool) -> bool {
    let is_pair = has_names(first) != has_names(second)
        && first.entries.is_empty() != second.entries.is_empty()
        && (has_names(first) == first.entries.is_empty())
        && first.game.is_from_the_start()
        && second.game.is_from_the_start();
    is_pair || goes_on(first, second, are_short)
}

fn append(first: &mut Draft, second: Draft) {
    if first.entries.is_empty() {
        first.game.start = second.game.start;
    }
    second.entries.into_iter().for_each(|entry| first.push(entry));
    let (game, more) = (&mut first.game, second.game);
    if game.black.name.is_none() {
        game.black = more.black;
    }
    if game.white.name.is_none() {
        game.white = more.white;
    }
    game.date = game.date.or(more.date);
    game.event = game.event.take().or(more.event);
    game.round = game.round.take().or(more.round);
    game.time_control = game.time_control.take().or(more.time_control);
    more.extra.iter().for_each(|(name, value)| game.set_extra(name, value));
    first.notes.extend(second.notes);
    first.add_result(more.stated);
}

pub(super) fn has_names(draft: &Draft) -> bool {
    draft.game.black.name.is_some() || draft.game.white.name.is_some()
}

/// Whether moves can be played on from those before, and further than from the start. Where both are
/// as good, a line of one move or two behind others like it is no game of its own.
fn goes_on(first: &Draft, second: &Draft, are_short: bool) -> bool {
    let has_header =
        has_names(second) || second.game.date.is_some() || second.game.extra.contains_key("Header");
    if first.entries.is_empty() || has_header || !second.game.is_from_the_start() {
        return false;
    }
    // Most lines are games of their own, which one look shows.
    if !are_short && replay(second.game.start, &second.entries).is_ok() {
        return false;
    }
    let alone = playable_alone(second);
    let together: Vec<Entry> = first.entries.iter().chain(&second.entries).cloned().collect();
    let behind = starts(first)
        .filter_map(|start| {
            let known = replay(start, &first.entries).ok()?.moves.len();
            Some(playable(start, &together) - known)
        })
        .max();
    match (behind.unwrap_or_default(), alone) {
        (behind, alone) if behind == alone => {
            behind > 0 && are_short && first.game.stated.is_none()
        }
        (behind, alone) => behind > alone,
    }
}

/// The board that a game says it starts from, and the one that its moves may mean.
fn starts(draft: &Draft) -> impl Iterator<Item = Placed> {
    let mirrored = draft.game.is_from_the_start().then_some(MIRRORED);
    std::iter::once(draft.game.start).chain(mirrored)
}

/// How many moves of a line can be played where it is a game of its own.
pub(super) fn playable_alone(draft: &Draft) -> usize {
    starts(draft).map(|start| playable(start, &draft.entries)).max().unwrap_or_default()
}

/// How many moves can be played.
fn playable(start: Placed, entries: &[Entry]) -> usize {
    replay(start, entries).map_or_else(|error| error.number - 1, |played| played.moves.len())
}

#[cfg(test)]
mod tests {
    use crate::files::games::refused::Note;
    use crate::files::games::stated::Stated;
    use crate::files::games::testing::{read_all, read_text};

    /// A game to its end.
    const WHOLE: &str = "f5f4f3f6c4g3f7e3f2d3d2g4h3c6d6e6b6c5b4g6g5e7e8c2c3h4h5c1e2d7c8d8e1d1b1g1f1a1c7\
        b5a5b2b3g2h1a4a3a7a6a2f8g7h2g8h8h7h6b7a8b8";

    #[test]
    fn names_stand_before_or_behind_the_moves() {
        let other = "f5d6c3d3c4";
        for text in [
            format!("Abe Den 27-37 Bob\n{WHOLE}\nEve 40-24 Kim\n{other}\n"),
            format!("{WHOLE}\nAbe Den 27-37 Bob\n\n{other}\nEve 40-24 Kim\n"),
        ] {
            let games: Vec<_> = read_text(&text).into_iter().map(|read| read.game).collect();
            let names =
                |game: &crate::files::games::Game| (game.black.name.clone(), game.moves.len());
            let found: Vec<_> = games.iter().map(names).collect();
            assert_eq!(found, [(Some("Abe Den".to_owned()), 60), (Some("Eve".to_owned()), 5)]);
        }
    }

    #[test]
    fn names_stand_alone_in_many_forms() {
        for (line, names, result) in [
            ("de Graaf Jan 40-24 Abe Den", ["de Graaf Jan", "Abe Den"], Some("40-24")),
            ("Wu Di 33-31 Li Na", ["Wu Di", "Li Na"], Some("33-31")),
            ("Kim Ji 40-24 Bob Ray", ["Kim Ji", "Bob Ray"], Some("40-24")),
            ("Ann J Lee 40-24 Bob", ["Ann J Lee", "Bob"], Some("40-24")),
            ("Ann Lee - Bob Ray 40-24", ["Ann Lee", "Bob Ray"], Some("40-24")),
            ("40-24 Ann Lee - Bob Ray", ["Ann Lee", "Bob Ray"], Some("40-24")),
            ("Ann Lee vs Bob Ray", ["Ann Lee", "Bob Ray"], None),
            ("Ann Lee - Bob Ray", ["Ann Lee", "Bob Ray"], None),
            ("Ann Lee \u{2013} Bob Ray  40-24", ["Ann Lee", "Bob Ray"], Some("40-24")),
            ("Ann Lee - Bob Ray, 40-24", ["Ann Lee", "Bob Ray"], Some("40-24")),
            ("x9y 40-24 bob", ["x9y", "bob"], Some("40-24")),
        ] {
            let moves = "f5d6c3d3c4";
            for text in [format!("{line}\n{moves}"), format!("{moves}\n{line}\n\n{moves} 40-24")] {
                let game = read_text(&text).remove(0).game;
                let found = [game.black.name, game.white.name].map(Option::unwrap_or_default);
                assert_eq!((found, game.moves.len()), (names.map(str::to_owned), 5), "{text}");
                let stated = game.stated.map(|stated| stated.to_string());
                assert_eq!(stated.as_deref(), result, "{text}");
            }
        }
        for line in ["Ann Lee vs Bob Ray", "the club - an evening"] {
            let (games, defects) = read_all(&format!("{line}\n\nf5d6c3 40-24\n"));
            assert_eq!(games.len(), 1, "{line}");
            let told =
                format!("test:1 (game 1): found \"{line}\", expected moves with these names");
            assert!(defects[0].starts_with(&told), "{}", defects[0]);
        }
    }

    #[test]
    fn a_game_without_moves_is_told() {
        let games = read_text("Ann - Bob 40-24\n\nf5d6c3d3c4\n");
        assert_eq!(games.len(), 2);
        assert_eq!(games[0].notes, [Note::NoMoves]);
        assert_eq!((games[1].game.moves.len(), games[1].notes.len()), (5, 0));
    }

    #[test]
    fn prose_is_no_game() {
        for line in ["here is the game:", "Game 12:", "Tiger:"] {
            let (games, defects) = read_all(&format!("{line}\n\nf5d6c3d3c4\n\n{line}\n"));
            assert_eq!(
                (games.len(), games[0].game.moves.len(), defects.len()),
                (1, 5, 2),
                "{line}"
            );
            let told =
                format!("test:1 (game 1): found \"{line}\", expected moves, names or a result");
            assert_eq!(defects[0], told);
        }
        let games = read_text("Cup 2019: Ann 40-24 Bob\nf5d6c3d3c4\n");
        assert_eq!((games.len(), games[0].game.moves.len()), (1, 5));
    }

    #[test]
    fn a_result_on_a_line_of_its_own_belongs_to_the_game_beside_it() {
        let (first, second) = WHOLE.split_at(40);
        let other = "f5d6c3d3c4";
        for text in [
            format!("{WHOLE}\n12-52\n{other}\n40-24\n"),
            format!("12-52\n{WHOLE}\n40-24\n{other}\n"),
            format!("12-52\n{WHOLE}\n\n40-24\n{other}\n"),
            format!("{first}\n{second}\nResult: 12-52\n\n{other}\n40 24\n"),
            format!("Abe - Bob\n{first}\n{second}\n12-52\nEve 40-24 Kim\n{other}\n40-24\n"),
            format!("Abe vs Bob: {WHOLE}\n-40\nEve vs Kim: {other} 1-0\nScore: 40-24\n"),
            format!("12-52\nAbe - Bob\n{first}\n{second}\n40-24\nEve - Kim\n{other}\n"),
        ] {
            let games = read_text(&text);
            let found: Vec<_> = games
                .iter()
                .map(|read| (read.game.moves.len(), read.game.stated.as_ref()))
                .map(|(moves, stated)| (moves, stated.and_then(Stated::black_discs)))
                .collect();
            assert_eq!(found, [(60, Some(12)), (5, Some(40))], "{text}");
            assert!(games.iter().all(|read| read.notes.is_empty()), "{text}");
        }
        for line in ["12-10 games today", "Club evening: 40-24", "40-24"] {
            for text in [format!("{other} 25-39\n{line}\n"), format!("{line}\n\n{other}\n")] {
                let (games, defects) = read_all(&text);
                assert_eq!((games.len(), defects.len()), (1, 1), "{text}");
                let told = format!("found \"{line}\", expected moves with this result");
                assert!(defects[0].contains(&told), "{}", defects[0]);
            }
        }
    }

    #[test]
    fn wrapped_moves_are_one_game() {
        let (first, second) = WHOLE.split_at(40);
        for text in [
            format!("{first}\n{second}\n"),
            format!("{first}\n{second}\n{first}\r\n# comment\r\n{second}"),
            format!("Abe 20-44 Bob: {first}\n{second}\n"),
            "1. f5 d6\n2. c3 d3\n3. c4\n".to_owned(),
            "f5\nd6\nc3\nd3\nc4\n".to_owned(),
            "1. f5\n2. d6\n3. c3\n4. d3\n5. c4 -10\n".to_owned(),
            "c5\ne6\n".to_owned(),
        ] {
            let (games, defects) = read_all(&text);
            assert_eq!(defects, [""; 0], "{text}");
            assert!(games.iter().all(|game| [2, 5, 60].contains(&game.game.moves.len())), "{text}");
        }
    }

    #[test]
    fn what_moves_are_worth_is_no_result() {
        let text: String = ["f5 -2", "d6 +1.00", "c3 -3", "d3 2", "c4 -1"]
            .iter()
            .enumerate()
            .map(|(at, said)| format!("{}. {said}\n", at + 1))
            .collect();
        let games = read_text(&text);
        assert_eq!((games.len(), games[0].game.line().to_string()), (1, "f5d6c3d3c4".to_owned()));
        assert_eq!(games[0].game.stated, None);
        for worth in [["-0.5", "+1.25", "-2"], ["+2", "-0.5 15ply", "-0.5"]] {
            let [one, two, three] = worth;
            let game = read_text(&format!("f5d6c3d3\n\n1. f5 {one}\n2. d6 {two}\n3. c3 {three}\n"))
                .remove(1)
                .game;
            assert_eq!(
                (game.moves.len(), game.stated, game.extra.len()),
                (3, None, 0),
                "{worth:?}"
            );
        }
        // Games end with whole discs.
        for said in ["+2.5", "-0.5 15ply", "(+0.25)"] {
            let game = read_text(&format!("f5d6c3 {said}\n")).remove(0).game;
            assert_eq!((game.stated, game.extra["Comment"].as_str()), (None, said));
        }
        // The times of moves are no results, either.
        let (games, defects) = read_all("1. f5 0:01\n2. d6 0:03\n");
        assert_eq!((games.len(), defects.len()), (0, 2), "{games:?}");
        let (games, defects) = read_all("f5d6c3d3c4\n\nf5 0:01 d6 0:03\n");
        assert_eq!((games.len(), defects.len()), (1, 1), "{defects:?}");
    }

    #[test]
    fn games_of_their_own_are_not_put_together() {
        for (text, count) in [
            ("f5d6c3d3\nf5d6c4\nf5f4\nf5f6\n", 4),
            ("f5d6\n\nc3d3\n", 1),
            ("f5d6c3 -2\nf5d6c4\n", 2),
            ("f5d6c3\nAbe 40-24 Bob: f5d6\n", 2),
            ("1. f5d6\n2. f5f4\n3. f5f6\n", 3),
            (&format!("{WHOLE}\n{WHOLE}\n"), 2),
        ] {
            assert_eq!(read_all(text).0.len(), count, "{text}");
        }
    }

    #[test]
    fn a_fault_on_a_later_line_is_one_of_the_whole_game() {
        let (games, defects) = read_all("f5d6c3d3c4\nf4c5b3b3\nf5d6\n");
        assert_eq!(games.len(), 1);
        let expected = "test:1 (game 1): move 9 \"b3\": the square is occupied";
        assert!(defects[0].starts_with(expected), "{}", defects[0]);
    }
}
