//! How sources name what searched.

/// The evaluator of searches whose values are means of their last two depths, as
/// [`crate::othello::search::Outcome::value`] is.
pub(super) fn searched_by(evaluator: &str) -> String {
    format!("{evaluator}, mean")
}
