//! Our own book as JSON Lines: complete, readable, deterministic.
//!
//! The first line is a header: format, version, number of positions, sources. Each further line is
//! a node, in the order of discs and then of keys. `board` shows the side to move as `X`; scores
//! are discs for the side to move. `links` and `values` follow from the other fields: a reader
//! recomputes them.
//!
//! A book with facts has version 2. Its `values` are with facts, beside `searched_values` where these
//! are others, and after the nodes comes a line for each fact: board, bounds, source.

use std::collections::HashMap;
use std::io::{self, BufRead, Write};

use serde::{Deserialize, Serialize, Serializer};

use crate::board::{Key, Side, Square, Squares, parse_board};
use crate::book::{Bounds, Node, Rest, Searched, Source, SourceId, Values};
use crate::one_line::one_line;
use crate::score::{CENTIDISCS, Score};
use crate::search::{Proof, Selectivity};

use super::facts::fact_of;
use super::lines::Lines;
use super::{
    DefectKind, Defects, FormatError, Place, ReadOptions, Record, RecordReader, StatedFact,
    StatedLink,
};

const FORMAT: &str = "rosebill-book";
const VERSION: u32 = 1;
/// The version with facts, which programs of the first know nothing of.
const VERSION_WITH_FACTS: u32 = 2;

/// Characters of an unreadable name that are told again.
const MOST_TOLD: usize = 40;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct HeaderLine {
    format: String,
    version: u32,
    positions: u64,
    #[serde(default, skip_serializing_if = "is_zero")]
    facts: u64,
    sources: Vec<SourceLine>,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

#[derive(Serialize, Deserialize)]
struct SourceLine {
    id: u32,
    #[serde(flatten)]
    facts: Source,
}

/// A score in discs: an integer where it is whole.
#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "f64")]
struct Discs(Score);

impl Serialize for Discs {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.centidiscs() % CENTIDISCS == 0 {
            serializer.serialize_i16(self.0.centidiscs() / CENTIDISCS)
        } else {
            serializer.serialize_f64(self.0.discs())
        }
    }
}

impl TryFrom<f64> for Discs {
    type Error = String;

