//! What a merge or an import would change, for `--dry-run`.

use super::diff::changed;
use crate::app::{BookDiff, LayerDiff, MoveSizes};
use crate::faces::cli::context::Context;
use crate::faces::render::json::{DiffPositionJson, DryRunJson};
use crate::files::counted::counted;

/// Prints how a book as it is (A) differs from the book as it would be (B).
pub(super) fn print(found: &BookDiff, context: &mut Context) -> anyhow::Result<()> {
    let output = &mut context.output;
    if output.is_json() {
        output.object(&DryRunJson::from(found))?;
        for position in &found.changed {
            output.object(&DiffPositionJson::changed(position))?;
        }
        return Ok(());
    }
    let LayerDiff { only_b, both, proofs, .. } = found.total();
    let sizes = found.sizes;
    let [any, larger @ ..] = sizes.counts;
    output.line("dry run: nothing is written")?;
    let mut values = format!(
        "{} would be new; of {} values here {any} would move",
        counted(only_b, "position"),
        both
    );
    for (count, more_than) in larger.into_iter().zip(&MoveSizes::MORE_THAN[1..]) {
        if count > 0 {
            values += &format!(", {count} by more than {}", f64::from(*more_than) / 100.0);
        }
    }
    if any > 0 {
        values += &format!(", at most by {:.2} discs", f64::from(sizes.most) / 100.0);
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
                output.line(format_args!("and {} more", all - listed))?;
            }
        }
    }
    Ok(())
}
