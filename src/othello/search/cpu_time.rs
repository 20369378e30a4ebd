//! Processor time of this process and of its threads.

use std::time::Duration;

/// A moment in the processor time of this process, all its threads together.
#[derive(Clone, Copy, Debug)]
pub struct CpuTime(Duration);

impl CpuTime {
    pub fn now() -> Self {
        Self(spent())
    }

    /// Processor time spent since, in seconds.
    pub fn seconds(self) -> f64 {
        spent().saturating_sub(self.0).as_secs_f64()
    }
}

/// A moment in the processor time of this thread alone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ThreadTime(Duration);

impl ThreadTime {
    pub(crate) fn now() -> Self {
        Self(spent_by_thread())
    }

    /// Processor time that this thread spent since, in seconds.
    pub(crate) fn seconds(self) -> f64 {
        self.elapsed().as_secs_f64()
    }

    /// Processor time that this thread spent since.
    pub(crate) fn elapsed(self) -> Duration {
        spent_by_thread().saturating_sub(self.0)
    }
}

#[cfg(unix)]
fn spent() -> Duration {
    clock(rustix::time::ClockId::ProcessCPUTime)
}

#[cfg(unix)]
fn spent_by_thread() -> Duration {
    clock(rustix::time::ClockId::ThreadCPUTime)
}

#[cfg(not(unix))]
fn spent_by_thread() -> Duration {
    spent()
}

#[cfg(unix)]
fn clock(id: rustix::time::ClockId) -> Duration {
    let time = rustix::time::clock_gettime(id);
    let seconds = u64::try_from(time.tv_sec).unwrap_or_default();
    let nanoseconds = u64::try_from(time.tv_nsec).unwrap_or_default();
    Duration::from_secs(seconds) + Duration::from_nanos(nanoseconds)
}

/// Elsewhere the time on the wall replaces it.
#[cfg(not(unix))]
fn spent() -> Duration {
    use std::sync::OnceLock;
    use std::time::Instant;
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_takes_time() {
        let start = CpuTime::now();
        let mut value = 1u64;
        while start.seconds() <= 0.0 {
            value = std::hint::black_box(value.wrapping_mul(3));
        }
        assert!(start.seconds() < 60.0);
    }
}
