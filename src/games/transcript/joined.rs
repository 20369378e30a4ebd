//! Games that stand on several lines: names on one and moves on the next, in either order, and moves that
//! a program or a person wrapped.

use crate::board::Placed;
use crate::games::draft::{Draft, MIRRORED};
use crate::games::replay::{Entry, replay};

/// Moves of a line that alone is hardly a game.
const FEW: usize = 2;

/// The game of the last line or lines.
pub(super) struct Open {
    pub(super) draft: Draft,
    /// Whether no line of it had more than [`FEW`] moves.
    is_short: bool,
}

impl Open {
    pub(super) fn new(draft: Draft) -> Self {
        let is_short = is_short(&draft);
        Self { draft, is_short }
    }

    /// Adds the game of the next line, which belongs to it.
    pub(super) fn append(&mut self, second: Draft) {
        self.is_short &= is_short(&second);
        append(&mut self.draft, second);
    }

    /// Whether the game of the next line belongs to it.
    pub(super) fn goes_on_with(&self, second: &Draft) -> bool {
        belong_together(&self.draft, second, self.is_short && is_short(second))
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
    second.entries.into_iter().for_each(|entry| first.push(entry));
    let (game, more) = (&mut first.game, second.game);
    if game.black.name.is_none() && game.white.name.is_none() {
        (game.black, game.white) = (more.black, more.white);
    }
    game.stated = game.stated.take().or(more.stated);
    more.extra.iter().for_each(|(name, value)| game.set_extra(name, value));
}

fn has_names(draft: &Draft) -> bool {
    draft.game.black.name.is_some() || draft.game.white.name.is_some()
}

/// Whether moves can be played on from those before, and further than from the start. Where both are
/// as good, a line of one move or two behind others like it is no game of its own.
fn goes_on(first: &Draft, second: &Draft, are_short: bool) -> bool {
    let has_header = has_names(second) || second.game.extra.contains_key("Header");
    if first.entries.is_empty() || has_header || !second.game.is_from_the_start() {
        return false;
    }
    // Most lines are games of their own, which one look tells.
    if !are_short && replay(second.game.start, &second.entries).is_ok() {
        return false;
    }
    let alone = starts(second).map(|start| playable(start, &second.entries)).max();
    let together: Vec<Entry> = first.entries.iter().chain(&second.entries).cloned().collect();
    let behind = starts(first)
        .filter_map(|start| {
            let known = replay(start, &first.entries).ok()?.moves.len();
            Some(playable(start, &together) - known)
        })
        .max();
    match (behind.unwrap_or_default(), alone.unwrap_or_default()) {
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

/// How many moves can be played.
fn playable(start: Placed, entries: &[Entry]) -> usize {
    replay(start, entries).map_or_else(|error| error.number - 1, |played| played.moves.len())
}

#[cfg(test)]
mod tests {
    use crate::games::testing::{read_all, read_text};

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
            let names = |game: &crate::games::Game| (game.black.name.clone(), game.moves.len());
            let found: Vec<_> = games.iter().map(names).collect();
            assert_eq!(found, [(Some("Abe Den".to_owned()), 60), (Some("Eve".to_owned()), 5)]);
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
