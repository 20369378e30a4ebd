//! All readers of games: the format is told by the content.
#![no_main]

mod read_games;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| read_games::drain(data, None));
