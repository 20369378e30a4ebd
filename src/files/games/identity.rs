//! When two games are one.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;

use super::date::Date;
use super::game::{Game, Player};
use super::name_words::may_be_the_same;
use super::stated::Stated;
use crate::othello::board::{Identity, Placed};

/// A line of so many moves is hardly ever played twice: it is the same game unless something speaks
/// against it. A shorter one is the same only if all facts are.
const TELLING_MOVES: usize = 40;

impl Identity {
    pub fn of(game: &Game) -> Self {
        Self::of_line(game.start, &game.moves)
    }
}

/// Whether two games are one game from two sources.
///
/// Their lines must be one up to orientation. From 40 moves on they are then the same unless both
/// years are known and differ, or both months, by more than one, or both name players and no word of one's
/// names is in the other's. A shorter line is the same only if all facts are, but the source and the
/// theoretical score, which few formats have.
pub fn same_game(first: &Game, second: &Game) -> bool {
    Identity::of(first) == Identity::of(second) && same_facts(first, second)
}

/// As [`same_game`] for games whose lines are known to be one.
pub(crate) fn same_facts(first: &Game, second: &Game) -> bool {
    if !is_telling(first) {
        return all_facts(first) == all_facts(second);
    }
    let dates = first.date.zip(second.date).is_none_or(|(one, other)| may_be_one_day(one, other));
    let (names, others) = (names(first), names(second));
    dates && (names.is_empty() || others.is_empty() || may_be_the_same(&names, &others))
}

/// Whether two dates may mean one game: some sources have the first day of its tournament, others the last.
fn may_be_one_day(one: Date, other: Date) -> bool {
    let months = one.month().zip(other.month());
    one.year() == other.year() && months.is_none_or(|(one, other)| one.abs_diff(other) <= 1)
}

/// Whether a line is so long that it is hardly ever played twice.
pub(crate) const fn is_telling(game: &Game) -> bool {
    game.moves.len() >= TELLING_MOVES
}

/// A number that games have in common whose facts are equal except their source and orientation, and
/// hardly any others. It means nothing to another version of the program.
pub(crate) fn facts_number(game: &Game) -> u64 {
    FixedState::default().hash_one(format!("{:?}", all_facts(game)))
}

/// Whether a game that may be a known one by [`same_game`] differs from it in its day, its round or one
/// of its players, all that other sources said of the known one included. One source that has both means
/// two games then: engines play the same line again.
pub(crate) fn differs_in_detail(known: &Game, game: &Game) -> bool {
    let differs =
        |own: Option<&str>, given: Option<&str>, name, is_same: fn(&str, &str) -> bool| {
            own.zip(given).is_some_and(|(own, given)| {
                !is_same(own, given) && !known.also(name).any(|also| is_same(also, given))
            })
        };
    let day = |game: &Game| game.date.map(|date| date.to_string());
    let (own, given) = (day(known), day(game));
    // A day says more than its year.
    let is_day = |one: &str, other: &str| one.starts_with(other) || other.starts_with(one);
    let is_equal = |one: &str, other: &str| one == other;
    let is_person = |one: &str, other: &str| may_be_the_same(&[one], &[other]);
    let name = |player: &Player| player.name.clone();
    differs(own.as_deref(), given.as_deref(), "date", is_day)
        || differs(known.round.as_deref(), game.round.as_deref(), "round", is_equal)
        || [(&known.black, &game.black, "black"), (&known.white, &game.white, "white")]
            .into_iter()
            .any(|(own, given, colour)| {
                differs(name(own).as_deref(), name(given).as_deref(), colour, is_person)
            })
}

/// The players that are known by name.
pub(super) fn names(game: &Game) -> Vec<&str> {
    [&game.black, &game.white].into_iter().filter_map(|player| player.name.as_deref()).collect()
}

