//! `--level` of `export` and `convert`: each program has levels of its own.

use std::str::FromStr;

use anyhow::bail;

use crate::app::export::ExportOptions;
use crate::files::books::Format;
use crate::files::books::ntest::NtestLevel;
use crate::othello::search::Level;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExportLevel {
    /// Of Edax and Egaroucid, and ours.
    Number(Level),
    Ntest(NtestLevel),
}

impl FromStr for ExportLevel {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let is_ntest = text.starts_with('s');
        let level = match is_ntest {
            true => text.parse().map(Self::Ntest).ok(),
            false => text.parse().map(Self::Number).ok(),
        };
        let expected = "expected 0 to 60 (Edax, Egaroucid) or s1 to s60 (NTest)";
        level.ok_or_else(|| expected.to_owned())
    }
}

impl ExportLevel {
    /// Puts it where the format looks for it.
    pub(super) fn apply(self, options: &mut ExportOptions) -> anyhow::Result<()> {
        match (options.format, self) {
            (Format::Edax | Format::EdaxText | Format::Egaroucid, Self::Number(level)) => {
                options.level = Some(level)
            }
            (Format::Ntest | Format::Ntest1, Self::Ntest(level)) => {
                options.ntest_level = Some(level);
            }
            (Format::Ntest | Format::Ntest1, Self::Number(level)) => {
                bail!(
                    "--level {level}: NTest's levels have an s before the number: --level s{level}"
                )
            }
            (Format::Edax | Format::EdaxText | Format::Egaroucid, Self::Ntest(level)) => {
                bail!(
                    "--level {level}: a level of NTest's; expected a number for {}",
                    options.format.title()
                )
            }
            (format, _) => bail!("--level: {} has no levels", format.title()),
        }
        Ok(())
    }
}
