//! Edax's portable text book: `<64 squares> X,<level>,<MOVE>,<score>`, a line a record.

use std::io::BufRead;

use crate::files::books::lines::BookLines;
use crate::files::books::{
    DefectKind, Defects, Fault, FormatError, Place, ReadOptions, Record, RecordReader,
};
use crate::openbook::{Rest, Source};
use crate::othello::board::move_text::whole_move;
use crate::othello::board::{Played, Side, parse_board};
use crate::othello::score::{MAX_DISCS, Score};
use crate::othello::search::Level;

use super::layout::NO_SCORE;
use super::reader::{NO_OPPONENT, ONE_DISC, Sources};
use super::{EdaxMove, EdaxRecord};

/// The line of a record, without the line end: board with the side to move as `X`, level, leaf.
pub fn text_line(record: &EdaxRecord) -> String {
    let board = record.position.board_text(Side::Black);
    // The line keeps no score where there is no move, not even that of a finished game.
    let (leaf, score) = match record.leaf.played {
        EdaxMove::Square(square) => (square.to_string().to_ascii_uppercase(), record.leaf.score),
        EdaxMove::Pass => ("PA".to_owned(), record.leaf.score),
        EdaxMove::None => ("--".to_owned(), record.leaf.score),
    };
    format!("{board},{},{leaf},{score}", record.level)
}

/// Reads a portable text book. It states no links.
///
/// Edax stops in silence at the first line that it cannot read; here blank lines and comments
/// (`%`, `#`) are passed over and any other such line is an error.
pub struct EdaxTextReader<R> {
    lines: BookLines<R>,
    options: ReadOptions,
    sources: Sources,
    defects: Defects,
    /// Whether a line has been met that is no comment.
    has_lines: bool,
}

impl<R: BufRead> EdaxTextReader<R> {
    /// Takes a file from its first line.
    pub fn new(input: R, file: &str, options: ReadOptions) -> Self {
        Self {
            lines: BookLines::new(input, file, options),
            options,
            sources: Sources::of_text(),
            defects: Defects::default(),
            has_lines: false,
        }
    }

    fn parse(&mut self, number: u64, text: &str) -> Result<Record, Fault> {
        let mut fields = text.rsplitn(4, ',').map(str::trim);
        let (score, leaf, level, board) =
            match (fields.next(), fields.next(), fields.next(), fields.next()) {
                (Some(score), Some(leaf), Some(level), Some(board)) => (score, leaf, level, board),
                _ => return Err(Fault::new(format!("'{}'", shortened(text)), LINE)),
            };
        let placed = parse_board(board).map_err(|error| Fault::new(error.to_string(), LINE))?;
        let level: Level = level.parse().map_err(|_| {
            Fault::new(format!("level '{}'", shortened(level)), "a level from 0 to 60")
        })?;
        let position = placed.position;
        if position.opponent == 0 {
            return Err(Fault::new(NO_OPPONENT, ONE_DISC));
        }
        let discs: i8 = score
            .parse()
            .ok()
            .filter(|&score| score == NO_SCORE || (-MAX_DISCS..=MAX_DISCS).contains(&score))
            .ok_or_else(|| {
                Fault::new(format!("score '{}'", shortened(score)), "-64..64, or -127 for none")
            })?;
        let square = match whole_move(leaf) {
            Some(Played::Square(square)) => Some(square),
            Some(Played::Pass) if leaf == "--" || !position.can_move() => None,
            _ => {
                let found = format!("move '{}'", shortened(leaf));
                return Err(Fault::new(found, "a square, PA for a pass or --"));
            }
        };
        let to_move = position.can_move();
        let has_leaf = discs != NO_SCORE && (square.is_some() || !to_move);
        let (depth, selectivity) = level.edax_plan(position.empties());
        let place = Place::Line(number);
        let rest = has_leaf.then(|| Rest {
            square,
            score: Score::from_discs(discs),
            proof: self.sources.proof(level, position, discs, place, &mut self.defects),
        });
        let source = self.sources.of_level(level);
        Ok(Record {
            place,
            position,
            links: Vec::new(),
            rest,
            alone: None,
            depth,
            selectivity,
            source,
            stored: None,
            kept: None,
        })
    }
}

const LINE: &str = "a line such as '<64 squares> X,21,F5,-1'";

fn shortened(text: &str) -> String {
    let mut short: String = text.chars().take(80).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

impl<R: BufRead> RecordReader for EdaxTextReader<R> {
    fn next_record(&mut self) -> Result<Option<Record>, FormatError> {
        while let Some((number, line)) = self.lines.next_line()? {
            let text = line.trim();
            // One fork ends the file with `% depth N`.
            if text.is_empty() || text.starts_with(['%', '#']) {
                continue;
            }
            self.has_lines = true;
            match self.parse(number, text) {
                Ok(record) => return Ok(Some(record)),
                Err(fault) => {
                    let error = FormatError::at(self.lines.file(), Place::Line(number), fault);
                    self.options.tolerate(&mut self.defects, DefectKind::BadRecord, error)?;
                }
            }
        }
        if !self.has_lines {
            let file = self.lines.file();
            return Err(FormatError::content(file, Place::Line(1), "no record at all", LINE));
        }
        Ok(None)
    }

    fn sources(&self) -> &[Source] {
        self.sources.list()
    }

    fn defects(&mut self) -> &mut Defects {
        &mut self.defects
    }
}
