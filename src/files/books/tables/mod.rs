//! Typed tables of a book, its games and analyses for other programs: an SQLite file, or CSV files in a zip. Both are
//! written only.
//!
//! The columns stand in `tables.sql`, and nowhere else: the CSV files are what a query of the SQLite file gives.

mod fill;
mod spool;
mod writer;
mod zipped;

use crate::store::begins_as_tables;

use super::ExportReport;
use super::csv::BACK;
use super::format::{BookFacts, BookFormat, BookSource, Head, Mark, ReadResult};
use super::input::written_only;
use super::write::{Steps, WriteJob, WriteResult};
use fill::fill;
use writer::TableWriter;
use zipped::zip_tables;

pub(super) struct Tables {
    pub(super) zipped: bool,
}

impl BookFormat for Tables {
    fn facts(&self) -> BookFacts {
        let (name, title, endings): (_, _, &[_]) = match self.zipped {
            false => ("tables", "SQLite tables", &["sqlite", "sqlite3"]),
            true => ("tables-csv", "zipped CSV tables", &["zip"]),
        };
        BookFacts { not_held: &[BACK], ..BookFacts::of(name, title, endings) }
    }

    fn sniff(&self, head: &Head<'_>) -> Option<Mark> {
        (!self.zipped && begins_as_tables(head.bytes)).then_some(Mark::Bytes)
    }

    fn read<'a>(&self, source: BookSource<'a>) -> ReadResult<'a> {
        Err(written_only(source.file))
    }

    fn write(&self, job: WriteJob<'_>, steps: &mut Steps<'_>) -> WriteResult {
        let path = match self.zipped {
            false => job.path.clone(),
            true => job.path.with_extension("tables"),
        };
        let tables = TableWriter::create(&path, steps.stop)?;
        let spool = job.path.with_extension("layer");
        let positions = fill(job.book, &tables, &spool, job.no_games, steps)?;
        let rows = tables.finish()?;
        if self.zipped {
            zip_tables(&path, job.output, steps)?;
        }
        Ok(ExportReport { positions, rows, ..ExportReport::default() })
    }
}
