//! Taking facts into a book: what others have proven of positions.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::fmt;

use super::show::Shown;
use crate::app::json::serialize;
use crate::files::books::{Place, StatedFact};
use crate::openbook::facts::{Against, Verdict, judge_fact};
use crate::openbook::verify::check_key;
use crate::openbook::{Bounds, NodeSource, SourceId, links_of};
use crate::othello::board::{Key, Side};
use crate::othello::one_line::shown_name;
use crate::store::{Book, ContradictedFact, Fact, KnownSource, Reader, StoreError};

/// The result of adding the facts of a file or a book.
#[derive(serde::Serialize, Clone, PartialEq, Eq, Default, Debug)]
pub struct FactReport {
    /// Facts that were brought.
    pub stated: u64,
    /// Those that say more than what the book had.
    pub new: u64,
    /// Those of positions that are in the book, of the new ones.
    pub in_book: u64,
    /// Those that say nothing new.
    pub known: u64,
    /// Those that cannot be true beside what the book has, which stays.
    pub refused: u64,
    /// The first of these.
    #[serde(rename = "examples", skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<RefusedFact>,
}

impl FactReport {
    /// How many of the refused are described.
    pub(crate) const EXAMPLES: usize = 20;

    /// Whether there are as many examples as are described.
    const fn has_examples(&self) -> bool {
        self.examples.len() >= Self::EXAMPLES
    }

    /// Notes a fact that so many of those that were brought make up together.
    fn refuse(&mut self, refused: RefusedFact, brought: u64) {
        self.refused += brought;
        if !self.has_examples() {
            self.examples.push(refused);
        }
    }
}

/// A fact that is not believed, and what contradicts it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RefusedFact {
    /// Its place in its file; none for one in a book.
    pub place: Option<Place>,
    pub key: Key,
    /// What the fact says.
    pub bounds: Bounds,
    /// The file that states it.
    pub source: String,
    pub against: Against,
    /// The file that states that, where it is a fact.
    pub by: String,
}

serialize! {
    refused(RefusedFact) => refused.to_string(),
}

impl fmt::Display for RefusedFact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let board = |key: Key| format!("{} X", key.position().squares_text(Side::Black));
        let Self { place, key, bounds, source, against, by } = self;
        if let Some(place) = place {
            write!(f, "{place}: ")?;
        }
        write!(f, "{bounds} by {source} for {} is contradicted by ", board(*key))?;
        match against {
            Against::Proof(proven) => write!(f, "a proof of our own, {proven}"),
            Against::Fact(other, fact) if other == key => write!(f, "{fact} by {by}"),
            Against::Fact(other, fact) => write!(f, "{fact} by {by} for {}", board(*other)),
            Against::End(result) => write!(f, "the board: the game is over, {result}"),
            Against::Moves(proven) => write!(f, "what facts say of its moves, {proven}"),
        }
    }
}

/// The name of a fact's origin: the file that it came from, or us.
fn name_of(book: &Reader, id: SourceId) -> Result<String, StoreError> {
    Ok(name_among(&book.sources()?, id))
}

/// The same, of one of these.
fn name_among(sources: &[KnownSource], id: SourceId) -> String {
    let source = sources.iter().find(|known| known.id == id);
    let named = |name: &str| shown_name(name);
    match source.map(|known| &known.source) {
        Some(source) if !source.file.is_empty() => named(&source.file),
        Some(source) if source.is_own() => "an earlier search of our own".to_owned(),
        Some(source) if !source.engine.is_empty() => named(&source.engine),
        _ => "an unknown source".to_owned(),
    }
}

/// Takes facts into a book, each unless it cannot be true beside what is there; nothing is committed.
/// `sources` are those that the facts name by their index.
pub(super) fn take_facts(
    book: &mut Book,
    facts: &[StatedFact],
    sources: &[SourceId],
) -> Result<FactReport, StoreError> {
    let placed = facts.iter().map(|&StatedFact { place, key, bounds, source }| {
        let source = sources.get(source as usize).copied().unwrap_or(SourceId(0));
        (Some(place), Fact { key, bounds, source })
    });
    let mut taking = Taking::into(book);
    placed.into_iter().try_for_each(|(place, fact)| taking.take(place, fact))?;
    taking.finish()
}

