//! A position with all that a book knows of it.

use serde::Serialize;

use super::played::PlayedJson;
use super::values::{ChancesJson, PositionJson, TrustJson, ValuesJson, hundredths};
use crate::board::Square;
use crate::games::Asked;
use crate::ops::{Bounds, By, MoveKind, ProvenHere, Shown, ShownMove};
use crate::render::shown_facts::{kind_name, move_name, name, others, passed, searched, worth};
use crate::score::Score;

/// A shown position, with what is said of each move (`M`) and of the games there (`G`).
#[derive(Serialize, Debug)]
pub struct ShownJson<M = ShownMoveJson, G = PlayedJson> {
    /// Which of several positions.
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<usize>,
    position: PositionJson,
    /// Whether the board that was asked about has no side to move, so that Black's turn was assumed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    turn_assumed: bool,
    line: Option<String>,
    name: Option<&'static str>,
    in_book: bool,
    /// Whether the other side had to pass before the one that is to move.
    passed: bool,
    over: bool,
    score: Option<i8>,
    values: Option<ValuesJson>,
    /// Without facts, where facts make a difference.
    #[serde(skip_serializing_if = "Option::is_none")]
    searched_values: Option<ValuesJson>,
    /// What facts say of a position that is not in the book.
    #[serde(skip_serializing_if = "Option::is_none")]
    fact: Option<FactJson>,
    /// Who has proven what searches do not say.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    proven_by: Vec<String>,
    chances: Option<ChancesJson>,
    depth: Option<u8>,
    selectivity: Option<u8>,
    source: Option<String>,
    #[serde(flatten)]
    trust: TrustJson,
    best_line: String,
    moves: Vec<M>,
    other_moves: Vec<String>,
    /// What was played, where there are games.
    #[serde(skip_serializing_if = "Option::is_none")]
    games: Option<G>,
}

/// What is proven of a position, for the side to move, discs.
#[derive(Serialize, Clone, Copy, Debug)]
struct FactJson {
    lower: i8,
    upper: i8,
}

/// A move with a value.
#[derive(Serialize, Debug)]
pub struct ShownMoveJson {
    #[serde(rename = "move")]
    square: String,
    in_book: bool,
    kind: &'static str,
    values: ValuesJson,
    #[serde(skip_serializing_if = "Option::is_none")]
    searched_values: Option<ValuesJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    worth: Option<f64>,
    chances: ChancesJson,
    error: Option<f64>,
    /// What it gives away against the best guess.
    loss: Option<f64>,
    depth: Option<u8>,
    selectivity: Option<u8>,
    name: Option<&'static str>,
}

/// What is said of a shown position.
#[derive(Debug)]
pub struct ShownFacts<'a> {
    /// Which of several positions, where there are several.
    pub index: Option<usize>,
    /// What was asked for.
    pub asked: &'a Asked,
    /// What the book says.
    pub shown: &'a Shown,
    /// Who searched it.
    pub source: Option<String>,
    /// What facts say of it.
    pub proven: ProvenHere,
    /// By which value its moves are ordered, for the side to move there.
    pub by: By,
}

impl ShownFacts<'_> {
    /// As JSON; `each` adds to what is said of a move.
    pub fn json<M, G>(
        self,
        each: impl Fn(&ShownMove, ShownMoveJson) -> M,
        games: Option<G>,
    ) -> ShownJson<M, G> {
        let Self { index, asked, shown, source, proven, by } = self;
        let node = shown.view.as_ref().and_then(|view| view.node);
        let moves = shown.moves.iter();
        let moves =
            moves.filter_map(|found| Some(each(found, ShownMoveJson::of(shown, found, by)?)));
        ShownJson {
            index,
            position: shown.placed.into(),
            turn_assumed: asked.is_turn_assumed,
            line: asked.is_from_the_start().then(|| asked.line.to_string()),
            name: name(asked, shown),
            in_book: shown.in_book(),
            passed: passed(asked, shown),
            over: shown.final_score.is_some(),
            score: shown.final_score,
            values: node.map(|node| node.values.into()),
            searched_values: shown.searched_values.map(ValuesJson::from),
            fact: proven.bounds.map(|Bounds { lower, upper }| FactJson { lower, upper }),
            proven_by: proven.by,
            chances: node.and_then(|_| shown.chances()).map(ChancesJson::from),
            depth: node.map(|node| node.searched.depth),
            selectivity: node.map(|node| node.searched.selectivity.percent()),
            source,
            trust: shown.trust.into(),
            best_line: shown.best_play.iter().map(Square::to_string).collect(),
            moves: moves.collect(),
            other_moves: others(shown),
            games,
        }
    }
}

impl ShownMoveJson {
    /// None when the move has no value.
    fn of(position: &Shown, shown: &ShownMove, by: By) -> Option<Self> {
        let found = &shown.found;
        Some(Self {
            square: found.square.to_string(),
            in_book: found.kind == MoveKind::Link,
            kind: if shown.searched_now.is_some() { "searched" } else { kind_name(found.kind) },
            values: found.values?.into(),
            searched_values: shown.searched_values.map(ValuesJson::from),
            worth: worth(found, by).map(Score::discs),
            chances: shown.chances()?.into(),
            error: shown.error.map(hundredths),
            loss: position.loss(shown).map(Score::discs),
            depth: searched(shown).map(|searched| searched.0),
            selectivity: searched(shown).map(|searched| searched.1.percent()),
            name: move_name(found),
        })
    }
}
