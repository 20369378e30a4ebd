//! The checkers themselves: each finds what was planted and nothing else, and nothing in the books
//! of the programs whose rules they are.

use std::fs;
use std::path::{Path, PathBuf};

use rosebill::othello::board::{Line, Position, Side, Square};

use crate::ntest_rules::{self, Fault, NtestCheck, NtestLevel, canonical};
use crate::zebra_bytes;
use crate::zebra_rules::{self, Draws, ZebraCheck};

fn shared(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/books").join(name)
}

/// The position after a line of moves, seen by its side to move.
fn after(line: &str) -> Position {
    line.parse::<Line>().unwrap().board().position
}

/// A node of an NTest book made by hand.
#[derive(Clone, Copy)]
struct Made {
    position: Position,
    games: u16,
    plies: u16,
    prune: u16,
    /// 1 proven, 2 root, 4 win and loss only, 8 known.
    marks: u16,
    number: i16,
}

impl Made {
    fn leaf(line: &str, plies: u16, number: i16) -> Self {
        let position = canonical(after(line));
        Self { position, games: 0, plies, prune: 4, marks: 0, number }
    }

    fn branch(line: &str, plies: u16, cutoff: i16) -> Self {
        Self { marks: 2, ..Self::leaf(line, plies, cutoff) }
    }
}

/// The mixer of NTest's checksum over words, by its formula.
fn checksum(items: &[u32]) -> u32 {
    let [mut a, mut b, mut c] = [0u32; 3];
    for three in items.chunks(3) {
        a = a.wrapping_add(three[0]);
        b = b.wrapping_add(three.get(1).copied().unwrap_or(0));
        let Some(&third) = three.get(2) else { break };
        c = c.wrapping_add(third);
        for (right, left, last) in [(13, 8, 13), (12, 16, 5), (3, 10, 15)] {
            a = a.wrapping_sub(b).wrapping_sub(c) ^ (c >> right);
            b = b.wrapping_sub(c).wrapping_sub(a) ^ (a << left);
            c = c.wrapping_sub(a).wrapping_sub(b) ^ (b >> last);
        }
    }
    a
}

/// A book of format 2 in which each node is a tree of its own, as NTest takes it too.
fn ntest_book(nodes: &[Made]) -> Vec<u8> {
    let mut bytes = vec![2, 0, 0, 0];
    bytes.extend((nodes.len() as u32).to_le_bytes());
    let mut items = Vec::new();
    for node in nodes {
        let mut record = Vec::new();
        record.extend(node.position.empty_squares().to_le_bytes());
        record.extend(node.position.mover.to_le_bytes());
        record.extend(node.games.to_le_bytes());
        record.extend(0u16.to_le_bytes());
        record.extend((node.marks | node.plies << 4 | node.prune << 10).to_le_bytes());
        record.extend(node.number.to_le_bytes());
        items.extend(record.chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())));
        items.push(0xff);
        bytes.extend(record);
        bytes.push(0xff);
    }
    bytes.extend(checksum(&items).to_le_bytes());
    bytes
}

const S4: Option<NtestLevel> = Some(NtestLevel(4));

fn ntest(nodes: &[Made]) -> NtestCheck {
    ntest_rules::check(&ntest_book(nodes), S4).unwrap()
}

/// The start, whose moves are all one, a reply, and its best other move.
fn sound() -> [Made; 3] {
    [Made::branch("", 4, -16_400), Made::branch("f5", 4, 40), Made::leaf("f5d6", 3, -50)]
}

#[test]
fn a_sound_book_has_no_fault() {
    let check = ntest(&sound());
    assert_eq!((check.nodes, check.branches, check.counts()), (3, 2, vec![]));
    assert_eq!(check.values_of(Position::START), Some([-50; 3]));
    assert_eq!(check.values_of(after("f5")), Some([50; 3]));
}

