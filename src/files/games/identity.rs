//! When two games are one.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;

use super::date::Date;
use super::game::{Game, Player};
use super::name_words::{Alike, compare, may_be_the_same, name_words};
use super::remarks::Remarks;
use super::richer::Richer;
use super::stated::Stated;
use crate::othello::board::{Identity, Placed};

/// A line of so many moves is hardly ever played twice: it is the same game unless something speaks
/// against it.
const TELLING_MOVES: usize = 40;

impl Identity {
    pub fn of(game: &Game) -> Self {
        Self::of_line(game.start, &game.moves)
    }
}

/// Whether two games are one game from two sources.
///
/// Their lines must be one up to orientation. Where that tells enough ([`is_telling`]) they are then the same
/// unless their dates cannot mean one day, they are different rounds of one event, their names have changed
/// colours or are told apart by a number, or no word of one's names is in the other's; a program plays one line
/// again and again, so that its day and round must not differ at all. The first of January may be a year alone.
/// Another line is the same only if all facts are, but the source and the theoretical score, which few formats
/// have; or if two people are named and one source says nothing that the other does not, as a file that this program
/// wrote in a format that holds less.
pub fn same_game(first: &Game, second: &Game) -> bool {
    Identity::of(first) == Identity::of(second) && same_facts(first, second)
}

/// As [`same_game`] for games whose lines are known to be one.
pub(crate) fn same_facts(first: &Game, second: &Game) -> bool {
    if !is_telling(first) || !is_telling(second) {
        return all_facts(first) == all_facts(second) || is_a_poorer_copy(first, second);
    }
    let dates = first.date.zip(second.date);
    let may_be_one_day = dates.is_none_or(|(one, other)| one.may_be_the_day(other));
    let rounds = first.round.as_deref().zip(second.round.as_deref());
    let are_other_rounds = rounds.is_some_and(|(one, other)| are_other_rounds(one, other));
    let is_program = || names(first).iter().chain(&names(second)).any(|name| is_program(name));
    let is_another_of_a_program = || {
        let are_other_days = dates.is_some_and(|(one, other)| {
            !one.may_be_a_year() && !other.may_be_a_year() && one != other
        });
        are_other_days || are_other_rounds
    };
    may_be_one_day
        && !(are_other_rounds && is_one_event(first, second))
        && may_be_the_players(first, second)
        && !(is_program() && is_another_of_a_program())
}

/// Whether two games have the same two people, and one says nothing that the other does not.
fn is_a_poorer_copy(first: &Game, second: &Game) -> bool {
    let has_people = |game: &Game| {
        let named = names(game);
        named.len() == 2 && !named.into_iter().any(is_program)
    };
    // What is said of moves some formats hold in other words.
    let bare = |game: &Game| Game { remarks: Remarks::default(), ..game.clone() };
    let says_all = |one: &Game, other: &Game| bare(one).absorb(&bare(other)) == Richer::Known;
    has_people(first)
        && has_people(second)
        && alike_number(first) == alike_number(second)
        && (says_all(first, second) || says_all(second, first))
}

/// Whether two rounds, in the words of their sources, have other numbers.
fn are_other_rounds(one: &str, other: &str) -> bool {
    let numbers = |round: &str| -> Vec<u32> {
        let parts = round.split(|c: char| !c.is_ascii_digit());
        parts.filter_map(|part| part.parse().ok()).collect()
    };
    let (one, other) = (numbers(one), numbers(other));
    !one.starts_with(&other) && !other.starts_with(&one)
}

/// Whether both name one event, or neither says that it is another.
fn is_one_event(first: &Game, second: &Game) -> bool {
    match (&first.event, &second.event) {
        (Some(one), Some(other)) => name_words(one) == name_words(other),
        _ => false,
    }
}

/// Whether the players of two games may be the same, on the same sides.
fn may_be_the_players(first: &Game, second: &Game) -> bool {
    let (named, others) = (names(first), names(second));
    if named.is_empty() || others.is_empty() {
        return true;
    }
    let sides = [(&first.black, &second.black), (&first.white, &second.white)];
    let sides = sides.map(|(one, other)| one.name.as_deref().zip(other.name.as_deref()));
    let is_marked = |side: &Option<(&str, &str)>| {
        side.is_some_and(|(one, other)| compare(one, other) == Alike::Marked)
    };
    if sides.iter().any(is_marked) || have_changed_colours(first, second) {
        return false;
    }
    // A line that is not so long must have both names.
    match is_long(first) {
        true => may_be_the_same(&named, &others),
        false => sides.iter().flatten().all(|(one, other)| may_be_the_same(&[one], &[other])),
    }
}

