//! Lines of one game: names on one and moves on the next, in either order, a result on one of its own, and moves that a
//! program or a person wrapped.

use super::comment::is_of_a_mail;
use super::facts_of::{
    agree, append, are_people, board_discs, differ, has_names, is_facts, is_plain, is_result, says,
    take_value,
};
use super::moves_of::{FEW, can_be_one, number_of, wraps};
use super::players::{player, take_discs};
use crate::files::games::draft::{Draft, Refused};
use crate::files::games::refused::{Note, Why};
use crate::files::games::replay::Entry;
use crate::files::games::result_words::read_result_of;
use crate::files::games::stated::StatedScore;
use crate::othello::board::Played;

/// What there is of a game so far.
pub(super) struct Block {
    pub(super) draft: Draft,
    /// Its first line.
    line: String,
    /// Lines of words above, in or below its own, which are kept with its game.
    pub(super) words: Vec<String>,
    /// The number that its last line begins with.
    number: Option<u32>,
    /// What was played on its last line.
    last_entries: usize,
    /// Characters of its last line.
    width: usize,
    /// Whether no line of it had more than [`FEW`] moves.
    is_short: bool,
    /// Whether its result was on a line before it, as the next one's then is.
    is_led: bool,
    /// Whether facts were on a line before its moves.
    is_headed: bool,
    /// Whether names stand before an empty line above it.
    is_named_above: bool,
    /// Whether it stands right below the moves of a game.
    pub(super) is_below: bool,
    /// Whether there are lines of facts that say what they are.
    is_titled: bool,
    /// Whether numbers behind its moves are what those are worth.
    has_values: bool,
    /// Whether words follow its moves, as a title does.
    is_parted: bool,
    /// Whether a line of it can be played only behind the one before it.
    is_wrapped: bool,
}

/// What a block has of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Names, a result or other facts.
    Facts,
    /// Moves, perhaps with a result.
    Moves,
    /// Moves with names or other facts.
    Game,
    /// Neither.
    Other,
}

impl Block {
    pub(super) fn new(mut draft: Draft, line: &str) -> Self {
        take_discs(&mut draft);
        let line = line.trim().to_owned();
        Self {
            number: number_of(&line),
            last_entries: draft.entries.len(),
            width: line.chars().count(),
            is_short: draft.entries.len() <= FEW,
            is_titled: is_facts(&draft),
            is_led: false,
            is_headed: false,
            is_named_above: false,
            is_below: false,
            has_values: false,
            is_parted: false,
            is_wrapped: false,
            words: Vec::new(),
            draft,
            line,
        }
    }

    /// Records that names before an empty line belong to it: those behind it are the next game's.
    pub(super) fn name_above(&mut self) {
        self.is_headed |= self.has_moves();
        self.is_named_above = true;
    }

    /// Records that words follow what there is of it: moves may go on, but facts that follow are the next game's.
    pub(super) fn part(&mut self) {
        self.is_parted |= self.has_moves();
    }

    /// Records that a diagram shows its moves: those below may be in a line of any width.
    pub(super) const fn put_drawn(&mut self) {
        self.width = usize::MAX;
    }

    /// Whether a diagram shows its moves.
    pub(super) const fn is_drawn(&self) -> bool {
        self.width == usize::MAX
    }

    pub(super) fn has_moves(&self) -> bool {
        !self.draft.entries.is_empty()
    }

    /// What there is of a game.
    pub(super) fn kind(&self) -> Kind {
        let has_facts = self.is_titled || has_names(&self.draft);
        match self.has_moves() {
            true if has_facts => Kind::Game,
            true => Kind::Moves,
            false if has_facts || is_result(&self.draft) => Kind::Facts,
            false => Kind::Other,
        }
    }

    /// Whether it is nothing but labels that nothing is known of, or the head of a mail.
    pub(super) fn is_of_words(&self) -> bool {
        !self.has_moves() && (self.draft.said.is_of_words() || is_of_a_mail(&self.line))
    }

    /// Whether two blocks that an empty line parts may be of one game, as far as both and the board say.
    pub(super) fn fits(&self, other: &Self) -> bool {
        let (facts, moves) = if self.has_moves() { (other, self) } else { (self, other) };
        let (one, two) = (&facts.draft, &moves.draft);
        !differ(one, two)
            && agree(one, two)
            && (facts.is_titled || has_names(one) || is_plain(one))
            && (one.game.stated.is_some() || facts.is_titled || are_people(one))
            && one.game.is_from_the_start()
            && (one.game.stated.as_ref().zip(board_discs(two)))
                .is_none_or(|(stated, discs)| says(stated, discs))
    }

