//! What a merge or an import would change, for `--dry-run`.

use super::diff::changed;
use crate::app::json::{discs, object};
use crate::app::{BookDiff, LayerDiff, MoveSizes};
use crate::faces::cli::context::Context;
use crate::files::counted::{counted, grouped};

/// Prints how a book as it is (A) differs from the book as it would be (B).
pub(super) fn print(found: &BookDiff, context: &mut Context) -> anyhow::Result<()> {
    let output = &mut context.output;
    let LayerDiff { only_b, both, proofs, best_move_changed, .. } = found.total();
    let sizes = found.sizes;
    if output.is_json() {
        let moved = std::iter::zip(MoveSizes::MORE_THAN, sizes.counts);
        let moved = moved.map(|(more_than, values)| {
            object! { by_more_than: discs(more_than), values }
        });
        output.object(&object! {
            kind: "dry_run",
            new: only_b,
            both,
            moved: moved.collect::<Vec<_>>(),
            moved_by_at_most: discs(sizes.most),
            proof_changed: proofs,
            best_move_changed,
            best_move_changed_near: found.listable,
        })?;
        for changed in &found.changed {
            output.object(&object! { kind: "changed", ..changed: changed })?;
        }
        return Ok(());
    }
    let [any, larger @ ..] = sizes.counts;
    output.line("dry run: nothing is written")?;
    let mut values = format!(
        "{} would be new; of {} values here {} would move",
        counted(only_b, "position"),
        grouped(both),
        grouped(any)
    );
    for (count, more_than) in larger.into_iter().zip(&MoveSizes::MORE_THAN[1..]) {
        if count > 0 {
            values += &format!(", {} by more than {}", grouped(count), discs(*more_than));
        }
    }
    if any > 0 {
        values += &format!(", at most by {:.2} discs", discs(sizes.most));
    }
    if proofs > 0 {
        values += &format!(", {} would change", counted(proofs, "proof"));
    }
    output.folded(&values, ", ", 2)?;
    let near = "within 2 discs of best play from the start";
    match found.listable {
        0 => output.line(format_args!("no best move {near} would change"))?,
        all => {
            output.line(format_args!("{} {near} would change:", counted(all, "best move")))?;
            output.table(&changed(found))?;
            let listed = found.changed.len() as u64;
            if listed < all {
                output.line(format_args!("and {} more", grouped(all - listed)))?;
            }
        }
    }
    Ok(())
}
