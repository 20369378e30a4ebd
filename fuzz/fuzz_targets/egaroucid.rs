//! Egaroucid's `.egbk3`, `.egbk2` and `.egbk`.
#![no_main]

mod read;

use libfuzzer_sys::fuzz_target;
use rosebill::files::books::egaroucid::EgaroucidReader;

fuzz_target!(|data: &[u8]| {
    read::drain(|options| EgaroucidReader::new(data, "fuzzed", options));
    read::drain(|options| EgaroucidReader::oldest(data, "fuzzed", options));
});
