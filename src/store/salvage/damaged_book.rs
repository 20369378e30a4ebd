//! What is left of a damaged book: its file is gone through page by page, whatever SQLite thinks of
//! it, and each page is taken for what it looks like.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use crate::openbook::{Held, Node, Source, SourceId, Values};
use crate::othello::board::Key;

use super::analyses::{AnalysisWreck, SavedAnalysis};
use super::facts::{FactWreck, lost_facts};
use super::games::{GameWreck, SavedGame};
use super::history::HistoryWreck;
use super::records::HeldWreck;
use crate::store::Fact;
use crate::store::HistoryPoint;
use crate::store::StoreError;
use crate::store::file_names::{beside, led_to};
use crate::store::games::{ALIASES, GameId, joined};
use crate::store::lineage::IDENTITY;
use crate::store::lock::WriterLock;
use crate::store::log::set_foreign_aside;
use crate::store::pages::nodes::{NodePage, Range, walk};
use crate::store::pages::page::{Cell, Column, Page, PageKind, columns};
use crate::store::pages::tables::{name_and_value, named_facts, rows_of_table};
use crate::store::pages::{Pages, number_at};
use crate::store::row::storage_order;

/// A damaged book, looked through.
pub struct Wreck {
    path: PathBuf,
    pages: Pages,
    /// The pages that hold nodes of each layer.
    layers: BTreeMap<u8, Vec<u32>>,
    /// Those that the tree leads to: what they say goes before what is found elsewhere.
    sound: HashSet<u32>,
    /// The parts of the order that the tree no longer leads to.
    gaps: Vec<Range>,
    /// The sources of searches, by number.
    pub(super) sources: BTreeMap<u32, Source>,
    /// Imported files that are kept whole, by the number of their source.
    pub(super) originals: BTreeMap<u32, Vec<u8>>,
    /// How many positions each layer had.
    counts: BTreeMap<u8, u64>,
    /// Named facts of the book.
    meta: BTreeMap<String, String>,
    games: GameWreck,
    analyses: AnalysisWreck,
    facts: FactWreck,
    held: HeldWreck,
    history: HistoryWreck,
    lost_pages: u64,
    meaningless: u64,
    _lock: Option<WriterLock>,
}

