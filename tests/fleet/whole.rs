//! Whole growth by the real program: a coordinator, workers and a server.

use std::fs;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use crate::client::Stranger;
use crate::desk::{Desk, Running, told, until};
use crate::server::NatsServer;

#[test]
fn two_workers_grow_a_book_and_all_say_how_it_is() {
    let Some(server) = NatsServer::start("two_workers_grow_a_book") else { return };
    let desk = Desk::of(&server.url());
    // One is there before anything else, one comes later.
    let first = desk.worker();
    let grow = ["grow", "--fleet", "--level", "4", "--time", "60s", "--recheck", "10%"];
    let coordinator = Running::of(&mut desk.command(&grow));
    let second = desk.worker();
    let mut status = Value::Null;
    until("both workers and the book are seen at work", || {
        status = desk.json(&["fleet", "status"]);
        let workers = status["workers"].as_array().unwrap();
        let works = |worker: &Value| worker["jobs"].as_u64().unwrap() > 0;
        let checked = |worker: &Value| worker["checked"].as_u64().unwrap() > 0;
        workers.len() == 2
            && workers.iter().all(|worker| works(worker) && checked(worker))
            && status["coordinators"][0]["results"].as_u64().unwrap_or_default() > 20
    });
    assert_eq!(status["server"], json!(server.url()));
    assert_eq!(status["coordinators"][0]["title"], json!("book"));
    for worker in status["workers"].as_array().unwrap() {
        assert_eq!(worker["agreed"], worker["checked"], "{worker}");
        assert_eq!((&worker["threads"], &worker["shut_out"]), (&json!(1), &json!(false)));
    }
    let text = desk.ok(&["fleet", "status"]);
    assert!(text.contains("results/s") && text.contains("agreement"), "{text}");
    coordinator.interrupt();
    let ended = coordinator.ended();
    assert_eq!(ended.status.code(), Some(130), "{}", told(&ended));
    // The jobs are taken back, and workers end at once when they are asked to.
    let mut stranger = Stranger::at(&server.address());
    assert_eq!(stranger.waiting("ROSEBILL_JOBS"), Some(0));
    for worker in [first, second] {
        worker.interrupt();
        assert_eq!(worker.ended().status.code(), Some(130));
    }
    desk.ok(&["verify"]);
    // The run goes on where it stopped.
    let before = desk.json(&["info", "--by-discs"])["positions"].as_u64().unwrap();
    assert!(before > 20);
    let _worker = desk.worker();
    let more = desk.json(&["grow", "--fleet", "--level", "4", "--positions", "20"]);
    assert!(more["new_positions"].as_u64().unwrap() >= 20, "{more}");
    assert!(more["positions"].as_u64().unwrap() >= before + 20);
    desk.ok(&["verify"]);
}

#[test]
fn one_worker_with_one_job_gives_the_same_book_byte_for_byte() {
    let Some(server) = NatsServer::start("one_worker_with_one_job") else { return };
    let desk = Desk::of(&server.url());
    // In two stages: jobs of both levels.
    let grow = ["grow", "--level", "4", "--deepen", "6", "--positions", "150", "-q"];
    desk.ok(&[&grow[..], &["--threads", "1", "--book", "here.db"]].concat());
    let _worker = desk.worker();
    desk.ok(&[&grow[..], &["--fleet", "--in-flight", "1", "--book", "there.db"]].concat());
    let (here, there) =
        (desk.export("here.db", "here.jsonl"), desk.export("there.db", "there.jsonl"));
    assert!(!here.is_empty());
    assert!(here == there, "the books differ");
}

#[test]
fn a_second_coordinator_of_a_book_is_told_so() {
    let Some(server) = NatsServer::start("a_second_coordinator") else { return };
    let desk = Desk::of(&server.url());
    let _worker = desk.worker();
    desk.ok(&["grow", "--fleet", "--level", "1", "--positions", "5", "-q"]);
    fs::copy(desk.path("book.db"), desk.path("copy.db")).unwrap();
    let grow = ["grow", "--fleet", "--level", "1", "--time", "60s", "-q"];
    let coordinator = Running::of(&mut desk.command(&grow));
    let mut stranger = Stranger::at(&server.address());
    until("the first one is at work", || {
        stranger.waiting("ROSEBILL_RESULTS").is_some_and(|w| w > 0)
    });
    let same_file = desk.refused(&grow);
    assert!(same_file.contains("is being written by"), "{same_file}");
    let copy = desk.refused(&[&grow[..], &["--book", "copy.db"]].concat());
    assert!(copy.contains("another coordinator"), "{copy}");
    coordinator.interrupt();
    assert_eq!(coordinator.ended().status.code(), Some(130));
    // Afterwards the copy may grow.
    desk.ok(&["grow", "--fleet", "--level", "1", "--positions", "2", "--book", "copy.db", "-q"]);
}

