//! Whether the moves of two parts of a text are those of one game, as far as the rules say.

use super::facts_of::has_names;
use crate::files::games::draft::{Draft, MIRRORED};
use crate::files::games::replay::{Entry, replay};
use crate::othello::board::{Placed, Played};

/// Moves of a line that alone is hardly a game.
pub(super) const FEW: usize = 2;

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
fn playable(start: Placed, entries: &[Entry]) -> usize {
    replay(start, entries).map_or_else(|error| error.number - 1, |played| played.moves.len())
}

/// The moves of both, one behind the other.
fn together(first: &Draft, second: &Draft) -> Vec<Entry> {
    first.entries.iter().chain(&second.entries).cloned().collect()
}

/// Whether the moves of both can be played one behind the other, all of them.
pub(super) fn can_be_one(first: &Draft, second: &Draft) -> bool {
    let whole = together(first, second);
    second.game.is_from_the_start() && starts(first).any(|start| replay(start, &whole).is_ok())
}

/// The number of a move or a pair of them that a line begins with.
pub(super) fn number_of(line: &str) -> Option<u32> {
    let line = line.trim_start();
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let is_parted = line.get(digits..)?.starts_with(['.', ')', ':', ' ', '\t']);
    line.get(..digits)?.parse().ok().filter(|_| is_parted)
}

/// Whether moves can be played on from those before, and further than from the start. Where both are as good, a line of
/// one move or two behind others like it is no game of its own. A line that is too long to be wrapped there must end
/// the game, or be of moves that hardly can be played alone.
pub(super) fn wraps(
    first: &Draft,
    second: &Draft,
    is_first_short: bool,
    may_be_wrapped: impl Fn() -> bool,
) -> bool {
    let has_header =
        has_names(second) || second.game.date.is_some() || second.game.extra.contains_key("Header");
    if has_header || !second.game.is_from_the_start() {
        return false;
    }
    let are_short = is_first_short && second.entries.len() <= FEW;
    // Most lines are games of their own, which one look shows.
    if !are_short && replay(second.game.start, &second.entries).is_ok() {
        return false;
    }
    let alone = playable_alone(second);
    let together = together(first, second);
    let behind = starts(first).filter_map(|start| {
        let known = replay(start, &first.entries).ok()?.moves.len();
        Some(playable(start, &together) - known)
    });
    let whole = starts(first).find_map(|start| replay(start, &together).ok());
    // A pass plays nothing, and no game begins with one.
    let are_passes = || second.entries.iter().all(|entry| entry.played == Played::Pass);
    let is_further = match (behind.max().unwrap_or_default(), alone) {
        (0, 0) => are_passes() && whole.is_some(),
        (behind, alone) if behind == alone => are_short && first.game.stated.is_none(),
        (behind, alone) => behind > alone,
    };
    let is_end = |discs: Option<u8>| discs.is_some() || 4 * alone <= second.entries.len();
    is_further
        && (are_short || may_be_wrapped() || whole.is_some_and(|whole| is_end(whole.black_discs)))
}
