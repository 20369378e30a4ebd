//! Why a server cannot start.

use std::io;
use std::net::SocketAddr;

use thiserror::Error;

use crate::app::StoreError;

/// Why nothing can be served.
#[derive(Debug, Error)]
pub enum ServeError {
    /// The port is taken.
    #[error(
        "{address} is taken: another program, or another server of rosebill, listens there; --listen \
         {}:0 takes a free port",
        address.ip()
    )]
    Taken { address: SocketAddr },
    #[error("cannot listen at {address}")]
    Listen {
        address: SocketAddr,
        #[source]
        cause: io::Error,
    },
    #[error("{0}")]
    Book(#[from] StoreError),
    #[error("the system gives no random numbers")]
    Random(#[source] getrandom::Error),
    #[error("cannot start")]
    Start(#[source] io::Error),
}
