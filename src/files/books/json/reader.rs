//! Reading a book of JSON Lines.

use std::collections::HashMap;
use std::io::BufRead;

use super::lines::{
    BoundLine, BoundsLine, FIRST, FORMAT, FactLine, HeaderLine, JudgementLine, MOST_TOLD, NodeLine,
    RestLine, SourceLine, VERSION,
};
use crate::files::books::facts::fact_of;
use crate::files::books::lines::BookLines;
use crate::files::books::{
    DefectKind, Defects, Fault, FormatError, Kept, Place, ReadOptions, Record, RecordReader,
    StatedFact, StatedLink,
};
use crate::openbook::{Bounds, Held, Judgement, Rest, Searched, Source, SourceId, SourcedBounds};
use crate::othello::board::{Key, Placed, Square, SquareError, parse_board};
use crate::othello::one_line::one_line;
use crate::othello::score::Score;
use crate::othello::search::{Proof, Selectivity};

/// What is wrong with a line; the caller adds its number.
fn told(error: &serde_json::Error) -> String {
    if error.is_eof() {
        return format!("the end of the line at column {}", error.column());
    }
    error.to_string().replace(" at line 1 column ", " at column ")
}

fn square(name: &str) -> Result<Square, Fault> {
    name.parse().map_err(|error: SquareError| Fault::new(error.to_string(), "squares such as f5"))
}

/// The board of a line, on which the side to move is X.
fn placed(board: &str) -> Result<Placed, Fault> {
    parse_board(&format!("{board} X"))
        .map_err(|error| Fault::new(error.to_string(), "64 squares, X to move"))
}

fn check_score(rest: Rest) -> Result<(), Fault> {
    let score = rest.score;
    if !(Score::MIN..=Score::MAX).contains(&score) {
        return Err(Fault::new(format!("score {score}"), "-64 to 64 discs"));
    }
    if !rest.has_possible_score() {
        return Err(Fault::new(
            format!("exact score {score}"),
            "an even number of discs, as any result",
        ));
    }
    Ok(())
}

fn check_depth(depth: u8) -> Result<(), Fault> {
    match depth > Searched::MOST_PLIES {
        true => Err(Fault::new(format!("depth {depth}"), "0 to 60 plies")),
        false => Ok(()),
    }
}

fn selectivity_of(percent: u8) -> Result<Selectivity, Fault> {
    let selectivity = Selectivity::from_percent(percent);
    selectivity.ok_or_else(|| Fault::new(format!("selectivity {percent}"), "0 to 100 percent"))
}

/// Whether a line that cannot be read was to be a fact: a node has a depth, and its bounds are within
/// its values.
fn is_meant_as_fact(text: &str) -> bool {
    text.contains("\"lower\"") && !text.contains("\"depth\"") && !text.contains("\"values\"")
}

/// Reads a book of JSON Lines.
pub struct JsonReader<R> {
    lines: BookLines<R>,
    options: ReadOptions,
    sources: Vec<Source>,
    /// Index into the sources by the number that the file gives them.
    index: HashMap<u32, u32>,
    positions: u64,
    records: u64,
    /// How many facts the header counts, and those that were read.
    stated_facts: u64,
    facts: Vec<StatedFact>,
    stated_bounds: u64,
    /// Bounds of positions that are no nodes.
    apart: Vec<(Key, Held)>,
    defects: Defects,
}

