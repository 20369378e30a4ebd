use super::*;

#[test]
fn reads_what_it_writes() {
    let text = "---------------------------OX------XO--------------------------- X";
    let placed = parse_board(text).unwrap();
    assert_eq!(placed, Placed::START);
    assert_eq!(placed.position.board_text(placed.side), text);
}

#[test]
fn reads_boards_in_rows_and_glued_to_the_side() {
    let squares = Placed::START.position.squares_text(Side::Black);
    let rows: Vec<&str> = (0..8).map(|row| &squares[8 * row..][..8]).collect();
    for text in [
        format!("{squares}X"),
        format!("{squares} black"),
        format!("{}\nB\n", rows.join("\n")),
        squares.chars().flat_map(|square| [square, ' ']).collect::<String>() + "*",
    ] {
        assert_eq!(parse_board(&text), Ok(Placed::START), "{text}");
        assert!(looks_like_a_board(&text));
    }
    for text in ["f5d6c3d3c4f4c5b3c2", "Perpendicular Opening", "Diagonal main line", "XO"] {
        assert!(!looks_like_a_board(text), "{text}");
    }
}

#[test]
fn a_nought_is_a_side_where_it_is_a_square() {
    let squares = Placed::START.position.squares_text(Side::Black);
    let noughts = squares.replace('O', "0");
    let side = |text: String| parse_board(&text).map(|placed| placed.side);
    assert_eq!(side(format!("{noughts} 0")), Ok(Side::White));
    assert_eq!(side(format!("{squares} 0")), Err(BoardError::Side { found: "0".to_owned() }));
}

/// The squares with other signs, from those of `X`, `O` and `-`.
fn drawn_with(squares: &str, signs: [&str; 3]) -> String {
    squares.chars().map(|square| signs["XO-".find(square).unwrap()]).collect()
}

/// Every notation of a board, except the side to move.
fn notations(placed: Placed) -> Vec<String> {
    let squares = placed.position.squares_text(placed.side);
    let mut all = Vec::new();
    for signs in [
        ["X", "O", "-"],
        ["x", "o", "."],
        ["*", "O", "-"],
        ["b", "w", "_"],
        ["X", "0", "-"],
        ["1", "2", "0"],
        ["1", "2", "."],
        ["●", "○", "・"],
        ["⚫", "⚪", "＋"],
        ["⚫\u{fe0f}", "⚪\u{fe0f}", "·"],
        ["黒", "白", "－"],
        ["Ｘ", "Ｏ", "．"],
    ] {
        let glued = drawn_with(&squares, signs);
        let rows: Vec<String> =
            (0..8).map(|row| drawn_with(&squares[8 * row..][..8], signs)).collect();
        let parted: String =
            squares.chars().map(|square| drawn_with(&square.to_string(), signs) + " ").collect();
        let lettered = rows.iter().zip(1..).map(|(row, number)| format!("{number} {row} {number}"));
        let lettered: Vec<String> = lettered.collect();
        all.extend([
            glued.clone(),
            rows.join(" "),
            rows.join("/"),
            rows.join("\n"),
            rows.join("|"),
            parted.trim_end().to_owned(),
            format!("8 {}", rows.join(" ")),
            format!("8/{}", rows.join("/")),
            format!("  a b c d e f g h\n{}\n  a b c d e f g h", lettered.join("\n")),
        ]);
    }
    all
}

proptest::proptest! {
    /// Whatever the signs and the layout, the squares and the side are read back.
    #[test]
    fn all_notations_are_read_alike(black: u64, other: u64, sparse: u64, is_white: bool) {
        let white = other & !black;
        for (black, white) in [(black, white), (black & sparse, white & sparse), (0, white)] {
            let side = if is_white { Side::White } else { Side::Black };
            let placed = BoardText { black, white, said: None, behind: "" }.with_side(side);
            let said = if is_white { ["O", "White to move", "白番"] } else { ["X", "black", "手番：黒"] };
            for text in notations(placed) {
                // Without discs nothing shows which signs these are, and zeros alone are discs.
                let is_plain = black != 0 && white != 0;
                let open = read_board(&text).map(|board| (board.with_side(side), board.said));
                if is_plain {
                    proptest::prop_assert_eq!(open, Ok((placed, None)), "{}", text);
                }
                for said in said {
                    let text = match text.contains('\n') {
                        true => format!("{text}\n{said}"),
                        false => format!("{text} {said}"),
                    };
                    if is_plain {
                        proptest::prop_assert_eq!(parse_board(&text), Ok(placed), "{}", text);
                    }
                }
            }
            let board = placed.position.board_text(side);
            for text in [
                write_fen(placed),
                format!("[FEN \"{}\"]", write_fen(placed)),
                write_fen(placed).replacen(' ', "[PPPpp] ", 1),
                board.clone(),
                format!("[8 {board}]"),
                format!("BO[8 {board}]"),
                format!("({board})"),
                format!("\"{board}\""),
                board.replace(' ', ";"),
                board.replace(' ', ""),
                format!("board   {board}"),
            ] {
                proptest::prop_assert_eq!(parse_board(&text), Ok(placed), "{}", text);
            }
        }
    }

    /// No text makes the reader fail without an error.
    #[test]
    fn any_text_is_read_or_refused(text in "[-XO*.012/ \\n|\\[\\]8BpPbw●○番黒;:f5]{0,90}") {
        let _ = (board_in(&text), read_board(&text), parse_board(&text), side_to_move(&text));
    }
}

