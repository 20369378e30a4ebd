//! What NTest and Zebra would make of the books that we write for them: nothing else than is
//! written.

use rosebill::files::books::Format;
use rosebill::openbook::{Node, NodeSource, Rest};
use rosebill::othello::board::{After, Key, Side};
use rosebill::othello::search::Proof;

use crate::graphs::random_changes;
use crate::ntest_rules::{self, NtestCheck, NtestLevel};
use crate::shelf::{Shelf, nodes};
use crate::zebra_rules::{self, Draws, ZebraCheck};

impl Shelf {
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
        if self.part.is_empty() && report.only_held == 0 {
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
        let left_out = report.zebra.unreached + report.filtered + report.only_held;
        assert_eq!(report.positions + left_out, all, "{name}");
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
    assert!(has(&|node| node.rest().is_none() && !node.is_incomplete()));
    let is_undecided = |node: &Node| !node.values.is_decided();
    for proof in [Proof::None, Proof::Exact, Proof::Win, Proof::Loss] {
        assert!(has(&|node| node.rest().is_some_and(|rest| rest.proof == proof)), "{proof:?}");
    }
    let is_proof = |rest: Rest| rest.proof != Proof::None;
    assert!(has(&|node| is_undecided(node) && node.rest().is_some_and(is_proof)));
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

fn others() -> Vec<(&'static str, Shelf)> {
    Shelf::of_others([
        "edax-ray1941.dat",
        "egaroucid-sample.egbk3",
        "ntest-sample.book",
        "zebra-book.cmp.z",
    ])
}

#[test]
fn ntest_searches_nothing_in_our_books() {
    ntest_table(Shelf::of_ours());
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
    zebra_table(Shelf::of_ours());
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
