//! The graph of an analysed game as SVG.

use std::fmt::Write;
use std::ops::Range;

use super::game_text::stated_result;
use super::xml::escaped;
use crate::app::analysis::{AnalysedGame, AnalysedMove};
use crate::files::games::Game;
use crate::othello::board::Side;

/// Units of the drawing.
const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 500.0;
const LEFT: f64 = 48.0;
const RIGHT: f64 = 944.0;
/// The panel of values.
const VALUES: (f64, f64) = (52.0, 300.0);
/// The panel of losses.
const LOSSES: (f64, f64) = (342.0, 440.0);
/// The moves of a game without players that its title shows.
const SHOWN: usize = 12;
/// The band that says how values are known.
const BAND: (f64, f64) = (450.0, 460.0);

/// Colours, in light and in dark surroundings. Names are `--black`, `--white` for the sides and
/// those of [`Known::name`].
pub(super) const STYLE: &str = include_str!("page/graph.css");

/// How an analysed game went, as a drawing: the value of each position from Black's point of view,
/// what the moves of both sides cost so far, and how that is known. It is complete by itself, in
/// light and in dark surroundings; `x` counts the moves, so that a pass shifts nothing.
pub fn game_svg(game: &AnalysedGame) -> String {
    let title = escaped(&title(game));
    let head = format!(
        "<style>{STYLE}</style>\n<rect class=\"ground\" width=\"{WIDTH}\" height=\"{HEIGHT}\"/>\n\
         <text class=\"title\" x=\"{LEFT}\" y=\"24\">{title}</text>\n"
    );
    let mut legend = String::new();
    draw_legend(&mut legend);
    drawn(game, 0.0..HEIGHT, &head, &legend)
}

/// The same without style, title and legend, for pages that have them.
pub(super) fn game_graph(game: &AnalysedGame) -> String {
    drawn(game, VALUES.0 - 30.0..BAND.1 + 22.0, "", "")
}

/// The drawing between two heights.
fn drawn(game: &AnalysedGame, seen: Range<f64>, head: &str, legend: &str) -> String {
    let Range { start: top, end } = seen;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"graph\" viewBox=\"0 {top} {WIDTH} {}\" \
         role=\"img\" aria-label=\"{}\">\n{head}",
        end - top,
        escaped(&title(game))
    );
    Graph::of(game).draw(&mut svg);
    svg.push_str(legend);
    svg.push_str("</svg>\n");
    svg
}

/// `Black - White, 37-27, Event 2020`.
pub(super) fn title(game: &AnalysedGame) -> String {
    let facts = &game.game;
    let name = |name: &Option<String>| name.clone().unwrap_or_else(|| "?".to_owned());
    let mut title = match (&facts.black.name, &facts.white.name) {
        // A game that was typed: its first moves distinguish it from others.
        (None, None) => first_moves(facts),
        (black, white) => format!("{} - {}", name(black), name(white)),
    };
    let more =
        [stated_result(&game.game), facts.event.clone(), facts.date.map(|date| date.to_string())];
    for fact in more.into_iter().flatten() {
        title.push_str(", ");
        title.push_str(&fact);
    }
    title
}

fn first_moves(game: &Game) -> String {
    let shown: String = game.moves.iter().take(SHOWN).map(|square| square.to_string()).collect();
    if game.moves.len() > SHOWN { format!("{shown} …") } else { shown }
}

/// The value of each position of a game in discs, from Black's point of view, where it is known: the
/// first before any move, then that of each move as it was compared with the best one. What the next
/// move was compared with may be known in another way: a move that loses nothing would seem to.
pub(super) fn values(moves: &[AnalysedMove]) -> Vec<Option<f64>> {
    let first = moves.first().and_then(|played| played.before_for_black());
    let after = moves.iter().enumerate().map(|(index, played)| {
        let next = || moves.get(index + 1).and_then(|next| next.before_for_black());
        played.played_for_black().or_else(next)
    });
    [first].into_iter().chain(after).map(|score| score.map(|score| score.discs())).collect()
}

/// What the moves of a side have cost by each position, in discs.
fn losses(moves: &[AnalysedMove], side: Side) -> Vec<f64> {
    let mut sum = 0.0;
    let mut sums = vec![0.0];
    for played in moves {
        if played.side() == side {
            sum += played.loss().map_or(0.0, |loss| loss.discs());
        }
        sums.push(sum);
    }
    sums
}