    /// Whether facts behind a game may be those of it: they name no player, and nothing that it has. A block of
    /// its own must be a result or notes: other facts stand above games.
    pub(super) fn trails(&self, game: &Self) -> bool {
        let (own, others) = (&self.draft, &game.draft);
        let is_of_the_end = || own.said.is_of_the_end() || (!self.is_titled && is_result(own));
        let has_two_results = own.game.stated.is_some() && others.game.stated.is_some();
        (self.is_below || (is_of_the_end() && own.game.date.is_none() && !has_two_results))
            && !has_names(own)
            && !own.said.has_start()
            && !own.said.repeats(&others.said)
            && self.fits(game)
    }

    /// Whether a line below it is one right below its moves.
    pub(super) fn ends_with_moves(&self) -> bool {
        self.has_moves() && !self.is_parted
    }

    /// Whether the board of these moves shows the very result that the facts have.
    pub(super) fn confirms(&self, moves: &Self) -> bool {
        let stated =
            self.draft.game.stated.as_ref().filter(|stated| stated.black_discs().is_some());
        stated.zip(board_discs(&moves.draft)).is_some_and(|(stated, discs)| says(stated, discs))
    }

    /// This and the block behind it as one.
    pub(super) fn joined_with(mut self, other: Self) -> Self {
        self.is_titled |= other.is_titled;
        self.is_short &= other.is_short;
        self.words.extend(other.words);
        append(&mut self.draft, other.draft);
        self
    }

    /// Takes a line that says which of its players won, unless it differs from what was said before.
    pub(super) fn takes_the_end(&mut self, line: &str) -> bool {
        let game = &self.draft.game;
        let names = game.black.name.as_deref().zip(game.white.name.as_deref());
        let told = names.and_then(|(black, white)| read_result_of(line.trim(), black, white));
        let known = game.stated.as_ref();
        let told = told.filter(|told| known.is_none_or(|known| known.and(told).is_some()));
        let is_told = told.is_some();
        self.draft.add_result(told);
        is_told
    }

    /// Adds the game of the next line, which belongs to it.
    pub(super) fn append(&mut self, mut next: Draft, line: &str) {
        let number = number_of(line);
        if self.counts_on_with(&next, number) {
            self.has_values |= take_value(&mut self.draft);
            if self.has_values {
                take_value(&mut next);
            }
        }
        let is_next_short = next.entries.len() <= FEW;
        if !next.entries.is_empty() {
            self.is_headed |= !self.has_moves();
            // What a diagram shows is sure.
            self.is_wrapped |=
                self.has_moves() && !self.is_drawn() && !(self.is_short && is_next_short);
        }
        (self.number, self.last_entries) = (number, next.entries.len());
        self.width = line.trim().chars().count();
        self.is_short &= is_next_short;
        self.is_titled |= is_facts(&next);
        // A result alone has a title, which is no fact.
        if is_result(&self.draft) {
            self.is_led = true;
            self.draft.game.extra.clear();
        } else if is_result(&next) {
            next.game.extra.clear();
        }
        append(&mut self.draft, next);
        take_discs(&mut self.draft);
    }

    /// Whether the game of the next line belongs to it.
    pub(super) fn goes_on_with(&self, next: &Draft, line: &str) -> bool {
        let draft = &self.draft;
        let is_pair = has_names(draft) != has_names(next);
        match (self.has_moves(), !next.entries.is_empty()) {
            (true, true) => {
                let number = number_of(line);
                // Programs wrap at one width, so that only the last line is shorter.
                let may_be_wrapped =
                    || line.trim().chars().count() <= self.width || self.numbers_go_on(number);
                self.counts_on_with(next, number)
                    || wraps(draft, next, self.is_short, may_be_wrapped)
            }
            // A game starts from no board below its moves.
            (true, false) if self.is_parted || next.said.has_start() => false,
            _ if next.entries.is_empty() && self.is_named_above && has_names(next) => false,
            (true, false) if is_facts(next) => {
                // A line that is no game is none of theirs: they would be refused with it.
                let is_move =
                    |entry: &Entry| matches!(entry.played, Played::Square(_) | Played::Pass);
                !self.is_headed
                    && draft.entries.iter().all(is_move)
                    && !differ(draft, next)
                    && agree(draft, next)
            }
            (false, _) if self.is_titled || is_facts(next) => {
                !differ(draft, next) && agree(draft, next)
            }
            _ if is_result(draft) => is_plain(draft) && agree(draft, next) && !is_result(next),
            _ if is_result(next) => is_plain(next) && agree(draft, next) && !self.is_led,
            (true, false) => is_pair && has_names(next),
            (false, _) => is_pair && has_names(draft) && !next.entries.is_empty(),
        }
    }

