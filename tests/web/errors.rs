//! What cannot be answered is told in a sentence, and never by a failure of the server.

use crate::site::{Site, answer_of};

#[test]
fn mistakes_are_told_with_the_move_and_the_reason() {
    let site = Site::new();
    for (path, status, part) in [
        ("/api/position?line=f5f5", 400, "illegal move f5 at ply 2"),
        ("/api/position?line=f5x9", 400, "unreadable move 'x9'"),
        ("/api/position?line=tigher", 400, "maybe Tiger"),
        ("/api/position?board=XO", 400, "XO"),
        ("/api/position?lien=f5", 400, "no parameter 'lien' here: expected line"),
        ("/api/position?line=f5&line=d6", 400, "given twice"),
        ("/api/position?player=nobody", 400, "no player of the games"),
        ("/api/position?from_year=x", 400, "from_year 'x': expected a number, 0 to 9999"),
        ("/api/position?xot=maybe", 400, "expected yes or no"),
        ("/api/lines?count=0", 400, "expected a number, 1 to 200"),
        ("/api/lines?move_loss=red:1", 400, "move_loss 'red:1': expected black or white"),
        ("/api/lines?line_loss=-1", 400, "line_loss '-1': expected 0 to 1000 discs"),
        ("/api/lines?by=games&move_loss=1", 400, "do not go with by=games"),
        ("/api/traps?line_loss=x", 400, "line_loss 'x'"),
        ("/api/lines?by=luck", 400, "expected guess or draw-seeking"),
        ("/api/games?sort=size", 400, "expected date or result"),
        ("/api/games?after=4000000", 400, "is not in this list"),
        ("/api/games/99", 404, "no game 99 in"),
        ("/api/games/first", 404, "no game first in"),
        ("/api/games/%ff", 404, "no game"),
        ("/assets/%ff", 404, "no such file"),
        ("/api/stats?x=1", 400, "none is taken"),
        ("/api/search?level=40", 400, "expected a number, 1 to 24"),
        ("/api/search?line=e6f4e3f6g5d6e7f5c5", 400, "the game is over"),
        ("/api/nothing", 404, "/api describes"),
        ("/favicon.ico", 404, "/api describes"),
        ("/assets/app.js", 404, "no such file"),
    ] {
        let answer = site.get(path);
        let text = String::from_utf8_lossy(&answer.body).into_owned();
        assert_eq!(answer.status, status, "{path}: {text}");
        assert!(answer.error().contains(part), "{path}: {text}");
        assert_eq!(answer.header("content-type"), "application/json", "{path}");
    }
}

#[test]
fn methods_lengths_and_sizes_have_bounds() {
    let site = Site::new();
    let posted = site.ask("POST", "/api/position", &[], b"");
    assert_eq!(posted.status, 405);
    assert!(
        posted.error().contains("POST") && posted.header("allow").contains("GET"),
        "{posted:?}"
    );
    assert_eq!(site.ask("GET", "/api/read", &[], b"").status, 405);
    assert_eq!(site.ask("BREW", "/api/stats", &[], b"").status, 405);
    let long = format!("/api/position?line={}", "f5".repeat(5_000));
    assert_eq!(site.get(&long).status, 414);
    let filler = "x".repeat(60_000);
    assert_eq!(site.ask("GET", "/", &[("x-filler", &filler)], b"").status, 431);
    let many: Vec<(&str, &str)> = (0..200).map(|_| ("x-one", "1")).collect();
    assert_eq!(site.ask("GET", "/", &many, b"").status, 431);
    let large = vec![b'x'; (4 << 20) + 1];
    assert_eq!(site.ask("POST", "/api/read", &[], &large).status, 413);
    // Pieces that are none are not too large.
    let head = format!("POST /api/read HTTP/1.1\r\nhost: {}\r\n", site.address);
    let broken = format!("{head}transfer-encoding: chunked\r\n\r\nzz\r\nf5\r\n0\r\n\r\n");
    assert_eq!(answer_of(&site.raw(broken.as_bytes())).status, 400);
    // The same without a length.
    let mut request = format!(
        "POST /api/read HTTP/1.1\r\nhost: {}\r\ntransfer-encoding: chunked\r\n\r\n",
        site.address
    )
    .into_bytes();
    for _ in 0..5 {
        request.extend(b"100000\r\n");
        request.extend(vec![b'x'; 1 << 20]);
        request.extend(b"\r\n");
    }
    assert_eq!(answer_of(&site.raw(&request)).status, 413);
    assert_eq!(site.ask("POST", "/api/read", &[], b" ").status, 400);
    assert_eq!(site.json("/api/stats")["positions"], 80, "it lives");
}

#[test]
fn the_head_of_an_answer_comes_alone_when_that_is_asked_for() {
    let site = Site::new();
    for path in ["/", "/api", "/api/position?line=f5", "/api/events", "/api/search"] {
        let head = site.ask("HEAD", path, &[], b"");
        assert_eq!((head.status, head.body.len()), (200, 0), "{path}");
    }
    let (head, whole) = (
        site.ask("HEAD", "/api/openings?query=tiger", &[], b""),
        site.get("/api/openings?query=tiger"),
    );
    assert_eq!(head.header("content-length"), whole.body.len().to_string());
    assert_eq!(head.header("etag"), whole.header("etag"));
}
