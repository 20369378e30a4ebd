//! Which lines of a file are one game: names and moves that stand below each other or that empty lines part, whichever
//! comes first in a file, and the words beside them.

use std::collections::VecDeque;

use super::block::{Block, Kind, add_words};
use super::comment::{COMMENT_MARKS, is_comment};
use super::facts_of::{agree, has_names};
use super::line::{inside, read};
use super::words::Words;
use crate::files::fault::Place;
use crate::files::games::draft::{Draft, Refused};
use crate::files::games::name_words::folded_name;

/// Whether the facts of a file's games stand before their moves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    FactsFirst,
    MovesFirst,
}

/// What becomes of the first block that waits.
enum Step {
    /// It is a game.
    Game,
    /// It is facts that no moves belong to.
    Alone,
    /// It is one with the second.
    Join,
    Wait,
}

/// The lines of a file so far.
#[derive(Default)]
pub(super) struct Joiner {
    /// What the last line is of, and the next one may be.
    open: Option<Block>,
    /// Blocks of which it is not known yet what they belong to; at most a few.
    waiting: VecDeque<Block>,
    /// Names with a result that belong to no moves beside them, as in a list of results.
    listed: Vec<Block>,
    order: Option<Order>,
    done: VecDeque<Result<Draft, Refused>>,
    words: Words,
    is_over: bool,
    /// Whether lines that say something else were passed over.
    pub(super) has_words: bool,
}

/// Results in a list that are looked for among the games below it.
const MOST_LISTED: usize = 2_000;

impl Joiner {
    /// The next game; the last one stays, while words may follow that are kept with it.
    pub(super) fn pop(&mut self) -> Option<Result<Draft, Refused>> {
        if self.is_over || self.done.len() > 1 { self.done.pop_front() } else { None }
    }

    /// No more comes.
    pub(super) fn end(&mut self) {
        self.close();
        let words = self.words.settled(true);
        self.keep(words);
        self.settle(true);
        self.is_over = true;
        self.done.extend(self.listed.drain(..).map(Block::close));
    }

    /// Takes a game, or a refusal, that no other line belongs to.
    pub(super) fn put(&mut self, game: Result<Draft, Refused>) {
        self.settle(true);
        self.done.push_back(game);
    }

    /// Takes the next line.
    pub(super) fn take(&mut self, number: u64, line: &str) {
        if self.open.as_mut().is_some_and(|open| open.takes_the_end(line)) {
            return;
        }
        let mut games = read(line, Place::Line(number));
        let Some(last) = games.pop() else { return self.take_words(line) };
        self.words.add_in_braces(line);
        match (&mut self.open, last) {
            (Some(open), Ok(next)) if games.is_empty() && open.goes_on_with(&next, line) => {
                open.words.extend(self.words.all());
                open.append(next, line);
            }
            (above, last) => {
                let is_below = above.as_ref().is_some_and(Block::ends_with_moves);
                let (of_above, words) = self.words.parted(above.is_some());
                above.iter_mut().for_each(|above| above.words.extend(of_above.iter().cloned()));
                self.close();
                games.into_iter().for_each(|game| self.put(game));
                match last {
                    Ok(draft) => {
                        let mut open = Block::new(draft, line);
                        open.words = words;
                        open.is_below = is_below;
                        if self.awaits_moves() {
                            open.name_above();
                        }
                        self.open = Some(open);
                    }
                    refused => self.put(refused),
                }
            }
        }
    }

    /// Takes a line that is no part of a game.
    fn take_words(&mut self, line: &str) {
        let text = line.trim();
        match () {
            () if text.is_empty() => self.take_an_empty_line(),
            // A comment parts nothing.
            () if is_comment(inside(line)) || is_comment(text) => {
                self.words.add(text.trim_start_matches(COMMENT_MARKS), false);
            }
            () => {
                self.has_words = true;
                self.words.add(line, true);
                match &mut self.open {
                    Some(open) => open.part(),
                    // Facts behind them are those of the next game.
                    None if self.waiting.back().is_some_and(|last| last.kind() != Kind::Facts) => {
                        self.settle(true);
                    }
                    None => {}
                }
            }
        }
    }

    /// Ends what stands above, which words right below it belong to.
    fn take_an_empty_line(&mut self) {
        match &mut self.open {
            Some(open) => {
                open.words.extend(self.words.all());
                // Moves may go on behind a diagram of the game.
                match open.is_drawn() {
                    true => open.part(),
                    false => self.close(),
                }
            }
            None => {
                let words = self.words.settled(false);
                self.keep(words);
            }
        }
    }

    /// Takes a board that is drawn in rows: a diagram of the game so far parts nothing, and is no start of another one.
    pub(super) fn take_board(&mut self, place: Place, board: &str) {
        let mut draft = Draft::new(place);
        draft.say("start", board);
        let is_of = |game: &Draft| draft.said.shows_the_end_of(&game.entries);
        if self.open.is_none() && self.waiting.back().is_some_and(|last| is_of(&last.draft)) {
            self.open = self.waiting.pop_back();
            self.open.iter_mut().for_each(Block::part);
        }
        match &mut self.open {
            Some(open) if is_of(&open.draft) => open.put_drawn(),
            None if matches!(self.done.back(), Some(Ok(last)) if is_of(last)) => {}
            _ => {
                self.close();
                self.open = Some(Block::new(draft, board.lines().next().unwrap_or_default()));
            }
        }
    }

