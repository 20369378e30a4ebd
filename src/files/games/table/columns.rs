//! What the columns of a table hold.

use crate::files::table_rows::{self, NOTHING, Quotes, fields, plain, separator};
use crate::othello::board::move_text::looks_like_moves;

/// Names of a column of moves, without blanks and marks.
const MOVES: [&str; 15] = [
    "moves",
    "gamemoves",
    "transcript",
    "sequence",
    "kifu",
    "棋譜",
    "手順",
    "coups",
    "züge",
    "zuege",
    "game",
    "line",
    "record",
    "gamerecord",
    "movelist",
];

/// A row is compared with itself, field by field, so that endless ones would take as long.
const MOST_COLUMNS: usize = 1000;

/// The columns of a table by their names.
#[derive(Clone, Debug)]
pub(in crate::files::games) struct Columns {
    pub(super) between: u8,
    pub(super) names: Vec<String>,
}

impl Columns {
    /// Reads a line of names; none when it holds no name of moves, or more names than any table has.
    pub(in crate::files::games) fn read(line: &str) -> Option<Self> {
        let between = separator(line).unwrap_or(NOTHING);
        let names = fields(line, between).filter(|names| names.len() <= MOST_COLUMNS)?;
        let columns = Self { between, names };
        columns.names.iter().any(|name| MOVES.contains(&plain(name).as_str())).then_some(columns)
    }

    /// Whether it is a single column, whose name may be a title, too.
    pub(in crate::files::games) const fn is_alone(&self) -> bool {
        self.between == NOTHING
    }

    /// Whether a row of these fields is no game: it names the columns again, as where tables were put together,
    /// or none of them says anything.
    pub(super) fn is_no_game(&self, values: &[String]) -> bool {
        values == self.names || values.iter().all(|value| value.trim().is_empty())
    }

    /// The column whose name is most likely that of moves.
    pub(super) fn named_moves(&self) -> usize {
        self.named().next().unwrap_or_default()
    }

    /// The columns with a name of moves, the likeliest first.
    fn named(&self) -> impl Iterator<Item = usize> {
        let names: Vec<String> = self.names.iter().map(|name| plain(name)).collect();
        MOVES.iter().flat_map(move |name| {
            let named = (0_usize..).zip(&names).filter(|(_, known)| known == name);
            named.map(|(column, _)| column).collect::<Vec<_>>()
        })
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
        self.named().find(|&column| values.get(column).is_some_and(|value| looks_like_moves(value)))
    }
}

/// What a column means by its name: one word for all that mean the same, else the name without blanks
/// and marks.
pub(super) fn field(name: &str) -> String {
    let name = plain(name);
    let known = match name.as_str() {
        "blackname" | "blackplayer" | "playerblack" | "player1" | "noir" | "noirs"
        | "joueurnoir" | "nomnoir" | "joueur1" | "schwarz" | "黒" | "黒番" => "black",
        "whitename" | "whiteplayer" | "playerwhite" | "player2" | "blanc" | "blancs"
        | "joueurblanc" | "nomblanc" | "joueur2" | "weiß" | "weiss" | "白" | "白番" => "white",
        "blackelo" | "elonoir" => "blackrating",
        "whiteelo" | "eloblanc" => "whiterating",
        "scorenoir" | "pionsnoirs" => "blackscore",
        "scoreblanc" | "pionsblancs" => "whitescore",
        "tournament" | "tournoi" | "turnier" | "大会" => "event",
        "ronde" | "runde" => "round",
        "année" | "annee" | "jahr" => "year",
        "gagnant" | "vainqueur" | "sieger" => "winner",
        "日付" | "datum" => "date",
        "ergebnis" | "résultat" | "resultat" | "結果" => "result",
        _ => return name,
    };
    known.to_owned()
}

/// Whether a line comes before the one that names the columns. A single column in a comment is none.
pub(in crate::files::games) fn stands_before_names(line: &str) -> bool {
    let are_names = |line: &str| Columns::read(line).is_some_and(|columns| !columns.is_alone());
    table_rows::stands_before_names(line, are_names)
}

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
