//! `rosebill stats`.

use serde::Serialize;

use super::show::{TrustJson, trust_lines};
use crate::board::Side;
use crate::cli::context::Context;
use crate::cli::exit::Status;
use crate::cli::json::ValuesJson;
use crate::cli::source::source_text;
use crate::cli::table::Table;
use crate::ops::{Stats, stats};

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
    incomplete: u64,
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

pub(super) fn run(_: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    let book = context.read_book()?;
    let stats = stats(&book)?;
    if context.output.is_json() {
        context.output.object(&as_json(&stats))?;
    } else {
        as_text(&stats, context)?;
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
        incomplete: stats.incomplete,
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
    output.line(format_args!("positions   {}", stats.positions))?;
    output.line(format_args!("leaves      {}", stats.sum(|layer| layer.leaves)))?;
    output.line(format_args!("links       {}", stats.sum(|layer| layer.links)))?;
    output.line(format_args!("exact       {}", stats.sum(|layer| layer.exact)))?;
    output.line(format_args!("decided     {}", stats.sum(|layer| layer.decided)))?;
    output.line(format_args!("search due  {}", stats.incomplete))?;
    if let Some(root) = stats.root {
        output.line(format_args!(
            "start       guess {}, draw-seeking {}, win-seeking {}",
            root.guess, root.draw_seeking, root.win_seeking
        ))?;
        for line in trust_lines(&stats.trust, Side::Black) {
            // The same words as of a shown position, in the columns of this table.
            let (title, text) = line.split_at(line.find("  ").unwrap_or(line.len()));
            output.line(format_args!("{title:<11} {}", text.trim_start()))?;
        }
    }
    output.line("")?;
    let mut table = Table::new(&["discs", "positions", "leaves", "links", "exact", "decided"]);
    for layer in &stats.layers {
        let figures = [layer.positions, layer.leaves, layer.links, layer.exact, layer.decided];
        table.row(
            std::iter::once(layer.discs.to_string())
                .chain(figures.map(|figure| figure.to_string())),
        );
    }
    output.line(table)?;
    output.line("")?;
    let mut table = Table::new(&["positions", "searched by"]);
    for (known, positions) in &stats.sources {
        table.row([positions.to_string(), source_text(&known.source)]);
    }
    output.line(table)?;
    Ok(())
}
