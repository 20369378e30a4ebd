//! Discs behind the names of both players: `Ann 44`, `Bob 20`.

use crate::files::games::draft::{Draft, fact};
use crate::files::games::stated::{Stated, StatedScore};

/// Takes them from the names where they fill the board. Other numbers may be parts of names.
pub(super) fn take_discs(draft: &mut Draft) {
    let game = &draft.game;
    let black = game.black.name.as_deref().and_then(before_a_number);
    let white = game.white.name.as_deref().and_then(before_a_number);
    let Some(((black, black_discs), (white, white_discs))) = black.zip(white) else { return };
    if black_discs + white_discs != 64 {
        return;
    }
    let (black, white) = (fact(black), fact(white));
    (draft.game.black.name, draft.game.white.name) = (black, white);
    let score = StatedScore::Discs { black: black_discs, white: white_discs };
    draft.add_result(Some(Stated::score(score)));
}

/// Whether numbers behind both names, perhaps in parentheses, fill the board.
pub(super) fn have_discs(black: &str, white: &str) -> bool {
    let both = before_a_number(black).zip(before_a_number(white));
    both.is_some_and(|((_, black), (_, white))| black + white == 64)
}

/// A name and the number of discs behind it.
fn before_a_number(name: &str) -> Option<(&str, u8)> {
    let (name, number) = name.rsplit_once(' ')?;
    let number = number.strip_prefix('(').and_then(|n| n.strip_suffix(')')).unwrap_or(number);
    let discs = number.parse().ok().filter(|&discs: &u8| discs <= 64)?;
    Some((name.trim_end_matches([',', ':', ' ']), discs))
}

#[cfg(test)]
mod tests {
    use crate::files::games::testing::read_text;

    #[test]
    fn discs_behind_both_names_are_the_result() {
        for (head, names, result) in [
            ("White: Bob 20, Black: Ann 44", ["Ann", "Bob"], Some("44-20")),
            ("White: Bob 20\nBlack: Ann 44", ["Ann", "Bob"], Some("44-20")),
            ("Black: Ann 44\nWhite: Bob 20\nResult: 44-20", ["Ann", "Bob"], Some("44-20")),
            ("Black: Player 1, White: Player 2", ["Player 1", "Player 2"], None),
            ("Black: Ann 44\nWhite: Bob", ["Ann 44", "Bob"], None),
            ("Ann 44 - Bob 20", ["Ann", "Bob"], Some("44-20")),
            ("Ann (44) - Bob (20)", ["Ann", "Bob"], Some("44-20")),
            ("rosebill@2 - Edax 4.5", ["rosebill@2", "Edax 4.5"], None),
            ("x9y vs bot lv10", ["x9y", "bot lv10"], None),
            ("Ann - Bob\nAnn wins 44-20", ["Ann", "Bob"], Some("44-20")),
            ("**Ann** vs **Bob** (44-20)", ["Ann", "Bob"], Some("44-20")),
            (
                "[b]Ann[/b] vs [b]Bob[/b]\n日付：２０１９年３月１２日\n感想：good\n結果：44対20で黒の勝ち",
                ["Ann", "Bob"],
                Some("44-20"),
            ),
        ] {
            let game = read_text(&format!("{head}\nf5d6c3d3c4\n")).remove(0).game;
            let found = [game.black.name, game.white.name].map(Option::unwrap_or_default);
            assert_eq!((found, game.moves.len()), (names.map(str::to_owned), 5), "{head}");
            let stated = game.stated.map(|stated| stated.to_string());
            assert_eq!(stated.as_deref(), result, "{head}");
        }
    }
}
