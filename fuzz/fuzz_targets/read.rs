//! What all targets do: read to the end, strictly and leniently.

use rosebill::files::books::{FormatError, ReadOptions, RecordReader};

/// Both ways of reading.
pub const OPTIONS: [ReadOptions; 2] =
    [ReadOptions { lenient: false }, ReadOptions { lenient: true }];

/// Takes all entries of a file. Each must be what the rules of the game allow: the import trusts it.
pub fn drain<R: RecordReader>(open: impl Fn(ReadOptions) -> Result<R, FormatError>) {
    for options in OPTIONS {
        let mut reader = match open(options) {
            Ok(reader) => reader,
            Err(error) => {
                said_in_one_line(&error);
                continue;
            }
        };
        loop {
            match reader.next_entry("fuzzed", options) {
                Ok(None) => break,
                Ok(Some(entry)) => {
                    let legal = entry.key.position().legal_moves();
                    let squares = entry.links.iter().map(|(square, _)| *square);
                    let rests = [entry.rest, entry.alone];
                    let rests = rests.into_iter().flatten().filter_map(|rest| rest.square);
                    assert!(squares.chain(rests).all(|square| legal.contains(square)));
                    assert!((entry.source as usize) < reader.sources().len());
                }
                Err(error) => {
                    said_in_one_line(&error);
                    break;
                }
            }
        }
        assert!(reader.defects().listed().len() < 1000);
    }
}

fn said_in_one_line(error: &FormatError) {
    let text = error.to_string();
    assert!(!text.contains('\n') && text.chars().count() < 1000, "{text}");
}
