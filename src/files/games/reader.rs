//! From bytes to games.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read};
use std::path::Path;
use std::sync::Arc;

use thiserror::Error;

use super::GameFormat;
use super::draft::{Drafts, Refused};
use super::format::GameSource;
use super::game::Game;
use super::refused::{Note, RefusedGame};
use super::sniff::{Sniffed, sniff};
use super::wthor::{WthorNames, WthorNamesError};
use crate::files::charset::{Charset, FromUtf16, are_garbled, looks_garbled};
use crate::files::fault::Place;
use crate::files::packed::unpack;
use crate::openbook::Hint;
use crate::othello::one_line::{one_line, shown_name};
use crate::othello::system_error::in_words;

/// Characters of what may be read wrongly that are shown.
const MOST_TOLD: usize = 60;

/// How much of a file is looked at to recognize its format and its encoding.
const HEAD: usize = 1 << 20;

/// How to read a file of games.
#[derive(Clone, Default, Debug)]
pub struct ReadOptions {
    /// Its format, where the caller knows better than the content.
    pub format: Option<GameFormat>,
    /// Names for a WTHOR file. Without them [`open()`] looks beside it.
    pub names: Option<WthorNames>,
    /// The [`Game::source`] of games that do not have one themselves; without it the file's name
    /// without its folder.
    pub source: Option<String>,
    /// Whether a game from the mirrored start stays as it is, in the squares of its source. Else it is
    /// mirrored, also where only its moves show it.
    pub keeps_squares: bool,
}

/// A file that holds no games, or none that can be read.
#[derive(Debug, Error)]
pub enum OpenError {
    #[error("{file}: {}", in_words(error))]
    Io { file: String, error: io::Error },
    #[error("{file}: no games that rosebill can read ({found})")]
    Unknown {
        file: String,
        /// What it looks like, or what was expected.
        found: &'static str,
        hint: Option<Hint>,
    },
    /// Names of WTHOR, which are read with the games beside them. In a folder that is no fault.
    #[error("{file}: a list of WTHOR's names; give the .wtb file beside it")]
    Names { file: String },
    #[error(transparent)]
    WthorNames(#[from] WthorNamesError),
}

impl OpenError {
    /// With the file that its hint is for.
    fn in_file(mut self, path: &Path) -> Self {
        if let Self::Unknown {
            hint: Some(Hint::ImportBook { file } | Hint::AskPositions { file }),
            ..
        } = &mut self
        {
            *file = Some(path.to_owned());
        }
        self
    }

    pub(crate) fn hint(&self) -> Option<Hint> {
        match self {
            Self::Unknown { hint, .. } => hint.clone(),
            _ => None,
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct ReadGame {
    /// Its number in the file, from 1; those that were refused count.
    pub number: u64,
    /// Where it begins.
    pub place: Place,
    pub game: Game,
    pub notes: Vec<Note>,
    /// Whether a pass is written behind the last move. Moves alone do not say it: without it the side
    /// that must pass has yet to do so.
    pub passed: bool,
}

/// The games of a file, one after the other.
///
/// A bad game is an error of its own, behind which the next game follows. After an error that is
/// fatal ([`RefusedGame::is_fatal`]) nothing comes.
pub struct GameReader<'a> {
    file: Arc<str>,
    source: String,
    format: GameFormat,
    keeps_squares: bool,
    /// Whether its text is Latin-1, as far as its first bytes show.
    is_latin: bool,
    drafts: Box<dyn Drafts + 'a>,
    games: u64,
    is_over: bool,
}

/// Opens a file of games, packed or not; its format and its encoding are recognized by its content.
pub fn open(path: &Path, options: &ReadOptions) -> Result<GameReader<'static>, OpenError> {
    let name = path.display().to_string();
    let file =
        File::open(path).map_err(|error| OpenError::Io { file: shown_name(&name), error })?;
    let input = Input::new(file, &name, options).map_err(|error| error.in_file(path))?;
    let names = match (&options.names, input.format) {
        (Some(names), _) => names.clone(),
        (None, GameFormat::Wthor) => WthorNames::beside(path)?,
        (None, _) => WthorNames::default(),
    };
    let source = path.file_name().map(|name| shown_name(&name.to_string_lossy()));
    Ok(input.reader(names, options.source.clone().or(source).unwrap_or_default()))
}

/// Reads games from anywhere; the name is for messages.
pub fn read<'a>(
    input: impl Read + 'a,
    name: &str,
    options: &ReadOptions,
) -> Result<GameReader<'a>, OpenError> {
    let source = options.source.clone().unwrap_or_else(|| shown_name(name));
    let names = options.names.clone().unwrap_or_default();
    Ok(Input::new(input, name, options)?.reader(names, source))
}

