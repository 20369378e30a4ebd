//! What goes over the wire: JSON with a format number. Jobs and results of ours are under 1 KiB. Changing a
//! field changes the number.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::app::{Depth, Done, Spot, SpotResult, Work};
use crate::openbook::Rest;
use crate::othello::board::{Bitboard, Key, Position, Square};
use crate::othello::one_line::one_line;
use crate::othello::score::Score;
use crate::othello::search::{Level, Proof, Selectivity};

/// The number of the messages' format.
pub(crate) const MESSAGE_FORMAT: u32 = 1;
/// What is longer than this is no message of ours.
const MOST_BYTES: usize = 4096;
/// Characters of a reason.
const MOST_REASON: usize = 160;

/// What is to be searched of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum WorkKind {
    /// Its best other move.
    Rest,
    /// The same, to the end at full width.
    Solve,
    /// A new node, then the best other move of its parent.
    Expand,
    /// A new node alone.
    New,
}

/// A position, and the moves that the search leaves out.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// Discs of the side to move and of the other one, 16 hexadecimal digits each, bit 0 = a1; the
    /// smallest of the eight images.
    pub position: String,
    /// A set of squares, 16 hexadecimal digits.
    pub excluded: String,
}

/// A job: one expansion of one node.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Job {
    /// [`MESSAGE_FORMAT`].
    pub format: u32,
    /// Of which book, 16 hexadecimal digits.
    pub book: String,
    /// Of the program that may do it.
    pub signature: String,
    pub kind: WorkKind,
    /// Where, in the order of the searches.
    pub places: Vec<Place>,
    /// As deep as this level says; none where depth and selectivity are given.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub level: Option<u8>,
    /// Plies.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub depth: Option<u8>,
    /// Selectivity in percent.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub selectivity: Option<u8>,
    /// MiB of transposition table.
    pub table: u32,
    /// The longest time, in seconds.
    pub seconds: u32,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Found {
    /// The best move in the orientation of the position; none when none was left.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none", default)]
    pub square: Option<String>,
    /// Its score in centidiscs for the side to move.
    pub score: i16,
    /// What the score proves: "none", "exact", ...
    pub proof: String,
    /// Plies reached.
    pub depth: u8,
    /// Selectivity reached, in percent.
    pub selectivity: u8,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct JobResult {
    pub job: Job,
    /// A result for each place; none when it failed.
    pub found: Vec<Found>,
    /// Why it cannot be done.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub failed: Option<String>,
    /// Positions visited.
    pub nodes: u64,
    /// How long it took.
    pub seconds: f64,
    /// The worker.
    pub worker: String,
    pub version: String,
    pub weights: String,
}

/// A message that is none of ours.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(crate) enum MessageError {
    #[error("a message of {0} bytes")]
    Long(usize),
    #[error("{0}")]
    Json(String),
    #[error("a message of format {0}, not {MESSAGE_FORMAT}")]
    Format(u32),
    #[error("{0}: not a message of a fleet")]
    Field(&'static str),
}

impl Job {
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, MessageError> {
        let job: Self = read(bytes)?;
        if job.format != MESSAGE_FORMAT {
            return Err(MessageError::Format(job.format));
        }
        Ok(job)
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        bytes(self)
    }

    /// Names the work in places and kind.
    pub(crate) fn of_work(work: &Work) -> (WorkKind, Vec<Place>) {
        match work {
            Work::Rest { spot, solve: true } => (WorkKind::Solve, vec![spot.into()]),
            Work::Rest { spot, solve: false } => (WorkKind::Rest, vec![spot.into()]),
            Work::New(spot) => (WorkKind::New, vec![spot.into()]),
            Work::Expand { child, parent } => (WorkKind::Expand, vec![child.into(), parent.into()]),
        }
    }

    pub(crate) fn work(&self) -> Result<Work, MessageError> {
        let spots = self.places.iter().map(Place::spot).collect::<Result<Vec<_>, _>>()?;
        match (self.kind, spots.as_slice()) {
            (WorkKind::Rest, &[spot]) => Ok(Work::Rest { spot, solve: false }),
            (WorkKind::Solve, &[spot]) => Ok(Work::Rest { spot, solve: true }),
            (WorkKind::New, &[spot]) => Ok(Work::New(spot)),
            (WorkKind::Expand, &[child, parent]) => Ok(Work::Expand { child, parent }),
            _ => Err(MessageError::Field("places")),
        }
    }

    pub(crate) fn plan(&self) -> Result<Depth, MessageError> {
        match (self.level, self.depth, self.selectivity) {
            (Some(level), None, None) => {
                Level::new(level).map(Depth::Level).ok_or(MessageError::Field("level"))
            }
            (None, Some(depth), Some(percent)) if depth <= 60 => {
                let selectivity = Selectivity::OURS.into_iter().find(|s| s.percent() == percent);
                let selectivity = selectivity.ok_or(MessageError::Field("selectivity"))?;
                Ok(Depth::Fixed { depth, selectivity })
            }
            _ => Err(MessageError::Field("depth")),
        }
    }
}

impl JobResult {
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, MessageError> {
        let result: Self = read(bytes)?;
        if result.job.format != MESSAGE_FORMAT {
            return Err(MessageError::Format(result.job.format));
        }
        // It becomes a part of a subject.
        if !is_worker_name(&result.worker) {
            return Err(MessageError::Field("worker"));
        }
        Ok(result)
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        bytes(self)
    }

    pub(crate) fn done(&self) -> Result<Done, MessageError> {
        let work = self.job.work()?;
        let found = self.found.iter().map(Found::result).collect::<Result<Vec<_>, _>>()?;
        Ok(Done { work, depth: self.job.plan()?, found, nodes: self.nodes })
    }

    /// A reason in one short line, so that a message stays short.
    pub(crate) fn reason(text: &str) -> String {
        one_line(text, MOST_REASON)
    }
}

/// The most characters of a worker's name.
pub(super) const LONGEST_NAME: usize = 60;

/// Whether a character is allowed in a worker's name.
pub(super) const fn is_of_a_name(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '-' | '_')
}

