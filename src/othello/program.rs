//! What this program calls itself: in books, in messages to other programs, and to its user.

/// Its version, such as `0.2.0`.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Its name and version, as books and weights record it.
pub(crate) const ENGINE: &str = concat!("rosebill ", env!("CARGO_PKG_VERSION"));

/// The commit that it is built from, such as `6ad5045` or `6ad5045 modified`, or that it is a debug
/// build; empty where unknown (`.ci/build.rs`).
#[cfg(feature = "cli")]
pub(crate) const BUILD: &str = env!("ROSEBILL_BUILD");
