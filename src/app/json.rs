//! The JSON of what reports are made of, the same wherever it is given out: values in discs, moves as squares,
//! positions as boards. Names of keys are a contract: tests pin them.

use serde::{Serialize, Serializer};

use crate::openbook::lines::By;
use crate::openbook::trust::{Grade, Sure, Trust};
use crate::openbook::{Evidence, Values};
use crate::othello::board::{Line, Placed, Side, Square};
use crate::othello::score::Score;
use crate::othello::search::{Chances, Level, MoveScore, Proof, Selectivity};
use crate::store::GameId;

/// An object with these keys in this order. `key?` is left out where its value is none; the keys of a value
/// behind `..key` come in its place.
macro_rules! object {
    (@ [$($field:tt)*] [$($kind:ident)*] [$($value:tt)*]) => {{
        #[allow(non_camel_case_types)]
        let object = {
            #[derive(serde::Serialize)]
            struct Object<$($kind),*> { $($field)* }
            Object { $($value)* }
        };
        object
    }};
    (@ [$($field:tt)*] [$($kind:ident)*] [$($value:tt)*]
        $key:ident: $new:expr $(, $($rest:tt)*)?) => {
        $crate::app::json::object!(@ [$($field)* $key: $key,] [$($kind)* $key]
            [$($value)* $key: $new,] $($($rest)*)?)
    };
    (@ [$($field:tt)*] [$($kind:ident)*] [$($value:tt)*]
        $key:ident?: $new:expr $(, $($rest:tt)*)?) => {
        $crate::app::json::object!(@ [
                $($field)*
                #[serde(skip_serializing_if = "Option::is_none")]
                $key: Option<$key>,
            ]
            [$($kind)* $key] [$($value)* $key: $new,] $($($rest)*)?)
    };
    (@ [$($field:tt)*] [$($kind:ident)*] [$($value:tt)*]
        ..$key:ident: $new:expr $(, $($rest:tt)*)?) => {
        $crate::app::json::object!(@ [$($field)* #[serde(flatten)] $key: $key,] [$($kind)* $key]
            [$($value)* $key: $new,] $($($rest)*)?)
    };
    (@ [$($field:tt)*] [$($kind:ident)*] [$($value:tt)*] $key:ident $(, $($rest:tt)*)?) => {
        $crate::app::json::object!(@ [$($field)* $key: $key,] [$($kind)* $key] [$($value)* $key,]
            $($($rest)*)?)
    };
    ($($all:tt)*) => { $crate::app::json::object!(@ [] [] [] $($all)*) };
}
pub(crate) use object;

/// Serialises values of a type as what an expression makes of each.
macro_rules! serialize {
    ($($name:ident($kind:ty) => $made:expr),* $(,)?) => { $(
        impl serde::Serialize for $kind {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let $name = self;
                serde::Serialize::serialize(&$made, serializer)
            }
        }
    )* };
}
pub(crate) use serialize;

serialize! {
    score(Score) => score.discs(),
    evidence(Evidence) => evidence.discs(),
    square(Square) => square.to_string(),
    side(Side) => side.name(),
    line(Line) => line.whole_text(),
    level(Level) => level.number(),
    selectivity(Selectivity) => selectivity.percent(),
    proof(Proof) => proof.name(),
    grade(Grade) => grade.letter(),
    by(By) => match by {
        By::DrawSeeking => "draw_seeking",
        By::WinSeeking => "win_seeking",
        By::Guess | By::Contempt(_) => "guess",
    },
    game(GameId) => game.0,
    placed(Placed) => object! {
        board: placed.position.squares_text(placed.side),
        side: placed.side,
        discs: placed.position.discs(),
        empties: placed.position.empties(),
    },
    // From the point of view of the side that the context names.
    values(Values) => object! {
        guess: values.guess,
        draw_seeking: values.draw_seeking,
        win_seeking: values.win_seeking,
        lower: values.lower,
        upper: values.upper,
    },
    // Of the side to move, 0 to 1.
    chances(Chances) => object! {
        win: thousandths(chances.win),
        draw: thousandths(chances.draw),
        loss: thousandths(chances.loss),
    },
    trust(Trust) => object! {
        grade: trust.grade,
        evidence: trust.sure.map(|sure| sure.evidence),
        evidence_plies: trust.sure.map(|sure| sure.plies),
        error: trust.error().map(hundredths),
        to_learn: trust.to_learn,
        other_to_learn: trust.other_to_learn,
    },
    // `value` is what is best believed of a move, `score` what the last iteration found.
    found(MoveScore) => object! {
        r#move: found.square,
        score: found.score,
        value: found.value,
        depth: found.depth,
        selectivity: found.selectivity,
        proof: found.proof,
        best_line: moves_text(&found.line),
        nodes: found.nodes,
        complete: found.complete,
    },
    // The mean error to expect, discs, and a search of how many plies is as sure.
    sure(Sure) => object! { evidence: sure.evidence, evidence_plies: sure.plies },
}

/// With three decimals.
pub(crate) fn thousandths(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}

/// With two decimals; nothing is no negative nothing.
pub(crate) fn hundredths(number: f64) -> f64 {
    (number * 100.0).round() / 100.0 + 0.0
}

/// Centidiscs as discs.
pub(crate) fn discs(centidiscs: i32) -> f64 {
    f64::from(centidiscs) / 100.0
}

/// As a field of a report: [`discs`].
pub(crate) fn in_discs<S: Serializer>(centidiscs: &i32, serializer: S) -> Result<S::Ok, S::Error> {
    discs(*centidiscs).serialize(serializer)
}

/// Moves in one word.
pub(crate) fn moves_text(moves: &[Square]) -> String {
    moves.iter().map(Square::to_string).collect()
}
