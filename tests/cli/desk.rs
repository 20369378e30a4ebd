//! Where a user sits: a folder, a book, and the program.

use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

/// A folder of its own with a book that does not exist yet, and no configuration of the user's.
pub struct Desk {
    /// The folder, which goes with the desk.
    pub folder: TempDir,
    /// Whether the environment names the book, which is else where the program looks by itself.
    names_book: bool,
}

impl Desk {
    pub fn new() -> Self {
        Self { folder: TempDir::new().unwrap(), names_book: true }
    }

    /// Of a user who has no book and names none.
    pub fn without_a_book() -> Self {
        Self { names_book: false, ..Self::new() }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The names of what is saved beside books for `undo`, sorted.
    pub fn saved(&self) -> Vec<String> {
        let names = std::fs::read_dir(self.folder.path()).unwrap();
        let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let is_saved = |name: &String| name.contains(".undo.") || name.contains(".redo.");
        let mut saved: Vec<String> = names.filter(is_saved).collect();
        saved.sort_unstable();
        saved
    }

    /// The name under which the book is saved before the change of a number.
    pub fn saved_name(&self, change: u64) -> String {
        let book = self.path("book.db");
        let identity = rosebill::store::Reader::open(&book).unwrap().identity().unwrap().unwrap();
        let path = rosebill::store::saved_path(&book, &identity, change, false);
        path.file_name().unwrap().to_str().unwrap().to_owned()
    }

    pub fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rosebill"));
        command
            .env_remove("ROSEBILL_CONFIG")
            .env("XDG_CONFIG_HOME", self.folder.path())
            .env("XDG_DATA_HOME", self.path("data"))
            .env("XDG_CACHE_HOME", self.path("cache"))
            .env_remove("ROSEBILL_BOOK")
            .env("SOURCE_DATE_EPOCH", "1763600000")
            .current_dir(self.folder.path());
        if self.names_book {
            command.env("ROSEBILL_BOOK", self.path("book.db"));
        }
        // A file that is named must be there.
        let settings = self.path("config.toml");
        if settings.exists() {
            command.env("ROSEBILL_CONFIG", settings);
        }
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        let mut command = self.command();
        if arguments.first() == Some(&"config") {
            command.env("ROSEBILL_CONFIG", self.path("config.toml"));
        }
        command.args(arguments).output().unwrap()
    }

    /// Runs what must succeed and gives its stdout.
    pub fn ok(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
        String::from_utf8(output.stdout).unwrap()
    }

    /// Runs what is done but for what it skips, and gives its stdout.
    pub fn partly(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(3), "{arguments:?}: {}", stderr(&output));
        String::from_utf8(output.stdout).unwrap()
    }

    pub fn json(&self, arguments: &[&str]) -> Value {
        let text = self.ok(&[arguments, &["--json"]].concat());
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
    }

    /// Runs what must fail with exit code 2 and one line on stderr, and gives that line.
    pub fn refused(&self, arguments: &[&str]) -> String {
        self.told(2, arguments)
    }

    /// What is told where the asked-for thing is not there.
    pub fn not_there(&self, arguments: &[&str]) -> String {
        self.told(1, arguments)
    }

    fn told(&self, code: i32, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
        assert!(output.stdout.is_empty(), "{arguments:?} printed a result");
        let text = stderr(&output);
        assert!(!text.contains("panicked"), "{text}");
        text.trim_end().to_owned()
    }

    /// The same book, with its log, on another desk.
    pub fn copy_of(other: &Self) -> Self {
        let desk = Self::new();
        for name in ["book.db", "book.db-wal"] {
            std::fs::copy(other.path(name), desk.path(name)).unwrap();
        }
        desk
    }

    pub fn grown(positions: &str) -> Self {
        let desk = Self::new();
        desk.ok(&["grow", "--positions", positions, "--level", "2", "--threads", "1", "-q"]);
        desk
    }
}

/// What a run said on stderr.
pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Whether a text is one message: a line, and below it commands that may help.
pub fn is_one_line(text: &str) -> bool {
    let mut lines = text.split('\n');
    lines.next().is_some_and(|line| !line.is_empty())
        && lines.all(|line| line.starts_with("  try: rosebill "))
}