/// Takes the facts of another book, whose sources have these numbers here; nothing is committed.
pub(super) fn merge_facts(
    book: &mut Book,
    other: &Reader,
    renumbered: impl Fn(SourceId) -> Option<SourceId>,
) -> Result<FactReport, StoreError> {
    let mut taking = Taking::into(book);
    other.facts().for_each(|fact| {
        check_key(fact.key).map_err(|what| {
            other.damage(format!("{what}, at the fact of {:?}", fact.key.position()))
        })?;
        let source = renumbered(fact.source)
            .ok_or_else(|| other.damage("the source of a fact is missing"))?;
        taking.take(None, Fact { source, ..fact })
    })?;
    taking.finish()
}

/// Facts on their way into a book, one after the other.
struct Taking<'b> {
    book: &'b mut Book,
    report: FactReport,
    taken: Vec<Taken>,
    /// The index into `taken` of what a source says of a position.
    rows: HashMap<(Key, SourceId), usize>,
}

impl<'b> Taking<'b> {
    fn into(book: &'b mut Book) -> Self {
        Self { book, report: FactReport::default(), taken: Vec::new(), rows: HashMap::new() }
    }

    fn take(&mut self, place: Option<Place>, fact: Fact) -> Result<(), StoreError> {
        let Self { book, report, taken, rows } = self;
        report.stated += 1;
        match judge_fact(&**book, fact.key, fact.bounds)? {
            Verdict::Known => report.known += 1,
            Verdict::New => {
                report.new += 1;
                report.in_book += u64::from(book.node(&fact.key)?.is_some());
                let row = match rows.entry((fact.key, fact.source)) {
                    Entry::Occupied(row) => *row.get(),
                    Entry::Vacant(row) => {
                        let before = said_by(book.reader(), fact.key, fact.source)?;
                        taken.push(Taken { place, before, brought: 0 });
                        *row.insert(taken.len() - 1)
                    }
                };
                taken[row].brought += 1;
                book.facts().keep(fact)?;
            }
            // Names are looked up only for those that are described.
            Verdict::Refused(_) if report.has_examples() => report.refused += 1,
            Verdict::Refused(against) => {
                let by = name_of_against(book.reader(), against)?;
                let source = name_of(book.reader(), fact.source)?;
                let Fact { key, bounds, .. } = fact;
                report.refuse(RefusedFact { place, key, bounds, source, against, by }, 1);
            }
        }
        Ok(())
    }

    /// Contradictions over several moves are found when all is in.
    fn finish(self) -> Result<FactReport, StoreError> {
        let Self { book, mut report, taken, rows } = self;
        if taken.is_empty() {
            return Ok(report);
        }
        book.settle()?;
        let contradicted = book.reader().facts().contradicted()?.into_iter();
        let mut contradicted: Vec<(usize, ContradictedFact)> = contradicted
            .filter_map(|found| Some((*rows.get(&(found.fact.key, found.fact.source))?, found)))
            .collect();
        contradicted.sort_unstable_by_key(|&(row, _)| row);
        for (row, found) in contradicted {
            // What the same source says in several places is one fact.
            let Taken { place, before, brought } = taken[row];
            book.facts().forget(found.fact)?;
            if let Some(before) = before {
                book.facts().keep(before)?;
            }
            report.new -= brought;
            report.in_book -= brought;
            if report.has_examples() {
                report.refused += brought;
                continue;
            }
            let against = match found.is_own {
                true => Against::Proof(found.proven),
                false => Against::Moves(found.proven),
            };
            let Fact { key, bounds, source } = found.fact;
            let (source, by) = (name_of(book.reader(), source)?, String::new());
            report.refuse(RefusedFact { place, key, bounds, source, against, by }, brought);
        }
        book.settle()?;
        Ok(report)
    }
}

