//! `rosebill export`.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail};
use serde::Serialize;

use super::complete::CompleteArguments;
use super::export_level::{ExportLevel, level_help};
use super::filter::FilterArguments;
use crate::app::DEFAULT_LEVEL;
use crate::app::export::{ExportError, ExportOptions, ExportReport, ExportTarget, export_at};
use crate::app::json::object;
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::faces::cli::hint::{Refusal, add_command};
use crate::faces::cli::interrupt::stop_on_interrupt;
use crate::faces::cli::output::fault;
use crate::faces::cli::present_file::ForceArguments;
use crate::faces::cli::progress::Progress;
use crate::faces::cli::terminal::folded;
use crate::faces::render::Command;
use crate::files::books::ntest::{NtestDifferences, NtestLosses};
use crate::files::books::{FIX_CHANGES, Format, NoFormat};
use crate::files::counted::{byte_size, counted, grouped};
use crate::files::games::Asked;

/// Arguments of `export`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples: rosebill export book.dat --book my.db\n          \
             rosebill export tiger.dat --from f5d6c3d3c4 --max-discs 30 --move-loss 2\n          \
             rosebill export white.dat --move-loss white:0,black:3\n          \
             rosebill export book.sqlite --book my.db\n\n\
    Filters work together. A part of a book keeps its values: of positions left out the position \
    before them keeps one record, as after 'rosebill prune'. The smaller the losses, the \
    fewer positions are written: with --move-loss white:0,black:3 White has one move at each position, \
    and Black all that cost at most 3 discs.\n\n\
    tables and tables-csv are for SQL, DuckDB, Python or R: positions and moves of the book, games, \
    analyses and openings in typed tables with one key ('rosebill help sql'). Filters choose positions of \
    the book there; the games are written whole, or not at all (--no-games).\n\n\
    The file is written beside its target and takes its name when it is complete. Only json holds \
    everything.")]
pub struct Arguments {
    /// The file to write; - is standard output
    #[arg(value_name = "FILE")]
    target: PathBuf,
    #[arg(long, help = format!("The format [default: from the file's ending]: {}", Format::names()))]
    format: Option<Format>,
    #[arg(long, help = level_help(
        "from the file's name, as in JA_s12.book, else the highest that 95 % of its branches were searched for"
    ))]
    level: Option<ExportLevel>,
    #[command(flatten)]
    complete: CompleteArguments,
    #[command(flatten)]
    filter: FilterArguments,
    /// Leave the games out of tables and tables-csv
    #[arg(long)]
    no_games: bool,
    #[command(flatten)]
    replaced: ForceArguments,
}

fn ntest_json(losses: &NtestLosses) -> impl Serialize + use<> {
    let NtestLosses { level, higher, differences: why, .. } = *losses;
    object! {
        level: level.map(|level| level.to_string()),
        higher_level: higher.map(|(level, _)| level.to_string()),
        less_searched: higher.map(|(_, count)| count),
        file_positions: losses.nodes,
        claimed: losses.claimed,
        proven_moves: losses.proven_rests,
        unsized_results: losses.unsized_results,
        near_end: losses.near_end,
        games_dropped: losses.games_dropped,
        made_anew: losses.made_anew,
        other_guess: why.guess,
        other_seeking: why.seeking,
        why: object! {
            one_number: why.one_number,
            proven_move: why.proven_rest,
            other_search: why.other_search,
            estimate: why.estimate,
            as_in_file: why.as_in_file,
            inherited: why.inherited,
        },
    }
}

/// The format that is asked for, else that of the name; `option` asks for one.
pub(super) fn format_to_write(asked: Option<Format>, target: &Path) -> anyhow::Result<Format> {
    let found = asked.map_or_else(|| Format::to_write(target), Ok);
    found.map_err(|error| {
        let name = ExportTarget::of(target).name();
        let all = Format::names();
        match error {
            NoFormat::Unknown => anyhow!("{name}: {error}: give one with --format ({all})"),
            NoFormat::Packed | NoFormat::Old { .. } => {
                anyhow!("{name}: {error} with --format ({all})")
            }
        }
    })
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    let target = ExportTarget::of(&arguments.target);
    arguments.replaced.check(&arguments.target, Some("import"))?;
    let format = format_to_write(arguments.format, &arguments.target)?;
    if arguments.no_games && !is_tables(format) {
        bail!("--no-games is for tables: {} holds no games", format.title());
    }
    let mut options = ExportOptions {
        no_games: arguments.no_games,
        filter: arguments.filter.filter(),
        complete: arguments.complete.completion(context),
        stop: stop_on_interrupt()?,
        ..ExportOptions::now(format)
    };
    if let Some(level) = arguments.level {
        level.apply(&mut options)?;
    }
    let unit = if is_tables(format) { "row" } else { "position" };
    let mut progress = Progress::new(context.quiet);
    let book = context.book_to_ask();
    let done = export_at(book.readable().unwrap_or(&book.path), &target, &options, |now| {
        let one = if now.is_searching { "search" } else { unit };
        progress.show_share("", now.done, Some(now.of), one);
    });
    drop(progress);
    let (report, few) = match done {
        Err(error @ ExportError::NotInBook) if let Some(from) = &arguments.filter.from => {
            return Err(not_in_book(&error, from).into());
        }
        Err(error) => return failed(error, context),
        Ok(done) => done,
    };
    print(&target, format, &report, context)?;
    if let Some(few) = few {
        context.note(few);
    }
    Ok(Status::Done)
}