    /// Keeps words with what stands above them.
    fn keep(&mut self, words: Vec<String>) {
        match (self.waiting.back_mut(), self.done.back_mut()) {
            (Some(block), _) => block.words.extend(words),
            (None, Some(Ok(draft))) => add_words(draft, words),
            _ => {}
        }
    }

    /// Whether names wait for the moves that come next.
    fn awaits_moves(&self) -> bool {
        let last = self.waiting.back();
        last.is_some_and(|block| block.kind() == Kind::Facts && has_names(&block.draft))
            && (self.waiting.len() == 1 || self.order == Some(Order::FactsFirst))
    }

    /// The next line belongs to no line before it, unless that is parted from it.
    fn close(&mut self) {
        match self.open.take() {
            Some(block) if block.kind() == Kind::Other => self.put(block.close()),
            Some(block) => {
                self.waiting.push_back(block);
                self.settle(false);
            }
            None => {}
        }
    }

    /// Hands out what is sure, and all where nothing follows.
    fn settle(&mut self, is_last: bool) {
        while let Some(first) = self.waiting.pop_front() {
            let second = self.waiting.front();
            let step = match (first.kind(), second.map(Block::kind)) {
                (Kind::Game, Some(Kind::Facts)) => match second {
                    Some(facts) if facts.trails(&first) => self.behind_a_game(is_last),
                    _ => Step::Game,
                },
                (Kind::Game, None) if !is_last => Step::Wait,
                (Kind::Game, _) | (Kind::Moves, Some(Kind::Moves | Kind::Game)) => Step::Game,
                (Kind::Moves, None) if is_last => Step::Game,
                (Kind::Moves, Some(_)) => match self.order_of(&first, is_last) {
                    Some(Order::MovesFirst) => Step::Join,
                    Some(Order::FactsFirst) => Step::Game,
                    None => Step::Wait,
                },
                (_, Some(_)) if second.is_some_and(|next| self.leads(&first, next)) => Step::Join,
                (_, Some(_)) => Step::Alone,
                (_, None) if is_last => Step::Alone,
                (_, None) => Step::Wait,
            };
            match step {
                Step::Game => self.game(first),
                Step::Alone => self.alone(first),
                Step::Join => self.join(first),
                Step::Wait => return self.waiting.push_front(first),
            }
        }
    }

    /// Puts a block and the one behind it as one before all that wait.
    fn join(&mut self, first: Block) {
        let whole = match self.waiting.pop_front() {
            Some(second) => first.joined_with(second),
            None => first,
        };
        self.waiting.push_front(whole);
    }

    /// What the first block that waits is for the game above it, which it may trail: right below its moves it is
    /// its, and behind an empty line where names follow or nothing does.
    fn behind_a_game(&self, is_last: bool) -> Step {
        let is_below = self.waiting.front().is_some_and(|block| block.is_below);
        match self.waiting.get(1) {
            _ if is_below => Step::Join,
            None if is_last => Step::Join,
            None => Step::Wait,
            Some(next) if has_names(&next.draft) => Step::Join,
            Some(_) => Step::Game,
        }
    }

    /// Whether facts belong to the block behind them.
    fn leads(&self, facts: &Block, next: &Block) -> bool {
        // Of a list of results the last is as little of the game below as the others.
        let is_of_list =
            !self.listed.is_empty() && has_names(&facts.draft) && !facts.confirms(next);
        facts.fits(next) && !is_of_list
    }

    /// Whether the facts behind these moves belong to them; none while that is not sure.
    fn order_of(&mut self, moves: &Block, is_last: bool) -> Option<Order> {
        while let (Some(facts), Some(more)) = (self.waiting.front(), self.waiting.get(1))
            && more.kind() == Kind::Facts
            && facts.fits(more)
        {
            let facts = self.waiting.pop_front()?;
            self.join(facts);
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
        let by_place = || match (next.map(Block::kind), self.waiting.get(2).map(Block::kind)) {
            (None, _) => is_last.then_some(Order::MovesFirst),
            (Some(Kind::Facts), _) | (Some(_), Some(Kind::Facts)) => Some(Order::MovesFirst),
            (Some(_), Some(_)) => Some(Order::FactsFirst),
            (Some(_), None) => is_last.then_some(Order::FactsFirst),
        };
        self.order = self.order.or_else(by_board).or_else(by_place);
        self.order
    }

    /// Hands out a game; a line of a list of results may be its.
    fn game(&mut self, mut game: Block) {
        let place = self.listed.iter().position(|listed| match has_names(&game.draft) {
            true => are_equal(&game.draft, &listed.draft) && agree(&listed.draft, &game.draft),
            false => listed.confirms(&game),
        });
        if let Some(place) = place {
            game = self.listed.remove(place).joined_with(game);
        }
        self.done.push_back(game.close());
    }

    /// Facts without moves: a line of a list, words, or a refusal.
    fn alone(&mut self, facts: Block) {
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