fn is_worker_name(name: &str) -> bool {
    (1..=LONGEST_NAME).contains(&name.len()) && name.chars().all(is_of_a_name)
}

impl From<&Spot> for Place {
    fn from(spot: &Spot) -> Self {
        let Position { mover, opponent } = spot.key.position();
        Self {
            position: format!("{mover:016x}{opponent:016x}"),
            excluded: format!("{:016x}", spot.linked),
        }
    }
}

impl Place {
    fn spot(&self) -> Result<Spot, MessageError> {
        let wrong = MessageError::Field("position");
        let (mover, opponent) = self.position.split_at_checked(16).ok_or(wrong.clone())?;
        let position = Position {
            mover: board(mover).ok_or(wrong.clone())?,
            opponent: board(opponent).ok_or(wrong.clone())?,
        };
        let is_board = position.mover & position.opponent == 0 && position.can_move();
        let key = Key::from_canonical(position).filter(|_| is_board).ok_or(wrong)?;
        let linked = board(&self.excluded).ok_or(MessageError::Field("excluded"))?;
        if linked & !position.legal_moves().0 != 0 {
            return Err(MessageError::Field("excluded"));
        }
        Ok(Spot { key, linked })
    }
}

fn board(digits: &str) -> Option<Bitboard> {
    let are_digits = digits.len() == 16 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    are_digits.then(|| Bitboard::from_str_radix(digits, 16).ok()).flatten()
}

impl From<&SpotResult> for Found {
    fn from(result: &SpotResult) -> Self {
        let rest = result.rest.as_ref();
        Self {
            square: rest.and_then(|rest| rest.square).map(|square| square.to_string()),
            score: rest.map_or(0, |rest| rest.score.centidiscs()),
            proof: rest.map_or(Proof::None, |rest| rest.proof).name().to_owned(),
            depth: result.depth,
            selectivity: result.selectivity.percent(),
        }
    }
}

impl Found {
    fn result(&self) -> Result<SpotResult, MessageError> {
        let proof = Proof::named(&self.proof).ok_or(MessageError::Field("proof"))?;
        let selectivity = Selectivity::from_percent(self.selectivity)
            .ok_or(MessageError::Field("selectivity"))?;
        let rest = match &self.square {
            None => None,
            Some(text) => Some(Rest {
                square: Some(text.parse::<Square>().map_err(|_| MessageError::Field("move"))?),
                score: Score::from_centidiscs(self.score),
                proof,
            }),
        };
        Ok(SpotResult { rest, depth: self.depth, selectivity })
    }
}

pub(super) fn read<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, MessageError> {
    if bytes.len() > MOST_BYTES {
        return Err(MessageError::Long(bytes.len()));
    }
    serde_json::from_slice(bytes).map_err(|error| {
        // What it says may repeat what came.
        MessageError::Json(one_line(&error.to_string(), MOST_REASON))
    })
}

/// A message that says its format: one of another is not understood.
pub(super) trait Versioned {
    fn format(&self) -> u32;
}

/// Reads a message, and looks at its format.
pub(super) fn read_versioned<'a, T: Deserialize<'a> + Versioned>(
    bytes: &'a [u8],
) -> Result<T, MessageError> {
    let message: T = read(bytes)?;
    match message.format() {
        MESSAGE_FORMAT => Ok(message),
        other => Err(MessageError::Format(other)),
    }
}