/// Bytes whose format and encoding are known.
struct Input<'a> {
    file: String,
    format: GameFormat,
    charset: Charset,
    keeps_squares: bool,
    bytes: Box<dyn Read + 'a>,
}

impl<'a> Input<'a> {
    fn new(input: impl Read + 'a, name: &str, options: &ReadOptions) -> Result<Self, OpenError> {
        let file = shown_name(name);
        let failed = |error| OpenError::Io { file: file.clone(), error };
        let (head, rest) = look(unpack(input).map_err(failed)?).map_err(failed)?;
        let charset = Charset::of_head(&head);
        let is_utf16 = matches!(charset, Charset::Utf16Le | Charset::Utf16Be);
        let whole = Cursor::new(head).chain(rest);
        let (head, bytes): (Vec<u8>, Box<dyn Read + 'a>) = if is_utf16 {
            let (head, rest) = look(Box::new(FromUtf16::new(whole, charset))).map_err(failed)?;
            (head.clone(), Box::new(Cursor::new(head).chain(rest)))
        } else {
            (whole.get_ref().0.get_ref().clone(), Box::new(whole))
        };
        let format = match options.format {
            // A user who says that it is JSON is right, but would get an error for every line of a book.
            None | Some(GameFormat::Json) => match (options.format, sniff(&head, charset)) {
                (_, Sniffed::Book) => {
                    let hint = Some(Hint::ImportBook { file: None });
                    return Err(OpenError::Unknown { file, found: "a book as JSON", hint });
                }
                (Some(format), _) | (None, Sniffed::Games(format)) => format,
                (None, Sniffed::Names) => return Err(OpenError::Names { file }),
                (None, Sniffed::Unknown(found, hint)) => {
                    return Err(OpenError::Unknown { file, found, hint });
                }
            },
            Some(format) => format,
        };
        Ok(Self { file, format, charset, keeps_squares: options.keeps_squares, bytes })
    }

    fn reader(self, names: WthorNames, source: String) -> GameReader<'a> {
        let (input, charset) = (BufReader::new(self.bytes), self.charset);
        let drafts = self.format.room().read(GameSource { input, charset, names });
        let file = self.file.into();
        let (format, keeps_squares) = (self.format, self.keeps_squares);
        // WTHOR's bytes are no text.
        let is_latin = self.charset == Charset::Latin1 && format != GameFormat::Wthor;
        GameReader {
            file,
            source,
            format,
            keeps_squares,
            is_latin,
            drafts,
            games: 0,
            is_over: false,
        }
    }
}

/// Takes the first bytes. A fault behind them is reported when it is reached.
fn look<'a>(mut input: Box<dyn Read + 'a>) -> io::Result<(Vec<u8>, Box<dyn Read + 'a>)> {
    let mut head = Vec::new();
    match input.by_ref().take(HEAD as u64).read_to_end(&mut head) {
        Ok(_) => Ok((head, input)),
        Err(error) if head.is_empty() => Err(error),
        Err(error) => Ok((head, Box::new(Failed(Some(error))))),
    }
}

/// An error that was met too early.
struct Failed(Option<io::Error>);

impl Read for Failed {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

impl GameReader<'_> {
    pub const fn format(&self) -> GameFormat {
        self.format
    }

    /// Whether lines of words were passed over so far: titles and the like, or names of something else.
    pub(crate) fn has_words(&self) -> bool {
        self.drafts.has_words()
    }

    fn take(&mut self) -> Option<Result<ReadGame, RefusedGame>> {
        let draft = self.drafts.next_draft()?;
        let number = self.games + 1;
        let read = draft.and_then(|draft| {
            let (place, passed) = (draft.place, draft.ends_with_a_pass());
            let (mut game, mut notes) = draft.finish(self.keeps_squares)?;
            if game.source.is_empty() {
                game.source.clone_from(&self.source);
            }
            if self.is_latin {
                let names = [&game.black.name, &game.white.name].into_iter().flatten();
                let names = names.filter(|name| looks_garbled(name));
                let words = game.event.iter().chain(game.extra.values());
                let all = names.chain(words.filter(|words| are_garbled(words)));
                notes.extend(all.map(|text| Note::Letters(one_line(text, MOST_TOLD))));
            }
            let passed = passed && game.black_discs.is_none();
            Ok(ReadGame { number, place, game, notes, passed })
        });
        Some(read.map_err(|Refused { place, why }| {
            self.is_over = why.is_fatal();
            let game = (!self.is_over).then_some(number);
            RefusedGame { file: Arc::clone(&self.file), place, game, why }
        }))
    }
}

impl Iterator for GameReader<'_> {
    type Item = Result<ReadGame, RefusedGame>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let next = self.take()?;
        self.games += 1;
        Some(next)
    }
}
