//! Rows of the tables that spreadsheets and programs write: the separator of fields, what comes before
//! the names of their columns, and where a row ends.

use std::cell::RefCell;
use std::collections::VecDeque;

/// No row that is meant has more lines, or more bytes before its last.
const MOST_LINES: usize = 50;
const MOST_BYTES: usize = 1 << 16;

/// The separator of a table with a single column, so that any other mark is a part of its fields: no text
/// has it.
pub(crate) const NOTHING: u8 = 0x1f;

/// Separators of fields, the surest first.
const SEPARATORS: [u8; 4] = [b'\t', b';', b',', b'|'];

/// The separator of the table with this line of names: the surest one outside of quotes.
pub(crate) fn separator(line: &str) -> Option<u8> {
    SEPARATORS.into_iter().find(|&mark| {
        let mut quotes = Quotes::default();
        line.bytes().any(|byte| {
            // Any of them may come before a quote that begins a field.
            let between = if SEPARATORS.contains(&byte) { byte } else { NOTHING };
            quotes = quotes.after(byte, between);
            byte == mark && quotes == Quotes::Start
        })
    })
}

/// Whether a line says nothing: it is empty, or has nothing but what parts its fields, as spreadsheets
/// leave it behind.
pub(crate) fn is_blank(line: &str) -> bool {
    line.bytes().all(|byte| byte.is_ascii_whitespace() || SEPARATORS.contains(&byte))
}

/// Whether a line comes before the one that names the columns: a comment, nothing at all, or Excel's
/// declaration of the separator (`sep=;`). Names may be in a comment.
pub(crate) fn stands_before_names(line: &str, are_names: impl FnOnce(&str) -> bool) -> bool {
    let text = line.trim_start();
    let is_mark =
        || text.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("sep=")) && text.len() == 5;
    is_blank(line) || ((text.starts_with('#') || is_mark()) && !are_names(line))
}

/// A name of a column in small letters, without blanks and marks.
pub(crate) fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

thread_local! {
    /// To make a reader takes as long as to read a dozen rows by it. A clone of one reads nothing.
    static READERS: RefCell<[(u8, csv_core::Reader); 5]> = RefCell::new(
        [b'\t', b';', b',', b'|', NOTHING]
            .map(|mark| (mark, csv_core::ReaderBuilder::new().delimiter(mark).build())),
    );
}

/// The fields of a row, which may hold ends of lines in quotes.
pub(crate) fn fields(row: &str, between: u8) -> Option<Vec<String>> {
    if row.is_empty() {
        return None;
    }
    READERS.with_borrow_mut(|readers| {
        let (_, reader) = readers.iter_mut().find(|(mark, _)| *mark == between)?;
        reader.reset();
        fields_by(reader, row, between)
    })
}

fn fields_by(reader: &mut csv_core::Reader, row: &str, between: u8) -> Option<Vec<String>> {
    // The reader asks for room before it says that a row has ended.
    let mut text = vec![0; row.len() + 1];
    let mut ends = vec![0; 2 + row.bytes().filter(|&byte| byte == between).count()];
    let (mut read, mut written, mut count) = (0, 0, 0);
    loop {
        // Nothing left of it says that the row ends.
        let rest = row.as_bytes().get(read..)?;
        let (result, taken, put, ended) =
            reader.read_record(rest, text.get_mut(written..)?, ends.get_mut(count..)?);
        (read, written, count) = (read + taken, written + put, count + ended);
        match result {
            csv_core::ReadRecordResult::InputEmpty => {}
            csv_core::ReadRecordResult::Record => break,
            _ => return None,
        }
    }
    text.truncate(written);
    let text = String::from_utf8(text).ok()?;
    let starts = std::iter::once(&0).chain(&ends);
    let places = starts.zip(&ends).take(count);
    places.map(|(&start, &end)| Some(text.get(start..end)?.to_owned())).collect()
}

/// Makes rows of lines with their numbers.
pub(crate) struct Rows<I, E> {
    lines: I,
    /// What was read for nothing behind a field without an end.
    again: VecDeque<(u64, Result<String, E>)>,
}

impl<I: Iterator<Item = (u64, Result<String, E>)>, E> Rows<I, E> {
    pub(crate) const fn new(lines: I) -> Self {
        Self { lines, again: VecDeque::new() }
    }

    /// The next line, with which a row may begin.
    pub(crate) fn next_line(&mut self) -> Option<(u64, Result<String, E>)> {
        self.again.pop_front().or_else(|| self.lines.next())
    }

    /// Gives back a line, which is the next again.
    pub(crate) fn put_back(&mut self, number: u64, line: String) {
        self.again.push_front((number, Ok(line)));
    }

