//! Where a book is, and how it is opened.

use std::path::{Path, PathBuf};

use super::clock::this_second;
use crate::othello::search::Stop;
use crate::store::{Book, Durability, Reader, StoreError};

/// Where a book is, and how it is opened.
#[derive(Clone, Debug)]
pub struct BookFile {
    /// The file, there or not.
    pub path: PathBuf,
    /// How soon commits reach the disk.
    pub durability: Durability,
    /// Whether the folder of a new book is made, too.
    pub makes_folder: bool,
    /// Once it is raised whatever goes through many positions ends, and changes nothing.
    pub stop: Stop,
    /// A book that is read, and never written, where there is none at `path`.
    pub instead: Option<PathBuf>,
    /// What was asked for: changes are noted under this name for `undo`, where they have none of their own.
    pub asked: String,
}

impl BookFile {
    /// A book of this path, as safe as a book can be, in a folder that is there.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            durability: Durability::Full,
            makes_folder: false,
            instead: None,
            stop: Stop::new(),
            asked: String::new(),
        }
    }

    /// Whether there is a file, whatever it is.
    pub(crate) fn exists(&self) -> bool {
        self.path.symlink_metadata().is_ok()
    }

    /// The file that is read: of this book, or of the one that is read instead; none where there is neither.
    pub(crate) fn readable(&self) -> Option<&Path> {
        let instead = self.instead.as_deref();
        if self.exists() { Some(&self.path) } else { instead }
    }

    /// Opens the book to ask it only.
    pub fn read(&self) -> Result<Reader, StoreError> {
        let mut reader = Reader::open(self.readable().unwrap_or(&self.path))?;
        reader.stop_by(&self.stop);
        Ok(reader)
    }

    pub fn open(&self) -> Result<Book, StoreError> {
        self.as_durable(Book::open(&self.path)?)
    }

    /// Makes an empty book.
    pub fn create(&self) -> Result<Book, StoreError> {
        self.make_folder()?;
        self.as_durable(Book::create(&self.path)?)
    }

    /// Makes the folder that the book belongs in, where that is to be made, too.
    pub(super) fn make_folder(&self) -> Result<(), StoreError> {
        match self.path.parent() {
            Some(folder) if self.makes_folder => std::fs::create_dir_all(folder).map_err(|cause| {
                StoreError::File { action: "create", path: folder.to_owned(), cause }
            }),
            _ => Ok(()),
        }
    }

    /// Opens the book for writing; one that is not there is made, and the answer is then true.
    pub fn open_or_create(&self) -> Result<(Book, bool), StoreError> {
        if self.exists() { Ok((self.open()?, false)) } else { Ok((self.create()?, true)) }
    }

    fn as_durable(&self, mut book: Book) -> Result<Book, StoreError> {
        book.set_durability(self.durability)?;
        book.stop_by(&self.stop);
        book.undo_log().name_changes(&self.asked, &this_second());
        Ok(book)
    }
}
