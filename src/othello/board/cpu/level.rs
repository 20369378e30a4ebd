//! Which processor this is.

use super::kind::{Cpu, CpuLevel, CpuTask};
use super::portable::Portable;

impl CpuLevel {
    /// The fastest kind that this machine is.
    pub fn detect() -> Self {
        Self::ALL.into_iter().rev().find(|level| level.is_available()).unwrap_or(Self::Portable)
    }

    /// Whether this machine is of this kind.
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
}
