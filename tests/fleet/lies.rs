//! Results that are no good, by mistake or on purpose, and jobs that nobody survives.

use std::time::Duration;

use serde_json::{Value, json};

use crate::client::Stranger;
use crate::desk::{Desk, EVERYTHING, LEVEL, told, until};
use crate::proxy::Proxy;
use crate::server::NatsServer;

#[test]
fn forged_doubled_and_malformed_results_are_refused_with_a_reason() {
    let Some(server) = NatsServer::start("forged_results") else { return };
    let desk = Desk::of(&server.url());
    let coordinator = desk.coordinator(&[]);
    let mut stranger = Stranger::at(&server.address());
    stranger.listen("rosebill.result.>");
    let worker = desk.worker();
    let (subject, body) = stranger.hear();
    // Growth goes on only when all of this has been taken.
    worker.signal("STOP");
    let honest: Value = serde_json::from_slice(&body).unwrap();
    assert!(body.len() < 1024, "{} bytes", body.len());
    let forged = |change: &dyn Fn(&mut Value)| {
        let mut result = honest.clone();
        result["worker"] = json!("forger");
        change(&mut result);
        result.to_string().into_bytes()
    };
    // So many threads nobody has, and two of them have more than can be counted.
    for name in ["a", "b"] {
        let boast = json!({
            "format": 1, "name": name, "version": "", "weights": "", "threads": u64::MAX,
            "signature": honest["job"]["signature"], "jobs": u64::MAX,
            "nodes_per_second": u64::MAX, "is_ending": false,
        });
        let subject = format!("rosebill.status.worker.{name}");
        stranger.publish(&subject, boast.to_string().as_bytes());
    }
    let mut send = |body: Vec<u8>| stranger.publish(&subject, &body);
    send(b"no JSON \xff".to_vec());
    send(Vec::new());
    send(b"{".repeat(100_000));
    send(forged(&|result| result["job"]["format"] = json!(2)));
    send(forged(&|result| result["job"]["places"][0]["position"] = json!("f".repeat(32))));
    send(forged(&|result| result["found"][0]["score"] = json!(1e300)));
    send(forged(&|result| result["found"] = json!([])));
    send(body);
    send(forged(&|result| result["job"]["book"] = json!("0123456789abcdef")));
    send(forged(&|result| result["job"]["signature"] = json!("0123456789abcdef")));
    send(forged(&|result| result["job"]["level"] = json!(1)));
    send(forged(&|result| result["job"]["table"] = json!(2)));
    send(forged(&|result| result["found"][0]["move"] = json!("a1")));
    let impossible = forged(&|result| result["found"][0]["score"] = json!(6401));
    // It came back long ago: else anybody could have another worker shut out, and its results searched again.
    (0..20).for_each(|_| send(impossible.clone()));
    worker.signal("CONT");
    let told = coordinator.done();
    for reason in [
        "malformed",
        "doubled or late",
        "of another book",
        "of another program",
        "2 of another level or table",
        "1 with an illegal move",
        "21 impossible",
    ] {
        assert!(told.contains(reason), "{reason}: {told}");
    }
    assert!(!told.contains("shut out"), "{told}");
    desk.is_whole();
}

#[test]
fn a_liar_is_shut_out_and_what_it_found_is_searched_again() {
    let Some(server) = NatsServer::start("a_liar_is_shut_out") else { return };
    let proxy = Proxy::to(&server.address());
    proxy.lie(true);
    let desk = Desk::of(&server.url());
    // A fifth is searched again: many of its lies are in the book when one is found.
    let coordinator = desk.coordinator(&["--recheck", "20%"]);
    let mut liar = desk.worker_at(&proxy.url());
    until("the liar has done something", || {
        Stranger::at(&server.address()).published("ROSEBILL_RESULTS") > 0
    });
    let _honest = desk.worker();
    until("the liar is shut out", || !liar.runs());
    let ended = liar.ended();
    assert_eq!(ended.status.code(), Some(2));
    assert!(told(&ended).contains("this worker was shut out"), "{}", told(&ended));
    let told = coordinator.done();
    assert_eq!(told.matches("its results are wrong: it is shut out").count(), 1, "{told}");
    desk.is_whole();
}

#[test]
fn a_job_that_kills_who_takes_it_is_set_aside_and_named() {
    let Some(server) = NatsServer::start("a_job_that_kills") else { return };
    let desk = Desk::of(&server.url());
    let here = [&EVERYTHING[..], &["--level", LEVEL, "--threads", "1"]].concat();
    desk.ok(&[&here[..], &["--positions", "20"]].concat());
    let coordinator = desk.coordinator(&["--in-flight", "1"]);
    let mut stranger = Stranger::at(&server.address());
    until("a job is there", || stranger.published("ROSEBILL_JOBS") > 0);
    let consumer = stranger.consumers("ROSEBILL_JOBS").pop().unwrap();
    let mut poison = None;
    for _ in 0..5 {
        let taken = stranger.take("ROSEBILL_JOBS", &consumer, Duration::from_secs(5)).unwrap();
        let job: Value = serde_json::from_slice(taken.body()).unwrap();
        assert!(taken.body().len() < 1024, "{job}");
        assert!(poison.is_none_or(|known| known == job), "another job");
        poison = Some(job);
    }
    let _worker = desk.worker();
    let told = coordinator.done();
    assert!(told.contains("set aside, since no worker can search it"), "{told}");
    desk.ok(&["verify"]);
    let positions = desk.json(&["info", "--by-discs"])["positions"].as_u64().unwrap();
    assert!((100..401).contains(&positions), "{positions}");
    // Nobody is killed by it here.
    desk.ok(&here);
    desk.is_whole();
}
