//! Why a server cannot start.

use std::io;
use std::net::SocketAddr;

use thiserror::Error;

use crate::ops::{StarterError, StoreError};

/// Why nothing can be served.
#[derive(Debug, Error)]
pub enum ServeError {
    /// The port is taken.
    #[error(
        "{address} is taken: another program, or another 'rosebill serve', listens there; --listen \
         {}:0 takes a free port",
        address.ip()
    )]
    Taken {
        /// Where.
        address: SocketAddr,
    },
    /// No connections can be taken there.
    #[error("cannot listen at {address}")]
    Listen {
        /// Where.
        address: SocketAddr,
        /// Why not.
        #[source]
        cause: io::Error,
    },
    /// The book.
    #[error(transparent)]
    Book(#[from] StoreError),
    /// The book that comes with the program cannot be laid out.
    #[error("no folder for the starter book")]
    Starter(#[source] io::Error),
    /// The book that comes with the program cannot be read.
    #[error(transparent)]
    StarterBook(#[from] StarterError),
    /// No random numbers for the token.
    #[error("the system gives no random numbers")]
    Random(#[source] getrandom::Error),
    /// The system gives no threads or timers.
    #[error("cannot start")]
    Start(#[source] io::Error),
}
