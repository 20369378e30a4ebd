//! A room imports only rooms listed before it, and a face knows no insides of books.

#![allow(clippy::unwrap_used)] // a test ends where something is missing

use std::fs;
use std::path::{Path, PathBuf};

/// The rooms of the house, in order (`src/lib.rs`).
const ROOMS: [&str; 8] = ["othello", "openbook", "store", "files", "app", "fleet", "lab", "faces"];

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The rooms that a text names after `crate::`.
fn imports(text: &str) -> Vec<&str> {
    text.split("crate::")
        .skip(1)
        .map(|rest| {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
            &rest[..end.unwrap_or(rest.len())]
        })
        .collect()
}

#[test]
fn a_room_imports_only_rooms_before_it() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    rust_files(&src, &mut files);
    let (mut checked, mut faults) = (0, Vec::new());
    for file in files {
        let inside = file.strip_prefix(&src).unwrap();
        let first = inside.components().next().unwrap().as_os_str().to_string_lossy();
        let Some(own) = ROOMS.iter().position(|room| *room == first) else {
            assert!(first == "main.rs" || first == "lib.rs", "src/{first} is in no room");
            continue;
        };
        let text = fs::read_to_string(&file).unwrap();
        for import in imports(&text) {
            checked += 1;
            match ROOMS.iter().position(|room| *room == import) {
                Some(room) if room <= own => {}
                _ => faults.push(format!("{} imports {import}", inside.display())),
            }
        }
    }
    assert!(checked > 1000, "only {checked} imports were found");
    assert!(faults.is_empty(), "imports against the order of rooms:\n{}", faults.join("\n"));
}

/// A face parses and prints. Of books it knows what `app` hands on, and it ends no transaction.
#[test]
fn the_command_line_knows_no_insides_of_books() {
    let mut files = Vec::new();
    rust_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/faces/cli"), &mut files);
    assert!(files.len() > 20, "the sources were not found");
    let mut faults = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        for inside in
            ["crate::openbook", "crate::store::Book", ".commit(", ".settle(", ".set_rest("]
        {
            if text.contains(inside) {
                faults.push(format!("{}: {inside}", file.display()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
