//! Reads game files of WTHOR, a record at a time.

use std::io::BufRead;

use super::file::{GAME_BYTES, HEADER_BYTES, Header, MOST_MOVES, WthorError, read_game};
use super::names::WthorNames;
use crate::files::bytes::fill;
use crate::files::fault::{Fault, Place};
use crate::files::games::date::Date;
use crate::files::games::draft::{Draft, Drafts, Refused, fact};
use crate::files::games::game::Theoretical;
use crate::files::games::refused::{Note, Why};
use crate::files::games::replay::Entry;
use crate::files::games::stated::{Stated, StatedScore};

/// What the first bytes of a file say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::files::games) enum HeadOf {
    Games,
    /// Names of players or tournaments, which are read beside games.
    Names,
}

impl HeadOf {
    /// Distinguishes WTHOR's header from everything else; no text has a zero in it so early.
    pub(in crate::files::games) fn tell(head: &[u8]) -> Option<Self> {
        let header = head.first_chunk::<HEADER_BYTES>()?;
        let games = u32::from_le_bytes([header[4], header[5], header[6], header[7]]);
        let names = u16::from_le_bytes([header[8], header[9]]);
        let year = u16::from_le_bytes([header[10], header[11]]);
        let is_date = header[1] < 100 && header[2] <= 12 && header[3] <= 31;
        let is_kind = header[12] <= 20 && header[13] <= 1 && header[14] <= 60;
        if !is_date || !is_kind || !(year == 0 || (1900..2200).contains(&year)) {
            return None;
        }
        let is_dated = matches!(header[0], 0 | 19..=21);
        match (games, names) {
            (0, 1..) => Some(Self::Names),
            (_, 0) if is_dated && (year > 0 || games > 0) && has_games(head, games) => {
                Some(Self::Games)
            }
            _ => None,
        }
    }
}

/// Records that are looked at.
const MOST_LOOKED_AT: usize = 50;

/// Whether what follows a header are records of games: mostly moves from one of the four first ones on. Other
/// files have numbers where the header would be.
fn has_games(head: &[u8], games: u32) -> bool {
    const FIRST_MOVES: [u8; 4] = [34, 43, 56, 65];
    let (records, _) = head.get(HEADER_BYTES..).unwrap_or_default().as_chunks::<GAME_BYTES>();
    let announced = usize::try_from(games).unwrap_or(usize::MAX).max(1);
    let looked_at = || records.iter().take(announced.min(MOST_LOOKED_AT));
    let played = looked_at().filter(|record| {
        let is_square =
            |&byte: &u8| (1..=8).contains(&(byte / 10)) && (1..=8).contains(&(byte % 10));
        let moves = record.get(8..).unwrap_or_default();
        // Where a game is over early something fills its record.
        FIRST_MOVES.contains(&record[8])
            && moves.iter().take(4).all(|byte| is_square(byte) || *byte == 0)
    });
    records.is_empty() || 2 * played.count() >= looked_at().count()
}

/// The games of a game file.
pub(in crate::files::games) struct WthorReader<R> {
    input: R,
    names: WthorNames,
    header: Option<Header>,
    /// Records taken so far.
    records: u64,
    is_over: bool,
}

impl<R: BufRead> WthorReader<R> {
    pub(in crate::files::games) const fn new(input: R, names: WthorNames) -> Self {
        Self { input, names, header: None, records: 0, is_over: false }
    }

    fn next_record(&mut self) -> Result<Option<Draft>, Refused> {
        let header = self.header()?;
        let place = Place::Byte((HEADER_BYTES as u64) + self.records * (GAME_BYTES as u64));
        let refused = |why| Refused { place, why };
        let mut record = [0; GAME_BYTES];
        let count =
            fill(&mut self.input, &mut record).map_err(|error| Refused::io(place, error))?;
        let announced = u64::from(header.games);
        if count < GAME_BYTES {
            self.is_over = true;
            let whole = self.records;
            return if whole < announced || count > 0 {
                Err(refused(Why::Missing { announced, whole, part: count > 0 }))
            } else {
                Ok(None)
            };
        }
        self.records += 1;
        let number = usize::try_from(self.records).unwrap_or(usize::MAX);
        let game = read_game(&record, number).map_err(|error| refused(why(&error)))?;
        let mut draft = Draft::new(place);
        draft.notes.append(&mut self.names.notes);
        draft.entries = game.moves.iter().copied().map(Entry::from).collect();
        if self.records > announced {
            if game.moves.is_empty() {
                return Err(refused(Why::content("an empty record", "the end of the file")));
            }
            draft.notes.push(Note::Uncounted(announced));
        }
        let facts = &mut draft.game;
        facts.date = Date::new(header.year, None, None);
        let score = |black| StatedScore::Discs { black, white: 64 - black };
        facts.stated = game.black_discs.map(|discs| Stated::score(score(discs)));
        if game.black_discs.is_none() {
            draft.notes.push(Note::NoScore(record[6]));
        }
        let played = MOST_MOVES.saturating_sub(usize::from(header.theory_empties));
        // For no empties it would be the real score again.
        if (1..=60).contains(&header.theory_empties) && game.moves.len() >= played {
            facts.theoretical = game
                .theoretical_discs
                .map(|black_discs| Theoretical { black_discs, empties: header.theory_empties });
        }
        let players = self.names.players.as_deref();
        let tournaments = self.names.tournaments.as_deref();
        for (list, numbers, slot, of) in [
            (tournaments, game.tournament, &mut facts.event, "tournaments"),
            (players, game.black, &mut facts.black.name, "players"),
            (players, game.white, &mut facts.white.name, "players"),
        ] {
            let Some(list) = list else { continue };
            match list.get(usize::from(numbers)) {
                Some(name) => *slot = fact(name),
                None => draft.notes.push(Note::NoName { number: numbers, list: of }),
            }
        }
        Ok(Some(draft))
    }

