//! The shapes of our JSON, the same wherever it is given out. Their field names are a contract: tests
//! pin them.

mod analysed;
mod change;
mod game;
mod history;
mod line;
mod opening;
mod path;
mod played;
mod shown;

pub use analysed::analysed_json;
pub use change::changes_json;
pub(crate) use game::found_player_json;
pub use game::{game_json, listed_json};
pub use history::history_json;
pub use line::{draw_json, line_json, popular_line_json};
pub use opening::opening_json;
pub use path::{names_json, path_json};
pub use played::{games_here_json, guess_of, played_json};
pub use shown::ShownFacts;
