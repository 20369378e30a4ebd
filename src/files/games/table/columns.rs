//! What the columns of a table hold.

use crate::files::games::date::Date;
use crate::files::games::result_words::read_result;
use crate::files::games::stated::read_short;
use crate::files::games::vocabulary::{Key, Label, label_of, place_among_moves};
use crate::files::table_rows::{self, NOTHING, Quotes, fields, plain, separator};
use crate::othello::board::move_text::{MoveText, looks_like_moves, squares_in};

/// A row is compared with itself, field by field, so that endless ones would take as long.
const MOST_COLUMNS: usize = 1000;

/// The columns of a table by their names.
#[derive(Clone, Debug)]
pub(in crate::files::games) struct Columns {
    pub(super) between: u8,
    pub(super) names: Vec<String>,
    pub(super) keys: Vec<Key>,
    /// The columns with a name of moves, the likeliest first.
    named_moves: Vec<usize>,
}

impl Columns {
    fn of(between: u8, names: Vec<String>) -> Self {
        let places = names.iter().enumerate();
        let mut named: Vec<_> =
            places.filter_map(|(column, name)| Some((place_among_moves(name)?, column))).collect();
        named.sort_unstable();
        let named_moves = named.into_iter().map(|(_, column)| column).collect();
        let keys = names.iter().map(|name| Key::of(name)).collect();
        Self { between, names, keys, named_moves }
    }

    /// Reads a line of names; none when it holds no name of moves, or more names than any table has.
    pub(in crate::files::games) fn read(line: &str) -> Option<Self> {
        let between = separator(line).unwrap_or(NOTHING);
        let names = fields(line, between).filter(|names| names.len() <= MOST_COLUMNS)?;
        Some(Self::of(between, names)).filter(|columns| !columns.named_moves.is_empty())
    }

    /// The columns of a table without a line of names, by what its first row has in them; none where that does
    /// not show.
    pub(in crate::files::games) fn of_content(line: &str) -> Option<Self> {
        let between = separator(line)?;
        let values = fields(line, between).filter(|values| values.len() <= MOST_COLUMNS)?;
        let mut kinds: Vec<Content> = values.iter().map(|value| Content::of(value)).collect();
        let places = |kinds: &[Content], wanted: Content| -> Vec<usize> {
            (0..kinds.len()).filter(|&at| kinds.get(at) == Some(&wanted)).collect()
        };
        let [_] = places(&kinds, Content::Moves)[..] else { return None };
        let (names, numbers) = (places(&kinds, Content::Name), places(&kinds, Content::Number));
        let mut known = usize::from(kinds.contains(&Content::Result))
            + usize::from(kinds.contains(&Content::Date));
        if let [black, white] = names[..] {
            known += 1;
            (kinds[black], kinds[white]) = (Content::Called("black"), Content::Called("white"));
        }
        let number = |at: usize| values.get(at)?.trim().parse::<u8>().ok();
        if let [black, white] = numbers[..]
            && number(black)? + number(white)? <= 64
        {
            known += 1;
            (kinds[black], kinds[white]) =
                (Content::Called("black_score"), Content::Called("white_score"));
        }
        let names = kinds.iter().map(|kind| kind.name().to_owned()).collect();
        (known > 0).then(|| Self::of(between, names))
    }

    /// Whether it is a single column, whose name may be a title, too.
    pub(in crate::files::games) const fn is_alone(&self) -> bool {
        self.between == NOTHING
    }

    /// Whether a row of these fields is no game: it names the columns again, as where tables were put together,
    /// is a rule between rows, or none of them says anything.
    pub(super) fn is_no_game(&self, values: &[String]) -> bool {
        let is_rule = |value: &String| value.trim().bytes().all(|byte| b"-=:".contains(&byte));
        values == self.names || values.iter().all(is_rule)
    }

