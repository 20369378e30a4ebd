//! `rosebill info --by-discs`.

use super::super::show::{is_one, trust_lines};
use crate::app::json::{hundredths, object};
use crate::app::{Stats, stats};
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::faces::cli::table::Table;
use crate::faces::render::{Command, source_text};
use crate::files::counted::{counted, grouped};
use crate::othello::board::Side;
use serde::Serialize;

/// Says that there is nothing to report, and what to do.
pub(super) fn note_empty(context: &Context) {
    context.note("the book has no positions yet");
    let grow = Command::new("grow").with(["--time", "10s"]);
    context.hint(&[grow, Command::new("import").with(["FILE"])]);
}

pub(super) fn run(context: &mut Context) -> anyhow::Result<Status> {
    let book = context.read_book()?;
    let stats = stats(&book)?;
    if context.output.is_json() {
        context.output.object(&as_json(&stats))?;
    } else {
        as_text(&stats, context)?;
    }
    if stats.positions == 0 {
        note_empty(context);
    }
    Ok(Status::Done)
}

fn as_json(stats: &Stats) -> impl Serialize {
    let root = stats.root;
    let searched = stats.searched.iter();
    let sources = stats.sources.iter();
    object! {
        positions: stats.positions,
        leaves: stats.sum(|layer| layer.leaves),
        links: stats.sum(|layer| layer.links),
        exact: stats.sum(|layer| layer.exact),
        proven: stats.sum(|layer| layer.proven),
        proven_by_searches: stats.sum(|layer| layer.proven_by_searches),
        search_due: stats.search_due,
        held: stats.held,
        mean_evidence: hundredths(stats.evidence),
        guess: root.map(|root| root.guess),
        draw_seeking: root.map(|root| root.draw_seeking),
        win_seeking: root.map(|root| root.win_seeking),
        lower: root.map(|root| root.lower),
        upper: root.map(|root| root.upper),
        ..trust: stats.trust,
        layers: stats.layers.clone(),
        searched: searched.map(|(&how, &positions)| object! { ..searched: how, positions }).collect::<Vec<_>>(),
        sources: sources
            .map(|(known, positions)| object! { source: source_text(&known.source), positions: *positions })
            .collect::<Vec<_>>(),
    }
}

fn as_text(stats: &Stats, context: &mut Context) -> anyhow::Result<()> {
    let output = &mut context.output;
    let mut say = |title: &str, text: &str| output.folded(&format!("{title:<11}{text}"), ", ", 11);
    say("positions", &grouped(stats.positions))?;
    let leaves = grouped(stats.sum(|layer| layer.leaves));
    say("leaves", &format!("{leaves}, where the book ends"))?;
    let links = grouped(stats.sum(|layer| layer.links));
    say("links", &format!("{links}, moves between positions"))?;
    let (proven, exact) = (stats.sum(|layer| layer.proven), stats.sum(|layer| layer.exact));
    let by_searches = stats.sum(|layer| layer.proven_by_searches);
    let alone = if by_searches == proven {
        String::new()
    } else {
        format!(", {} by searches alone", grouped(by_searches))
    };
    let (proven, exact) = (grouped(proven), grouped(exact));
    say("proven", &format!("{proven} won, lost or drawn, {exact} of them to the disc{alone}"))?;
    let due = grouped(stats.search_due);
    say("to search", &format!("{due} with moves that are not searched yet"))?;
    if stats.held > 0 {
        let held = counted(stats.held, "link");
        say("held", &format!("{held}, to positions less sure than the search before them"))?;
    }
    if stats.positions > 0 {
        say("evidence", &format!("\u{b1}{:.2} discs to expect of a value", stats.evidence))?;
    }
    if let Some(root) = stats.root {
        let seeking =
            format!(", draw-seeking {}, win-seeking {}", root.draw_seeking, root.win_seeking);
        let seeking = if is_one(root) { "" } else { &seeking };
        say("start", &format!("guess {}{seeking}", root.guess))?;
        for (title, text) in trust_lines(&stats.trust, Side::Black) {
            say(title, &text)?;
        }
    }
    output.line("")?;
    let mut table = Table::new(&["discs", "positions", "leaves", "links", "proven", "exact"]);
    for layer in &stats.layers {
        let figures = [layer.positions, layer.leaves, layer.links, layer.proven, layer.exact];
        table.row(std::iter::once(layer.discs.to_string()).chain(figures.map(grouped)));
    }
    output.table(&table)?;
    output.line("")?;
    output.table(&spread(stats))?;
    output.line("")?;
    let mut table = Table::new(&["positions", "searched by"]);
    for (known, positions) in &stats.sources {
        table.row([grouped(*positions), source_text(&known.source)]);
    }
    output.table(&table)?;
    Ok(())
}

/// The most ways to search that are listed one by one.
const MOST_LISTED: usize = 12;

/// How deep and how sure the positions were searched, the deepest last.
fn spread(stats: &Stats) -> Table {
    let mut table = Table::new(&["positions", "share", "plies", "selectivity"]);
    let share = |positions: u64| {
        format!("{:.1} %", 100.0 * positions as f64 / stats.positions.max(1) as f64)
    };
    let (listed, (others, positions_of_others)) = stats.most_searched(MOST_LISTED);
    for (searched, positions) in listed {
        table.row([
            grouped(positions),
            share(positions),
            searched.depth.to_string(),
            format!("{} %", searched.selectivity),
        ]);
    }
    if others > 0 {
        let ways = if others == 1 { "in 1 other way" } else { &format!("in {others} other ways") };
        let positions = positions_of_others;
        table.row([grouped(positions), share(positions), String::new(), ways.to_owned()]);
    }
    table
}
