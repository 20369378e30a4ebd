//! `rosebill stats`.

use serde::Serialize;

use super::show::{is_one, trust_lines};
use crate::app::{Stats, stats};
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::faces::cli::table::Table;
use crate::faces::render::json::{TrustJson, ValuesJson, hundredths};
use crate::faces::render::{Command, source_text};
use crate::files::counted::counted;
use crate::othello::board::Side;

/// Arguments of `stats`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: rosebill stats --json")]
pub struct Arguments {}

#[derive(Serialize)]
struct StatsJson {
    positions: u64,
    leaves: u64,
    links: u64,
    exact: u64,
    decided: u64,
    decided_by_searches: u64,
    incomplete: u64,
    held: u64,
    mean_evidence: f64,
    guess: Option<f64>,
    draw_seeking: Option<f64>,
    win_seeking: Option<f64>,
    lower: Option<i8>,
    upper: Option<i8>,
    #[serde(flatten)]
    trust: TrustJson,
    layers: Vec<LayerJson>,
    searched: Vec<SearchedJson>,
    sources: Vec<SourceJson>,
}

#[derive(Serialize)]
struct LayerJson {
    discs: u8,
    positions: u64,
    leaves: u64,
    links: u64,
    exact: u64,
    decided: u64,
}

#[derive(Serialize)]
struct SearchedJson {
    depth: u8,
    selectivity: u8,
    positions: u64,
}

#[derive(Serialize)]
struct SourceJson {
    source: String,
    positions: u64,
}

/// Says that there is nothing to report, and what to do.
pub(super) fn note_empty(context: &Context) {
    context.note("the book has no positions yet");
    let grow = Command::new("grow").with(["--time", "10s"]);
    context.hint(&[grow, Command::new("import").with(["FILE"])]);
}

pub(super) fn run(_: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
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

fn as_json(stats: &Stats) -> StatsJson {
    let root = stats.root.map(ValuesJson::from);
    StatsJson {
        positions: stats.positions,
        leaves: stats.sum(|layer| layer.leaves),
        links: stats.sum(|layer| layer.links),
        exact: stats.sum(|layer| layer.exact),
        decided: stats.sum(|layer| layer.decided),
        decided_by_searches: stats.sum(|layer| layer.decided_by_searches),
        incomplete: stats.incomplete,
        held: stats.held,
        mean_evidence: hundredths(stats.evidence),
        guess: root.map(|root| root.guess),
        draw_seeking: root.map(|root| root.draw_seeking),
        win_seeking: root.map(|root| root.win_seeking),
        lower: root.map(|root| root.lower),
        upper: root.map(|root| root.upper),
        trust: stats.trust.into(),
        layers: stats
            .layers
            .iter()
            .map(|layer| LayerJson {
                discs: layer.discs,
                positions: layer.positions,
                leaves: layer.leaves,
                links: layer.links,
                exact: layer.exact,
                decided: layer.decided,
            })
            .collect(),
        searched: stats
            .searched
            .iter()
            .map(|(searched, &positions)| SearchedJson {
                depth: searched.depth,
                selectivity: searched.selectivity,
                positions,
            })
            .collect(),
        sources: stats
            .sources
            .iter()
            .map(|(known, positions)| SourceJson {
                source: source_text(&known.source),
                positions: *positions,
            })
            .collect(),
    }
}

fn as_text(stats: &Stats, context: &mut Context) -> anyhow::Result<()> {
    let output = &mut context.output;
    let mut say = |title: &str, text: &str| output.folded(&format!("{title:<11}{text}"), ", ", 11);
    say("positions", &stats.positions.to_string())?;
    say("leaves", &format!("{}, where the book ends", stats.sum(|layer| layer.leaves)))?;
    say("links", &format!("{}, moves between positions", stats.sum(|layer| layer.links)))?;
    let (proven, exact) = (stats.sum(|layer| layer.decided), stats.sum(|layer| layer.exact));
    let by_searches = stats.sum(|layer| layer.decided_by_searches);
    let alone = if by_searches == proven {
        String::new()
    } else {
        format!(", {by_searches} by searches alone")
    };
    say("proven", &format!("{proven} won, lost or drawn, {exact} of them to the disc{alone}"))?;
    say("to search", &format!("{} with moves that are not searched yet", stats.incomplete))?;
    if stats.held > 0 {
        let held = counted(stats.held, "link");
        say("held", &format!("{held}, to positions less sure than the search before them"))?;
    }
    if stats.positions > 0 {
        say("mean error", &format!("\u{b1}{:.2} discs to expect of a value", stats.evidence))?;
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
        let figures = [layer.positions, layer.leaves, layer.links, layer.decided, layer.exact];
        table.row(
            std::iter::once(layer.discs.to_string())
                .chain(figures.map(|figure| figure.to_string())),
        );
    }
    output.table(&table)?;
    output.line("")?;
    output.table(&spread(stats))?;
    output.line("")?;
    let mut table = Table::new(&["positions", "searched by"]);
    for (known, positions) in &stats.sources {
        table.row([positions.to_string(), source_text(&known.source)]);
    }
    output.table(&table)?;
    Ok(())
}

/// The most ways to search that are listed one by one.
const MOST_LISTED: usize = 12;

/// How deep and how sure the positions were searched, the deepest last.
fn spread(stats: &Stats) -> Table {
    let mut table = Table::new(&["positions", "share", "plies", "confidence"]);
    let share = |positions: u64| {
        format!("{:.1} %", 100.0 * positions as f64 / stats.positions.max(1) as f64)
    };
    let (listed, (others, positions_of_others)) = stats.most_searched(MOST_LISTED);
    for (searched, positions) in listed {
        table.row([
            positions.to_string(),
            share(positions),
            searched.depth.to_string(),
            format!("{} %", searched.selectivity),
        ]);
    }
    if others > 0 {
        let ways = if others == 1 { "in 1 other way" } else { &format!("in {others} other ways") };
        let positions = positions_of_others;
        table.row([positions.to_string(), share(positions), String::new(), ways.to_owned()]);
    }
    table
}
