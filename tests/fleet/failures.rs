//! Jobs that fail: by a fault of their worker's machine, or their own.

use std::time::Duration;

use serde_json::{Value, json};

use crate::client::Stranger;
use crate::desk::{Desk, Running, told, until, until_results};
use crate::proxy::Proxy;
use crate::server::NatsServer;

const SECOND: Duration = Duration::from_secs(1);

/// Started anew it has another name, and is no second opinion.
#[test]
fn a_machine_on_which_all_fails_ends_and_sets_nothing_aside() {
    let Some(server) = NatsServer::start("a_machine_on_which_all_fails") else { return };
    let proxy = Proxy::to(&server.address());
    proxy.hurry(true);
    let desk = Desk::of(&server.url());
    let coordinator = desk.coordinator(&[]);
    let honest = desk.worker();
    until_results(&server, 20);
    honest.interrupt();
    honest.ended();
    for _ in 0..2 {
        let mut broken = desk.worker_at(&proxy.url());
        until("the broken one ends", || !broken.runs());
        let ended = broken.ended();
        assert_eq!(ended.status.code(), Some(2), "{}", told(&ended));
        assert!(
            told(&ended).contains("3 jobs failed here one after the other"),
            "{}",
            told(&ended)
        );
    }
    let _honest = desk.worker();
    let told = coordinator.done();
    assert!(told.contains("others are to try it"), "{told}");
    assert!(!told.contains("set aside"), "{told}");
    desk.is_whole();
}

/// Takes the only job there is, and says that it failed at each of these.
fn fail(stranger: &mut Stranger, workers: &[&str]) -> Vec<Value> {
    until("a job is there", || stranger.published("ROSEBILL_JOBS") > 0);
    let consumer = stranger.consumers("ROSEBILL_JOBS").pop().unwrap();
    let mut jobs = Vec::new();
    for worker in workers {
        let taken = stranger.take("ROSEBILL_JOBS", &consumer, 20 * SECOND).unwrap();
        let job: Value = serde_json::from_slice(taken.body()).unwrap();
        let subject = taken.subject().unwrap().split('.').collect::<Vec<_>>();
        let subject = format!("rosebill.result.{}.{}", subject[3], subject[4]);
        let result = json!({
            "job": job, "found": [], "failed": "the search failed because of a fault in rosebill",
            "nodes": 0, "seconds": 0.5, "worker": worker, "version": "", "weights": "",
        });
        stranger.publish(&subject, result.to_string().as_bytes());
        stranger.publish(taken.reply().unwrap(), b"+ACK");
        jobs.push(job);
    }
    jobs
}

#[test]
fn a_job_that_fails_at_two_machines_is_set_aside_until_it_is_asked_for_again() {
    let Some(server) = NatsServer::start("a_job_that_fails_at_two") else { return };
    let desk = Desk::of(&server.url());
    let coordinator = desk.coordinator(&["--in-flight", "1"]);
    let mut stranger = Stranger::at(&server.address());
    let jobs = fail(&mut stranger, &["one-1", "one-2", "other-1"]);
    assert!(jobs.iter().all(|job| *job == jobs[0]), "{jobs:?}");
    let told = coordinator.done();
    assert!(told.contains("set aside, since no worker can search it"), "{told}");
    // Without its first position there is no book, and the next run leaves it alone, too.
    let _worker = desk.worker();
    desk.coordinator(&[]).done();
    assert_eq!(desk.json(&["info", "--by-discs"])["positions"], 0);
    let told = desk.coordinator(&["--again"]).done();
    assert!(!told.contains("set aside"), "{told}");
    desk.is_whole();
}

#[test]
fn a_job_that_is_given_back_is_as_new() {
    let Some(server) = NatsServer::start("a_job_that_is_given_back") else { return };
    let desk = Desk::of(&server.url());
    // It takes minutes.
    let grow = ["grow", "--fleet", "--level", "30", "--positions", "1", "--table", "1", "-q"];
    let coordinator = Running::of(&mut desk.command(&grow));
    let mut stranger = Stranger::at(&server.address());
    until("a job is there", || stranger.published("ROSEBILL_JOBS") > 0);
    let consumer = stranger.consumers("ROSEBILL_JOBS").pop().unwrap();
    for _ in 0..2 {
        let worker = desk.worker();
        until("it is in work", || {
            let info =
                stranger.api(&format!("CONSUMER.INFO.ROSEBILL_JOBS.{consumer}"), &Value::Null);
            info["num_ack_pending"] == 1
        });
        worker.interrupt();
        assert_eq!(worker.ended().status.code(), Some(130));
    }
    let taken = stranger.take("ROSEBILL_JOBS", &consumer, 5 * SECOND).unwrap();
    // $JS.ACK, stream, consumer, deliveries, ...
    assert_eq!(taken.reply().unwrap().split('.').nth(4), Some("1"));
    coordinator.interrupt();
    coordinator.ended();
}

#[test]
fn a_server_that_is_not_there_leaves_no_book_behind() {
    let desk = Desk::of("nats://127.0.0.1:1");
    let ended = desk.run(&["grow", "--fleet", "nats://127.0.0.1:1", "--time", "1s"]);
    assert_eq!(ended.status.code(), Some(2), "{}", told(&ended));
    assert!(told(&ended).contains("127.0.0.1:1"), "{}", told(&ended));
    assert!(!desk.path("book.db").exists());
    // No password of an address without a scheme is told or kept.
    let refused = desk.run(&["grow", "--fleet", "anna:secret@127.0.0.1:1", "--time", "1s"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(!told(&refused).contains("secret"), "{}", told(&refused));
}
