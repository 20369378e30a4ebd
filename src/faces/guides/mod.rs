//! The guides: one topic each, as `rosebill help TOPIC` prints them, as pages of the manual and in the explorer.
//!
//! Each is a file of Markdown in this folder, whose first line is its title. [`Block`] is all that the terminal and
//! the manual need of that.

#[cfg(feature = "cli")]
mod blocks;

#[cfg(feature = "cli")]
pub(crate) use blocks::{Block, blocks};

/// A text on one topic.
pub(crate) struct Guide {
    /// One word, as it is asked for.
    pub name: &'static str,
    /// Markdown.
    pub markdown: &'static str,
}

macro_rules! guides {
    ($($name:literal),*) => {
        /// All guides, in the order in which they are listed.
        pub(crate) const GUIDES: &[Guide] =
            &[$(Guide { name: $name, markdown: include_str!(concat!($name, ".md")) }),*];
    };
}

guides!(
    "values",
    "growing",
    "game-files",
    "game-formats",
    "analysis",
    "explorer",
    "http",
    "fleets",
    "sql",
    "book-formats",
    "book-files",
    "engines",
    "evaluators",
    "scripting",
    "training",
    "contributing"
);

impl Guide {
    pub fn of(name: &str) -> Option<&'static Self> {
        GUIDES.iter().find(|guide| guide.name == name)
    }

    /// The first line without its mark.
    pub fn title(&self) -> &'static str {
        self.markdown.lines().next().unwrap_or_default().trim_start_matches("# ")
    }

    /// A page of its own.
    #[cfg(feature = "web")]
    pub fn html(&self) -> String {
        let parser = pulldown_cmark::Parser::new_ext(self.markdown, OPTIONS);
        let mut body = String::new();
        pulldown_cmark::html::push_html(&mut body, parser);
        let link = |guide: &Guide| {
            let current = if guide.name == self.name { " aria-current=\"page\"" } else { "" };
            format!("<a href=\"{0}\"{current}>{0}</a>\n", guide.name)
        };
        let links: String = GUIDES.iter().map(link).collect();
        format!(include_str!("page.html"), title = self.title(), links = links, body = body)
    }
}

/// How these pages look; the server allows no style inside a page.
#[cfg(feature = "web")]
pub const STYLE: &str = include_str!("guide.css");

const OPTIONS: pulldown_cmark::Options = pulldown_cmark::Options::ENABLE_TABLES;

#[cfg(test)]
mod tests {
    #[test]
    fn a_guide_is_read_in_one_sitting() {
        for guide in super::GUIDES {
            assert!(guide.markdown.lines().count() <= 150, "{}", guide.name);
        }
    }
}
