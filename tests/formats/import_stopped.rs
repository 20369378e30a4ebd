//! Imports and exports that are stopped: nothing is half done.

use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rosebill::app::export::{ExportError, ExportOptions, ExportTarget, export};
use rosebill::app::import::{ImportError, ImportOptions, ImportStage, import};
use rosebill::files::books::Format;
use rosebill::lab::bench::grow_scratch;
use rosebill::openbook::{Rest, Searched, Source};
use rosebill::othello::board::{Key, Position};
use rosebill::othello::score::Score;
use rosebill::othello::search::{Proof, Selectivity};
use rosebill::store::Book;

use crate::import::Scratch;

/// More records than there are between two looks at the flag.
fn large_book() -> Scratch {
    let mut scratch = Scratch::new();
    for number in 0..3 {
        let engine = format!("bench {number}");
        scratch.book.source_id(&Source { engine, ..Source::default() }).unwrap();
    }
    let book = &mut scratch.book;
    grow_scratch(60_000, |layer| book.bulk_load(layer).map(|_| ())).unwrap();
    book.commit().unwrap();
    assert!(book.reader().counts().unwrap().positions > 2 * (1 << 14));
    scratch
}

#[test]
fn an_import_that_is_stopped_leaves_nothing_behind() {
    let large = large_book();
    let (file, _) = large.export("own.jsonl", Format::Json);
    let file = std::slice::from_ref(&file);
    let empty = Scratch::new();
    let mut known = Scratch::new();
    let source = known.book.source_id(&Source::default()).unwrap();
    let searched = Searched { depth: 60, selectivity: Selectivity::FULL, source };
    let rest = Some(Rest { square: None, score: Score::ZERO, proof: Proof::Exact });
    known.book.insert(Key::of(Position::START), rest, searched).unwrap();
    known.book.commit().unwrap();
    for mut scratch in [empty, known] {
        let before = scratch.nodes();
        for stage in [ImportStage::Reading, ImportStage::Linking, ImportStage::Writing] {
            let options = ImportOptions::default();
            let stopped = import(&mut scratch.book, file, &options, |now| {
                if now.stage == stage && now.done > 0 {
                    options.stop.stop();
                }
            });
            let stopped_at = match &stopped {
                Err(ImportError::Stopped(at)) => Some(at),
                _ => None,
            };
            assert_eq!(stopped_at, file.first(), "{stage:?}: {stopped:?}");
            assert_eq!(scratch.nodes(), before, "{stage:?}");
            assert_eq!(scratch.book.reader().runs().unwrap(), []);
            // What is raised already stops before the next file is looked for.
            let next = import(&mut scratch.book, &["/no/such/file".into()], &options, |_| {});
            assert!(matches!(next, Err(ImportError::Stopped(_))), "{next:?}");
        }
        // Once all of the file is written, the import ends as if nobody had stopped it.
        let options = ImportOptions::default();
        import(&mut scratch.book, file, &options, |now| {
            if now.stage == ImportStage::Settling {
                options.stop.stop();
            }
        })
        .unwrap();
        assert_eq!(scratch.nodes().len(), large.nodes().len());
        assert!(scratch.book.reader().verify().unwrap().is_sound());
    }
}

/// As a user does it: Ctrl-C while the program imports.
#[cfg(unix)]
#[test]
fn an_interrupt_ends_an_import_without_a_trace() {
    let large = large_book();
    let (file, _) = large.export("own.jsonl", Format::Json);
    let folder = tempfile::tempdir().unwrap();
    let book = folder.path().join("new.db");
    let import = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rosebill"));
        command.env_remove("ROSEBILL_CONFIG").env("XDG_CONFIG_HOME", folder.path());
        command.arg("import").arg(&file).arg("--book").arg(&book).arg("-q");
        command.stdout(Stdio::null());
        command
    };
    // It makes its book first and reads for longer than we need to see that; on a machine that holds
    // us up meanwhile it may be done, and is asked again.
    let interrupted = (0..10).any(|_| {
        let child = import().spawn().unwrap();
        let patience = Instant::now();
        while !book.exists() && patience.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(2));
        }
        let interrupt = ["-INT", &child.id().to_string()];
        assert!(Command::new("kill").args(interrupt).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        if output.status.success() {
            fs::remove_file(&book).unwrap();
            return false;
        }
        assert_eq!(output.status.code(), Some(130));
        true
    });
    assert!(interrupted);
    let left: Vec<_> = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| !name.ends_with(".lock"))
        .collect();
    assert_eq!(left, Vec::<String>::new());
    assert!(import().status().unwrap().success());
    let imported = Book::open(&book).unwrap().reader().counts().unwrap();
    assert_eq!(imported.positions, large.book.reader().counts().unwrap().positions);
}

#[test]
fn an_export_that_is_stopped_leaves_its_target_as_it_was() {
    let large = large_book();
    for format in Format::ALL {
        let path = large.folder.path().join(format!("kept.{}", format.name()));
        fs::write(&path, "what was there").unwrap();
        let files = || fs::read_dir(large.folder.path()).unwrap().count();
        let before = files();
        let options = ExportOptions::new(format);
        let stopped = export(large.book.reader(), &ExportTarget::of(&path), &options, |now| {
            if now.done > 0 {
                options.stop.stop();
            }
        });
        assert!(matches!(stopped, Err(ExportError::Stopped(_))), "{format}: {stopped:?}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "what was there");
        assert_eq!(files(), before, "{format}: something is left behind");
    }
}