impl<R: BufRead> JsonReader<R> {
    pub fn new(input: R, file: &str, options: ReadOptions) -> Result<Self, FormatError> {
        let mut lines = BookLines::new(input, file, options);
        let expected = r#"a header line such as {"format":"rosebill-book","version":1,…}"#;
        let first = Place::Line(1);
        let Some((_, text)) = lines.next_line()? else {
            return Err(FormatError::content(file, first, "an empty file", expected));
        };
        let header: HeaderLine = serde_json::from_str(&text)
            .map_err(|error| FormatError::content(file, first, told(&error), expected))?;
        if header.format != FORMAT {
            let found = format!("format '{}'", header.format);
            return Err(FormatError::content(file, first, found, format!("'{FORMAT}'")));
        }
        if !(FIRST..=VERSION).contains(&header.version) {
            let found = format!("version {}", header.version);
            let expected = format!("version {FIRST} to {VERSION}");
            return Err(FormatError::content(file, first, found, expected));
        }
        let mut index = HashMap::new();
        let mut sources = Vec::new();
        for SourceLine { id, facts } in header.sources {
            if !facts.has_sound_day() {
                let found = format!("day '{}' of source {id}", one_line(&facts.day, MOST_TOLD));
                let expected = "a day such as 2026-11-20, or none";
                return Err(FormatError::content(file, first, found, expected));
            }
            if index.insert(id, sources.len() as u32).is_some() {
                let found = format!("source {id} twice");
                return Err(FormatError::content(file, first, found, "a number for each source"));
            }
            sources.push(facts);
        }
        Ok(Self {
            lines,
            options,
            sources,
            index,
            positions: header.positions,
            records: 0,
            stated_facts: header.facts,
            stated_bounds: header.bounds,
            facts: Vec::new(),
            apart: Vec::new(),
            defects: Defects::default(),
        })
    }

    fn parse(&self, number: u64, text: &str) -> Result<Record, Fault> {
        const LINE: &str = "a node such as {\"board\":\"…\",\"rest\":…,\"depth\":…}";
        let mut line: NodeLine =
            serde_json::from_str(text).map_err(|error| Fault::new(told(&error), LINE))?;
        let placed = placed(&line.board)?;
        let discs = 64 - placed.position.empties();
        if let Some(stated) = line.discs.filter(|&stated| stated != discs) {
            return Err(Fault::new(format!("discs {stated}"), "as many as the board has"));
        }
        let kept = self.kept(&mut line)?;
        let mut links = Vec::with_capacity(line.links.len().min(64));
        for name in &line.links {
            links.push(StatedLink { square: Some(square(name)?), score: None });
        }
        let rest = match line.rest {
            None => None,
            Some(RestLine { square: name, score, proof }) => Some(Rest {
                square: name.as_deref().map(square).transpose()?,
                score: score.0,
                proof: proof.0,
            }),
        };
        if let Some(rest) = rest {
            check_score(rest)?;
        }
        let selectivity = selectivity_of(line.selectivity)?;
        check_depth(line.depth)?;
        let source = self.source(line.source)?;
        Ok(Record {
            place: Place::Line(number),
            position: placed.position,
            links,
            rest,
            alone: None,
            depth: line.depth,
            selectivity,
            source,
            stored: line.searched_values.or(line.values).map(|values| values.guess.0),
            kept,
        })
    }

    /// The index of a source by the number that the file gives it.
    fn source(&self, number: u32) -> Result<u32, Fault> {
        let found = self.index.get(&number).copied();
        found.ok_or_else(|| Fault::new(format!("source {number}"), "a source of the header"))
    }

    /// What is kept of a node beside its rest, if the line says so.
    fn kept(&self, line: &mut NodeLine) -> Result<Option<Box<Kept>>, Fault> {
        if line.records.is_none() && line.bounds.is_empty() && line.judgement.is_none() {
            return Ok(None);
        }
        let mut kept = Kept { has_records: line.records.is_some(), ..Kept::default() };
        for found in line.records.take().unwrap_or_default() {
            let name = found.square.as_deref();
            let rest = Rest {
                square: name.map(square).transpose()?,
                score: found.score.0,
                proof: found.proof.0,
            };
            check_score(rest)?;
            check_depth(found.depth)?;
            let left_out = found
                .left_out
                .iter()
                .try_fold(0, |set, name| Ok::<_, Fault>(set | square(name)?.bit()))?;
            let selectivity = selectivity_of(found.selectivity)?;
            let source = SourceId(self.source(found.source)?);
            let searched = Searched { depth: found.depth, selectivity, source };
            kept.records.push((rest, searched, left_out));
        }
        kept.bounds = self.bounds(&line.bounds)?;
        if let Some(JudgementLine { value, day, author }) = line.judgement.take() {
            let score = value.0;
            check_score(Rest { square: None, score, proof: Proof::None })?;
            kept.judgement = Some(Judgement { score, day, author });
        }
        Ok(Some(Box::new(kept)))
    }