/// Why nothing below a position can be written, and what to do.
fn not_in_book(why: impl Display, from: &Asked) -> Refusal {
    // Those on the way are missing at most, and the position itself.
    let missing = u32::try_from(from.line.len() + 1).unwrap_or(u32::MAX);
    let refusal = match add_command(from, missing) {
        Ok(command) => Refusal::new(why.to_string(), [command]),
        Err(cannot) => Refusal::new(format!("{why}: {cannot}"), []),
    };
    refusal.not_there()
}

/// What an export that wrote nothing means for the exit code.
pub(super) fn failed(error: ExportError, context: &Context) -> anyhow::Result<Status> {
    match error {
        ExportError::Stopped(_) => {
            context.note(error);
            Ok(Status::Interrupted)
        }
        ExportError::NothingLeft(_) => {
            fault(error);
            Ok(Status::NotFound)
        }
        error => Err(error.into()),
    }
}

/// Reports what was written, beside it where that is standard output.
pub(super) fn print(
    target: &ExportTarget,
    format: Format,
    report: &ExportReport,
    context: &mut Context,
) -> anyhow::Result<()> {
    if target == &ExportTarget::Stdout {
        lines(target, format, report).iter().for_each(|line| context.note(line));
        return Ok(());
    }
    let wants_searches = report.search_due + report.only_held + report.seen_otherwise > 0;
    if context.output.is_json() {
        let zebra = format.zebra_shape().map(|_| report.zebra);
        context.output.object(&object! {
            file: target.name(),
            format: format.name(),
            ..report: report,
            ntest?: is_ntest(format).then(|| ntest_json(&report.ntest)),
            zebra?: zebra,
            tables?: is_tables(format).then(|| report.rows.iter().cloned().collect::<BTreeMap<_, _>>()),
            not_written: format.facts().not_held.iter().map(|loss| loss.what).collect::<Vec<_>>(),
        })?;
        return Ok(());
    }
    if !context.quiet {
        let width = context.output.width().unwrap_or(usize::MAX);
        for line in lines(target, format, report).iter().flat_map(|line| fitted(line, width)) {
            context.output.line(line)?;
        }
        if wants_searches {
            let level = DEFAULT_LEVEL.to_string();
            let deepen = Command::new("grow").with(["--policy", "deepen", "--level", &level]);
            context.print_command("search in the book", &deepen)?;
        }
    }
    Ok(())
}