    fn header(&mut self) -> Result<Header, Refused> {
        if let Some(header) = self.header {
            return Ok(header);
        }
        let refused = |why| Refused { place: Place::Byte(0), why };
        let mut bytes = [0; HEADER_BYTES];
        let read = fill(&mut self.input, &mut bytes);
        // Without a header nothing behind it has a meaning.
        self.is_over = true;
        let header = match read.map_err(|error| Refused::io(Place::Byte(0), error))? {
            HEADER_BYTES => Header::read(&bytes).map_err(|error| refused(why(&error)))?,
            found => return Err(refused(why(&WthorError::TooShort { found }))),
        };
        self.is_over = false;
        self.header = Some(header);
        Ok(header)
    }
}

impl<R: BufRead> Drafts for WthorReader<R> {
    fn next_draft(&mut self) -> Option<Result<Draft, Refused>> {
        if self.is_over {
            return None;
        }
        let next = self.next_record();
        if let Err(refused) = &next {
            self.is_over |= refused.why.is_fatal();
        }
        next.transpose()
    }
}

fn why(error: &WthorError) -> Why {
    match error {
        WthorError::BoardSize(size) => Why::BoardSize(size.to_string()),
        WthorError::Kind(_) => Why::OtherGame("puzzles of endgames instead of games".to_owned()),
        other => Fault::new(other.to_string(), "a record of a game").into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::games::testing::read_bytes;

    /// A file of 2010 with these records, and a header that counts so many.
    fn file(announced: u32, records: &[&[u8]]) -> Vec<u8> {
        let mut bytes = vec![20, 26, 11, 20];
        bytes.extend(announced.to_le_bytes());
        bytes.extend([0, 0, 0xda, 7, 8, 0, 24, 0]);
        for moves in records {
            bytes.extend([1, 0, 1, 0, 9, 0, 40, 33]);
            bytes.extend(*moves);
            bytes.resize(bytes.len() + MOST_MOVES - moves.len(), 0);
        }
        bytes
    }

    #[test]
    fn reads_records_with_their_names() {
        let names = WthorNames::new(
            vec!["???".into(), "Andr\u{e9}".into()],
            vec!["?".into(), "Paris".into()],
        );
        let read = read_bytes(&file(1, &[&[56, 64, 33]]), &names);
        let game = read.0[0].game.clone();
        assert_eq!(game.line().to_string(), "f5d6c3");
        assert_eq!(
            (game.event.as_deref(), game.black.name.as_deref()),
            (Some("Paris"), Some("Andr\u{e9}"))
        );
        assert_eq!(read.0[0].notes, [Note::NoName { number: 9, list: "players" }]);
        assert_eq!(game.date.map(Date::year), Some(2010));
        assert_eq!((game.theoretical, game.stated.unwrap().to_string().as_str()), (None, "40-24"));
    }

    #[test]
    fn a_score_that_is_none_is_left_out() {
        let mut bytes = file(1, &[&[56, 64, 33]]);
        bytes[HEADER_BYTES + 6] = 225;
        let (games, _) = read_bytes(&bytes, &WthorNames::default());
        assert_eq!(
            (&games[0].game.stated, &games[0].notes[..]),
            (&None, &[Note::NoScore(225)][..])
        );
    }

    #[test]
    fn a_bad_record_costs_itself_only() {
        let none = WthorNames::default();
        let records: [&[u8]; 4] = [&[56, 64, 33], &[56, 56], &[56, 99], &[56]];
        let (games, defects) = read_bytes(&file(4, &records), &none);
        assert_eq!(games.len(), 2);
        assert!(
            defects[0].starts_with("test, byte 84 (game 2): move 2 \"f5\": the square is occupied")
        );
        assert!(defects[1].contains("move 2: 99 is not a square"), "{}", defects[1]);
        // Moves behind the last one.
        let (games, defects) = read_bytes(&file(2, &[&[56, 0, 64], &[56]]), &none);
        assert_eq!((games.len(), defects.len()), (1, 1));
        assert!(defects[0].contains("move 2: none, but moves follow"), "{}", defects[0]);
        // Cut inside a record, and before one.
        let whole = file(4, &[&[56], &[56]]);
        let (games, defects) = read_bytes(&whole[..whole.len() - 1], &none);
        assert_eq!((games.len(), defects.len()), (1, 1));
        assert!(
            defects[0].ends_with("announces 4 games, but the file holds 1 whole ones and a part")
        );
        assert!(read_bytes(&whole, &none).1[0].ends_with("holds 2 whole ones"));
        // More than the header counts.
        let (games, defects) = read_bytes(&file(1, &[&[56], &[56, 64], &[]]), &none);
        assert_eq!((games.len(), defects.len()), (2, 1));
        assert_eq!(games[1].notes, [Note::Uncounted(1)]);
    }

    #[test]
    fn other_boards_and_puzzles_are_refused_as_a_whole() {
        let none = WthorNames::default();
        for (at, value, part) in [(12, 10, "a board of size 10"), (13, 1, "puzzles")] {
            let mut bytes = file(2, &[&[56], &[56]]);
            bytes[at] = value;
            let (games, defects) = read_bytes(&bytes, &none);
            assert_eq!((games.len(), defects.len()), (0, 1));
            assert!(defects[0].contains(part), "{}", defects[0]);
        }
    }
}
