//! Which processor this is.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::{Cpu, CpuTask, Portable};

/// A kind of processor that the board operations are written for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CpuLevel {
    /// Any processor.
    Portable,
    /// 64-bit ARM: NEON.
    Neon,
    /// x86-64 since about 2013: AVX2, BMI1, BMI2, POPCNT, LZCNT.
    Avx2,
    /// x86-64 since about 2017: AVX-512 F, VL, CD, BW, DQ.
    Avx512,
}

impl CpuLevel {
    /// All kinds, the plainest first.
    pub const ALL: [Self; 4] = [Self::Portable, Self::Neon, Self::Avx2, Self::Avx512];

    /// The fastest kind that this machine is.
    #[must_use]
    pub fn detect() -> Self {
        Self::ALL.into_iter().rev().find(|level| level.is_available()).unwrap_or(Self::Portable)
    }

    /// Whether this machine is of this kind.
    #[must_use]
    pub fn is_available(self) -> bool {
        match self {
            Self::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => super::Avx2::detect().is_some(),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => super::Avx512::detect().is_some(),
            #[cfg(target_arch = "aarch64")]
            Self::Neon => super::Neon::detect().is_some(),
            _ => false,
        }
    }

    /// Runs a task on this kind of processor; on [`CpuLevel::Portable`] when this machine is not of
    /// this kind, with the same result.
    pub fn run<T: CpuTask>(self, task: T) -> T::Output {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => {
                if let Some(cpu) = super::Avx2::detect() {
                    return cpu.enter(task);
                }
            }
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => {
                if let Some(cpu) = super::Avx512::detect() {
                    return cpu.enter(task);
                }
            }
            #[cfg(target_arch = "aarch64")]
            Self::Neon => {
                if let Some(cpu) = super::Neon::detect() {
                    return cpu.enter(task);
                }
            }
            _ => {}
        }
        Portable.enter(task)
    }

    /// "portable", "neon", "avx2" or "avx512".
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::Neon => "neon",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }
}

impl fmt::Display for CpuLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A text that names no kind of processor.
#[derive(Debug, Error, PartialEq, Eq, Clone)]
#[error("'{0}' is no kind of processor: expected portable, neon, avx2 or avx512")]
pub struct CpuLevelError(pub String);

impl FromStr for CpuLevel {
    type Err = CpuLevelError;

    fn from_str(text: &str) -> Result<Self, CpuLevelError> {
        Self::ALL
            .into_iter()
            .find(|level| level.name().eq_ignore_ascii_case(text))
            .ok_or_else(|| CpuLevelError(text.to_owned()))
    }
}
