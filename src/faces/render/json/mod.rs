//! The shapes of our JSON, the same wherever it is given out. Their field names are a contract: tests
//! pin them.

mod analysed;
mod change;
mod diff;
mod discovered;
mod game;
mod history;
mod line;
mod opening;
mod path;
mod played;
mod run;
mod searched;
mod shown;
mod values;

pub use analysed::{AnalysedGameJson, AnalysedMoveJson};
pub use change::{ChangeJson, ChangesJson};
pub use diff::{DiffJson, DiffPositionJson, DryRunJson};
pub use discovered::{MistakeJson, NoveltyJson, TrapJson};
pub use game::{FoundPlayerJson, game_json, listed_json};
pub use history::HistoryJson;
pub use line::{DrawJson, LineJson, PopularLineJson, moves_text};
pub use opening::OpeningJson;
pub use path::{NameJson, PathJson, names_json, path_json};
pub use played::{GamesHereJson, PlayedJson, guess_of};
pub use run::RunJson;
pub use searched::{SearchedMoveJson, WeighedMoveJson};
pub use shown::{ShownFacts, ShownJson, ShownMoveJson};
pub use values::{ChancesJson, PositionJson, TrustJson, ValuesJson, hundredths, thousandths};
