//! Huge pages under a large buffer: a search looks at random places of its table, and with pages of
//! 4 KiB nearly every look is one into the page tables as well.
#![allow(unsafe_code)]

use std::mem::MaybeUninit;

/// Asks the system for huge pages under a buffer that is not yet in use. It may not listen; then
/// the buffer is as any other.
pub(super) fn advise<T>(unused: &mut [MaybeUninit<T>]) {
    #[cfg(target_os = "linux")]
    {
        use rustix::mm::{Advice, madvise};

        let (start, bytes) = (unused.as_mut_ptr().cast::<u8>(), size_of_val(unused));
        let before = start.align_offset(PAGE);
        let Some(bytes) = bytes.checked_sub(before).map(|rest| rest / PAGE * PAGE) else { return };
        if bytes < HUGE_PAGE {
            return;
        }
        // SAFETY: the range lies within `unused`, which is borrowed mutably, and this advice never
        // changes what memory holds.
        let _ = unsafe { madvise(start.add(before).cast(), bytes, Advice::LinuxHugepage) };
    }
    #[cfg(not(target_os = "linux"))]
    let _ = unused;
}

/// What the start of a range must be a multiple of: the largest page of common systems that is not
/// a huge one.
#[cfg(target_os = "linux")]
const PAGE: usize = 1 << 16;

/// Below it there is nothing to gain.
#[cfg(target_os = "linux")]
const HUGE_PAGE: usize = 1 << 21;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_holds_what_is_written_either_way() {
        for length in [0, 1, 1000, (3 << 20) + 7] {
            let numbers = |advised: bool| {
                let mut buffer: Vec<u32> = Vec::with_capacity(length);
                if advised {
                    advise(buffer.spare_capacity_mut());
                }
                buffer.extend(0..length as u32);
                buffer
            };
            assert_eq!(numbers(true), numbers(false));
        }
    }
}