/// What was written and what the format could not hold.
fn lines(target: &ExportTarget, format: Format, report: &ExportReport) -> Vec<String> {
    let nodes = match is_ntest(format) {
        true => format!("{}, ", counted(report.ntest.nodes, "node")),
        false => String::new(),
    };
    let mut lines = vec![format!(
        "{}: {}, {}, {nodes}{}",
        target.name(),
        format.title(),
        counted(report.positions, "position"),
        byte_size(report.bytes)
    )];
    let rows = report.rows.iter();
    lines.extend(rows.map(|(table, rows)| {
        let word = if *rows == 1 { "row" } else { "rows" };
        format!("  {:>10} {word} of {table}", grouped(*rows))
    }));
    if is_ntest(format) {
        lines.extend(ntest_level(&report.ntest));
    }
    lines.extend(told(2, [
        (report.passes, "records of forced passes besides"),
        (report.finished, "records of finished games besides"),
        (report.unreached, "imported records of passes and ends that nothing leads to: left out"),
        (report.added, "positions added after a best move that is in no book"),
        (report.disagree, "of them valued twice: the deeper search taken"),
        (report.fix_changes, FIX_CHANGES),
        (report.completed, "searches of what was due, or less sure than what is above it"),
        (report.filtered, "positions left out, as asked for"),
        (
            report.only_held,
            "positions left out, less sure than the searches above them (held)",
        ),
        (
            report.seen_otherwise,
            "positions that the other program values by a move which the book holds to be less sure",
        ),
        (report.left_out, "positions left out: no value, or too few empties for the format"),
        (report.search_due, open_text(format, true)),
        (report.exact_open, open_text(format, false)),
        (report.likely_moves, "values without a move: given the likeliest move"),
        (report.rounded, "scores rounded to what the format holds"),
        (report.unchanged, "positions written as they stood in the imported file"),
    ]));
    // Where it has searched already, the rest comes with growth alone.
    if report.completed == 0 && report.search_due + report.only_held + report.seen_otherwise > 0 {
        lines.push(format!(
            "  --complete {DEFAULT_LEVEL} searches first what is missing, on a copy; growth with --policy deepen \
             does it in the book itself"
        ));
    }
    if report.other_levels > 0 {
        lines.push(format!(
            "  {:>8} records of other levels than the commonest: Edax's 'book info' lists each; --level N \
             gives all one",
            grouped(report.other_levels)
        ));
    }
    if report.has_no_start {
        lines.push(
            "  the start position is not in it: from there such programs reckon their values"
                .to_owned(),
        );
    }
    lines.extend(ntest_losses(&report.ntest));
    lines.extend(zebra_losses(report));
    let not_held = format.facts().not_held;
    if !not_held.is_empty() {
        lines.push(NOT_STORED.to_owned());
    }
    for loss in not_held {
        lines.push(format!("    {:<36} {}", loss.what, loss.instead));
    }
    lines
}

/// What there is anything of, so far from the margin: how much, and what.
fn told<const N: usize>(
    margin: usize,
    counts: [(u64, &'static str); N],
) -> impl Iterator<Item = String> {
    let counts = counts.into_iter().filter(|&(count, _)| count != 0);
    counts.map(move |(count, text)| {
        let text = if count == 1 { of_one(text) } else { text.to_owned() };
        format!("{:margin$}{:>8} {text}", "", grouped(count))
    })
}

/// What there is one of, of a text for several.
fn of_one(text: &str) -> String {
    const NOUNS: [(&str, &str); 9] = [
        ("boards", "board"),
        ("moves", "move"),
        ("numbers", "number"),
        ("positions", "position"),
        ("records", "record"),
        ("scores", "score"),
        ("searches", "search"),
        ("values", "value"),
        ("wins and losses", "win or loss"),
    ];
    // The noun ends with the third word at most.
    let begin: String = text.split_inclusive(' ').take(3).collect();
    let found = NOUNS.iter().filter_map(|(many, one)| Some((begin.find(many)?, many, one)));
    match found.min() {
        Some((_, many, one)) => text.replacen(many, one, 1),
        None => text.to_owned(),
    }
}

/// What positions without a best other move are, and what it means for the program that a search of them is due, or that
/// nothing is said of other moves since the value is exact without them.
const fn open_text(format: Format, is_due: bool) -> &'static str {
    match (format, is_due) {
        (Format::Edax | Format::EdaxText, true) => {
            "positions with moves that are not searched yet: Edax's 'book fix' searches each"
        }
        (Format::Edax | Format::EdaxText, false) => {
            "positions of an exact value with moves that need no search: Edax's 'book fix' searches each"
        }
        (_, true) => "positions with moves that are not searched yet",
        (_, false) => "positions of an exact value with moves that need no search",
    }
}

/// A line of [`lines`] on as many as it needs: its text goes on below where it began, behind the count or
/// in the second column.
fn fitted(line: &str, width: usize) -> Vec<String> {
    let column = match line.trim_start().starts_with(|first: char| first.is_ascii_digit()) {
        true => BEHIND_COUNT,
        false => SECOND_COLUMN,
    };
    let (first, text) = line.split_at_checked(column).unwrap_or((line, ""));
    let is_of_columns = line.starts_with(' ') && first.ends_with(' ');
    if !is_of_columns || width < column + 20 {
        let indent = line.len() - line.trim_start().len();
        return folded(line, " ", indent + 2, width);
    }
    if line.chars().count() <= width {
        return vec![line.to_owned()];
    }
    let mut folded = folded(text, " ", 0, width - column);
    for (number, line) in folded.iter_mut().enumerate() {
        let before = if number == 0 { first.to_owned() } else { " ".repeat(column) };
        *line = before + line;
    }
    folded
}

/// Where the text of a line begins that begins with a count.
const BEHIND_COUNT: usize = 11;
/// Stands before what a format cannot hold.
const NOT_STORED: &str = "  not stored, and what there is instead:";
/// Where it is said what a format has instead of what it cannot hold.
const SECOND_COLUMN: usize = 41;

const fn is_tables(format: Format) -> bool {
    matches!(format, Format::Tables | Format::TablesCsv)
}

const fn is_ntest(format: Format) -> bool {
    matches!(format, Format::Ntest | Format::Ntest1)
}

fn ntest_level(losses: &NtestLosses) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(level) = losses.level {
        lines.push(format!(
            "  a book for {level}; NTest takes that from a name such as JA_{level}.book"
        ));
    }
    if let Some((higher, less)) = losses.higher {
        let less = counted(less, "position");
        lines.push(format!("  under a name with {higher} it would search {less} again"));
    }
    lines
}

