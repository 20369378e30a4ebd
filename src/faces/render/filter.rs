//! Which games are asked for, in words.

use crate::app::games::{GameFilter, GameOutcome};

/// The options that ask for these games, as words of a command.
pub fn as_typed(filter: &GameFilter) -> Vec<String> {
    let mut typed = Vec::new();
    let mut add = |option: &str, value: &str| {
        typed.extend([format!("--{option}"), value.to_owned()]);
    };
    filter.players.iter().for_each(|name| add("player", name));
    filter.against.iter().for_each(|name| add("against", name));
    filter.black.iter().for_each(|name| add("black", name));
    filter.white.iter().for_each(|name| add("white", name));
    let yes_or_no = |wanted: bool| if wanted { "yes" } else { "no" }.to_owned();
    let result = filter.outcome.map(|outcome| match outcome {
        GameOutcome::Black => "black".to_owned(),
        GameOutcome::Draw => "draw".to_owned(),
        GameOutcome::White => "white".to_owned(),
    });
    for (option, value) in [
        ("event", filter.event.clone()),
        ("years", filter.years.map(|years| years.to_string())),
        ("source", filter.source.clone()),
        ("programs", filter.programs.map(yes_or_no)),
        ("xot", filter.xot.map(yes_or_no)),
        ("theory", filter.theory.map(yes_or_no)),
        ("result", result),
        ("rating", filter.rating.map(|rating| rating.to_string())),
        ("opening", filter.opening.clone()),
    ] {
        if let Some(value) = value {
            add(option, &value);
        }
    }
    filter.through.iter().for_each(|line| add("position", &line.whole_text()));
    typed
}
