//! The number of a book among the books of a fleet.

use crate::store::Book;

use super::error::FleetError;

/// The name under which a book keeps its number among the books of a fleet.
const BOOK_NAME: &str = "fleet_book";

/// The number of a book among the books of a fleet: drawn once, and kept in the book.
pub(super) fn book_number(book: &mut Book) -> Result<String, FleetError> {
    if let Some(number) = book.reader().meta(BOOK_NAME)? {
        let is_number = number.len() == 16 && number.bytes().all(|byte| byte.is_ascii_hexdigit());
        if is_number {
            return Ok(number);
        }
    }
    let number = getrandom::u64().map_err(|error| FleetError::Start(error.to_string()))?;
    let number = format!("{number:016x}");
    book.set_meta(BOOK_NAME, &number)?;
    book.commit()?;
    Ok(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_book_keeps_its_number() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        let mut book = Book::create(&path).unwrap();
        let number = book_number(&mut book).unwrap();
        assert_eq!(number.len(), 16);
        drop(book);
        let mut book = Book::open(&path).unwrap();
        assert_eq!(book_number(&mut book).unwrap(), number);
        book.set_meta(BOOK_NAME, "nothing.*").unwrap();
        assert_ne!(book_number(&mut book).unwrap(), number);
    }
}
