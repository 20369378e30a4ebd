//! `--level` of `export` and `convert`: each program has levels of its own.

use std::str::FromStr;

use anyhow::bail;

use crate::app::export::ExportOptions;
use crate::files::books::ntest::NtestLevel;
use crate::files::books::{Format, Levels};
use crate::othello::search::Level;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExportLevel {
    /// Of programs whose levels are numbers, and ours.
    Number(Level),
    Ntest(NtestLevel),
}

/// The help of the option: what a level means, and which one it is for NTest without it.
pub(super) fn level_help(ntest_default: &str) -> String {
    let ours = Format::programs_with(Levels::Ours);
    format!(
        "The level of all records of {ours} [default: the one that each was searched at]; of NTest that of the \
         book, s1 to s60 [default: {ntest_default}]"
    )
}

impl FromStr for ExportLevel {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let is_ntest = text.starts_with('s');
        let level = match is_ntest {
            true => text.parse().map(Self::Ntest).ok(),
            false => text.parse().map(Self::Number).ok(),
        };
        level.ok_or_else(|| {
            let ours = Format::programs_with(Levels::Ours);
            format!("expected 0 to 60 ({ours}) or s1 to s60 (NTest)")
        })
    }
}

impl ExportLevel {
    /// Puts it where the format looks for it.
    pub(super) fn apply(self, options: &mut ExportOptions) -> anyhow::Result<()> {
        match (options.format.facts().levels, self) {
            (Levels::Ours, Self::Number(level)) => options.level = Some(level),
            (Levels::Ntest, Self::Ntest(level)) => options.ntest_level = Some(level),
            (Levels::Ntest, Self::Number(level)) => {
                bail!(
                    "--level {level}: NTest's levels have an s before the number: --level s{level}"
                )
            }
            (Levels::Ours, Self::Ntest(level)) => {
                bail!(
                    "--level {level}: a level of NTest's; expected a number for {}",
                    options.format.title()
                )
            }
            (Levels::None, _) => bail!("--level: {} has no levels", options.format.title()),
        }
        Ok(())
    }
}
