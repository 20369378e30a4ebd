//! Pattern indices, kept up to date move by move.
//!
//! Each image of a pattern has a lane that holds the index of its configuration: the sum over its
//! squares of digit times 3^place, where the digit is 2 for a disc of the side to move, 1 for an
//! empty square and 0 for a disc of the other side. With these digits
//!
//! * a move adds 1 x 3^place for its square and 2 x 3^place for every disc it turns, and
//! * a change of the side to move replaces an index by (3^squares - 1) - index,
//!
//! both the same operation on all lanes, so plain code over a fixed array becomes a few vector
//! instructions.

use super::lanes::{GROUP, Lanes};
use super::pattern::{Pattern, with_digits_moved};
use super::spec::{Scalar, Spec};
use crate::othello::board::{Bitboard, Cpu, Position, Square, Squares};

/// Where the weights of a pattern are, and which lanes look there.
#[derive(Clone, Debug)]
pub(crate) struct Family {
    /// The lanes of its images; rounded up to a multiple of [`GROUP`], the rest are idle.
    pub lanes: std::ops::Range<usize>,
    /// How many of the lanes are images.
    pub images: usize,
    /// Where its expanded table starts in the tables of a stage.
    pub offset: usize,
    /// Number of configurations. The entry after the last belongs to the idle lanes.
    pub configurations: usize,
    /// The class of each configuration, by the index that lanes hold.
    pub classes: Vec<u16>,
    /// Where its classes start among the weights of a knot.
    pub first_weight: usize,
}

/// A spec compiled for speed.
#[derive(Clone, Debug)]
pub(crate) struct Features {
    /// What a disc of the side to move adds on each square.
    place: Box<[Lanes; 64]>,
    empty: Lanes,
    /// What an index and the index seen by the other side add up to.
    both: Lanes,
    families: Vec<Family>,
    scalars: Vec<Scalar>,
    entries: usize,
    weights: usize,
}

impl Features {
    pub(crate) fn new(spec: &Spec) -> Self {
        let mut features = Self {
            place: Box::new([Lanes::ZERO; 64]),
            empty: Lanes::ZERO,
            both: Lanes::ZERO,
            families: Vec::new(),
            scalars: spec.scalars().to_vec(),
            entries: 0,
            weights: 0,
        };
        for pattern in spec.patterns() {
            features.add_family(pattern);
        }
        features
    }

    fn add_family(&mut self, pattern: &Pattern) {
        let images = pattern.images();
        let first_lane = self.families.last().map_or(0, |family| family.lanes.end);
        let lanes = first_lane..first_lane + images.len().next_multiple_of(GROUP);
        let (listed, class_count) = pattern.classes();
        let configurations = pattern.configurations();
        let order = busiest_first(&pattern.squares);
        let classes = with_digits_moved(&order).into_iter().map(|index| listed[index]).collect();
        for (lane, image) in lanes.clone().zip(&images) {
            for (power, &digit) in order.iter().enumerate() {
                let value = 3_u16.pow(power as u32);
                self.place[image[digit].index()].0[lane] = value;
                self.empty.0[lane] += value;
            }
            self.both.0[lane] = 2 * self.empty.0[lane];
        }
        for lane in lanes.start + images.len()..lanes.end {
            // Idle: always the entry after the table, whose weight is zero.
            self.empty.0[lane] = configurations as u16;
            self.both.0[lane] = (configurations as u16).wrapping_mul(2);
        }
        self.families.push(Family {
            lanes,
            images: images.len(),
            offset: self.entries,
            configurations,
            classes,
            first_weight: self.weights,
        });
        self.entries += configurations + 1;
        self.weights += class_count;
    }

    /// The tables and their lanes.
    pub(crate) fn families(&self) -> &[Family] {
        &self.families
    }

    /// The scalars, in the order of their tables after the patterns.
    pub(crate) fn scalars(&self) -> &[Scalar] {
        &self.scalars
    }

    /// Entries of the expanded pattern tables of a stage.
    pub(crate) const fn entries(&self) -> usize {
        self.entries
    }

    /// Weights of the patterns at a knot; those of the scalars follow.
    pub(crate) const fn pattern_weights(&self) -> usize {
        self.weights
    }

    #[inline]
    pub(crate) fn lanes(&self, position: Position) -> Lanes {
        let mut lanes = self.empty;
        for square in Squares(position.mover) {
            lanes.add(&self.place[square.index()]);
        }
        for square in Squares(position.opponent) {
            lanes.subtract(&self.place[square.index()]);
        }
        lanes
    }

    /// The lanes after the side to move plays on `square` and turns `turned`.
    #[inline(always)]
    pub(crate) fn play(&self, lanes: &Lanes, square: Square, turned: Bitboard) -> Lanes {
        let mut flipped = Lanes::ZERO;
        for square in Squares(turned) {
            flipped.add(&self.place[square.index()]);
        }
        let placed = &self.place[square.index()].0;
        let mut next = Lanes::ZERO;
        for (lane, next) in next.0.iter_mut().enumerate() {
            let moved = lanes.0[lane]
                .wrapping_add(placed[lane])
                .wrapping_add(flipped.0[lane].wrapping_mul(2));
            *next = self.both.0[lane].wrapping_sub(moved);
        }
        next
    }