/// Each change of the sound book brings exactly the fault that it is.
#[test]
fn planted_faults_of_ntest_books_are_found() {
    let [start, reply, leaf] = sound();
    let turned = Position { mover: leaf.position.mover.swap_bytes(), ..leaf.position };
    let turned = Position { opponent: leaf.position.opponent.swap_bytes(), ..turned };
    for (fault, nodes) in [
        (Fault::Height, [start, Made { plies: 3, ..reply }, leaf]),
        (Fault::Successor, [start, reply, Made { plies: 2, ..leaf }]),
        (Fault::Deviation, [start, Made { number: 51, ..reply }, leaf]),
        (Fault::Deviation, [start, Made { number: 16_400, ..reply }, leaf]),
        (Fault::Cutoff, [Made { number: 10, ..start }, reply, leaf]),
        (Fault::CutoffTooSoon, [start, Made { number: -16_400, ..reply }, leaf]),
        (Fault::PlayedLeaf, [start, reply, Made { games: 1, ..leaf }]),
        (Fault::Number, [start, reply, Made { number: -6_401, ..leaf }]),
        (Fault::Marks, [start, reply, Made { marks: 8, ..leaf }]),
        (Fault::Marks, [start, reply, Made { prune: 3, ..leaf }]),
    ] {
        let check = ntest(&nodes);
        assert_eq!(check.counts(), [(fault, 1)], "{fault:?}: {check}");
        assert_eq!(check.faults[&fault].boards.len(), 1);
    }
    // A board in another orientation, and one that is there twice: they are successors of nothing
    // or of what was there already.
    let odd = Made { position: turned, ..leaf };
    assert_eq!(ntest(&[start, reply, leaf, odd]).counts(), [(Fault::Board, 1)]);
    assert_eq!(ntest(&[start, reply, leaf, leaf]).counts(), [(Fault::Board, 1)]);
    // Without the leaf the reply has a solved successor only: a proven win of the other side.
    let won = Made { plies: 50, prune: 0, marks: 1 | 8, ..leaf };
    let check = ntest(&[start, reply, Made { number: 200, ..won }]);
    assert_eq!(check.counts(), [(Fault::Deviation, 1)]);
    assert_eq!(check.values_of(after("f5")), Some([-200, -10_200, -10_200]));
    // Nothing below at all.
    let check = ntest(&[start, reply]);
    assert_eq!(check.counts(), [(Fault::NoValue, 1), (Fault::Deviation, 1)]);
}

/// A successor after a pass has the same side to move, and a move that ends the game needs no node.
#[test]
fn passes_and_ends_are_ntests() {
    let line = "d3c3f5d2d1e1b2";
    let branch = Made::branch(line, 4, 0);
    let leaf = |number| Made::leaf("d3c3f5d2d1e1b2c1", 3, number);
    let check = ntest(&[branch, leaf(70)]);
    assert_eq!((check.counts(), check.values_of(after(line))), (vec![], Some([70; 3])));
    assert_eq!(ntest(&[branch, leaf(-70)]).counts(), [(Fault::Deviation, 1)]);

    let line = "e6f4e3f6g5d6e7f5";
    let branch = Made::branch(line, 4, 0);
    let wiped = Some([6_400, 16_400, 16_400]);
    let check = ntest(&[branch]);
    assert_eq!(check.counts(), [(Fault::Deviation, 1)]);
    assert_eq!(check.values_of(after(line)), wiped);
}

/// The heights of a level, towards the end and at it.
#[test]
fn heights_of_levels_are_ntests() {
    let least = |level, empties| {
        let height = NtestLevel(level).least(empties);
        (height.plies, height.prune, height.win_loss)
    };
    assert_eq!(least(12, 16), (8, 0, false));
    assert_eq!(least(12, 17), (9, 0, true));
    assert_eq!(least(12, 20), (12, 0, true));
    assert_eq!(least(12, 21), (13, 3, true));
    assert_eq!(least(12, 22), (14, 5, true));
    assert_eq!(least(12, 23), (12, 4, false));
    assert_eq!(least(4, 14), (6, 0, true));
    assert_eq!(least(4, 15), (4, 4, false));
}

