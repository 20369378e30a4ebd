//! Zebra's book: Bin.
#![no_main]

mod read;

use libfuzzer_sys::fuzz_target;
use rosebill::formats::zebra::{ZebraReader, ZebraShape};

fuzz_target!(|data: &[u8]| {
    read::drain(|_| ZebraReader::new(data, "fuzzed", ZebraShape::Bin));
});
