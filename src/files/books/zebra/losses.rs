//! What a book for Zebra could not say as our book has it.

/// What a book for Zebra could not say, and what it needs besides.
#[derive(serde::Serialize, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ZebraLosses {
    /// Nodes of the file: a position that is reached with Black and with White to move is two.
    #[serde(rename = "file_positions")]
    pub nodes: u64,
    /// Positions that no line of the file reaches from the start, left out.
    pub unreached: u64,
    /// Boards that are reached with either side to move, left out: Zebra has one node for both.
    pub shared_boards: u64,
    /// Nodes without a move that does not lose, where a search is due: given a move by a static
    /// evaluation, because Zebra would take them for lost.
    pub static_moves: u64,
    /// Undecided nodes whose score, as Zebra works it out, is more than a quarter of a disc from our
    /// guess.
    pub other_guess: u64,
    /// Proven wins and losses whose proven size is more than a quarter of a disc from our guess.
    pub other_size: u64,
    /// Proven best moves out of the book of undecided nodes, written as estimates.
    pub proven_moves: u64,
}
