//! What two parts of a text say: whether they are of one game, and which facts one of them has.

use super::result::is_value;
use crate::files::games::draft::{Draft, MIRRORED};
use crate::files::games::replay::{Entry, replay};
use crate::files::games::stated::{Stated, StatedScore};
use crate::othello::board::{Placed, Played, Side};

/// Moves of a line that alone is hardly a game.
pub(super) const FEW: usize = 2;

/// Titles of a result.
const TITLES: [&str; 5] = ["result", "score", "final score", "final result", "r"];

/// Whether lines have a result, and neither moves nor names, nor another fact that would go with it.
pub(super) fn is_result(draft: &Draft) -> bool {
    let is_dated =
        draft.game.date.is_some() || draft.game.event.is_some() || draft.game.round.is_some();
    draft.entries.is_empty()
        && !has_names(draft)
        && !is_dated
        && draft.said.is_empty()
        && draft.game.stated.is_some()
}

/// Removes the value that a line gives its move; returns whether there was one.
pub(super) fn take_value(draft: &mut Draft) -> bool {
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
pub(super) fn is_facts(draft: &Draft) -> bool {
    let game = &draft.game;
    let is_one_name = game.black.name.is_some() != game.white.name.is_some();
    let has_fact = game.date.is_some()
        || game.event.is_some()
        || !draft.said.is_empty()
        || game.extra.contains_key("Date");
    let says_nothing = !has_names(draft) && game.stated.is_none() && game.extra.is_empty();
    let is_titled = is_one_name && game.stated.is_none() && game.extra.is_empty();
    draft.entries.is_empty() && (is_titled || has_fact || says_nothing)
}

/// Whether two lines name the same fact. A label may stand twice above the moves: both of its texts are kept.
pub(super) fn differ(first: &Draft, second: &Draft) -> bool {
    let (one, two) = (&first.game, &second.game);
    let is_again = first.entries.is_empty()
        && second.entries.is_empty()
        && !first.said.is_empty()
        && !second.said.is_empty();
    (one.black.name.is_some() && two.black.name.is_some())
        || (one.white.name.is_some() && two.white.name.is_some())
        || (!is_again && one.date.is_some() && two.date.is_some())
        || (!is_again && one.event.is_some() && two.event.is_some())
        || (!is_again && one.round.is_some() && two.round.is_some())
        || (first.said.has_start() && second.said.has_start())
}

/// The discs of Black where moves come to the end of a game, the empties to the winner.
pub(super) fn board_discs(draft: &Draft) -> Option<u8> {
    let played = starts(draft).find_map(|start| replay(start, &draft.entries).ok())?;
    played.black_discs
}

/// Whether a result is that of a board, perhaps without its empties.
pub(super) fn says(stated: &Stated, black_discs: u8) -> bool {
    let winner = match black_discs {
        32 => None,
        discs if discs > 32 => Some(Side::Black),
        _ => Some(Side::White),
    };
    match stated.score {
        Some(StatedScore::Discs { black, white }) => match black + white == 64 {
            true => black == black_discs,
            false => stated.winner() == Some(winner),
        },
        Some(StatedScore::Difference(difference)) => {
            difference == 2.0 * f64::from(black_discs) - 64.0
        }
        Some(StatedScore::Winner(side)) => side == winner,
        None => true,
    }
}

/// Whether names without a result are those of people, not of a title with a dash in it.
pub(super) fn are_people(draft: &Draft) -> bool {
    let is_person = |name: &str| {
        let is_small = |word: &str| word.starts_with(char::is_lowercase);
        !name.contains(' ') || !name.split(' ').next().is_some_and(is_small)
    };
    [&draft.game.black.name, &draft.game.white.name]
        .into_iter()
        .flatten()
        .all(|name| is_person(name))
}

/// The number of a move or a pair of them that a line begins with.
pub(super) fn number_of(line: &str) -> Option<u32> {
    let line = line.trim_start();
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let is_parted = line.get(digits..)?.starts_with(['.', ')', ':', ' ', '\t']);
    line.get(..digits)?.parse().ok().filter(|_| is_parted)
}

/// Whether a result is alone, as far as a title and a word such as `resigned` show.
pub(super) fn is_plain(draft: &Draft) -> bool {
    let said = |name: &str| draft.game.extra.get(name).map(|text| text.to_lowercase());
    said("Header").is_none_or(|title| TITLES.contains(&title.trim()))
        && said("Comment").is_none_or(|comment| comment.split_whitespace().count() == 1)
}

/// Whether two lines say the same of how a game ended, as far as they do.
pub(super) fn agree(first: &Draft, second: &Draft) -> bool {
    match (&first.game.stated, &second.game.stated) {
        (Some(one), Some(two)) => one.and(two).is_some(),
        _ => true,
    }
}

pub(super) fn is_short(draft: &Draft) -> bool {
    draft.entries.len() <= FEW
}

/// Whether names and moves on two lines are of one game, or moves on both.
pub(super) fn belong_together(
    first: &Draft,
    second: &Draft,
    are_short: bool,
    may_be_wrapped: bool,
) -> bool {
    let is_pair = has_names(first) != has_names(second)
        && first.entries.is_empty() != second.entries.is_empty()
        && (has_names(first) == first.entries.is_empty())
        && first.game.is_from_the_start()
        && second.game.is_from_the_start();
    is_pair || goes_on(first, second, are_short, may_be_wrapped)
}

/// Whether the moves of both can be played one behind the other, all of them.
pub(super) fn can_be_one(first: &Draft, second: &Draft) -> bool {
    starts(first).any(|start| replay(start, &together(first, second)).is_ok())
}

/// The moves of both, one behind the other.
fn together(first: &Draft, second: &Draft) -> Vec<Entry> {
    first.entries.iter().chain(&second.entries).cloned().collect()
}

pub(super) fn append(first: &mut Draft, second: Draft) {
    if first.entries.is_empty() {
        first.game.start = second.game.start;
    }
    second.entries.into_iter().for_each(|entry| first.push(entry));
    first.fault = first.fault.take().or(second.fault);
    first.said.in_order.extend(second.said.in_order.iter().cloned());
    second.said.facts().iter().for_each(|fact| first.say(&fact.name, &fact.value));
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
    for (name, value) in &more.extra {
        if !game.extra.contains_key(name) {
            game.set_extra(name, value);
        }
    }
    first.notes.extend(second.notes);
    first.add_result(more.stated);
}

pub(super) fn has_names(draft: &Draft) -> bool {
    draft.game.black.name.is_some() || draft.game.white.name.is_some()
}

/// Whether moves can be played on from those before, and further than from the start. Where both are as good, a line of
/// one move or two behind others like it is no game of its own. A line that is too long to be wrapped there must end
/// the game, or be of moves that hardly can be played alone.
fn goes_on(first: &Draft, second: &Draft, are_short: bool, may_be_wrapped: bool) -> bool {
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
    let together = together(first, second);
    let behind = starts(first)
        .filter_map(|start| {
            let known = replay(start, &first.entries).ok()?.moves.len();
            Some(playable(start, &together) - known)
        })
        .max();
    let whole = starts(first).find_map(|start| replay(start, &together).ok());
    // A pass plays nothing, and no game begins with one.
    let is_pass = |entry: &Entry| entry.played == Played::Pass;
    let are_passes = || !second.entries.is_empty() && second.entries.iter().all(is_pass);
    let is_further = match (behind.unwrap_or_default(), alone) {
        (0, 0) => are_passes() && whole.is_some(),
        (behind, alone) if behind == alone => are_short && first.game.stated.is_none(),
        (behind, alone) => behind > alone,
    };
    let is_hardly_alone = 4 * alone <= second.entries.len();
    is_further
        && (may_be_wrapped
            || whole.is_some_and(|whole| whole.black_discs.is_some() || is_hardly_alone))
}

/// The board that a game says it starts from, and the one that its moves may mean.
pub(super) fn starts(draft: &Draft) -> impl Iterator<Item = Placed> {
    let mirrored = draft.game.is_from_the_start().then_some(MIRRORED);
    std::iter::once(draft.game.start).chain(mirrored)
}

/// How many moves of a line can be played where it is a game of its own.
pub(super) fn playable_alone(draft: &Draft) -> usize {
    starts(draft).map(|start| playable(start, &draft.entries)).max().unwrap_or_default()
}

/// How many moves can be played.
pub(super) fn playable(start: Placed, entries: &[Entry]) -> usize {
    replay(start, entries).map_or_else(|error| error.number - 1, |played| played.moves.len())
}
