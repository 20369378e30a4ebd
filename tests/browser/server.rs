//! The program that serves a book, on a port of its own.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

use crate::club;

/// A server with a book; it ends with this.
pub struct Server {
    _folder: TempDir,
    child: Child,
    /// Where the page is.
    pub address: String,
    /// What is served.
    pub book: PathBuf,
}

impl Server {
    /// Serves the club's book, with more arguments.
    pub fn start(arguments: &[&str]) -> Self {
        let folder = TempDir::new().unwrap();
        let book = club::book(folder.path());
        Self::serve(folder, book, arguments)
    }

    /// Serves somebody's book.
    pub fn of(book: PathBuf) -> Self {
        Self::serve(TempDir::new().unwrap(), book, &[])
    }

    /// Serves where there is no book.
    pub fn without_a_book() -> Self {
        let folder = TempDir::new().unwrap();
        let book = folder.path().join("rosebill/rosebill.db");
        Self::serve(folder, book, &[])
    }

    fn serve(folder: TempDir, book: PathBuf, arguments: &[&str]) -> Self {
        let (child, address) = spawn("127.0.0.1:0", &book, arguments);
        Self { _folder: folder, child, address, book }
    }

    /// Ends it by a signal, and serves the same at the same address.
    pub fn restart(&mut self, signal: &str) {
        let listen = self.address.trim_start_matches("http://").split('/').next().unwrap();
        Command::new("kill").args([signal, &self.child.id().to_string()]).status().unwrap();
        self.child.wait().unwrap();
        (self.child, _) = spawn(listen, &self.book, &[]);
    }
}

/// The program as it serves, and where the page is.
fn spawn(listen: &str, book: &Path, arguments: &[&str]) -> (Child, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_rosebill"))
        .args(["serve", "--listen", listen])
        .args(book.exists().then(|| ["--book".as_ref(), book.as_os_str()]).into_iter().flatten())
        .env("XDG_DATA_HOME", book.ancestors().nth(2).unwrap())
        .env("XDG_CACHE_HOME", book.ancestors().nth(2).unwrap())
        .env_remove("ROSEBILL_BOOK")
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut first = String::new();
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    let address = loop {
        first.clear();
        assert!(lines.read_line(&mut first).unwrap() > 0, "the server ended");
        if let Some(word) = first.split_whitespace().find(|word| word.starts_with("http://")) {
            break word.to_owned();
        }
    };
    // It may go on to print.
    std::thread::spawn(move || lines.lines().count());
    (child, address)
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
