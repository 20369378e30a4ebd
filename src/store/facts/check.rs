//! Whether facts, and what is known from them, can be true.

use std::collections::HashSet;

use super::Fact;
use crate::openbook::facts::all_known_values;
use crate::openbook::verify::{Invariant, Report, check_key};
use crate::openbook::{Bounds, NodeSource, SourceId};
use crate::store::{Facts, StoreError};

/// A fact that is not believed, because it cannot be true beside what is proven of its position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ContradictedFact {
    pub fact: Fact,
    /// What is proven of the position without it.
    pub proven: Bounds,
    /// Whether that is a proof of our own; else it follows from other facts.
    pub is_own: bool,
}

impl Facts<'_> {
    /// The facts that cannot be true beside what is proven of their positions.
    pub fn contradicted(&self) -> Result<Vec<ContradictedFact>, StoreError> {
        let mut found = Vec::new();
        if !self.has_any()? {
            return Ok(found);
        }
        self.for_each(|fact| {
            let Some(node) = self.reader.node(&fact.key)? else { return Ok(()) };
            let known = self.known(&[fact.key])?.into_iter().flatten().next();
            let own = node.values.bounds();
            let is_own = own.meet(fact.bounds).is_none();
            let proven = if is_own { own } else { known.unwrap_or(node.values).bounds() };
            if proven.meet(fact.bounds).is_none() {
                found.push(ContradictedFact { fact, proven, is_own });
            }
            Ok::<_, StoreError>(())
        })?;
        Ok(found)
    }

    /// Checks all facts and what is known from them, and notes what does not hold.
    pub(in crate::store) fn verify(
        &self,
        sources: &HashSet<SourceId>,
        report: &mut Report,
    ) -> Result<(), StoreError> {
        let mut stored = Vec::new();
        self.for_each_known(|key, values| stored.push((key, values)))?;
        if stored.is_empty() && !self.has_any()? {
            return Ok(());
        }
        self.for_each(|fact| {
            if let Err(what) = check_key(fact.key) {
                report.note(Invariant::Facts, Some(fact.key), format!("a fact: {what}"));
            }
            if !sources.contains(&fact.source) {
                let what = format!("a fact of no source {}", fact.source.0);
                report.note(Invariant::Facts, Some(fact.key), what);
            }
            Ok::<_, StoreError>(())
        })?;
        let known = self.reader.sources()?;
        for ContradictedFact { fact, proven, is_own } in self.contradicted()? {
            let file = known.iter().find(|known| known.id == fact.source);
            let file = file.map(|known| &known.source.file).filter(|file| !file.is_empty());
            let of = file.map_or_else(String::new, |file| format!(" of {file}"));
            let whose = if is_own { "a proof of our own" } else { "other facts" };
            let what = format!(
                "the fact {}{of} is contradicted by {whose}, {proven}: it is not believed",
                fact.bounds
            );
            report.not_believed += 1;
            report.note(Invariant::Facts, Some(fact.key), what);
        }
        let mut expected = all_known_values(self.reader, self.positions()?)?;
        for (key, values) in stored {
            if expected.remove(&key) != Some(values) {
                let what = "what is known from facts is not what links, rest and facts give";
                report.note(Invariant::Facts, Some(key), what);
            }
        }
        let mut missing: Vec<_> = expected.into_keys().collect();
        missing.sort_unstable();
        for key in missing {
            report.note(Invariant::Facts, Some(key), "what is known from facts is missing");
        }
        Ok(())
    }
}
