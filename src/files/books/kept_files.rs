//! Files that the book keeps beside its nodes, with the sources of the nodes that came from them.

use super::Format;
use crate::openbook::{Source, SourceId};
use crate::store::Reader;

use super::write::WriteError;

pub(super) struct KeptFile {
    /// The sources of its records: one a level.
    pub(super) sources: Vec<SourceId>,
    pub(super) bytes: Vec<u8>,
}

/// What the book keeps of files of this format, in the order in which they came. A file that cannot
/// be unpacked any more is as good as none.
pub(super) fn kept_files(book: &Reader, format: Format) -> Result<Vec<KeptFile>, WriteError> {
    let originals = book.originals().sources()?;
    if originals.is_empty() {
        return Ok(Vec::new());
    }
    let known = book.sources()?;
    let mut files = Vec::new();
    for id in originals {
        let Some(first) = known.iter().find(|known| known.id == id) else { continue };
        if first.source.format != format.name() {
            continue;
        }
        let same = known.iter().filter(|other| are_of_one_file(&first.source, &other.source));
        let sources = same.map(|known| known.id).collect();
        if let Some(bytes) = book.originals().unpacked(id)? {
            files.push(KeptFile { sources, bytes });
        }
    }
    Ok(files)
}

/// Sources of one file differ in nothing but the level.
fn are_of_one_file(one: &Source, other: &Source) -> bool {
    let facts = |source: &Source| Source { level: String::new(), ..source.clone() };
    facts(one) == facts(other)
}
