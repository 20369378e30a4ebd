//! `rosebill edit set`.

use anyhow::bail;

use crate::app::amounts::discs;
use crate::app::judge_position;
use crate::faces::cli::context::Context;
use crate::faces::cli::exit::Status;
use crate::files::games::Asked;
use crate::othello::score::Score;

/// Arguments of `edit set`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples: rosebill edit set f5d6c3d3c4 -1.5\n          \
    rosebill edit set f5d6c3d3c4 --clear\n\n\
    The value is in discs, for the side to move there. It outranks all searches, inside what is proven, and \
    counts for the positions before it as a search of 26 plies would. 'rosebill undo' takes it back.")]
pub struct Arguments {
    /// The position: a line of moves, an opening's name or a board
    #[arg(value_name = "POSITION")]
    position: Asked,
    /// Its value in discs, -64 to 64, for the side to move there, such as -1.5
    #[arg(
        value_name = "VALUE",
        allow_negative_numbers = true,
        required_unless_present = "clear",
        conflicts_with = "clear"
    )]
    value: Option<String>,
    /// Clear a value that was set
    #[arg(long)]
    clear: bool,
    /// Your name, kept with the value
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    author: String,
    /// Do not save the book for 'undo' first
    #[arg(long)]
    no_undo: bool,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context) -> anyhow::Result<Status> {
    let value = arguments.value.as_deref().map(value_of).transpose()?;
    context.end_on_interrupt()?;
    let mut book = context.book().open()?;
    let position = arguments.position.placed().position;
    judge_position(&mut book, position, value, &arguments.author, !arguments.no_undo)?;
    if context.output.is_json() {
        context.output.object(&serde_json::json!({ "value": value.map(Score::discs) }))?;
        return Ok(Status::Done);
    }
    let name = match arguments.position.line.to_string() {
        line if line.is_empty() => "the position".to_owned(),
        line => line,
    };
    match value {
        Some(value) => context.summary(format_args!("{name}: set to {value}"))?,
        None => context.summary(format_args!("{name}: cleared"))?,
    }
    Ok(Status::Done)
}

/// Discs from -64 to 64.
fn value_of(text: &str) -> anyhow::Result<Score> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    match discs(digits) {
        Ok(centidiscs @ 0..=6_400) => Ok(Score::from_centidiscs((sign * centidiscs) as i16)),
        _ => bail!("'{text}' is not a value: expected -64 to 64 discs, such as -1.5"),
    }
}
