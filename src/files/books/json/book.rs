//! A book as JSON Lines.

use super::JsonReader;
use super::writer::JsonWriter;
use crate::openbook::{NodeSource, Values};
use crate::othello::text_lines::lines_of;
use crate::store::Reader;

use crate::files::books::ExportReport;
use crate::files::books::format::{BookFacts, BookFormat, BookSource, Head, Mark, ReadResult};
use crate::files::books::write::{
    KeyMap, Steps, WriteError, WriteJob, WriteResult, for_each_in_key_order,
};

pub(crate) struct JsonBook;

/// Whether a JSON text is a book of ours, which says so in its first line.
pub(crate) fn is_our_book(text: &str) -> bool {
    let says = |line: &str| line.contains("\"format\"") && line.contains("\"rosebill-book\"");
    lines_of(text).next().is_some_and(says)
}

impl BookFormat for JsonBook {
    fn facts(&self) -> BookFacts {
        let endings = &["jsonl", "json", "ndjson"];
        BookFacts {
            states_links: true,
            ..BookFacts::of("json", "rosebill JSON Lines book", endings)
        }
    }

    fn sniff(&self, head: &Head<'_>) -> Option<Mark> {
        head.text().starts_with('{').then_some(Mark::Content)
    }

    fn read<'a>(&self, source: BookSource<'a>) -> ReadResult<'a> {
        Ok(Box::new(JsonReader::new(source.input, &source.file, source.options)?))
    }

    /// Every node, in the order of discs and keys.
    fn write(&self, job: WriteJob<'_>, steps: &mut Steps<'_>) -> WriteResult {
        let WriteJob { book, output, .. } = job;
        let sources: Vec<_> =
            book.sources()?.into_iter().map(|known| (known.id, known.source)).collect();
        let facts = book.facts().count()?;
        let known = known_from_facts(book)?;
        let mut apart = Vec::new();
        book.for_each_held_apart(|key, held| {
            apart.push((key, held));
            Ok::<_, WriteError>(())
        })?;
        let after = [apart.len() as u64, facts];
        let mut writer = JsonWriter::new(output, steps.of, after, &sources)?;
        for (discs, _) in book.counts()?.layers {
            for_each_in_key_order(book, discs, |node| {
                steps.step()?;
                let (held, links) = (book.held(&node)?, node.held_links(book)?);
                Ok(writer.write(&node, &held, links, known.get(&node.key).copied())?)
            })?;
        }
        for (key, held) in &apart {
            writer.write_bounds(*key, held)?;
        }
        book.facts().for_each(|fact| -> Result<(), WriteError> {
            Ok(writer.write_fact(fact.key, fact.bounds, fact.source)?)
        })?;
        writer.finish()?;
        Ok(ExportReport { positions: steps.done, ..ExportReport::default() })
    }
}

/// What nodes are known to be worth from facts, where that is not what their searches say.
pub(in crate::files::books) fn known_from_facts(
    book: &Reader,
) -> Result<KeyMap<Values>, WriteError> {
    let mut known = KeyMap::default();
    book.facts().for_each_known(|key, values| _ = known.insert(key, values))?;
    Ok(known)
}
