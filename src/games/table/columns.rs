//! What the columns of a table hold.

use crate::games::move_text::looks_like_moves;

/// Names of a column of moves, without blanks and marks.
const MOVES: [&str; 9] =
    ["moves", "gamemoves", "transcript", "sequence", "kifu", "game", "line", "record", "movelist"];

/// The columns of a table by their names.
#[derive(Clone, Debug)]
pub(in crate::games) struct Columns {
    pub(super) between: u8,
    pub(super) names: Vec<String>,
}

impl Columns {
    /// Reads a line of names; none when it holds no name of moves.
    pub(in crate::games) fn read(line: &str) -> Option<Self> {
        let between = *[b'\t', b';', b','].iter().find(|mark| line.as_bytes().contains(mark))?;
        let names = fields(line, between)?;
        let columns = Self { between, names };
        columns.names.iter().any(|name| MOVES.contains(&plain(name).as_str())).then_some(columns)
    }

    /// The column whose name is most likely that of moves.
    pub(super) fn named_moves(&self) -> usize {
        self.named().next().unwrap_or_default()
    }

    /// The columns with a name of moves, the likeliest first.
    fn named(&self) -> impl Iterator<Item = usize> {
        let column = |name: &&str| self.names.iter().position(|known| plain(known) == **name);
        MOVES.iter().filter_map(column)
    }

    /// Whether a row is that of a game without moves.
    pub(in crate::games) fn has_no_moves(&self, row: &str) -> bool {
        fields(row, self.between).is_some_and(|values| {
            values.get(self.named_moves()).is_some_and(|value| value.trim().is_empty())
        })
    }

    /// The column of moves: the first of such a name that holds moves in a row.
    pub(in crate::games) fn moves(&self, row: &str) -> Option<usize> {
        let values = fields(row, self.between)?;
        self.named().find(|&column| values.get(column).is_some_and(|value| looks_like_moves(value)))
    }
}

/// A name of a column in small letters, without blanks and marks.
pub(super) fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The fields of a line.
pub(super) fn fields(line: &str, between: u8) -> Option<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new();
    reader.has_headers(false).flexible(true).delimiter(between).buffer_capacity(1 << 10);
    let record = reader.from_reader(line.as_bytes()).records().next()?.ok()?;
    Some(record.iter().map(str::to_owned).collect())
}
