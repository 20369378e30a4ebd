//! Tells the program which commit it is built from, where that can be known; `src/othello/program.rs` says it.

use std::path::{Path, PathBuf};
use std::process::Command;

/// What the program is made of: a change elsewhere makes no other program.
const MADE_OF: [&str; 8] = [
    ".ci/build.rs",
    "src",
    "migrations",
    "books",
    "README.md",
    "Cargo.toml",
    "Cargo.lock",
    ".cargo",
];

/// As many digits of a commit's name as are told.
const DIGITS: usize = 7;

fn main() {
    println!("cargo:rerun-if-changed=.ci/build.rs");
    // Nobody passes a debug build on, so none is compiled anew because of a commit.
    let build = if std::env::var("PROFILE").is_ok_and(|profile| profile == "debug") {
        "debug build".to_owned()
    } else {
        let folder = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from).unwrap_or_default();
        let built = Built::of(&folder).unwrap_or_default();
        for path in &built.watched {
            println!("cargo:rerun-if-changed={}", path.display());
        }
        built.commit
    };
    println!("cargo:rustc-env=ROSEBILL_BUILD={build}");
}

/// A commit, and what changes when it is another.
#[derive(Default, Debug)]
pub struct Built {
    /// Its first digits, and "modified" where it is not quite what is built.
    pub commit: String,
    /// All of them exist: Cargo takes what is missing for changed, each time.
    pub watched: Vec<PathBuf>,
}

impl Built {
    /// None where nobody tells: sources without their history, or no `git`.
    pub fn of(folder: &Path) -> Option<Self> {
        // A package of Cargo's may be unpacked within another project: its own word goes first.
        let packaged = folder.join(".cargo_vcs_info.json");
        if let Ok(text) = std::fs::read_to_string(&packaged) {
            let (_, after) = text.split_once("\"sha1\"")?;
            let name = after.split('"').nth(1)?;
            let is_modified = text.contains("\"dirty\": true");
            return Some(Self { commit: told(name, is_modified), watched: vec![packaged] });
        }
        if !folder.join(".git").exists() {
            return None;
        }
        let name = git(folder, &["rev-parse", "HEAD"])?;
        let mut status = vec!["--no-optional-locks", "status", "--porcelain", "--"];
        status.extend(MADE_OF);
        let is_modified = !git(folder, &status)?.is_empty();
        // A worktree has its own HEAD and log; branches lie with the first one, or are packed.
        let branch = git(folder, &["symbolic-ref", "-q", "HEAD"]);
        let mut watched: Vec<PathBuf> = ["HEAD", "logs/HEAD", "packed-refs"]
            .into_iter()
            .chain(branch.as_deref())
            .filter_map(|name| git(folder, &["rev-parse", "--git-path", name]))
            .map(|path| folder.join(path))
            .chain(MADE_OF.map(|name| folder.join(name)))
            .collect();
        watched.retain(|path| path.exists());
        Some(Self { commit: told(&name, is_modified), watched })
    }
}

/// `6ad5045`, `6ad5045 modified`.
fn told(name: &str, is_modified: bool) -> String {
    let short: String = name.chars().take(DIGITS).collect();
    short + if is_modified { " modified" } else { "" }
}

/// What `git` answers; none where it fails.
fn git(folder: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").arg("-C").arg(folder).args(arguments).output().ok()?;
    let text = output.status.success().then(|| String::from_utf8(output.stdout).ok())??;
    Some(text.trim_end().to_owned())
}