/// Whether two games have the same two names with the colours changed.
fn have_changed_colours(first: &Game, second: &Game) -> bool {
    let is = |one: &Player, other: &Player| {
        one.name.as_deref().zip(other.name.as_deref()).map(|(one, other)| {
            name_words(one) == name_words(other) && compare(one, other) != Alike::Marked
        })
    };
    is(&first.black, &second.white) == Some(true)
        && is(&first.white, &second.black) == Some(true)
        && is(&first.black, &second.black) == Some(false)
}

/// Words in the names of programs.
const PROGRAMS: [&str; 26] = [
    "rhino",
    "grhino",
    "edax",
    "zebra",
    "wzebra",
    "ntest",
    "cassio",
    "logistello",
    "saio",
    "hannibal",
    "herakles",
    "cyrano",
    "egaroucid",
    "rosebill",
    "roxane",
    "nyanyan",
    "sensei",
    "pointy",
    "bugs",
    "booby",
    "bot",
    "engine",
    "computer",
    "cpu",
    "ai",
    "program",
];

/// Whether a name is that of a program, as far as it shows.
fn is_program(name: &str) -> bool {
    name.contains('@') || name_words(name).iter().any(|word| PROGRAMS.contains(&word.as_str()))
}

/// Whether a player is a program by its name: its author stands in parentheses, as in WTHOR, or it is a known one,
/// perhaps with a level or a number. `Ai` is a person.
pub(crate) fn is_named_as_program(name: &str) -> bool {
    let is_known = |word: &String| {
        let bare = word.trim_end_matches(|c: char| c.is_ascii_digit());
        bare != "ai" && PROGRAMS.contains(&bare)
    };
    name.contains(['(', '@']) || name_words(name).iter().any(is_known)
}

/// Whether a line is so long, or so much is known of its game, that it is hardly ever played twice.
pub(crate) const fn is_telling(game: &Game) -> bool {
    let is_known = game.black_discs.is_some()
        && game.black.name.is_some()
        && game.white.name.is_some()
        && game.date.is_some();
    is_long(game) || is_known
}

const fn is_long(game: &Game) -> bool {
    game.moves.len() >= TELLING_MOVES
}

/// Moves of a copy that is cut short, at least: fewer are played again.
const LEAST_MOVES_OF_A_COPY: usize = 20;

/// Whether a game is the beginning of another one that a source has whole: the same players, year, and, as far as
/// they are known, day and round.
pub(crate) fn is_cut_short_of(cut: &Game, whole: &Game) -> bool {
    let moves = cut.moves.len();
    let Some(beginning) = whole.moves.get(..moves).filter(|_| moves < whole.moves.len()) else {
        return false;
    };
    let is_named = |one: &Player, other: &Player| {
        let names = one.name.as_deref().zip(other.name.as_deref());
        names.is_some_and(|(one, other)| {
            compare(one, other) == Alike::Same && name_words(one) == name_words(other)
        })
    };
    let has_one_day = cut.date.is_some_and(|date| date.day().is_some()) && cut.date == whole.date;
    let has_one_round = cut.round.is_some() && cut.round == whole.round;
    let ends = cut.stated.as_ref().and_then(Stated::black_discs).zip(whole.black_discs);
    cut.black_discs.is_none()
        && moves >= LEAST_MOVES_OF_A_COPY
        && (moves >= TELLING_MOVES || (has_one_day && has_one_round))
        && is_named(&cut.black, &whole.black)
        && is_named(&cut.white, &whole.white)
        && cut.date.zip(whole.date).is_some_and(|(one, other)| one.may_be_the_day(other))
        && !cut
            .round
            .as_deref()
            .zip(whole.round.as_deref())
            .is_some_and(|(one, other)| are_other_rounds(one, other))
        && ends.is_none_or(|(stated, board)| stated == board)
        && Identity::of_line(cut.start, &cut.moves) == Identity::of_line(whole.start, beginning)
}

