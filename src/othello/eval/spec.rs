//! What an evaluator looks at, as data: patterns, scalar tables, stages.

use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::lanes::{GROUP, LANES};
use super::pattern::{LONGEST_PATTERN, Pattern};
use crate::othello::one_line::{is_unseen, one_line};

/// The most characters that an error says of JSON.
const MOST_TOLD: usize = 300;

/// The most discs a board holds.
const FULL_BOARD: u8 = 64;

/// A number of the whole position that has a table of weights of its own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scalar {
    /// Legal moves of the side to move.
    MoverMobility,
    /// Moves that the other side would have.
    OpponentMobility,
    /// Potential mobility of the side to move, by the linear method.
    MoverPotential,
    /// Potential mobility of the other side.
    OpponentPotential,
    /// Number of discs: a constant for every ply, which takes up the bounce between odd and even.
    Discs,
    /// Whether an odd number of moves is left: the parity bonus of Zebra.
    Parity,
}

impl Scalar {
    /// Entries of its table; larger values share the last.
    pub const fn entries(self) -> usize {
        match self {
            Self::MoverMobility | Self::OpponentMobility => 36,
            Self::MoverPotential | Self::OpponentPotential => 96,
            Self::Discs => FULL_BOARD as usize + 1,
            Self::Parity => 2,
        }
    }

    /// What it is for the other side.
    pub(crate) const fn seen_by_other(self) -> Self {
        match self {
            Self::MoverMobility => Self::OpponentMobility,
            Self::OpponentMobility => Self::MoverMobility,
            Self::MoverPotential => Self::OpponentPotential,
            Self::OpponentPotential => Self::MoverPotential,
            Self::Discs | Self::Parity => self,
        }
    }
}

/// As reports name it: "mobility of the mover".
impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::MoverMobility => "mobility of the mover",
            Self::OpponentMobility => "mobility of the opponent",
            Self::MoverPotential => "potential mobility of the mover",
            Self::OpponentPotential => "potential mobility of the opponent",
            Self::Discs => "constant of the ply",
            Self::Parity => "parity",
        })
    }
}

/// An evaluator as data: the sum of a weight for each image of each pattern and for each scalar.
///
/// Weights are fitted at `knots`, numbers of discs, and interpolated between them, so that stages
/// pass smoothly into each other.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "SpecText", into = "SpecText")]
pub struct Spec {
    name: String,
    patterns: Vec<Pattern>,
    scalars: Vec<Scalar>,
    knots: Vec<u8>,
}

/// A spec that cannot be evaluated.
#[derive(Debug, Error, PartialEq, Eq, Clone)]
pub enum SpecError {
    /// A name that would do something to a terminal, or break a line.
    #[error("the name {0:?} has a character that cannot be printed")]
    Name(String),
    #[error("pattern '{pattern}': {found:?} is not a list of squares such as 'a1 b1 c1'")]
    Squares { pattern: String, found: String },
    /// A pattern of no square, of too many, or with a square twice.
    #[error("pattern '{0}': expected 1 to {LONGEST_PATTERN} different squares")]
    Pattern(String),
    #[error("the patterns have {0} images in groups of four: at most {LANES} fit")]
    TooManyImages(usize),
    #[error("the spec has neither patterns nor scalars: expected at least one of them")]
    Empty,
    #[error("the scalar '{0}' is listed twice")]
    Scalar(Scalar),
    #[error("the knots {0:?} are not a rising list of at least two numbers of discs, 4 to 64")]
    Knots(Vec<u8>),
    #[error("not a description of an evaluator: {0}")]
    Json(String),
    #[error("'{0}' is not an evaluator spec: expected rosebill, zebra or ntest")]
    Unknown(String),
}

/// How a spec is written: squares as text.
#[derive(Serialize, Deserialize)]
struct SpecText {
    name: String,
    patterns: Vec<(String, String)>,
    scalars: Vec<Scalar>,
    knots: Vec<u8>,
}

impl From<Spec> for SpecText {
    fn from(spec: Spec) -> Self {
        let squares = |pattern: &Pattern| {
            let names: Vec<_> = pattern.squares.iter().map(ToString::to_string).collect();
            names.join(" ")
        };
        Self {
            patterns: spec.patterns.iter().map(|p| (p.name.clone(), squares(p))).collect(),
            name: spec.name,
            scalars: spec.scalars,
            knots: spec.knots,
        }
    }
}

impl TryFrom<SpecText> for Spec {
    type Error = SpecError;