struct Graph<'a> {
    moves: &'a [AnalysedMove],
    values: Vec<Option<f64>>,
    losses: [Vec<f64>; 2],
    /// The values, and the sums of losses, that find room.
    value_scale: Scale,
    loss_scale: Scale,
}

/// The numbers of an axis.
struct Scale {
    least: f64,
    most: f64,
    step: f64,
}

impl Scale {
    /// Room for these numbers and for 0, with at most so many steps of 1, 2, 4, 8 and so on discs.
    fn of(numbers: impl Iterator<Item = f64> + Clone, steps: f64) -> Self {
        let least = numbers.clone().fold(0.0, f64::min);
        let most = numbers.fold(0.0, f64::max);
        let mut step = 1.0;
        loop {
            let ends = ((least / step).floor() * step, (most / step).ceil() * step);
            if ends.1 - ends.0 <= steps * step {
                let most = if ends.0 < ends.1 { ends.1 } else { step };
                return Self { least: ends.0, most, step };
            }
            step *= 2.0;
        }
    }

    /// The height of a number, from 0 to 1.
    fn share(&self, number: f64) -> f64 {
        (number - self.least) / (self.most - self.least)
    }

    /// The numbers that are written.
    fn marks(&self) -> impl Iterator<Item = f64> {
        let count = ((self.most - self.least) / self.step).round() as usize;
        (0..=count).map(|index| self.least + index as f64 * self.step)
    }
}

impl<'a> Graph<'a> {
    fn of(game: &'a AnalysedGame) -> Self {
        let moves = game.moves.as_slice();
        let values = values(moves);
        let losses = [Side::Black, Side::White].map(|side| losses(moves, side));
        // Half a disc to either side, so that zero is never an edge.
        let seen = values.iter().flatten().copied().chain([-0.5, 0.5]);
        let value_scale = Scale::of(seen, 6.0);
        let loss_scale = Scale::of(losses.iter().flatten().copied(), 3.0);
        Self { moves, losses, value_scale, loss_scale, values }
    }

    /// The horizontal place of the position after so many moves.
    fn x(&self, ply: usize) -> f64 {
        LEFT + ply as f64 * self.step()
    }

    fn step(&self) -> f64 {
        (RIGHT - LEFT) / self.moves.len().max(1) as f64
    }

    fn y(&self, value: f64) -> f64 {
        let (top, bottom) = VALUES;
        bottom - self.value_scale.share(value) * (bottom - top)
    }

    fn loss_y(&self, loss: f64) -> f64 {
        let (top, bottom) = LOSSES;
        bottom - self.loss_scale.share(loss) * (bottom - top)
    }

    fn draw(&self, svg: &mut String) {
        self.draw_grid(svg);
        self.draw_band(svg);
        self.draw_values(svg);
        self.draw_losses(svg);
        // The place of the shown position; a page moves it.
        let (x, top, bottom) = (self.x(0), VALUES.0, BAND.1);
        put(
            svg,
            format_args!(
                "<line class=\"cursor\" data-left=\"{LEFT}\" data-step=\"{:.3}\" x1=\"{x}\" x2=\"{x}\" \
             y1=\"{top}\" y2=\"{bottom}\"/>",
                self.step()
            ),
        );
    }

    fn draw_grid(&self, svg: &mut String) {
        for value in self.value_scale.marks() {
            let y = self.y(value);
            let class = if value == 0.0 { "zero" } else { "grid" };
            put(
                svg,
                format_args!(
                    "<line class=\"{class}\" x1=\"{LEFT}\" x2=\"{RIGHT}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
                 <text class=\"scale\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                    LEFT - 6.0,
                    y + 4.0,
                    if value == 0.0 { "0".to_owned() } else { format!("{value:+}") }
                ),
            );
        }
        for loss in self.loss_scale.marks() {
            let y = self.loss_y(loss);
            put(
                svg,
                format_args!(
                    "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{RIGHT}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
                 <text class=\"scale\" x=\"{:.1}\" y=\"{:.1}\">{loss}</text>",
                    LEFT - 6.0,
                    y + 4.0,
                ),
            );
        }
        for ply in (0..=self.moves.len()).step_by(10) {
            let x = self.x(ply);
            put(
                svg,
                format_args!(
                    "<line class=\"grid\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{}\" y2=\"{}\"/>\
                 <text class=\"ply\" x=\"{x:.1}\" y=\"{}\">{ply}</text>",
                    VALUES.0,
                    LOSSES.1,
                    BAND.1 + 16.0
                ),
            );
        }
        put(
            svg,
            format_args!(
                "<text class=\"panel\" x=\"{LEFT}\" y=\"{}\">value in discs, for Black</text>\
             <text class=\"panel\" x=\"{LEFT}\" y=\"{}\">discs lost so far</text>",
                VALUES.0 - 8.0,
                LOSSES.0 - 10.0
            ),
        );
    }

