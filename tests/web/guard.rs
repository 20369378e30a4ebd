//! Who may ask, and what those can do who mean no good.

use std::io::{Read, Write};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::desk::Desk;
use crate::dice::Dice;
use crate::site::{Site, answer_of};

#[test]
fn other_names_and_other_pages_get_nothing() {
    let site = Site::new();
    let status = |headers: &[(&str, &str)]| site.ask("GET", "/api/stats", headers, b"").status;
    let port = site.address.split(':').nth(1).unwrap();
    let local = format!("localhost:{port}");
    assert_eq!(status(&[("host", &local)]), 200);
    for host in ["evil.example", "10.1.2.3", "localhost.evil.example"] {
        assert_eq!(status(&[("host", host)]), 403, "{host}");
    }
    assert_eq!(status(&[("origin", &format!("http://{}", site.address))]), 200);
    for origin in ["https://evil.example", "null", "http://localhost:1"] {
        assert_eq!(status(&[("origin", origin)]), 403, "{origin}");
    }
    assert_eq!(status(&[("sec-fetch-site", "cross-site")]), 403);
    // No name at all, or an address of somebody else.
    assert_eq!(answer_of(&site.raw(b"GET / HTTP/1.1\r\nconnection: close\r\n\r\n")).status, 400);
    assert_eq!(site.get("http://evil.example/api/stats").status, 403);
}

#[test]
fn pages_elsewhere_read_answers_only_where_that_is_allowed() {
    let site = Site::new();
    let (guest, other) = ("https://club.example", "https://evil.example");
    let plain = site.get("/api/stats");
    assert_eq!(plain.header("access-control-allow-origin"), "");
    assert_eq!(plain.header("cross-origin-resource-policy"), "same-origin");
    let desk = Desk::grown("5");
    let open = Site::at(desk, &["--allow-origin", guest]);
    let answer = open.ask("GET", "/api/stats", &[("origin", guest)], b"");
    assert_eq!((answer.status, answer.header("access-control-allow-origin")), (200, guest));
    assert!(answer.header("vary").contains("origin"));
    let refused = open.ask("GET", "/api/stats", &[("origin", other)], b"");
    assert_eq!((refused.status, refused.header("access-control-allow-origin")), (403, ""));
    let asks = open.ask("OPTIONS", "/api/read", &[("origin", guest)], b"");
    assert_eq!(asks.status, 204);
    assert!(asks.header("access-control-allow-methods").contains("POST"));
    assert_eq!(open.ask("OPTIONS", "/api/read", &[("origin", other)], b"").status, 403);
    assert_eq!(open.ask("GET", "/api/stats", &[("host", "club.example")], b"").status, 200);
    let wrong = Desk::new().refused(&["serve", "--allow-origin", "club.example"]);
    assert!(wrong.contains("expected a scheme and a host"), "{wrong}");
}

