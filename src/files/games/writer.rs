//! From games to bytes.

use std::io::{self, Write};

use super::GameFormat;
use super::game::Game;
use super::loss::{Loss, Losses};
use super::reader::{ReadOptions, read};
use super::refused::RefusedGame;
use super::wthor::{WthorSideFiles, WthorWriter};

/// Writes games in one format.
///
/// All games are read again before they are written, so that what is said to be lost is what a reader
/// will miss, and no game is written that cannot be read.
pub(crate) struct GameWriter<W: Write> {
    format: GameFormat,
    output: W,
    wthor: WthorWriter,
    text: String,
    written: Written,
}

/// What became of the games.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Written {
    /// How many were written.
    pub games: u64,
    /// Those that the format cannot hold: their numbers, from 1, and why.
    pub refused: Vec<(u64, String)>,
    /// What the format cannot hold of the others.
    pub losses: Losses,
    /// What WTHOR's names are in, to be written beside the games.
    pub side_files: Option<WthorSideFiles>,
}

/// Games that are read again together.
pub(crate) const BATCH: usize = 64;

/// Writes games to an output.
pub fn write<'a>(
    format: GameFormat,
    games: impl IntoIterator<Item = &'a Game>,
    output: impl Write,
) -> io::Result<Written> {
    let mut writer = GameWriter::new(format, output)?;
    let games: Vec<&Game> = games.into_iter().collect();
    for games in games.chunks(BATCH) {
        writer.write(games)?;
    }
    writer.finish()
}

impl<W: Write> GameWriter<W> {
    /// Begins a file.
    pub(crate) fn new(format: GameFormat, mut output: W) -> io::Result<Self> {
        output.write_all(format.room().head().as_bytes())?;
        let (wthor, text, written) = (WthorWriter::new(), String::new(), Written::default());
        Ok(Self { format, output, wthor, text, written })
    }

    /// Adds games. Those that the format cannot hold are counted among the refused.
    pub(crate) fn write(&mut self, games: &[&Game]) -> io::Result<()> {
        if self.format == GameFormat::Wthor {
            for game in games {
                let held = self.wthor.write(game, &mut self.written.losses);
                self.count(held.map_err(str::to_owned));
            }
            return Ok(());
        }
        self.text.clear();
        let mut ends = vec![0];
        for game in games {
            self.format.room().write(game, &mut self.text)?;
            ends.push(self.text.len());
        }
        if let Ok(losses) = again(self.format, &self.text, games) {
            self.written.games += games.len() as u64;
            losses.into_iter().for_each(|loss| self.written.losses.add(loss));
            return self.output.write_all(self.text.as_bytes());
        }
        // Each by itself shows which of them it is.
        for (game, place) in games.iter().zip(ends.windows(2)) {
            let text = self.text.get(place[0]..place[1]).unwrap_or_default();
            let held = again(self.format, text, &[game]);
            if let Ok(losses) = &held {
                losses.iter().for_each(|&loss| self.written.losses.add(loss));
                self.output.write_all(text.as_bytes())?;
            }
            self.count(held.map(drop));
        }
        Ok(())
    }

    /// Counts a game, or says why it is refused.
    fn count(&mut self, held: Result<(), String>) {
        let written = &mut self.written;
        match held {
            Ok(()) => written.games += 1,
            Err(why) => {
                let number = written.games + written.refused.len() as u64 + 1;
                written.refused.push((number, why));
            }
        }
    }

    /// Ends the file.
    pub(crate) fn finish(mut self) -> io::Result<Written> {
        if self.format == GameFormat::Wthor {
            let (games, side_files) = self.wthor.finish(&mut self.written.losses);
            self.output.write_all(&games)?;
            self.written.side_files = Some(side_files);
        }
        self.output.write_all(self.format.room().tail().as_bytes())?;
        self.output.flush()?;
        Ok(self.written)
    }
}

/// Reads games again that are about to be written: what is lost of them.
fn again(format: GameFormat, text: &str, games: &[&Game]) -> Result<Vec<Loss>, String> {
    let whole = format.room().head() + text;
    let options = ReadOptions { format: Some(format), ..ReadOptions::default() };
    let read = read(whole.as_bytes(), "", &options).map_err(|error| error.to_string())?;
    let read = read.map(|read| read.map(|read| read.game));
    let again: Vec<Game> =
        read.collect::<Result<_, RefusedGame>>().map_err(|error| error.why.to_string())?;
    let pairs = || games.iter().zip(&again);
    let is_held = games.len() == again.len()
        && pairs().all(|(game, again)| game.moves.len() == again.moves.len());
    if !is_held {
        return Err(format!("{format} cannot hold it"));
    }
    Ok(pairs().flat_map(|(game, again)| Loss::between(game, again)).collect())
}