    /// The whole row that begins with a line: a field in quotes may hold ends of lines. None where nothing
    /// closes a quote: that costs its line only, for it must not end with the first quote of another row, or
    /// all rows between would be lost with it.
    pub(crate) fn row(&mut self, first: String, between: u8) -> Option<String> {
        let mut quotes = Quotes::default();
        let mut is_open = quotes.are_open_after(&first, between);
        let (mut row, mut taken) = (first, Vec::new());
        while is_open || (!taken.is_empty() && Quotes::are_torn_in(&row, between)) {
            let is_endless = taken.len() == MOST_LINES || row.len() > MOST_BYTES;
            match if is_endless || !is_open { None } else { self.next_line() } {
                Some((number, Ok(line))) => {
                    is_open = quotes.are_open_after(&line, between);
                    row.push('\n');
                    row.push_str(&line);
                    taken.push((number, Ok(line)));
                }
                behind => {
                    let taken = taken.into_iter().chain(behind);
                    taken.rev().for_each(|line| self.again.push_front(line));
                    return None;
                }
            }
        }
        Some(row)
    }
}

/// Follows the quotes of a row from line to line.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum Quotes {
    /// At the first byte of a field.
    #[default]
    Start,
    /// In a field without quotes, or behind them.
    Bare,
    /// Between quotes.
    Inside,
    /// At a quote that ends the field unless another one follows.
    Quote,
}

impl Quotes {
    /// Goes through one more line; whether a field in quotes goes on in the next.
    pub(crate) fn are_open_after(&mut self, line: &str, between: u8) -> bool {
        for byte in line.bytes() {
            *self = self.after(byte, between);
        }
        *self == Self::Inside
    }

    /// Behind one more byte.
    fn after(self, byte: u8, between: u8) -> Self {
        match (self, byte) {
            (Self::Inside, b'"') => Self::Quote,
            (Self::Inside, _) | (Self::Start | Self::Quote, b'"') => Self::Inside,
            (_, byte) if byte == between => Self::Start,
            _ => Self::Bare,
        }
    }

    /// Whether more of a field follows the quote that ends it: that one begins another field then, and
    /// nothing ends the first.
    fn are_torn_in(row: &str, between: u8) -> bool {
        let mut quotes = Self::default();
        row.bytes().any(|byte| {
            let was_closed = quotes == Self::Quote;
            quotes = quotes.after(byte, between);
            was_closed && quotes == Self::Bare && !byte.is_ascii_whitespace()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quote_that_nothing_closes_costs_its_line_only() {
        let lines =
            ["a,\"b", "c\"", "d,\"e", "f,\"g\"", "h"].map(|line| Ok::<_, ()>(line.to_owned()));
        let mut rows = Rows::new((1..).zip(lines));
        let mut found = Vec::new();
        while let Some((number, line)) = rows.next_line() {
            found.push((number, rows.row(line.unwrap(), b',')));
        }
        let row = |text: &str| Some(text.to_owned());
        assert_eq!(found, [(1, row("a,\"b\nc\"")), (3, None), (4, row("f,\"g\"")), (5, row("h"))]);
    }

    #[test]
    fn fields_are_those_of_the_csv_crate() {
        for row in [
            "",
            "a",
            ",",
            "a,b,",
            "\"a,\"\"b\"\"\",c",
            "\"two\nlines\",x",
            "a\"b,\"c\"d",
            "é,\"ü,ö\"",
            "\"\",\"",
            "a;b,c",
            "  a , b",
            "\r",
            "a\rb",
        ] {
            for mark in [b',', b';', b'\t', b'|', NOTHING] {
                let mut reader = csv::ReaderBuilder::new();
                reader.has_headers(false).flexible(true).delimiter(mark);
                let record = reader.from_reader(row.as_bytes()).records().next();
                let expected: Option<Vec<String>> =
                    record.map(|record| record.unwrap().iter().map(str::to_owned).collect());
                assert_eq!(fields(row, mark), expected, "{row:?} by {mark}");
            }
        }
    }

    #[test]
    fn what_parts_fields_stands_outside_of_quotes() {
        for (names, mark) in [
            ("board,side", Some(b',')),
            ("\"a;b\",side", Some(b',')),
            ("a,b;c", Some(b';')),
            ("a|b", Some(b'|')),
            ("moves", None),
        ] {
            assert_eq!(separator(names), mark, "{names}");
        }
    }

    #[test]
    fn comments_and_marks_of_excel_stand_before_names() {
        for (line, stands_before) in [
            ("", true),
            (";;", true),
            ("# by me", true),
            ("SEP=;", true),
            ("sep=;;", false),
            ("# names", false),
            ("board,side", false),
        ] {
            let found = stands_before_names(line, |line| line.ends_with("names"));
            assert_eq!(found, stands_before, "{line}");
        }
    }
}
