//! What comes in: from pipes, from any reader, under any name; and what is no book at all.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use rosebill::app::import::{ImportOptions, import_from};
use rosebill::files::books::egaroucid::{EgaroucidLeaf, EgaroucidRecord, EgaroucidWriter};
use rosebill::files::books::ntest::{NtestNode, NtestVersion, canonical, write_ntest};
use rosebill::files::books::{Format, sniff};
use rosebill::openbook::NodeSource;
use rosebill::othello::board::{Key, Position, Square};
use rosebill::othello::score::Score;
use rosebill::store::Book;
use tempfile::TempDir;

/// The position after f5, in the orientation that it is stored in.
fn after_f5() -> Position {
    Key::of(Position::START.play(Square::new(37)).unwrap()).position()
}

/// An `.egbk3` of two positions.
fn egaroucid() -> Vec<u8> {
    let mut writer = EgaroucidWriter::new(std::io::Cursor::new(Vec::new())).unwrap();
    for (position, value) in [(Position::START, 2), (after_f5(), -2)] {
        let leaf = EgaroucidLeaf::UNKNOWN;
        writer.write(&EgaroucidRecord { position, value, level: 21, lines: 1, leaf }).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// An `.egbk` of the same.
fn old_egaroucid() -> Vec<u8> {
    let mut bytes = vec![2, 0, 0, 0];
    for (position, value) in [(Position::START, 2), (after_f5(), -2)] {
        bytes.extend(position.mover.to_le_bytes());
        bytes.extend(position.opponent.to_le_bytes());
        bytes.push((64_i8 - value).cast_unsigned());
    }
    bytes
}

/// An NTest book of two positions.
fn ntest() -> Vec<u8> {
    let start = NtestNode {
        position: canonical(Position::START),
        games: [3, 4],
        height: 12,
        prune: 4,
        wld: false,
        known: false,
        proven: false,
        root: true,
        number: -150,
        stored: None,
    };
    let next = NtestNode { position: canonical(after_f5()), root: false, number: 80, ..start };
    let mut bytes = Vec::new();
    write_ntest(&mut bytes, NtestVersion::Forest, &[start, next]).unwrap();
    bytes
}

/// A folder with no book yet.
struct Desk(TempDir);

impl Desk {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rosebill"));
        command.current_dir(self.0.path());
        command.env_remove("ROSEBILL_CONFIG").env("XDG_CONFIG_HOME", self.0.path());
        command.env("ROSEBILL_BOOK", "book.db");
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command().args(arguments).output().unwrap()
    }

    /// Runs what must succeed, without a word on stderr but notes; gives its stdout.
    fn ok(&self, arguments: &[&str]) -> String {
        let done = self.run(arguments);
        assert_eq!(done.status.code(), Some(0), "{arguments:?}: {done:?}");
        String::from_utf8(done.stdout).unwrap()
    }

    /// Runs what must be refused, with one line that says why; nothing may be left.
    fn refused(&self, arguments: &[&str]) -> String {
        let done = self.run(arguments);
        let said = String::from_utf8(done.stderr).unwrap();
        assert_eq!(done.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(done.stdout.is_empty() && said.lines().count() == 1, "{arguments:?}: {said}");
        assert!(!self.path("book.db").exists(), "{arguments:?}: a book is left");
        said
    }

    /// All files, but for locks, which stay.
    fn files(&self) -> Vec<String> {
        let files = fs::read_dir(self.0.path()).unwrap();
        let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<_> = names.filter(|name| !name.ends_with(".lock")).collect();
        names.sort();
        names
    }
}

/// Zebra's text with the first of two nodes.
const CUT: &[u8] = b"2718\n2818\n2\n1367877565 1384641267 3 4 -1 9999 1\n";

#[test]
fn what_is_no_book_is_refused_with_what_and_where() {
    let desk = Desk::new();
    let mut broken_bin = vec![0; 26];
    broken_bin[4] = 1;
    let mut newer = egaroucid();
    newer[9] = 7;
    let mut misspelt = egaroucid();
    misspelt[0] = b'E';
    let mut too_long = old_egaroucid();
    too_long.push(0);
    let mut too_short = old_egaroucid();
    too_short.pop();
    for (name, bytes, part) in [
        ("empty.bin", &[][..], "byte 0: found an empty file, expected Zebra book"),
        ("empty.txt", &[], "byte 0: found an empty file, expected Edax text book"),
        ("empty", &[], "byte 0: found an empty file, expected a book"),
        ("blank.txt", b"\n% depth 3\n", "line 1: found no record at all"),
        ("zeros.bin", &[0; 100], "byte 0: found bytes 00 00 00 00, expected the numbers 2718"),
        ("broken.bin", &broken_bin, "byte 0: found bytes 00 00 00 00, expected the numbers 2718"),
        ("zeros.egbk3", &[0; 100], "byte 0: found '\\x00"),
        ("misspelt.egbk3", &misspelt, "found 'EICUORAGE', expected 'DICUORAGE'"),
        ("newer.egbk3", &newer, "byte 9: found version 7, expected version 2 or 3"),
        ("zeros.egbk2", &[0; 100], "expected 'DICUORAGE'"),
        ("zeros.egbk", &[0; 100], "byte 4: found bytes after the last of 0 records"),
        ("long.egbk", &too_long, "byte 38: found bytes after the last of 2 records"),
        ("short.egbk", &too_short, "byte 21: found the end of the file in record 2 of 2"),
        ("short.dat", b"XADEKOOB", "the end of the file after 8 bytes"),
        ("cut.txt", CUT, "line 5: found the end of the file after 1 of 2 nodes"),
    ] {
        fs::write(desk.path(name), bytes).unwrap();
        let said = desk.refused(&["import", name]);
        assert!(said.starts_with(&format!("rosebill: {name}, ")) && said.contains(part), "{said}");
    }
}

#[test]
fn a_named_format_is_never_overruled() {
    let desk = Desk::new();
    fs::write(desk.path("x.egbk3"), egaroucid()).unwrap();
    fs::write(desk.path("x.book"), ntest()).unwrap();
    desk.ok(&["convert", "x.egbk3", "x.cmp.z"]);
    desk.ok(&["convert", "x.egbk3", "x.cmp"]);
    for (name, format, part) in [
        ("x.egbk3", "edax", "found 'DICUORAG', expected 'XADEKOOB'"),
        ("x.egbk3", "zebra", "found bytes 44 49 43 55"),
        ("x.egbk3", "zebra-text", "found 'DICUORAGE'"),
        ("x.egbk3", "ntest", "found book format"),
        ("x.book", "egaroucid", "expected 'DICUORAGE'"),
        ("x.book", "ntest-1", "found book format 2, expected format 1 of NTest"),
        ("x.book", "edax-text", "line 1"),
        ("x.book", "json", "line 1"),
        ("x.cmp.z", "zebra-cmp", "byte 0: found 134777631 nodes and 0 moves"),
        ("x.cmp", "zebra-cmp-z", "expected 1f 8b 08, the start of a gzip'd file"),
    ] {
        let said = desk.refused(&["import", name, "--format", format]);
        assert!(said.contains(part), "{name} as {format}: {said}");
    }
    // Nothing named: content first, whatever it is called.
    fs::copy(desk.path("x.cmp.z"), desk.path("y.cmp")).unwrap();
    fs::copy(desk.path("x.cmp"), desk.path("z.cmp.z")).unwrap();
    assert_eq!(desk.ok(&["convert", "y.cmp", "z.cmp.z", "both.jsonl"]).matches("Zebra").count(), 2);
}

#[test]
fn an_old_egaroucid_book_is_told_by_its_ending_and_read() {
    let desk = Desk::new();
    fs::write(desk.path("x.egbk"), old_egaroucid()).unwrap();
    // One record: the first bytes are those of an NTest book of format 1.
    let mut one = old_egaroucid();
    one[0] = 1;
    one.truncate(21);
    fs::write(desk.path("one.egbk"), one).unwrap();
    for (name, records) in [("x.egbk", "2 records: 2 positions new"), ("one.egbk", "1 record: ")] {
        let said = desk.ok(&["import", name]);
        assert!(said.starts_with(&format!("{name}: Egaroucid book, {records}")), "{said}");
    }
    let book = Book::open(desk.path("book.db")).unwrap();
    let start = book.node(&Key::of(Position::START)).unwrap().unwrap();
    // Through the link: the value of the position after f5, turned.
    assert_eq!(start.values.guess, Score::from_discs(2));
    assert_eq!(start.linked().count(), 4);
}

#[test]
fn a_book_comes_from_any_reader() {
    let desk = Desk::new();
    for (name, bytes, format) in [
        ("a.egbk3", egaroucid(), Format::Egaroucid),
        ("b.egbk", old_egaroucid(), Format::Egaroucid),
        ("c.book", ntest(), Format::Ntest),
    ] {
        let mut book = Book::create(desk.path(name).with_extension("db")).unwrap();
        let options = ImportOptions::default();
        let path = Path::new("folder").join(name);
        let report = import_from(&mut book, &path, bytes.as_slice(), &options, |_| {}).unwrap();
        let file = &report.files[0];
        assert_eq!((file.format, file.records, file.new), (format, 2, 2), "{name}");
        let source = book.reader().sources().unwrap().remove(0).source;
        assert_eq!(source.file, name);
        assert_eq!(source.checksum, format!("crc32:{:08x}", crc32fast::hash(&bytes)));
        // What a book says beside its nodes is kept from a reader, too.
        let originals = book.reader().originals().sources().unwrap();
        let kept =
            originals.first().map(|&id| book.reader().originals().unpacked(id).unwrap().unwrap());
        assert_eq!(kept, (name != "b.egbk").then_some(bytes), "{name}");
    }
    assert_eq!(sniff(Path::new("x"), &egaroucid()).unwrap(), Format::Egaroucid);
}

#[test]
fn options_stand_anywhere_and_quiet_prints_nothing() {
    let desk = Desk::new();
    fs::write(desk.path("a.egbk3"), egaroucid()).unwrap();
    fs::write(desk.path("b.book"), ntest()).unwrap();
    for arguments in [
        &["convert", "a.egbk3", "--to", "json", "b.json"][..],
        &["convert", "a.egbk3", "--lenient", "b.book", "--to", "json", "b.json", "--force"],
        &["convert", "--to", "json", "a.egbk3", "b.json", "-q", "--force"],
        &["import", "a.egbk3", "--lenient", "b.book", "-q"],
        &["export", "--format", "json", "c.json", "-q"],
    ] {
        let done = desk.run(arguments);
        assert!(done.status.success(), "{arguments:?}: {done:?}");
        let quiet = arguments.contains(&"-q");
        assert_eq!(done.stdout.is_empty(), quiet, "{arguments:?}: {done:?}");
        assert!(!quiet || done.stderr.is_empty(), "{done:?}");
    }
    assert_eq!(desk.ok(&["import", "a.egbk3", "-q", "--json"]).lines().count(), 1);
    assert_eq!(desk.ok(&["export", "c.json", "-q", "--json", "--force"]).lines().count(), 1);
    assert!(
        String::from_utf8(desk.run(&["import", "none", "-q"]).stderr).unwrap().contains("none")
    );
    fs::remove_file(desk.path("book.db")).unwrap();
    let said = desk.refused(&["convert", "a.egbk3"]);
    assert!(said.contains("a.egbk3: to which file?"), "{said}");
}

#[cfg(unix)]
mod pipes {
    use std::ffi::OsStr;
    use std::io::Write;
    use std::os::unix::ffi::OsStrExt;
    use std::process::{Child, Stdio};
    use std::thread;
    use std::time::{Duration, Instant};

    use super::*;

    impl Desk {
        /// A named pipe.
        fn pipe(&self, name: &str) -> PathBuf {
            let path = self.path(name);
            assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
            path
        }
    }

    /// Writes into a pipe, in pieces as a slow program would.
    fn write_slowly(path: PathBuf, bytes: Vec<u8>) -> thread::JoinHandle<()> {
        thread::spawn(move || {
            let mut pipe = fs::File::options().write(true).open(path).unwrap();
            for piece in bytes.chunks(7) {
                // Who reads may have seen enough.
                if pipe.write_all(piece).is_err() {
                    return;
                }
            }
        })
    }

    /// Waits for a program's end, at most 20 seconds.
    fn ended(child: &mut Child) -> Option<i32> {
        let patience = Instant::now();
        while patience.elapsed() < Duration::from_secs(20) {
            if let Some(status) = child.try_wait().unwrap() {
                return status.code();
            }
            thread::sleep(Duration::from_millis(10));
        }
        child.kill().unwrap();
        panic!("it hangs");
    }

    /// Waits until a program has set its handler of the signal to end.
    fn listens(child: &Child) {
        const TERM: u64 = 1 << 14;
        let file = format!("/proc/{}/status", child.id());
        let caught = || -> Option<u64> {
            let status = fs::read_to_string(&file).ok()?;
            let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"))?;
            u64::from_str_radix(mask.trim(), 16).ok()
        };
        if caught().is_none() {
            // Other systems do not tell.
            thread::sleep(Duration::from_secs(2));
        }
        let patience = Instant::now();
        while caught().is_some_and(|mask| mask & TERM == 0) {
            assert!(patience.elapsed() < Duration::from_secs(20), "it does not listen");
            thread::sleep(Duration::from_millis(10));
        }
    }

    #[test]
    fn every_format_is_read_from_a_named_pipe() {
        let desk = Desk::new();
        fs::write(desk.path("x.egbk3"), egaroucid()).unwrap();
        fs::write(desk.path("x.egbk"), old_egaroucid()).unwrap();
        fs::write(desk.path("x.book"), ntest()).unwrap();
        let made = ["x.dat", "x.txt", "x.bin", "y.txt", "x.cmp", "x.cmp.z", "x.jsonl", "one.book"];
        let formats = [
            "edax",
            "edax-text",
            "zebra",
            "zebra-text",
            "zebra-cmp",
            "zebra-cmp-z",
            "json",
            "ntest-1",
        ];
        for (name, format) in made.iter().zip(formats) {
            desk.ok(&["convert", "x.egbk3", "--to", format, name]);
        }
        for name in ["x.egbk3", "x.egbk", "x.book"].iter().chain(&made) {
            let bytes = fs::read(desk.path(name)).unwrap();
            let from_file = desk.ok(&["convert", name, "--json", "--force", "file.jsonl"]);
            let pipe = desk.pipe(&format!("pipe-{name}"));
            let writer = write_slowly(pipe.clone(), bytes.clone());
            let mut child = desk
                .command()
                .args(["import", "--json", "--book", &format!("{name}.db")])
                .arg(&pipe)
                .stdout(Stdio::piped())
                .spawn()
                .unwrap();
            assert_eq!(ended(&mut child), Some(0), "{name}");
            let said = child.wait_with_output().unwrap().stdout;
            let said: serde_json::Value = serde_json::from_slice(&said).unwrap();
            let from_file: serde_json::Value =
                serde_json::from_str(from_file.lines().next().unwrap()).unwrap();
            for field in ["records", "new", "defects", "format"] {
                assert_eq!(said[field], from_file[field], "{name}: {field}");
            }
            assert!(said["new"].as_u64() > Some(0), "{name}: {said}");
            writer.join().unwrap();

            // Zebra's files are repacked without a book: once opened, too.
            let writer = write_slowly(pipe.clone(), bytes);
            let mut child = desk
                .command()
                .args(["convert", "-q", "--force"])
                .arg(&pipe)
                .args(["piped.bin"])
                .spawn()
                .unwrap();
            assert_eq!(ended(&mut child), Some(0), "{name}");
            writer.join().unwrap();
            desk.ok(&["convert", name, "filed.bin", "-q", "--force"]);
            let [piped, filed] =
                ["piped.bin", "filed.bin"].map(|name| fs::read(desk.path(name)).unwrap());
            assert_eq!(piped, filed, "{name}");
        }
    }

    #[test]
    fn a_signal_ends_the_waiting_for_a_writer() {
        for (signal, format) in [("-TERM", None), ("-INT", Some("ntest")), ("-HUP", Some("edax"))] {
            let desk = Desk::new();
            let pipe = desk.pipe("pipe");
            let mut command = desk.command();
            command.arg("import").arg(&pipe).stderr(Stdio::piped());
            if let Some(format) = format {
                command.args(["--format", format]);
            }
            let mut child = command.spawn().unwrap();
            // The book is made before the first file is looked at.
            let patience = Instant::now();
            while !desk.path("book.db").exists() && patience.elapsed() < Duration::from_secs(20) {
                thread::sleep(Duration::from_millis(2));
            }
            thread::sleep(Duration::from_millis(100));
            let id = child.id().to_string();
            assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
            assert_eq!(ended(&mut child), Some(130), "{signal}");
            let said = String::from_utf8(child.wait_with_output().unwrap().stderr).unwrap();
            assert!(said.contains("interrupted: nothing was imported from"), "{said}");
            assert_eq!(desk.files(), ["pipe"], "{signal}");
        }
    }

    #[test]
    fn games_come_through_pipes_and_a_signal_ends_the_waiting_for_them() {
        let desk = Desk::new();
        let pipe = desk.pipe("games");
        let writer = write_slowly(pipe.clone(), b"f5d6c3d3c4\nf5f6e6f4\n".to_vec());
        let told = desk.ok(&["games", "import", "games"]);
        assert_eq!(told, "games: 2 games, 2 new\n");
        writer.join().unwrap();
        for (arguments, code) in [
            (&["games", "import", "games", "--book", "new.db"][..], 130),
            (&["games", "import", "-", "--book", "new.db"], 130),
            (&["analyze", "games", "--level", "1"], 130),
        ] {
            let mut command = desk.command();
            let mut child = command.args(arguments).stdin(Stdio::piped()).spawn().unwrap();
            listens(&child);
            let id = child.id().to_string();
            assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
            let input = child.stdin.take();
            assert_eq!(ended(&mut child), Some(code), "{arguments:?}");
            drop(input);
            assert_eq!(desk.files(), ["book.db", "games"], "{arguments:?}");
        }
    }

    #[test]
    fn a_signal_ends_the_waiting_for_more_bytes() {
        let desk = Desk::new();
        let pipe = desk.pipe("pipe.book");
        let mut child = desk.command().arg("import").arg(&pipe).spawn().unwrap();
        let mut writer = fs::File::options().write(true).open(&pipe).unwrap();
        // More than is looked at to tell the format: the reader is inside the book.
        writer.write_all(&ntest()[..30]).unwrap();
        writer.flush().unwrap();
        thread::sleep(Duration::from_millis(200));
        let id = child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
        assert_eq!(ended(&mut child), Some(130));
        assert_eq!(desk.files(), ["pipe.book"]);
    }

    #[test]
    fn names_that_are_no_unicode_are_told_as_far_as_they_can_be() {
        let desk = Desk::new();
        let name = OsStr::from_bytes(b"caf\xe9.egbk3");
        fs::write(desk.0.path().join(name), egaroucid()).unwrap();
        let lossy = "caf\u{fffd}.egbk3";
        let done = desk.command().args(["import", "--json"]).arg(name).output().unwrap();
        assert_eq!(done.status.code(), Some(0), "{done:?}");
        let said: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
        assert_eq!(said["file"], lossy);
        let book = Book::open(desk.path("book.db")).unwrap();
        assert_eq!(book.reader().runs().unwrap()[0].command, format!("import --json '{lossy}'"));
        assert_eq!(book.reader().sources().unwrap()[0].source.file, lossy);
        drop(book);
        let out = OsStr::from_bytes(b"caf\xe9.jsonl");
        let done = desk.command().args(["export", "--json"]).arg(out).output().unwrap();
        assert_eq!(done.status.code(), Some(0), "{done:?}");
        assert!(desk.0.path().join(out).exists());
        let done = desk.command().args(["convert", "--force"]).args([name, out]).output().unwrap();
        assert_eq!(done.status.code(), Some(0), "{done:?}");
    }

    #[test]
    fn folders_are_refused() {
        let desk = Desk::new();
        fs::create_dir(desk.path("folder.dat")).unwrap();
        let said = desk.refused(&["import", "folder.dat"]);
        assert!(said.contains("folder.dat: it is a folder"), "{said}");
    }
}