#[test]
fn streams_of_other_settings_are_told() {
    let Some(server) = NatsServer::start("streams_of_other_settings") else { return };
    let mut stranger = Stranger::at(&server.address());
    let stream =
        json!({ "name": "ROSEBILL_JOBS", "subjects": ["rosebill.job.>"], "storage": "file" });
    assert!(stranger.api("STREAM.CREATE.ROSEBILL_JOBS", &stream)["error"].is_null());
    let desk = Desk::of(&server.url());
    let told = desk.refused(&["grow", "--fleet", "--positions", "1"]);
    assert!(told.contains("ROSEBILL_JOBS") && told.contains("retention is Limits"), "{told}");
}

#[test]
fn credentials_are_asked_for_and_never_told() {
    let server = NatsServer::with("credentials_are_never_told", |_| {
        ["--user", "anna", "--pass", "s3cret"].map(str::to_owned).to_vec()
    });
    let Some(server) = server else { return };
    let of = |user: &str| server.url().replace("://", &format!("://{user}@"));
    let desk = Desk::of(&of("anna:s3cret"));
    for wrong in ["anna:wr0ng", "t0ken"] {
        let told = desk.refused(&["fleet", "work", "--fleet", &of(wrong), "-v"]);
        assert!(told.contains("refuses the credentials"), "{told}");
        assert!(!told.contains("wr0ng") && !told.contains("t0ken"), "{told}");
        desk.refused(&["fleet", "status", "--fleet", &of(wrong)]);
    }
    let _worker = desk.worker();
    let grown =
        desk.run(&["grow", "--fleet", &desk.url, "--positions", "3", "--level", "1", "-vvv"]);
    assert!(grown.status.success(), "{}", told(&grown));
    desk.ok(&["config", "set", "fleet", &desk.url]);
    let mut texts = vec![told(&grown), String::from_utf8(grown.stdout).unwrap()];
    texts.push(desk.ok(&["config"]));
    texts.push(desk.ok(&["info"]));
    texts.push(desk.ok(&["fleet", "status", "--json"]));
    let mistake = desk.run(&["grow", "--fleet", &desk.url, &desk.url]);
    texts.push(told(&mistake));
    for text in &texts {
        assert!(!text.contains("s3cret"), "{text}");
    }
    for file in ["book.db", "book.db-wal"] {
        let bytes = fs::read(desk.path(file)).unwrap_or_default();
        assert!(!bytes.windows(6).any(|part| part == b"s3cret"), "{file} holds the password");
    }
    assert!(Path::new(&desk.path("config.toml")).exists());
}

#[test]
fn a_worker_waits_for_its_server_and_refuses_what_it_cannot_hold() {
    let Some(mut server) = NatsServer::start("a_worker_waits") else { return };
    let desk = Desk::of(&server.url());
    server.kill();
    let mut worker = desk.worker();
    std::thread::sleep(Duration::from_secs(1));
    assert!(worker.runs(), "it does not wait");
    server.restart();
    let grow = ["grow", "--fleet", "--level", "1", "-q", "--positions", "3"];
    desk.ok(&grow);
    let all = "1048576"; // MiB
    let coordinator = Running::of(&mut desk.command(&[&grow[..], &["--table", all]].concat()));
    let ended = worker.ended();
    assert_eq!(ended.status.code(), Some(2));
    assert!(told(&ended).contains("has not so much memory"), "{}", told(&ended));
    coordinator.interrupt();
    coordinator.ended();
}

#[test]
fn without_workers_nothing_is_said_of_levels() {
    let Some(server) = NatsServer::start("without_workers") else { return };
    let desk = Desk::of(&server.url());
    let grow = ["grow", "--fleet", &server.url(), "--level", "4", "--time", "1s"];
    let ended = desk.run(&grow);
    assert_eq!(ended.status.code(), Some(1), "{}", told(&ended));
    let command = format!("rosebill fleet work --fleet {}", server.url());
    let expected = format!("no search finished in 1s; no worker is there\n  try: {command}");
    assert!(told(&ended).contains(&expected), "{}", told(&ended));
}
