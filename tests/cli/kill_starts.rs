//! Killing runs in their first moments, one after the other, while a reader keeps the log of the one before from
//! being written back every other time: what was committed stays, and no log is taken for another book's.

use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rosebill::store::Reader;

use crate::desk::Desk;
use crate::dice::Dice;

#[test]
fn runs_that_are_killed_at_their_beginning_lose_nothing() {
    kill_beginnings(8);
}

/// The same at length; `ROSEBILL_KILLS` says how many runs (200).
#[test]
#[ignore = "takes minutes: ROSEBILL_KILLS=200 cargo test --release --test cli -- --ignored beginnings"]
fn many_beginnings_that_are_killed_lose_nothing() {
    kill_beginnings(std::env::var("ROSEBILL_KILLS").map_or(200, |kills| kills.parse().unwrap()));
}

fn kill_beginnings(kills: u32) {
    let desk = Desk::grown("20");
    let path = desk.path("book.db");
    let mut dice = Dice(7);
    let (mut seen, mut begun) = (20, 0);
    // A reader that stays holds up all runs that it sees.
    let mut holder: Option<Reader> = None;
    for kill in 0..kills {
        if kill % 2 == 1 && holder.is_none() {
            holder = Some(Reader::open(&path).unwrap());
        }
        let held = holder.as_ref().map(|reader| reader.snapshot().unwrap());
        let before = held.as_ref().map(|held| held.count_positions().unwrap());
        // Most are killed in the moments around their first commits, some before, some well after.
        let (waits, after) = [(true, 40), (true, 40), (true, 1200), (false, 400)][dice.below(4)];
        let after = Duration::from_millis(dice.below(after) as u64);
        let mut growth = desk
            .command()
            .args(["grow", "--level", "1", "--threads", "1", "--time", "60s", "-q"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let look = Reader::open(&path).unwrap();
        let runs = look.runs().unwrap().len();
        let mut since = Instant::now();
        let mut waits = waits;
        while waits || since.elapsed() < after {
            if waits && look.runs().unwrap().len() > runs {
                (waits, since) = (false, Instant::now());
            }
            assert!(growth.try_wait().unwrap().is_none(), "kill {kill}: it ended by itself");
            seen = look.count_positions().unwrap().max(seen);
            sleep(Duration::from_millis(2));
        }
        growth.kill().unwrap();
        growth.wait().unwrap();
        seen = look.count_positions().unwrap().max(seen);
        begun += usize::from(look.runs().unwrap().len() > runs);
        drop(look);
        assert_eq!(held.as_ref().map(|held| held.count_positions().unwrap()), before);
        drop(held);
        // The snapshot is of one kill, the reader of several.
        if dice.below(4) == 0 {
            holder = None;
        }
        let found = Reader::open(&path).unwrap().count_positions().unwrap();
        assert!(found >= seen, "kill {kill}: {found} of {seen} positions");
        let mut names = desk.folder.path().read_dir().unwrap();
        let aside = names.find(|file| {
            let name = file.as_ref().unwrap().file_name();
            name.to_string_lossy().starts_with("book.db-wal.")
        });
        assert!(aside.is_none(), "kill {kill}: {aside:?}");
    }
    drop(holder);
    assert!(desk.ok(&["verify"]).contains(" 0 violations"));
    println!("{kills} runs, {begun} had begun, {seen} positions");
}
