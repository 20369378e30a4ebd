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
/// Each game is read again before it is written, so that what is said to be lost is what a reader
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

/// Writes games to an output.
pub fn write<'a>(
    format: GameFormat,
    games: impl IntoIterator<Item = &'a Game>,
    output: impl Write,
) -> io::Result<Written> {
    let mut writer = GameWriter::new(format, output)?;
    for game in games {
        writer.write(game)?;
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

    /// Adds a game. One that the format cannot hold is counted among the refused.
    pub(crate) fn write(&mut self, game: &Game) -> io::Result<()> {
        let losses = &mut self.written.losses;
        let number = self.written.games + self.written.refused.len() as u64 + 1;
        let written = if self.format == GameFormat::Wthor {
            self.wthor.write(game, losses).map_err(str::to_owned)
        } else {
            self.text.clear();
            self.format.room().write(game, &mut self.text)?;
            again(self.format, &self.text, game, losses)
        };
        match written {
            Ok(()) => {
                self.written.games += 1;
                self.output.write_all(self.text.as_bytes())
            }
            Err(why) => {
                self.written.refused.push((number, why));
                Ok(())
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

/// Reads a game again that is about to be written.
fn again(format: GameFormat, text: &str, game: &Game, losses: &mut Losses) -> Result<(), String> {
    let whole = format.room().head() + text;
    let options = ReadOptions { format: Some(format), ..ReadOptions::default() };
    let games = read(whole.as_bytes(), "", &options).map_err(|error| error.to_string())?;
    let games = games.map(|read| read.map(|read| read.game));
    let games: Vec<Game> =
        games.collect::<Result<_, RefusedGame>>().map_err(|error| error.why.to_string())?;
    match &games[..] {
        [again] if again.moves.len() == game.moves.len() => {
            Loss::between(game, again).for_each(|loss| losses.add(loss));
            Ok(())
        }
        _ => Err(format!("{format} cannot hold it")),
    }
}
