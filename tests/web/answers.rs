//! What each question is answered with.

use serde_json::Value;

use crate::site::Site;

/// The squares of a list of moves.
fn squares(moves: &Value) -> Vec<&str> {
    moves.as_array().unwrap().iter().map(|found| found["move"].as_str().unwrap()).collect()
}

#[test]
fn a_position_is_shown_as_the_command_line_shows_it() {
    let site = Site::new();
    for line in ["f5d6", "f5d6c3"] {
        let here = site.json(&format!("/api/position?line={line}"));
        let shown = site.desk.json(&["show", line]);
        for (name, value) in shown.as_object().unwrap() {
            if !["moves", "games"].contains(&name.as_str()) {
                assert_eq!(here[name], *value, "{name} of {line}");
            }
        }
        for (found, shown) in
            here["moves"].as_array().unwrap().iter().zip(shown["moves"].as_array().unwrap())
        {
            for (name, value) in shown.as_object().unwrap() {
                assert_eq!(found[name], *value, "{name} of a move of {line}");
            }
        }
        assert_eq!(here["moves"][0]["loss"], 0.0);
        assert!(
            here["moves"]
                .as_array()
                .unwrap()
                .iter()
                .all(|found| found["transposition"].is_boolean())
        );
        let stats = site.desk.json(&["games", "stats", line]);
        for name in ["games", "black", "this_order", "different_players", "latest", "players"] {
            assert_eq!(here["games"][name], stats[name], "{name} of {line}");
        }
        let players = stats["players"].as_array().unwrap().iter();
        let percents: Vec<Option<i64>> = players
            .map(|player| {
                player["percent"].as_f64().map(|percent| percent.round_ties_even() as i64)
            })
            .collect();
        assert_eq!(here["player_percents"], serde_json::json!(percents), "{line}");
    }
    let path = site.json("/api/position?line=f5d6c3")["path"].clone();
    let sides: Vec<&str> =
        path.as_array().unwrap().iter().map(|step| step["side"].as_str().unwrap()).collect();
    assert_eq!(sides, ["black", "white", "black", "white"]);
    assert_eq!(path[2]["name"], "Perpendicular Opening");
    let names = site.json("/api/position?line=f5d6c3d3c4")["names"].clone();
    assert_eq!(names.as_array().unwrap().last().unwrap()["name"], "Tiger");
}

#[test]
fn symmetric_squares_share_one_posting_in_the_orientation_of_who_asks() {
    let site = Site::new();
    let start = site.json("/api/position");
    assert_eq!(squares(&start["moves"]), ["f5"]);
    let legal = start["legal"].as_object().unwrap();
    let squares: Vec<&str> = legal.keys().map(String::as_str).collect();
    assert_eq!(squares, ["c4", "d3", "e6", "f5"]);
    assert!(legal.values().all(|posting| posting == "f5"));
    // The same position, turned: the values are the same, the squares are the asker's.
    let (one, other) = (site.json("/api/position?line=f5d6"), site.json("/api/position?line=d3c5"));
    assert_eq!(one["values"], other["values"]);
    assert_ne!(one["legal"], other["legal"]);
    assert_eq!(one["legal"].as_object().unwrap().len(), other["legal"].as_object().unwrap().len());
    // By its board it is the same position, and moves go on from there.
    let board = one["position"]["board"].as_str().unwrap().to_owned();
    let by_board = site.json(&format!("/api/position?board={board}%20X"));
    assert_eq!((&by_board["values"], &by_board["line"]), (&one["values"], &Value::Null));
    let on = site.json(&format!("/api/position?board={board}%20X&line=c3"));
    assert_eq!(on["position"], site.json("/api/position?line=f5d6c3")["position"]);
}

#[test]
fn what_the_book_does_not_know_is_an_answer_too() {
    let site = Site::new();
    let unknown = site.json("/api/position?line=f5f4g3f6f7");
    assert_eq!((&unknown["in_book"], &unknown["values"]), (&false.into(), &Value::Null));
    assert_eq!(
        unknown["legal"].as_object().unwrap().len(),
        unknown["other_moves"].as_array().unwrap().len()
            + unknown["moves"].as_array().unwrap().len()
    );
    let over = site.json("/api/position?line=e6f4e3f6g5d6e7f5c5");
    assert_eq!((&over["over"], &over["legal"]), (&true.into(), &serde_json::json!({})));
    assert_eq!(over["score"].as_i64().map(i64::abs), Some(64));
    assert_eq!(over["path"].as_array().unwrap().len(), 10);
    // The games that ended so are those that are listed.
    let listed = site.json("/api/games?line=e6f4e3f6g5d6e7f5c5");
    let here = &over["games"];
    assert_eq!(
        (&listed["count"], &here["games"], &here["black"]),
        (&1.into(), &1.into(), &1.into())
    );
    assert_eq!(
        (&here["moves"], &here["latest"][0]),
        (&serde_json::json!([]), &listed["games"][0]["id"])
    );
    assert_eq!(here["different_players"], 2);
    // Black must pass after the last move, and White goes on.
    let path = site.json("/api/position?line=f5f6d3g5h5h4f7h6")["path"].clone();
    let last = path.as_array().unwrap().last().unwrap();
    assert_eq!((&last["side"], &last["passed"]), (&"white".into(), &true.into()));
    assert!(path.as_array().unwrap().iter().filter(|step| step["passed"] == true).count() == 1);
}