#[test]
fn a_board_without_a_side_is_blacks_where_the_discs_allow_it() {
    let open = |text: &str| {
        read_board(text).and_then(|board| Ok((board.placed()?.side, board.leaves_turn_open())))
    };
    let start = Placed::START.position.squares_text(Side::Black);
    assert_eq!(open(&start), Ok((Side::Black, true)));
    let after = start.replace("OX------XO", "OX------XXX");
    assert_eq!(open(&after[..64]), Err(BoardError::Turn { discs: 5 }));
    // Where one side alone can move, or none, nothing is open.
    let only_white = format!("OX{}", "-".repeat(62));
    assert_eq!(open(&only_white), Ok((Side::White, false)));
    assert_eq!(open(&format!("XO{}", "-".repeat(62))), Ok((Side::Black, false)));
    assert_eq!(open(&"X".repeat(64)), Ok((Side::Black, false)));
}

#[test]
fn what_stands_behind_a_board_is_left() {
    let squares = Placed::START.position.squares_text(Side::Black);
    for (behind, said, left) in [
        (" X f5d6", Some(Side::Black), "f5d6"),
        (";X;f5d6", Some(Side::Black), ";f5d6"),
        (" b4c3", None, "b4c3"),
        (" X; F5:+2;", Some(Side::Black), "; F5:+2;"),
        (" -18", None, "-18"),
        (" O -18", Some(Side::White), "-18"),
        ("X,18,f5,+0", Some(Side::Black), ",18,f5,+0"),
    ] {
        let text = format!("{squares}{behind}");
        let board = read_board(&text).unwrap();
        assert_eq!((board.said, board.behind.trim()), (said, left), "{text}");
    }
    let text = format!("[8 {squares} *] f5");
    assert_eq!(read_board(&text).map(|board| board.behind.trim().to_owned()), Ok("f5".to_owned()));
    let fen = format!("{} f5d6", write_fen(Placed::START));
    assert_eq!(read_board(&fen).map(|board| board.behind.trim().to_owned()), Ok("f5d6".to_owned()));
}

#[test]
fn says_what_is_wrong() {
    let squares = "-".repeat(64);
    assert_eq!(parse_board("XO"), Err(BoardError::Squares { found: 2 }));
    // One square too few: the side is none of them, whatever follows it.
    let few = "---------------------------OX------XO--------------------------";
    for behind in [" X", " X f5d6c3", " X;f5d6c3"] {
        let found = parse_board(&format!("{few}{behind}"));
        assert_eq!(found, Err(BoardError::Squares { found: 63 }), "{behind}");
    }
    assert_eq!(
        parse_board(&format!("{} X", &squares[1..])).unwrap_err().to_string(),
        "63 squares, 64 needed, and then the side to move"
    );
    assert_eq!(
        parse_board(&format!("{squares}- X")),
        Err(BoardError::Squares { found: 65 }),
        "one too many"
    );
    let parted: String = squares.chars().flat_map(|square| [square, ' ']).collect();
    assert_eq!(parse_board(&parted), Err(BoardError::Side { found: String::new() }));
    assert_eq!(
        parse_board(&format!("{} X ", &parted[2..])),
        Err(BoardError::Side { found: String::new() })
    );
    assert_eq!(parse_board(&squares), Err(BoardError::Side { found: String::new() }));
    assert_eq!(parse_board(&format!("{squares} Z")), Err(BoardError::Side { found: "Z".into() }));
    assert_eq!(
        parse_board(&squares.replacen('-', "?", 1)),
        Err(BoardError::Character { found: '?', at: 1 })
    );
    for (text, error) in [
        ("10 ---------- ---------- ----------", BoardError::Size { found: "10".into() }),
        ("[6 ------ ------ --O*-- --*O-- ------ ------ *]", BoardError::Size { found: "6".into() }),
        ("8/8/8/3pP3/3Pp3/8/8 b", BoardError::Rows { found: 7 }),
        ("8/8/8/3pP4/3Pp3/8/8/8 b", BoardError::Fen { row: 5, found: "3pP4".into() }),
        ("8/8/8/3kP3/3Pp3/8/8/8 b", BoardError::Fen { row: 5, found: "3kP3".into() }),
        ("9/8/8/8/8/8/8/8 b", BoardError::Fen { row: 8, found: "9".into() }),
        ("7/8/8/8/8/8/8/8 b", BoardError::Fen { row: 8, found: "7".into() }),
        ("8/8/8/3pP3/3Pp3/8/8/8", BoardError::Side { found: String::new() }),
    ] {
        assert_eq!(parse_board(text), Err(error), "{text}");
    }
    assert_eq!(
        parse_board(&format!("{squares} X Y")),
        Err(BoardError::Behind { found: "Y".into() })
    );
}
