//! Texts in an array: where each is a single move, all of them are one game.

use crate::files::fault::Place;
use crate::files::games::draft::{Draft, MOST_ENTRIES};
use crate::othello::board::move_text::whole_move;

/// An array whose texts are being read.
pub(super) struct Array {
    /// Which of the arrays of the file it is.
    pub(super) number: usize,
    texts: Texts,
}

/// What the texts so far are.
enum Texts {
    /// Single moves, with their places.
    Moves(Vec<(Place, String)>),
    /// Games of their own.
    Games,
    /// Moves of a game that is refused.
    Spoiled,
}

impl Array {
    pub(super) const fn new(number: usize) -> Self {
        Self { number, texts: Texts::Moves(Vec::new()) }
    }

    /// Takes the next text; gives those that are games of their own.
    pub(super) fn take(&mut self, place: Place, text: String) -> Vec<(Place, String)> {
        let is_move = !text.trim().is_empty() && whole_move(&text).is_some();
        match &mut self.texts {
            // Behind more moves than a game has nothing makes them games of their own.
            Texts::Moves(moves) if moves.len() == MOST_ENTRIES => Vec::new(),
            Texts::Moves(moves) if is_move => {
                moves.push((place, text));
                Vec::new()
            }
            Texts::Moves(moves) => {
                let mut games = std::mem::take(moves);
                games.push((place, text));
                self.texts = Texts::Games;
                games
            }
            Texts::Games => vec![(place, text)],
            Texts::Spoiled => Vec::new(),
        }
    }

    /// Something in it is no text.
    pub(super) fn spoil(&mut self) {
        if let Texts::Moves(moves) = &self.texts
            && !moves.is_empty()
        {
            self.texts = Texts::Spoiled;
        }
    }

    /// The game that the texts are the moves of.
    pub(super) fn into_game(self) -> Option<Draft> {
        let Texts::Moves(moves) = self.texts else { return None };
        let mut draft = Draft::new(moves.first()?.0);
        moves.iter().filter_map(|(_, text)| whole_move(text)).for_each(|played| draft.push(played));
        Some(draft)
    }
}
