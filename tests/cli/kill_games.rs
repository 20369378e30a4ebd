//! Killing and interrupting real processes while they take games in: of every file all games are
//! there or none, and what was there before is as it was.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rosebill::app::games::verify_games;
use rosebill::files::games::{Game, Player};
use rosebill::lab::bench::grow_scratch;
use rosebill::openbook::Source;
use rosebill::store::{Book, Reader};
use tempfile::TempDir;

use crate::desk::{Desk, is_one_line, stderr};
use crate::dice::Dice;
use crate::random_games::{all_games, random_game, take_files, take_games, write_games};

/// What is to be killed.
struct Plan {
    files: usize,
    /// Games of a file.
    games: usize,
    kills: u32,
}

#[test]
fn an_import_of_games_that_is_killed_leaves_whole_files() {
    let told = kill_at_random(Plan { files: 6, games: 250, kills: 6 });
    assert!(told.killed >= 3, "{told:?}");
}

/// The same at length; `ROSEBILL_KILLS` says how many processes (50).
#[test]
#[ignore = "takes minutes: ROSEBILL_KILLS=50 cargo test --test cli -- --ignored many_imports"]
fn many_imports_of_games_that_are_killed_leave_whole_files() {
    let kills = std::env::var("ROSEBILL_KILLS").map_or(50, |kills| kills.parse().unwrap());
    let told = kill_at_random(Plan { files: 12, games: 600, kills });
    println!("{told:?}");
}

/// What came of all kills.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct Told {
    /// Processes that were killed before they were done.
    killed: u32,
    /// Processes that were done before that.
    finished: u32,
    /// How many files were whole afterwards, for each process that was killed.
    whole_files: Vec<usize>,
    /// Processes that were killed when all files were in, and the index was not.
    in_the_index: u32,
}

struct Stage {
    folder: TempDir,
    files: Vec<PathBuf>,
    /// The games of the book with none of the files, the first, the first two...
    states: Vec<u64>,
    positions: u64,
}

fn kill_at_random(plan: Plan) -> Told {
    let stage = Stage::prepare(&plan);
    let takes = stage.time_of_an_import();
    let (mut dice, mut told) = (Dice(u64::from(plan.kills)), Told::default());
    // Who is done before it can be killed does not count; on a strange machine it does in the end.
    for attempt in 0..plan.kills * 3 {
        if told.killed == plan.kills {
            break;
        }
        let durability = ["full", "normal"][attempt as usize % 2];
        stage.kill(takes * dice.below(1000) as u32 / 1000, durability, &mut told);
    }
    told
}

/// A number for all games with everything that is known of them.
fn digest(book: &Reader) -> u64 {
    let mut hasher = DefaultHasher::new();
    for (number, game) in all_games(book) {
        (number, format!("{game:?}")).hash(&mut hasher);
    }
    hasher.finish()
}

impl Stage {
    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Makes a book of positions and games, and files with new games, known ones, and known ones of
    /// which they know more.
    fn prepare(plan: &Plan) -> Self {
        let folder = TempDir::new().unwrap();
        let mut stage = Self { folder, files: vec![], states: vec![], positions: 0 };
        for durability in ["full", "normal"] {
            let text = format!("durability = \"{durability}\"\n");
            fs::write(stage.path(&format!("{durability}.toml")), text).unwrap();
        }
        let mut dice = Dice(31);
        let mut random =
            |count: usize| -> Vec<Game> { (0..count).map(|_| random_game(&mut dice)).collect() };
        let mut book = Book::create(stage.path("start.db")).unwrap();
        for engine in ["a", "b", "c"] {
            book.source_id(&Source { engine: engine.into(), ..Source::default() }).unwrap();
        }
        grow_scratch(1000, |layer| book.bulk_load(layer).map(|_| ())).unwrap();
        let mut known = random(1100);
        take_games(&mut book, "before.jsonl", &known);
        assert!(book.reader().games().indexed().unwrap() > 1000);
        stage.positions = book.reader().counts().unwrap().positions;
        book.checkpoint().unwrap();
        drop(book);
        fs::copy(stage.path("start.db"), stage.path("whole.db")).unwrap();
        let mut book = Book::open(stage.path("whole.db")).unwrap();
        stage.states.push(digest(book.reader()));
        for number in 0..plan.files {
            let mut games = random(plan.games);
            for at in (0..plan.games).step_by(3) {
                let mut game = known[(at * 7 + number) % known.len()].clone();
                if at % 2 == 0 && game.white.name.is_none() && game.moves.len() > 40 {
                    game.white = Player { name: Some(format!("Player {number}")), rating: None };
                }
                games.push(game);
            }
            known.extend_from_slice(&games);
            let path = stage.path(&format!("games-{number}.jsonl"));
            write_games(&path, &games);
            let report = take_files(&mut book, std::slice::from_ref(&path));
            let file = &report.files[0];
            assert!(file.new > 0 && file.known > 0 && file.richer > 0, "{file:?}");
            stage.files.push(path);
            stage.states.push(digest(book.reader()));
        }
        stage
    }

    fn start(&self, durability: &str) -> Child {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rosebill"));
        command.args(["games", "import", "--quiet", "--book"]).arg(self.path("run.db"));
        command
            .args(&self.files)
            .env("ROSEBILL_CONFIG", self.path(&format!("{durability}.toml")))
            .env("SOURCE_DATE_EPOCH", "1763600000")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    }

    fn set(&self) {
        for ending in ["", "-wal", "-shm", ".lock"] {
            let _ = fs::remove_file(self.path(&format!("run.db{ending}")));
        }
        fs::copy(self.path("start.db"), self.path("run.db")).unwrap();
    }