#[test]
fn broken_ntest_books_are_no_books() {
    let mut bytes = ntest_book(&sound());
    let last = bytes.len() - 1;
    for at in [4, 9, last] {
        bytes[at] ^= 1;
        assert!(ntest_rules::check(&bytes, None).is_err(), "{at}");
        bytes[at] ^= 1;
    }
    assert!(ntest_rules::check(&bytes[..last], None).is_err());
    assert!(ntest_rules::check(&[&bytes[..], &[0]].concat(), None).is_err());
}

/// Format 1 states its values: one is changed.
#[test]
fn stored_values_are_compared() {
    let [start, reply, leaf] = sound();
    let record = |node: &Made, values: [i16; 3]| {
        let mut bytes = [0; 56];
        bytes[..8].copy_from_slice(&node.position.empty_squares().to_le_bytes());
        bytes[8..16].copy_from_slice(&node.position.mover.to_le_bytes());
        bytes[16] = node.plies as u8;
        bytes[20] = node.prune as u8;
        bytes[28..32].copy_from_slice(&i32::from(node.number).to_le_bytes());
        for (to, value) in bytes[32..38].chunks_mut(2).zip(values) {
            to.copy_from_slice(&value.to_le_bytes());
        }
        bytes[52] = u8::from(node.marks & 2 != 0);
        bytes
    };
    let book = |values: [i16; 3]| {
        let records =
            [record(&start, [-50; 3]), record(&reply, values), record(&leaf, [-50; 3])].concat();
        let items: Vec<u32> =
            records.chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect();
        [&[1, 0, 0, 0, 3, 0, 0, 0], &records[..], &checksum(&items).to_le_bytes()].concat()
    };
    let counts = |values| ntest_rules::check(&book(values), S4).unwrap().counts();
    assert_eq!(counts([50; 3]), []);
    assert_eq!(counts([50, 51, 50]), [(Fault::Stored, 1)]);
}

/// NTest's own books keep all rules of the levels that they were made at.
#[test]
#[ignore = "needs ../shared/data/books"]
fn ntests_own_books_keep_ntests_rules() {
    for (name, level) in [
        ("ntest-tiny.book", 4),
        ("ntest-pass.book", 6),
        ("ntest-sample-v1.book", 8),
        ("ntest-sample.book", 12),
    ] {
        let bytes = fs::read(shared(name)).unwrap();
        let check = ntest_rules::check(&bytes, Some(NtestLevel(level))).unwrap();
        println!("{name}: {check}");
        assert_eq!(check.counts(), [], "{name}");
        // The rules ask for no less than NTest does: one level higher is too much.
        assert_eq!(ntest_rules::supported_level(&bytes, 99), Some(NtestLevel(level)), "{name}");
    }
    // Where its searches to the end begin, and where they are exact.
    let nodes = ntest_rules::nodes_of(&fs::read(shared("ntest-sample.book")).unwrap()).unwrap();
    let fewest = nodes.iter().filter(|node| node.is_branch()).map(|node| node.position.empties());
    assert_eq!(fewest.min(), Some(21));
    let is_exact = |node: &&ntest_rules::Node| node.proven && !node.height.win_loss;
    let exact = nodes.iter().filter(is_exact).filter(|node| node.games != [0; 2]);
    assert_eq!(exact.map(|node| node.position.empties()).max(), Some(16));
}

/// A node of a Zebra book made by hand: scores, alternative and its score from Black's side.
#[derive(Clone, Copy)]
struct ZebraMade {
    line: &'static str,
    scores: [i16; 2],
    alternative: (&'static str, i16),
    marks: u16,
}

const fn zebra_node(line: &'static str, score: i16, alternative: (&'static str, i16)) -> ZebraMade {
    ZebraMade { line, scores: [score; 2], alternative, marks: 0 }
}

