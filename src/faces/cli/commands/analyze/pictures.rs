//! Drawings and pages of analysed games.

use std::path::{Path, PathBuf};

use anyhow::Context as _;

use super::text::facts;
use crate::app::analysis::{AnalysedGame, AnalysisError};
use crate::app::export::{Document, ExportTarget};
use crate::faces::render::{game_svg, games_page};

/// So many games find room on a page, 10 KB each.
const MOST_ON_PAGE: usize = 2000;

/// The files that were asked for, and the games that go into them.
pub(super) struct Pictures {
    svg: Option<PathBuf>,
    html: Option<(PathBuf, Document)>,
    drawn: usize,
    games: Vec<AnalysedGame>,
    left_out: usize,
}

impl Pictures {
    /// Finds out whether the files can be written.
    pub(super) fn of(svg: Option<&Path>, html: Option<&Path>) -> anyhow::Result<Self> {
        let html = match html {
            Some(path) => Some((path.to_owned(), created(path)?)),
            None => None,
        };
        if let Some(path) = svg {
            drop(created(path)?);
        }
        let svg = svg.map(Path::to_owned);
        Ok(Self { svg, html, drawn: 0, games: Vec::new(), left_out: 0 })
    }

    /// Takes a game; its drawing is written at once.
    pub(super) fn take(&mut self, game: &AnalysedGame) -> Result<(), AnalysisError> {
        if let Some(path) = &self.svg {
            self.drawn += 1;
            let path = numbered(path, self.drawn);
            let drawn = Document::create(&path);
            let drawn = drawn.and_then(|document| document.finish(&game_svg(game)));
            drawn.map_err(|error| AnalysisError::File { file: named(&path), error })?;
        }
        if self.html.is_some() {
            if self.games.len() < MOST_ON_PAGE {
                self.games.push(game.clone());
            } else {
                self.left_out += 1;
            }
        }
        Ok(())
    }

    /// Writes the page; reports what is not on it.
    pub(super) fn finish(self) -> anyhow::Result<Option<String>> {
        let Some((path, document)) = self.html else { return Ok(None) };
        if self.games.is_empty() {
            return Ok(None);
        }
        let page = games_page(&self.games, facts);
        document.finish(&page).with_context(|| cannot_write(&path))?;
        let (path, left_out) = (path.display(), self.left_out);
        Ok((left_out > 0).then(|| {
            format!("{path} holds the first {MOST_ON_PAGE} games; {left_out} found no room on it")
        }))
    }
}

fn created(path: &Path) -> anyhow::Result<Document> {
    Document::create(path).with_context(|| cannot_write(path))
}

/// That a file cannot be written, or standard output where it is that.
pub(super) fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", named(path))
}

/// The name of a file for messages.
pub(super) fn named(path: &Path) -> String {
    ExportTarget::of(path).name()
}

/// The name itself for the first drawing, `NAME-2.svg` and so on for those that follow.
fn numbered(path: &Path, number: usize) -> PathBuf {
    if number == 1 || path.as_os_str() == "-" {
        return path.to_owned();
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let ending = path.extension().map(|ending| format!(".{}", ending.to_string_lossy()));
    path.with_file_name(format!("{stem}-{number}{}", ending.unwrap_or_default()))
}

/// Whether a file is that of a drawing which follows the first one.
pub(super) fn is_numbered(path: &Path, file: &Path) -> bool {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let number = stem.rsplit_once('-').and_then(|(_, number)| number.parse().ok());
    let folder =
        |path: &Path| path.parent().and_then(|folder| folder.join(".").canonicalize().ok());
    number.is_some_and(|number: usize| {
        let drawing = numbered(path, number);
        number > 1 && drawing.file_name() == file.file_name() && folder(&drawing) == folder(file)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawings_are_numbered_from_the_second_on() {
        let name = |path: &str, number| numbered(Path::new(path), number).display().to_string();
        assert_eq!(name("a/game.svg", 1), "a/game.svg");
        assert_eq!(name("a/game.svg", 3), "a/game-3.svg");
        assert_eq!(name("game", 2), "game-2");
        assert_eq!(name("-", 2), "-");
        let is_of = |path: &str, file: &str| is_numbered(Path::new(path), Path::new(file));
        assert!(is_of("game.svg", "game-3.svg") && is_of("game.svg", "./game-2.svg"));
        for other in
            ["game.svg", "game-1.svg", "game-x.svg", "game-3.sgf", "src/game-3.svg", "gam-3.svg"]
        {
            assert!(!is_of("game.svg", other), "{other}");
        }
    }
}