    fn time_of_an_import(&self) -> Duration {
        self.set();
        let started = Instant::now();
        assert!(self.start("full").wait().unwrap().success());
        let takes = started.elapsed();
        assert_eq!(self.look("let alone"), self.files.len());
        takes
    }

    /// Looks the book through; says how many files are in it.
    fn look(&self, when: &str) -> usize {
        let book = Reader::open(self.path("run.db")).unwrap();
        let (graph, games) = (book.verify().unwrap(), verify_games(&book).unwrap());
        assert!(
            graph.is_sound() && games.is_sound(),
            "{when}: {:?} {:?}",
            graph.first,
            games.first
        );
        assert_eq!(graph.positions, self.positions, "{when}");
        let found = digest(&book);
        let whole = self.states.iter().position(|&state| state == found);
        whole.unwrap_or_else(|| panic!("{when}: {} games are of no whole files", games.games))
    }

    fn kill(&self, patience: Duration, durability: &str, told: &mut Told) {
        self.set();
        let reader = Reader::open(self.path("run.db")).unwrap();
        let started = Instant::now();
        let mut import = self.start(durability);
        let mut seen = 0;
        let finished = loop {
            if let Some(status) = import.try_wait().unwrap() {
                assert!(status.success(), "the import failed by itself");
                break true;
            }
            if started.elapsed() >= patience {
                import.kill().unwrap();
                import.wait().unwrap();
                break false;
            }
            sleep(Duration::from_millis(1));
            // What somebody saw is committed.
            seen = reader.games().count().unwrap();
        };
        drop(reader);
        let when = format!("killed after {patience:?} with durability {durability}");
        let whole = self.look(&when);
        let book = Reader::open(self.path("run.db")).unwrap();
        assert!(book.games().count().unwrap() >= seen, "{when}: a commit that was seen is gone");
        let all_in = whole == self.files.len();
        let is_indexed =
            u64::from(book.games().indexed().unwrap()) == book.games().count().unwrap();
        drop(book);
        if finished {
            assert!(all_in);
            told.finished += 1;
            return;
        }
        told.killed += 1;
        told.whole_files.push(whole);
        told.in_the_index += u32::from(all_in && !is_indexed);
        // Once more completes it.
        assert!(self.start("full").wait().unwrap().success());
        assert_eq!(self.look(&when), self.files.len(), "{when}");
    }
}

/// Ctrl-C in the middle of a file: the files before it are in, and questions are answered.
#[cfg(unix)]
#[test]
fn an_import_of_games_that_is_interrupted_leaves_whole_files() {
    let desk = Desk::new();
    let mut dice = Dice(3);
    let mut lines = |name: &str, count: usize| -> Vec<u8> {
        let games: Vec<Game> = (0..count).map(|_| random_game(&mut dice)).collect();
        write_games(&desk.path(name), &games);
        fs::read(desk.path(name)).unwrap()
    };
    lines("first.jsonl", 1500);
    let second = lines("second.jsonl", 3000);
    let mut import = desk
        .command()
        .args(["games", "import", "first.jsonl", "-", "second.jsonl"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = import.stdin.take().unwrap();
    input.write_all(&second[..second.len() / 2]).unwrap();
    let games = |desk: &Desk| {
        let reader = Reader::open(desk.path("book.db"));
        reader.and_then(|book| book.games().count()).unwrap_or_default()
    };
    let started = Instant::now();
    while games(&desk) == 0 {
        assert!(started.elapsed() < Duration::from_secs(60), "nothing is taken in");
        sleep(Duration::from_millis(5));
    }
    let first = games(&desk);
    let process = import.id().to_string();
    assert!(Command::new("kill").args(["-INT", &process]).status().unwrap().success());
    // It may be gone already.
    let _ = input.write_all(&second[second.len() / 2..]);
    drop(input);
    let output = import.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    let told = stderr(&output);
    let kept = "stopped: 1 file imported whole, the one being read not at all";
    assert!(told.contains(kept), "{told}");
    assert_eq!(games(&desk), first);
    let text = desk.ok(&["verify"]);
    assert!(text.replace(',', "").contains(&format!("{first} games 0 violations")), "{text}");
    let book = Reader::open(desk.path("book.db")).unwrap();
    let from_the_start = all_games(&book)
        .values()
        .filter(|(row, _)| row.start.is_none() && !row.moves.is_empty())
        .count();
    drop(book);
    assert_eq!(desk.json(&["games", "stats"])["games"], from_the_start);
    let again = desk.ok(&["games", "import", "first.jsonl", "second.jsonl", "--json"]);
    let total: serde_json::Value = serde_json::from_str(again.lines().last().unwrap()).unwrap();
    assert_eq!(total["games"], 4500);
    assert_eq!(games(&desk), first + total["new"].as_u64().unwrap());
    assert!(desk.ok(&["verify"]).contains(" games, 0 violations"));
}

#[test]
fn a_book_that_is_written_takes_no_games_and_reads_none() {
    let desk = Desk::new();
    let book = Book::create(desk.path("book.db")).unwrap();
    // What is not looked at is not missed either.
    let text = desk.refused(&["games", "import", "missing.pgn", "-"]);
    assert!(is_one_line(&text), "{text}");
    let process = format!("process {}", std::process::id());
    assert!(text.contains(&process) && !text.contains("missing.pgn"), "{text}");
    drop(book);
    assert!(desk.refused(&["games", "import", "missing.pgn"]).contains("missing.pgn"));
}
