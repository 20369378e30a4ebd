//! Names and moves that empty lines part: which of them are one game, whichever comes first in a file.

use std::collections::VecDeque;

use super::joined::{Kind, Open, add_words};
use super::parts::{agree, has_names};
use crate::files::games::draft::{Draft, Refused};
use crate::files::games::name_words::folded_name;
use crate::files::games::replay::Entry;

/// Whether the facts of a file's games stand before their moves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    FactsFirst,
    MovesFirst,
}

/// Blocks of lines, each of which is a game or a part of one.
#[derive(Default)]
pub(super) struct Blocks {
    /// Blocks of which it is not known yet what they belong to; at most a few.
    waiting: VecDeque<Open>,
    /// Names with a result that belong to no moves beside them, as in a list of results.
    listed: Vec<Open>,
    order: Option<Order>,
    done: VecDeque<Result<Draft, Refused>>,
    is_over: bool,
    /// The moves of the last game.
    last: Vec<Entry>,
    /// Whether a diagram of it came last.
    is_drawn: bool,
    /// Whether lines that say something else were passed over.
    pub(super) has_words: bool,
}

/// Results in a list that are looked for among the games below it.
const MOST_LISTED: usize = 2_000;

impl Blocks {
    /// The next game; the last one stays, while words may follow that are kept with it.
    pub(super) fn pop(&mut self) -> Option<Result<Draft, Refused>> {
        if self.is_over || self.done.len() > 1 { self.done.pop_front() } else { None }
    }

    /// Keeps words with what stands above them.
    pub(super) fn say(&mut self, words: Vec<String>) {
        match (self.waiting.back_mut(), self.done.back_mut()) {
            (Some(block), _) => block.words.extend(words),
            (None, Some(Ok(draft))) => add_words(draft, words),
            _ => {}
        }
    }

    /// Whether names wait for the moves that come next.
    pub(super) fn await_moves(&self) -> bool {
        let last = self.waiting.back();
        last.is_some_and(|block| block.kind() == Kind::Facts && has_names(&block.draft))
            && (self.waiting.len() == 1 || self.order == Some(Order::FactsFirst))
    }

    /// Takes a game, or a refusal, that no other block belongs to.
    pub(super) fn put(&mut self, game: Result<Draft, Refused>) {
        self.settle(true);
        self.done.push_back(game);
    }

    /// Takes a block that no line behind it belongs to, unless empty lines are between.
    pub(super) fn push(&mut self, block: Open) {
        if block.kind() == Kind::Other {
            return self.put(block.close());
        }
        let draft = &block.draft;
        let is_drawn = draft.said.shows_the_end_of(&self.last);
        if is_drawn && draft.entries.is_empty() {
            self.is_drawn = true;
            return;
        }
        let is_behind_a_diagram = std::mem::take(&mut self.is_drawn) || is_drawn;
        if let Some(last) = self.waiting.back_mut().filter(|_| is_behind_a_diagram)
            && last.goes_on_behind_a_diagram(draft)
        {
            last.take_moves(block);
            self.last.clone_from(&last.draft.entries);
            return;
        }
        if !draft.entries.is_empty() {
            self.last.clone_from(&draft.entries);
        }
        self.waiting.push_back(block);
        self.settle(false);
    }

    /// Words come between: facts behind them are those of the next game.
    pub(super) fn part(&mut self) {
        if self.waiting.back().is_some_and(|block| block.kind() != Kind::Facts) {
            self.settle(true);
        }
    }

    /// No more comes.
    pub(super) fn end(&mut self) {
        self.settle(true);
        self.is_over = true;
        let listed = std::mem::take(&mut self.listed);
        self.done.extend(listed.into_iter().map(Open::close));
    }