    fn try_from(text: SpecText) -> Result<Self, SpecError> {
        let patterns: Vec<_> =
            text.patterns.iter().map(|(name, squares)| (name.as_str(), squares.as_str())).collect();
        Self::new(&text.name, &patterns, &text.scalars, &text.knots)
    }
}

impl Spec {
    /// A spec from the names and squares of its patterns.
    pub fn new(
        name: &str,
        patterns: &[(&str, &str)],
        scalars: &[Scalar],
        knots: &[u8],
    ) -> Result<Self, SpecError> {
        let names = patterns.iter().map(|&(name, _)| name).chain([name]);
        let cannot_be_printed = |c: char| c.is_control() || is_unseen(c);
        if let Some(name) = names.into_iter().find(|name| name.contains(cannot_be_printed)) {
            return Err(SpecError::Name(name.to_owned()));
        }
        if patterns.is_empty() && scalars.is_empty() {
            return Err(SpecError::Empty);
        }
        let patterns = patterns
            .iter()
            .map(|&(name, squares)| read_pattern(name, squares))
            .collect::<Result<Vec<_>, _>>()?;
        check_knots(knots)?;
        let earlier = |&(place, scalar): &(usize, &Scalar)| scalars[..place].contains(scalar);
        if let Some((_, &scalar)) = scalars.iter().enumerate().find(earlier) {
            return Err(SpecError::Scalar(scalar));
        }
        let lanes: usize = patterns.iter().map(|p| p.images().len().next_multiple_of(GROUP)).sum();
        if lanes > LANES {
            return Err(SpecError::TooManyImages(lanes));
        }
        Ok(Self {
            name: name.to_owned(),
            patterns,
            scalars: scalars.to_vec(),
            knots: knots.to_vec(),
        })
    }

    /// The same with other knots.
    pub(crate) fn with_knots(self, knots: &[u8]) -> Result<Self, SpecError> {
        check_knots(knots)?;
        Ok(Self { knots: knots.to_vec(), ..self })
    }

    /// The spec of this name: `rosebill`, `zebra` or `ntest`.
    pub(crate) fn named(name: &str) -> Result<Self, SpecError> {
        match name {
            "rosebill" => Self::new(name, ROSEBILL, ALL_SCALARS, &every(4)),
            "zebra" => Self::new(name, ZEBRA, &[Scalar::Discs, Scalar::Parity], ZEBRA_STAGES),
            "ntest" => Self::new(name, NTEST, ALL_SCALARS, NTEST_STAGES),
            _ => Err(SpecError::Unknown(name.to_owned())),
        }
    }

