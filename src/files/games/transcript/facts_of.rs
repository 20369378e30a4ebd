//! Which facts a part of a text has, and whether two parts may be of one game as far as their facts say.

use super::moves_of::starts;
use super::result::is_value;
use crate::files::games::draft::Draft;
use crate::files::games::replay::replay;
use crate::files::games::stated::{Stated, StatedScore};
use crate::othello::board::Side;

/// Titles of a result.
const TITLES: [&str; 5] = ["result", "score", "final score", "final result", "r"];

pub(super) fn has_names(draft: &Draft) -> bool {
    draft.game.black.name.is_some() || draft.game.white.name.is_some()
}

/// Whether lines have a result, and neither moves nor names, nor another fact that would go with it.
pub(super) fn is_result(draft: &Draft) -> bool {
    let game = &draft.game;
    draft.entries.is_empty()
        && !has_names(draft)
        && game.stated.is_some()
        && (game.date.is_none() && game.event.is_none() && game.round.is_none())
        && draft.said.is_empty()
}

/// Whether a result is alone, as far as a title and a word such as `resigned` show.
pub(super) fn is_plain(draft: &Draft) -> bool {
    let said = |name: &str| draft.game.extra.get(name).map(|text| text.to_lowercase());
    said("Header").is_none_or(|title| TITLES.contains(&title.trim()))
        && said("Comment").is_none_or(|comment| comment.split_whitespace().count() == 1)
}

/// Whether a line holds nothing but facts that say what they are, or that a game was not finished.
pub(super) fn is_facts(draft: &Draft) -> bool {
    let game = &draft.game;
    let has_fact = game.date.is_some()
        || game.event.is_some()
        || !draft.said.is_empty()
        || game.extra.contains_key("Date");
    let is_one_name_or_none = game.black.name.is_none() || game.white.name.is_none();
    let has_no_more = game.stated.is_none() && game.extra.is_empty();
    draft.entries.is_empty() && (has_fact || (is_one_name_or_none && has_no_more))
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

/// Whether two lines name the same fact. A label may stand twice above the moves: both of its texts are kept.
pub(super) fn differ(first: &Draft, second: &Draft) -> bool {
    let (one, two) = (&first.game, &second.game);
    let is_bare = |draft: &Draft| draft.entries.is_empty() && !draft.said.is_empty();
    let is_again = is_bare(first) && is_bare(second);
    let have_both = (one.date.is_some() && two.date.is_some())
        || (one.event.is_some() && two.event.is_some())
        || (one.round.is_some() && two.round.is_some());
    (one.black.name.is_some() && two.black.name.is_some())
        || (one.white.name.is_some() && two.white.name.is_some())
        || (have_both && !is_again)
        || (first.said.has_start() && second.said.has_start())
}

/// Whether two lines say the same of how a game ended, as far as they do.
pub(super) fn agree(first: &Draft, second: &Draft) -> bool {
    let both = first.game.stated.as_ref().zip(second.game.stated.as_ref());
    both.is_none_or(|(one, two)| one.and(two).is_some())
}

/// Whether names without a result are those of people, not of a title with a dash in it.
pub(super) fn are_people(draft: &Draft) -> bool {
    let is_title = |name: &String| name.contains(' ') && name.starts_with(char::is_lowercase);
    ![&draft.game.black.name, &draft.game.white.name].into_iter().flatten().any(is_title)
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
        Some(StatedScore::Discs { black, white }) if black + white == 64 => black == black_discs,
        Some(StatedScore::Discs { .. }) => stated.winner() == Some(winner),
        Some(StatedScore::Difference(difference)) => {
            difference == 2.0 * f64::from(black_discs) - 64.0
        }
        Some(StatedScore::Winner(side)) => side == winner,
        None => true,
    }
}

/// Adds what a second part says; what the first one says stays.
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