    /// How the values of the moves are known, as stripes under the graph.
    fn draw_band(&self, svg: &mut String) {
        let known = |played: &AnalysedMove| played.value.map(|value| value.known.name());
        let mut from = 0;
        for run in self.moves.chunk_by(|one, other| known(one) == known(other)) {
            let to = from + run.len();
            if let Some(name) = run.first().and_then(known) {
                let (left, right) = (self.x(from), self.x(to));
                let (top, bottom) = BAND;
                put(
                    svg,
                    format_args!(
                        "<rect class=\"{name}\" x=\"{left:.1}\" y=\"{top}\" width=\"{:.1}\" \
                     height=\"{:.1}\"><title>{name}: moves {} to {to}</title></rect>",
                        right - left,
                        bottom - top,
                        from + 1
                    ),
                );
            }
            from = to;
        }
    }

    fn draw_values(&self, svg: &mut String) {
        let zero = self.y(0.0);
        let mut from = 0;
        for run in self.values.chunk_by(|one, other| one.is_some() == other.is_some()) {
            let points: Vec<(f64, f64)> = (from..)
                .zip(run.iter().flatten())
                .map(|(ply, &value)| (self.x(ply), self.y(value)))
                .collect();
            from += run.len();
            let (Some(first), Some(last)) = (points.first(), points.last()) else { continue };
            let line = path(&points);
            // The same area twice, each half of it seen only on its own side of zero.
            for (class, top, bottom) in
                [("black", VALUES.0 - 1.0, zero), ("white", zero, VALUES.1 + 1.0)]
            {
                put(
                    svg,
                    format_args!(
                        "<svg x=\"0\" y=\"{top:.1}\" width=\"{WIDTH}\" height=\"{0:.1}\" \
                     viewBox=\"0 {top:.1} {WIDTH} {0:.1}\"><path class=\"area {class}\" \
                     d=\"{line}L{1:.1} {zero:.1}L{2:.1} {zero:.1}Z\"/></svg>",
                        bottom - top,
                        last.0,
                        first.0,
                    ),
                );
            }
            put(svg, format_args!("<path class=\"value\" d=\"{line}\"/>"));
        }
        // Moves that cost something are marked where they lead to, the larger the dearer.
        for played in self.moves {
            let loss = played.loss().map_or(0.0, |loss| loss.discs());
            let Some(value) = self.values.get(played.ply).copied().flatten() else { continue };
            if loss < 1.0 {
                continue;
            }
            let side = if played.side() == Side::Black { "black" } else { "white" };
            put(
                svg,
                format_args!(
                    "<circle class=\"loss {side}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"{:.1}\">\
                 <title>{}. {} loses {loss}</title></circle>",
                    self.x(played.ply),
                    self.y(value),
                    (2.0 + loss.sqrt()).min(8.0),
                    played.ply,
                    played.square
                ),
            );
        }
    }

    fn draw_losses(&self, svg: &mut String) {
        for (sums, side) in self.losses.iter().zip(["black", "white"]) {
            let mut points = Vec::new();
            let mut before = 0.0;
            for (ply, &sum) in sums.iter().enumerate() {
                if sum > before {
                    points.push((self.x(ply), self.loss_y(before)));
                }
                points.push((self.x(ply), self.loss_y(sum)));
                before = sum;
            }
            put(svg, format_args!("<path class=\"sum {side}\" d=\"{}\"/>", path(&points)));
        }
    }
}

fn draw_legend(svg: &mut String) {
    let mut x = LEFT;
    let y = HEIGHT - 10.0;
    for (class, text) in [
        ("line black", "Black"),
        ("line white", "White"),
        ("book", "from the book"),
        ("search", "searched"),
        ("exact", "exact"),
    ] {
        put(
            svg,
            format_args!(
                "<rect class=\"{class}\" x=\"{x}\" y=\"{}\" width=\"14\" height=\"8\"/>\
             <text class=\"key\" x=\"{}\" y=\"{y}\">{text}</text>",
                y - 8.0,
                x + 20.0
            ),
        );
        x += 44.0 + 7.5 * text.len() as f64;
    }
}

