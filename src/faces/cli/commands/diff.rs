//! `rosebill diff`.

use std::path::PathBuf;

use super::show::bounds_text;
use crate::app::amounts::{at_least, discs};
use crate::app::json::object;
use crate::app::{BookDiff, By, DiffOptions, LayerDiff, Said, SinglePosition, diff};
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::faces::cli::other_book::read_other_book;
use crate::faces::cli::progress::Progress;
use crate::faces::cli::table::Table;
use crate::files::counted::{counted, grouped};
use crate::files::games::{Asked, opening_of_line};

/// Arguments of `diff`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: rosebill diff before.db my.db --least-change 0.5\n\n\
    Values are as 'show' gives them, with facts, in discs for the side to move. A value has moved when \
    the guess, the draw- or the win-seeking one did; the 100 discs that a proof adds are left out: \
    new proofs are counted separately. A best move has changed when no best move of the one book \
    is one of the other. Among positions of as many moves, what moved most comes first, and of those \
    that one book alone has, the most even. Each line can be given to 'show'.\n\n\
    The exit code is 0 whether the books differ or not, without --exit-code. A script reads the first object of --json: \
    its kind is 'summary', and 'equal' is true when both have the same positions and say the same of \
    them; further objects are the positions that are listed, with the kind 'changed', 'only_a' or \
    'only_b'. The books may be written meanwhile: each is read as of one moment.")]
pub struct Arguments {
    /// A book of rosebill
    #[arg(value_name = "BOOK")]
    a: PathBuf,
    /// Another one
    #[arg(value_name = "BOOK")]
    b: PathBuf,
    /// Compare only what is reached from this position, in either book
    #[arg(long, value_name = "POSITION")]
    from: Option<Asked>,
    /// Leave out values that moved by no more than this many discs
    #[arg(long, alias = "by", value_name = "DISCS", default_value = "1", value_parser = discs)]
    least_change: i32,
    /// The most positions in each list
    #[arg(long, short = 'n', value_name = "N", default_value_t = 10, value_parser = at_least::<0, usize>)]
    limit: usize,
    /// End with 1 where the books differ
    #[arg(long)]
    exit_code: bool,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    let Arguments { a, b, from, least_change: by, limit, exit_code } = arguments;
    let (first, second) = (read_other_book(a, None)?, read_other_book(b, None)?);
    let mut progress = Progress::new(context.quiet);
    let options = DiffOptions {
        by: *by,
        limit: *limit,
        from: from.as_ref().map(|asked| asked.line.board()),
        best_within: None,
    };
    let found = diff(&first, &second, &options, |done, all| {
        progress.show_share("", done, Some(all), "position");
    })?;
    drop(progress);
    let by = f64::from(*by) / 100.0;
    let names = [a, b].map(|path| path.display().to_string());
    if context.output.is_json() {
        print_json(&found, &names, by, context)?;
    } else {
        print(&found, &names, by, context)?;
    }
    Ok(if *exit_code && !found.is_equal() { Status::NotFound } else { Status::Done })
}

/// First the counts, then the listed positions.
fn print_json(
    found: &BookDiff,
    [a, b]: &[String; 2],
    by: f64,
    context: &mut Context,
) -> anyhow::Result<()> {
    let total = found.total();
    context.output.object(&object! {
        kind: "summary",
        a: object! { book: a, positions: total.both + total.only_a },
        b: object! { book: b, positions: total.both + total.only_b },
        equal: found.is_equal(),
        by,
        ..total: total,
        layers: &found.layers,
    })?;
    for changed in &found.changed {
        context.output.object(&object! { kind: "changed", ..changed: changed })?;
    }
    for SinglePosition { place, said } in &found.only_a {
        context.output.object(&object! { kind: "only_a", ..place: place, a: said })?;
    }
    for SinglePosition { place, said } in &found.only_b {
        context.output.object(&object! { kind: "only_b", ..place: place, b: said })?;
    }
    Ok(())
}

fn print(
    found: &BookDiff,
    [a, b]: &[String; 2],
    by: f64,
    context: &mut Context,
) -> anyhow::Result<()> {
    let total = found.total();
    let output = &mut context.output;
    let [all_of_a, all_of_b] = found.positions;
    for (letter, name, only, all) in
        [("A", a, total.only_a, all_of_a), ("B", b, total.only_b, all_of_b)]
    {
        let compared = total.both + only;
        let of = if compared == all { String::new() } else { format!("{} of ", grouped(compared)) };
        let positions = format!("{of}{}", counted(all, "position"));
        output.folded(&format!("{letter}  {name}, {positions}"), ", ", 3)?;
    }
    if found.is_equal() {
        let equal = match total.both {
            0 if found.positions == [0, 0] => "the books are equal: both are empty",
            0 => "the books are equal: none of these positions is in them",
            _ => {
                "the books are equal: the same positions, values and moves, and of each the search that answers; \
                 other searches that are kept are not compared"
            }
        };
        output.folded(equal, " ", 2)?;
        return Ok(());
    }
    output.line("")?;
    output.table(&layers(found))?;
    if !found.changed.is_empty() {
        output.line("\nchanged, the nearest to the start first")?;
        output.table(&changed(found))?;
    }
    for (letter, listed) in [("A", &found.only_a), ("B", &found.only_b)] {
        if !listed.is_empty() {
            output.line(format_args!("\nonly in {letter}, the nearest to the start first"))?;
            output.table(&singles(listed))?;
        }
    }
    output.line("")?;
    for line in summary(&total, by) {
        output.folded(&line, ", ", 2)?;
    }
    Ok(())
}