    fn try_from(discs: f64) -> Result<Self, String> {
        let centidiscs = (discs * f64::from(CENTIDISCS)).round();
        if centidiscs.abs() < f64::from(i16::MAX) {
            Ok(Self(Score::from_centidiscs(centidiscs as i16)))
        } else {
            Err(format!("{discs} is no score in discs"))
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct NodeLine {
    board: String,
    #[serde(default)]
    discs: Option<u8>,
    #[serde(default)]
    values: Option<ValuesLine>,
    /// Without facts, where facts make a difference.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    searched_values: Option<ValuesLine>,
    #[serde(default)]
    links: Vec<String>,
    rest: Option<RestLine>,
    depth: u8,
    selectivity: u8,
    source: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ValuesLine {
    guess: Discs,
    draw_seeking: Discs,
    win_seeking: Discs,
    lower: i8,
    upper: i8,
}

impl From<Values> for ValuesLine {
    fn from(values: Values) -> Self {
        Self {
            guess: Discs(values.guess),
            draw_seeking: Discs(values.draw_seeking),
            win_seeking: Discs(values.win_seeking),
            lower: values.lower,
            upper: values.upper,
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FactLine {
    board: String,
    lower: i8,
    upper: i8,
    source: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RestLine {
    #[serde(rename = "move")]
    square: Option<String>,
    score: Discs,
    proof: ProofName,
}

/// A proof by its name.
#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "String")]
struct ProofName(Proof);

impl Serialize for ProofName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.name())
    }
}

impl TryFrom<String> for ProofName {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        Proof::named(&name).map(Self).ok_or_else(|| {
            let names = Proof::ALL.map(Proof::name).join(", ");
            let name = one_line(&name, MOST_TOLD);
            format!("unknown proof '{name}', expected one of {names}")
        })
    }
}

/// What is wrong with a line; its number is told elsewhere.
fn told(error: &serde_json::Error) -> String {
    if error.is_eof() {
        return format!("the end of the line at column {}", error.column());
    }
    error.to_string().replace(" at line 1 column ", " at column ")
}

/// Whether a line that cannot be read was to be a fact: a node has a depth, and its bounds stand within
/// its values.
fn is_meant_as_fact(text: &str) -> bool {
    text.contains("\"lower\"") && !text.contains("\"depth\"") && !text.contains("\"values\"")
}

/// Writes a book as JSON Lines.
pub struct JsonWriter<W> {
    output: W,
}

impl<W: Write> JsonWriter<W> {
    /// Writes the header. `positions` must be the number of nodes to come, `facts` that of facts.
    ///
    /// # Errors
    /// Those of the output.
    pub fn new(
        mut output: W,
        positions: u64,
        facts: u64,
        sources: &[(SourceId, Source)],
    ) -> io::Result<Self> {
        let sources = sources
            .iter()
            .map(|(id, facts)| SourceLine { id: id.0, facts: facts.clone() })
            .collect();
        let version = if facts == 0 { VERSION } else { VERSION_WITH_FACTS };
        let header = HeaderLine { format: FORMAT.to_owned(), version, positions, facts, sources };
        write_line(&mut output, &header)?;
        Ok(Self { output })
    }

    /// Writes one node; `known` is what it is worth with facts, where these make a difference.
    ///
    /// # Errors
    /// Those of the output.
    pub fn write(&mut self, node: &Node, known: Option<Values>) -> io::Result<()> {
        let links = Squares(node.links.squares(node.key));
        let line = NodeLine {
            board: node.key.position().squares_text(Side::Black),
            discs: Some(node.key.discs()),
            values: Some(known.unwrap_or(node.values).into()),
            searched_values: known.map(|_| node.values.into()),
            links: links.map(|square| square.to_string()).collect(),
            rest: node.rest.map(|rest| RestLine {
                square: rest.square.map(|square| square.to_string()),
                score: Discs(rest.score),
                proof: ProofName(rest.proof),
            }),
            depth: node.searched.depth,
            selectivity: node.searched.selectivity.percent(),
            source: node.searched.source.0,
        };
        write_line(&mut self.output, &line)
    }

    /// Writes one fact: when all nodes are written.
    ///
    /// # Errors
    /// Those of the output.
    pub fn write_fact(&mut self, key: Key, bounds: Bounds, source: SourceId) -> io::Result<()> {
        let board = key.position().squares_text(Side::Black);
        let Bounds { lower, upper } = bounds;
        write_line(&mut self.output, &FactLine { board, lower, upper, source: source.0 })
    }

    /// Flushes and hands back the output.
    ///
    /// # Errors
    /// Those of the output.
    pub fn finish(mut self) -> io::Result<W> {
        self.output.flush()?;
        Ok(self.output)
    }
}

fn write_line(output: &mut impl Write, line: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *output, line)?;
    output.write_all(b"\n")
}

/// Reads a book of JSON Lines.
pub struct JsonReader<R> {
    lines: Lines<R>,
    options: ReadOptions,
    sources: Vec<Source>,
    /// Index into the sources by the number that the file gives them.
    index: HashMap<u32, u32>,
    positions: u64,
    records: u64,
    /// How many facts the header counts, and those that were read.
    stated_facts: u64,
    facts: Vec<StatedFact>,
    defects: Defects,
}

impl<R: BufRead> JsonReader<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// When the first line is no header of such a book, or one of a newer version.
    pub fn new(input: R, file: &str, options: ReadOptions) -> Result<Self, FormatError> {
        let mut lines = Lines::new(input, file, options);
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
        if !(VERSION..=VERSION_WITH_FACTS).contains(&header.version) {
            let found = format!("version {}", header.version);
            let expected = format!("version {VERSION} or {VERSION_WITH_FACTS}");
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
            facts: Vec::new(),
            defects: Defects::default(),
        })
    }

    fn parse(&self, number: u64, text: &str) -> Result<Record, (String, &'static str)> {
        const LINE: &str = "a node such as {\"board\":\"…\",\"rest\":…,\"depth\":…}";
        let line: NodeLine = serde_json::from_str(text).map_err(|error| (told(&error), LINE))?;
        let placed = parse_board(&format!("{} X", line.board))
            .map_err(|error| (error.to_string(), "64 squares, X to move"))?;
        let discs = 64 - placed.position.empties();
        if let Some(stated) = line.discs.filter(|&stated| stated != discs) {
            return Err((format!("discs {stated}"), "as many as the board has"));
        }
        let square = |name: &str| {
            name.parse::<Square>().map_err(|error| (error.to_string(), "squares such as f5"))
        };
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
        if let Some(Rest { score, .. }) = rest
            && !(Score::MIN..=Score::MAX).contains(&score)
        {
            return Err((format!("score {score}"), "-64 to 64 discs"));
        }
        if let Some(Rest { score, proof: Proof::Exact, .. }) = rest
            && score.centidiscs() % (2 * CENTIDISCS) != 0
        {
            return Err((format!("exact score {score}"), "an even number of discs, as any result"));
        }
        let selectivity = Selectivity::from_percent(line.selectivity)
            .ok_or_else(|| (format!("selectivity {}", line.selectivity), "0 to 100 percent"))?;
        if line.depth > Searched::MOST_PLIES {
            return Err((format!("depth {}", line.depth), "0 to 60 plies"));
        }
        let source = *self
            .index
            .get(&line.source)
            .ok_or_else(|| (format!("source {}", line.source), "a source of the header"))?;
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
        })
    }

    /// Takes a line if it is one of a fact.
    fn take_fact(&mut self, number: u64, text: &str) -> Result<bool, (String, String)> {
        const LINE: &str = r#"a fact such as {"board":"…","lower":0,"upper":0,"source":1}"#;
        let FactLine { board, lower, upper, source } = match serde_json::from_str(text) {
            Ok(line) => line,
            Err(error) if is_meant_as_fact(text) => return Err((told(&error), LINE.to_owned())),
            Err(_) => return Ok(false),
        };
        let placed = parse_board(&format!("{board} X"))
            .map_err(|error| (error.to_string(), "64 squares, X to move".to_owned()))?;
        let bounds = Bounds::of_even(lower, upper).ok_or_else(|| {
            let expected = "bounds in order, from -64 to 64, and an even result among them";
            (format!("{lower}..{upper}"), expected.to_owned())
        })?;
        let (key, bounds) = fact_of(placed, bounds)?;
        let source = *self
            .index
            .get(&source)
            .ok_or_else(|| (format!("source {source}"), "a source of the header".to_owned()))?;
        self.facts.push(StatedFact { place: Place::Line(number), key, bounds, source });
        Ok(true)
    }

    fn end(&mut self) -> Result<Option<Record>, FormatError> {
        let facts = self.facts.len() as u64;
        if facts < self.stated_facts && !self.options.lenient {
            let place = Place::Line(self.records + facts + 1);
            let found = format!("the end of the file after {facts} facts");
            let expected = self.stated_facts.to_string();
            return Err(FormatError::content(self.lines.file(), place, found, expected));
        }
        if facts != self.stated_facts {
            let stated = self.stated_facts;
            self.defects.note(DefectKind::CountDiffers, || {
                format!("the header counts {stated} facts, the file holds {facts}")
            });
        }
        if self.records == self.positions {
            return Ok(None);
        }
        let found = format!("{} positions", self.records);
        if self.records > self.positions || self.options.lenient {
            let positions = self.positions;
            self.defects.note(DefectKind::CountDiffers, || {
                format!("the header counts {positions} positions, the file holds {found}")
            });
            return Ok(None);
        }
        let place = Place::Line(self.records + 1);
        let found = format!("the end of the file after {found}");
        Err(FormatError::content(self.lines.file(), place, found, self.positions.to_string()))
    }
}

