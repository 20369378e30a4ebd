//! Why there is no policy, in the words of the options that ask for it.

use anyhow::{Error, anyhow};

use crate::app::{PolicyError, PolicyNeed};
use crate::faces::cli::hint::Refusal;
use crate::faces::render::Command;

pub(super) fn in_options(error: PolicyError) -> Error {
    match error {
        PolicyError::Needs { name, needs } => {
            let options = match needs {
                PolicyNeed::Lines => "--line MOVES or --games FILE",
                PolicyNeed::Games => "--games FILE, or games in the book",
            };
            let text = format!("--policy {name} needs {options}");
            let import =
                (needs == PolicyNeed::Games).then(|| Command::new("games import").with(["FILE"]));
            Refusal::new(text, Vec::from_iter(import)).into()
        }
        PolicyError::NoGames(_) => anyhow!("--games-from {error}"),
        PolicyError::NoLevel(name) => {
            anyhow!("--policy {name} takes a --level, not a --depth")
        }
        PolicyError::NoDeeper { deepen, level } => {
            anyhow!("--deepen {deepen} is no deeper than level {level}: give a higher one")
        }
        PolicyError::FilteredFiles
        | PolicyError::Filter(_)
        | PolicyError::Games(_)
        | PolicyError::Store(_) => error.into(),
    }
}