#[test]
fn lines_openings_and_numbers_are_those_of_the_command_line() {
    let site = Site::new();
    let lines = site.json("/api/lines?line=f5d6&limit=3&by=draw-seeking")["lines"].clone();
    let wanted = site.desk.ok(&["lines", "f5d6", "-n", "3", "--by", "draw-seeking", "--json"]);
    let wanted: Vec<Value> =
        wanted.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines, Value::from(wanted));
    assert_eq!(site.json("/api/lines?by=games")["lines"], serde_json::json!([]));
    let lines = site.json("/api/lines?move_loss=black:0,white:3&line_loss=4")["lines"].clone();
    let losses = ["--move-loss", "black:0,white:3", "--line-loss", "4", "-n", "20", "--json"];
    let wanted = site.desk.ok(&[&["lines"], &losses[..]].concat());
    let wanted: Vec<Value> =
        wanted.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines, Value::from(wanted));
    let openings = site.json("/api/openings?query=tiger");
    assert_eq!(openings["openings"][0]["name"], "Tiger");
    // Names that differ in nothing but case are told apart by it.
    for name in ["F.A.T. draw", "F.a.t. Draw"] {
        let found = site.json(&format!("/api/openings?query={}", name.replace(' ', "+")));
        assert_eq!(found["openings"][0]["name"], name);
    }
    let similar = site.json("/api/openings?query=tigher");
    assert_eq!(
        (&similar["openings"], &similar["similar"][0]),
        (&serde_json::json!([]), &"Tiger".into())
    );
    let along = site.json("/api/openings?line=f5d6c3d3c4");
    assert_eq!(along["openings"].as_array().unwrap().last().unwrap()["ply"], 5);
    assert!(site.json("/api/openings")["openings"].as_array().unwrap().len() == 100);
    let stats = site.json("/api/stats");
    assert_eq!((&stats["book"], &stats["is_starter"]), (&"book.db".into(), &false.into()));
    let path = site.desk.path("book.db");
    assert_eq!(stats["book_argument"], path.to_str().unwrap());
    assert_eq!((&stats["positions"], &stats["games"]), (&80.into(), &3.into()));
    assert_eq!(stats["runs"].as_array().unwrap().len(), 1);
    assert_eq!(stats["grow"]["enabled"], false);
}

#[test]
fn games_are_listed_filtered_paged_and_shown() {
    let site = Site::new();
    let all = site.json("/api/games");
    assert_eq!((&all["count"], &all["of"], &all["next"]), (&3.into(), &3.into(), &Value::Null));
    let first = site.json("/api/games?limit=2");
    let next = &first["next"];
    assert_eq!(first["games"].as_array().unwrap().len(), 2);
    assert_eq!(*next, first["games"][1]["id"]);
    let second = site.json(&format!("/api/games?limit=2&after={next}"));
    assert_eq!((second["games"].as_array().unwrap().len(), &second["next"]), (1, &Value::Null));
    assert_eq!(second["games"][0], all["games"][2]);
    for (filter, count) in [
        ("player=ann", 2),
        ("player=ann&player=cy", 3),
        ("black=ann&from_year=2020", 1),
        ("event=club&to_year=2019", 1),
        ("black=ann&years=2020-", 1),
        ("player=ann&against=cy", 1),
        ("position=f5d6", 2),
        ("result=black", 1),
        ("line=f5d6", 2),
        ("line=f5&sort=player&reverse=yes", 3),
        ("programs=yes", 0),
        ("theory=yes", 0),
        ("theory=no", 3),
    ] {
        assert_eq!(site.json(&format!("/api/games?{filter}"))["count"], count, "{filter}");
    }
    assert_eq!(site.json("/api/position?player=ann")["games"]["games"], 2);
    let id = &all["games"][0]["id"];
    let game = site.json(&format!("/api/games/{id}"));
    let shown = site.desk.json(&["games", "show", &id.to_string()]);
    for (name, value) in shown.as_object().unwrap() {
        assert_eq!(game[name], *value, "{name}");
    }
    let moves = game["moves"].as_str().unwrap().len() / 2;
    assert_eq!(game["path"].as_array().unwrap().len(), moves + 1);
    let players = site.json("/api/players?prefix=bo");
    assert_eq!(
        players["players"][0],
        serde_json::json!({"name": "Bo Ek", "games": 2, "program": false})
    );
}

