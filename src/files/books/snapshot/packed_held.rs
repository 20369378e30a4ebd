//! What is kept of positions beside their search, as JSON: few positions have anything.

use std::fmt;
use std::io::{self, Read};

use serde::de::{Deserializer, Error, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Serialize};

use crate::openbook::verify::check_key;
use crate::openbook::{
    Bounds, Held, Judgement, MoveMask, Record, Rest, Searched, SourceId, SourcedBounds,
};
use crate::othello::board::{Key, Square};
use crate::othello::score::Score;
use crate::othello::search::{Proof, Selectivity};
use crate::store::storage_order;

/// The most bytes that it unpacks to.
const MOST: u64 = 1 << 30;

/// Key as hexadecimal digits, records, bounds (lower, upper, source), judgement (centidiscs, day, author).
#[derive(Serialize, Deserialize)]
struct Line(String, Vec<RecordLine>, Vec<(i8, i8, u32)>, Option<(i16, String, String)>);

/// Square (64 is none), centidiscs, proof, depth, selectivity, source, moves left out.
#[derive(Serialize, Deserialize)]
struct RecordLine(u8, i16, u8, u8, u8, u32, u64);

/// As bytes, packed as tightly as this level does.
pub(super) fn pack(all: &[(Key, Held)], level: i32) -> io::Result<Vec<u8>> {
    let record = |record: &Record| {
        let Record { rest, searched, left_out } = *record;
        RecordLine(
            rest.square.map_or(64, Square::number),
            rest.score.centidiscs(),
            rest.proof.number(),
            searched.depth,
            searched.selectivity.percent(),
            searched.source.0,
            left_out.bits(),
        )
    };
    let line = |(key, held): &(Key, Held)| {
        let bounds = held.bounds.iter().map(|known| {
            let Bounds { lower, upper } = known.bounds;
            (lower, upper, known.source.0)
        });
        let judgement = held
            .judgement
            .as_ref()
            .map(|said| (said.score.centidiscs(), said.day.clone(), said.author.clone()));
        let key = key.to_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
        Line(key, held.records.iter().map(record).collect(), bounds.collect(), judgement)
    };
    let lines: Vec<Line> = all.iter().map(line).collect();
    zstd::bulk::compress(&serde_json::to_vec(&lines)?, level)
}

/// What is kept of so many positions; what is wrong with it else.
pub(super) fn unpack(packed: &[u8], count: u64) -> Result<Vec<(Key, Held)>, &'static str> {
    const WRONG: &str = "what is kept beside searches is not valid";
    let unpacked = zstd::Decoder::new(packed).map_err(|_| WRONG)?.take(MOST);
    let mut reader = serde_json::Deserializer::from_reader(io::BufReader::new(unpacked));
    let all = reader.deserialize_seq(Lines { count }).map_err(|_| WRONG)?;
    reader.end().map_err(|_| WRONG)?;
    match all.len() as u64 == count {
        true => Ok(all),
        false => Err("less is kept beside searches than promised"),
    }
}

/// Judges each line as it comes: a small file may unpack to many lines.
struct Lines {
    count: u64,
}

impl<'de> Visitor<'de> for Lines {
    type Value = Vec<(Key, Held)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "what is kept of {} positions, in their order", self.count)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut lines: A) -> Result<Self::Value, A::Error> {
        let mut all: Self::Value = Vec::new();
        while let Some(line) = lines.next_element::<Line>()? {
            let order = all.last().map(|(key, _)| storage_order(*key));
            let next = held_of(line).filter(|(key, _)| order < Some(storage_order(*key)));
            let next = next.filter(|_| (all.len() as u64) < self.count);
            all.push(next.ok_or_else(|| A::Error::invalid_value(Unexpected::Seq, &self))?);
        }
        Ok(all)
    }
}

fn held_of(Line(key, records, bounds, judgement): Line) -> Option<(Key, Held)> {
    let byte = |at: usize| u8::from_str_radix(key.get(at..at + 2)?, 16).ok();
    let bytes: Option<Vec<u8>> = (0..key.len()).step_by(2).map(byte).collect();
    let key = Key::from_bytes(bytes?.try_into().ok()?).filter(|&key| check_key(key).is_ok())?;
    let legal = key.position().legal_moves();
    let record =
        |RecordLine(square, score, proof, depth, percent, source, left_out): RecordLine| {
            let square = match square {
                64 => None,
                number => Some(Square::try_new(number).filter(|&square| legal.contains(square))?),
            };
            let score = Score::from_centidiscs(score);
            let rest = Rest { square, score, proof: Proof::numbered(proof)? };
            let selectivity = Selectivity::from_percent(percent)?;
            let searched = Searched { depth, selectivity, source: SourceId(source) };
            let is_sound = rest.has_possible_score() && depth <= Searched::MOST_PLIES;
            is_sound.then_some(Record { rest, searched, left_out: MoveMask::from_bits(left_out) })
        };
    let bounds = bounds.into_iter().map(|(lower, upper, source)| {
        Some(SourcedBounds { bounds: Bounds::new(lower, upper)?, source: SourceId(source) })
    });
    let judgement = match judgement {
        None => None,
        Some((score, day, author)) => {
            let score = Score::from_centidiscs(score);
            let is_sound = (Score::MIN..=Score::MAX).contains(&score);
            Some(is_sound.then_some(Judgement { score, day, author })?)
        }
    };
    let records = records.into_iter().map(record).collect::<Option<_>>()?;
    Some((key, Held { records, bounds: bounds.collect::<Option<_>>()?, judgement }))
}
