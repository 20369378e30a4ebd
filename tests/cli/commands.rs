//! The program as a user runs it.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::desk::{Desk, is_one_line, stderr};

#[test]
fn grows_shows_and_goes_on() {
    let desk = Desk::grown("30");
    let stats = desk.json(&["info", "--by-discs"]);
    assert_eq!(stats["positions"], 30);
    for value in ["guess", "draw_seeking", "win_seeking"] {
        assert!(stats[value].is_number(), "{value}: {stats}");
    }
    let again = desk.json(&["grow", "--positions", "10", "--level", "2"]);
    assert_eq!((&again["positions"], &again["new_positions"]), (&40.into(), &10.into()));
    let shown = desk.json(&["show"]);
    assert_eq!(shown["in_book"], true);
    assert_eq!(shown["position"]["discs"], 4);
    assert_eq!(shown["moves"].as_array().unwrap().len(), 4, "the first moves are alike");
    desk.ok(&["verify"]);
}

#[test]
fn json_of_show_has_the_promised_fields() {
    let desk = Desk::grown("20");
    let shown = desk.json(&["show", "f5"]);
    for field in ["position", "line", "name", "in_book", "values", "moves"] {
        assert!(shown.get(field).is_some(), "{field} is missing in {shown}");
    }
    for field in ["board", "side", "discs", "empties"] {
        assert!(shown["position"].get(field).is_some(), "{field}");
    }
    for field in ["guess", "draw_seeking", "win_seeking", "lower", "upper"] {
        assert!(shown["values"][field].is_number(), "{field}");
        assert!(shown["moves"][0]["values"][field].is_number(), "{field} of a move");
    }
    for field in ["move", "in_book", "values", "depth", "selectivity", "name"] {
        assert!(shown["moves"][0].get(field).is_some(), "{field} of a move");
    }
    assert!(shown["moves"][0].get("games").is_none(), "there is no game database yet");
    let guesses: Vec<_> = shown["moves"]
        .as_array()
        .unwrap()
        .iter()
        .map(|found| found["values"]["guess"].as_f64().unwrap())
        .collect();
    assert!(guesses.is_sorted_by(|a, b| a >= b), "best first: {guesses:?}");
    assert_eq!(shown["values"]["guess"].as_f64(), Some(guesses[0]));
}

#[test]
fn one_thread_gives_the_same_book_twice() {
    let export = |_: u8| {
        let desk = Desk::grown("40");
        desk.ok(&["export", "book.json", "-q"]);
        std::fs::read(desk.path("book.json")).unwrap()
    };
    let (first, second) = (export(1), export(2));
    assert!(first.len() > 1000);
    assert!(first == second, "two books grown alike differ");
}

#[test]
fn a_json_export_is_the_whole_book() {
    let desk = Desk::grown("40");
    desk.ok(&["export", "book.json", "-q"]);
    desk.ok(&["import", "book.json", "--book", "copy.db", "-q"]);
    desk.ok(&["export", "copy.json", "--book", "copy.db", "-q"]);
    let read = |name: &str| std::fs::read_to_string(desk.path(name)).unwrap();
    assert_eq!(read("book.json"), read("copy.json"));
    desk.ok(&["verify", "--book", "copy.db"]);
}

#[test]
fn an_edax_export_comes_back_the_same() {
    let desk = Desk::grown("60");
    desk.ok(&["export", "book.dat", "-q"]);
    let bytes = std::fs::read(desk.path("book.dat")).unwrap();
    assert_eq!(&bytes[..8], b"XADEKOOB");
    desk.ok(&["import", "book.dat", "--book", "copy.db", "-q"]);
    assert_eq!(desk.json(&["info", "--by-discs", "--book", "copy.db"])["positions"], 60);
    desk.ok(&["export", "copy.dat", "--book", "copy.db", "-q"]);
    let records = |bytes: &[u8]| {
        let body = &bytes[42..];
        assert!(!body.is_empty());
        body.to_vec()
    };
    let copy = std::fs::read(desk.path("copy.dat")).unwrap();
    assert!(records(&bytes) == records(&copy), "the records differ");
}

