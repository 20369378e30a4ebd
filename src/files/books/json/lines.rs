//! The lines of the format, as they are written and read.

use serde::{Deserialize, Serialize, Serializer};

use crate::openbook::{Source, Values};
use crate::othello::one_line::one_line;
use crate::othello::score::{CENTIDISCS, Score};
use crate::othello::search::Proof;

pub(super) const FORMAT: &str = "rosebill-book";
/// The first version.
pub(super) const FIRST: u32 = 1;
/// The version of today.
pub(super) const VERSION: u32 = 3;

/// Characters of an unreadable name that are shown.
pub(super) const MOST_TOLD: usize = 40;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HeaderLine {
    pub(super) format: String,
    pub(super) version: u32,
    pub(super) positions: u64,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(super) facts: u64,
    /// Lines of bounds behind the nodes.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(super) bounds: u64,
    pub(super) sources: Vec<SourceLine>,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_false(flag: &bool) -> bool {
    !*flag
}

#[derive(Serialize, Deserialize)]
pub(super) struct SourceLine {
    pub(super) id: u32,
    #[serde(flatten)]
    pub(super) facts: Source,
}

/// A score in discs: an integer where it is whole.
#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "f64")]
pub(super) struct Discs(pub(super) Score);

impl Serialize for Discs {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.centidiscs() % CENTIDISCS == 0 {
            serializer.serialize_i16(self.0.centidiscs() / CENTIDISCS)
        } else {
            serializer.serialize_f64(self.0.discs())
        }
    }
}

impl TryFrom<f64> for Discs {
    type Error = String;

    fn try_from(discs: f64) -> Result<Self, String> {
        let centidiscs = (discs * f64::from(CENTIDISCS)).round();
        if centidiscs.abs() < f64::from(i16::MAX) {
            Ok(Self(Score::from_centidiscs(centidiscs as i16)))
        } else {
            Err(format!("{discs} is not a score in discs"))
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NodeLine {
    pub(super) board: String,
    #[serde(default)]
    pub(super) discs: Option<u8>,
    #[serde(default)]
    pub(super) values: Option<ValuesLine>,
    /// Without facts, where facts make a difference.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) searched_values: Option<ValuesLine>,
    #[serde(default)]
    pub(super) links: Vec<String>,
    pub(super) rest: Option<RestLine>,
    pub(super) depth: u8,
    pub(super) selectivity: u8,
    pub(super) source: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) evidence: Option<f64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) held: Vec<String>,
    #[serde(default, alias = "due", skip_serializing_if = "is_false")]
    pub(super) search_due: bool,
    /// All searches, where that is not the one above alone with the links left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) records: Option<Vec<RecordLine>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) bounds: Vec<BoundLine>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) judgement: Option<JudgementLine>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RecordLine {
    #[serde(rename = "move")]
    pub(super) square: Option<String>,
    pub(super) score: Discs,
    pub(super) proof: ProofName,
    pub(super) depth: u8,
    pub(super) selectivity: u8,
    pub(super) source: u32,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) left_out: Vec<String>,
}

/// Proven bounds of a position, with their source.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BoundLine {
    pub(super) lower: i8,
    pub(super) upper: i8,
    pub(super) source: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct JudgementLine {
    pub(super) value: Discs,
    pub(super) day: String,
    #[serde(default)]
    pub(super) author: String,
}

/// Bounds of a position that is no node.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BoundsLine {
    pub(super) board: String,
    pub(super) bounds: Vec<BoundLine>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ValuesLine {
    pub(super) guess: Discs,
    pub(super) draw_seeking: Discs,
    pub(super) win_seeking: Discs,
    pub(super) lower: i8,
    pub(super) upper: i8,
}

impl From<Values> for ValuesLine {
    fn from(values: Values) -> Self {
        Self {
            guess: Discs(values.guess),
            draw_seeking: Discs(values.draw_seeking),
            win_seeking: Discs(values.win_seeking),
            lower: values.lower,
            upper: values.upper,
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FactLine {
    pub(super) board: String,
    pub(super) lower: i8,
    pub(super) upper: i8,
    pub(super) source: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RestLine {
    #[serde(rename = "move")]
    pub(super) square: Option<String>,
    pub(super) score: Discs,
    pub(super) proof: ProofName,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct ProofName(pub(super) Proof);

impl Serialize for ProofName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.name())
    }
}

impl TryFrom<String> for ProofName {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        Proof::named(&name).map(Self).ok_or_else(|| {
            let names = Proof::ALL.map(Proof::name).join(", ");
            let name = one_line(&name, MOST_TOLD);
            format!("unknown proof '{name}', expected one of {names}")
        })
    }
}
