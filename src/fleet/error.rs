//! Why a fleet cannot work.

use thiserror::Error;

use std::fmt::Display;

use crate::othello::eval::weights::WeightsError;
use crate::othello::one_line::one_line;
use crate::store::StoreError;

use super::address::AddressError;

/// Why a coordinator or a worker ends. No message holds a credential.
#[derive(Debug, Error)]
pub(crate) enum FleetError {
    #[error(transparent)]
    Address(#[from] AddressError),
    /// The server does not let us in.
    #[error(
        "the fleet's server {0} refuses the credentials: give user and password or a token in the \
         address, or a file with --fleet-credentials"
    )]
    Credentials(String),
    #[error("cannot take credentials from {file}: {cause}")]
    CredentialsFile { file: String, cause: String },
    /// The server's certificate is not to be trusted, or it speaks no TLS.
    #[error("no secure connection to the fleet's server {server}: {cause}")]
    Tls { server: String, cause: String },
    #[error("the fleet's server {server} cannot be reached: {cause}")]
    Unreachable { server: String, cause: String },
    #[error("{0}; the time is over")]
    TimeOver(String),
    #[error("the fleet's server {0} runs without JetStream: start it as 'nats-server -js'")]
    NoJetStream(String),
    /// A stream of that name has other settings.
    #[error(
        "stream {stream} of the fleet's server was made with other settings ({what}): remove it, and \
         the next coordinator makes it anew"
    )]
    OtherSettings { stream: String, what: String },
    #[error("the fleet's server refuses to {action}: {cause}")]
    Refused { action: &'static str, cause: String },
    #[error("another coordinator grows this book, or a copy of it, already: end that one first")]
    SecondCoordinator,
    /// A worker of another mind.
    #[error(
        "this worker was shut out: a coordinator found results of it to be wrong; check this machine's \
         memory and processor"
    )]
    ShutOut,
    /// A worker on which nothing succeeds.
    #[error(
        "{jobs} jobs failed here one after the other, the last one because {why}: check this machine's \
         memory and processor; others do these jobs"
    )]
    Failing { jobs: usize, why: &'static str },
    /// There is no memory for what jobs ask for.
    #[error(
        "jobs ask for {megabytes} MiB of transposition table for each of {threads} threads: this \
         machine has not so much memory; try fewer --threads"
    )]
    Table { megabytes: u32, threads: usize },
    /// No thread can be started, or the system gives no random numbers.
    #[error("cannot start: {0}")]
    Start(String),
    #[error("interrupted while waiting for the fleet's server")]
    Interrupted,
    #[error(transparent)]
    Weights(#[from] WeightsError),
    #[error("{0}")]
    Store(#[from] StoreError),
}

/// The most characters of what a server says.
const MOST_HEARD: usize = 200;

/// What a server says, as part of a message of ours: a terminal acts on nothing in it.
pub(super) fn heard(said: &(impl Display + ?Sized)) -> String {
    one_line(&said.to_string(), MOST_HEARD)
}

impl FleetError {
    /// The server refuses something.
    pub(super) fn refused(action: &'static str, error: &(impl Display + ?Sized)) -> Self {
        Self::Refused { action, cause: heard(error) }
    }

    /// The server lets us in and says nothing more.
    pub(super) fn silent(server: &impl Display) -> Self {
        Self::Unreachable { server: server.to_string(), cause: "it does not answer".to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_server_says_moves_no_terminal() {
        let error = FleetError::refused("listen", "a\u{1b}[2J\u{202e}b\nc");
        let told = error.to_string();
        assert!(told.ends_with("refuses to listen: a\\u{1b}[2J\\u{202e}b c"), "{told}");
        assert!(FleetError::refused("listen", &"x".repeat(9000)).to_string().len() < 300);
    }
}
