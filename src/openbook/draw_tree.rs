//! The positions from which a draw is in reach.

use std::collections::HashSet;

use foldhash::fast::FixedState;

use crate::openbook::{NodeSource, Values, WithFacts, child_of};
use crate::othello::board::{Key, Placed, Side, Square, write_from_f5};
use crate::othello::score::Score;

#[derive(Clone, PartialEq, Debug)]
pub struct DrawPosition {
    /// The moves to it from the position that was asked for: a shortest way.
    pub moves: Vec<Square>,
    /// The side to move there.
    pub side: Side,
    /// Its values for the side to move, with facts.
    pub values: Values,
    /// What searches alone say, where facts make a difference.
    pub searched_values: Option<Values>,
}

/// All positions of a book, with facts, from which neither side can be kept from a draw as far as is known.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct DrawTree {
    pub positions: u64,
    /// Of how many it is proven that they are drawn.
    pub proven: u64,
    /// The first of them, those with the fewest moves first.
    pub first: Vec<DrawPosition>,
}

/// Whether a draw is in reach: the side that seeks draws need not lose, and the one that avoids
/// them cannot win, `win_seeking <= 0 <= draw_seeking` (source: NTest).
pub(crate) fn is_on_draw_tree(values: Values) -> bool {
    values.win_seeking <= Score::ZERO && Score::ZERO <= values.draw_seeking
}

/// A position of the tree, and how it was reached.
struct TreePosition {
    placed: Placed,
    values: Values,
    before: Option<(u32, Square)>,
}

/// The draw tree below a position, and the first `count` positions of it. Only lines that never
/// leave the tree are followed.
pub fn draw_tree<S: NodeSource + ?Sized>(
    book: &S,
    placed: Placed,
    count: usize,
) -> Result<DrawTree, S::Error> {
    let mut tree = DrawTree::default();
    let book = &WithFacts::of(book)?;
    let root = book.node(&Key::of(placed.position))?;
    let Some(root) = root.filter(|node| is_on_draw_tree(node.values)) else { return Ok(tree) };
    let mut seen: HashSet<Key, FixedState> = HashSet::default();
    seen.insert(root.key);
    let mut reached = vec![TreePosition { placed, values: root.values, before: None }];
    let mut at = 0;
    while at < reached.len() {
        let TreePosition { placed, values, .. } = reached[at];
        tree.positions += 1;
        tree.proven += u64::from((values.lower, values.upper) == (0, 0));
        if tree.first.len() < count {
            let moves = moves_to(&reached, at);
            let searched_values = book.searched(&Key::of(placed.position), values)?;
            let side = placed.side;
            tree.first.push(DrawPosition { moves, side, values, searched_values });
        }
        for square in placed.position.legal_moves() {
            let Some((key, _)) = child_of(placed.position, square) else { continue };
            if seen.contains(&key) {
                continue;
            }
            let Some(child) = book.node(&key)? else { continue };
            if !is_on_draw_tree(child.values) {
                continue;
            }
            let Some(next) = placed.after(square) else { continue };
            seen.insert(key);
            reached.push(TreePosition {
                placed: next,
                values: child.values,
                before: Some((at as u32, square)),
            });
        }
        at += 1;
    }
    Ok(tree)
}

fn moves_to(reached: &[TreePosition], mut at: usize) -> Vec<Square> {
    let mut moves = Vec::new();
    while let Some((before, square)) = reached[at].before {
        moves.push(square);
        at = before as usize;
    }
    moves.reverse();
    if reached[0].placed == Placed::START {
        write_from_f5(&mut moves);
    }
    moves
}
