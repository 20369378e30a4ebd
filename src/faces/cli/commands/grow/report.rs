//! What growth prints while it goes on, and at its end.

use super::super::show::parted;
use crate::app::json::{discs, hundredths, object, thousandths};
use crate::app::{
    Contact, CrewStatus, EarlierWork, Easier, Ended, FactReport, GrowOptions, GrowStart,
    GrowStatus, GrowSummary, RaisePlan, Searching, Shown, ShownMove, Sure, Target, Values,
};
use crate::faces::cli::context::Context;
use crate::faces::cli::duration::show_duration;
use crate::faces::cli::fleet::trouble;
use crate::faces::cli::hint::Refusal;
use crate::faces::render::Command;
use crate::files::counted::{counted, grouped, node_count};
use crate::files::games::opening_of_line;
use crate::othello::board::Line;
use serde::Serialize;
use std::time::Duration;

/// A search that takes longer than this is shown while it goes on.
const LONG: Duration = Duration::from_secs(2);

/// How many positions that no worker can search are shown.
const TOLD_SET_ASIDE: usize = 20;

/// How many moves of the first position are shown.
const MOVES: usize = 3;

/// How far growth has come, in a line. What matters most comes first: a terminal may cut the rest
/// off.
pub(super) fn progress(
    status: &GrowStatus,
    time: Option<Duration>,
    new_positions: Option<u64>,
) -> String {
    let mut clock = show_duration(status.elapsed);
    // Positions come about as fast as they did so far.
    let by_positions = new_positions.filter(|_| status.new_positions > 0).map(|most| {
        let missing = most.saturating_sub(status.new_positions) as f64;
        status.elapsed.mul_f64(missing / status.new_positions as f64)
    });
    let by_time = time.map(|time| time.saturating_sub(status.elapsed));
    if let Some(left) = by_time.into_iter().chain(by_positions).min() {
        clock = format!("{clock}, {} left", show_duration(left));
    }
    let of = new_positions.map(|most| format!(" of {}", grouped(most))).unwrap_or_default();
    let positions = counted(status.positions, "position");
    let mut parts = vec![clock, format!("{positions} (+{}{of})", grouped(status.new_positions))];
    let long = status.searching.as_ref().filter(|searching| searching.elapsed >= LONG);
    if let Some(searching) = long {
        parts.push(searching_text(searching));
    }
    if let Some(root) = status.root {
        let moves = status.root_moves.iter().take(MOVES);
        let moves: Vec<_> = moves.map(|(square, guess)| format!("{square} {guess}")).collect();
        parts.push(match moves.is_empty() {
            true => format!("guess {}", root.guess),
            false => format!("guess {} ({})", root.guess, moves.join(", ")),
        });
    }
    let seconds = status.elapsed.as_secs_f64().max(1e-3);
    if let Some(crew) = &status.crew {
        parts.push(crew_text(crew, status.in_flight));
    } else if status.searches > 0 {
        parts.push(format!(
            "{} searches/s",
            grouped((status.searches as f64 / seconds).round() as u64)
        ));
    }
    if let (Some(latest), None) = (&status.latest, long) {
        parts.push(named(&latest.target));
    }
    if let Some(root) = status.root.filter(|root| !is_one_value(root)) {
        parts.push(format!("draw {} win {}", root.draw_seeking, root.win_seeking));
    }
    if let Some(latest) = &status.latest {
        let (black, white) = (discs(latest.regret.black), discs(latest.regret.white));
        parts.push(format!("regret {black:.2}+{white:.2}"));
    }
    parts.push(format!("{:.1} million nodes/s", status.nodes as f64 / seconds / 1e6));
    parts.join(" | ")
}

/// The workers that search elsewhere.
fn crew_text(crew: &CrewStatus, in_flight: u64) -> String {
    if let Some(trouble) = trouble(crew.contact) {
        return trouble.to_owned();
    }
    let shut_out = match crew.shut_out {
        0 => String::new(),
        count => format!(" ({count} shut out)"),
    };
    format!(
        "{}{shut_out}, {} | {in_flight} in flight | {:.1} results/s",
        counted(crew.workers, "worker"),
        counted(crew.threads, "thread"),
        crew.results_per_second,
    )
}

fn searching_text(searching: &Searching) -> String {
    let Searching { target, depth, goal, elapsed } = searching;
    format!("depth {depth} of {goal} for {}: {}", show_duration(*elapsed), named(target))
}

/// A position as it can be given back, and its opening's name.
fn named(target: &Target) -> String {
    let text = target.to_string();
    if text.is_empty() {
        return "the start".to_owned();
    }
    let line: Option<Line> = target.line.as_ref().and_then(|_| text.parse().ok());
    match line.as_ref().and_then(opening_of_line) {
        Some(name) => format!("{text} {name}"),
        None => text,
    }
}

fn is_one_value(values: &Values) -> bool {
    values.guess == values.draw_seeking && values.guess == values.win_seeking
}

