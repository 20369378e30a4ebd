//! The rules of Othello on bitboards: squares, positions, moves, symmetries, lines and their text.
//!
//! ```
//! use rosebill::board::{Line, Position};
//! let line: Line = "f5d6c3".parse()?;
//! assert_eq!(line.end().map(|end| end.position.discs()), Some(7));
//! assert_eq!(Position::START.legal_moves().len(), 4);
//! # Ok::<(), rosebill::board::LineError>(())
//! ```

mod bitboard;
mod cpu;
mod flip;
mod key;
mod last_flip;
mod line;
mod moves;
mod obf;
mod perft;
mod position;
mod square;
mod stability;
mod successors;
mod symmetry;
mod text;
mod unmove;

pub use bitboard::{Bitboard, Squares};
#[cfg(target_arch = "aarch64")]
pub use cpu::Neon;
#[cfg(target_arch = "x86_64")]
pub use cpu::{Avx2, Avx512};
pub use cpu::{Cpu, CpuLevel, CpuLevelError, CpuTask, Portable};
pub use flip::flips;
pub use key::Key;
pub use last_flip::last_flip_count;
pub use line::{Line, LineError, Step, write_from_f5};
pub use moves::legal_moves;
pub use obf::{ObfError, ObfPosition, parse_obf, parse_obf_line};
pub use perft::{PassRule, perft, perft_on};
pub use position::{After, Position, Side};
pub use square::{Square, SquareError};
pub use stability::stable_discs;
pub use successors::{Successor, Successors, keys_of};
pub use symmetry::Symmetry;
pub use text::{BoardError, Placed, parse_board};
pub use unmove::predecessors;
