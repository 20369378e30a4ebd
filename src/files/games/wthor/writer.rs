//! Writes WTHOR: a game file of one year with its players and tournaments.

use std::collections::{BTreeMap, HashMap};

use super::file::{HEADER_BYTES, MOST_MOVES, PLAYER_BYTES, TOURNAMENT_BYTES};
use crate::files::games::date::Date;
use crate::files::games::game::{Game, Player};
use crate::files::games::loss::{Loss, Losses};
use crate::files::games::stated::{Stated, StatedScore};
use crate::othello::board::{Side, write_from_f5};

/// The files of names that belong to a game file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WthorSideFiles {
    /// The `.jou` file.
    pub players: Vec<u8>,
    /// The `.trn` file.
    pub tournaments: Vec<u8>,
}

pub(in crate::files::games) struct WthorWriter {
    records: Vec<u8>,
    count: u32,
    players: Names,
    tournaments: Names,
    /// Games of each year that is known.
    years: BTreeMap<u16, u64>,
    /// Games by the empties of the position that their theoretical score is for.
    theories: BTreeMap<u8, u64>,
    /// Games without one by the number of their moves.
    untheoretical: BTreeMap<usize, u64>,
}

/// Names with their numbers; number 0 is no player.
struct Names {
    list: Vec<Vec<u8>>,
    numbers: HashMap<Vec<u8>, u16>,
    longest: usize,
}

impl Names {
    fn new(longest: usize) -> Self {
        let unknown = b"???".to_vec();
        Self { list: vec![unknown.clone()], numbers: HashMap::from([(unknown, 0)]), longest }
    }

    /// The number of a name, none when there are too many, and whether it fits whole.
    fn number(&mut self, name: Option<&str>, is_whole: &mut bool) -> Option<u16> {
        let Some(name) = name else { return Some(0) };
        let bytes: Vec<u8> = name
            .chars()
            .map(|character| u8::try_from(character).ok().filter(|&byte| byte > 0).unwrap_or(b'?'))
            .take(self.longest)
            .collect();
        *is_whole &= bytes.iter().map(|&byte| char::from(byte)).eq(name.chars());
        // Question marks name no player, and all such players would be one.
        if bytes.iter().all(|byte| matches!(byte, b'?' | b' ')) {
            return Some(0);
        }
        if let Some(&number) = self.numbers.get(&bytes) {
            return Some(number);
        }
        // The number of names has two bytes, too.
        let number = u16::try_from(self.list.len()).ok().filter(|&number| number < u16::MAX)?;
        self.list.push(bytes.clone());
        self.numbers.insert(bytes, number);
        Some(number)
    }

    fn file(&self, date: Option<Date>) -> Vec<u8> {
        let count = self.list.len() as u16;
        let mut bytes = header(date, 0, count, 0, [0, 0]);
        for name in &self.list {
            bytes.extend(name);
            bytes.resize(bytes.len() + self.longest + 1 - name.len(), 0);
        }
        bytes
    }
}

impl WthorWriter {
    pub(in crate::files::games) fn new() -> Self {
        Self {
            records: Vec::new(),
            count: 0,
            players: Names::new(PLAYER_BYTES - 1),
            tournaments: Names::new(TOURNAMENT_BYTES - 1),
            years: BTreeMap::new(),
            theories: BTreeMap::new(),
            untheoretical: BTreeMap::new(),
        }
    }

    /// Adds a game; says why it cannot be held.
    pub(in crate::files::games) fn write(
        &mut self,
        game: &Game,
        losses: &mut Losses,
    ) -> Result<(), &'static str> {
        if !game.is_from_the_start() {
            return Err("WTHOR holds games from the start position only");
        }
        let too_many = "WTHOR holds at most 65,534 names";
        let (mut event_is_whole, mut names_are_whole) = (true, true);
        let event = self.tournaments.number(game.event.as_deref(), &mut event_is_whole);
        let black = self.players.number(game.black.name.as_deref(), &mut names_are_whole);
        let white = self.players.number(game.white.name.as_deref(), &mut names_are_whole);
        let (event, black, white) =
            (event.ok_or(too_many)?, black.ok_or(too_many)?, white.ok_or(too_many)?);
        let mut moves = game.moves.clone();
        write_from_f5(&mut moves);
        let stated = game.stated.as_ref();
        let known = game.black_discs.or_else(|| stated?.black_discs());
        let discs = known.or_else(|| {
            // Only the winner is known.
            Some(match stated?.winner()? {
                Some(Side::Black) => 33,
                Some(Side::White) => 31,
                None => 32,
            })
        });
        if discs.is_none() {
            losses.add(Loss::Unknown);
        }
        let discs = discs.unwrap_or(32).min(64);
        let year = game.date.map(Date::year).filter(|&year| year > 0);
        if let Some(year) = year {
            *self.years.entry(year).or_default() += 1;
        }
        let again = Game {
            event: game.event.clone().filter(|_| event_is_whole),
            // Whether it is that of the file is known at the end.
            date: year.and_then(|year| Date::new(year, None, None)),
            black: Player {
                name: game.black.name.clone().filter(|_| names_are_whole),
                rating: None,
            },
            white: Player {
                name: game.white.name.clone().filter(|_| names_are_whole),
                rating: None,
            },
            stated: Some(Stated::score(StatedScore::Discs { black: discs, white: 64 - discs })),
            moves: moves.clone(),
            // Whether it can be held is known at the end.
            theoretical: game.theoretical,
            ..Game::default()
        };
        Loss::between(game, &again).for_each(|loss| losses.add(loss));
        for number in [event, black, white] {
            self.records.extend(number.to_le_bytes());
        }
        let theory = game.theoretical;
        let alike = match theory {
            Some(theory) => self.theories.entry(theory.empties).or_default(),
            None => self.untheoretical.entry(moves.len()).or_default(),
        };
        *alike += 1;
        self.records.push(discs);
        self.records.push(theory.map_or(discs, |theory| theory.black_discs.min(64)));
        let squares = moves.iter().map(|square| 10 * (square.row() + 1) + square.column() + 1);
        self.records.extend(squares.chain(std::iter::repeat(0)).take(MOST_MOVES));
        self.count += 1;
        Ok(())
    }

    /// The empties that all theoretical scores are for; 0 where they are for several, or where a game has none
    /// that came so far: a filler would be read as one.
    fn theory_empties(&self) -> u8 {
        let mut all = self.theories.keys();
        let (Some(&empties), None) = (all.next(), all.next()) else { return 0 };
        let least = MOST_MOVES.saturating_sub(usize::from(empties));
        let comes_so_far = self.untheoretical.keys().next_back().is_some_and(|&most| most >= least);
        if comes_so_far { 0 } else { empties }
    }

    /// The game file and those of names. A file has one year: where its games have several it has none, since a
    /// wrong year would make other games of them. Its date is the 1 January of the last year, so that the same
    /// games give the same bytes on any day.
    pub(in crate::files::games) fn finish(self, losses: &mut Losses) -> (Vec<u8>, WthorSideFiles) {
        let last = self.years.keys().next_back().copied().unwrap_or(0);
        let year = if self.years.len() > 1 { 0 } else { last };
        let lost = self.years.iter().filter(|&(of_games, _)| *of_games != year);
        (0..lost.map(|(_, games)| games).sum()).for_each(|_| losses.add(Loss::Year));
        let date = Date::new(last, Some(1), Some(1));
        let theory = self.theory_empties();
        if theory == 0 {
            let with: u64 = self.theories.values().sum();
            (0..with).for_each(|_| losses.add(Loss::Theoretical));
            losses.without_theory = if with > 0 { self.untheoretical.values().sum() } else { 0 };
        }
        let mut games = header(date, self.count, 0, year, [8, theory]);
        games.extend(self.records);
        let (players, tournaments) = (self.players.file(date), self.tournaments.file(date));
        (games, WthorSideFiles { players, tournaments })
    }
}

