//! `--version`, and how a build learns its commit.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::desk::Desk;

#[allow(dead_code)] // its main
#[path = "../../.ci/build.rs"]
mod build;

use build::Built;

#[test]
fn the_version_names_what_finds_values() {
    let desk = Desk::new();
    let told = desk.ok(&["--version"]);
    let version = env!("CARGO_PKG_VERSION");
    let inside = told.strip_prefix(&format!("rosebill {version} (")).unwrap();
    let (build, weights) = inside.split_once("weights ").unwrap();
    let build = build.trim_end_matches(", ").trim_end_matches(" modified");
    let is_commit = build.len() == 7 && build.chars().all(|digit| digit.is_ascii_hexdigit());
    assert!(is_commit || ["", "debug build"].contains(&build), "{told}");
    // The name under which those weights are in books.
    desk.ok(&["grow", "--positions", "5", "--level", "1", "--threads", "1", "-q"]);
    let weights = weights.trim_end().strip_suffix(')').unwrap();
    let expected = format!("rosebill {version}, {weights}");
    assert!(desk.ok(&["info", "--by-discs"]).contains(&expected), "{expected}");
    assert_eq!(desk.ok(&["grow", "--version"]), told);
    assert_eq!(desk.ok(&["-V"]), told);
}

/// Runs `git` in a folder, as somebody whose settings are those of nobody here.
fn git(folder: &Path, arguments: &[&str]) {
    let status = Command::new("git")
        .arg("-C")
        .arg(folder)
        .args(["-c", "user.name=a", "-c", "user.email=a@b"])
        .args(["-c", "init.defaultBranch=first", "-c", "commit.gpgSign=false"])
        .args(arguments)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .status();
    assert!(status.is_ok_and(|status| status.success()), "git {arguments:?}");
}

fn has_git() -> bool {
    let found = Command::new("git").arg("--version").output().is_ok();
    if !found {
        eprintln!("not tested: there is no git");
    }
    found
}

/// Each path that is watched is there: Cargo would build anew each time for one that is not.
fn watched(built: &Built) -> Vec<String> {
    let exist = built.watched.iter().all(|path| path.exists());
    assert!(exist, "{built:?}");
    built.watched.iter().map(|path| path.to_string_lossy().into_owned()).collect()
}

#[test]
fn a_build_tells_its_commit_and_what_was_changed_since() {
    if !has_git() {
        return;
    }
    let desk = Desk::new();
    let project = desk.path("project");
    fs::create_dir_all(project.join("src")).unwrap();
    fs::write(project.join("src/main.rs"), "one").unwrap();
    assert!(Built::of(&project).is_none(), "there is no history yet");
    git(&project, &["init"]);
    assert!(Built::of(&project).is_none(), "nor a commit");
    git(&project, &["add", "."]);
    git(&project, &["commit", "-m", "One"]);

    let clean = Built::of(&project).unwrap();
    assert_eq!(clean.commit.len(), 7);
    let paths = watched(&clean);
    for ending in [".git/HEAD", ".git/refs/heads/first", "project/src"] {
        assert!(paths.iter().any(|path| path.ends_with(ending)), "{ending}: {paths:?}");
    }
    // What the program is not made of does not change it; a source that is not added yet does.
    fs::write(project.join("notes"), "two").unwrap();
    assert_eq!(Built::of(&project).unwrap().commit, clean.commit);
    fs::write(project.join("src/new.rs"), "two").unwrap();
    assert_eq!(Built::of(&project).unwrap().commit, format!("{} modified", clean.commit));
    fs::remove_file(project.join("src/new.rs")).unwrap();
    fs::write(project.join("src/main.rs"), "two").unwrap();
    assert_eq!(Built::of(&project).unwrap().commit, format!("{} modified", clean.commit));
    git(&project, &["commit", "-a", "-m", "Two"]);
    let second = Built::of(&project).unwrap();
    assert!(second.commit.len() == 7 && second.commit != clean.commit, "{second:?}");

    // Packed branches, no branch at all, and a worktree, whose .git is a file.
    git(&project, &["pack-refs", "--all"]);
    let packed = Built::of(&project).unwrap();
    assert_eq!(packed.commit, second.commit);
    assert!(watched(&packed).iter().any(|path| path.ends_with("packed-refs")), "{packed:?}");
    git(&project, &["checkout", "HEAD~1"]);
    assert_eq!(Built::of(&project).unwrap().commit, clean.commit);
    git(&project, &["worktree", "add", "../other", "first"]);
    let other = Built::of(&desk.path("other")).unwrap();
    assert_eq!(other.commit, second.commit);
    let own = watched(&other).iter().any(|path| path.ends_with("worktrees/other/HEAD"));
    assert!(own, "{other:?}");
    // Sources without a history of their own, in a project that has one.
    fs::create_dir_all(project.join("vendor/rosebill/src")).unwrap();
    assert!(Built::of(&project.join("vendor/rosebill")).is_none());
}

#[test]
fn a_package_tells_its_commit_without_git() {
    let desk = Desk::new();
    let folder = desk.folder.path();
    let file = folder.join(".cargo_vcs_info.json");
    let name = "6ad5045ef0b1c2d3e4f5061728394a5b6c7d8e9f";
    for (dirty, expected) in [("", "6ad5045"), (",\n    \"dirty\": true", "6ad5045 modified")] {
        let text = format!("{{\n  \"git\": {{\n    \"sha1\": \"{name}\"{dirty}\n  }}\n}}");
        fs::write(&file, text).unwrap();
        let built = Built::of(folder).unwrap();
        assert_eq!((built.commit.as_str(), watched(&built).len()), (expected, 1));
    }
    fs::write(&file, "{}").unwrap();
    assert!(Built::of(folder).is_none());
}
