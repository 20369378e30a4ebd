//! Rows as they were, packed one behind the other, whatever columns their tables have.

use rusqlite::types::{Value, ValueRef};

/// A value of nothing.
const NULL: u8 = 0;
/// An integer of so many bytes, 1 to 8, follows: the lowest first, with a sign.
const LONGEST_INTEGER: u8 = 8;
/// A number of eight bytes follows.
const REAL: u8 = 9;
/// A length of four bytes and a text follow.
const TEXT: u8 = 10;
/// A length of four bytes and the bytes follow.
const BLOB: u8 = 11;

/// Added to the number of values where the row was not there.
const ABSENT: u8 = 0x80;

/// Values that a row may have: SQLite itself would take more, no table of ours has so many.
pub(super) const MOST_VALUES: usize = 100;

/// A row as it was.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Image {
    /// The table, by its place in [`super::capture::TABLES`].
    pub(super) table: u8,
    /// All columns, or those of the primary key where there was no such row.
    pub(super) values: Vec<Value>,
    /// Whether there was such a row.
    pub(super) was_there: bool,
}

/// Begins an image of so many values.
pub(super) fn begin(packed: &mut Vec<u8>, table: u8, values: usize, was_there: bool) {
    debug_assert!(values <= MOST_VALUES);
    packed.push(table);
    packed.push(values as u8 | if was_there { 0 } else { ABSENT });
}

/// Adds a value of the image that was begun last.
pub(super) fn push(packed: &mut Vec<u8>, value: ValueRef<'_>) {
    let mut long = |kind: u8, bytes: &[u8]| {
        packed.push(kind);
        // No value of SQLite is longer than 2 GB.
        packed.extend((bytes.len() as u32).to_le_bytes());
        packed.extend(bytes);
    };
    match value {
        ValueRef::Null => packed.push(NULL),
        ValueRef::Integer(number) => {
            // Bits that only repeat the sign are left out.
            let repeated = if number < 0 { number.leading_ones() } else { number.leading_zeros() };
            let length = (LONGEST_INTEGER as usize) - (repeated as usize - 1) / 8;
            packed.push(length as u8);
            packed.extend(number.to_le_bytes().into_iter().take(length));
        }
        ValueRef::Real(number) => {
            packed.push(REAL);
            packed.extend(number.to_le_bytes());
        }
        ValueRef::Text(text) => long(TEXT, text),
        ValueRef::Blob(bytes) => long(BLOB, bytes),
    }
}

/// The images that were packed, in their order; none when they mean nothing.
pub(super) fn unpack(mut packed: &[u8]) -> Option<Vec<Image>> {
    let mut images = Vec::new();
    while !packed.is_empty() {
        let [table, count] = take(&mut packed)?;
        let values = (0..count & !ABSENT).map(|_| value(&mut packed)).collect::<Option<_>>()?;
        images.push(Image { table, values, was_there: count & ABSENT == 0 });
    }
    Some(images)
}

fn value(packed: &mut &[u8]) -> Option<Value> {
    let [kind] = take(packed)?;
    Some(match kind {
        NULL => Value::Null,
        1..=LONGEST_INTEGER => {
            let (bytes, rest) = packed.split_at_checked(kind.into())?;
            *packed = rest;
            let sign = bytes.last().is_some_and(|last| last & 0x80 != 0);
            let mut number = [if sign { 0xff } else { 0 }; LONGEST_INTEGER as usize];
            number.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
            Value::Integer(i64::from_le_bytes(number))
        }
        REAL => Value::Real(f64::from_le_bytes(take(packed)?)),
        TEXT => Value::Text(String::from_utf8(long(packed)?).ok()?),
        BLOB => Value::Blob(long(packed)?),
        _ => return None,
    })
}

fn long(packed: &mut &[u8]) -> Option<Vec<u8>> {
    let length = u32::from_le_bytes(take(packed)?);
    let (bytes, rest) = packed.split_at_checked(length as usize)?;
    *packed = rest;
    Some(bytes.to_vec())
}

fn take<const N: usize>(packed: &mut &[u8]) -> Option<[u8; N]> {
    let (taken, rest) = packed.split_first_chunk()?;
    *packed = rest;
    Some(*taken)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn any_value() -> impl Strategy<Value = Value> {
        prop_oneof![
            Just(Value::Null),
            any::<i64>().prop_map(Value::Integer),
            (-300..300_i64).prop_map(Value::Integer),
            (0..64_u32).prop_map(|bits| Value::Integer(i64::MIN >> bits)),
            (0..64_u32).prop_map(|bits| Value::Integer(i64::MAX >> bits)),
            (-1e9..1e9).prop_map(Value::Real),
            ".{0,20}".prop_map(Value::Text),
            proptest::collection::vec(any::<u8>(), 0..300).prop_map(Value::Blob),
        ]
    }

    fn any_image() -> impl Strategy<Value = Image> {
        let values = proptest::collection::vec(any_value(), 0..12);
        (any::<u8>(), values, any::<bool>()).prop_map(|(table, values, was_there)| Image {
            table,
            values,
            was_there,
        })
    }

    fn packed(images: &[Image]) -> Vec<u8> {
        let mut packed = Vec::new();
        for Image { table, values, was_there } in images {
            begin(&mut packed, *table, values.len(), *was_there);
            values.iter().for_each(|value| push(&mut packed, value.into()));
        }
        packed
    }

    proptest! {
        #[test]
        fn images_come_back(images in proptest::collection::vec(any_image(), 0..5)) {
            prop_assert_eq!(unpack(&packed(&images)), Some(images));
        }

        /// Bytes of a damaged file must not end the program.
        #[test]
        fn any_bytes_are_images_or_nothing(bytes in proptest::collection::vec(0..14_u8, 0..60)) {
            if let Some(images) = unpack(&bytes) {
                prop_assert_eq!(unpack(&packed(&images)), Some(images));
            }
        }
    }

    #[test]
    fn a_small_number_takes_little_room() {
        let of = |number| {
            let mut packed = Vec::new();
            push(&mut packed, ValueRef::Integer(number));
            packed
        };
        assert_eq!(of(0), [1, 0]);
        assert_eq!(of(-1), [1, 255]);
        assert_eq!(of(127), [1, 127]);
        assert_eq!(of(128), [2, 128, 0]);
        assert_eq!(of(-128), [1, 128]);
        assert_eq!(of(i64::MIN).len(), 9);
    }
}
