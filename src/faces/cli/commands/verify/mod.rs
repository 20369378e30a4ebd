//! `rosebill verify`.

mod recompute;

use std::fmt::Display;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::app::amounts::within;
use crate::app::games::GameId;
use crate::app::json::object;
use crate::app::{SalvageReport, UndoViolation, Verified, salvage_to, verify};
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::faces::cli::output::Output;
use crate::faces::render::Command;
use crate::files::counted::{counted, grouped};
use crate::othello::board::{Key, Placed};

/// Arguments of `verify`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples: rosebill verify; rosebill verify --recompute\n\n\
    It checks positions, games and their indexes, analyses, the history, and what 'undo' keeps. For positions it \
    checks that values, evidence, and what counts or is held follow from searches, links and proofs. The exit code is 1 when an invariant does not hold.")]
pub struct Arguments {
    /// Save what can be read of a damaged book into this new one
    ///
    /// What cannot be read is taken from the snapshot of before the last import, prune or
    /// restore, if there is one.
    #[arg(long, value_name = "NEWFILE")]
    salvage: Option<PathBuf>,
    /// Recompute all values; on a sound book this changes nothing
    #[arg(long, conflicts_with = "salvage")]
    recompute: bool,
    /// With --recompute: find all links again, too
    #[arg(long, requires = "recompute", conflicts_with = "salvage")]
    links: bool,
    /// With --recompute, without --links: threads [default: the setting, else all processors]
    #[arg(long, value_name = "N", value_parser = within::<u16>(1..=1024), requires = "recompute", conflicts_with_all = ["links", "salvage"])]
    threads: Option<u16>,
}

fn violation(
    invariant: &dyn Display,
    key: Option<Key>,
    game: Option<GameId>,
    what: &str,
) -> impl Serialize + use<> {
    object! {
        invariant: invariant.to_string(),
        // As it is stored, whichever side moves: with Black to move.
        position: key.map(|key| Placed::black_to_move(key.position())),
        game,
        message: what.to_owned(),
    }
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    context.end_on_interrupt()?;
    if let Some(out) = &arguments.salvage {
        return save(out, context);
    }
    if arguments.recompute {
        return recompute::run(arguments.links, arguments.threads, context);
    }
    let book = context.read_book()?;
    let busy = context.busy("checking the book", Some(book.counts()?.positions));
    let verified = verify(&book)?;
    drop(busy);
    let Verified { positions, games, analyses, history, undo } = &verified;
    let output = &mut context.output;
    if output.is_json() {
        let first = (positions.first.iter())
            .map(|of| violation(&of.invariant, of.key, None, &of.what))
            .chain(games.first.iter().map(|of| violation(&of.invariant, None, of.game, &of.what)))
            .chain(analyses.first.iter().map(|of| violation(&of.invariant, of.key, None, of.what)))
            .chain(history.first.iter().map(|of| violation(&of.invariant, None, None, &of.what)))
            .chain(
                undo.first
                    .iter()
                    .map(|of| violation(&UndoViolation::INVARIANT, None, None, &of.what)),
            );
        output.object(&object! {
            positions: positions.positions,
            search_due: positions.search_due,
            held: positions.held,
            games: games.games,
            analysed_moves: analyses.moves,
            checkpoints: history.checkpoints,
            violations: verified.violations(),
            first: first.collect::<Vec<_>>(),
        })?;
    } else {
        print_first(output, &positions.first, positions.violations)?;
        let due = match positions.search_due {
            0 => String::new(),
            due => format!(", {due} with moves that are not searched yet"),
        };
        let held = match positions.held {
            0 => String::new(),
            held => format!(", {} held", counted(held, "link")),
        };
        output.line(format_args!(
            "{}, {}{due}{held}",
            counted(positions.positions, "position"),
            counted(positions.violations, "violation")
        ))?;
        if positions.not_believed > 0 {
            output.line(
                "A fact that is not believed changes no value. A new book, into which this one is imported, keeps \
                 only those that can be true.",
            )?;
        }
        print_part(output, &games.first, (games.games, "game"), games.violations)?;
        print_part(
            output,
            &analyses.first,
            (analyses.moves, "analyzed move"),
            analyses.violations,
        )?;
        print_part(
            output,
            &history.first,
            (history.checkpoints, "checkpoint"),
            history.violations,
        )?;
        // What is sound of it is shown by 'undo --list'.
        print_part(output, &undo.first, (0, "change"), undo.violations)?;
    }
    if positions.violations > 0 {
        context.hint(&[match verified.is_derived() {
            true => Command::new("verify").with(["--recompute"]),
            false => Command::new("verify").with(["--salvage", "NEWFILE"]),
        }]);
    }
    Ok(if verified.is_sound() { Status::Done } else { Status::NotFound })
}