fn header(
    date: Option<Date>,
    games: u32,
    names: u16,
    year: u16,
    [size, theory]: [u8; 2],
) -> Vec<u8> {
    let created = date.map_or(0, Date::year);
    let month = date.and_then(Date::month).unwrap_or_default();
    let day = date.and_then(Date::day).unwrap_or_default();
    let mut bytes = Vec::with_capacity(HEADER_BYTES);
    bytes.extend([(created / 100) as u8, (created % 100) as u8, month, day]);
    bytes.extend(games.to_le_bytes());
    bytes.extend(names.to_le_bytes());
    bytes.extend(year.to_le_bytes());
    bytes.extend([size, 0, theory, 0]);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::games::testing::{read_bytes, read_text};
    use crate::files::games::wthor::WthorNames;
    use crate::files::games::{GameFormat, write};

    #[test]
    fn what_is_not_known_of_a_result_is_told() {
        for (result, discs, loss) in [
            ("[Result \"40-24\"]", "40-24", None),
            ("[Result \"1-0\"]", "33-31", Some(Loss::Winner)),
            ("[Result \"0-1\"]", "31-33", Some(Loss::Winner)),
            ("", "32-32", Some(Loss::Unknown)),
        ] {
            let game =
                read_text(&format!("[Event \"Cup\"]\n{result}\n\n1. f5 d6\n")).remove(0).game;
            let mut bytes = Vec::new();
            let written = write(GameFormat::Wthor, [&game], &mut bytes).unwrap();
            let again = read_bytes(&bytes, &WthorNames::default()).0.remove(0).game;
            assert_eq!(again.stated.map(|stated| stated.to_string()).as_deref(), Some(discs));
            let losses: Vec<Loss> = written.losses.counts().map(|(loss, _)| loss).collect();
            let of_result = losses.into_iter().find(|loss| *loss != Loss::Source);
            assert_eq!(of_result, loss, "{result}");
        }
    }

    /// Two people of whose names no letter can be written are not one.
    #[test]
    fn names_without_a_letter_of_the_format_are_unknown() {
        let mut names = Names::new(PLAYER_BYTES - 1);
        let mut is_whole = true;
        assert_eq!(names.number(Some("高梨 悠介"), &mut is_whole), Some(0));
        assert!(!is_whole, "and that is told");
        assert_eq!(names.number(Some("Čech Jan"), &mut is_whole), Some(1));
        assert_eq!(names.number(Some("伊藤"), &mut is_whole), Some(0));
        assert_eq!(names.list.len(), 2);
    }

    /// One year is written for all games of a file: where they have several, none.
    #[test]
    fn a_file_of_several_years_has_none() {
        for (years, written, lost) in [
            (&[Some(2001), Some(2024), None, Some(2024)][..], 0, 3),
            (&[Some(2024), None], 2024, 0),
        ] {
            let mut writer = WthorWriter::new();
            let mut losses = Losses::default();
            for &year in years {
                let date = year.and_then(|year| Date::new(year, None, None));
                writer.write(&Game { date, ..Game::default() }, &mut losses).unwrap();
            }
            let (bytes, _) = writer.finish(&mut losses);
            assert_eq!(u16::from_le_bytes([bytes[10], bytes[11]]), written);
            assert_eq!(bytes[..2], [20, 24], "made in the last of them");
            let years = losses.counts().find(|&(loss, _)| loss == Loss::Year);
            assert_eq!(years.map_or(0, |(_, games)| games), lost);
        }
    }
}
