//! What is said of a match.

use std::path::Path;

use crate::app::json::object;
use crate::faces::cli::context::Context;
use crate::faces::cli::table::Table;
use crate::files::counted::{counted, grouped};
use crate::files::games::{Written, opening_of_line};
use crate::lab::contest::{MatchNames, MatchResult, Sprt, Standing, Tally};
use crate::othello::board::Line;

/// The tally, and whether it is that of all games.
pub(super) fn result(
    MatchResult { tally, sprt, .. }: &MatchResult,
    wanted: usize,
    test: Option<Sprt>,
    names: &MatchNames<'_>,
    context: &mut Context,
) -> anyhow::Result<()> {
    let MatchNames { first, second, .. } = *names;
    let is_decided = sprt.is_some_and(|state| state.accepted.is_some());
    let complete = tally.games >= wanted as u64 || is_decided;
    let stopped = || format!("stopped after {} of {wanted} games", tally.games);
    let output = &mut context.output;
    if output.is_json() {
        output.object(&object! { first, second, complete, ..tally: tally, sprt?: *sprt })?;
    } else if tally.games == 0 && !complete {
        output.line(format_args!("{first} - {second}: {}", stopped()))?;
    } else {
        output.folded(&format!("{first} - {second}: {tally}"), ", ", 4)?;
        let [ours, theirs] = tally.seconds;
        let [our_nodes, their_nodes] = tally.nodes;
        let [our_book, their_book] = tally.book_moves;
        let [zero, half, one, more, two] = tally.pairs_by_half_points;
        output.line(format_args!(
            "    pairs by points: 0 {zero}, ½ {half}, 1 {one}, 1½ {more}, 2 {two}"
        ))?;
        let effort = format!(
            "    CPU seconds {ours:.2} - {theirs:.2}, nodes {} - {}, moves \
             from books {} - {}",
            grouped(our_nodes),
            grouped(their_nodes),
            grouped(our_book),
            grouped(their_book)
        );
        output.folded(&effort, ", ", 4)?;
        let [ours, theirs] = tally.forfeits;
        if ours + theirs > 0 {
            output.line(format_args!("    lost by a fault {ours} - {theirs}"))?;
        }
        if let Some((test, state)) = test.zip(*sprt) {
            let accepted = state.accepted.map(|elo| format!(": {elo} Elo accepted"));
            output.line(format_args!(
                "    {test}: LLR {:+.2}, bounds ±{:.2}{}",
                state.llr,
                state.bound,
                accepted.unwrap_or_default()
            ))?;
        }
        if !complete {
            output.line(format_args!("    {}", stopped()))?;
        }
    }
    Ok(output.flush()?)
}

/// Matches that were stopped before their first game.
pub(super) fn unplayed(matches: &[[&str; 2]], context: &mut Context) -> anyhow::Result<()> {
    let output = &mut context.output;
    for &[first, second] in matches {
        if output.is_json() {
            let tally = Tally::default();
            output.object(&object! { first, second, complete: false, ..tally: tally })?;
        } else {
            output.line(format_args!("{first} - {second}: stopped before the first game"))?;
        }
    }
    Ok(output.flush()?)
}

/// The result of each opening.
pub(super) fn pairs(
    result: &MatchResult,
    names: &MatchNames<'_>,
    openings: &[Line],
    context: &mut Context,
) -> anyhow::Result<()> {
    let MatchNames { first, second, .. } = *names;
    let mut table = Table::new(&["pair", "as black", "as white", "points", "name", "opening"]);
    for pair in &result.pairs {
        let Some(line) = openings.get(pair.opening) else { continue };
        let (opening, name) = (line.whole_text(), opening_of_line(line));
        let points = f64::from(pair.half_points()) / 2.0;
        let (as_black, as_white) = (pair.as_black.discs, pair.as_white.discs);
        let pair = pair.opening + 1;
        if context.output.is_json() {
            // Discs and points are the first player's.
            context.output.object(&object! {
                first, second, pair, line: opening, name, as_black, as_white, points
            })?;
        } else {
            table.row([
                pair.to_string(),
                signed(as_black),
                signed(as_white),
                points.to_string(),
                name.unwrap_or_default().to_owned(),
                opening,
            ]);
        }
    }
    if !context.output.is_json() && !result.pairs.is_empty() {
        context.output.table(&table)?;
    }
    Ok(())
}

/// The table of a round robin: percent of the points of each player on the whole, and against each.
pub(super) fn standings(
    ranked: &[Standing],
    names: &[&str],
    context: &mut Context,
) -> anyhow::Result<()> {
    let numbers: Vec<String> = (1..=ranked.len()).map(|number| format!("#{number}")).collect();
    let mut titles = vec!["", "player", "all"];
    titles.extend(numbers.iter().map(String::as_str));
    let mut table = Table::new(&titles);
    let percent = |score: f64| format!("{score:.1}");
    for (Standing { player, mean, scores }, number) in ranked.iter().zip(&numbers) {
        let name = names.get(*player).copied().unwrap_or_default();
        let mut cells = vec![number.clone(), name.to_owned(), percent(*mean)];
        cells.extend(scores.iter().map(|score| score.map_or_else(String::new, percent)));
        table.row(cells);
    }
    Ok(context.output.table(&table)?)
}

fn signed(discs: i32) -> String {
    if discs == 0 { "0".to_owned() } else { format!("{discs:+}") }
}

/// What was saved, and what of it the format cannot hold.
pub(super) fn saved(written: &Written, path: &Path, context: &Context) {
    let name = path.display();
    context.note(format_args!("{name}: {}", counted(written.games, "game")));
    for (loss, games) in written.losses.counts() {
        let games = counted(games, "game");
        context.note(format_args!("{name} does not hold: {} ({games})", loss.text()));
    }
    for (number, why) in &written.refused {
        context.note(format_args!("{name}: game {number} is left out: {why}"));
    }
}
