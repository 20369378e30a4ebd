//! What only a book together with games can show.

mod disagreements;
mod judged;
mod layered;
mod learned;
mod mistakes;
mod novelties;
mod only_moves;
mod part;
mod preparation;
mod question;
mod ranked;
mod sweep;
mod traps;

pub use disagreements::{ComparedWith, Disagreement, DisagreementOptions, disagreements};
pub use judged::MoveLoss;
pub use learned::{Habit, LearnedLine};
pub use mistakes::{Mistake, MistakeOptions, Whose, mistakes};
pub use novelties::{Novelty, NoveltyOptions, novelties};
pub use only_moves::{OnlyMove, OnlyMoveOptions, only_moves};
pub(crate) use part::write_lines;
pub use part::{PartError, write_book_part};
pub use preparation::{PoorLine, Preparation, PreparationOptions, SidePreparation, preparation};
pub(crate) use question::WINDOW;
pub use question::{DiscoverError, Place, PlayerTimes};
pub use traps::{Trap, TrapOptions, traps};