fn put(svg: &mut String, drawn: std::fmt::Arguments<'_>) {
    // Writing into a string cannot fail.
    let _ = writeln!(svg, "{drawn}");
}

fn path(points: &[(f64, f64)]) -> String {
    let mut path = String::new();
    for (index, (x, y)) in points.iter().enumerate() {
        let letter = if index == 0 { 'M' } else { 'L' };
        let _ = write!(path, "{letter}{x:.1} {y:.1}");
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faces::render::sample::sample;

    /// Elements are closed in the order in which they were opened, and no attribute is broken.
    fn assert_is_xml(svg: &str) {
        let mut open = Vec::new();
        for tag in svg.split('<').skip(1) {
            let (tag, _) = tag.split_once('>').unwrap();
            assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
            if let Some(name) = tag.strip_prefix('/') {
                assert_eq!(open.pop(), Some(name));
            } else if !tag.ends_with('/') {
                open.push(tag.split(' ').next().unwrap());
            }
        }
        assert!(open.is_empty(), "{open:?}");
    }

    #[test]
    fn a_graph_shows_every_position_that_is_valued() {
        let game = sample();
        let svg = game_svg(&game);
        assert_is_xml(&svg);
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
        assert!(svg.contains("Ann &quot;A&quot; &amp; Co - ?"), "{svg}");
        // The move without a value is between two that have one.
        let lines: Vec<&str> =
            svg.lines().filter(|line| line.contains("class=\"value\"")).collect();
        let points = |line: &str| line.matches(['M', 'L']).count();
        let valued = values(&game.moves).iter().flatten().count();
        assert_eq!(lines.len(), 1);
        assert_eq!(lines.iter().map(|line| points(line)).sum::<usize>(), valued);
        assert_eq!(valued, game.moves.len() + 1);
        for (class, runs) in [("book", 1), ("search", 2), ("exact", 1)] {
            let count = svg.matches(&format!("<rect class=\"{class}\"")).count();
            // One more is in the legend.
            assert_eq!(count, runs + 1, "{class}");
        }
    }

    /// The value after n moves is n steps from the left, whichever side had to pass before.
    #[test]
    fn a_pass_shifts_nothing() {
        let game = sample();
        let passes = game.moves.iter().filter(|played| played.after_pass).count();
        assert!(passes > 0, "the sample has a pass");
        let graph = Graph::of(&game);
        assert_eq!(graph.values.len(), game.moves.len() + 1);
        assert!((graph.x(game.moves.len()) - RIGHT).abs() < 1e-9);
        for played in &game.moves {
            // What a move loses is the step from the value before to its own.
            if let Some(value) = played.played_for_black() {
                assert_eq!(graph.values[played.ply], Some(value.discs()));
            }
            let discs = played.before.position.occupied().count_ones() as usize;
            assert_eq!(played.ply - 1, discs - 4);
        }
    }

    #[test]
    fn a_scale_holds_all_and_has_few_marks() {
        let marks = |numbers: &[f64], steps| {
            Scale::of(numbers.iter().copied(), steps).marks().collect::<Vec<_>>()
        };
        assert_eq!(marks(&[0.5, -0.5], 6.0), [-1.0, 0.0, 1.0]);
        assert_eq!(marks(&[3.2, -48.0], 6.0), [-48.0, -32.0, -16.0, 0.0, 16.0]);
        assert_eq!(marks(&[64.0, -64.0], 6.0), [-64.0, -32.0, 0.0, 32.0, 64.0]);
        assert_eq!(marks(&[], 3.0), [0.0, 1.0]);
        assert_eq!(marks(&[89.55], 3.0), [0.0, 32.0, 64.0, 96.0]);
    }

    #[test]
    fn losses_only_add_up() {
        let game = sample();
        for side in [Side::Black, Side::White] {
            let sums = losses(&game.moves, side);
            assert!(sums.windows(2).all(|two| two[0] <= two[1]));
            assert_eq!(sums.last().copied(), Some(game.sums(side).all.discs()));
        }
    }

    #[test]
    fn a_game_without_moves_or_values_has_a_graph_too() {
        let mut game = sample();
        game.moves.iter_mut().for_each(|played| played.value = None);
        assert_is_xml(&game_svg(&game));
        game.moves.clear();
        let svg = game_svg(&game);
        assert_is_xml(&svg);
        assert!(!svg.contains("NaN"));
    }
}
