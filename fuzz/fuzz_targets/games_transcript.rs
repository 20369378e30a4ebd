//! Games as transcripts.
#![no_main]

mod read_games;

use libfuzzer_sys::fuzz_target;
use rosebill::files::games::GameFormat;

fuzz_target!(|data: &[u8]| read_games::drain(data, Some(GameFormat::Transcript)));
