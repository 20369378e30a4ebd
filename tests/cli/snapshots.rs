//! What people read, as it is.

use std::process::Command;

use tempfile::TempDir;

/// A book made by hand: an estimate beside a proven draw.
const BOOK: &str = r#"{"format":"rosebill-book","version":1,"positions":3,"sources":[{"id":0,"engine":"rosebill 0.1.0","evaluator":"rosebill 12345678","level":"12","format":"","file":"","day":"2026-11-20","checksum":""}]}
{"board":"---------------------------OX------XO---------------------------","discs":4,"values":{"guess":0,"draw_seeking":0,"win_seeking":0,"lower":-64,"upper":64},"links":["d3","c4","f5","e6"],"rest":null,"depth":12,"selectivity":73,"source":0}
{"board":"---------------------------XO------OOO--------------------------","discs":5,"values":{"guess":0,"draw_seeking":0,"win_seeking":0,"lower":-64,"upper":64},"links":["d6"],"rest":{"move":"f4","score":-7.17,"proof":"none"},"depth":12,"selectivity":73,"source":0}
{"board":"-------------------X-------XX-----OOO---------------------------","discs":6,"values":{"guess":0,"draw_seeking":0,"win_seeking":0,"lower":-64,"upper":64},"links":[],"rest":{"move":"d6","score":0,"proof":"exact"},"depth":54,"selectivity":100,"source":0}
"#;

fn rosebill(folder: &TempDir, arguments: &[&str]) -> String {
    run(folder, arguments, None)
}

/// As on a terminal that is so wide, but for the colours.
fn run(folder: &TempDir, arguments: &[&str], width: Option<&str>) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rosebill"));
    match width {
        Some(width) => command.env("COLUMNS", width),
        None => command.env_remove("COLUMNS"),
    };
    let output = command
        .args(arguments)
        .env_remove("ROSEBILL_CONFIG")
        .env("XDG_CONFIG_HOME", folder.path())
        .env("ROSEBILL_BOOK", folder.path().join("book.db"))
        .env("SOURCE_DATE_EPOCH", "1763600000")
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn book() -> TempDir {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("book.jsonl"), BOOK).unwrap();
    rosebill(&folder, &["import", "book.jsonl", "--quiet"]);
    folder
}

#[test]
fn show() {
    let folder = book();
    insta::assert_snapshot!("show_f5", rosebill(&folder, &["show", "f5"]));
    insta::assert_snapshot!("show_f5_json", rosebill(&folder, &["show", "f5", "--json"]));
}

#[test]
fn lines() {
    let folder = book();
    insta::assert_snapshot!("lines", rosebill(&folder, &["lines"]));
    insta::assert_snapshot!(
        "lines_win_seeking",
        rosebill(&folder, &["lines", "--by", "win-seeking"])
    );
}

#[test]
fn contempt() {
    let folder = book();
    insta::assert_snapshot!(
        "show_contempt",
        rosebill(&folder, &["show", "f5", "--contempt", "-10"])
    );
    insta::assert_snapshot!(
        "lines_contempt",
        rosebill(&folder, &["lines", "f5", "--contempt=-10"])
    );
}

#[test]
fn draw_tree() {
    insta::assert_snapshot!("draw_tree", rosebill(&book(), &["discover", "draws"]));
}

#[test]
fn stats() {
    insta::assert_snapshot!("stats", rosebill(&book(), &["info", "--by-discs"]));
}

#[test]
fn next_leaves() {
    insta::assert_snapshot!("dry_run", rosebill(&book(), &["grow", "--dry-run"]));
}

/// Each command on a terminal of 80 and of 120 columns: nothing is wider.
#[test]
fn widths() {
    let folder = book();
    for width in ["80", "120"] {
        for (name, arguments) in [
            ("show", &["show", "f5"][..]),
            ("show_missing", &["show", "f5", "f6"]),
            ("lines", &["lines"]),
            ("draw_tree", &["discover", "draws"]),
            ("stats", &["info", "--by-discs"]),
            ("info", &["info", "--book", "book.db"]),
        ] {
            let text = match name {
                "show_missing" => missing(&folder, arguments, width),
                _ => run(&folder, arguments, Some(width)),
            };
            let most: usize = width.parse().unwrap();
            for line in text.lines() {
                assert!(line.chars().count() <= most, "{name} at {width}: {line}");
            }
            // The size of the file is a matter of SQLite's.
            let without_size = |line: &&str| !line.starts_with("size");
            let text: Vec<_> = text.lines().filter(without_size).collect();
            insta::assert_snapshot!(format!("{name}_{width}"), text.join("\n"));
        }
    }
}

