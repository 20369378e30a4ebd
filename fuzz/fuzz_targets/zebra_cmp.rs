//! Zebra's book: `book.cmp`.
#![no_main]

mod read;

use libfuzzer_sys::fuzz_target;
use rosebill::files::books::zebra::{ZebraReader, ZebraShape};

fuzz_target!(|data: &[u8]| {
    read::drain(|options| ZebraReader::with_options(data, "fuzzed", ZebraShape::Packed, options));
});
