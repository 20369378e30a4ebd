//! `rosebill search --static`.

use crate::app::json::{object, thousandths};
use crate::faces::cli::board::{last_move, painted_board};
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::faces::cli::place::Positions;
use crate::faces::cli::table::Table;
use crate::faces::figures::signed;
use crate::files::counted::counted;
use crate::files::games::Asked;
use crate::othello::eval::{AnyEvaluator, BoardReport, Component, Counted, Explain};

/// Evaluates each position without looking ahead.
pub(super) fn run(
    positions: &Positions,
    evaluator: &AnyEvaluator,
    context: &mut Context,
) -> anyhow::Result<Status> {
    for (number, position) in positions.list.iter().enumerate() {
        if number > 0 && !context.output.is_json() {
            context.output.line("")?;
        }
        judge(evaluator, &position.asked, positions.index(position), context)?;
    }
    Ok(positions.ended(Status::Done))
}

fn judge(
    evaluator: &AnyEvaluator,
    asked: &Asked,
    index: Option<usize>,
    context: &mut Context,
) -> anyhow::Result<()> {
    let placed = asked.placed();
    let score = evaluator.value(placed.position);
    let components = evaluator.components(placed.position);
    let discs_per_unit = components.iter().find_map(|each| Some(each.counted?.discs_per_unit));
    let report = BoardReport::of(placed.position);
    let output = &mut context.output;
    if output.is_json() {
        // How an evaluator with weights of its own counts: `units` = `count` times `weight`.
        let counted = |counted: &Counted| {
            object! { count: counted.count, weight: counted.weight, units: counted.units() }
        };
        let component = |each: &Component| {
            object! {
                name: each.name.clone(),
                score: thousandths(each.discs),
                ..counted: each.counted.as_ref().map(counted),
            }
        };
        output.object(&object! {
            index?: index,
            line: asked.is_from_the_start().then_some(&asked.line),
            position: placed,
            evaluator: evaluator.title(),
            score,
            // What a unit of the components stands for.
            discs_per_unit?: discs_per_unit,
            components: components.iter().map(component).collect::<Vec<_>>(),
            counts: report,
        })?;
        return Ok(());
    }
    for line in painted_board(placed, &last_move(asked)) {
        output.painted(&line)?;
    }
    output.line("")?;
    output.table(&component_table(&components))?;
    if let Some(discs) = discs_per_unit {
        output.line(format_args!("\nunits = count x weight; a unit is taken for {discs} discs"))?;
    }
    output.line("")?;
    output.table(&board_table(&report))?;
    let BoardReport { total_discs, .. } = report;
    output.line(format_args!(
        "\n{}, {}",
        counted(total_discs, "disc"),
        counted(64 - total_discs, "square empty")
    ))?;
    let passes = !placed.position.can_move() && !placed.position.is_over();
    let pass = if passes { " (must pass)" } else { "" };
    output.line(format_args!("{score} for {}{pass}, by {}", placed.side, evaluator.title()))?;
    Ok(())
}

fn component_table(components: &[Component]) -> Table {
    if components.iter().all(|each| each.counted.is_none()) {
        let mut table = Table::new(&["discs", "component"]);
        for Component { name, discs, .. } in components {
            table.row([signed(*discs, 2), name.clone()]);
        }
        return table;
    }
    let mut table = Table::new(&["discs", "units", "count", "weight", "component"]);
    for Component { name, discs, counted } in components {
        let numbers = counted.map_or([const { String::new() }; 3], |counted| {
            let Counted { count, weight, .. } = counted;
            [short(counted.units(), true), short(count, true), short(weight, false)]
        });
        let [units, count, weight] = numbers;
        table.row([format!("{discs:+.2}"), units, count, weight, name.clone()]);
    }
    table
}

fn board_table(report: &BoardReport) -> Table {
    let mut table = Table::new(&["mover", "opponent", "difference", "on the board"]);
    for (both, name) in [
        (report.discs, "discs"),
        (report.mobility, "moves"),
        (report.stable_discs, "stable discs"),
        (report.unstable_discs, "unstable discs: can be turned next"),
        (report.frontier_discs, "frontier discs: beside an empty square"),
    ] {
        table.row([
            both.mover.to_string(),
            both.opponent.to_string(),
            format!("{:+}", both.difference),
            name.to_owned(),
        ]);
    }
    table
}

/// At most two decimals, and none where there is nothing to say: `25`, `0.06`, `+33.33`.
fn short(number: f64, signed: bool) -> String {
    let text = if signed { format!("{number:+.2}") } else { format!("{number:.2}") };
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let told = [short(25.0, false), short(0.0625, false), short(-100.0 / 3.0, true)];
        assert_eq!(told, ["25", "0.06", "-33.33"]);
        assert_eq!([short(0.0, true), short(100.0, true)], ["+0", "+100"]);
    }
}