/// What a source says of a position.
fn said_by(book: &Reader, key: Key, source: SourceId) -> Result<Option<Fact>, StoreError> {
    Ok(book.facts().of(key)?.into_iter().find(|fact| fact.source == source))
}

/// What was taken from one source about one position.
#[derive(Clone, Copy)]
struct Taken {
    /// The place of the first of it.
    place: Option<Place>,
    /// What that source had said before.
    before: Option<Fact>,
    /// How many of the facts that were brought it is.
    brought: u64,
}

fn name_of_against(book: &Reader, against: Against) -> Result<String, StoreError> {
    let Against::Fact(key, bounds) = against else { return Ok(String::new()) };
    let facts = book.facts().of(key)?;
    let fact = facts.into_iter().find(|fact| fact.bounds == bounds);
    fact.map_or_else(|| Ok(String::new()), |fact| name_of(book, fact.source))
}

/// The facts of a book that are not believed, because our own proofs or other facts contradict
/// them.
pub(super) fn refused_facts(book: &Reader) -> Result<Vec<RefusedFact>, StoreError> {
    let (mut refused, sources) = (Vec::new(), book.sources()?);
    for found in book.facts().contradicted()? {
        let Fact { key, bounds, source } = found.fact;
        let against = match found.is_own {
            true => Against::Proof(found.proven),
            false => Against::Moves(found.proven),
        };
        let source = name_among(&sources, source);
        refused.push(RefusedFact { place: None, key, bounds, source, against, by: String::new() });
    }
    Ok(refused)
}

/// Positions that are looked at for the names of the files that proved something.
const MOST_LOOKED_AT: usize = 500;

/// The sources of what is proven of a position beyond its searches: those whose facts it follows
/// from, by the names of their files. Also where the position is not in the book.
fn proven_by(book: &Reader, key: Key) -> Result<Vec<String>, StoreError> {
    let mut names = Vec::new();
    if !book.has_facts()? {
        return Ok(names);
    }
    let differs = |key: &Key| -> Result<bool, StoreError> {
        Ok(book.known(std::slice::from_ref(key))?.iter().any(Option::is_some))
    };
    let mut seen = HashSet::from([key]);
    let mut next = vec![key];
    let mut sources: Vec<SourceId> = Vec::new();
    while let Some(key) = next.pop() {
        let facts = book.facts().of(key)?;
        sources.extend(facts.iter().map(|fact| fact.source));
        // What a fact says of a position needs no other.
        if !facts.is_empty() || seen.len() > MOST_LOOKED_AT {
            continue;
        }
        let Some(node) = book.node(&key)? else { continue };
        for link in links_of(key, node.links) {
            if differs(&link.child)? && seen.insert(link.child) {
                next.push(link.child);
            }
        }
    }
    sources.sort_unstable();
    sources.dedup();
    let known = book.sources()?;
    for source in sources {
        let name = name_among(&known, source);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    Ok(names)
}

/// What facts say of a position, and their sources.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ProvenHere {
    /// The names of the files that proved something that searches do not say; none where there is
    /// nothing.
    pub by: Vec<String>,
    /// Of a position that is not in the book: what is proven of it. Of one that is its values say so.
    pub bounds: Option<Bounds>,
}

/// What facts say of a shown position.
pub(crate) fn proven_here(book: &Reader, shown: &Shown) -> Result<ProvenHere, StoreError> {
    let key = Key::of(shown.placed.position);
    if shown.in_book() {
        return Ok(match shown.searched_values {
            Some(_) => ProvenHere { by: proven_by(book, key)?, bounds: None },
            None => ProvenHere::default(),
        });
    }
    let facts = book.facts().of(key)?.into_iter().map(|fact| fact.bounds);
    let together = facts.reduce(|all, fact| all.meet(fact).unwrap_or(all));
    Ok(match together.filter(|&bounds| bounds != Bounds::ALL) {
        Some(bounds) => ProvenHere { by: proven_by(book, key)?, bounds: Some(bounds) },
        None => ProvenHere::default(),
    })
}
