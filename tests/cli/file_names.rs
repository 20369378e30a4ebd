//! File names that are no Unicode.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use crate::desk::{Desk, stderr};

const NAME: &[u8] = b"b\xffok.db";

fn done(desk: &Desk, book: &OsStr, arguments: &[&OsStr]) -> String {
    let mut command = desk.command();
    let output = command.arg("--book").arg(book).args(arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", stderr(&output));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn are_told_lossily_and_noted_with_the_run() {
    let desk = Desk::grown("5");
    let name = OsStr::from_bytes(NAME);
    let words = |text: &'static str| text.split(' ').map(OsStr::new).collect::<Vec<_>>();
    let grown = done(&desk, name, &words("grow --positions 3 --level 1 --json"));
    assert!(grown.contains("b\u{fffd}ok.db"), "{grown}");
    assert!(desk.path("").join(name).is_file(), "the book has the name that was asked for");
    assert!(done(&desk, name, &words("info")).contains("--book 'b\u{fffd}ok.db' grow"));

    let merge = [&words("import --json")[..], &[name]].concat();
    let merged = done(&desk, OsStr::new("book.db"), &merge);
    assert!(merged.contains("b\u{fffd}ok.db"), "{merged}");

    let snapshot = OsStr::from_bytes(b"s\xff.snapshot");
    let taken = done(&desk, name, &[&words("snapshot --json")[..], &[snapshot]].concat());
    assert!(taken.contains("s\u{fffd}.snapshot"), "{taken}");
    done(&desk, name, &[OsStr::new("snapshot"), OsStr::new("restore"), snapshot]);
    done(&desk, name, &words("undo"));
    done(&desk, name, &words("prune --max-discs 5 --compact"));
}
