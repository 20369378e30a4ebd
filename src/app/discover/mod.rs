//! What only a book together with games can show.

mod judged;
mod layered;
mod learned;
mod mistakes;
mod novelties;
mod part;
mod preparation;
mod question;
mod ranked;
mod sweep;
mod traps;

pub use judged::MoveLoss;
pub use learned::{Habit, LearnedLine};
pub use mistakes::{Mistake, MistakeOptions, Whose, mistakes};
pub use novelties::{Novelty, NoveltyOptions, novelties};
pub use part::{PartError, write_book_part, write_lines};
pub use preparation::{PoorLine, Preparation, PreparationOptions, SidePreparation, preparation};
pub use question::{DiscoverError, Place, PlayerTimes, WINDOW};
pub use traps::{Trap, TrapOptions, traps};
