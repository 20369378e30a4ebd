//! Our own formats: JSON Lines, complete, and a CSV table.

use std::collections::HashMap;
use std::fs::File;
use std::io::BufWriter;

use crate::files::books::{CsvWriter, JsonWriter};
use crate::openbook::{Node, NodeSource, SourceId, Values};
use crate::othello::board::{After, Key, Position};
use crate::store::{KnownSource, Reader};

use super::terms::{Failure, KeyMap, Steps, for_each_in_key_order};
use crate::files::books::ExportReport;

/// Every node, in the order of discs and keys.
pub(super) fn json(
    book: &Reader,
    output: BufWriter<File>,
    steps: &mut Steps<'_>,
) -> Result<ExportReport, Failure> {
    let sources: Vec<_> =
        book.sources()?.into_iter().map(|known| (known.id, known.source)).collect();
    let facts = book.count_facts()?;
    let known = known_from_facts(book)?;
    let mut apart = Vec::new();
    book.for_each_held_apart(|key, held| {
        apart.push((key, held));
        Ok::<_, Failure>(())
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
    book.for_each_fact(|fact| -> Result<(), Failure> {
        Ok(writer.write_fact(fact.key, fact.bounds, fact.source)?)
    })?;
    writer.finish()?;
    Ok(ExportReport { positions: steps.done, ..ExportReport::default() })
}

/// What nodes are known to be worth from facts, where that is not what their searches say.
fn known_from_facts(book: &Reader) -> Result<KeyMap<Values>, Failure> {
    let mut known = KeyMap::default();
    book.for_each_known(|key, values| _ = known.insert(key, values))?;
    Ok(known)
}

/// A position on a line from the start, and the line.
type Reached = (Position, String);

/// Every node, in the order of discs and keys, with a line that leads to it from the start.
pub(super) fn csv(
    book: &Reader,
    output: BufWriter<File>,
    steps: &mut Steps<'_>,
) -> Result<ExportReport, Failure> {
    let named = book.sources()?.into_iter().map(|KnownSource { id, source }| {
        (id, format!("{} {}", source.engine, source.level).trim().to_owned())
    });
    let names: HashMap<SourceId, String> = named.collect();
    let known_values = known_from_facts(book)?;
    let mut writer = CsvWriter::new(output)?;
    let mut reached: KeyMap<Reached> = KeyMap::default();
    reached.insert(Key::of(Position::START), (Position::START, String::new()));
    for (discs, _) in book.counts()?.layers {
        let mut next: KeyMap<Reached> = KeyMap::default();
        for_each_in_key_order(book, discs, |node| {
            steps.step()?;
            let known = reached.get(&node.key);
            if let Some((position, line)) = known {
                let (_, symmetry) = Key::with_symmetry(*position);
                for square in node.linked() {
                    let square = symmetry.inverse().square(square);
                    if let Some(After::Opponent(after) | After::Same(after)) =
                        position.after(square)
                    {
                        next.entry(Key::of(after))
                            .or_insert_with(|| (after, format!("{line}{square}")));
                    }
                }
            }
            let line = known.map_or("", |(_, line)| line.as_str());
            let name = names.get(&node.searched.source).map_or("", String::as_str);
            let values = known_values.get(&node.key).copied();
            let node = Node { values: values.unwrap_or(node.values), ..node };
            Ok(writer.write(&node, line, name)?)
        })?;
        reached = next;
    }
    writer.finish()?;
    Ok(ExportReport { positions: steps.done, ..ExportReport::default() })
}
