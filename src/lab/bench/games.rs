//! How fast the game database answers.

use super::Measure;
use super::measure::{of_times, whole};
use crate::app::games::{FilterError, GameDatabase, GameFilter, game_stats};
use crate::othello::board::{Line, Square};
use crate::othello::search::CpuTime;
use crate::store::{GameId, Reader, StoreError};

/// Positions that are asked for.
const QUESTIONS: u64 = 1_000;
/// Bare boards that are in no index.
const BARE: usize = 40;

/// Measures questions on the games of a book, each several ways; nothing is written. `each` gets the
/// results.
pub(crate) fn measure_games(
    book: &Reader,
    player: Option<String>,
    mut each: impl FnMut(&Measure),
) -> Result<(), FilterError> {
    let mut opened = None;
    each(&whole("open", 1, || {
        let database = GameDatabase::open(book)?;
        let note = format!("{} games", database.len());
        opened = Some(database);
        Ok(note)
    })?);
    let Some(database) = opened else { return Ok(()) };
    let lines = lines_of(book, database.len())?;
    let (shared, single) = split(book, &lines)?;
    let all = GameFilter::default();
    let years = GameFilter { years: "1990-2010".parse().ok(), ..all.clone() };
    let combined = GameFilter {
        players: player.into_iter().collect(),
        programs: Some(false),
        outcome: Some(crate::store::GameOutcome::Black),
        ..years.clone()
    };
    let boards: Vec<Line> =
        shared.iter().filter_map(|line| Some(Line::from_board(line.end()?))).collect();
    let start = vec![Line::default(); 100];
    let bare: Vec<Line> =
        single.iter().take(BARE).filter_map(|line| Some(Line::from_board(line.end()?))).collect();
    for (name, questions, filter) in [
        ("shared position", &boards, &all),
        ("shared position, by a line", &shared, &all),
        ("shared position, years", &boards, &years),
        ("shared position, all filters", &boards, &combined),
        ("the start", &start, &all),
        ("the start, years", &start, &years),
        ("the start, all filters", &start, &combined),
        ("position of one game, by a line", &single, &all),
        ("bare board of one game", &bare, &all),
    ] {
        // Warm: what is loaded once is loaded.
        if let Some(first) = questions.first() {
            game_stats(&database, first, filter)?;
        }
        let mut times = Vec::with_capacity(questions.len());
        for line in questions {
            let asked = CpuTime::now();
            std::hint::black_box(game_stats(&database, line, filter)?);
            times.push(asked.seconds());
        }
        each(&of_times(name, times));
    }
    Ok(())
}

/// Lines to positions all over the games.
fn lines_of(book: &Reader, games: u64) -> Result<Vec<Line>, StoreError> {
    let every = (games / QUESTIONS).max(1);
    let (mut lines, mut number) = (Vec::new(), 0_u64);
    book.games().for_each_moves(GameId(0), |_, start, moves| {
        number += 1;
        if start.is_none() && number.is_multiple_of(every) {
            // Early and late positions alike.
            let length = (number / every % 30) as usize;
            let squares: Vec<Square> =
                moves.iter().take(length).map_while(|&number| Square::try_new(number)).collect();
            lines.push(Line::default().then(&squares));
        }
    })?;
    lines.retain(|line| line.end().is_some());
    Ok(lines)
}

/// Those that several games share, and those of one.
fn split(book: &Reader, lines: &[Line]) -> Result<(Vec<Line>, Vec<Line>), StoreError> {
    let (mut shared, mut single) = (Vec::new(), Vec::new());
    for line in lines {
        let Some(end) = line.end() else { continue };
        match book.games().played_moves(crate::othello::board::Key::of(end.position))?.is_empty() {
            true => single.push(line.clone()),
            false => shared.push(line.clone()),
        }
    }
    Ok((shared, single))
}