/// What it takes to raise a book to a level: how long on so many threads, or on one where it is not known how many
/// there are.
pub(super) fn plan_text(plan: &RaisePlan, threads: Option<usize>) -> String {
    let RaisePlan { level, searches, time } = *plan;
    if searches == 0 {
        return format!("nothing lacks level {level}");
    }
    let on = match threads {
        None => "of processor time".to_owned(),
        Some(threads) => format!("on {}", counted(threads as u64, "thread")),
    };
    let time = about(time / u32::try_from(threads.unwrap_or(1).max(1)).unwrap_or(u32::MAX));
    format!("to level {level}: {}, about {time} {on}", counted(searches, "search"))
}

/// A duration with no more figures than an estimate bears: `40 seconds`, `3 hours`.
fn about(time: Duration) -> String {
    const UNITS: [(&str, u64); 5] =
        [("year", 31_557_600), ("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1)];
    let seconds = time.as_secs();
    // Two of a unit at least: 100 minutes, not 2 hours.
    let fits = |&&(_, unit): &&(&str, u64)| seconds >= 2 * unit;
    let (name, unit) = UNITS.iter().find(fits).copied().unwrap_or(("second", 1));
    counted(((seconds + unit / 2) / unit).max(1), name).to_string()
}

/// Prints the summary. `worker` is the command of a worker where only workers search, `plan` what was to
/// be done.
pub(super) fn print(
    summary: &GrowSummary,
    options: &GrowOptions,
    (worker, plan): (Option<&Command>, Option<&RaisePlan>),
    context: &mut Context,
) -> anyhow::Result<()> {
    let advice = (summary.ended == Ended::Time && summary.status.searches == 0)
        .then(|| advice(summary, options, worker));
    if context.output.is_json() {
        let book = context.book_path();
        let advice = advice.map(|(text, command)| match command {
            Some(command) => format!("{text}: {}", command.typed(&context.own_book())),
            None => text,
        });
        context.output.object(&as_json(summary, advice, plan, book.display()))?;
        return Ok(());
    }
    let status = &summary.status;
    let book = context.book_path();
    context.summary(format_args!("{}: {}", book.display(), summary.ended.text()))?;
    context.summary(format_args!(
        "{} (+{}), {}, {} in {:.1} s",
        counted(status.positions, "position"),
        grouped(status.new_positions),
        counted(status.searches, "search"),
        node_count(status.nodes),
        status.elapsed.as_secs_f64()
    ))?;
    if let Some(text) = earlier_text(status.earlier) {
        context.summary(text)?;
    }
    if !status.refused.is_empty() {
        let refused: Vec<String> =
            status.refused.iter().map(|(why, count)| format!("{count} {}", why.text())).collect();
        context.summary(format_args!("results that did not count: {}", refused.join(", ")))?;
    }
    for (target, why) in summary.set_aside.iter().take(TOLD_SET_ASIDE) {
        context.note(format_args!("set aside, since no worker can search it: {target} ({why})"));
    }
    if let Some(most) = summary.chosen_anew {
        context.note(format_args!(
            "every choice of what is searched next was made anew, which takes longer: what is kept of one for \
             the next would have taken more than {} MB",
            most / 1_000_000
        ));
    }
    for refused in summary.refused_facts.iter().take(FactReport::EXAMPLES) {
        context.summary(format_args!("not believed: {refused}"))?;
    }
    if let Some((text, command)) = advice {
        context.failure(&Refusal::new(text, Vec::from_iter(command.cloned())));
        return Ok(());
    }
    if let Some(now) = status.root {
        for line in first_position(summary, options, now) {
            context.summary(line)?;
        }
        if !context.quiet {
            let from = options.from.first().map(ToString::to_string);
            let show = Command::new("show").with(from.filter(|line| !line.is_empty()));
            context.print_command("look at it", &show)?;
        }
    }
    Ok(())
}

/// What was added beside the work of this run; none where that was nothing.
fn earlier_text(earlier: EarlierWork) -> Option<String> {
    let EarlierWork { positions, searches } = earlier;
    let what = match (positions, searches) {
        (0, 0) => return None,
        (0, searches) => counted(searches, "search").to_string(),
        (positions, _) => counted(positions, "position").to_string(),
    };
    Some(format!("{what} of an earlier run added, beyond the limits of this one"))
}

/// What the first position is worth now, and how growth goes on.
fn first_position(summary: &GrowSummary, options: &GrowOptions, now: Values) -> Vec<String> {
    let first = &summary.first;
    let shown = options.from.first().map(ToString::to_string).filter(|line| !line.is_empty());
    let before = match summary.before {
        None => ", new in the book".to_owned(),
        Some(before) if before.guess == now.guess => ", as before".to_owned(),
        Some(before) => format!(", before {}", before.guess),
    };
    let place = shown.as_deref().unwrap_or("the start");
    let mut lines = vec![format!(
        "{place}: guess {}{} discs for the side to move{before}",
        now.guess,
        error_text(first.trust.sure)
    )];
    if !is_one_value(&now) {
        lines.push(format!("  draw-seeking {}, win-seeking {}", now.draw_seeking, now.win_seeking));
    }
    for each in best_moves(first) {
        if let Some(values) = each.found.values {
            let error = error_text(each.sure);
            lines.push(format!("  {}  {}{error}", each.found.square, values.guess));
        }
    }
    let way = match options.from.first() {
        None => Line::default(),
        Some(GrowStart { line: Some(line), .. }) => line.clone(),
        Some(GrowStart { placed, line: None }) => Line::from_board(*placed),
    };
    let best = way.then(&first.best_play).whole_text();
    lines.push(format!("  best line {}", parted(&best, first.best_play.len())));
    lines.push("  (after the ±: the error to expect)".to_owned());
    lines.push(match summary.ended {
        Ended::NothingLeft => "  more: another --policy, or wider limits".to_owned(),
        _ => "  go on: the same command again".to_owned(),
    });
    lines
}

fn error_text(sure: Option<Sure>) -> String {
    sure.map_or_else(String::new, |sure| format!(" ± {}", sure.evidence))
}

/// The best moves; of those that lead to the same position one, that of the best line if it is
/// among them.
fn best_moves(first: &Shown) -> Vec<&ShownMove> {
    let mut best: Vec<&ShownMove> = Vec::new();
    let starts_best = |each: &&ShownMove| first.best_play.first() == Some(&each.found.square);
    for each in first.moves.iter().find(starts_best).into_iter().chain(&first.moves) {
        let child = |shown: &ShownMove| shown.found.child.map(|node| node.key);
        let is_told = best.iter().any(|told| {
            told.found.square == each.found.square
                || child(each).is_some() && child(told) == child(each)
        });
        if !is_told && best.len() < MOVES {
            best.push(each);
        }
    }
    best
}

/// What to do when the time was too short for a single search, with the command that does it.
fn advice<'w>(
    summary: &GrowSummary,
    options: &GrowOptions,
    worker: Option<&'w Command>,
) -> (String, Option<&'w Command>) {
    let time = options.time.unwrap_or(summary.status.elapsed);
    let crew = summary.status.crew.as_ref();
    let mut command = None;
    let instead = match (crew.zip(worker), summary.easier) {
        (Some((crew, worker)), _) if crew.workers == 0 || crew.contact != Contact::Stands => {
            let trouble = trouble(crew.contact);
            command = Some(worker).filter(|_| trouble.is_none());
            trouble.unwrap_or("no worker is there").to_owned()
        }
        (_, Some(Easier::Level(level))) => format!("try --level {level}"),
        (_, Some(Easier::Depth(depth))) => format!("try --depth {depth}"),
        (_, Some(Easier::Time(time))) => {
            format!("try --time {}", humantime::format_duration(time))
        }
        (_, None) => "give it more time".to_owned(),
    };
    (format!("no search finished in {}; {instead}", humantime::format_duration(time)), command)
}

fn as_json(
    summary: &GrowSummary,
    advice: Option<String>,
    plan: Option<&RaisePlan>,
    book: std::path::Display<'_>,
) -> impl Serialize + use<> {
    let status = &summary.status;
    let of_move = |each: &&ShownMove| {
        Some(object! {
            r#move: each.found.square,
            guess: each.found.values?.guess,
            error: each.error().map(hundredths),
        })
    };
    let refused: Vec<_> = summary.refused_facts.iter().map(ToString::to_string).collect();
    object! {
        book: book.to_string(),
        positions: status.positions,
        new_positions: status.new_positions,
        searches: status.searches,
        nodes: status.nodes,
        // What others had searched for an earlier run, if anything.
        earlier?: (status.earlier != EarlierWork::default()).then_some(status.earlier),
        // What was to be done for the book to have a level, as known beforehand.
        planned?: plan.copied(),
        seconds: thousandths(status.elapsed.as_secs_f64()),
        ended_by: summary.ended.name(),
        values_before: summary.before,
        values: status.root,
        error: summary.first.trust.error().map(hundredths),
        moves: best_moves(&summary.first).iter().filter_map(of_move).collect::<Vec<_>>(),
        advice,
        // Facts that are not believed, with what contradicts them.
        refused_facts?: Some(refused).filter(|refused| !refused.is_empty()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::search::Level;

    #[test]
    fn an_estimate_has_few_figures() {
        for (seconds, text) in [
            (0, "1 second"),
            (100, "100 seconds"),
            (130, "2 minutes"),
            (6_000, "100 minutes"),
            (9_500, "3 hours"),
            (400_000, "5 days"),
        ] {
            assert_eq!(about(Duration::from_secs(seconds)), text);
        }
        let plan = RaisePlan { level: Level::MAX, searches: 12, time: Duration::from_secs(800) };
        assert_eq!(
            plan_text(&plan, Some(4)),
            "to level 60: 12 searches, about 3 minutes on 4 threads"
        );
        assert_eq!(
            plan_text(&plan, None),
            "to level 60: 12 searches, about 13 minutes of processor time"
        );
        assert_eq!(plan_text(&RaisePlan { searches: 0, ..plan }, None), "nothing lacks level 60");
    }
}