/// The most violations of one part that are listed; JSON has more.
const LISTED: usize = 10;

fn print_first(output: &mut Output, first: &[impl Display], violations: u64) -> anyhow::Result<()> {
    let listed = first.get(..LISTED).unwrap_or(first);
    listed.iter().try_for_each(|violation| output.line(violation))?;
    let others = violations - violations.min(listed.len() as u64);
    if others > 0 && !listed.is_empty() {
        output.line(format_args!("and {} more", grouped(others)))?;
    }
    Ok(())
}

/// What was found of a part that a book need not have: the first violations, how much there is of it, and how
/// many violations.
fn print_part(
    output: &mut Output,
    first: &[impl Display],
    (count, one): (u64, &str),
    violations: u64,
) -> anyhow::Result<()> {
    print_first(output, first, violations)?;
    if count > 0 || violations > 0 {
        let violations = counted(violations, "violation");
        output.line(format_args!("{}, {violations}", counted(count, one)))?;
    }
    Ok(())
}

fn save(out: &Path, context: &mut Context) -> anyhow::Result<Status> {
    // The damaged book may not know any more.
    let positions = context.book().read().and_then(|book| book.count_positions()).ok();
    let busy = context.busy("saving what is sound", positions);
    let saved = salvage_to(&context.book_path(), out, &context.book().stop)?;
    drop(busy);
    let SalvageReport {
        positions,
        from_snapshot,
        lost_positions,
        facts,
        lost_facts,
        games,
        lost_games,
        analysed_moves,
        pages,
        lost_pages,
        meaningless,
    } = saved;
    if context.output.is_json() {
        context.output.object(&serde_json::json!({
            "positions": positions,
            "from_snapshot": from_snapshot,
            "lost_positions": lost_positions,
            "facts": facts,
            "lost_facts": lost_facts,
            "games": games,
            "lost_games": lost_games,
            "analysed_moves": analysed_moves,
            "pages": pages,
            "lost_pages": lost_pages,
            "meaningless_rows": meaningless,
        }))?;
        return Ok(Status::Done);
    }
    let are_lost = |lost: Option<u64>| match lost {
        Some(lost) => format!("{lost} lost"),
        None => "how many are lost is not known".to_owned(),
    };
    let lost = are_lost(lost_positions);
    context.output.line(format_args!(
        "{}: {} saved, {lost}; {lost_pages} of {} could not be read",
        out.display(),
        counted(positions, "position"),
        counted(pages, "page"),
    ))?;
    if facts > 0 || lost_facts != Some(0) {
        let lost = are_lost(lost_facts);
        context.output.line(format_args!("{} saved, {lost}", counted(facts, "fact")))?;
    }
    if games > 0 || lost_games != Some(0) {
        let lost = are_lost(lost_games);
        context.output.line(format_args!("{} saved, {lost}", counted(games, "game")))?;
    }
    if analysed_moves > 0 {
        let moves = counted(analysed_moves, "analyzed move");
        context.output.line(format_args!("{moves} saved"))?;
    }
    if from_snapshot > 0 {
        context.output.line(format_args!(
            "{from_snapshot} of the positions are from the snapshot of before the last great change"
        ))?;
    }
    if meaningless > 0 {
        context.output.line(format_args!(
            "{} could be read but meant nothing",
            counted(meaningless, "row")
        ))?;
    }
    Ok(Status::Done)
}
