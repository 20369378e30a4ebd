//! A position with all that a book knows of it.

use serde::Serialize;

use super::played::PlayedJson;
use super::values::{ChancesJson, PositionJson, TrustJson, ValuesJson, hundredths};
use crate::app::{Bounds, By, HeldMove, Judgement, ProvenHere, Shown, ShownMove};
use crate::faces::render::OwnBook;
use crate::faces::render::shown_facts::{
    kind_name, move_name, name, others, passed, raise_command, searched, worth,
};
use crate::files::games::Asked;
use crate::othello::board::{Line, Square};
use crate::othello::score::Score;

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
    /// The files that have proven what searches do not say.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    proven_by: Vec<String>,
    chances: Option<ChancesJson>,
    depth: Option<u8>,
    selectivity: Option<u8>,
    source: Option<String>,
    /// What a person said of the position.
    #[serde(skip_serializing_if = "Option::is_none")]
    judgement: Option<JudgementJson>,
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

/// What a person said a position is worth.
#[derive(Serialize, Clone, Debug)]
struct JudgementJson {
    value: f64,
    day: String,
    author: String,
}

impl From<&Judgement> for JudgementJson {
    fn from(Judgement { score, day, author }: &Judgement) -> Self {
        Self { value: score.discs(), day: day.clone(), author: author.clone() }
    }
}

/// A move to a position of the book that does not count: the search of the position before it answers for it.
#[derive(Serialize, Clone, Debug)]
struct HeldJson {
    /// What the position that it leads to is worth, for the side that makes the move.
    values: ValuesJson,
    evidence: Option<f64>,
    evidence_plies: Option<u8>,
    /// What the search says: its score where the move is its best one, else the most that the move is worth.
    answer: f64,
    answer_evidence: f64,
    is_best: bool,
    depth: u8,
    selectivity: u8,
    /// What makes the move count; none where no search does.
    command: Option<String>,
}

impl HeldJson {
    fn of(held: &HeldMove, raise: String) -> Self {
        let searched = held.record.searched;
        Self {
            values: held.values.into(),
            evidence: held.sure.map(|sure| sure.evidence.discs()),
            evidence_plies: held.sure.map(|sure| sure.plies),
            answer: held.record.rest.score.discs(),
            answer_evidence: held.record_sure.evidence.discs(),
            is_best: held.is_best,
            depth: searched.depth,
            selectivity: searched.selectivity.percent(),
            command: held.raised_by.map(|_| raise),
        }
    }
}

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
    evidence: Option<f64>,
    evidence_plies: Option<u8>,
    error: Option<f64>,
    /// What it gives away against the best guess.
    loss: Option<f64>,
    depth: Option<u8>,
    selectivity: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    held: Option<HeldJson>,
    name: Option<&'static str>,
}

/// What is said of a shown position.
#[derive(Debug)]
pub struct ShownFacts<'a> {
    /// Which of several positions, where there are several.
    pub index: Option<usize>,
    pub asked: &'a Asked,
    /// What the book says.
    pub shown: &'a Shown,
    /// The program that searched it.
    pub source: Option<String>,
    /// What facts say of it.
    pub proven: ProvenHere,
    /// By which value its moves are ordered, for the side to move there.
    pub by: By,
    /// The line to it of which the book has all positions ([`crate::app::line_in_book`]).
    pub way: &'a Line,
    /// The book that commands are about.
    pub own: &'a OwnBook,
}

impl ShownFacts<'_> {
    /// As JSON; `each` adds to what is said of a move.
    pub fn json<M, G>(
        self,
        each: impl Fn(&ShownMove, ShownMoveJson) -> M,
        games: Option<G>,
    ) -> ShownJson<M, G> {
        let Self { index, asked, shown, source, proven, by, way, own } = self;
        let node = shown.view.as_ref().and_then(|view| view.node);
        let moves = shown.moves.iter();
        let command = |found: &ShownMove| raise_command(way, found.found.square).typed(own);
        let moves = moves.filter_map(|found| {
            Some(each(found, ShownMoveJson::of(shown, found, by, command(found))?))
        });
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
            judgement: shown.judgement.as_ref().map(JudgementJson::from),
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
    fn of(position: &Shown, shown: &ShownMove, by: By, raise: String) -> Option<Self> {
        let found = &shown.found;
        Some(Self {
            square: found.square.to_string(),
            in_book: found.child.is_some(),
            kind: if shown.searched_now.is_some() { "searched" } else { kind_name(found.kind) },
            values: found.values?.into(),
            searched_values: shown.searched_values.map(ValuesJson::from),
            worth: worth(found, by).map(Score::discs),
            chances: shown.chances()?.into(),
            evidence: shown.sure.map(|sure| sure.evidence.discs()),
            evidence_plies: shown.sure.map(|sure| sure.plies),
            error: shown.error().map(hundredths),
            loss: position.loss(shown).map(Score::discs),
            depth: searched(shown).map(|searched| searched.0),
            selectivity: searched(shown).map(|searched| searched.1.percent()),
            held: shown.held.as_ref().map(|held| HeldJson::of(held, raise)),
            name: move_name(found),
        })
    }
}