    /// Whether a number follows those of its last line, which count pairs of moves or single ones.
    fn numbers_go_on(&self, number: Option<u32>) -> bool {
        let steps = [self.last_entries.div_ceil(2), self.last_entries];
        self.number.zip(number).is_some_and(|(last, next)| {
            steps.iter().any(|&step| step > 0 && next.checked_sub(last) == u32::try_from(step).ok())
        })
    }

    /// Whether a line with the next number goes on with its moves, perhaps with what each is worth.
    fn counts_on_with(&self, next: &Draft, number: Option<u32>) -> bool {
        let score = |draft: &Draft| draft.game.stated.as_ref().map(|stated| stated.score);
        let has_score = |draft: &Draft| {
            score(draft).is_some_and(|score| !matches!(score, Some(StatedScore::Difference(_))))
        };
        self.number.zip(number).is_some_and(|(last, next)| next == last + 1)
            && self.is_short
            && (1..=FEW).contains(&next.entries.len())
            && self.has_moves()
            && !has_names(next)
            && (self.is_headed || !has_score(&self.draft))
            && !has_score(next)
            && can_be_one(&self.draft, next)
    }

    /// The game, unless there are no moves.
    pub(super) fn close(self) -> Result<Draft, Refused> {
        let mut draft = self.draft;
        add_words(&mut draft, self.words);
        name_by_order_or_letters(&mut draft);
        if !draft.entries.is_empty() {
            if self.is_wrapped && board_discs(&draft).is_none() {
                draft.notes.push(Note::Wrapped);
            }
            return Ok(draft);
        }
        let expected = match () {
            () if draft.said.has_start() => "moves behind the board: without them it is a position",
            () if self.is_titled => {
                "moves with these facts: in their line, or in the one before or behind it"
            }
            () if has_names(&draft) => {
                "moves with these names: in their line, or in the one before or behind it"
            }
            () if is_result(&draft) => {
                "moves with this result: in its line, or in the one before or behind it"
            }
            () => "moves, names or a result",
        };
        Err(Refused { place: draft.place, why: Why::content(&self.line, expected) })
    }
}

/// Keeps words with a game.
pub(super) fn add_words(draft: &mut Draft, words: Vec<String>) {
    if !words.is_empty() {
        let known = draft.game.extra.get("Comment").cloned();
        let whole: Vec<String> = known.into_iter().chain(words).collect();
        draft.game.set_extra("Comment", &whole.join("; "));
    }
}

/// Takes names where others are missing: those of players that stand alone on their lines, Black's first, or behind the
/// letters of both sides, `B: Ann` and `W: Bob`, of which one alone may be anything.
fn name_by_order_or_letters(draft: &mut Draft) {
    let in_order = std::mem::take(&mut draft.said.in_order);
    if has_names(draft) {
        return;
    }
    let said = |letter: &str| draft.game.extra.get(letter).cloned();
    let name = |letter: &str| said(letter).filter(|name| name.contains(char::is_alphabetic));
    let (black, white) = match (&in_order[..], name("B").zip(name("W"))) {
        ([black, white], _) => (black.clone(), white.clone()),
        (_, Some(names)) => {
            draft.game.extra.retain(|label, _| label != "B" && label != "W");
            names
        }
        _ => return,
    };
    player(draft, &black, true, false);
    player(draft, &white, false, false);
}

#[cfg(test)]
mod tests {
    use crate::files::games::stated::Stated;
    use crate::files::games::testing::{read_all, read_text};

    /// A game to its end.
    const WHOLE: &str = "f5f4f3f6c4g3f7e3f2d3d2g4h3c6d6e6b6c5b4g6g5e7e8c2c3h4h5c1e2d7c8d8e1d1b1g1f1a1c7\
        b5a5b2b3g2h1a4a3a7a6a2f8g7h2g8h8h7h6b7a8b8";

