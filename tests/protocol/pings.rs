//! A ping in the middle of a search.

use std::time::{Duration, Instant};

use crate::desk::Desk;
use crate::engine::Engine;
use crate::games::number;
use crate::talk::ggf;

/// Sends a ping a while after each request, in the middle of a search of depth 40; the times until the
/// answers, the longest last.
fn answers(pings: u64, threads: &str) -> Vec<Duration> {
    let desk = Desk::new();
    let mut engine = Engine::start(&desk, &["nboard", "--no-book", "--threads", threads]);
    engine.say("nboard 2");
    engine.line();
    engine.say("set depth 40");
    engine.say(&format!("set game {}", ggf("B[F5]W[D6]B[C3]W[D3]B[C4]")));
    let mut times = Vec::new();
    for number in 0..pings {
        engine.say(if number % 3 == 2 { "go" } else { "hint 4" });
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
    assert_eq!(answers(3, "1").len(), 3);
}

#[test]
#[ignore = "long: ROSEBILL_PINGS pings, 1000 by default, each within 50 ms"]
fn pings_are_answered_within_50_ms() {
    let pings = number("ROSEBILL_PINGS", 1000);
    for threads in ["1", "2"] {
        let times = answers(pings, threads);
        let late = times.iter().filter(|&&time| time > Duration::from_millis(50)).count();
        let (median, longest) = (times[times.len() / 2], times.last().unwrap());
        println!(
            "{threads} threads, {pings} pings: median {median:?}, longest {longest:?}, late {late}"
        );
        assert_eq!(late, 0);
    }
}