impl Wreck {
    /// Looks through what is left of a book.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        let path = led_to(path.as_ref());
        // A book that is written changes under our eyes. Without a lock beside it there is no
        // writer, and in a folder that is read only there can be none.
        let lock = if beside(&path, ".lock").exists() {
            match WriterLock::acquire(&path) {
                Err(locked @ StoreError::Locked { .. }) => return Err(locked),
                taken => taken.ok(),
            }
        } else {
            None
        };
        set_foreign_aside(&path, lock.is_some())?;
        let pages = Pages::open(&path)?;
        let free = free_pages(&pages);
        let walked = walk(&pages, 1);
        let mut wreck = Self {
            path,
            pages,
            layers: BTreeMap::new(),
            sound: walked.sound,
            gaps: walked.gaps.into_iter().map(|(_, range)| range).collect(),
            sources: BTreeMap::new(),
            originals: BTreeMap::new(),
            counts: BTreeMap::new(),
            meta: BTreeMap::new(),
            games: GameWreck::default(),
            analyses: AnalysisWreck::default(),
            facts: FactWreck::default(),
            held: HeldWreck::default(),
            history: HistoryWreck::default(),
            lost_pages: 0,
            meaningless: 0,
            _lock: lock,
        };
        // Pages that others go on to look like nothing by themselves.
        let (mut strange, mut continued) = (BTreeSet::new(), HashSet::new());
        let last = wreck.pages.last();
        // Their rows look like those of events, and are not needed after this.
        let workers =
            rows_of_table(&wreck.pages, "fleet_worker", PageKind::TableLeaf, |_| {}).numbers;
        for number in 1..=last {
            if workers.contains(&number)
                || free.contains(&number)
                || wreck.pages.is_lock_page(number)
            {
                continue;
            }
            if !wreck.look_at(number, &mut continued) {
                strange.insert(number);
            }
        }
        // What the file leads to goes before what lies about.
        wreck.meta.extend(named_facts(&wreck.pages).0);
        let strange = strange.iter().filter(|number| !continued.contains(number)).count();
        wreck.lost_pages = strange as u64 + u64::from(wreck.pages.count() - last);
        Ok(wreck)
    }

    /// Where it is: the file, where a link was named.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How many pages the book had.
    pub(crate) const fn pages(&self) -> u64 {
        self.pages.count() as u64
    }

    /// How many of them are missing, or hold nothing that can be read.
    pub(crate) const fn lost_pages(&self) -> u64 {
        self.lost_pages
    }

    /// How many rows were there and meant nothing.
    pub(crate) const fn meaningless(&self) -> u64 {
        self.meaningless
    }

    /// How many positions the book counted; none when that is lost too.
    pub(crate) fn counted(&self) -> Option<u64> {
        (!self.counts.is_empty())
            .then(|| self.counts.values().fold(0, |sum: u64, &count| sum.saturating_add(count)))
    }

    /// A named fact of the book; none when it had none, or that is lost.
    pub(crate) fn meta(&self, name: &str) -> Option<&str> {
        self.meta.get(name).map(String::as_str)
    }

    /// The identity of the book; none when it had none, or that is lost.
    pub(crate) fn identity(&self) -> Option<&str> {
        self.meta(IDENTITY)
    }

    /// Whether some of the book is lost.
    pub(crate) fn is_torn(&self) -> bool {
        !self.gaps.is_empty()
    }

    /// Whether a position may have been on a page that is lost.
    pub(crate) fn may_have_held(&self, key: Key) -> bool {
        let place = storage_order(key);
        self.gaps.iter().any(|gap| gap.holds(place))
    }

    /// Whether there is a trace of games.
    pub(crate) fn has_games(&self) -> bool {
        !self.games.is_empty()
    }

    /// The names that stand for others, as text.
    pub(crate) fn aliases(&self) -> Option<&str> {
        self.meta(ALIASES)
    }

    /// What takes the joins of a game back, as text.
    pub(crate) fn joined(&self, game: GameId) -> Option<&str> {
        self.meta(&joined(game))
    }

    /// How many games the book counted; none when that is lost too.
    pub(crate) fn counted_games(&self) -> Option<u64> {
        self.games.counted()
    }

    /// Gives the games that can be read, each once.
    pub(crate) fn for_each_game<E>(
        &self,
        each: impl FnMut(SavedGame) -> Result<(), E>,
    ) -> Result<(), E> {
        self.games.for_each(&self.pages, each)
    }

    /// The analysed positions that can be read, each once.
    pub(crate) fn analyses(&self) -> Vec<SavedAnalysis> {
        self.analyses.positions()
    }

    /// The facts that can be read, each once.
    pub(super) fn facts(&self) -> impl Iterator<Item = Fact> {
        self.facts.each()
    }

    /// All that is kept of a node.
    pub(super) fn held_of(&self, node: &Node) -> Held {
        self.held.of(node)
    }

    /// What is proven of positions, in the book or not.
    pub(super) fn held_apart(&self) -> impl Iterator<Item = (Key, Held)> {
        self.held.apart()
    }

    /// How many facts are lost; none when that cannot be known.
    pub(crate) fn lost_facts(&self) -> Option<u64> {
        lost_facts(&self.pages)
    }

    /// The checkpoints that can be read, the oldest first, each with the values that it says of
    /// positions.
    pub(super) fn history(
        &self,
    ) -> impl Iterator<Item = (&HistoryPoint, Vec<(Key, Option<Values>)>)> {
        self.history.points()
    }

    /// How many positions a layer had; none when that is lost.
    pub(super) fn counted_in(&self, discs: u8) -> Option<u64> {
        self.counted().map(|_| self.counts.get(&discs).copied().unwrap_or_default())
    }

    /// The nodes of a layer, each once, in storage order.
    pub(super) fn layer(&self, discs: u8) -> Vec<Node> {
        let mut found = Vec::new();
        for &number in self.layers.get(&discs).into_iter().flatten() {
            let page = NodePage::read(&self.pages, number);
            let of_layer = page.into_iter().flat_map(|page| page.nodes);
            let is_sound = self.sound.contains(&number);
            let of_layer = of_layer.filter(|node| node.key.discs() == discs);
            found.extend(of_layer.map(|node| (storage_order(node.key), !is_sound, node)));
        }
        found.sort_by_key(|&(place, strays, _)| (place, strays));
        found.dedup_by_key(|&mut (place, ..)| place);
        found.into_iter().map(|(.., node)| node).collect()
    }

    /// Notes what a page holds; false when it is nothing.
    fn look_at(&mut self, number: u32, continued: &mut HashSet<u32>) -> bool {
        let Some(bytes) = self.pages.read(number) else { return false };
        if let Some(page) = NodePage::of(number, &bytes) {
            self.meaningless += page.meaningless;
            let mut layers: Vec<u8> = page.nodes.iter().map(|node| node.key.discs()).collect();
            layers.sort_unstable();
            layers.dedup();
            for discs in layers {
                self.layers.entry(discs).or_default().push(number);
            }
            return true;
        }
        let Some(page) = Page::of(number, &bytes) else { return false };
        for cell in page.cells().flatten() {
            self.look_at_row(number, &cell, continued);
        }
        true
    }

    /// Takes a row of a table, and the pages that any row goes on to. The number of a row is beside
    /// it, and for the column that holds it there is nothing.
    fn look_at_row(&mut self, page: u32, cell: &Cell<'_>, continued: &mut HashSet<u32>) {
        let row = cell.whole(&self.pages, |number| continued.insert(number));
        let Some(columns) = row.as_deref().and_then(columns) else { return };
        let Some(number) = cell.row else {
            if let Some((name, value)) = name_and_value(&columns) {
                self.meta.insert(name, value);
            } else if !self.analyses.note_move(&columns)
                && !self.facts.note(&columns)
                && !self.held.note(&columns)
            {
                self.history.note_value(&columns);
            }
            return;
        };
        let Ok(number) = u32::try_from(number) else { return };
        if !self.games.note_row(page, number, &columns)
            && !self.analyses.note_row(number, &columns)
            && !self.history.note_row(number, &columns)
        {
            self.note_row(number, &columns);
        }
    }

    /// Takes a row of one of the other small tables, which are recognized by their columns.
    fn note_row(&mut self, number: u32, columns: &[Column<'_>]) {
        match columns {
            &[Column::Null, Column::Integer(count)] => {
                if let (Ok(discs @ 4..=63), Ok(count)) = (u8::try_from(number), count.try_into()) {
                    self.counts.insert(discs, count);
                }
            }
            &[Column::Null, Column::Blob(content)] => {
                self.originals.insert(number, content.to_vec());
            }
            [Column::Null, texts @ ..] => {
                let text = |column: &Column<'_>| match column {
                    Column::Text(text) => Some((*text).to_owned()),
                    _ => None,
                };
                let texts: Option<Vec<String>> = texts.iter().map(text).collect();
                let Some(Ok(texts)) = texts.map(<[String; 7]>::try_from) else { return };
                let [engine, evaluator, level, format, file, day, checksum] = texts;
                let source = Source { engine, evaluator, level, format, file, day, checksum };
                self.sources.insert(number, source);
            }
            _ => {}
        }
    }

    /// The numbers of all sources that are known.
    pub(super) fn source_ids(&self) -> impl Iterator<Item = (SourceId, &Source)> {
        self.sources.iter().map(|(&number, source)| (SourceId(number), source))
    }
}

