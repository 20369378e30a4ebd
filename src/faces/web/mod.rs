//! The explorer: a page, and an HTTP API for it and for others (`rosebill serve`).
//!
//! It parses requests and writes answers; everything in them comes from `ops`. It opens no writer.

mod api;
mod app;
mod ask;
mod assets;
mod body;
mod book;
mod connection;
mod engines;
mod error;
mod etag;
mod generation;
mod growth;
mod headers;
mod json;
mod kept;
mod origin;
mod parameters;
mod router;
mod serve_error;
mod server;

pub use ask::Reply;
pub use growth::GrowTerms;
pub use origin::{Origin, OriginError};
pub use serve_error::ServeError;
pub use server::{ServeOptions, Server};