/// A `book.bin`.
fn zebra_book(nodes: &[ZebraMade]) -> Vec<u8> {
    let mut bytes = vec![0x9e, 0x0a, 0x02, 0x0b];
    bytes.extend((nodes.len() as u32).to_le_bytes());
    for node in nodes {
        let placed = node.line.parse::<Line>().unwrap().board();
        let is_black = placed.side == Side::Black;
        let board = if is_black { placed.position } else { placed.position.passed() };
        let ((first, second), orientation) = zebra_bytes::hash(board);
        let (square, score) = node.alternative;
        let alternative = match square {
            "" => -1,
            "none left" => -2,
            name => {
                let [column, row] = name.as_bytes() else { panic!("{name}") };
                let square = Square::from_ascii(*column, *row).unwrap();
                zebra_bytes::written_move(orientation, square)
            }
        };
        bytes.extend(first.to_le_bytes());
        bytes.extend(second.to_le_bytes());
        let turn = if is_black { 1 } else { 2 };
        let [black, white] = node.scores;
        for number in [black, white, alternative, score, (node.marks ^ turn).cast_signed()] {
            bytes.extend(number.to_le_bytes());
        }
    }
    bytes
}

fn zebra(nodes: &[ZebraMade]) -> ZebraCheck {
    zebra_rules::check(&zebra_book(nodes), Draws::Neutral).unwrap()
}

/// White is to move after f5, Black after f5d6.
fn sound_zebra() -> [ZebraMade; 3] {
    [
        zebra_node("", 96, ("none left", 9_999)),
        zebra_node("f5", 96, ("f4", 200)),
        zebra_node("f5d6", 96, ("c3", 96)),
    ]
}

#[test]
fn hashes_are_zebras() {
    for (line, first, second, orientation) in [
        ("", 1_367_877_565, 1_384_641_267, 1),
        ("f5", 1_432_552_204, 801_822_288, 5),
        ("c4", 1_432_552_204, 801_822_288, 7),
        ("f5d6", 1_851_744_936, 1_258_123_872, 0),
        ("f5d6c3d3c4", 1_497_408_290, 1_946_403_171, 3),
    ] {
        let placed = line.parse::<Line>().unwrap().board();
        let is_black = placed.side == Side::Black;
        let board = if is_black { placed.position } else { placed.position.passed() };
        assert_eq!(zebra_bytes::hash(board), ((first, second), orientation), "{line}");
    }
}

#[test]
fn a_sound_zebra_book_is_left_alone() {
    let check = zebra(&sound_zebra());
    assert_eq!((check.nodes, check.changed, check.counts()), (3, 0, vec![]), "{check}");
    assert_eq!(check.root, [96, 96]);
}