    /// Reads a spec from JSON such as
    /// `{"name":"corners","patterns":[["corner","a1 b1 a2"]],"scalars":["discs"],"knots":[8,64]}`.
    pub(crate) fn from_json(text: &str) -> Result<Self, SpecError> {
        serde_json::from_str(text).map_err(|error| SpecError::Json(told(&error)))
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn patterns(&self) -> &[Pattern] {
        &self.patterns
    }

    pub(crate) fn scalars(&self) -> &[Scalar] {
        &self.scalars
    }

    /// The numbers of discs that have weights of their own, rising.
    pub(crate) fn knots(&self) -> &[u8] {
        &self.knots
    }

    /// Number of weights at each knot: one for each class of each pattern, then the scalar tables.
    pub(crate) fn weights_at_knot(&self) -> usize {
        let classes: usize = self.patterns.iter().map(Pattern::class_count).sum();
        classes + self.scalars.iter().map(|scalar| scalar.entries()).sum::<usize>()
    }

    /// The two knots that a number of discs lies between, and the share of the second, 0 to 1.
    /// Below the first and above the last knot the nearest one counts alone.
    pub(crate) fn between(&self, discs: u8) -> (usize, usize, f32) {
        let above = self.knots.partition_point(|&knot| knot <= discs);
        if above == 0 {
            return (0, 0, 0.0);
        }
        if above == self.knots.len() {
            return (above - 1, above - 1, 0.0);
        }
        let (low, high) = (self.knots[above - 1], self.knots[above]);
        (above - 1, above, f32::from(discs - low) / f32::from(high - low))
    }
}

/// What is wrong with JSON, which may be a text of others.
pub(super) fn told(error: &serde_json::Error) -> String {
    one_line(&error.to_string(), MOST_TOLD)
}

fn check_knots(knots: &[u8]) -> Result<(), SpecError> {
    let rising = knots.windows(2).all(|pair| pair[0] < pair[1]);
    let on_board = knots.iter().all(|knot| (4..=FULL_BOARD).contains(knot));
    if knots.len() >= 2 && rising && on_board {
        Ok(())
    } else {
        Err(SpecError::Knots(knots.to_vec()))
    }
}

fn read_pattern(name: &str, text: &str) -> Result<Pattern, SpecError> {
    Pattern::read(name, text)
        .map_err(|_| SpecError::Squares { pattern: name.to_owned(), found: text.to_owned() })?
        .ok_or_else(|| SpecError::Pattern(name.to_owned()))
}

/// Knots every so many discs over the whole game.
fn every(step: u8) -> Vec<u8> {
    (1..).map(|i| i * step).skip_while(|&k| k < 8).take_while(|&k| k <= FULL_BOARD).collect()
}

const ALL_SCALARS: &[Scalar] = &[
    Scalar::MoverMobility,
    Scalar::OpponentMobility,
    Scalar::MoverPotential,
    Scalar::OpponentPotential,
    Scalar::Discs,
];

/// Ours: the classic families and five more ten-square shapes around edge and corner. The diagonal
/// of four squares is part of the corner triangle.
const ROSEBILL: &[(&str, &str)] = &[
    ("edge + 2 X-squares", "a1 b1 c1 d1 e1 f1 g1 h1 b2 g2"),
    ("corner 2x5", "a1 b1 c1 d1 e1 a2 b2 c2 d2 e2"),
    ("corner 3x3", "a1 b1 c1 a2 b2 c2 a3 b3 c3"),
    ("corner triangle", "a1 b1 c1 d1 a2 b2 c2 a3 b3 a4"),
    ("edge + block", "a1 c1 d1 e1 f1 h1 c2 d2 e2 f2"),
    ("corner angle + X", "a1 b1 c1 d1 e1 a2 a3 a4 a5 b2"),
    ("corner wing", "a1 b1 a2 b2 c2 b3 c3 d3 c4 d4"),
    ("line 2", "a2 b2 c2 d2 e2 f2 g2 h2"),
    ("line 3", "a3 b3 c3 d3 e3 f3 g3 h3"),
    ("line 4", "a4 b4 c4 d4 e4 f4 g4 h4"),
    ("diagonal 8", "a1 b2 c3 d4 e5 f6 g7 h8"),
    ("diagonal 7", "b1 c2 d3 e4 f5 g6 h7"),
    ("diagonal 6", "c1 d2 e3 f4 g5 h6"),
    ("diagonal 5", "d1 e2 f3 g4 h5"),
];

/// The 46 configurations of Zebra (its documentation, "Position evaluation").
const ZEBRA: &[(&str, &str)] = &[
    ("edge + 2 X-squares", "a1 b1 c1 d1 e1 f1 g1 h1 b2 g2"),
    ("line 2", "a2 b2 c2 d2 e2 f2 g2 h2"),
    ("line 3", "a3 b3 c3 d3 e3 f3 g3 h3"),
    ("line 4", "a4 b4 c4 d4 e4 f4 g4 h4"),
    ("diagonal 8", "a1 b2 c3 d4 e5 f6 g7 h8"),
    ("diagonal 7", "b1 c2 d3 e4 f5 g6 h7"),
    ("diagonal 6", "c1 d2 e3 f4 g5 h6"),
    ("diagonal 5", "d1 e2 f3 g4 h5"),
    ("diagonal 4", "e1 f2 g3 h4"),
    ("corner 3x3", "a1 b1 c1 a2 b2 c2 a3 b3 c3"),
    ("corner 2x5", "a1 b1 c1 d1 e1 a2 b2 c2 d2 e2"),
];

/// Zebra's tuned numbers of discs (counted there in moves played), and before them those of the first
/// moves, which differ too much from each other for the weights of one.
const ZEBRA_STAGES: &[u8] = &[6, 8, 10, 12, 18, 24, 30, 36, 40, 44, 48, 52, 56, 60, 64];

/// Every six discs, and more often over the first moves: see [`ZEBRA_STAGES`].
const NTEST_STAGES: &[u8] = &[6, 8, 10, 12, 18, 24, 30, 36, 42, 48, 54, 60];

/// NTest's lines and corners ("How Ntest Works"; its images are listed in its documentation).
const NTEST: &[(&str, &str)] = &[
    ("line 1", "a1 b1 c1 d1 e1 f1 g1 h1"),
    ("line 2", "a2 b2 c2 d2 e2 f2 g2 h2"),
    ("line 3", "a3 b3 c3 d3 e3 f3 g3 h3"),
    ("line 4", "a4 b4 c4 d4 e4 f4 g4 h4"),
    ("diagonal 8", "a1 b2 c3 d4 e5 f6 g7 h8"),
    ("diagonal 7", "b1 c2 d3 e4 f5 g6 h7"),
    ("diagonal 6", "c1 d2 e3 f4 g5 h6"),
    ("diagonal 5", "d1 e2 f3 g4 h5"),
    ("corner triangle", "a1 b1 c1 d1 a2 b2 c2 a3 b3 a4"),
    ("corner 2x5", "a1 b1 c1 d1 e1 a2 b2 c2 d2 e2"),
    ("edge + 2 X-squares", "a1 b1 c1 d1 e1 f1 g1 h1 b2 g2"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_specs_have_the_images_of_their_documents() {
        let images = |name: &str| -> usize {
            Spec::named(name).unwrap().patterns().iter().map(|p| p.images().len()).sum()
        };
        assert_eq!(images("zebra"), 46);
        // 16 lines, 2 + 4 + 4 + 4 diagonals, 4 triangles, 8 corners 2x5, 4 edges + 2 X.
        assert_eq!(images("ntest"), 46);
        assert!(images("rosebill") > 50);
        assert!(Spec::named("iago").unwrap_err().to_string().contains("expected rosebill"));
    }

    #[test]
    fn a_spec_is_written_as_json() {
        let text = r#"{"name":"corners","patterns":[["corner","a1 b1 a2"]],"scalars":["discs"],
            "knots":[8,64]}"#;
        let spec = Spec::from_json(text).unwrap();
        assert_eq!((spec.name(), spec.patterns()[0].squares.len()), ("corners", 3));
        assert_eq!(Spec::from_json(&serde_json::to_string(&spec).unwrap()).unwrap(), spec);
        let message = Spec::from_json("{}").unwrap_err().to_string();
        assert!(
            message.starts_with("not a description of an evaluator: missing field"),
            "{message}"
        );
        let foreign = text.replace("discs", &"\\n\\u001b[2J".repeat(1000));
        let message = Spec::from_json(&foreign).unwrap_err().to_string();
        assert!(message.len() < 400 && !message.contains(char::is_control), "{message}");
    }

    #[test]
    fn knots_pass_into_each_other() {
        let spec = Spec::new("test", &[("corner", "a1")], &[], &[10, 20]).unwrap();
        assert_eq!(spec.between(4), (0, 0, 0.0));
        assert_eq!(spec.between(10), (0, 1, 0.0));
        assert_eq!(spec.between(15), (0, 1, 0.5));
        assert_eq!(spec.between(20), (1, 1, 0.0));
        assert_eq!(spec.between(64), (1, 1, 0.0));
    }

    #[test]
    fn refuses_what_cannot_be_evaluated() {
        for squares in ["", "a1 a1", "a1 b1 c1 d1 e1 f1 g1 h1 a2 b2 c2", "z9"] {
            assert!(Spec::new("test", &[("bad", squares)], &[], &[8, 60]).is_err(), "{squares}");
        }
        assert!(Spec::new("test", &[("corner", "a1 b1")], &[], &[60, 8]).is_err());
        assert_eq!(Spec::new("test", &[], &[], &[8, 60]), Err(SpecError::Empty));
        assert!(Spec::new("test", &[], &[Scalar::Discs], &[8, 60]).is_ok());
        for (name, pattern) in
            [("two\nlines", "corner"), ("test", "\u{1b}[2J"), ("\u{202e}", "corner")]
        {
            let error = Spec::new(name, &[(pattern, "a1 b1")], &[], &[8, 60]).unwrap_err();
            let message = error.to_string();
            assert!(message.contains("cannot be printed"), "{message}");
            assert!(!message.contains(char::is_control), "{message}");
        }
        let twice = [Scalar::Parity, Scalar::Discs, Scalar::Parity];
        let message = Spec::new("test", &[], &twice, &[8, 60]).unwrap_err().to_string();
        assert_eq!(message, "the scalar 'parity' is listed twice");
        let other = Spec::named("zebra").unwrap().with_knots(&[8, 36, 64]).unwrap();
        assert_eq!((other.knots(), other.patterns().len()), (&[8, 36, 64][..], 11));
        assert!(other.with_knots(&[8]).is_err());
        assert!(Spec::new("test", &[("corner", "a1 b1")].repeat(9), &[], &[8, 60]).is_err());
    }
}