    /// Whether a row without moves is a heading, a sum or a remark between games: it has one word at most, a number
    /// for a player, or a word for a round or a sum for the first.
    pub(super) fn is_between_games(&self, values: &[String]) -> bool {
        const SUMS: [&str; 9] =
            ["total", "totals", "sum", "summe", "gesamt", "totale", "somme", "合計", "小計"];
        let value = |column: usize| values.get(column).map_or("", |value| value.trim());
        if self.named_moves.iter().any(|&column| !value(column).is_empty()) {
            return false;
        }
        let mut filled = (0..self.names.len()).filter(|&column| !value(column).is_empty());
        let first = filled.next().map_or("", value);
        let is_player = |key: &Key| matches!(key.label(), Some(Label::Black | Label::White));
        let is_number =
            |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let is_player_a_number =
            || self.keys.iter().enumerate().any(|(at, key)| is_player(key) && is_number(value(at)));
        let first_word = first.split([' ', ':', '.']).next().unwrap_or_default();
        let is_heading = || {
            label_of(first_word) == Some(Label::Round)
                || SUMS.contains(&first_word.to_lowercase().as_str())
        };
        (filled.next().is_none() && self.names.len() > 2)
            || (self.keys.first().is_some_and(is_player) && (is_player_a_number() || is_heading()))
    }

    /// The column whose name is most likely that of moves.
    pub(super) fn named_moves(&self) -> usize {
        self.named_moves.first().copied().unwrap_or_default()
    }

    /// The rows that these lines make: one goes on in the next line where a field in quotes does.
    pub(in crate::files::games) fn rows<'a>(
        &self,
        lines: impl Iterator<Item = &'a str>,
    ) -> Vec<String> {
        let mut rows: Vec<String> = Vec::new();
        let mut quotes = Quotes::default();
        let mut is_open = false;
        for line in lines {
            match rows.last_mut().filter(|_| is_open) {
                Some(row) => {
                    row.push('\n');
                    row.push_str(line);
                }
                None => {
                    quotes = Quotes::default();
                    rows.push(line.to_owned());
                }
            }
            is_open = quotes.are_open_after(line, self.between);
        }
        rows
    }

    /// Whether a row is that of a game without moves.
    pub(in crate::files::games) fn has_no_moves(&self, row: &str) -> bool {
        fields(row, self.between).is_some_and(|values| {
            values.get(self.named_moves()).is_some_and(|value| value.trim().is_empty())
        })
    }

    /// The column of moves: the first of such a name that holds moves in a row.
    pub(in crate::files::games) fn moves(&self, row: &str) -> Option<usize> {
        self.moves_among(&fields(row, self.between)?)
    }

    /// As [`Self::moves`], of the fields of a row.
    pub(super) fn moves_among(&self, values: &[String]) -> Option<usize> {
        let holds_moves =
            |column: &usize| values.get(*column).is_some_and(|value| looks_like_moves(value));
        self.named_moves.iter().copied().find(holds_moves)
    }
}

/// What a field of a table without names has in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Content {
    Moves,
    Result,
    /// A number of discs.
    Number,
    Date,
    /// Words such as a name.
    Name,
    /// The label of what is known by its place.
    Called(&'static str),
    Other,
}

/// Moves of a field that is nothing else.
const LEAST_MOVES: usize = 4;

/// Words of a name.
const MOST_WORDS: usize = 5;

impl Content {
    fn of(value: &str) -> Self {
        let value = value.trim();
        let mut text = MoveText::new(value);
        while text.take().is_some() {}
        let squares = squares_in(value);
        if text.rest().is_empty() && squares >= LEAST_MOVES {
            return Self::Moves;
        }
        let is_number = value.bytes().all(|byte| byte.is_ascii_digit()) && !value.is_empty();
        if is_number {
            return match value.parse() {
                Ok(0..=64_u16) => Self::Number,
                Ok(1900..=2100) => Self::Date,
                _ => Self::Other,
            };
        }
        if read_result(value).is_some() || read_short(value).is_some() {
            return Self::Result;
        }
        let is_date = value.starts_with(|first: char| first.is_ascii_digit())
            && Date::read(value)
                .is_some_and(|(date, behind)| date.month().is_some() && behind.is_empty());
        if is_date {
            return Self::Date;
        }
        let is_name = value.starts_with(char::is_alphabetic)
            && squares == 0
            && value.split_whitespace().count() <= MOST_WORDS;
        if is_name { Self::Name } else { Self::Other }
    }

