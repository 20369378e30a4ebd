//! Edax's `.dat`.
#![no_main]

mod read;

use libfuzzer_sys::fuzz_target;
use rosebill::files::books::edax::EdaxReader;

fuzz_target!(|data: &[u8]| {
    read::drain(|options| EdaxReader::new(data, "fuzzed", options));
});
