//! What differs between two books.

use serde::Serialize;

use super::values::{PositionJson, ValuesJson};
use crate::app::{
    BookDiff, By, ChangedPosition, DiffPlace, LayerDiff, MoveSizes, Said, SinglePosition,
};
use crate::files::games::opening_of_line;

/// The counts: the first object of an answer.
#[derive(Serialize, Debug)]
pub struct DiffJson {
    kind: &'static str,
    a: DiffBookJson,
    b: DiffBookJson,
    /// Whether both have the same positions and say the same of them.
    equal: bool,
    /// By how many discs a value must move to count as moved.
    by: f64,
    #[serde(flatten)]
    total: DiffCountsJson,
    layers: Vec<DiffLayerJson>,
}

#[derive(Serialize, Debug)]
struct DiffBookJson {
    book: String,
    positions: u64,
}

#[derive(Serialize, Debug)]
struct DiffLayerJson {
    discs: u8,
    #[serde(flatten)]
    counts: DiffCountsJson,
}

#[derive(Serialize, Debug)]
struct DiffCountsJson {
    both: u64,
    only_a: u64,
    only_b: u64,
    /// Of those of both: anything else is said.
    differ: u64,
    moved: u64,
    best_changed: u64,
    proof_changed: u64,
    contradicted: u64,
}

impl From<&LayerDiff> for DiffCountsJson {
    fn from(counts: &LayerDiff) -> Self {
        let &LayerDiff { both, only_a, only_b, differ, .. } = counts;
        let &LayerDiff { moved, best_changed, proofs, contradicted, .. } = counts;
        let proof_changed = proofs;
        Self { both, only_a, only_b, differ, moved, best_changed, proof_changed, contradicted }
    }
}

impl DiffJson {
    /// The counts of two books with these names, where values count that moved by more than so many
    /// discs.
    pub fn of(diff: &BookDiff, [a, b]: [String; 2], by: f64) -> Self {
        let total = diff.total();
        let layer = |layer: &LayerDiff| DiffLayerJson { discs: layer.discs, counts: layer.into() };
        Self {
            kind: "summary",
            a: DiffBookJson { book: a, positions: total.both + total.only_a },
            b: DiffBookJson { book: b, positions: total.both + total.only_b },
            equal: diff.is_equal(),
            by,
            total: (&total).into(),
            layers: diff.layers.iter().map(layer).collect(),
        }
    }
}

/// What a dry run finds: the first object after those of the files.
#[derive(Serialize, Debug)]
pub struct DryRunJson {
    /// "dry_run".
    kind: &'static str,
    /// Positions that would be new.
    new: u64,
    /// Positions that are there already.
    both: u64,
    /// How many of their values would move by more than so many discs.
    moved: Vec<MovedJson>,
    /// By how many discs at most.
    moved_by_at_most: f64,
    proof_changed: u64,
    /// Best moves that would change, anywhere.
    best_changed: u64,
    /// Those of positions within two discs of best play from the start; the first of them are listed.
    best_changed_near: u64,
}

#[derive(Serialize, Debug)]
struct MovedJson {
    by_more_than: f64,
    values: u64,
}

impl From<&BookDiff> for DryRunJson {
    fn from(found: &BookDiff) -> Self {
        let LayerDiff { only_b, both, proofs, best_changed, .. } = found.total();
        let moved = std::iter::zip(MoveSizes::MORE_THAN, found.sizes.counts);
        let moved = moved.map(|(more_than, values)| MovedJson {
            by_more_than: f64::from(more_than) / 100.0,
            values,
        });
        Self {
            kind: "dry_run",
            new: only_b,
            both,
            moved: moved.collect(),
            moved_by_at_most: f64::from(found.sizes.most) / 100.0,
            proof_changed: proofs,
            best_changed,
            best_changed_near: found.listable,
        }
    }
}

#[derive(Serialize, Debug)]
pub struct DiffPositionJson {
    /// "changed", "only_a" or "only_b".
    kind: &'static str,
    /// How many moves were played before it.
    ply: u8,
    /// A line from the start to it; none where the book has no such line.
    line: Option<String>,
    name: Option<&'static str>,
    position: PositionJson,
    /// What the first book says, for the side to move.
    #[serde(skip_serializing_if = "Option::is_none")]
    a: Option<SaidJson>,
    /// What the second book says.
    #[serde(skip_serializing_if = "Option::is_none")]
    b: Option<SaidJson>,
    #[serde(flatten)]
    change: Option<ChangeJson>,
}

#[derive(Serialize, Debug)]
struct SaidJson {
    values: ValuesJson,
    best: Option<String>,
}

#[derive(Serialize, Debug)]
struct ChangeJson {
    /// The value that moved most: "guess", "draw_seeking" or "win_seeking".
    moved_most: &'static str,
    /// By how many discs.
    moved_by: f64,
    /// Whether that is more than was asked for.
    moved: bool,
    best_changed: bool,
    proof_changed: bool,
    contradicted: bool,
}

impl From<Said> for SaidJson {
    fn from(said: Said) -> Self {
        Self { values: said.values.into(), best: said.best.map(|square| square.to_string()) }
    }
}

impl DiffPositionJson {
    /// Of a position that both books have.
    pub fn changed(changed: &ChangedPosition) -> Self {
        let moved_most = match changed.moved {
            By::DrawSeeking => "draw_seeking",
            By::WinSeeking => "win_seeking",
            By::Guess | By::Contempt(_) => "guess",
        };
        let change = ChangeJson {
            moved_most,
            moved_by: f64::from(changed.moved_by) / 100.0,
            moved: changed.has_moved,
            best_changed: changed.best_changed,
            proof_changed: changed.proof_changed,
            contradicted: changed.contradicts,
        };
        let said = [Some(changed.a), Some(changed.b)];
        Self::of("changed", &changed.place, said, Some(change))
    }

    /// Of a position that the first book alone has.
    pub fn only_a(single: &SinglePosition) -> Self {
        Self::of("only_a", &single.place, [Some(single.said), None], None)
    }

    /// Of a position that the second book alone has.
    pub fn only_b(single: &SinglePosition) -> Self {
        Self::of("only_b", &single.place, [None, Some(single.said)], None)
    }

    fn of(
        kind: &'static str,
        place: &DiffPlace,
        [a, b]: [Option<Said>; 2],
        change: Option<ChangeJson>,
    ) -> Self {
        Self {
            kind,
            ply: place.ply(),
            line: place.is_from_the_start().then(|| place.line.to_string()),
            name: opening_of_line(&place.line),
            position: place.placed.into(),
            a: a.map(SaidJson::from),
            b: b.map(SaidJson::from),
            change,
        }
    }
}
