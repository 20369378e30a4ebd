//! What all targets of games do: read to the end, and write what was read.

use rosebill::files::games::{self, GameFormat, ReadOptions};

/// Takes all games of a file. Each must be legal, and every format must be able to write it.
pub fn drain(data: &[u8], format: Option<GameFormat>) {
    let options = ReadOptions { format, ..ReadOptions::default() };
    let reader = match games::read(data, "fuzzed", &options) {
        Ok(reader) => reader,
        Err(error) => return said_in_one_line(&error.to_string()),
    };
    for read in reader {
        let game = match read {
            Ok(read) => read.game,
            Err(defect) => {
                said_in_one_line(&defect.to_string());
                continue;
            }
        };
        assert_eq!(game.line().len(), game.moves.len());
        let mut json = Vec::new();
        let written = games::write(GameFormat::Json, [&game], &mut json).expect("memory");
        assert!(written.losses.is_empty(), "{:?} of {game:?}", written.losses);
        for format in GameFormat::ALL {
            let written = games::write(format, [&game], &mut Vec::new()).expect("memory");
            let may_be_refused = match format {
                GameFormat::Wthor | GameFormat::Xof => !game.is_from_the_start(),
                GameFormat::Transcript | GameFormat::Table => game.moves.is_empty(),
                _ => false,
            };
            assert!(written.games == 1 || may_be_refused, "{format}: {:?}", written.refused);
        }
    }
}

fn said_in_one_line(text: &str) {
    assert!(!text.contains('\n') && text.len() < 1000, "{text}");
}
