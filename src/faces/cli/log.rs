//! What the rooms below report while they work: warnings in words for every user, all with its origin to look for
//! faults.

use std::fmt::{Debug, Write as _};
use std::io::IsTerminal;

use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::{Context, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

use super::exit::MOST_TOLD;
use super::output::note;
use crate::othello::one_line::one_line;

/// Starts the log on stderr. A second start in one process (tests) keeps the first log.
pub(super) fn start(verbose: u8, quiet: bool) {
    let level = match (quiet, verbose) {
        (true, _) => LevelFilter::ERROR,
        (false, 0) => LevelFilter::WARN,
        (false, 1) => LevelFilter::INFO,
        (false, 2) => LevelFilter::DEBUG,
        (false, _) => LevelFilter::TRACE,
    };
    // Where each comes from is for finding faults.
    let _ = if level <= LevelFilter::INFO {
        tracing_subscriber::registry().with(Notes).with(logged(level)).try_init()
    } else {
        let lines = tracing_subscriber::fmt().with_max_level(level).with_writer(std::io::stderr);
        let colours = std::io::stderr().is_terminal();
        // Where in the program it comes from is for finding faults.
        let lines = lines.with_target(level >= LevelFilter::TRACE);
        lines.with_ansi(colours).without_time().finish().with(logged(level)).try_init()
    };
}

/// What is logged up to a level. The client of a fleet's server reports every broken connection in its own words,
/// beside what the program says of it, and migrations log their SQL: that is for finding faults.
fn logged(level: LevelFilter) -> Targets {
    let of_client = if level >= LevelFilter::DEBUG { level } else { LevelFilter::OFF };
    let of_migrations = if level >= LevelFilter::TRACE { level } else { LevelFilter::WARN };
    Targets::new()
        .with_default(level)
        .with_target("async_nats", of_client)
        .with_target("rusqlite_migration", of_migrations)
}

/// Prints warnings as all other notes.
struct Notes;

impl<S: Subscriber> Layer<S> for Notes {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut text = Text::default();
        event.record(&mut text);
        note(&text.line());
    }
}

/// An event in words.
#[derive(Default)]
struct Text {
    message: String,
    facts: Vec<String>,
}

impl Text {
    fn line(&self) -> String {
        let whole = match self.facts.is_empty() {
            true => self.message.clone(),
            false => format!("{} ({})", self.message, self.facts.join(", ")),
        };
        one_line(&whole, MOST_TOLD)
    }
}

impl Visit for Text {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.record_debug(field, &format_args!("{value}"));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        match field.name() {
            "message" => {
                let _ = write!(self.message, "{value:?}");
            }
            name => self.facts.push(format!("{name}: {value:?}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use tracing::Level;

    use super::*;

    #[test]
    fn a_connection_is_logged_only_for_who_looks_for_faults() {
        let [warnings, all] = [LevelFilter::WARN, LevelFilter::DEBUG].map(logged);
        assert!(warnings.would_enable("rosebill::fleet", &Level::WARN));
        assert!(!warnings.would_enable("async_nats::connector", &Level::ERROR));
        assert!(all.would_enable("async_nats", &Level::DEBUG));
    }

    #[test]
    fn a_warning_is_told_in_words() {
        #[derive(Clone, Default)]
        struct Heard(Arc<Mutex<Vec<String>>>);
        impl<S: Subscriber> Layer<S> for Heard {
            fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
                let mut text = Text::default();
                event.record(&mut text);
                self.0.lock().unwrap().push(text.line());
            }
        }
        let heard = Heard::default();
        let subscriber = tracing_subscriber::registry().with(heard.clone());
        tracing::subscriber::with_default(subscriber, || {
            tracing::warn!("it waits for {}", "x.db");
            let error = std::io::Error::other("no such \"file\"");
            tracing::warn!(file = %"x.db", worker = "one", %error, "it is left behind");
        });
        let told = heard.0.lock().unwrap().clone();
        let facts = "(file: x.db, worker: one, error: no such \"file\")";
        assert_eq!(told, ["it waits for x.db", &format!("it is left behind {facts}")]);
    }
}