    /// Hands out what is sure, and all where nothing follows.
    fn settle(&mut self, is_last: bool) {
        while let Some(first) = self.waiting.pop_front() {
            let second = self.waiting.front();
            let next = match (first.kind(), second.map(Open::kind)) {
                (Kind::Game, Some(Kind::Facts))
                    if second.is_some_and(|facts| facts.trails(&first)) =>
                {
                    self.behind_a_game(is_last)
                }
                (Kind::Game, None) if !is_last => Step::Wait,
                (Kind::Game, _) | (Kind::Moves, Some(Kind::Moves | Kind::Game)) => Step::Game,
                (Kind::Facts, Some(_)) if second.is_some_and(|next| self.leads(&first, next)) => {
                    Step::Join
                }
                (Kind::Facts, Some(_)) => Step::Alone,
                (Kind::Moves, Some(_)) => match self.order_of(&first, is_last) {
                    Some(Order::MovesFirst) => Step::Join,
                    Some(Order::FactsFirst) => Step::Game,
                    None => Step::Wait,
                },
                (Kind::Moves, None) if is_last => Step::Game,
                (_, None) if is_last => Step::Alone,
                _ => Step::Wait,
            };
            match next {
                Step::Game => self.game(first),
                Step::Alone => self.alone(first),
                Step::Join => {
                    let second = self.waiting.pop_front();
                    self.waiting.push_front(first.joined_with(second));
                }
                Step::Wait => return self.waiting.push_front(first),
            }
        }
    }

    /// What the first block that waits is for the game above it, which it may trail: right below its moves it is
    /// its, and behind an empty line where names follow or nothing does.
    fn behind_a_game(&self, is_last: bool) -> Step {
        let is_below = self.waiting.front().is_some_and(|block| block.is_below);
        match self.waiting.get(1) {
            None if is_below || is_last => Step::Join,
            None => Step::Wait,
            Some(next) if is_below || has_names(&next.draft) => Step::Join,
            Some(_) => Step::Game,
        }
    }

    /// Whether facts belong to the block behind them.
    fn leads(&self, facts: &Open, next: &Open) -> bool {
        // Of a list of results the last is as little of the game below as the others.
        let is_of_list =
            !self.listed.is_empty() && has_names(&facts.draft) && !facts.confirms(next);
        facts.fits(next) && !is_of_list
    }

    /// Whether the facts behind these moves belong to them; none while that is not sure.
    fn order_of(&mut self, moves: &Open, is_last: bool) -> Option<Order> {
        while let (Some(facts), Some(more)) = (self.waiting.front(), self.waiting.get(1)) {
            if more.kind() != Kind::Facts || !facts.fits(more) {
                break;
            }
            let facts = self.waiting.pop_front()?;
            let more = self.waiting.pop_front();
            self.waiting.push_front(facts.joined_with(more));
        }
        let facts = self.waiting.front()?;
        // A game starts from no board below its moves.
        if !facts.fits(moves) || facts.draft.said.has_start() {
            return Some(Order::FactsFirst);
        }
        let next = self.waiting.get(1);
        let by_board = || match next {
            _ if facts.confirms(moves) => Some(Order::MovesFirst),
            Some(next) if !facts.fits(next) => Some(Order::MovesFirst),
            Some(next) if facts.confirms(next) => Some(Order::FactsFirst),
            _ => None,
        };
        let by_place = || match (next.map(Open::kind), self.waiting.get(2).map(Open::kind)) {
            (None, _) => is_last.then_some(Order::MovesFirst),
            (Some(Kind::Facts), _) | (Some(_), Some(Kind::Facts)) => Some(Order::MovesFirst),
            (Some(_), Some(_)) => Some(Order::FactsFirst),
            (Some(_), None) => is_last.then_some(Order::FactsFirst),
        };
        self.order = self.order.or_else(by_board).or_else(by_place);
        self.order
    }

    /// Hands out a game; a line of a list of results may be its.
    fn game(&mut self, mut game: Open) {
        let place = self.listed.iter().position(|listed| match has_names(&game.draft) {
            true => are_equal(&game.draft, &listed.draft) && agree(&listed.draft, &game.draft),
            false => listed.confirms(&game),
        });
        if let Some(place) = place {
            game = self.listed.remove(place).joined_with(Some(game));
        }
        self.done.push_back(game.close());
    }

