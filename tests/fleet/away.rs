//! What is said and done while the server or the coordinator is away, and after that.

use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::client::Stranger;
use crate::desk::{Desk, Running, told, until};
use crate::server::NatsServer;

const SECOND: Duration = Duration::from_secs(1);

/// How many results the only coordinator says that it has; none while there is no coordinator.
fn results(desk: &Desk) -> Option<u64> {
    desk.json(&["fleet", "status"])["coordinators"][0]["results"].as_u64()
}

#[test]
fn whoever_is_not_let_in_again_says_so_and_ends_with_all_kept() {
    let server = NatsServer::with("whoever_is_not_let_in_again", |_| {
        ["--user", "anna", "--pass", "0ldpass"].map(str::to_owned).to_vec()
    });
    let Some(mut server) = server else { return };
    let of = |pass: &str| server.url().replace("://", &format!("://anna:{pass}@"));
    let (old, new) = (of("0ldpass"), of("n3wpass"));
    let mut desk = Desk::of(&old);
    let worker = Running::of(&mut desk.command(&["fleet", "work", "--threads", "1"]));
    let grow = ["grow", "--fleet", "--level", "4", "--time", "300s"];
    let coordinator = Running::of(&mut desk.command(&grow));
    until("results have come", || results(&desk).is_some_and(|count| count > 20));
    server.kill();
    // A line on stderr comes every five seconds.
    sleep(7 * SECOND);
    server.restart_with(&["--user", "anna", "--pass", "n3wpass"]);
    for (name, running) in [("worker", worker), ("coordinator", coordinator)] {
        let ended = running.ended();
        let text = told(&ended);
        assert_eq!(ended.status.code(), Some(2), "{name}: {text}");
        let last = text.lines().last().unwrap();
        assert!(last.contains("refuses the credentials: give user"), "{name}: {text}");
        let progress = |what: &str| text.lines().any(|line| line.contains(&format!("| {what}")));
        assert!(progress("the fleet's server is away"), "{name}: {text}");
        assert!(progress("the fleet's server refuses the credentials"), "{name}: {text}");
        assert!(!text.contains("0ldpass"), "{name}: {text}");
    }
    desk.ok(&["verify"]);
    assert!(desk.json(&["info", "--by-discs"])["positions"].as_u64().unwrap() > 10);
    // With the right password it goes on.
    desk.url = new;
    let _worker = desk.worker();
    let more = desk.json(&["grow", "--fleet", "--level", "4", "--positions", "5"]);
    assert!(more["new_positions"].as_u64().unwrap() >= 5, "{more}");
}

#[test]
fn a_coordinator_tells_its_first_results_at_once_and_is_seen_to_be_silent() {
    let Some(server) = NatsServer::start("a_coordinator_tells_its_first") else { return };
    let desk = Desk::of(&server.url());
    let _worker = desk.worker();
    let grow = ["grow", "--fleet", "--level", "4", "--time", "300s", "-q"];
    let mut coordinator = Running::of(&mut desk.command(&grow));
    until("it is seen", || results(&desk).is_some());
    let seen = Instant::now();
    until("it tells of results", || results(&desk).is_some_and(|count| count > 0));
    assert!(seen.elapsed() < 4 * SECOND, "after {:?}", seen.elapsed());
    let silent = || desk.json(&["fleet", "status"])["coordinators"][0]["seconds_ago"].as_f64();
    assert!(silent().is_some_and(|seconds| seconds < 8.0));
    coordinator.kill();
    sleep(10 * SECOND);
    assert!(silent().is_some_and(|seconds| seconds >= 9.0), "{:?}", silent());
    let text = desk.ok(&["fleet", "status"]);
    let (books, _) = text.split_once("worker").unwrap();
    assert!(books.contains("seen") && books.contains(" s ago"), "{text}");
}

#[test]
fn what_waited_for_a_dead_coordinator_counts_against_no_limit() {
    let Some(server) = NatsServer::start("what_waited_for_a_dead") else { return };
    let desk = Desk::of(&server.url());
    let mut stranger = Stranger::at(&server.address());
    let worker = desk.worker();
    let grow = ["grow", "--fleet", "--level", "8", "--in-flight", "16", "-q"];
    // Results wait for it twice: the first time it tells of them in JSON, the second time in words.
    let mut leaves_results = || {
        let mut coordinator = Running::of(&mut desk.command(&grow));
        let before = stranger.published("ROSEBILL_RESULTS");
        until("it is at work", || stranger.published("ROSEBILL_RESULTS") >= before + 30);
        // Of a book without its first position nothing is asked: it commits once a second.
        sleep(2 * SECOND);
        coordinator.kill();
        until("results wait", || stranger.waiting("ROSEBILL_RESULTS").is_some_and(|n| n >= 8));
    };
    leaves_results();
    let limited = ["grow", "--fleet", "--level", "8", "--searches", "10"];
    let summary = desk.json(&limited);
    let count = |value: &Value| value.as_u64().unwrap_or_default();
    assert!((9..=11).contains(&count(&summary["searches"])), "{summary}");
    assert!(count(&summary["new_positions"]) <= 10, "{summary}");
    let earlier = &summary["earlier"];
    assert!(count(&earlier["positions"]) > 0 && count(&earlier["searches"]) >= 8, "{summary}");
    leaves_results();
    let text = desk.ok(&limited);
    assert!(text.contains(" of an earlier run added, beyond the limits"), "{text}");
    let text = desk.ok(&limited);
    assert!(!text.contains("earlier run"), "{text}");
    worker.interrupt();
    worker.ended();
    desk.ok(&["verify"]);
}