#[test]
fn illegal_moves_and_boards_are_told_in_one_line() {
    let desk = Desk::grown("5");
    let message = desk.refused(&["show", "f5d6g1"]);
    assert!(
        message.contains("illegal move g1 at ply 3 of 'f5d6g1': it flips no disc"),
        "{message}"
    );
    let board = "-".repeat(63);
    assert!(desk.refused(&["show", &board]).contains("63 squares, 64 needed"));
    let board = format!("{}Z X", "-".repeat(63));
    assert!(desk.refused(&["show", &board]).contains("'Z' at character 64"));
    assert!(desk.refused(&["grow", "--from", "f5f5"]).contains("occupied"));
    // A board may start with a hyphen, which is no flag.
    let board = format!("{} X", "---------------------------OX------XO---------------------------");
    assert_eq!(desk.json(&["show", &board])["in_book"], true);
}

#[test]
fn a_failed_import_leaves_no_book_behind() {
    let desk = Desk::new();
    std::fs::write(desk.path("bad.dat"), b"XADEKOOB and then nothing that fits").unwrap();
    let message = desk.refused(&["import", "bad.dat", "-q"]);
    assert!(message.contains("bad.dat"), "{message}");
    let left: Vec<_> = std::fs::read_dir(desk.folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .filter(|name| name != "bad.dat")
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn asking_never_creates_a_book() {
    let desk = Desk::new();
    for command in ["show", "lines", "verify", "info", "info --by-discs", "verify --recompute"] {
        let message = desk.refused(&command.split(' ').collect::<Vec<_>>());
        assert!(is_one_line(&message) && message.contains("no book at"), "{command}: {message}");
    }
    assert!(!desk.path("book.db").exists());
}

#[test]
fn foreign_files_are_refused_and_left_alone() {
    let desk = Desk::new();
    for (name, content) in
        [("text.db", b"just a text that somebody wrote, long enough".as_slice()), ("empty.db", b"")]
    {
        std::fs::write(desk.path(name), content).unwrap();
        for command in ["show", "grow", "verify"] {
            let message = desk.refused(&[command, "--book", name]);
            assert!(is_one_line(&message), "{message}");
            assert!(message.contains("not a rosebill book"), "{message}");
        }
        assert_eq!(std::fs::read(desk.path(name)).unwrap(), content, "{name} was changed");
    }
}

#[test]
fn impossible_options_are_refused() {
    let desk = Desk::new();
    for arguments in [
        ["grow", "--level", "61"],
        ["grow", "--time", "soon"],
        ["grow", "--threads", "0"],
        ["grow", "--in-flight", "0"],
        ["grow", "--max-discs", "65"],
        ["grow", "--line-loss", "-1"],
        ["search", "f5", "--depth=61"],
        ["lines", "--limit", "0"],
        ["export", "book.xyz", "--format=floppy"],
        ["grow", "--move-loss", "x"],
        ["grow", "--solve-empties", "9"],
    ] {
        let message = desk.refused(&arguments);
        assert!(!message.is_empty(), "{arguments:?}");
    }
    assert!(!desk.path("book.db").exists());
}

#[test]
fn an_unwritable_target_is_refused_before_anything_is_done() {
    let desk = Desk::grown("5");
    let message = desk.refused(&["export", "no/such/folder/book.dat"]);
    assert!(is_one_line(&message) && message.contains("no/such/folder"), "{message}");
    let message = desk.refused(&["grow", "--book", "no/such/folder/b.db", "--positions", "1"]);
    assert!(message.contains("no/such/folder"), "{message}");
}

#[test]
fn a_second_grower_is_refused_with_the_first_ones_number() {
    let desk = Desk::grown("5");
    let mut first =
        desk.command().args(["grow", "--time", "60s", "--level", "2", "-q"]).spawn().unwrap();
    // Whoever asks before the first holds the book could get in its way.
    let number = first.id().to_string();
    for _ in 0..400 {
        let held = std::fs::read_to_string(desk.path("book.db.lock")).unwrap_or_default();
        if held.trim() == number {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let message = desk.refused(&["grow", "--positions", "0", "--level", "1", "-q"]);
    let reading = desk.run(&["show"]);
    first.kill().unwrap();
    first.wait().unwrap();
    assert!(message.contains(&format!("process {number}")), "{message}");
    assert!(reading.status.success(), "readers go on");
}

#[test]
fn a_closed_pipe_is_no_failure() {
    let desk = Desk::new();
    // Its snapshot is more than a pipe holds.
    desk.ok(&["new", "--starter"]);
    let binary = env!("CARGO_BIN_EXE_rosebill");
    for arguments in [
        "show",
        "lines -n 1000",
        "info --by-discs",
        "export - --format json -q",
        "snapshot - -q",
        "man",
    ] {
        let script = format!("set -o pipefail; '{binary}' {arguments} 2>err.txt | head -c 1");
        let status = Command::new("bash")
            .args(["-c", &script])
            .env("ROSEBILL_BOOK", desk.path("book.db"))
            .env_remove("ROSEBILL_CONFIG")
            .env("XDG_CONFIG_HOME", desk.folder.path())
            .current_dir(desk.folder.path())
            .stdout(std::process::Stdio::null())
            .status()
            .unwrap();
        let told = std::fs::read_to_string(desk.path("err.txt")).unwrap();
        assert!(status.success(), "{arguments}: {told}");
        assert!(told.is_empty(), "{arguments}: {told}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_failure() {
    let desk = Desk::new();
    let help = [&["--help"][..], &["grow", "--help"], &["--version"], &["man"]];
    let others =
        [&["config"][..], &["completions", "bash"], &["openings", "list"], &["show", "f5"]];
    desk.ok(&["new", "-q"]);
    for arguments in [help, others].concat() {
        let full = std::fs::File::create("/dev/full").unwrap();
        let output = desk.command().args(arguments).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let told = stderr(&output);
        assert!(told.ends_with("cannot write standard output: no space is left\n"), "{told}");
        assert_eq!(told.matches("standard output").count(), 1, "{told}");
    }
}

#[test]
fn killing_a_grower_loses_nothing_that_was_committed() {
    let desk = Desk::grown("5");
    let mut before = 5;
    for round in 0..6u64 {
        let mut child =
            desk.command().args(["grow", "--time", "60s", "--level", "1", "-q"]).spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(300 + 377 * round % 1500));
        let positions = || desk.json(&["info", "--by-discs"])["positions"].as_u64().unwrap();
        // However busy the machine is: the first one is killed when it has grown something.
        let begun = std::time::Instant::now();
        while round == 0 && positions() == before && begun.elapsed().as_secs() < 50 {
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
        let committed = positions();
        child.kill().unwrap();
        child.wait().unwrap();
        desk.ok(&["verify"]);
        let after = desk.json(&["info", "--by-discs"])["positions"].as_u64().unwrap();
        assert!(after >= committed && committed >= before, "{before} {committed} {after}");
        before = after;
    }
    assert!(before > 5, "nothing was grown between the kills");
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_growth_cleanly() {
    let desk = Desk::grown("5");
    let child = desk
        .command()
        .args(["grow", "--time", "60s", "--level", "2", "--json", "-q"])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    // Who grows listens for signals.
    let begun = std::time::Instant::now();
    while desk.json(&["info", "--by-discs"])["positions"] == 5 {
        assert!(begun.elapsed().as_secs() < 50, "nothing is grown");
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(summary["ended_by"], "interrupted");
    assert_eq!(desk.json(&["info", "--by-discs"])["positions"], summary["positions"]);
    desk.ok(&["verify"]);
}

#[test]
fn texts_for_other_programs_come_as_json_too() {
    let desk = Desk::new();
    assert_eq!(desk.json(&["man", "grow"])["page"], desk.ok(&["man", "grow"]));
    // Commands of groups have their own.
    let page = desk.ok(&["man", "games", "import"]);
    assert!(page.contains("rosebill\\-games\\-import") && page.contains("strict"), "{page}");
    assert!(desk.refused(&["man", "games", "nothing"]).contains("no command 'nothing'"));
    // For packages: every page that a page names is there.
    std::fs::create_dir(desk.path("man")).unwrap();
    let pages = desk.json(&["man", "--all", "man"])["pages"].as_u64().unwrap();
    let files: Vec<_> = std::fs::read_dir(desk.path("man")).unwrap().map(Result::unwrap).collect();
    assert!(pages > 60 && files.len() as u64 == pages, "{pages}");
    for file in files {
        let page = std::fs::read_to_string(file.path()).unwrap();
        assert!(page.contains(concat!("rosebill ", env!("CARGO_PKG_VERSION"))), "{file:?}");
        let named = page.lines().filter_map(|line| line.strip_suffix("(1)"));
        for name in named.map(|name| name.replace('\\', "")) {
            assert!(desk.path(&format!("man/{name}.1")).exists(), "{file:?} names {name}");
        }
    }
    assert_eq!(desk.ok(&["man"]), std::fs::read_to_string(desk.path("man/rosebill.1")).unwrap());
    std::fs::write(desk.path("file"), "").unwrap();
    assert!(desk.refused(&["man", "--all", "file"]).contains("file"));
    assert_eq!(desk.json(&["completions", "zsh"])["script"], desk.ok(&["completions", "zsh"]));
}

#[test]
fn a_shell_is_offered_names_and_formats() {
    let desk = Desk::new();
    std::fs::write(desk.path("g.txt"), "Hassan Ali - Rose Brian: f5d6c3\n").unwrap();
    desk.ok(&["games", "import", "g.txt"]);
    let offered = |shell: &str, words: &[&str]| {
        let mut command = desk.command();
        command
            .env("ROSEBILL_COMPLETE", shell)
            .env("_CLAP_COMPLETE_INDEX", words.len().to_string());
        let output = command.args(["--", "rosebill"]).args(words).output().unwrap();
        assert!(output.status.success(), "{words:?}: {}", stderr(&output));
        String::from_utf8(output.stdout).unwrap()
    };
    for (words, wanted) in [
        (&["games", "list", "--player", "ro"][..], "Rose Brian\n"),
        (&["games", "player", "hassan a"], "Hassan Ali\n"),
        (&["games", "export", "x", "--format", "wt"], "wthor\n"),
        (&["export", "x", "--format", "edax-t"], "edax-text\n"),
        (&["search", "--evaluator", "li"], "linear\n"),
        (&["openings", "list", "no-kung"], "No-Kung\n"),
        (&["games", "li"], "list\tList games"),
    ] {
        let found = offered("fish", words);
        assert!(found.starts_with(wanted), "{words:?}: {found}");
    }
    assert_eq!(offered("bash", &["games", "list", "--black", "Rose\\ B"]), "Rose\\ Brian");
}

#[test]
fn a_duration_before_now_is_refused_by_name() {
    let refused = Desk::new().refused(&["grow", "--time", "-5s"]);
    assert!(refused.contains("--time") && refused.contains("expected for example"), "{refused}");
}

#[test]
fn settings_say_where_they_come_from() {
    let desk = Desk::new();
    // A file that is named and is not there is told; nothing but what makes it goes on.
    let absent = stderr(&desk.run(&["config"]));
    assert!(absent.contains("config.toml") && absent.contains("ROSEBILL_CONFIG"), "{absent}");
    for arguments in
        [&["info", "--by-discs"][..], &["grow", "--positions", "1"], &["search", "--static", "f5"]]
    {
        let mut command = desk.command();
        command.env("ROSEBILL_CONFIG", "none.toml").args(arguments);
        let refused = command.output().unwrap();
        let told = stderr(&refused);
        assert_eq!((refused.status.code(), told.lines().count()), (Some(2), 2), "{told}");
        assert!(told.contains("there is no none.toml, which ROSEBILL_CONFIG names"), "{told}");
    }
    assert!(!desk.path("book.db").exists());
    assert_eq!(desk.json(&["config", "set", "level", "16"])["value"], 16);
    let quiet = desk.run(&["config"]);
    assert_eq!(stderr(&quiet), "");
    let listed = desk.ok(&["config", "--json"]);
    let rows: Vec<Value> = listed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let row = |name: &str| rows.iter().find(|row| row["setting"] == name).unwrap().clone();
    assert_eq!(row("level")["value"], 16);
    assert!(row("threads")["value"].is_u64() && row("table")["value"].is_u64());
    assert!(row("book")["value"].is_string());
    assert_eq!(row("level")["origin"], "configuration file");
    assert_eq!(row("book")["origin"], "ROSEBILL_BOOK");
    assert!(desk.refused(&["config", "set", "level", "99"]).contains("0 to 60"));
    assert!(desk.refused(&["config", "set", "colour", "red"]).contains("colour"));
    std::fs::write(desk.path("config.toml"), "levle = 3\n").unwrap();
    assert!(desk.refused(&["info", "--by-discs"]).contains("levle"));
    std::fs::write(desk.path("config.toml"), "# mine\nlevel = 61\n").unwrap();
    let told = desk.refused(&["info", "--by-discs"]);
    assert!(told.contains("config.toml, line 2: level: 61: expected"), "{told}");
}

/// Also one of before, or written by hand, whatever it looks like.
#[test]
fn a_password_in_a_setting_is_not_shown_and_for_its_owner_alone_to_read() {
    let desk = Desk::new();
    let refused = desk.refused(&["config", "set", "fleet", "anna:secret@host:4222"]);
    assert!(refused.contains("nats://") && !refused.contains("secret"), "{refused}");
    let file = desk.path("config.toml");
    std::fs::write(&file, "fleet = \"anna:secret@host\"\n").unwrap();
    for json in [&[][..], &["--json"]] {
        let shown = desk.ok(&[&["config"], json].concat());
        assert!(shown.contains("host") && !shown.contains("secret"), "{shown}");
    }
    for is_new in [false, true] {
        if is_new {
            std::fs::remove_file(&file).unwrap();
        }
        let told = desk.ok(&["config", "set", "fleet", "nats://anna:secret@host", "--json"]);
        assert!(!told.contains("secret"), "{told}");
        assert!(std::fs::read_to_string(&file).unwrap().contains("secret"));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = std::fs::metadata(&file).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
    }
}

#[test]
fn a_changed_setting_leaves_comments_alone() {
    let desk = Desk::new();
    let text = |level: &str| format!("# mine\nlevel = {level} # for the night\n# the end\n");
    std::fs::write(desk.path("config.toml"), text("12")).unwrap();
    desk.ok(&["config", "set", "level", "16"]);
    assert_eq!(std::fs::read_to_string(desk.path("config.toml")).unwrap(), text("16"));
    desk.ok(&["config", "unset", "level"]);
    let left = std::fs::read_to_string(desk.path("config.toml")).unwrap();
    assert_eq!(left, "# mine\n# the end\n");
}

#[test]
fn a_new_book_may_begin_with_the_starter() {
    let desk = Desk::new();
    let made = desk.json(&["new", "--starter"]);
    assert!(made["positions"].as_u64().unwrap() >= 1000, "{made}");
    desk.ok(&["verify"]);
    assert_eq!(desk.json(&["show"])["in_book"], true);
    let left: Vec<_> = std::fs::read_dir(desk.folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| !name.starts_with("book.db"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn growth_may_begin_with_the_starter() {
    let desk = Desk::new();
    let count = |desk: &Desk| desk.json(&["info", "--by-discs"])["positions"].as_u64().unwrap();
    let starter = Desk::new().json(&["new", "--starter"])["positions"].as_u64().unwrap();
    let grow = ["grow", "--starter", "--positions", "3", "--level", "2", "--threads", "1"];
    let begun = stderr(&desk.run(&grow));
    let with = format!("book.db (with {starter} positions of the starter)");
    assert!(begun.replace(',', "").contains(&with), "{begun}");
    assert_eq!(count(&desk), starter + 3);
    // The same command again goes on, and says that it does not begin anew.
    let again = stderr(&desk.run(&grow));
    let has =
        format!("the book has {} positions already: the starter was not taken\n", starter + 3);
    assert!(again.replace(',', "").contains(&has), "{again}");
    assert_eq!(count(&desk), starter + 6);
    // An empty one is told that there is one.
    let other = Desk::new();
    let told = stderr(&other.run(&["grow", "--positions", "3", "--level", "2", "--threads", "1"]));
    let offer = format!("empty; with --starter it begins with {starter} positions");
    assert!(told.replace(',', "").contains(&offer.replace(',', "")), "{told}");
    assert_eq!(count(&other), 3);
    // One that was made and never grown takes it, too.
    let empty = Desk::new();
    empty.ok(&["new"]);
    let told = stderr(&empty.run(&grow));
    assert!(told.contains("the book was empty") && count(&empty) == starter + 3, "{told}");
}

#[test]
fn an_export_never_replaces_a_book() {
    let desk = Desk::grown("5");
    let before = std::fs::read(desk.path("book.db")).unwrap();
    for arguments in [["export", "book.db", "--format=json"], ["snapshot", "book.db", "-q"]] {
        assert!(desk.refused(&arguments).contains("book.db"));
    }
    assert!(std::fs::read(desk.path("book.db")).unwrap() == before);
}

#[test]
fn every_command_helps_with_an_example() {
    let desk = Desk::new();
    let help = desk.ok(&["--help"]);
    let commands: Vec<_> = help
        .lines()
        .take_while(|line| !line.starts_with("Options:"))
        .filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next())
        .collect();
    assert!(commands.len() == 27, "{commands:?}");
    for command in commands {
        let help = desk.ok(&[command, "--help"]);
        assert!(help.contains("Example"), "{command} --help gives no example");
    }
}

#[test]
fn a_solved_file_is_checked() {
    let desk = Desk::new();
    let position = "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXO- X";
    std::fs::write(desk.path("right.obf"), format!("{position}; H8:+64;\n")).unwrap();
    std::fs::write(desk.path("wrong.obf"), format!("{position}; H8:+62;\n")).unwrap();
    let solved = desk.json(&["solve", "right.obf"]);
    assert_eq!((&solved["score"], &solved["best_move"]), (&64.0.into(), &"h8".into()));
    assert_eq!(solved["index"], 1);
    assert_eq!(desk.run(&["solve", "wrong.obf"]).status.code(), Some(1));
    assert!(desk.refused(&["solve", "none.obf"]).contains("none.obf"));
    assert!(Path::new(&desk.path("right.obf")).exists());
}

#[test]
fn a_match_is_counted_from_both_sides() {
    let desk = Desk::new();
    let arguments =
        ["lab", "match", "rosebill", "squares@1", "--depth=2", "--games=4", "--threads=1"];
    let tally = desk.json(&arguments);
    assert_eq!((&tally["games"], &tally["second"]), (&4.into(), &"squares@1".into()));
    let sum: u64 = ["won", "drawn", "lost"].iter().map(|name| tally[name].as_u64().unwrap()).sum();
    assert_eq!(sum, 4);
    assert_eq!(desk.json(&arguments)["mean_difference"], tally["mean_difference"]);
    assert!(
        desk.refused(&["lab", "match", "rosebill", "iago"]).contains("'iago' is not an evaluator")
    );
    assert!(desk.refused(&["lab", "match", "a", "b", "c"]).contains("--round-robin"));
}

#[test]
fn every_evaluator_can_be_asked_and_searches() {
    let desk = Desk::new();
    for name in [
        "rosebill",
        "zebra-patterns",
        "ntest-patterns",
        "squares",
        "phases",
        "edges",
        "edges-plain",
        "linear",
        "linear-adaptive",
    ] {
        let judged = desk.json(&["search", "--static", "f5d6c3", "--evaluator", name]);
        assert!(judged["evaluator"].as_str().unwrap().starts_with(name));
        // What two of them were called before.
        let old = name.trim_end_matches("-patterns");
        let again = desk.json(&["search", "--static", "f5d6c3", "--evaluator", old]);
        assert_eq!(again, judged);
        assert_eq!(judged["counts"]["discs"]["difference"], -3);
        let searched = desk.json(&["search", "f5d6c3", "--depth=2", "--evaluator", name]);
        assert_eq!(searched["depth"], 2);
    }
}

#[cfg(not(feature = "fleet"))]
#[test]
fn a_build_without_fleets_says_how_to_get_one() {
    let desk = Desk::new();
    for arguments in [
        &["grow", "--fleet", "nats://anna:s3cret@host"][..],
        &["grow", "--fleet"],
        &["fleet", "work", "--threads", "1"],
        &["fleet", "status"],
    ] {
        let told = desk.refused(arguments);
        assert!(told.contains("--features fleet") && is_one_line(&told), "{told}");
        assert!(!told.contains("s3cret"), "{told}");
    }
    assert!(!desk.path("book.db").exists());
}

/// A snapshot on standard output is nothing but the snapshot.
#[test]
fn a_snapshot_goes_into_a_pipe() {
    let desk = Desk::grown("20");
    let output = desk.run(&["snapshot", "-"]);
    let bytes = output.stdout.len();
    assert!(stderr(&output).contains(&format!("in {bytes} bytes")), "{}", stderr(&output));
    desk.ok(&["snapshot", "file.snapshot", "-q"]);
    let (piped, filed) = (output.stdout, std::fs::read(desk.path("file.snapshot")).unwrap());
    assert_eq!(piped.len(), filed.len());
    std::fs::write(desk.path("piped.snapshot"), piped).unwrap();
    desk.ok(&["snapshot", "restore", "piped.snapshot", "--book", "other.db"]);
    assert_eq!(
        desk.json(&["info", "--by-discs", "--book", "other.db"]),
        desk.json(&["info", "--by-discs"])
    );
}

/// Who has no book asks the one that comes with the program, and grows an own one beside it.
#[test]
fn without_a_book_the_one_of_the_program_is_asked() {
    let desk = Desk::without_a_book();
    let positions = desk.json(&["info"])["positions"].as_u64().unwrap();
    assert!(positions > 200_000);
    assert!(!desk.json(&["show", "tiger"])["moves"].as_array().unwrap().is_empty());
    let told = stderr(&desk.run(&["lines", "-n", "1"]));
    let expected = format!("the one that comes with rosebill {positions} positions");
    assert!(told.replace(',', "").contains(&expected), "{told}");
    let unpacked = std::fs::read_dir(desk.path("cache/rosebill")).unwrap();
    let names: Vec<_> = unpacked.map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 1, "{names:?}");
    assert!(!desk.path("data").exists());
    desk.ok(&["grow", "--positions", "3", "--level", "1", "-q"]);
    assert_eq!(desk.json(&["info"])["positions"], 3);
    // A book that is named has to be there.
    for arguments in [&["show"][..], &["serve", "--listen", "127.0.0.1:0"]] {
        let told = desk.refused(&[arguments, &["--book", "none.db"]].concat());
        assert!(told.contains("none.db"), "{told}");
    }
}
