//! Edax's portable text.
#![no_main]

mod read;

use libfuzzer_sys::fuzz_target;
use rosebill::files::books::edax::EdaxTextReader;

fuzz_target!(|data: &[u8]| {
    read::drain(|options| Ok(EdaxTextReader::new(data, "fuzzed", options)));
});