#[test]
fn who_won_is_told_also_where_only_a_header_says_so() {
    let site = Site::new();
    let game = |result: &str, moves: &str| {
        format!("[Black \"A\"]\n[White \"B\"]\n[Result \"{result}\"]\n\n1. {moves} *\n\n")
    };
    let text = [
        game("0-1", "f5 d6 2. c4"),
        game("40-24", "f5 d6 2. c5"),
        game("1/2-1/2", "f5 d6 2. c6"),
        game("00-00", "f5 d6 2. c7"),
        game("*", "f5 f4 2. c3"),
    ];
    std::fs::write(site.desk.path("told.pgn"), text.concat()).unwrap();
    site.desk.ok(&["games", "import", "told.pgn"]);
    let games = site.json("/api/games?black=A")["games"].clone();
    let mut told: Vec<(&str, &Value)> = games
        .as_array()
        .unwrap()
        .iter()
        .map(|game| (game["result"].as_str().unwrap(), &game["winner"]))
        .collect();
    told.sort_by_key(|(result, _)| *result);
    let (black, white, draw) = ("black".into(), "white".into(), "draw".into());
    assert_eq!(
        told,
        [
            ("*", &Value::Null),
            ("*", &Value::Null),
            ("0-1", &white),
            ("1/2-1/2", &draw),
            ("40-24", &black)
        ]
    );
    assert_eq!(site.json("/api/games?event=cup")["games"][0]["winner"], "black");
}

#[test]
fn what_games_and_book_tell_together_says_why_it_is_nothing() {
    let site = Site::new();
    let found = |answer: &Value| {
        let lists = ["novelties", "traps", "only_moves", "disagreements"];
        let list = lists.into_iter().find_map(|name| answer.get(name)?.as_array());
        list.unwrap_or_else(|| panic!("{answer}")).len()
    };
    for path in
        ["novelties", "novelties?habits=yes", "traps?line=f5", "only-moves", "disagreements"]
    {
        let answer = site.json(&format!("/api/{path}"));
        assert_eq!(found(&answer), 0, "{path}");
        assert!(answer["message"].as_str().unwrap().contains("games"), "{path}: {answer}");
    }
    for path in [
        "novelties?move_loss=2&",
        "novelties?habits=yes&",
        "traps?line_loss=4&",
        "only-moves?",
        "disagreements?with=theory&",
    ] {
        let answer = site.json(&format!("/api/{path}least_games=2&player=ann"));
        assert_eq!(answer["message"].is_string(), found(&answer) == 0, "{path}: {answer}");
    }
}

