//! What a book and its games have for the tables.
//!
//! Games, analyses and openings come first, and what positions they met is put aside by discs. Then positions are
//! written with their moves, one number of discs after the other: that many are in memory, and those of one disc
//! more are known, so that a move is known to lead to one of them.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use foldhash::fast::FixedState;
use rusqlite::params;

use super::super::json::known_from_facts;
use super::super::write::{KeyMap, Steps, WriteError};
use super::spool::{Met, Spool};
use super::writer::{TableWriter, VERSION};
use crate::files::games::{Language, Opening, openings_in};
use crate::openbook::{BookMove, MoveKind, Node, NodeView, Source, Values, WithFacts};
use crate::othello::board::{After, Key, Line, Placed, Side, Square};
use crate::othello::program::ENGINE;
use crate::othello::score::Score;
use crate::othello::search::Proof;
use crate::store::{
    GameFacts, GameId, GameOutcome, GameRow, KnownSource, PositionAnalysis, Reader, StoreError,
};

/// Positions that are put in the order of their keys, in which a table takes them fastest.
const SORTED: usize = 1 << 16;
/// Plies of a game, about, before they are counted.
const PLIES: u64 = 60;

/// Writes all rows, those of games unless they are not wanted; returns how many positions of the book there are.
pub(super) fn fill(
    book: &Reader,
    tables: &TableWriter,
    spool: &Path,
    no_games: bool,
    steps: &mut Steps<'_>,
) -> Result<u64, WriteError> {
    let positions = book.count_positions()?;
    let games = if no_games { 0 } else { book.games().count()? };
    let mut spool = Spool::at(spool);
    steps.of = positions + games * (1 + PLIES);
    about(book, tables)?;
    openings(tables, &mut spool)?;
    analyses(book, tables, &mut spool)?;
    if games > 0 {
        all_games(book, tables, &mut spool, steps)?;
    }
    steps.of = positions + games + spool.count;
    let sources = sources(book, tables)?;
    let known = known_from_facts(book)?;
    let facts = WithFacts::of(book)?;
    let mut filler = Filler { tables, facts, known, sources, steps };
    let mut layer = Layer::take(book, &mut spool, 0)?;
    for discs in 1..=64 {
        let below = Layer::take(book, &mut spool, discs)?;
        filler.layer(book, &layer, &below)?;
        layer = below;
    }
    Ok(positions)
}

fn about(book: &Reader, tables: &TableWriter) -> Result<(), WriteError> {
    let version = VERSION.to_string();
    let identity = book.identity()?;
    let facts =
        [("program", Some(ENGINE)), ("tables", Some(&version)), ("book", identity.as_deref())];
    for (name, value) in facts {
        if let Some(value) = value {
            tables.insert("INSERT INTO about VALUES (?1, ?2)", params![name, value])?;
        }
    }
    Ok(())
}

/// Writes the sources; returns their numbers.
fn sources(book: &Reader, tables: &TableWriter) -> Result<HashSet<u32>, WriteError> {
    let all = book.sources()?;
    for KnownSource { id, source } in &all {
        let Source { engine, evaluator, level, format, file, day, .. } = source;
        let [engine, evaluator, level, format, file, day] =
            [engine, evaluator, level, format, file, day]
                .map(|text| Some(text).filter(|text| !text.is_empty()));
        let row = params![id.0, engine, evaluator, level, format, file, day];
        tables.insert("INSERT INTO sources VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)", row)?;
    }
    Ok(all.iter().map(|known| known.id.0).collect())
}

fn openings(tables: &TableWriter, spool: &mut Spool) -> Result<(), WriteError> {
    for opening in Language::ALL.into_iter().flat_map(openings_in) {
        let Opening { line, language, .. } = opening;
        let key = opening.key();
        spool.add((key, None))?;
        for name in opening.names() {
            let row = params![name, language.code(), key.table_key(), line.whole_text()];
            tables.insert("INSERT INTO openings VALUES (?1, ?2, ?3, ?4)", row)?;
        }
    }
    Ok(())
}