/// What differs between two books, and how a value moved, on a terminal of 80 and of 120 columns.
#[test]
fn widths_of_what_changes() {
    let folder = book();
    let changed = BOOK
        .replace(r#""move":"f4","score":-7.17"#, r#""move":"f4","score":1.25"#)
        .replace(r#""links":[],"rest":{"move":"d6","score":0,"proof":"exact"}"#, LOOSE);
    std::fs::write(folder.path().join("changed.jsonl"), changed + MORE).unwrap();
    rosebill(&folder, &["import", "changed.jsonl", "--quiet", "--book", "changed.db"]);
    keep_history(&folder.path().join("book.db"));
    for width in ["80", "120"] {
        for (name, arguments) in [
            ("diff", &["diff", "book.db", "changed.db"][..]),
            ("history", &["info", "--history"]),
            ("history_f5", &["info", "--history", "f5"]),
        ] {
            let text = run(&folder, arguments, Some(width));
            let most: usize = width.parse().unwrap();
            for line in text.lines() {
                assert!(line.chars().count() <= most, "{name} at {width}: {line}");
            }
            insta::assert_snapshot!(format!("{name}_{width}"), text);
        }
    }
}

/// The third position of [`BOOK`] with an estimate instead of a proof.
const LOOSE: &str = r#""links":[],"rest":{"move":"d6","score":-2,"proof":"none"}"#;

/// One more position for it.
const MORE: &str = r#"{"board":"------------------OX-------OX------XO---------------------------","discs":6,"values":{"guess":3,"draw_seeking":3,"win_seeking":3,"lower":-64,"upper":64},"links":[],"rest":{"move":"c4","score":3,"proof":"none"},"depth":12,"selectivity":73,"source":0}
"#;

/// Makes a history up: a value that swings less and less, and one that comes late and stays.
fn keep_history(path: &std::path::Path) {
    use rosebill::openbook::{NodeSource, Values};
    use rosebill::othello::board::{Key, Line, Position};
    use rosebill::othello::score::Score;
    use rosebill::othello::search::Proof;
    use rosebill::store::{Book, HistoryPoint, RunId};
    let mut book = Book::open(path).unwrap();
    let start = Key::of(Position::START);
    let f5 = Key::of("f5".parse::<Line>().unwrap().board().position);
    let now = |key| book.node(&key).unwrap().map(|node| node.values);
    let (start_now, f5_now) = (now(start), now(f5));
    let guess = |centidiscs: f64| {
        Some(Values::of_search(Score::from_centidiscs(centidiscs as i16), Proof::None))
    };
    for step in 0..40_u32 {
        let positions = 20.0 * 1.25_f64.powi(step as i32);
        let point = HistoryPoint {
            run: RunId(1),
            positions: positions as u64,
            searches: 2 * positions as u64,
            milliseconds: 30 * positions as u64,
            taken: format!("2026-11-23T0{}:{:02}:00Z", step / 20, step % 20 * 3),
        };
        let swing = f64::from(step).cos() * 250.0 / f64::from(step + 1);
        let values = match step {
            39 => vec![(start, start_now), (f5, f5_now)],
            30 => vec![(start, guess(swing)), (f5, guess(75.0))],
            _ => vec![(start, guess(swing))],
        };
        book.history().keep(&point, &values).unwrap();
    }
    book.commit().unwrap();
}

/// Eight short games of four players, made by hand.
const GAMES: &str = "black,white,year,event,result,moves
Ann Lee,Bob Ray,2019,Club Open,30-34,f5d6c3d3c4f4f6
Bob Ray,Ann Lee,2019,Club Open,40-24,f5d6c3d3c4f4c5
Cy Moss,Ann Lee,2020,Spring Cup in a town with a long name,32-32,f5d6c3d3c4f4c5
Ann Lee,Cy Moss,2021,Spring Cup in a town with a long name,50-14,f5f6e6f4e3c5
Dee Zhu,Bob Ray,2021,,20-44,f5f4e3f6d3
Bob Ray,Dee Zhu,2022,Autumn Cup,33-31,d3c5d6e3f4c6
Cy Moss,Dee Zhu,2023,Autumn Cup,28-36,c4c3d3c5b4
Ann Lee,Dee Zhu,,,64-0,f5d6c4
";

/// What is said of games, on a terminal of 80 and of 120 columns.
#[test]
fn widths_of_games() {
    let folder = book();
    std::fs::write(folder.path().join("games.csv"), GAMES).unwrap();
    let told = rosebill(&folder, &["games", "import", "games.csv", "-q"]);
    assert_eq!(told, "");
    for width in ["80", "120"] {
        for (name, arguments) in [
            ("games_stats", &["stats", "f5d6c3"][..]),
            ("games_stats_players", &["stats", "tiger", "--players", "--least-games", "2"]),
            ("games_list", &["list", "--limit", "9"]),
            ("games_show", &["show", "2"]),
            ("games_players", &["players", "b"]),
            ("games_player", &["player", "ann"]),
            ("games_sources", &["sources"]),
        ] {
            let text = run(&folder, &[&["games"], arguments].concat(), Some(width));
            let most: usize = width.parse().unwrap();
            for line in text.lines() {
                assert!(line.chars().count() <= most, "{name} at {width}: {line}");
            }
            insta::assert_snapshot!(format!("{name}_{width}"), text);
        }
    }
}

/// What is said of a position that is not in the book: the exit code is 1.
fn missing(folder: &TempDir, arguments: &[&str], width: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_rosebill"))
        .args(arguments)
        .env_remove("ROSEBILL_CONFIG")
        .env("XDG_CONFIG_HOME", folder.path())
        .env("ROSEBILL_BOOK", folder.path().join("book.db"))
        .env("COLUMNS", width)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    String::from_utf8(output.stdout).unwrap()
}