    /// Facts without moves: a line of a list, words, or a refusal.
    fn alone(&mut self, facts: Open) {
        let draft = &facts.draft;
        if has_names(draft) && draft.game.stated.is_some() && self.listed.len() < MOST_LISTED {
            self.listed.push(facts);
        } else if facts.is_of_words() {
            self.has_words = true;
        } else {
            self.done.push_back(facts.close());
        }
    }
}

enum Step {
    /// The first block is a game.
    Game,
    /// It is facts that no moves belong to.
    Alone,
    /// It is one with the second.
    Join,
    Wait,
}

/// Whether both name the same players.
fn are_equal(one: &Draft, other: &Draft) -> bool {
    let name = |name: &Option<String>| name.as_deref().map(folded_name);
    let names = |draft: &Draft| [name(&draft.game.black.name), name(&draft.game.white.name)];
    names(one) == names(other)
}

#[cfg(test)]
mod tests {
    use crate::files::games::testing::{read_all, read_text};

    /// Two games to their ends: 12-52 and 64-0.
    const ONE: &str = "f5f4f3f6c4g3f7e3f2d3d2g4h3c6d6e6b6c5b4g6g5e7e8c2c3h4h5c1e2d7c8d8e1d1b1g1f1a1c7\
        b5a5b2b3g2h1a4a3a7a6a2f8g7h2g8h8h7h6b7a8b8";
    const TWO: &str = "e6f4e3f6g5d6e7f5c5";

    fn names(text: &str) -> Vec<(String, usize)> {
        let game = |read: crate::files::games::ReadGame| {
            (read.game.black.name.unwrap_or_default(), read.game.moves.len())
        };
        read_text(text).into_iter().map(game).collect()
    }

    #[test]
    fn empty_lines_part_no_names_from_their_moves() {
        for text in [
            format!("Ann 12-52 Bob\n\n{ONE}\n\nEve 64-0 Kim\n\n{TWO}\n"),
            format!("{ONE}\n\nAnn 12-52 Bob\n\n{TWO}\n\nEve 64-0 Kim\n"),
            format!("Ann - Bob\n\n{ONE}\n\nEve - Kim\n\n{TWO}\n"),
            format!("{ONE}\n\nAnn - Bob\n\n{TWO}\n\nEve - Kim\n"),
            format!("Ann - Bob\n\n\n\n{ONE}\n12-52\n\n\nEve - Kim\n\n{TWO}\n64-0\n"),
            format!("Black: Ann\nWhite: Bob\n\n{ONE}\n\nBlack: Eve\nWhite: Kim\n\n{TWO}\n"),
            format!("{ONE}\n\nBlack: Ann\nWhite: Bob\n\n{TWO}\n\nBlack: Eve\nWhite: Kim\n"),
            format!(
                "Event: Cup\n\nAnn 12-52 Bob\n\n{ONE}\n\nEvent: Cup\n\nEve 64-0 Kim\n\n{TWO}\n"
            ),
            format!("Noir : Ann\nBlanc : Bob\n\n{ONE}\n\nNoir : Eve\nBlanc : Kim\n\n{TWO}\n"),
            format!("Ann 12-52 Bob\nEve 64-0 Kim\n\nAnn - Bob\n{ONE}\n\nEve - Kim\n{TWO}\n"),
            format!("Ann 12-52 Bob\nEve 64-0 Kim\n\n{ONE}\n\n{TWO}\n"),
            format!(
                "Ann 12-52 Bob\n\nEve 64-0 Kim\n\nAnn 12-52 Bob\n\n{ONE}\n\nEve 64-0 Kim\n\n{TWO}\n"
            ),
        ] {
            assert_eq!(names(&text), [("Ann".to_owned(), 60), ("Eve".to_owned(), 9)], "{text}");
        }
    }

    /// What each game of a text has: its players, result, event and comment.
    fn facts(text: &str) -> Vec<String> {
        let told = |read: crate::files::games::ReadGame| {
            let game = read.game;
            let mut told = vec![game.black.name.unwrap_or_default()];
            told.extend(game.stated.map(|stated| stated.to_string()));
            told.extend(game.event);
            told.extend(game.extra.into_iter().map(|(name, value)| format!("{name} {value}")));
            told.join(", ")
        };
        read_text(text).into_iter().map(told).collect()
    }

