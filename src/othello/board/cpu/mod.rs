//! The same board operations for each kind of processor, chosen once at run time.
//!
//! A value of a type that is [`Cpu`] proves that this machine has the instructions it stands for,
//! so its operations are safe to call. Hot code is generic over it and entered once through
//! [`CpuLevel::run`]; inside, every operation is inlined and no branch asks for the processor.
//!
//! ```
//! use rosebill::othello::board::{Cpu, CpuLevel, CpuTask, Position};
//!
//! struct Mobility(Position);
//!
//! impl CpuTask for Mobility {
//!     type Output = u32;
//!
//!     #[inline(always)]
//!     fn run<C: Cpu>(self, cpu: C) -> u32 {
//!         cpu.legal_moves(self.0.mover, self.0.opponent).count_ones()
//!     }
//! }
//!
//! assert_eq!(CpuLevel::detect().run(Mobility(Position::START)), 4);
//! ```
//!
//! What each kind gains, in nanoseconds a call when calls overlap (`cargo bench --bench board`, a
//! Xeon with AVX-512 of 2023), and leaves of perft 11 from the start:
//!
//! | | portable | avx2 | avx512 |
//! |---|---|---|---|
//! | legal moves | 6.2 | 3.9 | 3.1 |
//! | flips | 10.6 | 3.4 | 2.3 |
//! | last flip count | 2.0 | 2.0 | 2.0 |
//! | stable discs | 10.3 | 10.3 | 10.3 |
//! | perft, million leaves/s | 311 | 618 | 807 |
//!
//! Canonical forms of four positions at once take 105 ns in portable code and 35 ns with AVX2, which
//! AVX-512 uses too (an EPYC that has no AVX-512).
//!
//! Counting the last flips and finding stable discs are table look-ups, for which wider registers
//! have no use. BMI2's `pext` is left alone on purpose: it would save one multiplication a line, and
//! on AMD processors before 2020 it takes hundreds of cycles.

mod kind;
mod level;
mod portable;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(target_arch = "x86_64")]
mod rays;

#[cfg(test)]
mod tests;

pub use kind::{Cpu, CpuLevel, CpuLevelError, CpuTask};
pub(crate) use portable::Portable;

#[cfg(target_arch = "x86_64")]
pub(crate) use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) use avx512::Avx512;
#[cfg(target_arch = "aarch64")]
pub(crate) use neon::Neon;
