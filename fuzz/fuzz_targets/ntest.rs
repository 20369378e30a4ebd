//! NTest's book, formats 1 and 2.
#![no_main]

mod read;

use libfuzzer_sys::fuzz_target;
use rosebill::files::books::ntest::NtestReader;

fuzz_target!(|data: &[u8]| {
    read::drain(|options| NtestReader::new(data, "fuzzed", options));
    read::drain(|options| NtestReader::first(data, "fuzzed", options));
});
