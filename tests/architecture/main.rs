//! Data flows one way: a module imports only from floors below its own.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test ends where something is missing

mod files;

use std::fs;
use std::path::{Path, PathBuf};

use files::{Files, circles};

/// The floors, lowest first. Modules of one floor do not know each other.
const FLOORS: [&[&str]; 13] = [
    &[
        "archive",
        "charset",
        "counted",
        "file_identity",
        "figures",
        "lock",
        "one_line",
        "program",
        "random",
        "score",
        "shell_words",
        "system_error",
        "table_rows",
        "text_lines",
        "unfinished",
        "whole_file",
    ],
    &["board"],
    &["eval"],
    &["search"],
    &["book"],
    &["store"],
    &["formats", "games"],
    &["ops"],
    &["fleet"],
    &["render"],
    &["protocol", "web"],
    &["cli"],
    &["main", "lib"],
];

fn floor(module: &str) -> Option<usize> {
    FLOORS.iter().position(|floor| floor.contains(&module))
}

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

/// The modules that a source text names after `crate::` (or `rosebill::` in the program).
fn imports(source: &str) -> Vec<String> {
    let mut found = Vec::new();
    for prefix in ["crate::", "rosebill::"] {
        for (at, _) in source.match_indices(prefix) {
            let before = source[..at].chars().next_back();
            if before.is_some_and(|c| c.is_alphanumeric() || c == '_') {
                continue;
            }
            let rest = &source[at + prefix.len()..];
            if let Some(group) = rest.strip_prefix('{') {
                found.extend(members(group));
            } else {
                found.push(leading_word(rest));
            }
        }
    }
    found
}

/// The modules of other floors that a source text names by climbing up to the crate: `super::` as
/// often as its file lies deep. A module inside the file lies one deeper, so what it names there
/// may be of its own file: only names of floors count.
fn climbs(source: &str, depth: usize) -> Vec<String> {
    let climb = "super::".repeat(depth);
    let mut found = Vec::new();
    for (at, _) in source.match_indices(&climb) {
        let before = source[..at].chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
            continue;
        }
        let rest = source[at + climb.len()..].trim_start_matches("super::");
        found.extend(match rest.strip_prefix('{') {
            Some(group) => members(group),
            None => vec![leading_word(rest)],
        });
    }
    found.retain(|name| floor(name).is_some());
    found
}

/// How deep a file's module lies: 1 for `src/score.rs` and `src/board/mod.rs`.
fn depth(inside: &Path) -> usize {
    inside.components().count() - usize::from(inside.ends_with("mod.rs"))
}

/// The first words of the comma-separated members of a group, whatever nests inside them.
fn members(group: &str) -> Vec<String> {
    let mut depth = 0;
    let mut found = Vec::new();
    let mut expecting = true;
    for (at, character) in group.char_indices() {
        match character {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => expecting = true,
            c if expecting && (c.is_alphabetic() || c == '_') => {
                found.push(leading_word(&group[at..]));
                expecting = false;
            }
            _ => {}
        }
    }
    found
}

fn leading_word(text: &str) -> String {
    text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

#[test]
fn imports_point_downwards() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    rust_files(&src, &mut files);
    assert!(files.len() > 20, "the sources were not found");
    let mut faults = Vec::new();
    let mut checked = 0;
    for file in files {
        let inside = file.strip_prefix(&src).unwrap();
        let module = inside.components().next().unwrap().as_os_str().to_string_lossy();
        let module = module.trim_end_matches(".rs").to_owned();
        let own = floor(&module)
            .unwrap_or_else(|| panic!("src/{module} stands on no floor: name it in this test"));
        let source = fs::read_to_string(&file).unwrap();
        for import in imports(&source).into_iter().chain(climbs(&source, depth(inside))) {
            checked += 1;
            match floor(&import) {
                Some(other) if other < own || import == module => {}
                // What the library hands on of the command line.
                None if module == "main" && import == "run" => {}
                Some(_) => faults.push(format!("{} imports {import}", inside.display())),
                None if import.is_empty() || import.chars().any(char::is_uppercase) => {}
                None => faults.push(format!("{}: no floor for '{import}'", inside.display())),
            }
        }
    }
    assert!(checked > 20, "only {checked} imports were found");
    assert!(faults.is_empty(), "imports against the arrow:\n{}", faults.join("\n"));
}

