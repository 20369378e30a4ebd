//! Facts as bytes, as a snapshot holds them: 22 for each, in the order of the store, those of one
//! position by source. Key 16, lower and upper bound, source u32, little-endian; compressed by zstd.

use std::io::{self, BufReader, Read};

use crate::openbook::verify::check_key;
use crate::openbook::{Bounds, SourceId};
use crate::othello::board::Key;
use crate::store::{Fact, storage_order};

/// The bytes of a fact.
const SIZE: usize = Key::SIZE + 6;

/// Facts as bytes, packed as tightly as this level does.
pub(super) fn pack(facts: &[Fact], level: i32) -> io::Result<Vec<u8>> {
    let mut raw = Vec::with_capacity(facts.len() * SIZE);
    for Fact { key, bounds, source } in facts {
        raw.extend(key.to_bytes());
        raw.extend([bounds.lower.cast_unsigned(), bounds.upper.cast_unsigned()]);
        raw.extend(source.0.to_le_bytes());
    }
    zstd::bulk::compress(&raw, level)
}

/// So many facts; what is wrong with them else. Memory grows by facts that are each after the one
/// before, whatever number is promised.
pub(super) fn unpack(packed: &[u8], count: u64) -> Result<Vec<Fact>, &'static str> {
    const SHORT: &str = "there are fewer facts than promised";
    let mut unpacked = BufReader::new(zstd::Decoder::new(packed).map_err(|_| SHORT)?);
    let mut facts: Vec<Fact> = Vec::new();
    let place = |fact: &Fact| (storage_order(fact.key), fact.source);
    for _ in 0..count {
        let mut bytes = [0; SIZE];
        unpacked.read_exact(&mut bytes).map_err(|_| SHORT)?;
        let fact = fact(&bytes).ok_or("a fact is not valid")?;
        if facts.last().is_some_and(|last| place(last) >= place(&fact)) {
            return Err("the facts are out of order");
        }
        facts.push(fact);
    }
    match unpacked.read(&mut [0]) {
        Ok(0) => Ok(facts),
        _ => Err("there are more facts than promised"),
    }
}

fn fact(bytes: &[u8; SIZE]) -> Option<Fact> {
    let (key, rest) = bytes.split_first_chunk()?;
    let &[lower, upper, ref source @ ..] = rest else { return None };
    let key = Key::from_bytes(*key).filter(|&key| check_key(key).is_ok())?;
    let bounds = Bounds::new(lower.cast_signed(), upper.cast_signed())?;
    let source = SourceId(u32::from_le_bytes(source.try_into().ok()?));
    Some(Fact { key, bounds, source })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::board::Position;

    #[test]
    fn facts_come_back_and_damage_is_seen() {
        let key = Key::of(Position::START);
        let fact = |source, lower| Fact {
            key,
            bounds: Bounds { lower, upper: 64 },
            source: SourceId(source),
        };
        let facts = [fact(0, -64), fact(7, 0), fact(900, 2)];
        let packed = pack(&facts, 9).unwrap();
        assert_eq!(unpack(&packed, 3), Ok(facts.to_vec()));
        assert_eq!(unpack(&packed, 2), Err("there are more facts than promised"));
        assert_eq!(unpack(&packed, u64::MAX), Err("there are fewer facts than promised"));
        assert_eq!(unpack(b"no zstd", 1), Err("there are fewer facts than promised"));
        let turned = pack(&[facts[1], facts[0]], 9).unwrap();
        assert_eq!(unpack(&turned, 2), Err("the facts are out of order"));
        let wrong = Fact { bounds: Bounds { lower: 3, upper: 2 }, ..facts[0] };
        assert_eq!(unpack(&pack(&[wrong], 9).unwrap(), 1), Err("a fact is not valid"));
    }
}