#[test]
fn whatever_is_pasted_is_told_apart() {
    let site = Site::new();
    let read = |text: &str| site.ask("POST", "/api/read", &[], text.as_bytes());
    let line = read(" 1. f5 d6 2. c3 ").json();
    assert_eq!(
        (&line["kind"], &line["line"], &line["board"]),
        (&"position".into(), &"f5d6c3".into(), &Value::Null)
    );
    let name = read("tiger").json();
    assert_eq!((&name["line"], &name["name"]), (&"f5d6c3d3c4".into(), &"Tiger".into()));
    let pgn = "[Event \"x\"]\n[Date \"2020.01.02\"]\n[Black \"A\"]\n[White \"B\"]\n[Result \"*\"]\n\n1. f5 d6 2. c3 *\n";
    let games = read(pgn).json();
    assert_eq!((&games["kind"], &games["format"]), (&"games".into(), &"pgn".into()));
    assert_eq!(games["games"][0]["title"], "A - B, *, 2020-01-02");
    assert_eq!(
        (&games["games"][0]["line"], &games["games"][0]["start"]),
        (&"f5d6c3".into(), &Value::Null)
    );
    let some = read("f5d6c3\nf5f5\nf5f6\n").json();
    assert_eq!(some["games"].as_array().unwrap().len(), 2);
    assert_eq!(some["refused"][0]["where"], "line 2");
    let rows = "........\n........\n........\n...OX...\n...OXX..\n...O....\n........\n........\n";
    let drawn = read(&format!("{rows}\nWhite to move")).json();
    assert_eq!((&drawn["kind"], &drawn["line"]), (&"position".into(), &"".into()));
    assert_eq!(drawn["board"], format!("{} O", rows.replace('\n', "").replace('.', "-")));
    // Black's turn, as the number of discs allows it, or nobody knows whose.
    let unsaid = read(rows).json();
    assert_eq!((&unsaid["kind"], &unsaid["turn_assumed"]), (&"position".into(), &true.into()));
    let odd = read(&rows.replacen('.', "X", 1));
    assert_eq!(odd.status, 400);
    assert!(odd.error().starts_with("nothing says whose turn it is"), "{}", odd.error());
    let squares = rows.replace('\n', "").replace('.', "-");
    for text in [
        "8/8/3P4/3Pp3/3Ppp2/3P4/8/8 b - - 0 1",
        &format!("[8 {squares} *]"),
        &format!("{squares};X"),
    ] {
        let board = read(text).json();
        assert_eq!(
            (&board["kind"], &board["turn_assumed"]),
            (&"position".into(), &Value::Null),
            "{text}"
        );
    }
    let asked = "board=%5B8+---------------------------O*------*O---------------------------+*%5D";
    let from_board = site.json(&format!("/api/position?{asked}&line=f5d6"));
    assert_eq!(from_board["position"], site.json("/api/position?line=f5d6")["position"]);
    let ten = read("(;GM[Othello]TY[10]BO[10 x];)").json();
    assert_eq!((&ten["format"], ten["games"].as_array().unwrap().len()), (&"ggf".into(), 0));
    assert!(!ten["refused"][0]["message"].as_str().unwrap().contains("(;"), "{ten}");
    let wrong = read("f5d6x9");
    assert_eq!(wrong.status, 400);
    assert!(wrong.error().contains("x9"), "{}", wrong.error());
}

#[test]
fn the_page_and_its_files_are_kept_for_good_under_names_of_their_content() {
    let site = Site::new();
    let page = site.get("/");
    assert_eq!((page.status, page.header("content-type")), (200, "text/html; charset=utf-8"));
    let text = String::from_utf8(page.body.clone()).unwrap();
    let names: Vec<&str> =
        text.split("assets/").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    assert!(names.len() > 5, "{names:?}");
    let mut size = 0;
    let mut files: Vec<String> = names.iter().map(|name| format!("/assets/{name}")).collect();
    files.sort();
    files.dedup();
    files.push("/".to_owned());
    for path in &files {
        let plain = site.get(path);
        let packed = site.ask("GET", path, &[("accept-encoding", "br, gzip")], b"");
        assert_eq!((plain.status, packed.status), (200, 200), "{path}");
        assert_eq!(packed.header("content-encoding"), "gzip", "{path}");
        assert!(packed.body.len() < plain.body.len(), "{path}");
        size += packed.body.len();
        if path != "/" {
            assert_eq!(plain.header("cache-control"), "public, max-age=31536000, immutable");
        }
    }
    assert!(size < 60_000, "{size} bytes until the first paint");
    assert_eq!(page.header("cache-control"), "no-cache");
    let packed = site.ask("GET", "/", &[("accept-encoding", "gzip")], b"");
    assert_ne!(packed.header("etag"), page.header("etag"), "they are other bytes");
    for (whole, accepted) in [(&page, "identity"), (&packed, "gzip")] {
        for known in [whole.header("etag"), "*"] {
            let headers = [("if-none-match", known), ("accept-encoding", accepted)];
            let again = site.ask("GET", "/", &headers, b"");
            assert_eq!((again.status, again.body.len()), (304, 0), "{known}");
            for name in ["etag", "cache-control", "vary"] {
                assert!(!again.header(name).is_empty(), "{name}");
                assert_eq!(again.header(name), whole.header(name), "{name}");
            }
        }
    }
    let documentation = site.get("/api");
    assert_eq!(documentation.header("content-type"), "text/plain; charset=utf-8");
    let documentation = String::from_utf8(documentation.body).unwrap();
    for path in [
        "/api/position",
        "/api/lines",
        "/api/openings",
        "/api/games",
        "/api/games/{id}",
        "/api/players",
        "/api/stats",
        "/api/novelties",
        "/api/traps",
        "/api/only-moves",
        "/api/disagreements",
        "/api/search",
        "/api/read",
        "/api/analyze",
        "/api/events",
        "/api/grow",
        "/api/undo",
    ] {
        assert!(documentation.contains(path), "{path} is not documented");
    }
}