#[test]
fn planted_faults_of_zebra_books_are_found() {
    use zebra_rules::Fault;
    let [start, reply, leaf] = sound_zebra();
    let drawn = |line| ZebraMade { marks: 4 | 16, ..zebra_node(line, 0, ("", 9_999)) };
    let drawn_above = [
        ZebraMade { scores: [0; 2], ..start },
        ZebraMade { scores: [0; 2], ..reply },
        drawn("f5d6"),
    ];
    assert_eq!(zebra(&drawn_above).counts(), []);
    for (changed, faults, nodes) in [
        // Another score than what follows; it moves the nodes above it too where those differ.
        (1, vec![(Fault::Moved, 1)], vec![start, ZebraMade { scores: [95; 2], ..reply }, leaf]),
        (1, vec![(Fault::Moved, 1)], vec![ZebraMade { scores: [96, 97], ..start }, reply, leaf]),
        // The alternative is a child.
        (
            1,
            vec![(Fault::Dropped, 1)],
            vec![start, ZebraMade { alternative: ("d6", 200), ..reply }, leaf],
        ),
        // It is no move of the side to move.
        (
            1,
            vec![(Fault::Dropped, 1)],
            vec![start, ZebraMade { alternative: ("a1", 200), ..reply }, leaf],
        ),
        // A score without a move.
        (
            1,
            vec![(Fault::Alternative, 1), (Fault::Dropped, 1)],
            vec![start, ZebraMade { alternative: ("", 200), ..reply }, leaf],
        ),
        // A move without a score: nothing that Zebra would change.
        (
            0,
            vec![(Fault::Alternative, 1)],
            vec![start, ZebraMade { alternative: ("f4", 9_999), ..reply }, leaf],
        ),
        // Moves are left.
        (
            0,
            vec![(Fault::NotExhausted, 1)],
            vec![start, ZebraMade { alternative: ("none left", 9_999), ..reply }, leaf],
        ),
        // A draw that is not marked as exact, and one that is marked as exact alone.
        (1, vec![(Fault::Marked, 1)], {
            let [start, reply, draw] = drawn_above;
            vec![start, reply, ZebraMade { marks: 4, ..draw }]
        }),
        (1, vec![(Fault::Marked, 1)], {
            let [start, reply, draw] = drawn_above;
            vec![start, reply, ZebraMade { marks: 16, ..draw }]
        }),
        // A mark that means nothing, and a size that no result has.
        (0, vec![(Fault::Marks, 1)], vec![start, reply, ZebraMade { marks: 64, ..leaf }]),
        (0, vec![(Fault::Solved, 1)], vec![start, reply, ZebraMade { marks: 4, ..leaf }]),
        // The scratch mark is none.
        (0, vec![], vec![start, reply, ZebraMade { marks: 8, ..leaf }]),
        // A second record, and one that no line leads to.
        (0, vec![(Fault::Twice, 1)], vec![start, reply, leaf, leaf]),
        (
            0,
            vec![(Fault::Unreached, 1)],
            vec![start, reply, leaf, zebra_node("f5f6e6f4", 0, ("g5", 0))],
        ),
        // The wrong side is marked, so the alternative is no move of it.
        (
            1,
            vec![(Fault::WrongSide, 1), (Fault::Dropped, 1)],
            vec![start, reply, ZebraMade { marks: 1 ^ 2, ..leaf }],
        ),
    ] {
        let check = zebra(&nodes);
        let found = check.counts();
        // A wrong side has other children and alternatives: only the first fault is asked for.
        assert_eq!((check.changed, found), (changed, faults), "{check}");
    }
}

/// What makes Zebra believe in a proof.
#[test]
fn planted_promotions_are_found() {
    use zebra_rules::Fault;
    let [start, reply, _] = sound_zebra();
    let lost = ZebraMade { marks: 4, ..zebra_node("f5d6", 30_002, ("", 9_999)) };
    // White has lost after the one move that is in the book and has an alternative: no proof.
    let open = [start, ZebraMade { alternative: ("f4", 96), ..reply }, lost];
    assert_eq!(zebra(&open).counts(), []);
    // Without one Zebra takes the reply for lost, and the start with it.
    let due = [
        ZebraMade { scores: [30_002; 2], ..start },
        ZebraMade { scores: [30_002; 2], alternative: ("", 9_999), ..reply },
        lost,
    ];
    let check = zebra(&due);
    assert_eq!(check.counts(), [(Fault::Promoted, 2), (Fault::PromotedUnsoundly, 1)]);
    assert_eq!(check.changed, 2);
    // A node of which nothing is known is worse than a loss.
    let nothing = zebra_node("f5d6", 0, ("", 9_999));
    let check = zebra(&[start, reply, nothing]);
    assert_eq!(check.count(Fault::NoValue), 1);
    assert_eq!((check.count(Fault::Promoted), check.root), (2, [-32_000; 2]));
}

/// Zebra's own book is what Zebra's minimax makes of it, in all draw modes.
#[test]
#[ignore = "needs ../shared/data/books"]
fn zebras_own_book_is_left_alone() {
    use zebra_rules::Fault;
    let bytes = fs::read(shared("zebra-book.cmp.z")).unwrap();
    let check = zebra_rules::check(&bytes, Draws::Neutral).unwrap();
    println!("{check}");
    assert_eq!((check.nodes, check.changed, check.root), (497_705, 0, [0; 2]));
    // Its known oddities, none of which its minimax touches.
    assert_eq!(check.counts(), [(Fault::WrongSide, 22)]);
    let root = |draws| zebra_rules::check(&bytes, draws).unwrap().root;
    assert_eq!(root(Draws::Black), [512; 2]);
    assert_eq!(root(Draws::White), [-464; 2]);
    assert_eq!(root(Draws::Opponent), [-464, 512]);
}
