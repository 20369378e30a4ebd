//! The rules of Othello on bitboards: squares, positions, moves, symmetries, lines and their text.
//!
//! ```
//! use rosebill::othello::board::{After, Key, Line, Position, Side, parse_board};
//!
//! // A line of play, read as people write it, and the board it leads to.
//! let line: Line = "f5d6c3".parse()?;
//! let placed = line.board();
//! assert_eq!((placed.side, placed.position.discs()), (Side::White, 7));
//!
//! // Positions know no colours: there is a side to move and another one.
//! let start = Position::START;
//! let f5 = "f5".parse()?;
//! assert_eq!(start.legal_moves().len(), 4);
//! assert_eq!(start.play("a1".parse()?), None);
//! let Some(After::Opponent(next)) = start.after(f5) else { panic!("White can answer f5") };
//! assert_eq!((next.mover.count_ones(), next.opponent.count_ones()), (1, 4));
//!
//! // All eight images of a board have one key.
//! let d3 = start.play("d3".parse()?).ok_or("d3 is legal")?;
//! assert_eq!(Key::of(next), Key::of(d3));
//!
//! // A board as 64 squares and the side to move.
//! let text = placed.position.board_text(placed.side);
//! assert_eq!(parse_board(&text)?, placed);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bitboard;
mod cpu;
mod flip;
mod identity;
mod key;
mod key_filter;
mod last_flip;
mod line;
mod move_fault;
pub(crate) mod move_text;
mod moves;
mod obf;
mod perft;
mod placed;
mod position;
mod square;
mod stability;
mod successors;
mod symmetry;
mod text;
mod unmove;

pub use bitboard::{Bitboard, Squares};
pub(crate) use bitboard::{CORNERS, with_neighbours};
#[cfg(target_arch = "aarch64")]
pub(crate) use cpu::Neon;
pub(crate) use cpu::Portable;
pub use cpu::{Cpu, CpuLevel, CpuLevelError, CpuTask};
pub(crate) use flip::flips;
pub use identity::Identity;
pub use key::Key;
pub(crate) use key::same_move;
pub use key_filter::KeyFilter;
pub(crate) use last_flip::last_flip_count;
pub use line::{Line, LineError, Step};
pub(crate) use line::{turn_to_f5, write_from_f5};
pub use move_fault::MoveFault;
pub use move_text::Played;
pub use moves::legal_moves;
pub use obf::{ObfError, ObfErrorKind, ObfPosition, parse_obf};
pub(crate) use perft::perft_on;
pub use perft::{PassRule, perft};
pub use placed::Placed;
pub use position::{After, Position, Side};
pub use square::{Square, SquareError};
pub(crate) use stability::stable_discs;
pub(crate) use successors::{Successor, Successors, keys_of};
pub use symmetry::Symmetry;
pub use text::{BoardError, parse_board};
pub(crate) use text::{
    BoardText, board_in, is_board_sign, looks_like_a_board, read_board, read_diagram, side_to_move,
    write_fen,
};
pub use unmove::predecessors;