    /// The lanes seen by the other side.
    #[inline(always)]
    pub(crate) fn pass(&self, lanes: &Lanes) -> Lanes {
        let mut next = Lanes::ZERO;
        for (lane, next) in next.0.iter_mut().enumerate() {
            *next = self.both.0[lane].wrapping_sub(lanes.0[lane]);
        }
        next
    }
}

/// The digits of a pattern's squares, those nearest to the middle first: their discs change most
/// often. As the lowest digits of an index they make the configurations that a search meets
/// neighbours in memory.
fn busiest_first(squares: &[Square]) -> Vec<usize> {
    let from_middle = |line: u8| if line < 4 { 3 - line } else { line - 4 };
    let quietness = |&digit: &usize| {
        let number = squares[digit].number();
        let (column, row) = (from_middle(number % 8), from_middle(number / 8));
        (column.max(row), column + row)
    };
    let mut order: Vec<usize> = (0..squares.len()).collect();
    order.sort_by_key(quietness);
    order
}

/// The entry of a scalar's table that a position looks at.
#[inline(always)]
pub(crate) fn scalar_entry<C: Cpu>(cpu: C, scalar: Scalar, position: Position) -> usize {
    let Position { mover, opponent } = position;
    let value = match scalar {
        Scalar::MoverMobility => cpu.legal_moves(mover, opponent).count_ones(),
        Scalar::OpponentMobility => cpu.legal_moves(opponent, mover).count_ones(),
        Scalar::MoverPotential => potential_mobility(opponent, position.empty_squares()),
        Scalar::OpponentPotential => potential_mobility(mover, position.empty_squares()),
        Scalar::Discs => u32::from(position.discs()),
        Scalar::Parity => u32::from(position.empties()) & 1,
    };
    (value as usize).min(scalar.entries() - 1)
}

/// Potential mobility by the linear method (source: "How Ntest Works"): along every line of the
/// board the places where a disc of `discs`, other than at the end of the line, and an empty square
/// are neighbours. `discs` are those that would be turned, so they are the other side's.
#[inline(always)]
pub(crate) const fn potential_mobility(discs: Bitboard, empty: Bitboard) -> u32 {
    const INNER_COLUMNS: Bitboard = 0x7e7e_7e7e_7e7e_7e7e;
    const INNER_ROWS: Bitboard = 0x00ff_ffff_ffff_ff00;
    let (across, down) = (discs & INNER_COLUMNS, discs & INNER_ROWS);
    let inner = across & INNER_ROWS;
    beside(across, empty, 1)
        + beside(down, empty, 8)
        + beside(inner, empty, 7)
        + beside(inner, empty, 9)
}

#[inline(always)]
const fn beside(discs: Bitboard, empty: Bitboard, shift: u32) -> u32 {
    (discs & (empty << shift)).count_ones() + (discs & (empty >> shift)).count_ones()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::board::{After, flips};
    use proptest::prelude::*;

    fn check(seed: u64) -> Result<(), TestCaseError> {
        let features = Features::new(&Spec::named("rosebill").unwrap());
        let mut random = seed | 1;
        let mut position = Position::START;
        let mut lanes = features.lanes(position);
        loop {
            let moves: Vec<_> = position.legal_moves().collect();
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let square = moves[(random >> 33) as usize % moves.len()];
            let turned = flips(square, position.mover, position.opponent);
            lanes = features.play(&lanes, square, turned);
            position = match position.after(square).unwrap() {
                After::Opponent(next) => next,
                After::Same(next) => {
                    lanes = features.pass(&lanes);
                    next
                }
                After::Over(_) => return Ok(()),
            };
            prop_assert_eq!(lanes, features.lanes(position));
            for family in features.families() {
                for lane in family.lanes.clone() {
                    let idle = lane >= family.lanes.start + family.images;
                    let index = usize::from(lanes.0[lane]);
                    prop_assert_eq!(index >= family.configurations, idle);
                }
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn moves_keep_the_lanes_right(seed: u64) {
            check(seed)?;
        }
    }

    #[test]
    fn potential_mobility_counts_neighbours_along_lines() {
        let bit = |name: &str| name.parse::<Square>().unwrap().bit();
        // A lone inner disc has an empty square on all eight sides, one on an edge on two.
        assert_eq!(potential_mobility(bit("d4"), !bit("d4")), 8);
        assert_eq!(potential_mobility(bit("d1"), !bit("d1")), 2);
        assert_eq!(potential_mobility(bit("a1"), !bit("a1")), 0);
        assert_eq!(potential_mobility(Position::START.mover, Position::START.empty_squares()), 10);
    }
}
