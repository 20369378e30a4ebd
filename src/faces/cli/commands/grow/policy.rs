//! Why there is no policy, in the words of the options that ask for it.

use anyhow::{Error, anyhow};

use crate::app::{PolicyError, PolicyNeed};

pub(super) fn in_options(error: PolicyError) -> Error {
    match error {
        PolicyError::Needs { name, needs } => {
            let options = match needs {
                PolicyNeed::Lines => "--line MOVES or --games FILE",
                PolicyNeed::Games => "--games FILE, or games in the book ('rosebill games import')",
            };
            anyhow!("--policy {} needs {options}", name.name())
        }
        PolicyError::NoGames(_) => anyhow!("--games-from {error}"),
        PolicyError::NoLevel(name) => {
            anyhow!("--policy {} takes a --level, not a --depth", name.name())
        }
        PolicyError::NoDeeper { deepen, level } => {
            anyhow!("--deepen {deepen} is no deeper than level {level}: give a higher one")
        }
        PolicyError::Games(_) | PolicyError::Store(_) => error.into(),
    }
}
