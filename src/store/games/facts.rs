//! What filters and counts need of every game, in memory: two dozen bytes each.

use super::outcome::GameOutcome;
use super::row::{GameId, GameRow};

/// Games of a packed row.
pub(in crate::store) const BLOCK: u32 = 4096;
/// Bytes of a game's facts.
const SIZE: usize = 24;
/// No such fact, where 0 is one.
const NONE: u8 = 255;

/// What filters and counts need of a game.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct GameFacts {
    /// The number of the event; none when it is not known.
    pub event: Option<u32>,
    /// The number of the player of Black.
    pub black: Option<u32>,
    /// The number of the player of White.
    pub white: Option<u32>,
    pub year: Option<u16>,
    /// The month, 1..=12; 0 when it is not known.
    pub month: u8,
    /// The day of the month, 1..=31; 0 when it is not known.
    pub day: u8,
    /// Ratings of Black and White, rounded down.
    pub ratings: [Option<u16>; 2],
    /// Black's discs at the end, 0..=64, by the board or else by the header.
    pub black_discs: Option<u8>,
    /// Black's discs after perfect play, 0..=64.
    pub theoretical: Option<u8>,
    /// The winner, by the board or else by the header.
    pub outcome: Option<GameOutcome>,
    /// Its opening was drawn by lot.
    pub xot: bool,
    /// There is such a game: numbers of games that were removed are not given again.
    pub exists: bool,
}

impl GameFacts {
    /// Of a row; `ids` are the numbers of its event, its Black and its White.
    pub(super) fn of(row: &GameRow, ids: [Option<u32>; 3]) -> Self {
        let [event, black, white] = ids;
        let rating = |rating: Option<f64>| {
            rating.filter(|rating| (1.0..65535.0).contains(rating)).map(|rating| rating as u16)
        };
        Self {
            event,
            black,
            white,
            year: row.year,
            month: row.month.unwrap_or_default(),
            day: row.day.unwrap_or_default(),
            ratings: [rating(row.black.rating), rating(row.white.rating)],
            black_discs: row.black_discs.or(row.stated_discs),
            theoretical: row.theoretical.map(|(discs, _)| discs),
            outcome: row.outcome(),
            xot: row.xot,
            exists: true,
        }
    }

    fn pack(self) -> [u8; SIZE] {
        let id = |id: Option<u32>| id.map_or(u32::MAX, |id| id).to_le_bytes();
        let short = |number: Option<u16>| number.unwrap_or(0).to_le_bytes();
        let outcome = match self.outcome {
            None => 0,
            Some(GameOutcome::Black) => 1,
            Some(GameOutcome::Draw) => 2,
            Some(GameOutcome::White) => 3,
        };
        let flags = u8::from(self.exists) | u8::from(self.xot) << 1 | outcome << 2;
        let [black_rating, white_rating] = self.ratings;
        let parts = [id(self.event), id(self.black), id(self.white)].into_iter().flatten();
        let shorts = [short(self.year), short(black_rating), short(white_rating)];
        let (black_discs, theoretical) =
            (self.black_discs.unwrap_or(NONE), self.theoretical.unwrap_or(NONE));
        let last = [black_discs, theoretical, flags, self.month, self.day, 0];
        let mut bytes = [0; SIZE];
        for (to, from) in
            bytes.iter_mut().zip(parts.chain(shorts.into_iter().flatten()).chain(last))
        {
            *to = from;
        }
        bytes
    }

    fn unpack(bytes: &[u8; SIZE]) -> Self {
        let id = |at: usize| {
            let number =
                u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
            (number != u32::MAX).then_some(number)
        };
        let short = |at: usize| {
            let number = u16::from_le_bytes([bytes[at], bytes[at + 1]]);
            (number != 0).then_some(number)
        };
        let discs = |at: usize| Some(bytes[at]).filter(|&discs| discs <= 64);
        let flags = bytes[20];
        Self {
            event: id(0),
            black: id(4),
            white: id(8),
            year: short(12),
            month: bytes[21],
            day: bytes[22],
            ratings: [short(14), short(16)],
            black_discs: discs(18),
            theoretical: discs(19),
            outcome: match flags >> 2 & 3 {
                1 => Some(GameOutcome::Black),
                2 => Some(GameOutcome::Draw),
                3 => Some(GameOutcome::White),
                _ => None,
            },
            xot: flags & 2 != 0,
            exists: flags & 1 != 0,
        }
    }
}

pub(super) const fn place(game: GameId) -> (u32, usize) {
    (game.0 / BLOCK, (game.0 % BLOCK) as usize)
}

pub(super) fn pack_block(facts: &[GameFacts]) -> Vec<u8> {
    facts.iter().flat_map(|facts| facts.pack()).collect()
}

pub(super) fn unpack_block(bytes: &[u8]) -> impl Iterator<Item = GameFacts> {
    bytes.as_chunks::<SIZE>().0.iter().map(GameFacts::unpack)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_come_back() {
        let full = GameFacts {
            event: Some(0),
            black: Some(70_000),
            white: Some(1),
            year: Some(2023),
            month: 12,
            day: 31,
            ratings: [Some(2500), None],
            black_discs: Some(0),
            theoretical: Some(64),
            outcome: Some(GameOutcome::White),
            xot: true,
            exists: true,
        };
        let facts = [full, GameFacts::default(), GameFacts { xot: false, outcome: None, ..full }];
        let packed = pack_block(&facts);
        assert_eq!(packed.len(), 3 * SIZE);
        assert_eq!(unpack_block(&packed).collect::<Vec<_>>(), facts);
        assert_eq!(place(GameId(2 * BLOCK + 5)), (2, 5));
    }
}