#[test]
fn an_import_against_the_arrow_would_be_found() {
    assert_eq!(imports("use crate::store::Book;"), ["store"]);
    assert_eq!(imports("use crate::{board::{Key, Line}, cli};"), ["board", "cli"]);
    assert!(floor("store") > floor("board"));
    assert_eq!(depth(Path::new("book/policy/mod.rs")), 2);
    assert_eq!(depth(Path::new("score.rs")), 1);
    let source = "use super::super::{store::Book, score}; use super::cli; super::super::web::run()";
    assert_eq!(climbs(source, 2), ["store", "score", "web"]);
    assert_eq!(climbs("use super::*; use super::{one, search::Stop};", 1), ["search"]);
}

#[test]
fn files_take_names_in_no_circle() {
    let arrows = Files::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src")).arrows();
    assert!(arrows.len() > 100, "the sources were not found");
    let count: usize = arrows.values().map(|to| to.len()).sum();
    assert!(count > 500, "only {count} arrows were found");
    let told: Vec<String> = circles(&arrows)
        .into_iter()
        .map(|circle| {
            let inside = |file: &String| {
                let to = arrows[file].iter().filter(|to| circle.contains(to));
                format!("  {file} -> {}", to.cloned().collect::<Vec<_>>().join(", "))
            };
            circle.iter().map(inside).collect::<Vec<_>>().join("\n")
        })
        .collect();
    assert!(told.is_empty(), "circles of files:\n{}", told.join("\n\n"));
}

#[test]
fn a_circle_of_files_would_be_found() {
    let files = |texts: &[(&str, &str)]| {
        Files::of(texts.iter().map(|&(inside, text)| (inside.to_owned(), text.to_owned())))
    };
    // Through a re-export, a group and a name of a module; comments, texts and tests do not count.
    let in_a_circle = [
        ("lib", "mod one; mod two; pub use one::First;"),
        ("one/mod", "mod part; pub use part::{Inner as First, part};"),
        ("one/part", "use crate::two; pub struct Inner; pub fn part() { two::run() }"),
        ("two", "use super::one::{self, First}; pub fn run(first: First) { one::part(); }"),
    ];
    assert_eq!(circles(&files(&in_a_circle).arrows()), [["one/part", "two"]]);
    let in_none = [
        ("one/mod", "mod part; pub use part::Inner; // use crate::two::run;"),
        ("one/part", "pub struct Inner; #[cfg(test)] mod tests { use crate::two::run; }"),
        ("two", "use super::one::Inner; pub fn run(first: Inner) { \"one::part::back\" }"),
    ];
    let found = files(&in_none).arrows();
    assert_eq!(found["two"].iter().collect::<Vec<_>>(), ["one/part"]);
    assert_eq!(circles(&found), [[""; 0]; 0]);
}

/// A face parses and prints. Of books it knows what `ops` hands on, and it ends no transaction.
#[test]
fn the_command_line_knows_no_insides_of_books() {
    let cli = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/cli");
    let mut files = Vec::new();
    rust_files(&cli, &mut files);
    assert!(files.len() > 20, "the sources were not found");
    let mut faults = Vec::new();
    for file in files {
        let source = fs::read_to_string(&file).unwrap();
        let inside = file.strip_prefix(&cli).unwrap().display();
        let imports = imports(&source).into_iter();
        for import in imports.filter(|import| ["book", "store"].contains(&import.as_str())) {
            faults.push(format!("{inside} imports {import}"));
        }
        for act in [".commit(", ".settle(", ".rollback(", ".set_rest(", ".bulk_load("] {
            if source.contains(act) {
                faults.push(format!("{inside} calls {act}…)"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