/// The counts of all layers in which anything differs.
fn layers(found: &BookDiff) -> Table {
    let mut table = Table::new(&[
        "discs",
        "only\nin A",
        "in\nboth",
        "values\nmoved",
        "best moves\nchanged",
        "proofs\nchanged",
        "only\nin B",
    ]);
    for layer in &found.layers {
        if layer.only_a + layer.only_b + layer.differ > 0 {
            let LayerDiff { only_a, both, moved, best_move_changed, proofs, only_b, .. } = *layer;
            let counts = [only_a, both, moved, best_move_changed, proofs, only_b];
            let counts = counts.map(grouped);
            table.row(std::iter::once(layer.discs.to_string()).chain(counts));
        }
    }
    table
}

pub(super) fn changed(found: &BookDiff) -> Table {
    let with_proofs = found.changed.iter().any(|changed| changed.proof_changed);
    // Where a seeking value moved most it is said; mostly it is the guess.
    let with_seeking = found.changed.iter().any(|changed| seeking_text(changed.moved).is_some());
    let mut titles = vec!["ply", "guess\nin A", "\nin B", "moved"];
    if with_seeking {
        titles.push("value");
    }
    titles.extend(["best\nin A", "\nin B"]);
    if with_proofs {
        titles.extend(["proven\nin A", "\nin B"]);
    }
    // Beside so much else there is no room for names.
    let with_names = !with_seeking && !with_proofs;
    if with_names {
        titles.push("name");
    }
    titles.push("line");
    let mut table = Table::new(&titles);
    for changed in &found.changed {
        let (a, b) = (changed.a, changed.b);
        let mut cells = vec![
            changed.place.ply().to_string(),
            a.values.guess.to_string(),
            b.values.guess.to_string(),
            format!("{:.2}", f64::from(changed.moved_by) / 100.0),
        ];
        if with_seeking {
            cells.push(seeking_text(changed.moved).unwrap_or("guess").to_owned());
        }
        cells.push(best_text(a));
        cells.push(if changed.best_move_changed { best_text(b) } else { "same".to_owned() });
        if with_proofs {
            cells.extend([a, b].map(|said| bounds_text(said.values.lower, said.values.upper)));
        }
        let line = &changed.place.line;
        if with_names {
            cells.push(opening_of_line(line).unwrap_or_default().to_owned());
        }
        cells.push(line.whole_text());
        table.row(cells);
    }
    table
}

fn singles(listed: &[SinglePosition]) -> Table {
    let mut table = Table::new(&["ply", "guess", "best", "name", "line"]);
    for SinglePosition { place, said } in listed {
        table.row([
            place.ply().to_string(),
            said.values.guess.to_string(),
            best_text(*said),
            opening_of_line(&place.line).unwrap_or_default().to_owned(),
            place.line.whole_text(),
        ]);
    }
    table
}

const fn seeking_text(by: By) -> Option<&'static str> {
    match by {
        By::DrawSeeking => Some("draw-seeking"),
        By::WinSeeking => Some("win-seeking"),
        By::Guess | By::Contempt(_) => None,
    }
}

fn best_text(said: Said) -> String {
    said.best_move.map_or_else(|| "?".to_owned(), |square| square.to_string())
}

fn summary(total: &LayerDiff, by: f64) -> Vec<String> {
    let &LayerDiff {
        only_a,
        only_b,
        both,
        differ,
        moved,
        best_move_changed,
        proofs,
        contradicted,
        ..
    } = total;
    let mut lines = vec![format!(
        "{} in both, {} only in A, {} only in B",
        counted(both, "position"),
        grouped(only_a),
        grouped(only_b)
    )];
    if both > 0 {
        let unit = if by == 1.0 { "disc" } else { "discs" };
        lines.push(format!(
            "of those in both: {} differ in anything, {} moved by more than {by} {unit}, {} \
             changed, {} changed",
            grouped(differ),
            counted(moved, "value"),
            counted(best_move_changed, "best move"),
            counted(proofs, "proof"),
        ));
    }
    if contradicted > 0 {
        lines.push(format!(
            "of {} the books prove what cannot both be true: one of them is wrong, which a check of each may \
             show",
            counted(contradicted, "position")
        ));
    }
    lines
}
