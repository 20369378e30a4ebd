//! A disk on which nothing more can be written: one clear line, and the book intact.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const PROGRAM: &str = env!("CARGO_BIN_EXE_rosebill");

fn rosebill(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(PROGRAM)
        .args(arguments)
        .env("ROSEBILL_CONFIG", settings(folder))
        .env("XDG_CONFIG_HOME", folder)
        .env("ROSEBILL_BOOK", folder.join("book.db"))
        .current_dir(folder)
        .output()
        .unwrap()
}

/// The settings of a folder; none are named where there are none.
fn settings(folder: &Path) -> PathBuf {
    Some(folder.join("config.toml")).filter(|file| file.exists()).unwrap_or_default()
}

/// No file may grow beyond so many blocks of 512 bytes, as on a disk that is full.
fn with_little_room(folder: &Path, blocks: u32, arguments: &[&str]) -> Output {
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    Command::new("sh")
        .args(["-c", &script, PROGRAM])
        .args(arguments)
        .env("ROSEBILL_CONFIG", settings(folder))
        .env("XDG_CONFIG_HOME", folder)
        .env("ROSEBILL_BOOK", folder.join("book.db"))
        .current_dir(folder)
        .output()
        .unwrap()
}

fn positions(folder: &Path) -> u64 {
    let output = rosebill(folder, &["info", "--by-discs", "--json"]);
    let stats: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    stats["positions"].as_u64().unwrap()
}

fn assert_refused(output: &Output) {
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(!text.contains("panicked"), "{text}");
}

#[test]
fn no_room_is_told_in_one_line_and_harms_no_book() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let grown = rosebill(folder, &["grow", "--positions=2000", "--level=1", "--threads=1", "-q"]);
    assert!(grown.status.success());
    assert!(rosebill(folder, &["export", "all.jsonl", "-q"]).status.success());
    assert!(rosebill(folder, &["snapshot", "all.snapshot", "-q"]).status.success());
    assert!(rosebill(folder, &["prune", "--max-discs=9", "-q"]).status.success());
    let few = positions(folder);
    assert!(few < 2000);
    // What came in meanwhile is kept, but not in half: the book is sound after each.
    let grow = ["grow", "--positions=9000", "--level=1", "--threads=1", "-q"];
    let cases: [&[&str]; 4] = [
        &["import", "all.jsonl", "-q"],
        &["snapshot", "restore", "all.snapshot", "--no-undo", "-q"],
        &["snapshot", "again.snapshot", "-q"],
        &grow,
    ];
    for arguments in cases {
        let room = if arguments[0] == "snapshot" { 1 } else { 80 };
        let output = with_little_room(folder, room, arguments);
        assert_refused(&output);
        if arguments[0] != "grow" {
            assert_eq!(positions(folder), few, "{arguments:?}");
        }
        let verified = rosebill(folder, &["verify"]);
        assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stdout));
    }
    assert!(!folder.join("again.snapshot").exists());
    // With room again everything goes on.
    assert!(
        rosebill(folder, &["snapshot", "restore", "all.snapshot", "--no-undo"]).status.success()
    );
    assert_eq!(positions(folder), 2000);
}

/// Wherever the making of a book fails, for want of room or by what is asked, nothing of it stays.
#[test]
fn a_book_that_cannot_be_made_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let names = || -> Vec<_> {
        let entries = std::fs::read_dir(folder.path()).unwrap();
        entries.map(|entry| entry.unwrap().file_name()).collect()
    };
    // No room for the lock, for the tables, for the log, for the shared memory of readers.
    let mut made = 0;
    for blocks in [0, 1, 8, 64, 160, 280, 400] {
        let output = with_little_room(folder.path(), blocks, &["new", "-q"]);
        if output.status.success() {
            made += 1;
            std::fs::remove_file(folder.path().join("book.db")).unwrap();
            std::fs::remove_file(folder.path().join("book.db.lock")).unwrap();
        } else {
            assert_refused(&output);
            let text = String::from_utf8_lossy(&output.stderr);
            assert!(!text.contains("last commit"), "{text}");
        }
        assert_eq!(names(), [""; 0], "{blocks} blocks");
    }
    assert!((1..6).contains(&made), "{made}");
    let output = with_little_room(folder.path(), 400, &["new", "--starter", "-q"]);
    assert_refused(&output);
    assert_eq!(names(), [""; 0]);
    // A lock file that was there before belongs to somebody else.
    std::fs::write(folder.path().join("book.db.lock"), "").unwrap();
    assert_refused(&with_little_room(folder.path(), 1, &["new", "-q"]));
    assert_eq!(names(), ["book.db.lock"]);
}

#[test]
fn no_room_harms_no_configuration() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let text = |level: &str| format!("# of all my machines\nlevel = {level}\n");
    let (file, link) = (folder.join("dotfiles.toml"), folder.join("config.toml"));
    std::fs::write(&file, text("12")).unwrap();
    let own = std::fs::Permissions::from_mode(0o600);
    std::fs::set_permissions(&file, own.clone()).unwrap();
    std::os::unix::fs::symlink("dotfiles.toml", &link).unwrap();
    assert_refused(&with_little_room(folder, 0, &["config", "set", "level", "16"]));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), text("12"));
    assert!(rosebill(folder, &["config", "set", "level", "16"]).status.success());
    assert_eq!(std::fs::read_to_string(&file).unwrap(), text("16"));
    assert!(link.is_symlink());
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), 2);
}

