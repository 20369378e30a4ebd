//! Numbered moves in columns that are read downwards: `1. f5    31. d6`.

use crate::othello::board::move_text::squares_in;

/// Lines of columns so far.
#[derive(Default)]
pub(super) struct Columns {
    lines: Vec<(u64, String)>,
    /// The numbered parts of them.
    parts: Vec<(u32, String)>,
}

impl Columns {
    /// Takes a line whose numbers do not follow each other, or below such the next one of the first column; false of
    /// any other line.
    pub(super) fn take(&mut self, number: u64, line: &str) -> bool {
        let is_next =
            |first: u32| usize::try_from(first).is_ok_and(|first| first == self.lines.len() + 1);
        let parts = parts(line).filter(|parts| match parts[..] {
            [(one, _), (two, _), ..] => is_next(one) && two.saturating_sub(one) > 2,
            [(one, _)] => is_next(one) && one > 1,
            [] => false,
        });
        let Some(parts) = parts else { return false };
        self.lines.push((number, line.to_owned()));
        self.parts.extend(parts);
        true
    }

    /// The lines: all of them as one where their numbers, put in order, have no gaps.
    pub(super) fn end(&mut self) -> Vec<(u64, String)> {
        let lines = std::mem::take(&mut self.lines);
        let mut parts = std::mem::take(&mut self.parts);
        parts.sort_by_key(|(number, _)| *number);
        let are_whole = lines.len() > 1 && (1..).zip(&parts).all(|(at, (number, _))| at == *number);
        match lines.first() {
            Some((number, _)) if are_whole => {
                let moves: Vec<String> = parts.into_iter().map(|(_, moves)| moves).collect();
                vec![(*number, moves.join(" "))]
            }
            _ => lines,
        }
    }
}

/// The numbered parts of a line of nothing else, each with a move or two.
fn parts(line: &str) -> Option<Vec<(u32, String)>> {
    let mut parts: Vec<(u32, String)> = Vec::new();
    for word in line.split_whitespace() {
        let digits = word.bytes().take_while(u8::is_ascii_digit).count();
        let (number, behind) = word.split_at_checked(digits)?;
        let behind = behind.trim_start_matches(['.', ')', ':']);
        match number.parse() {
            Ok(number) => parts.push((number, behind.to_owned())),
            Err(_) => parts.last_mut()?.1.push_str(behind),
        }
    }
    let is_one =
        |(_, moves): &(u32, String)| (1..=2).contains(&squares_in(moves)) && moves.len() <= 4;
    parts.iter().all(is_one).then_some(parts)
}

#[cfg(test)]
mod tests {
    use crate::files::games::testing::read_text;

    #[test]
    fn columns_are_read_downwards() {
        for text in [
            "1. f5    4. d3\n2. d6    5. c4\n3. c3    6. f4\n",
            "Ann - Bob\n\n1 f5\t4 d3\n2 d6\t5 c4\n3 c3\t6 f4\n40-24\n",
            "1. f5 d6   4. c5 b3\n2. c3 d3   5. c2 e6\n3. c4 f4\n",
        ] {
            let game = read_text(text).remove(0).game;
            assert!(game.line().to_string().starts_with("f5d6c3d3c4f4"), "{text}");
            assert_eq!(game.black.name.is_some(), text.starts_with("Ann"), "{text}");
        }
    }
}