/// The pages that are not in use: what is on them was taken out of the book. Where the list of them
/// is torn, pages that look like a part of it count for it.
fn free_pages(pages: &Pages) -> HashSet<u32> {
    let mut free = HashSet::new();
    let mut take = |number: u32, is_linked: bool| {
        let (next, named) = free_list_page(pages, number)?;
        // A page of zeros is part of the list only where the list leads to it.
        if !is_linked && next == 0 && named.is_empty() {
            return None;
        }
        free.insert(number).then(|| free.extend(named)).map(|()| next)
    };
    let mut whole = false;
    if let Some((first, _)) = pages.free_list {
        let mut next = first;
        while next != 0
            && let Some(after) = take(next, true)
        {
            next = after;
        }
        whole = next == 0;
    }
    if !whole {
        for number in 2..=pages.last() {
            take(number, false);
        }
    }
    free
}

/// A page of the list of free pages: the next one, and the free pages that it names. None when it is
/// something else.
fn free_list_page(pages: &Pages, number: u32) -> Option<(u32, Vec<u32>)> {
    let page = pages.read(number)?;
    let next = number_at(&page, 0)?;
    let count = number_at(&page, 4)? as usize;
    if next > pages.count() || count > page.len() / 4 - 2 {
        return None;
    }
    let named: Vec<u32> = (0..count).filter_map(|at| number_at(&page, 8 + 4 * at)).collect();
    let different: HashSet<u32> = named.iter().copied().collect();
    let fits = |&number: &u32| (2..=pages.count()).contains(&number);
    (named.iter().all(fits) && different.len() == count).then_some((next, named))
}