/// What a book for NTest could not say.
fn ntest_losses(losses: &NtestLosses) -> impl Iterator<Item = String> + use<> {
    let NtestDifferences {
        guess,
        seeking,
        one_number,
        proven_rest,
        other_search,
        estimate,
        as_in_file,
        inherited,
    } = losses.differences;
    let sorts = [
        (losses.claimed, "positions said to be searched as the level asks, and searched less"),
        (losses.proven_rests, "proven best moves out of the book: estimates in NTest"),
        (losses.unsized_results, "wins and losses of unknown size: estimates in NTest"),
        (losses.near_end, "unsolved positions near the end: without moves in NTest"),
        (losses.games_dropped, "numbers of games of positions without moves: left out"),
        (losses.made_anew, "positions of the imported file that had to be written anew"),
        (guess + seeking, "positions that NTest values otherwise than this book:"),
    ];
    let why = [
        (guess, "the guess itself; at the others only the draw- or win-seeking value"),
        (one_number, "because they have one number there, and three values here"),
        (proven_rest, "because their best move out of the book is proven here"),
        (other_search, "because another search values a move out of the book"),
        (estimate, "because NTest prefers an estimate to a proven result"),
        (as_in_file, "because they are as NTest had them: see the report of the import"),
        (inherited, "because they lead to one of those"),
    ];
    told(2, sorts).chain(told(4, why))
}

/// What a book for Zebra could not say.
fn zebra_losses(report: &ExportReport) -> impl Iterator<Item = String> + use<> {
    let losses = &report.zebra;
    // Both are 0 in other formats.
    let two_nodes = losses.nodes.saturating_sub(report.positions);
    let counts = [
        (two_nodes, "positions written twice: with Black and with White to move"),
        (losses.unreached, "positions left out: no line of the file leads to them from the start"),
        (losses.shared_boards, "boards left out: Zebra cannot tell whose turn it is on them"),
        (
            losses.static_moves,
            "positions with no known move, or lost ones: given a static evaluation",
        ),
        (
            losses.other_guess,
            "positions that Zebra values otherwise than our guess (by over 1/4 disc)",
        ),
        (
            losses.other_size,
            "wins and losses with the proven size, not our guess (over 1/4 disc apart)",
        ),
        (
            losses.proven_moves,
            "proven moves out of the book, where the position is open: now estimates",
        ),
    ];
    told(2, counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_told_as_one() {
        let one = of_one("positions left out: no value, or too few empties for the format");
        assert_eq!(one, "position left out: no value, or too few empties for the format");
        assert_eq!(of_one("wins and losses of unknown size"), "win or loss of unknown size");
        let other = "because they have one number there, and three values here";
        assert_eq!(of_one(other), other);
    }

    #[test]
    fn a_long_line_goes_on_below_its_text() {
        let count =
            "        11 wins and losses with the proven size, not our guess (over 1/4 disc apart)";
        assert_eq!(
            fitted(count, 60),
            [
                "        11 wins and losses with the proven size, not our",
                "           guess (over 1/4 disc apart)"
            ]
        );
        let many =
            "    217906 wins and losses with the proven size, not our guess (over 1/4 disc apart)";
        assert_eq!(fitted(many, 60)[1], "           guess (over 1/4 disc apart)");
        let loss =
            format!("    {:<36} Zebra's minimax: an estimate beats a proven loss", "our guess");
        let below = format!("{:41}proven loss", "");
        let first = loss.strip_suffix(" proven loss").unwrap().to_owned();
        assert_eq!(fitted(&loss, 80), [first, below]);
        for short in ["q.z: Zebra book, 2 positions", NOT_STORED, &loss] {
            assert_eq!(fitted(short, 100), [short]);
        }
    }
}