fn analyses(book: &Reader, tables: &TableWriter, spool: &mut Spool) -> Result<(), WriteError> {
    let searchers = book.analyses().searchers()?;
    book.analyses().for_each(|key, analysis| {
        let PositionAnalysis { depth, selectivity, searcher, ref moves } = analysis;
        let Some(best) = analysis.best() else { return Ok(()) };
        let named = searchers.iter().find(|(id, _)| *id == searcher);
        let name = named.map_or_else(String::new, |(_, searcher)| {
            format!("{}, {}", searcher.engine, searcher.evaluator)
        });
        spool.add((key, None))?;
        for found in moves {
            let row = params![
                key.table_key(),
                found.square.to_string(),
                found.score.discs(),
                loss(best.score, found.score).max(0.0),
                best.square.to_string(),
                found.proof == Proof::Exact,
                depth,
                selectivity.percent(),
                name,
            ];
            let sql = "INSERT INTO analysed VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
            tables.insert(sql, row)?;
        }
        Ok(())
    })
}

/// What a move of this score gives away, in discs.
fn loss(best: Score, score: Score) -> f64 {
    f64::from(i32::from(best.centidiscs()) - i32::from(score.centidiscs())) / 100.0
}

fn all_games(
    book: &Reader,
    tables: &TableWriter,
    spool: &mut Spool,
    steps: &mut Steps<'_>,
) -> Result<(), WriteError> {
    let facts = book.games().facts()?;
    book.games().for_each(GameId(0), |id, game| {
        steps.step()?;
        let squares = game.moves.iter().map_while(|&number| Square::try_new(number));
        let squares: Vec<Square> = squares.collect();
        let line = Line::from_board(game.start.unwrap_or(Placed::START)).then(&squares);
        let sources = book.games().sources_of(id)?.join(", ");
        write_game(tables, (id, &game), facts.get(id.0 as usize), &line, &sources)?;
        for (ply, step) in (1_u8..).zip(line.steps()) {
            let (key, symmetry) = Key::with_symmetry(step.before.position);
            let stored = key.first_image(symmetry.square(step.square));
            spool.add((key, Some(stored)))?;
            let row = params![
                id.0,
                ply,
                key.table_key(),
                step.before.side.name(),
                step.square.to_string(),
                stored.to_string(),
            ];
            tables.insert("INSERT INTO game_positions VALUES (?1, ?2, ?3, ?4, ?5, ?6)", row)?;
        }
        Ok(())
    })
}

fn write_game(
    tables: &TableWriter,
    (id, game): (GameId, &GameRow),
    facts: Option<&GameFacts>,
    line: &Line,
    sources: &str,
) -> Result<(), WriteError> {
    let result = facts.and_then(|facts| facts.outcome).map(|outcome| match outcome {
        GameOutcome::Black => Side::Black.name(),
        GameOutcome::White => Side::White.name(),
        GameOutcome::Draw => "draw",
    });
    let (theoretical, empties) = game.theoretical.unzip();
    let row = params![
        id.0,
        game.event,
        game.round,
        game.year,
        game.month,
        game.day,
        game.black.name,
        game.white.name,
        game.black.rating,
        game.white.rating,
        game.black_discs,
        result,
        game.stated,
        theoretical,
        empties,
        game.xot,
        game.start.map(|start| start.position.board_text(start.side)),
        line.len() as i64,
        line.squares().map(|square| square.to_string()).collect::<String>(),
        sources,
        game.extra,
        game.remarks,
    ];
    let sql = "INSERT INTO games VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, \
               ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22)";
    tables.insert(sql, row)
}

/// The positions with so many discs.
struct Layer {
    discs: u8,
    book: HashSet<Key, FixedState>,
    /// Those that were put aside, in the order of keys.
    met: Vec<Met>,
}

impl Layer {
    fn take(book: &Reader, spool: &mut Spool, discs: u8) -> Result<Self, WriteError> {
        let mut keys = HashSet::default();
        book.for_each_in_layer(discs, |node| {
            keys.insert(node.key);
            Ok::<_, StoreError>(())
        })?;
        Ok(Self { discs, book: keys, met: spool.take(discs)? })
    }

    fn has(&self, key: &Key) -> bool {
        self.book.contains(key) || !self.met_at(key).is_empty()
    }

    fn met_at(&self, key: &Key) -> &[Met] {
        let start = self.met.partition_point(|(other, _)| other < key);
        let rest = &self.met[start..];
        &rest[..rest.partition_point(|(other, _)| other == key)]
    }
}

struct Filler<'a, 's> {
    tables: &'a TableWriter,
    facts: WithFacts<'a, Reader>,
    known: KeyMap<Values>,
    /// The numbers that the table of sources has.
    sources: HashSet<u32>,
    steps: &'a mut Steps<'s>,
}