    #[test]
    fn moves_are_wrapped_at_any_width() {
        let squares: Vec<&str> = (0..60).map(|at| &WHOLE[2 * at..2 * at + 2]).collect();
        let pairs: Vec<String> = squares
            .chunks(2)
            .zip(1..)
            .map(|(pair, number)| format!("{number}. {}", pair.join(" ")))
            .collect();
        let by_pairs = |count: usize| {
            pairs.chunks(count).map(|line| line.join(" ") + "\n").collect::<String>()
        };
        let wrapped = |width: usize| {
            let mut text = String::new();
            for word in pairs.join(" ").split(' ') {
                let last = text.lines().last().map_or(0, str::len);
                text.push(if last + word.len() >= width { '\n' } else { ' ' });
                text.push_str(word);
            }
            text.trim_start().to_owned() + "\n"
        };
        let counted = [2, 3, 5, 8, 10].map(by_pairs);
        for text in counted.into_iter().chain([40, 60, 72, 76, 79, 80].map(wrapped)) {
            for head in ["", "Ann Lee - Bob Ray 12-52\n"] {
                let (games, defects) = read_all(&format!("{head}{text}"));
                assert_eq!((games.len(), defects.len()), (1, 0), "{head}{text}{defects:?}");
                assert_eq!(games[0].game.moves.len(), 60);
            }
        }
    }

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
        let line = "the club - an evening";
        let (games, defects) = read_all(&format!("{line}\n\nf5d6c3 40-24\n"));
        assert_eq!(games.len(), 1);
        let told = format!("test:1 (game 1): found \"{line}\", expected moves with these names");
        assert!(defects[0].starts_with(&told), "{}", defects[0]);
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
            let above = format!("{line}\n\n{other} 25-39\n");
            for text in [format!("{other} 25-39\n{line}\n"), above] {
                let (games, defects) = read_all(&text);
                assert_eq!((games.len(), defects.len()), (1, 1), "{text}");
                let told = format!("found \"{line}\", expected moves with this result");
                assert!(defects[0].contains(&told), "{}", defects[0]);
            }
        }
    }

    #[test]
    fn facts_above_a_result_stay() {
        let moves = "f5d6c3d3c4";
        for head in
            ["Place: Paris\nTable: 4\nResult: 40-24", "Result: 40-24\nTable: 4\nPlace: Paris"]
        {
            let game = read_text(&format!("{head}\n{moves}\n")).remove(0).game;
            assert_eq!(game.stated.as_ref().and_then(Stated::black_discs), Some(40), "{head}");
            assert_eq!([&game.extra["Site"], &game.extra["Table"]], ["Paris", "4"], "{head}");
        }
        let game = read_text(&format!("B: Ann\nW: Bob\nR: 40-24\n{moves}\n")).remove(0).game;
        assert_eq!(game.black.name.as_deref(), Some("Ann"));
        assert_eq!(game.stated.as_ref().and_then(Stated::black_discs), Some(40));
        let game = read_text(&format!("B: 40\nW: 24\n{moves}\n")).remove(0).game;
        assert_eq!((game.black.name, &game.extra["B"][..]), (None, "40"));
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
    fn a_pass_may_have_a_line_of_its_own() {
        // Black passes behind the 58th move of this game.
        let before = "d3c5c6c7e6f5d6f6b5c4b6b4d7e7c3b3a4d2c8a3a5a6b7f4e8a8a7b8e3d8f7g8g3c2f8h2h8e2f3g2f2g4\
            g5h5d1c1e1g6h7g7h1f1h4g1h3";
        let squares: String =
            (0..before.len() / 2).map(|at| format!("{}\n", &before[2 * at..2 * at + 2])).collect();
        for (first, passes) in [(&squares[..], "PASS"), (&squares[..], "pass"), (before, "PASS")] {
            let text = format!("{first}\n").replace("\n\n", "\n")
                + &format!("{passes}\nb1\nb2\nh6\n{passes}\na2\na1\n");
            let games = read_text(&text);
            assert_eq!((games.len(), games[0].game.moves.len()), (1, 60), "{text}");
        }
        // A pass where the side can move is none of the game.
        let (games, defects) = read_all("f5\nd6\npass\n");
        assert_eq!((games.len(), defects.len()), (1, 1), "{defects:?}");
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
