//! A ping in the middle of a search.

use std::time::{Duration, Instant};

use crate::desk::Desk;
use crate::engine::Engine;
use crate::games::number;
use crate::talk::ggf;

const SEARCHES: [&str; 3] = ["hint 4", "hint 4", "go"];

/// Sends a ping a while after each request, in the middle of a search of depth 40; the times until the
/// answers, the longest last.
fn answers(pings: u64, threads: &str, requests: &[&str], book: bool) -> Vec<Duration> {
    let desk = Desk::new();
    let arguments = ["nboard", "--threads", threads, "--no-book"];
    let arguments = if book { &arguments[..3] } else { &arguments };
    let mut engine = Engine::start(&desk, arguments);
    engine.say("nboard 2");
    engine.line();
    engine.say("set depth 40");
    engine.say(&format!("set game {}", ggf("B[F5]W[D6]B[C3]W[D3]B[C4]")));
    let mut times = Vec::new();
    for (number, request) in (0..pings).zip(requests.iter().cycle()) {
        engine.say(request);
        engine.until(|line| line.starts_with("status "));
        // At many depths.
        std::thread::sleep(Duration::from_millis(20 + 37 * (number % 8)));
        let began = Instant::now();
        engine.say(&format!("ping {number}"));
        let pong = format!("pong {number}");
        engine.until(|line| line == pong);
        times.push(began.elapsed());
        // Nothing comes late.
        engine.say(&format!("ping {}", 1_000_000 + number));
        assert_eq!(engine.line(), format!("pong {}", 1_000_000 + number));
    }
    times.sort();
    times
}

#[test]
fn a_ping_in_a_search_is_answered() {
    assert_eq!(answers(3, "1", &SEARCHES, false).len(), 3);
    assert_eq!(answers(2, "1", &["analyze", "learn"], true).len(), 2);
}

#[test]
#[ignore = "long: ROSEBILL_PINGS pings, 1000 by default, each within 50 ms"]
fn pings_are_answered_within_50_ms() {
    let pings = number("ROSEBILL_PINGS", 1000);
    let all = [(&SEARCHES[..], false), (&["analyze"], false), (&["learn"], true)];
    for (threads, (requests, book)) in ["1", "2"].iter().flat_map(|two| all.map(|one| (two, one))) {
        let times = answers(pings, threads, requests, book);
        let late = times.iter().filter(|&&time| time > Duration::from_millis(50)).count();
        let (median, longest) = (times[times.len() / 2], times.last().unwrap());
        println!(
            "{threads} threads, {requests:?}, {pings} pings: median {median:?}, longest {longest:?}, late {late}"
        );
        assert_eq!(late, 0);
    }
}