#[test]
fn every_answer_says_what_the_browser_must_not_do() {
    let site = Site::new();
    for path in ["/", "/api/stats", "/api/nothing", "/assets/x", "/api/position?line=zz9"] {
        let answer = site.get(path);
        let policy = answer.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'; script-src 'self'"), "{path}: {policy}");
        assert!(!policy.contains("unsafe"), "{policy}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(answer.header("referrer-policy"), "no-referrer", "{path}");
    }
}

#[test]
fn no_path_leads_to_a_file() {
    let site = Site::new();
    for path in [
        "/assets/../Cargo.toml",
        "/assets/..%2f..%2fCargo.toml",
        "/assets/%2e%2e/%2e%2e/etc/passwd",
        "/../../etc/passwd",
        "//etc/passwd",
        "/assets/book.db",
        "/book.db",
        "/assets//etc/passwd",
        "/assets/..\\..\\x",
        "/api/games/..%2f1",
    ] {
        let answer = site.get(path);
        assert!([400, 404].contains(&answer.status), "{path}: {}", answer.status);
    }
    // The names of files mean nothing as positions either.
    assert_eq!(site.get("/api/position?line=club.pgn").status, 400);
    assert_eq!(site.get("/api/position?line=f5-d6").status, 200, "a dash is punctuation");
}

/// Requests that are nearly right.
fn malformed(dice: &mut Dice, address: &str) -> Vec<u8> {
    const PATHS: [&str; 13] = [
        "/",
        "/api/position?line=",
        "/api/lines?count=",
        "/api/games?after=",
        "/api/games/",
        "/api/stats",
        "/api/read",
        "/api/analyze?level=",
        "/api/grow",
        "/api/undo",
        "/assets/",
        "/api/search?level=",
        "/api/openings?query=",
    ];
    const PARTS: [&str; 14] = [
        "%",
        "%00",
        "%ff%fe",
        "f5",
        "--",
        "&&=&",
        "\u{0}",
        "..",
        "9999999999999999999",
        "'\"",
        "\r\n",
        " ",
        "é",
        "?",
    ];
    const METHODS: [&str; 6] = ["GET", "POST", "DELETE", "PUT", "OPTIONS", "G\u{0}T"];
    let mut path = PATHS[dice.below(PATHS.len())].to_owned();
    for _ in 0..dice.below(4) {
        path += PARTS[dice.below(PARTS.len())];
    }
    let mut request = format!(
        "{} {path} HTTP/1.{}\r\nhost: {address}\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
        METHODS[dice.below(METHODS.len())],
        dice.below(3),
        dice.below(3),
    )
    .into_bytes();
    for _ in 0..=dice.below(4) {
        let at = dice.below(request.len());
        match dice.below(4) {
            0 => request[at] = dice.below(256) as u8,
            1 => request.truncate(at),
            2 => request.insert(at, dice.below(256) as u8),
            _ => {
                request.remove(at);
            }
        }
        if request.is_empty() {
            break;
        }
    }
    // What is cut short would be waited for.
    request.extend(b"\r\n\r\n");
    request
}

#[test]
fn ten_thousand_malformed_requests_are_no_failure() {
    let site = Site::new();
    let mut dice = Dice(642);
    let mut statuses = std::collections::BTreeMap::new();
    for _ in 0..10_000 {
        let request = malformed(&mut dice, &site.address);
        let mut stream = site.connect();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        let _ = stream.write_all(&request);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let mut head = [0; 12];
        // A connection that is ended without a word is an answer, too.
        let status = match stream.read_exact(&mut head) {
            Ok(()) => String::from_utf8_lossy(&head[9..]).into_owned(),
            Err(_) => "none".to_owned(),
        };
        assert!(!status.starts_with('5'), "{status}: {:?}", String::from_utf8_lossy(&request));
        *statuses.entry(status).or_insert(0) += 1;
    }
    assert!(statuses.len() > 3 && statuses["400"] > 1000, "{statuses:?}");
    assert_eq!(site.json("/api/stats")["positions"], 80, "it lives");
}

#[test]
fn slow_clients_are_cut_off() {
    let site = Site::new();
    let mut stream = site.connect();
    let started = Instant::now();
    stream.write_all(b"GET / HTTP/1.1\r\nhost: ").unwrap();
    let mut rest = Vec::new();
    let _ = stream.read_to_end(&mut rest);
    let taken = started.elapsed();
    assert!(taken > Duration::from_secs(5) && taken < Duration::from_secs(30), "{taken:?}");
    assert_eq!(site.get("/api/stats").status, 200);
}

#[test]
fn more_connections_than_there_is_room_for_are_told_so() {
    let site = Site::new();
    let open: Vec<_> = (0..256).map(|_| site.connect()).collect();
    crate::site::until("a refusal", || {
        let mut stream = site.connect();
        let mut text = String::new();
        stream.set_read_timeout(Some(Duration::from_millis(300))).unwrap();
        let _ = stream.read_to_string(&mut text);
        text.starts_with("HTTP/1.1 503") && text.contains("retry-after: 1")
    });
    drop(open);
    crate::site::until("room", || {
        let mut stream = site.connect();
        let _ = stream.write_all(&site.request("GET", "/api/stats", &[], b""));
        let mut text = String::new();
        let _ = stream.read_to_string(&mut text);
        text.starts_with("HTTP/1.1 200")
    });
}

/// One object, as soon as it answers: with that a script goes on.
#[test]
fn a_script_is_told_where_to_ask() {
    let told = |site: &Site| serde_json::from_str::<Value>(&site.url).unwrap();
    let site = Site::at(Desk::grown("20"), &["--json", "--grow"]);
    let serving = told(&site);
    assert_eq!(serving["book"], site.desk.path("book.db").to_str().unwrap());
    assert_eq!(serving["is_starter"], false);
    assert_eq!(serving["address"], format!("http://{}/", site.address));
    let bearer = format!("Bearer {}", serving["token"].as_str().unwrap());
    let ended = site.ask("DELETE", "/api/grow", &[("authorization", &bearer)], b"");
    assert_eq!(
        ended.status,
        409,
        "nothing grows, but who asks may: {}",
        String::from_utf8_lossy(&ended.body)
    );
    let starter = told(&Site::at(Desk::without_a_book(), &["--json"]));
    assert_eq!((&starter["is_starter"], &starter["token"]), (&true.into(), &Value::Null));
}

#[test]
fn a_port_that_is_taken_and_a_book_that_is_none_are_told() {
    let site = Site::new();
    let told = Desk::new().refused(&["serve", "--listen", &site.address]);
    assert!(told.contains("is taken") && told.contains("--listen 127.0.0.1:0"), "{told}");
    let desk = Desk::new();
    std::fs::write(desk.path("book.db"), "no book").unwrap();
    let told = desk.refused(&["serve", "--listen", "127.0.0.1:0"]);
    assert!(told.contains("is not a rosebill book"), "{told}");
    let told = desk.refused(&["serve", "--listen", "nowhere"]);
    assert!(told.contains("--listen") && told.contains("expected an address"), "{told}");
}
