//! Fitting the weights of a spec to labelled positions.
//!
//! A label is a position with what a search, the end of its game or a solver says of it ([`Label`]; values in
//! discs for the side to move). [`PositionMaker`] and [`Labeller`] make positions as searches meet them out of
//! games, [`LabelFile`] and [`GameFile`] keep labels and games chunk by chunk, so that a run that was broken off
//! goes on where it was, `fit` finds the weights that say most nearly what the labels say, [`fit_stretch`] how
//! far values from zero have to be moved away from it, and `measure` how far any evaluator is off.
//!
//! How the embedded weights were made with all of this, command by command, is in `src/othello/eval/RECIPE.md`, and
//! what each step gave in `src/othello/eval/NOTES.md`.

mod chunk_file;
mod fit;
mod game_file;
mod label_file;
mod labels;
mod positions;
mod report;
mod samples;
mod stretch_fit;

pub(crate) use crate::othello::random::Random;
pub(crate) use chunk_file::{ChunkFile, read_chunks};
pub(crate) use fit::{FitError, FitOptions, FitProgress, fit};
pub use game_file::GameFile;
pub(crate) use game_file::{OwnGame, is_game_file, read_own_games};
pub(crate) use label_file::{Label, LabelFile, is_label_file, read_labels};
pub(crate) use labels::{Labeller, TrainingGame, is_held_out, positions_of};
pub(crate) use positions::PositionMaker;
pub(crate) use report::error_by_discs;
pub(crate) use samples::{Sample, Samples};
pub(crate) use stretch_fit::{Foretold, fit_stretch};