    #[test]
    fn facts_behind_a_game_are_its() {
        let heads = ["Black: Ann\nWhite: Bob", "Black: Cid\nWhite: Dan"];
        let moves = ["f5d6c3d3c4", "f5f6e6f4"];
        // Right below the moves.
        let below = |facts: [&str; 2]| {
            let each = |at: usize| format!("{}\n{}\n{}\n", heads[at], moves[at], facts[at]);
            format!("{}\n{}", each(0), each(1))
        };
        for (said, told) in [
            (
                ["Event: Cup\nResult: 40-24", "Event: Cap\nResult: 30-34"],
                ["40-24, Cup", "30-34, Cap"],
            ),
            (["Comment: nice", "Comment: bad"], ["Comment nice", "Comment bad"]),
            (["Mood: great", "Mood: sad"], ["Mood great", "Mood sad"]),
        ] {
            let expected = [format!("Ann, {}", told[0]), format!("Cid, {}", told[1])];
            assert_eq!(facts(&below(said)), expected, "{said:?}");
        }
        // Results with empty lines around them.
        let names = ["Ann - Bob", "Cid - Dan"];
        let parted = |results: [&str; 2]| {
            let each = |at: usize| format!("{}\n\n{}\n\n{}\n", names[at], moves[at], results[at]);
            format!("{}\n{}", each(0), each(1))
        };
        assert_eq!(facts(&parted(["40-24", "30-34"])), ["Ann, 40-24", "Cid, 30-34"]);
        assert_eq!(facts(&parted(["Result: 40-24", "40-24"])), ["Ann, 40-24", "Cid, 40-24"]);
        assert_eq!(
            facts(&parted(["Comment: nice", "Comment: bad"])),
            ["Ann, Comment nice", "Cid, Comment bad"]
        );
        // Above the names they are the next game's.
        let led = format!("Comment: nice\n\n{}\n\n{}\n\n", names[0], moves[0])
            + &format!("Comment: bad\n\n{}\n\n{}\n", names[1], moves[1]);
        assert_eq!(facts(&led), ["Ann, Comment nice", "Cid, Comment bad"]);
        let led = format!("40-24\n\n{}\n\n{}\n\n", names[0], moves[0])
            + &format!("40-24\n\n{}\n\n{}\n", names[1], moves[1]);
        assert_eq!(facts(&led), ["Ann, 40-24", "Cid, 40-24"]);
        let led =
            format!("{}\n{}\n\nEvent: Cap\n\n{}\n{}\n", heads[0], moves[0], heads[1], moves[1]);
        assert_eq!(facts(&led), ["Ann", "Cid, Cap"]);
        let led = format!("{}\n{}\nEvent: Cap\n{}\n{}\n", heads[0], moves[0], heads[1], moves[1]);
        assert_eq!(facts(&led), ["Ann", "Cid, Cap"]);
    }

    #[test]
    fn a_block_is_given_to_no_other_game() {
        // Names behind a game that has some, or before one, are none of it.
        for (text, count) in [
            (format!("Ann 12-52 Bob: {ONE}\n\nEve 40-24 Kim\n"), 1),
            (format!("Eve 40-24 Kim\n\n{ONE}\n"), 1),
            (format!("Ann 12-52 Bob\nEve 64-0 Kim\n\n{ONE}\n"), 1),
        ] {
            let (games, defects) = read_all(&text);
            assert_eq!((games.len(), defects.len()), (count, 1), "{text}");
            assert!(defects[0].contains("expected moves with these names"), "{}", defects[0]);
            assert_ne!(games[0].game.black.name.as_deref(), Some("Eve"), "{text}");
        }
        let found = names(&format!("{TWO}\n\nAnn 12-52 Bob\n\n{ONE}\n"));
        assert_eq!(found, [(String::new(), 9), ("Ann".to_owned(), 60)]);
        let found = names(&format!("{ONE}\n\nGames of today\n\nEve - Kim\n\n{TWO}\n"));
        assert_eq!(found, [(String::new(), 60), ("Eve".to_owned(), 9)]);
    }
}
