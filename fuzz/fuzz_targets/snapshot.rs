//! Our own snapshots.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rosebill::files::books::snapshot::SnapshotReader;

fuzz_target!(|data: &[u8]| {
    let Ok(mut reader) = SnapshotReader::new(data) else { return };
    while let Ok(Some(_)) = reader.next_layer() {}
});
