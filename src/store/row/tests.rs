//! Rows packed, unpacked, and as the view `book` reads them.

use proptest::prelude::*;
use rusqlite::params;
use rusqlite::types::Value;

use super::*;
use crate::store::Book;
use crate::store::sample::reachable;

#[test]
fn a_row_is_packed_as_in_all_books() {
    let rest = Rest {
        square: Some("d3".parse().unwrap()),
        score: Score::from_centidiscs(250),
        proof: Proof::Exact,
    };
    let searched = Searched { depth: 12, selectivity: Selectivity::FULL, source: SourceId(1) };
    // By schema 9.
    assert_eq!(unpack_record(826_732_130_835), Some((Some(rest), searched)));
    let packed = pack_record(Some(rest), searched);
    assert_eq!(packed, PACKED);
    assert_eq!(unpack_record(packed), Some((Some(rest), searched)));
}

const PACKED: i64 = i64::MIN | 19 | 100 << 10 | 12 << 17 | 1 << 23 | (8_192 + 250) << 26 | 1 << 50;

/// Nodes of the start position whose columns hold all that they can.
fn nodes() -> impl Strategy<Value = Node> {
    let proof = proptest::sample::select(&Proof::ALL[..]);
    let ours = proptest::sample::select(Selectivity::OURS.map(Selectivity::percent).to_vec());
    // Half of each as most are, which makes rows short.
    let percent = prop_oneof![ours, 0..=100_u8];
    let search = (0..=Searched::MOST_PLIES, percent, prop_oneof![0..8_u32, 0..MAX_SOURCES]);
    let moves = (0..1_u64 << 30, 0..1_u64 << 30);
    let flags = prop_oneof![0..4_u8, 0..8_u8];
    let follows = (flags, prop_oneof![0..512_u16, 0..1023_u16], 0..=u16::MAX, 0..=u16::MAX);
    (0..=65_u8, -6400..=6400_i16, proof, search, moves, follows).prop_map(
        |(number, score, proof, (depth, percent, source), (links, left_out), follows)| {
            let selectivity = Selectivity::from_percent(percent).unwrap();
            let searched = Searched { depth, selectivity, source: SourceId(source) };
            let score = Score::from_centidiscs(score);
            // 64 stands for a value of no move, 65 for no record.
            let square = Square::try_new(number);
            let record = (number != 65).then_some(Rest { square, score, proof });
            let (flags, hundredths, own, other) = follows;
            let mut node = Node {
                links: MoveMask::from_bits(links),
                left_out: MoveMask::from_bits(left_out),
                evidence: Evidence::of_hundredths(hundredths).unwrap(),
                lines: LineEnds { ends: flags, own, other },
                values: Values::of_search(score, proof),
                due: flags & 1 != 0,
                stands: flags & 2 != 0,
                more: flags & 4 != 0,
                ..Node::new(Key::of(Position::START), record, searched)
            };
            node.due |= !node.stands && node.has_open_move();
            node
        },
    )
}

proptest! {
    #[test]
    fn a_packed_row_comes_back(node in nodes()) {
        let (_, mover, opponent) = storage_order(node.key);
        let ValueColumns { guess, draw_seeking, win_seeking, .. } = node.values.into();
        let columns = Columns {
            mover,
            opponent,
            guess,
            draw_seeking,
            win_seeking,
            bounds: pack_bounds(&node),
            rest: pack_rest(&node),
            links: pack_links(&node),
        };
        prop_assert!(columns.rest < 0);
        let Searched { selectivity, source, .. } = node.searched;
        let is_usual = Selectivity::OURS.contains(&selectivity) && source.0 < 8;
        let fits = is_usual && !node.more && node.evidence.hundredths() < 512;
        prop_assert_eq!(columns.rest >= -(1 << 47), fits);
        prop_assert_eq!(columns.node().unwrap(), node);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4))]
    /// The view `book` unpacks columns once more, in SQL, for tools that have no function of ours.
    #[test]
    fn the_view_reads_columns_as_they_are_packed(
        nodes in proptest::collection::vec((nodes(), any::<bool>()), 200),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let book = Book::create(folder.path().join("a.db")).unwrap();
        let connection = &book.reader.connection;
        let sql = concat!("INSERT INTO node (discs, ", columns!(), ") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)");
        let read = "SELECT guess, draw_seeking, win_seeking, lower, upper, rest_move, rest_value, rest_proof, \
                    depth, selectivity, source, search_due, rest_stands, evidence, links FROM book \
                    WHERE mover = printf('%016x', ?1) AND opponent = printf('%016x', ?2)";
        for ((node, is_old), key) in nodes.into_iter().zip(reachable(8)) {
            let (discs, mover, opponent) = storage_order(key);
            let ValueColumns { guess, draw_seeking, win_seeking, bounds } = node.values.into();
            let (bounds, rest, links) = match is_old {
                true => (bounds, pack_short(node.record, node.searched), signed(node.links.bits())),
                false => (pack_bounds(&node), pack_rest(&node), pack_links(&node)),
            };
            let columns = params![discs, mover, opponent, guess, draw_seeking, win_seeking, bounds, rest, links];
            connection.execute(sql, columns).unwrap();
            let seen: Vec<Value> = connection
                .query_row(read, params![mover, opponent], |row| (0..15).map(|column| row.get(column)).collect())
                .unwrap();
            let in_discs = |score: Score| Value::Real(f64::from(score.centidiscs()) / 100.0);
            let proofs = ["none", "exact", "win", "loss", "not_lost", "not_won"];
            let record = |part: fn(Rest) -> Option<Value>| node.record.and_then(part).unwrap_or(Value::Null);
            let expected = [
                in_discs(node.values.guess),
                in_discs(node.values.draw_seeking),
                in_discs(node.values.win_seeking),
                Value::Integer(node.values.lower.into()),
                Value::Integer(node.values.upper.into()),
                record(|rest| rest.square.map(|square| Value::Text(square.to_string()))),
                record(|rest| Some(Value::Real(f64::from(rest.score.centidiscs()) / 100.0))),
                node.record.map_or(Value::Null, |rest| {
                    Value::Text(proofs[usize::from(rest.proof.number())].to_owned())
                }),
                Value::Integer(node.searched.depth.into()),
                Value::Integer(node.searched.selectivity.percent().into()),
                Value::Integer(node.searched.source.0.into()),
                Value::Integer((node.due && !is_old).into()),
                Value::Integer(if is_old { node.record.is_some() } else { node.stands }.into()),
                if is_old { Value::Null } else { Value::Real(f64::from(node.evidence.hundredths()) / 100.0) },
                Value::Integer(signed(node.links.bits())),
            ];
            prop_assert_eq!(&seen[..], &expected[..], "of {:?}, {}", node, is_old);
        }
    }
}

#[test]
fn the_index_of_due_searches_knows_their_mark() {
    let migration = include_str!("../../../migrations/0010_evidence.sql");
    assert!(migration.contains(&format!("WHERE {IS_DUE};")));
    let migration = include_str!("../../../migrations/0007_book.sql");
    assert!(migration.contains(&format!("WHERE {WAS_DUE};")));
}
