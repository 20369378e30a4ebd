//! Positions of the command line as questions to the engine.

use super::place::Positions;
use crate::app::Question;

pub fn questions(positions: &Positions) -> Vec<Question> {
    let questions = positions.list.iter().map(|numbered| Question {
        index: numbered.index,
        placed: numbered.asked.placed(),
        known: numbered.asked.scores.clone(),
    });
    questions.collect()
}