impl Filler<'_, '_> {
    fn layer(&mut self, book: &Reader, layer: &Layer, below: &Layer) -> Result<(), WriteError> {
        let mut sorted: Vec<(i64, Key, Option<Node>)> = Vec::new();
        let mut add = |key: Key, node: Option<Node>| {
            sorted.push((key.table_key(), key, node));
            if sorted.len() < SORTED { Ok(()) } else { self.write(&mut sorted, layer, below) }
        };
        book.for_each_in_layer(layer.discs, |node| add(node.key, Some(node)))?;
        for met in layer.met.chunk_by(|one, other| one.0 == other.0) {
            if let Some((key, _)) = met.first().filter(|(key, _)| !layer.book.contains(key)) {
                add(*key, None)?;
            }
        }
        self.write(&mut sorted, layer, below)
    }

    fn write(
        &mut self,
        positions: &mut Vec<(i64, Key, Option<Node>)>,
        layer: &Layer,
        below: &Layer,
    ) -> Result<(), WriteError> {
        positions.sort_unstable_by_key(|&(number, ..)| number);
        for (number, key, node) in positions.drain(..) {
            let met = layer.met_at(&key);
            for _ in 0..met.len() + usize::from(node.is_some()) {
                self.steps.step()?;
            }
            let games = met.iter().filter(|(_, square)| square.is_some()).count();
            self.position(number, key, node, games)?;
            self.moves(number, key, node, met, below)?;
        }
        Ok(())
    }

    fn position(
        &self,
        number: i64,
        key: Key,
        node: Option<Node>,
        games: usize,
    ) -> Result<(), WriteError> {
        let board = key.position().squares_text(Side::Black);
        let empties = key.position().empties();
        let values = node.map(|node| self.known.get(&key).copied().unwrap_or(node.values));
        let searched = node.map(|node| node.searched);
        let source = searched.map(|searched| searched.source.0);
        let row = params![
            number,
            board,
            key.discs(),
            empties,
            node.is_some(),
            games as i64,
            values.map(|values| values.guess.discs()),
            values.map(|values| values.draw_seeking.discs()),
            values.map(|values| values.win_seeking.discs()),
            values.map(|values| values.lower),
            values.map(|values| values.upper),
            node.map(|node| node.evidence.discs()),
            node.map(|node| node.evidence.plies(empties)),
            searched.map(|searched| searched.depth),
            searched.map(|searched| searched.selectivity.percent()),
            source.filter(|source| self.sources.contains(source)),
            node.map(|node| node.due),
        ];
        let sql = "INSERT INTO positions VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, \
                   ?13, ?14, ?15, ?16, ?17)";
        self.tables.insert_position(number, &board, sql, row)
    }

    fn moves(
        &self,
        number: i64,
        key: Key,
        node: Option<Node>,
        met: &[Met],
        below: &Layer,
    ) -> Result<(), WriteError> {
        let mut moves: BTreeMap<Square, (Option<(MoveKind, Values)>, i64)> = BTreeMap::new();
        if node.is_some() {
            // The best first, so that of images the one with a value stands for all.
            for BookMove { square, kind, values, .. } in
                NodeView::of(&self.facts, key.position())?.moves
            {
                let Some(values) = values else { break };
                moves.entry(key.first_image(square)).or_insert((Some((kind, values)), 0));
            }
        }
        for square in met.iter().filter_map(|&(_, square)| square) {
            moves.entry(square).or_default().1 += 1;
        }
        let known = |(known, _): &(Option<(MoveKind, Values)>, i64)| known.map(|(_, of)| of.guess);
        let best = moves.values().filter_map(known).max();
        for (square, (known, games)) in moves {
            let after = key.position().after(square);
            let child = after.and_then(After::position).map(Key::of);
            let child = child.filter(|child| below.has(child));
            let values = known.map(|(_, values)| values);
            let row = params![
                number,
                square.to_string(),
                child.map(Key::table_key),
                matches!(after, Some(After::Same(_))),
                known.map(|(kind, _)| kind.name()),
                values.map(|values| values.guess.discs()),
                values.map(|values| values.draw_seeking.discs()),
                values.map(|values| values.win_seeking.discs()),
                values.map(|values| values.lower),
                values.map(|values| values.upper),
                values.zip(best).map(|(values, best)| loss(best, values.guess)),
                games,
            ];
            let sql =
                "INSERT INTO moves VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)";
            self.tables.insert(sql, row)?;
        }
        Ok(())
    }
}