/// A game without its source, its orientation, and what follows from the moves.
fn all_facts(game: &Game) -> Game {
    let (source, start, moves) = (String::new(), Placed::START, Vec::new());
    let stated = game.stated.clone().map(Stated::with_discs);
    Game { source, start, moves, stated, theoretical: None, black_discs: None, ..game.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::games::game::Theoretical;
    use crate::othello::board::Symmetry;

    fn game(text: &str) -> Game {
        let line: crate::othello::board::Line =
            text.parse().unwrap_or_else(|error| panic!("{error}"));
        Game { moves: line.squares().collect(), ..Game::default() }
    }

    /// A game in which each side plays the first square that it can.
    fn long() -> Game {
        let mut line = crate::othello::board::Line::default();
        while line.len() < 44 {
            let square = line.end().and_then(|end| end.position.legal_moves().next());
            assert!(line.push(square.unwrap_or_else(|| panic!("over after {line}"))));
        }
        Game { moves: line.squares().collect(), ..Game::default() }
    }

    fn image(game: &Game, symmetry: Symmetry) -> Game {
        let position = symmetry.position(game.start.position);
        Game {
            start: Placed { position, ..game.start },
            moves: game.moves.iter().map(|&square| symmetry.square(square)).collect(),
            ..game.clone()
        }
    }

    /// A tournament may go on into the next month, and no longer.
    #[test]
    fn one_line_months_later_is_another_game() {
        let played = |year, month, day| Game { date: Date::new(year, month, day), ..long() };
        let known = played(2020, Some(1), Some(31));
        assert!(same_game(&known, &played(2020, Some(2), Some(1))));
        assert!(same_game(&known, &played(2020, None, None)));
        assert!(!same_game(&known, &played(2020, Some(6), Some(1))));
        assert!(!same_game(&known, &played(2021, Some(1), Some(31))));
    }

    #[test]
    fn all_eight_images_are_one_game() {
        let standard = game("f5d6c3d3c4");
        // From a board without symmetry, too.
        let line = standard.line();
        let placed = line.board();
        let other = Game { start: placed, moves: vec!["f4".parse().unwrap()], ..Game::default() };
        for game in [standard, other, Game::default()] {
            let identity = Identity::of(&game);
            for symmetry in Symmetry::all() {
                assert_eq!(Identity::of(&image(&game, symmetry)), identity, "{symmetry:?}");
            }
        }
        let turned = Identity::of(&game("c4e3f6e6f5"));
        let turned: String = turned.moves().map(|square| square.to_string()).collect();
        assert_eq!(turned, "f5d6c3d3c4");
    }

    #[test]
    fn a_long_line_is_the_same_unless_something_speaks_against_it() {
        let with = |year: Option<u16>, black: Option<&str>| {
            let mut game = long();
            game.date = year.and_then(|year| Date::new(year, None, None));
            game.black.name = black.map(str::to_owned);
            game
        };
        let known = with(Some(2006), Some("Leader Imre"));
        for (other, same) in [
            (with(None, None), true),
            (with(Some(2006), Some("LEADER I.")), true),
            (with(None, Some("Imre Leader")), true),
            (with(Some(2007), Some("Leader Imre")), false),
            (with(Some(2006), Some("Borassi Michele")), false),
        ] {
            assert_eq!(same_game(&known, &other), same, "{other:?}");
            assert_eq!(same_game(&other, &known), same);
        }
        let mut event = known.clone();
        event.event = Some("EGP".to_owned());
        assert!(same_game(&known, &event));
        assert!(same_game(&known, &image(&known, Symmetry::new(3))));
    }

    #[test]
    fn a_result_may_be_written_in_several_ways() {
        let with = |stated: &str| Game { stated: Stated::read(stated), ..game("f5d6c3") };
        assert!(same_game(&with("44-20"), &with("+24")));
        assert_eq!(facts_number(&with("44-20")), facts_number(&with("+24")));
        assert!(!same_game(&with("44-20"), &with("+22")));
        assert!(!same_game(&with("44-20"), &with("1-0")));
    }

    #[test]
    fn one_source_may_have_a_line_twice() {
        let with = |day: u8, round: &str, black: &str| Game {
            date: Date::new(2020, Some(1), Some(day)),
            round: Some(round.to_owned()),
            black: Player { name: Some(black.to_owned()), ..Player::default() },
            ..long()
        };
        let known = with(2, "1", "Zebra");
        for (other, differs) in [
            (with(2, "1", "ZEBRA"), false),
            (with(3, "1", "Zebra"), true),
            (with(2, "2", "Zebra"), true),
            (with(2, "1", "Edax"), true),
            (Game { date: Date::new(2020, None, None), ..known.clone() }, false),
            (long(), false),
        ] {
            assert_eq!(differs_in_detail(&known, &other), differs, "{other:?}");
            let mut both = known.clone();
            both.absorb(&other);
            assert!(!differs_in_detail(&both, &other), "{both:?}");
        }
    }

    #[test]
    fn a_short_line_is_the_same_only_with_the_same_facts() {
        let mut one = game("f5d6c3d3c4");
        one.source = "a".to_owned();
        let mut other = game("c4e3f6e6f5");
        assert!(same_game(&one, &other));
        assert_eq!(facts_number(&one), facts_number(&other));
        other.theoretical = Some(Theoretical { black_discs: 40, empties: 24 });
        assert!(same_game(&one, &other));
        assert_eq!(facts_number(&one), facts_number(&other));
        other.round = Some("1".to_owned());
        assert!(!same_game(&one, &other));
        assert_ne!(facts_number(&one), facts_number(&other));
    }
}
