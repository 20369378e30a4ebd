//! Damaged and unusual Edax books, each made from one sound book by one change.

use rosebill::othello::board::Square;

use crate::made::edax::{NO_LEAF, NO_MOVE, Record, canonical, child, file, header, line, settle};

pub const ODD: [&str; 26] = [
    "00-good",
    "01-version3",
    "02-truncated",
    "03-dangling-link",
    "04-noncanonical",
    "05-duplicate",
    "06-count-too-big",
    "07-count-zero",
    "08-illegal-link",
    "09-illegal-leaf",
    "10-overlap",
    "11-trailing-junk",
    "12-swapped-magic",
    "13-empty",
    "14-header-only",
    "15-links-past-end",
    "16-leaf-is-a-link",
    "17-leaf-missing",
    "18-stale-values",
    "19-missing-link",
    "20-mixed-levels",
    "21-count-2147483647",
    "22-no-root",
    "23-level-77",
    "24-duplicate-link",
    "25-negative-count",
];

/// The bytes of one of them. The sound book has 38 records, from 60 empties to 23.
#[allow(clippy::too_many_lines)] // one change after the other
pub fn odd(name: &str) -> Vec<u8> {
    let mut records = line();
    let at = |empties: u8| 60 - usize::from(empties);
    let good = |records: &[Record]| file(1, records);
    let counted = |count: i32| {
        let mut bytes = header(1, 24, count);
        line().iter().for_each(|record| bytes.extend(record.bytes()));
        bytes
    };
    // In 00-good the record of 45 empties has one link and a leaf.
    let middle = at(45);
    match name {
        "00-good" => {}
        "01-version3" => {
            let mut bytes = good(&records);
            bytes[8] = 3;
            return bytes;
        }
        "02-truncated" => {
            let mut bytes = good(&records);
            bytes.truncate(bytes.len() - 17);
            return bytes;
        }
        "03-dangling-link" => drop(records.remove(at(23))),
        "04-noncanonical" => {
            let record = &mut records[at(50)];
            // Half a turn: words and squares are read backwards.
            record.board.mover = record.board.mover.reverse_bits();
            record.board.opponent = record.board.opponent.reverse_bits();
            record.links.iter_mut().for_each(|link| link.1 = 63 - link.1);
            record.leaf.1 = 63 - record.leaf.1;
        }
        "05-duplicate" => records.push(records[at(40)].clone()),
        "06-count-too-big" => return counted(9999),
        "07-count-zero" => return counted(0),
        "08-illegal-link" => records[middle].links[0].1 = "d4".parse::<Square>().unwrap().number(),
        "09-illegal-leaf" => records[middle].leaf.1 = "e4".parse::<Square>().unwrap().number(),
        "10-overlap" => {
            let board = &mut records[at(23)].board;
            board.mover |= board.opponent & board.opponent.wrapping_neg();
        }
        "11-trailing-junk" => return [good(&records), b"junk!".to_vec()].concat(),
        "12-swapped-magic" => {
            let mut bytes = good(&records);
            bytes[..8].copy_from_slice(b"EDAXBOOK");
            return bytes;
        }
        "13-empty" => return vec![],
        "14-header-only" => return header(1, 24, 0),
        "15-links-past-end" => {
            let mut bytes = good(&records);
            bytes[80] = 255;
            bytes.truncate(86);
            return bytes;
        }
        "16-leaf-is-a-link" => records[middle].leaf = records[middle].links[0],
        "17-leaf-missing" => records[middle].leaf = NO_LEAF,
        "18-stale-values" => {
            for record in &mut records {
                (record.values, record.counts) = ([0; 3], [0; 4]);
                record.links.iter_mut().for_each(|link| link.0 = 0);
            }
        }
        "19-missing-link" => {
            // Its leaf goes on to a record of its own, which nothing links to.
            let from = records[middle].board;
            let board = child(from, records[middle].leaf.1);
            let leaf = board.legal_moves().next().unwrap().number();
            let mut more = vec![Record {
                board,
                counts: [0; 4],
                values: [0; 3],
                level: 1,
                links: vec![],
                leaf: (3, leaf),
            }];
            settle(&mut more);
            records.extend(more);
            let other = from.legal_moves().map(Square::number).find(|&square| {
                let next = child(from, square);
                records.iter().all(|record| record.board != next)
            });
            records[middle].leaf.1 = other.unwrap();
        }
        "20-mixed-levels" => {
            records.iter_mut().filter(|record| record.empties() < 40).for_each(|r| r.level = 2);
        }
        "21-count-2147483647" => return counted(i32::MAX),
        "22-no-root" => drop(records.remove(at(60))),
        "23-level-77" => records[at(30)].level = 77,
        "24-duplicate-link" => {
            let link = records[middle].links[0];
            records[middle].links.push(link);
        }
        "25-negative-count" => return counted(-5),
        _ => panic!("no odd file {name}"),
    }
    good(&records)
}

#[test]
fn the_sound_book_is_as_the_odd_ones_need_it() {
    let records = line();
    assert_eq!(records.len(), 38);
    let links: usize = records.iter().map(|record| record.links.len()).sum();
    let leaves = records.iter().filter(|record| record.leaf.1 != NO_MOVE).count();
    assert_eq!((links, leaves), (40, 37));
    assert!(
        records.iter().zip((23..=60).rev()).all(|(record, empties)| record.empties() == empties)
    );
    assert!(records.iter().all(|record| record.board == canonical(record.board)));
    assert_eq!(records[15].links.len(), 1);
}
