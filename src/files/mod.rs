//! Bytes in and out: the files of books and of games that this program and others write.
//!
//! [`books`] and [`games`] have a room for each format, and a list of them: a format is one entry there, and
//! all else that knows it is in its room. Packing, encodings, lines, rows of tables, places and faults are
//! shared. A book is only read here: what is imported is for `app` to decide.
//! Begin reading with [`books::Format`] and [`games::GameFormat`].

pub mod books;
pub mod games;

pub(crate) mod bytes;
pub(crate) mod charset;
pub(crate) mod counted;
pub(crate) mod fault;
pub(crate) mod kind;
pub(crate) mod lines;
pub(crate) mod packed;
pub(crate) mod table_rows;