/// Nothing of ours has a map with other keys than texts, or a number that JSON does not know.
pub(super) fn bytes(message: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(message).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job() -> Job {
        let start = Key::of(Position::START);
        let square = start.position().legal_moves().next().unwrap();
        let (child, _) = crate::openbook::child_of(start.position(), square).unwrap();
        let parent = Spot { key: start, linked: start.position().legal_moves().0 };
        let work = Work::Expand { child: Spot { key: child, linked: 0 }, parent };
        let (kind, places) = Job::of_work(&work);
        Job {
            format: MESSAGE_FORMAT,
            book: "00c0ffee00c0ffee".into(),
            signature: "0123456789abcdef".into(),
            kind,
            places,
            level: Some(12),
            depth: None,
            selectivity: None,
            table: 64,
            seconds: 3600,
        }
    }

    fn result() -> JobResult {
        let found = Found {
            square: Some("f5".into()),
            score: -125,
            proof: "none".into(),
            depth: 12,
            selectivity: 73,
        };
        JobResult {
            job: job(),
            found: vec![found.clone(), Found { square: None, score: 0, ..found }],
            failed: None,
            nodes: 123_456,
            seconds: 0.25,
            worker: "host-1a2b3c4d".into(),
            version: "0.1.0".into(),
            weights: "rosebill 01234567".into(),
        }
    }

    #[test]
    fn messages_are_as_they_were() {
        assert_eq!(
            String::from_utf8(job().bytes()).unwrap(),
            r#"{"format":1,"book":"00c0ffee00c0ffee","signature":"0123456789abcdef","kind":"expand","places":[{"position":"00000000080000000000003810000000","excluded":"0000000000000000"},{"position":"00000008100000000000001008000000","excluded":"0000102004080000"}],"level":12,"table":64,"seconds":3600}"#
        );
        let text = String::from_utf8(result().bytes()).unwrap();
        let (before, after) = text.split_once(r#""seconds":3600},"#).unwrap();
        assert!(before.starts_with(r#"{"job":{"format":1,"#), "{before}");
        assert_eq!(
            after,
            r#""found":[{"move":"f5","score":-125,"proof":"none","depth":12,"selectivity":73},{"score":0,"proof":"none","depth":12,"selectivity":73}],"nodes":123456,"seconds":0.25,"worker":"host-1a2b3c4d","version":"0.1.0","weights":"rosebill 01234567"}"#
        );
    }

    #[test]
    fn messages_come_back_and_are_short() {
        assert_eq!(Job::read(&job().bytes()), Ok(job()));
        let mut long = result();
        (long.nodes, long.seconds) = (u64::MAX, 1.0 / 3.0);
        long.worker = "w".repeat(60);
        long.failed = Some(JobResult::reason(&"why ".repeat(500)));
        assert_eq!(JobResult::read(&long.bytes()), Ok(long.clone()));
        assert!(long.bytes().len() < 1024, "{}", long.bytes().len());
        let work = job().work().unwrap();
        assert_eq!(Job::of_work(&work), (WorkKind::Expand, job().places));
    }

    #[test]
    fn what_is_none_of_ours_is_told() {
        let changed = |change: &dyn Fn(&mut Job)| {
            let mut changed = job();
            change(&mut changed);
            Job::read(&changed.bytes()).and_then(|job| job.work().and(job.plan().map(|_| ())))
        };
        assert_eq!(changed(&|_| {}), Ok(()));
        assert_eq!(changed(&|job| job.format = 2), Err(MessageError::Format(2)));
        assert!(changed(&|job| job.level = Some(61)).is_err());
        assert!(changed(&|job| job.depth = Some(3)).is_err());
        assert!(changed(&|job| job.places.truncate(1)).is_err());
        assert!(changed(&|job| job.places[0].position = "é".repeat(16)).is_err());
        assert!(changed(&|job| job.places[0].position = "0".repeat(32)).is_err());
        assert!(changed(&|job| job.places[0].excluded = "8000000000000000".into()).is_err());
        for name in ["", "host.*", "a b", "ho\u{e9}t", &"w".repeat(61)] {
            let found = JobResult { worker: name.into(), ..result() };
            assert_eq!(
                JobResult::read(&found.bytes()),
                Err(MessageError::Field("worker")),
                "{name}"
            );
        }
        assert!(matches!(Job::read(b"{}"), Err(MessageError::Json(_))));
        assert!(matches!(Job::read(&[b' '; 5000]), Err(MessageError::Long(5000))));
    }
}