#[test]
fn no_room_loses_no_game_that_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("lines.txt"), "f5d6\nf5f4\nf5f6\n").unwrap();
    let played =
        ["lab", "match", "squares", "phases", "--depth=1", "--solve-from=2", "--threads=1"];
    let more = ["--table=1", "--openings=lines.txt", "-q", "--save"];
    let output = with_little_room(folder, 4, &[&played[..], &more, &["games.pgn"]].concat());
    assert_refused(&output);
    let text = std::fs::read_to_string(folder.join("games.pgn")).unwrap();
    let games = text.matches("[Event ").count();
    assert!((1..6).contains(&games), "{text}");
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(told.contains(&format!("games.pgn holds the first {games} game")), "{told}");
    let imported = rosebill(folder, &["games", "import", "games.pgn", "--json"]);
    let file = String::from_utf8_lossy(&imported.stdout).lines().next().unwrap().to_owned();
    let file: serde_json::Value = serde_json::from_str(&file).unwrap();
    assert_eq!((&file["new"], &file["refused"]), (&games.into(), &0.into()), "{file}");
    // Where there is room for none there is no file.
    let output = with_little_room(folder, 0, &[&played[..], &more, &["none.pgn"]].concat());
    assert_refused(&output);
    assert!(!folder.join("none.pgn").exists());
}

/// What cannot be written is named as it was asked for, and nothing empty stays behind.
#[test]
fn no_room_is_told_of_the_file_that_was_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let grown = rosebill(folder, &["grow", "--positions=2000", "--level=1", "--threads=1", "-q"]);
    assert!(grown.status.success());
    assert!(rosebill(folder, &["export", "all.jsonl", "-q"]).status.success());
    let cases: [(u32, &[&str], &str); 8] = [
        (0, &["verify", "--salvage", "out.db"], "cannot create out.db: "),
        (1, &["verify", "--salvage", "out.db"], "cannot create out.db: "),
        (80, &["verify", "--salvage", "out.db"], "cannot create out.db: "),
        (80, &["prune", "--max-discs=30", "--to", "out.db"], "cannot create out.db: "),
        (0, &["convert", "all.jsonl", "out.dat"], "cannot create out.dat: "),
        (0, &["lab", "train", "games", "--count=1", "--out", "out.games"], "out.games: "),
        (0, &["show"], "there is no room for "),
        (0, &["info", "--by-discs"], "book.db-shm beside it, which it is read with"),
    ];
    for (blocks, arguments, expected) in cases {
        let output = with_little_room(folder, blocks, arguments);
        assert_refused(&output);
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(told.contains(expected) && !told.contains("unfinished"), "{arguments:?}: {told}");
        let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        let left: Vec<_> = names.filter(|name| name.to_string_lossy().starts_with("out")).collect();
        assert!(left.is_empty(), "{arguments:?}: {left:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    assert!(rosebill(folder, &["new", "-q"]).status.success());
    let analyze = ["analyze", "f5d6c3d3c4f4", "--level=1", "--exact-from=2", "-q"];
    for kind in ["--svg", "--html", "--pgn"] {
        let output = rosebill(folder, &[&analyze[..], &[kind, "/dev/full"]].concat());
        assert_refused(&output);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(told, "rosebill: cannot write /dev/full: no space is left\n", "{kind}");
        let full = std::fs::File::create("/dev/full").unwrap();
        let mut command = Command::new(PROGRAM);
        command.args(analyze).args([kind, "-"]).env("ROSEBILL_BOOK", folder.join("book.db"));
        command.env("ROSEBILL_CONFIG", "").env("XDG_CONFIG_HOME", folder);
        let output = command.stdout(full).output().unwrap();
        assert_refused(&output);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(told, "rosebill: cannot write standard output: no space is left\n", "{kind}");
    }
}

/// Who talks to a program hears when nothing comes through; who has heard enough is told of nothing.
#[cfg(target_os = "linux")]
#[test]
fn an_engine_says_when_it_can_neither_hear_nor_speak() {
    use std::fs::File;
    use std::process::Stdio;
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    assert!(rosebill(folder, &["new", "-q"]).status.success());
    std::fs::write(folder.join("talk"), "name\nnboard 2\nping 1\n").unwrap();
    for engine in ["gtp", "nboard"] {
        let run = |stdin: File, stdout: Stdio| {
            let mut command = Command::new(PROGRAM);
            command.arg(engine).env("ROSEBILL_BOOK", folder.join("book.db"));
            command.env("ROSEBILL_CONFIG", "").env("XDG_CONFIG_HOME", folder);
            command.stdin(stdin).stdout(stdout).stderr(Stdio::piped());
            command.spawn().unwrap().wait_with_output().unwrap()
        };
        let talk = || File::open(folder.join("talk")).unwrap();
        let deaf = run(File::open(folder).unwrap(), Stdio::piped());
        let told = String::from_utf8_lossy(&deaf.stderr);
        assert_eq!(deaf.status.code(), Some(2), "{engine}: {told}");
        assert_eq!(told, "rosebill: cannot read standard input: it is a folder\n", "{engine}");
        let dumb = run(talk(), File::create("/dev/full").unwrap().into());
        let told = String::from_utf8_lossy(&dumb.stderr);
        assert_eq!(dumb.status.code(), Some(2), "{engine}: {told}");
        assert_eq!(told, "rosebill: cannot write standard output: no space is left\n", "{engine}");
        assert_eq!(run(talk(), Stdio::piped()).status.code(), Some(0), "{engine}");
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        assert_eq!(run(talk(), writer.into()).status.code(), Some(0), "{engine}");
    }
}
