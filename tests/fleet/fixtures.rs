//! What the tests stand on: a server that forgets only what it should, and a network that fails as it
//! is told to.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::client::Stranger;
use crate::proxy::Proxy;
use crate::server::NatsServer;

const SECOND: Duration = Duration::from_secs(1);

#[test]
fn the_server_keeps_its_data_until_they_are_wiped() {
    let Some(mut server) = NatsServer::start("the_server_keeps_its_data") else { return };
    let mut stranger = Stranger::at(&server.address());
    let stream = json!({ "name": "S", "subjects": ["rosebill.>"], "storage": "file" });
    let made = stranger.api("STREAM.CREATE.S", &stream);
    assert!(made["error"].is_null(), "{made}");
    stranger.publish("rosebill.a", b"one");
    assert_eq!(stranger.waiting("S"), Some(1));
    server.restart();
    assert_eq!(Stranger::at(&server.address()).waiting("S"), Some(1));
    server.restart_wiped();
    assert_eq!(Stranger::at(&server.address()).waiting("S"), None);
}

#[test]
fn the_proxy_fails_as_it_is_told() {
    let Some(server) = NatsServer::start("the_proxy_fails_as_it_is_told") else { return };
    let proxy = Proxy::to(&server.address());
    let mut near = Stranger::at(&proxy.address);
    let stream = json!({ "name": "S", "subjects": ["rosebill.>"], "storage": "memory" });
    near.api("STREAM.CREATE.S", &stream);
    let config =
        json!({ "stream_name": "S", "config": { "durable_name": "c", "ack_policy": "explicit" } });
    near.api("CONSUMER.DURABLE.CREATE.S.c", &config);
    let mut far = Stranger::at(&server.address());
    let mut take = || far.take("S", "c", SECOND).map(|frame| frame.body().to_vec());

    proxy.double(true);
    near.publish("rosebill.a", b"twice");
    assert_eq!((take(), take()), (Some(b"twice".to_vec()), Some(b"twice".to_vec())));
    proxy.double(false);

    proxy.reorder(true);
    near.publish("rosebill.a", b"first");
    near.publish("rosebill.b", b"then");
    assert_eq!((take(), take()), (Some(b"then".to_vec()), Some(b"first".to_vec())));
    near.publish("rosebill.a", b"nothing overtakes it");
    assert!(take().is_some());
    proxy.reorder(false);
    assert_eq!(proxy.counts(), (1, 1));

    proxy.delay(SECOND / 4);
    let asked = Instant::now();
    assert_eq!(near.waiting("S"), Some(5));
    assert!(asked.elapsed() >= SECOND / 2);
    proxy.delay(Duration::ZERO);

    proxy.swallow(true);
    near.publish("rosebill.a", b"later");
    assert_eq!(take(), None);
    proxy.swallow(false);
    assert_eq!(take(), Some(b"later".to_vec()));

    proxy.refuse(true);
    proxy.cut();
    let gone = std::panic::catch_unwind(|| Stranger::at(&proxy.address));
    assert!(gone.is_err());
    proxy.refuse(false);
    assert_eq!(Stranger::at(&proxy.address).waiting("S"), Some(6));
}