    fn bounds(&self, lines: &[BoundLine]) -> Result<Vec<SourcedBounds>, Fault> {
        let bounds = |line: &BoundLine| {
            let bounds = Bounds::new(line.lower, line.upper).ok_or_else(|| {
                let found = format!("{}..{}", line.lower, line.upper);
                Fault::new(found, "bounds in order, from -64 to 64")
            })?;
            Ok(SourcedBounds { bounds, source: SourceId(self.source(line.source)?) })
        };
        lines.iter().map(bounds).collect()
    }

    /// Takes a line if it is one of bounds of a position that is no node.
    fn take_bounds(&mut self, text: &str) -> Result<bool, Fault> {
        let Ok(BoundsLine { board, bounds }) = serde_json::from_str(text) else { return Ok(false) };
        let placed = placed(&board)?;
        let bounds = self.bounds(&bounds)?;
        self.apart.push((Key::of(placed.position), Held { bounds, ..Held::default() }));
        Ok(true)
    }

    /// Takes a line if it is one of a fact.
    fn take_fact(&mut self, number: u64, text: &str) -> Result<bool, Fault> {
        const LINE: &str = r#"a fact such as {"board":"…","lower":0,"upper":0,"source":1}"#;
        let FactLine { board, lower, upper, source } = match serde_json::from_str(text) {
            Ok(line) => line,
            Err(error) if is_meant_as_fact(text) => return Err(Fault::new(told(&error), LINE)),
            Err(_) => return Ok(false),
        };
        let placed = placed(&board)?;
        let bounds = Bounds::of_even(lower, upper).ok_or_else(|| {
            let expected = "bounds in order, from -64 to 64, and an even result among them";
            Fault::new(format!("{lower}..{upper}"), expected)
        })?;
        let (key, bounds) = fact_of(placed, bounds)?;
        let source = self.source(source)?;
        self.facts.push(StatedFact { place: Place::Line(number), key, bounds, source });
        Ok(true)
    }

    fn end(&mut self) -> Result<Option<Record>, FormatError> {
        let (facts, bounds) = (self.facts.len() as u64, self.apart.len() as u64);
        let mut line = 1;
        for (what, stated, found) in [
            ("positions", self.positions, self.records),
            ("lines of bounds", self.stated_bounds, bounds),
            ("facts", self.stated_facts, facts),
        ] {
            line += found;
            if found < stated && !self.options.lenient {
                let found = format!("the end of the file after {found} {what}");
                let (file, place) = (self.lines.file(), Place::Line(line));
                return Err(FormatError::content(file, place, found, stated.to_string()));
            }
            self.defects.compare_counts(what, stated, found);
        }
        Ok(None)
    }
}

impl<R: BufRead> RecordReader for JsonReader<R> {
    fn next_record(&mut self) -> Result<Option<Record>, FormatError> {
        while let Some((number, line)) = self.lines.next_line()? {
            if line.trim().is_empty() {
                continue;
            }
            let taken = match self.take_bounds(&line) {
                Ok(false) if self.stated_facts > 0 => {
                    self.take_fact(number, &line).map_err(|fault| (DefectKind::BadFact, fault))
                }
                taken => taken.map_err(|fault| (DefectKind::BadRecord, fault)),
            };
            let (kind, fault) = match taken {
                Ok(true) => continue,
                Err(wrong) => wrong,
                Ok(false) => match self.parse(number, &line) {
                    Ok(record) => {
                        self.records += 1;
                        return Ok(Some(record));
                    }
                    Err(fault) => (DefectKind::BadRecord, fault),
                },
            };
            let error = FormatError::at(self.lines.file(), Place::Line(number), fault);
            self.options.tolerate(&mut self.defects, kind, error)?;
        }
        self.end()
    }

    fn sources(&self) -> &[Source] {
        &self.sources
    }

    fn take_facts(&mut self) -> Vec<StatedFact> {
        std::mem::take(&mut self.facts)
    }

    fn take_apart(&mut self) -> Vec<(Key, Held)> {
        std::mem::take(&mut self.apart)
    }

    fn defects(&mut self) -> &mut Defects {
        &mut self.defects
    }
}
