//! Counting the leaves of the game tree.

use super::{Cpu, CpuLevel, CpuTask, Position, Squares};

/// How a forced pass is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PassRule {
    /// A pass uses up one ply.
    Ply,
    /// A pass uses no ply: the other side moves at the same depth.
    Free,
}

/// Leaves of the game tree `depth` plies deep; a game that ends earlier counts as one leaf.
///
/// The last ply is counted, not played: a position one ply above the leaves has as many leaves as
/// legal moves.
pub fn perft(position: Position, depth: u32, passes: PassRule) -> u64 {
    perft_on(CpuLevel::detect(), position, depth, passes)
}

/// As [`perft`], in the code for one kind of processor.
pub(crate) fn perft_on(level: CpuLevel, position: Position, depth: u32, passes: PassRule) -> u64 {
    if depth == 0 { 1 } else { level.run(Leaves { position, depth, passes }) }
}

/// The leaves below a position; at least one ply.
struct Leaves {
    position: Position,
    depth: u32,
    passes: PassRule,
}

impl CpuTask for Leaves {
    type Output = u64;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> u64 {
        let Self { position, depth, passes } = self;
        let moves = Squares(cpu.legal_moves(position.mover, position.opponent));
        if moves.is_empty() {
            return leaves_after_pass(cpu, &self);
        }
        match depth {
            1 => moves.len() as u64,
            2 => children(cpu, position, moves)
                .map(|child| match cpu.legal_moves(child.mover, child.opponent).count_ones() {
                    0 => leaves_after_pass(cpu, &Self { position: child, depth: 1, passes }),
                    moves => u64::from(moves),
                })
                .sum(),
            _ => children(cpu, position, moves)
                .map(|child| cpu.enter(Self { position: child, depth: depth - 1, passes }))
                .sum(),
        }
    }
}

/// The leaves below a position whose mover has no move. Rare, so it may be a call.
#[cold]
fn leaves_after_pass<C: Cpu>(cpu: C, leaves: &Leaves) -> u64 {
    let Leaves { position, depth, passes } = *leaves;
    let position = position.passed();
    match passes {
        _ if !position.can_move() => 1,
        PassRule::Ply if depth == 1 => 1,
        PassRule::Ply => cpu.enter(Leaves { position, depth: depth - 1, passes }),
        PassRule::Free => cpu.enter(Leaves { position, depth, passes }),
    }
}

#[inline(always)]
fn children<C: Cpu>(cpu: C, position: Position, moves: Squares) -> impl Iterator<Item = Position> {
    moves.map(move |square| {
        position.with_move(square, cpu.flips(square, position.mover, position.opponent))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts of the start position; the two rules part at depth 9.
    #[test]
    fn start_position() {
        let counts = [1, 4, 12, 56, 244, 1396, 8200, 55092, 390_216];
        for (depth, &leaves) in counts.iter().enumerate() {
            for rule in [PassRule::Ply, PassRule::Free] {
                assert_eq!(perft(Position::START, depth as u32, rule), leaves, "depth {depth}");
            }
        }
        for level in CpuLevel::ALL {
            assert_eq!(perft_on(level, Position::START, 9, PassRule::Ply), 3_005_288, "{level}");
            assert_eq!(perft_on(level, Position::START, 9, PassRule::Free), 3_005_320, "{level}");
        }
    }
}
