//! Weights into a file.

use std::path::Path;

use crate::app::output::write_file;
use crate::othello::eval::Weights;
use crate::othello::eval::weights::WeightsError;

/// Writes weights to a file as a whole, or leaves what was there.
pub(crate) fn keep_weights(weights: &Weights, path: &Path) -> Result<(), WeightsError> {
    let written = weights.to_bytes().and_then(|bytes| write_file(path, &bytes));
    written.map_err(|cause| WeightsError::Io { path: path.to_owned(), cause })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use rusqlite::Connection;

    use super::keep_weights;
    use crate::othello::eval::{PatternEvaluator, Weights};

    #[test]
    fn what_was_there_is_replaced_as_a_whole_but_a_book_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let evaluator = PatternEvaluator::embedded().unwrap();
        let path = folder.path().join("new.weights");
        fs::write(&path, "older").unwrap();
        keep_weights(evaluator.weights(), &path).unwrap();
        assert_eq!(Weights::read(&path).unwrap().checksum(), evaluator.weights().checksum());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "something lies beside it");

        let book = folder.path().join("book.db");
        Connection::open(&book).unwrap().execute_batch("CREATE TABLE kept (value)").unwrap();
        let before = fs::read(&book).unwrap();
        let error = keep_weights(evaluator.weights(), &book).unwrap_err().to_string();
        assert!(error.contains("it holds games or a book"), "{error}");
        assert_eq!(fs::read(&book).unwrap(), before);
    }
}
