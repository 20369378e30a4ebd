//! Our own JSON Lines.
#![no_main]

mod read;

use libfuzzer_sys::fuzz_target;
use rosebill::files::books::JsonReader;

fuzz_target!(|data: &[u8]| {
    read::drain(|options| JsonReader::new(data, "fuzzed", options));
});