impl<R: BufRead> RecordReader for JsonReader<R> {
    fn next_record(&mut self) -> Result<Option<Record>, FormatError> {
        while let Some((number, line)) = self.lines.next_line()? {
            if line.trim().is_empty() {
                continue;
            }
            if self.stated_facts > 0 {
                match self.take_fact(number, &line) {
                    Ok(true) => continue,
                    Ok(false) => {}
                    Err((found, expected)) if self.options.lenient => {
                        self.defects.note(DefectKind::BadFact, || {
                            format!("line {number}: {found}, expected {expected}")
                        });
                        continue;
                    }
                    Err((found, expected)) => {
                        let place = Place::Line(number);
                        return Err(FormatError::content(
                            self.lines.file(),
                            place,
                            found,
                            expected,
                        ));
                    }
                }
            }
            match self.parse(number, &line) {
                Ok(record) => {
                    self.records += 1;
                    return Ok(Some(record));
                }
                Err((found, expected)) if self.options.lenient => {
                    self.defects.note(DefectKind::BadRecord, || {
                        format!("line {number}: {found}, expected {expected}")
                    });
                }
                Err((found, expected)) => {
                    let place = Place::Line(number);
                    return Err(FormatError::content(self.lines.file(), place, found, expected));
                }
            }
        }
        self.end()
    }

    fn sources(&self) -> &[Source] {
        &self.sources
    }

    fn take_facts(&mut self) -> Vec<StatedFact> {
        std::mem::take(&mut self.facts)
    }

    fn defects(&mut self) -> &mut Defects {
        &mut self.defects
    }
}
