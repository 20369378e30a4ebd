//! Machines and networks that fail in the middle of growth: the book is that of an undisturbed run, byte
//! for byte, and no position is lost or there twice.

use std::thread::sleep;
use std::time::Duration;

use crate::desk::{Desk, count, until_results};
use crate::proxy::Proxy;
use crate::server::NatsServer;

const SECOND: Duration = Duration::from_secs(1);

#[test]
fn workers_that_are_killed_stopped_or_cut_off_cost_nothing() {
    let Some(server) = NatsServer::start("workers_that_are_killed") else { return };
    let proxy = Proxy::to(&server.address());
    let desk = Desk::of(&server.url());
    let coordinator = desk.coordinator(&[]);
    let mut killed = desk.worker();
    let stopped = desk.worker();
    let _cut_off = desk.worker_at(&proxy.url());
    until_results(&server, 60);
    killed.kill();
    stopped.signal("STOP");
    proxy.swallow(true);
    let _successor = desk.worker();
    until_results(&server, 160);
    // What they did meanwhile comes late, or not at all where all is done before.
    stopped.signal("CONT");
    proxy.swallow(false);
    coordinator.done();
    desk.is_whole();
}

/// `ROSEBILL_FLEET_KILLS` says how often.
#[test]
fn a_coordinator_that_is_killed_again_and_again_loses_nothing() {
    let Some(server) = NatsServer::start("a_coordinator_that_is_killed") else { return };
    let desk = Desk::of(&server.url());
    let _workers = [desk.worker(), desk.worker()];
    let mut kept = 0;
    let kills = count("ROSEBILL_FLEET_KILLS", 5);
    for number in 1..=kills {
        let mut coordinator = desk.coordinator(&[]);
        // At some moment of its life, from the first message to the middle of a commit.
        until_results(&server, number * 700 / (kills + 5) / 2);
        sleep(Duration::from_millis(number * 389 % 1500));
        coordinator.kill();
        if desk.path("book.db").exists() {
            let now = desk.json(&["info", "--by-discs"])["positions"].as_u64().unwrap();
            assert!(now >= kept, "{kept} positions were in the book, {now} are");
            kept = now;
        }
    }
    desk.coordinator(&[]).done();
    desk.is_whole();
}

#[test]
fn a_server_that_is_killed_or_loses_its_data_costs_searches_and_no_more() {
    let Some(mut server) = NatsServer::start("a_server_that_is_killed") else { return };
    let desk = Desk::of(&server.url());
    let coordinator = desk.coordinator(&[]);
    let _workers = [desk.worker(), desk.worker()];
    until_results(&server, 50);
    server.kill();
    sleep(SECOND);
    server.restart();
    until_results(&server, 120);
    server.restart_wiped();
    until_results(&server, 50);
    coordinator.done();
    desk.is_whole();
}

#[test]
fn a_network_that_cuts_delays_doubles_and_reorders_changes_nothing() {
    let Some(server) = NatsServer::start("a_network_that_cuts") else { return };
    let (proxy, other) = (Proxy::to(&server.address()), Proxy::to(&server.address()));
    let desk = Desk::of(&proxy.url());
    let coordinator = desk.coordinator(&["--in-flight", "16"]);
    let _workers = [desk.worker_at(&other.url()), desk.worker_at(&other.url())];
    until_results(&server, 30);
    let both = [&proxy, &other];
    for proxy in both {
        proxy.double(true);
        proxy.reorder(true);
    }
    until_results(&server, 120);
    for proxy in both {
        proxy.double(false);
        proxy.reorder(false);
    }
    proxy.cut();
    until_results(&server, 160);
    other.delay(Duration::from_millis(30));
    other.cut();
    until_results(&server, 200);
    other.refuse(true);
    other.cut();
    sleep(SECOND);
    other.refuse(false);
    other.delay(Duration::ZERO);
    let told = coordinator.done();
    assert!(told.contains("doubled or late"), "{told}");
    for (doubled, overtaken) in [proxy.counts(), other.counts()] {
        assert!(doubled > 50 && overtaken > 10, "{doubled} doubled, {overtaken} overtaken");
    }
    desk.is_whole();
}