    /// The name of a column with this in it.
    const fn name(self) -> &'static str {
        match self {
            Self::Moves => "moves",
            Self::Result => "result",
            Self::Date => "date",
            Self::Called(name) => name,
            Self::Number | Self::Name | Self::Other => "",
        }
    }
}

/// Whether a line has numbers for the names of the columns, as programs write them that know none.
fn is_numbered(line: &str) -> bool {
    let Some(values) = separator(line).and_then(|between| fields(line, between)) else {
        return false;
    };
    let counts_from = |first: usize| {
        (first..).zip(&values).all(|(number, value)| value.trim().parse() == Ok(number))
    };
    let is_indexed = values.first().is_some_and(|first| first.trim().is_empty())
        && values.iter().skip(1).zip(0..).all(|(value, number)| value.trim().parse() == Ok(number));
    values.len() > 1 && (counts_from(0) || counts_from(1) || is_indexed)
}

/// Whether a line comes before the one that names the columns. A single column in a comment is none.
pub(in crate::files::games) fn stands_before_names(line: &str) -> bool {
    let are_names = |line: &str| Columns::read(line).is_some_and(|columns| !columns.is_alone());
    table_rows::stands_before_names(line, are_names) || is_numbered(line)
}

/// Lines of a title above the names of columns.
pub(in crate::files::games) const MOST_TITLES: usize = 3;

/// Whether a line names the columns of a table of positions, proven or of a book: its lines lead to
/// them and are no games.
pub(in crate::files::games) fn is_of_positions(line: &str) -> bool {
    let Some(between) = separator(line) else { return false };
    let names = fields(line, between).unwrap_or_default();
    let names: Vec<String> = names.iter().map(|name| plain(name)).collect();
    let has = |wanted: &str| names.iter().any(|name| name == wanted);
    let is_proven = names.iter().any(|name| name.starts_with("proven"));
    is_proven || (has("lower") && has("upper")) || (has("drawseeking") && has("restmove"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_of_positions_are_told_by_their_names() {
        for names in [
            "board,side,proven_lower,proven_upper,line",
            "moves\tproven_value",
            "Line;Lower;Upper",
            "board,discs,line,guess,draw_seeking,win_seeking,lower,upper,links,rest_move",
        ] {
            assert!(is_of_positions(names), "{names}");
        }
        for names in ["moves", "black,white,moves,result", "line,upper", "f5,d6,c3", ""] {
            assert!(!is_of_positions(names), "{names}");
        }
    }

    #[test]
    fn a_table_has_no_more_columns_than_programs_write() {
        let names = |more: usize| format!("moves{}", ",c".repeat(more));
        assert!(Columns::read(&names(MOST_COLUMNS - 1)).is_some());
        assert!(Columns::read(&names(MOST_COLUMNS)).is_none());
    }

    #[test]
    fn a_row_ends_where_its_quotes_are_closed() {
        let columns = Columns::read("event,moves").unwrap();
        let rows = |text: &str| columns.rows(text.lines());
        assert_eq!(rows("a,f5\nb,f5\n"), ["a,f5", "b,f5"]);
        assert_eq!(rows("\"a\n\n\"\"b\"\",c\",f5\nd,f5\n"), ["\"a\n\n\"\"b\"\",c\",f5", "d,f5"]);
        // A quote within a field is one of its letters.
        assert_eq!(rows("5\" a,f5\nb,f5\n"), ["5\" a,f5", "b,f5"]);
    }
}
