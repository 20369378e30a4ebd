//! Books to be exported: one of every kind, each in a folder of its own.

use std::fs;
use std::path::{Path, PathBuf};

use rosebill::app::export::{ExportFilter, ExportOptions, ExportReport, ExportTarget, export};
use rosebill::app::import::{ImportOptions, import};
use rosebill::app::{LossLimit, PruneOptions, RegretLimits, prune_book, take_starter};
use rosebill::files::books::Format;
use rosebill::openbook::{Node, Rest, Searched, Source};
use rosebill::othello::board::{After, Key, Line};
use rosebill::othello::eval::PatternEvaluator;
use rosebill::othello::search::{Goal, Level, Limits, Searcher, Selectivity, Stop};
use rosebill::store::{Book, Reader, StoreError};
use tempfile::TempDir;

use crate::dice::Dice;
use crate::graphs::{Change, random_changes};

/// A book in a folder of its own.
pub struct Shelf {
    pub folder: TempDir,
    pub book: Book,
    /// Which part of it is written.
    pub part: ExportFilter,
}

impl Shelf {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let book = Book::create(folder.path().join("book.db")).unwrap();
        Self { folder, book, part: ExportFilter::default() }
    }

    /// What the book that comes with the program has on lines that give away no more than three discs:
    /// how long a test takes does not depend on how far that book was grown.
    pub fn starter() -> Self {
        let mut shelf = Self::new();
        take_starter(&mut shelf.book).unwrap();
        let limits = RegretLimits { line_loss: LossLimit::each(150), ..RegretLimits::default() };
        let near = PruneOptions { limits, ..PruneOptions::default() };
        let kept = prune_book(&mut shelf.book, &near, false).unwrap();
        assert!(kept.going() > 0);
        shelf
    }

    /// Our own books, by name.
    pub fn of_ours() -> Vec<(&'static str, Self)> {
        vec![("starter", Self::starter()), ("own", Self::own()), ("made up", Self::made_up())]
    }

    /// Books of other programs, by name.
    pub fn of_others<const N: usize>(names: [&'static str; N]) -> Vec<(&'static str, Self)> {
        names.map(|name| (name, Self::imported(name))).into()
    }

    /// Books of other programs that records are made of.
    pub fn of_others_for_records() -> Vec<(&'static str, Self)> {
        Self::of_others([
            "edax-ray1941.dat",
            "edax-line38.dat",
            "egaroucid-sample.egbk3",
            "ntest-sample.book",
            "zebra-book.cmp.z",
        ])
    }

    /// Another program's book.
    pub fn imported(name: &str) -> Self {
        let path: PathBuf =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/books").join(name);
        let mut shelf = Self::new();
        import(&mut shelf.book, &[path], &ImportOptions::default(), |_| {}).unwrap();
        shelf
    }

    /// Random games from the start with true searches of every position: exact scores near the end,
    /// wins and losses without a size before that, estimates else; with passes, games that end
    /// early, and now and then a search that is due.
    pub fn own() -> Self {
        let mut shelf = Self::new();
        let mut dice = Dice(16);
        let mut lines: Vec<Line> = ["d3c3f5d2d1e1b2c1a3", "e6f4e3f6g5d6e7f5c5"]
            .iter()
            .map(|line| line.parse().unwrap())
            .collect();
        while lines.len() < 40 {
            let line = random_line(&mut dice);
            // Passes are rare: every other game has one while there is still a book.
            if lines.len().is_multiple_of(2) || has_pass(&line) {
                lines.push(line);
            }
        }
        let source = Source { engine: "rosebill test".to_owned(), ..Source::default() };
        let source = shelf.book.source_id(&source).unwrap();
        let selectivity = Selectivity::OURS[0];
        let nothing = Searched { depth: 0, selectivity, source };
        for line in &lines {
            let starts = line.steps().iter().map(|step| step.before.position);
            for position in starts.filter(|position| position.empties() >= 7) {
                shelf.book.insert(Key::of(position), None, nothing).unwrap();
            }
        }
        shelf.book.commit().unwrap();
        let mut searcher = Searcher::new(PatternEvaluator::embedded().unwrap(), 4);
        for (number, node) in nodes(shelf.book.reader()).into_iter().enumerate() {
            let position = node.key.position();
            // Some are not solved, so that positions above have a proof beside an estimate.
            let limits = match position.empties() {
                10.. if number % 7 == 3 => Limits::level(Level::new(4).unwrap(), 60),
                0..=12 => Limits::solve(Goal::Score),
                13..=15 => Limits::solve(Goal::WinLossDraw),
                empties => Limits::level(Level::new(5).unwrap(), empties),
            };
            if number % 50 == 49 {
                continue;
            }
            let links = node.links.squares(node.key);
            let found = searcher.search(position, links, &limits, &Stop::new());
            let rest = found.best.map(|square| Rest {
                square: Some(square),
                score: found.score,
                proof: found.proof,
            });
            let searched = Searched { depth: found.depth, selectivity: found.selectivity, source };
            shelf.book.set_rest(node.key, rest, searched).unwrap();
        }
        shelf.book.commit().unwrap();
        assert!(shelf.book.reader().verify().unwrap().is_sound());
        shelf
    }

    /// Everything that a book may hold, made up: proofs of all kinds, values without a move,
    /// searches that are due.
    pub fn made_up() -> Self {
        Self::made_of(&random_changes(16, 0, 6_000))
    }

    pub fn made_of(changes: &[Change]) -> Self {
        let mut shelf = Self::new();
        let source = shelf.book.source_id(&Source::default()).unwrap();
        for change in changes {
            let searched = Searched { source, ..change.searched };
            if change.adds {
                shelf.book.insert(change.key, change.rest, searched).unwrap();
            } else {
                shelf.book.set_rest(change.key, change.rest, searched).unwrap();
            }
        }
        shelf.book.commit().unwrap();
        shelf
    }

    pub fn written(&self, name: &str, format: Format) -> (Vec<u8>, ExportReport) {
        let path = self.folder.path().join(name);
        let options = ExportOptions { filter: self.part.clone(), ..ExportOptions::new(format) };
        let target = ExportTarget::of(&path);
        let report = export(self.book.reader(), &target, &options, |_| {}).unwrap();
        println!("  {report:?}");
        (fs::read(path).unwrap(), report)
    }
}

/// All nodes of a book, layer after layer.
pub fn nodes(book: &Reader) -> Vec<Node> {
    let mut nodes = Vec::new();
    book.for_each_node(|node| -> Result<(), StoreError> {
        nodes.push(node);
        Ok(())
    })
    .unwrap();
    nodes
}

fn random_line(dice: &mut Dice) -> Line {
    let mut line = Line::default();
    while let Some(placed) = line.end() {
        let moves: Vec<_> = placed.position.legal_moves().collect();
        if moves.is_empty() || !line.push(moves[dice.below(moves.len())]) {
            break;
        }
    }
    line
}

/// Whether a side must pass while 10 empties or more are left.
fn has_pass(line: &Line) -> bool {
    line.steps().iter().any(|step| {
        let position = step.before.position;
        position.empties() >= 11 && matches!(position.after(step.square), Some(After::Same(_)))
    })
}