/// A number that games of one line have in common that may be one by [`same_facts`] though the line tells nothing,
/// and hardly any others. It means nothing to another version of the program.
pub(crate) fn alike_number(game: &Game) -> u64 {
    match &names(game)[..] {
        [black, white] => FixedState::default().hash_one((name_words(black), name_words(white))),
        _ => FixedState::default().hash_one(format!("{:?}", all_facts(game))),
    }
}

/// A game as its file gave it without the lists of names that belong to it, as of WTHOR; none where it has no names,
/// or where its line alone finds it.
pub(crate) fn without_names(game: &Game) -> Option<Game> {
    let unnamed = |player: &Player| Player { name: None, ..player.clone() };
    let (black, white) = (unnamed(&game.black), unnamed(&game.white));
    let has_names = !names(game).is_empty() && !is_long(game);
    has_names.then(|| Game { black, white, event: None, ..game.clone() })
}

/// As [`alike_number`], of a game with names and what may be a copy of it by [`is_bare_copy`].
pub(crate) fn bare_number(game: &Game) -> u64 {
    let discs = game.stated.as_ref().and_then(Stated::black_discs);
    FixedState::default().hash_one((game.date.map(Date::year), discs))
}

/// Whether a game without names, of a year and with a result, says nothing that a known one with names does not, as
/// of a file of WTHOR that lacks its lists of names. Where its line alone finds the game this is not asked.
pub(crate) fn is_bare_copy(copy: &Game, known: &Game) -> bool {
    let unnamed = |player: &Player| Player { name: None, ..player.clone() };
    let (black, white) = (unnamed(&known.black), unnamed(&known.white));
    names(copy).is_empty()
        && !is_long(copy)
        && copy.date.is_some()
        && copy.stated.is_some()
        && !names(known).is_empty()
        && Identity::of(copy) == Identity::of(known)
        && Game { black, white, ..known.clone() }.absorb(copy) == Richer::Known
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
    let is_day = |one: &str, other: &str| {
        let is_year = |day: &str, of: &str| day.ends_with("-01-01") && of.starts_with(&day[..4]);
        one.starts_with(other)
            || other.starts_with(one)
            || is_year(one, other)
            || is_year(other, one)
    };
    let is_equal = |one: &str, other: &str| one == other;
    let is_person = |one: &str, other: &str| compare(one, other) == Alike::Same;
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
    let stated = game.stated.clone().map(|stated| stated.without_all_discs().with_discs());
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

    fn named(black: &str, white: &str) -> Game {
        let player = |name: &str| Player { name: Some(name.to_owned()), rating: None };
        Game {
            black: player(black),
            white: player(white),
            date: Date::new(2024, None, None),
            ..long()
        }
    }

    #[test]
    fn names_with_other_marks_or_colours_are_of_other_games() {
        for (names, others) in [
            (["bot 1", "bot 2"], ["bot 2", "bot 1"]),
            (["edax 4.5", "Zed Fox"], ["edax 4.6", "Zed Fox"]),
            (["Kim Jr", "Ann"], ["Kim Sr", "Ann"]),
            (["x_1", "y"], ["x_2", "y"]),
            (["ntest lv10", "y"], ["ntest lv20", "y"]),
            (["rosebill@10", "y"], ["rosebill@20", "y"]),
            (["Ann Lee", "Bob Ray"], ["Bob Ray", "Ann Lee"]),
            (["ant+", "y"], ["ant-", "y"]),
        ] {
            let (one, other) = (named(names[0], names[1]), named(others[0], others[1]));
            assert!(!same_game(&one, &other) && !same_game(&other, &one), "{names:?} {others:?}");
            assert!(same_game(&one, &one) && same_game(&other, &other));
        }
        let (one, other) = (named("Lee A", "Kim"), named("Lee B", "Kim"));
        assert!(differs_in_detail(&one, &other));
        let (one, other) = (named("Leader Imre", "Kim"), named("LEADER I.", "Kim"));
        assert!(same_game(&one, &other) && !differs_in_detail(&one, &other));
    }

    #[test]
    fn other_rounds_of_one_event_are_other_games() {
        let with = |event: &str, round: &str, black: &str| Game {
            event: Some(event.to_owned()),
            round: Some(round.to_owned()),
            ..named(black, "Bob")
        };
        assert!(!same_game(&with("Cup", "1", "Ann"), &with("CUP", "Round 2", "Ann")));
        assert!(same_game(&with("Cup", "1", "Ann"), &with("Cup", "Round 01", "Ann")));
        assert!(same_game(&with("Cup", "1", "Ann"), &with("Club Cup", "2", "Ann")));
        assert!(!same_game(&with("Cup", "1", "Edax"), &with("Club Cup", "2", "Edax")));
    }

    #[test]
    fn the_first_of_january_may_be_a_year() {
        let on = |month, day| Game {
            date: Date::new(2024, Some(month), Some(day)),
            ..named("Ann", "Bob")
        };
        for known in [on(1, 1), named("Ann", "Bob"), on(9, 8)] {
            for other in [on(1, 1), named("Ann", "Bob"), on(9, 8), on(9, 9)] {
                assert!(same_game(&known, &other), "{known:?} {other:?}");
            }
        }
        assert!(!same_game(&on(9, 8), &on(9, 15)));
        let mut game = on(1, 1);
        game.absorb(&on(9, 8));
        game.absorb(&on(1, 1));
        game.absorb(&named("Ann", "Bob"));
        assert_eq!((game.date, game.extra.len()), (on(9, 8).date, 0));
    }

    #[test]
    fn a_copy_is_cut_short_where_all_else_is_the_same() {
        let whole = Game { black_discs: Some(40), ..named("Ann", "Bob") };
        let cut = |moves: usize, black: &str| Game {
            moves: whole.moves[..moves].to_vec(),
            ..named(black, "Bob")
        };
        assert!(is_cut_short_of(&cut(42, "Ann"), &whole));
        assert!(!is_cut_short_of(&cut(30, "Ann"), &whole));
        assert!(!is_cut_short_of(&cut(42, "Eve"), &whole));
        assert!(!is_cut_short_of(&whole, &whole));
        let mut turned = cut(42, "Ann");
        turned = image(&turned, Symmetry::new(3));
        assert!(is_cut_short_of(&turned, &whole));
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
        assert_eq!(alike_number(&with("44-20")), alike_number(&with("+24")));
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
        assert_eq!(alike_number(&one), alike_number(&other));
        other.theoretical = Some(Theoretical { black_discs: 40, empties: 24 });
        assert!(same_game(&one, &other));
        assert_eq!(alike_number(&one), alike_number(&other));
        other.round = Some("1".to_owned());
        assert!(!same_game(&one, &other));
        assert_ne!(alike_number(&one), alike_number(&other));
    }

    /// As in a file of ours in a format that holds less.
    #[test]
    fn a_short_line_of_two_people_may_be_a_poorer_copy() {
        let short = |game: Game| Game { moves: game.moves[..9].to_vec(), ..game };
        let poor = short(named("Ann Lee", "Bob Ray"));
        let rich = Game {
            event: Some("Cup".to_owned()),
            round: Some("2".to_owned()),
            date: Date::new(2024, Some(5), Some(1)),
            ..poor.clone()
        };
        assert!(same_game(&rich, &poor) && same_game(&poor, &rich));
        assert_eq!(alike_number(&rich), alike_number(&poor));
        let other_round = Game { round: Some("3".to_owned()), date: None, ..poor.clone() };
        let no_day = Game { round: rich.round.clone(), ..poor.clone() };
        assert!(!same_game(&rich, &other_round) && same_game(&rich, &no_day));
        let more = Game { event: None, stated: Stated::read("40-24"), ..rich.clone() };
        assert!(!same_game(&rich, &more), "each says what the other does not");
        for other in [named("Ann Lee", "Eve"), named("Bob Ray", "Ann Lee")] {
            assert!(!same_game(&rich, &short(other)));
        }
        let of_engines = |event: Option<&str>| Game {
            event: event.map(str::to_owned),
            ..short(named("Edax 4.6", "Zebra"))
        };
        assert!(!same_game(&of_engines(Some("Cup")), &of_engines(None)));
    }
}
