//! Bytes in and out: the files of books and of games that this program and others write.
//!
//! [`books`] and [`games`] have a room for each format; packing, encodings and rows of tables are shared.
//! Nothing here opens a book for writing or decides what is imported: that is for `app`.
//! Begin reading with [`books::open`] and [`games::open`].

pub mod books;
pub mod games;

pub(crate) mod archive;
pub(crate) mod charset;
pub(crate) mod counted;
pub(crate) mod table_rows;
