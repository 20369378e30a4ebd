//! What NTest and Zebra would make of the books that we write for them: nothing else than is
//! written.

use std::fs;
use std::path::{Path, PathBuf};

use rosebill::board::{After, Key, Line, Side};
use rosebill::book::{Node, NodeSource, Rest, Searched, Source};
use rosebill::eval::PatternEvaluator;
use rosebill::formats::Format;
use rosebill::ops::export::{ExportFilter, ExportOptions, ExportReport, ExportTarget, export};
use rosebill::ops::import::{ImportOptions, import};
use rosebill::ops::take_starter;
use rosebill::search::{Goal, Level, Limits, Proof, Searcher, Selectivity, Stop};
use rosebill::store::{Book, Reader, StoreError};
use tempfile::TempDir;

use crate::graphs::{Change, Dice, random_changes};
use crate::ntest_rules::{self, NtestCheck, NtestLevel};
use crate::zebra_rules::{self, Draws, ZebraCheck};

/// A book in a folder of its own.
struct Shelf {
    folder: TempDir,
    book: Book,
    /// Which part of it is written.
    part: ExportFilter,
}

impl Shelf {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let book = Book::create(folder.path().join("book.db")).unwrap();
        Self { folder, book, part: ExportFilter::default() }
    }

    /// The book that comes with the program.
    fn starter() -> Self {
        let mut shelf = Self::new();
        take_starter(&mut shelf.book).unwrap();
        shelf
    }

    /// Another program's book.
    fn imported(name: &str) -> Self {
        let path: PathBuf =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/books").join(name);
        let mut shelf = Self::new();
        import(&mut shelf.book, &[path], &ImportOptions::default(), |_| {}).unwrap();
        shelf
    }

    /// Random games from the start with true searches of every position: exact scores near the end,
    /// wins and losses without a size before that, estimates else; with passes, games that end
    /// early, and now and then a search that is due.
    fn own() -> Self {
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
    fn made_up() -> Self {
        Self::made_of(&random_changes(16, 0, 6_000))
    }

    fn made_of(changes: &[Change]) -> Self {
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

    fn written(&self, name: &str, format: Format) -> (Vec<u8>, ExportReport) {
        let path = self.folder.path().join(name);
        let options = ExportOptions { filter: self.part.clone(), ..ExportOptions::new(format) };
        let target = ExportTarget::of(&path);
        let report = export(self.book.reader(), &target, &options, |_| {}).unwrap();
        println!("  {report:?}");
        (fs::read(path).unwrap(), report)
    }

    /// Writes the book for NTest and checks it at the level that it is said to be for.
    fn for_ntest(&self, name: &str) -> NtestCheck {
        let (bytes, report) = self.written("out.book", Format::Ntest);
        let level = report.ntest.level.map(|level| level.to_string());
        let level = level.map(|level| NtestLevel(level[1..].parse().unwrap()));
        let check = ntest_rules::check(&bytes, level).unwrap();
        println!("{name} for NTest at {level:?}: {check}");
        // Format 1 says the same, and the values that follow.
        let (raw, _) = self.written("out1.book", Format::Ntest1);
        assert_eq!(ntest_rules::check(&raw, level).unwrap().counts(), check.counts());
        assert_eq!(check.nodes as u64, report.ntest.nodes);
        // What NTest makes of it is what the report says that it would.
        let why = report.ntest.differences;
        let [guess, seeking] = self.other_for_ntest(&check);
        // A part of a book is compared with itself by the export.
        if self.part.is_empty() {
            assert_eq!([why.guess, why.seeking], [guess as u64, seeking as u64]);
        }
        let own = why.one_number + why.proven_rest + why.other_search + why.estimate;
        assert_eq!(why.guess + why.seeking, own + why.as_in_file + why.inherited);
        check
    }

    /// Writes the book for Zebra and checks it, and what is said to be lost.
    fn for_zebra(&self, name: &str) -> ZebraCheck {
        let (bytes, report) = self.written("out.bin", Format::Zebra);
        let check = zebra_rules::check(&bytes, Draws::Neutral).unwrap();
        println!("{name} for Zebra: {check}");
        let (packed, _) = self.written("out.cmp.z", Format::ZebraCmpZ);
        let again = zebra_rules::check(&packed, Draws::Neutral).unwrap();
        assert_eq!(again.changed, check.changed, "{name}");
        let others = self.other_for_zebra(&check);
        // A cut keeps guesses, but not all sizes that are proven.
        if self.part.is_empty() {
            assert_eq!([report.zebra.other_guess, report.zebra.other_size], others, "{name}");
        }
        assert_eq!(report.zebra.nodes, check.nodes as u64, "{name}");
        let all = self.book.reader().counts().unwrap().positions;
        assert_eq!(report.positions + report.zebra.unreached + report.filtered, all, "{name}");
        check
    }

    /// How many positions NTest sees with another guess, and with other seeking values only, than
    /// this book.
    fn other_for_ntest(&self, check: &NtestCheck) -> [usize; 2] {
        let mut others = [0; 2];
        let all = nodes(self.book.reader());
        for node in &all {
            let Some(theirs) = check.values_of(node.key.position()) else { continue };
            let values = [node.values.guess, node.values.draw_seeking, node.values.win_seeking];
            let ours = values.map(|score| i32::from(score.centidiscs()));
            others[0] += usize::from(ours[0] != theirs[0]);
            others[1] += usize::from(ours[0] == theirs[0] && ours != theirs);
        }
        println!(
            "  of {} positions {} other guesses, {} other seeking values",
            all.len(),
            others[0],
            others[1]
        );
        others
    }

    /// How many undecided positions Zebra values by more than a quarter of a disc otherwise than
    /// this book's guess, and of how many wins and losses the guess is so far from what is proven.
    fn other_for_zebra(&self, check: &ZebraCheck) -> [u64; 2] {
        let mut others = [0; 2];
        for (&(board, side), &[score, _]) in &check.scores {
            let position = if side == Side::Black { board } else { board.passed() };
            let Some(node) = self.book.node(&Key::of(position)).unwrap() else { continue };
            let theirs = if side == Side::Black { score } else { -score };
            let is_proof = theirs.abs() >= 30_000;
            let discs = i32::from(node.values.lower.max(-node.values.upper));
            let theirs = if is_proof { theirs.signum() * discs * 128 } else { theirs };
            let ours = i32::from(node.values.guess.centidiscs());
            let differs = (theirs * 100 - ours * 128).abs() > 128 * 25;
            let is_drawn = node.values.is_decided() && !is_proof;
            others[usize::from(is_proof)] += u64::from(differs && !is_drawn);
        }
        println!("  of {} nodes {others:?} are worth something else to Zebra", check.nodes);
        others
    }
}

fn nodes(book: &Reader) -> Vec<Node> {
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

/// What the exported books must have for the checks to mean anything.
#[test]
fn our_own_book_has_all_that_exports_stumble_over() {
    let shelf = Shelf::own();
    let all = nodes(shelf.book.reader());
    let kept = |node: &&Node| node.key.position().empties() >= 10;
    let has = |is_one: &dyn Fn(&Node) -> bool| all.iter().filter(kept).any(is_one);
    let after = |node: &Node| {
        let position = node.key.position();
        position.legal_moves().filter_map(move |square| position.after(square))
    };
    assert!(has(&|node| after(node).any(|after| matches!(after, After::Same(_)))));
    assert!(has(&|node| after(node).any(|after| matches!(after, After::Over(_)))));
    assert!(has(&Node::is_incomplete));
    assert!(has(&|node| node.rest.is_none() && !node.is_incomplete()));
    let is_undecided = |node: &Node| !node.values.is_decided();
    for proof in [Proof::None, Proof::Exact, Proof::Win, Proof::Loss] {
        assert!(has(&|node| node.rest.is_some_and(|rest| rest.proof == proof)), "{proof:?}");
    }
    let is_proof = |rest: Rest| rest.proof != Proof::None;
    assert!(has(&|node| is_undecided(node) && node.rest.is_some_and(is_proof)));
    assert!(has(&|node| node.values.is_exact()));
    assert!(has(&|node| node.values.is_decided() && !node.values.is_exact()));
    // The same book every time.
    assert_eq!(nodes(Shelf::own().book.reader()), all);
}

/// Books, checked; the table is printed first.
fn ntest_table(books: Vec<(&'static str, Shelf)>) {
    let mut faults = Vec::new();
    for (name, shelf) in books {
        let counts = shelf.for_ntest(name).counts();
        faults.extend(counts.into_iter().map(|(fault, count)| (name, fault, count)));
    }
    assert_eq!(faults, []);
}

fn zebra_table(books: Vec<(&'static str, Shelf)>) {
    let mut faults = Vec::new();
    for (name, shelf) in books {
        let check = shelf.for_zebra(name);
        faults.extend(check.counts().into_iter().map(|(fault, count)| (name, fault, count)));
    }
    assert_eq!(faults, []);
}

fn ours() -> Vec<(&'static str, Shelf)> {
    vec![("starter", Shelf::starter()), ("own", Shelf::own()), ("made up", Shelf::made_up())]
}

fn others() -> Vec<(&'static str, Shelf)> {
    ["edax-ray1941.dat", "egaroucid-sample.egbk3", "ntest-sample.book", "zebra-book.cmp.z"]
        .map(|name| (name, Shelf::imported(name)))
        .into()
}

#[test]
fn ntest_searches_nothing_in_our_books() {
    ntest_table(ours());
}

#[test]
#[ignore = "needs ../shared/data/books"]
fn ntest_searches_nothing_in_other_programs_books() {
    let mut books = others();
    // Where a book is cut, branches that were played become leaves.
    let mut cut = Shelf::imported("ntest-sample.book");
    cut.part.max_discs = Some(20);
    books.push(("ntest-sample.book to 20 discs", cut));
    ntest_table(books);
}

#[test]
fn zebra_changes_nothing_in_our_books() {
    zebra_table(ours());
}

#[test]
fn zebra_changes_nothing_in_parts_and_in_many_small_books() {
    let mut cut = Shelf::made_up();
    cut.part.max_discs = Some(20);
    let mut books = vec![("made up to 20 discs", cut)];
    books.extend((0..12).map(|seed| ("small", Shelf::made_of(&random_changes(seed, 0, 400)))));
    zebra_table(books);
}

#[test]
#[ignore = "needs ../shared/data/books"]
fn zebra_changes_nothing_in_other_programs_books() {
    let mut books = others();
    let mut cut = Shelf::imported("ntest-sample.book");
    cut.part.max_discs = Some(20);
    books.push(("ntest-sample.book to 20 discs", cut));
    zebra_table(books);
}
