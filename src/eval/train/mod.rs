//! Fitting the weights of a spec to labelled positions.
//!
//! How the embedded weights came to be (every step is deterministic, and goes on where it was interrupted).
//! Most of it needs nothing but the WTHOR games in the folder `wthor`; `balance` also takes values of opening
//! positions that are measured apart (`opening-reference-values.csv`), and one step a network that only an
//! older program of the history can fit:
//!
//! ```text
//! rosebill train fit   --games wthor --furthest 60 --out 0.weights
//! rosebill train solve --games wthor --empties 12 --out ends.labels
//! rosebill train label --games wthor --weights 0.weights --out late.labels
//!     --from-discs 44 --to-discs 60 --solve-from 14 --count 320000
//! rosebill train label --games wthor --weights 0.weights --out middle.labels
//!     --from-discs 26 --to-discs 46 --selectivity 73 --count 150000
//! rosebill train fit   --games wthor --labels ends.labels late.labels middle.labels
//!     --start 0.weights --out 1.weights
//! rosebill train label --games wthor --weights 1.weights --out early.labels
//!     --from-discs 6 --to-discs 36 --selectivity 73 --count 370000
//! rosebill train fit   --games wthor --labels ends.labels late.labels middle.labels early.labels
//!     --start 1.weights --out 2.weights
//! ```
//!
//! A file of labels that is given more than once counts more; there the late positions counted four
//! times and the others up to three times, so that positions like those a search meets are not
//! drowned by the games. Those weights, `2.weights` (rosebill 9a5a7de5), then got better by
//!
//! ```text
//! rosebill train games --out own.games --count 45056 --depth 4 --seed 1 --weights 2.weights
//! rosebill train label --games wthor own.games --weights 2.weights --out mid.labels
//!     --from-discs 26 --to-discs 46 --depth 8 --selectivity 73 --solve-from 12 --seed 21 --count 90112
//! rosebill train label --games wthor own.games --weights 2.weights --out opening.labels
//!     --from-discs 8 --to-discs 30 --depth 9 --selectivity 73 --seed 23 --count 40960
//! rosebill train label --games wthor --weights 2.weights --out ends2.labels
//!     --from-discs 46 --to-discs 53 --solve-from 18 --seed 11 --count 8192
//! rosebill train fit --games wthor own.games --start 2.weights --ridge 15 --opening-ridge 300
//!     --rounds 20 --out 3.weights --labels ends2.labels ends2.labels ends2.labels ends2.labels
//!     mid.labels mid.labels opening.labels opening.labels opening.labels
//! rosebill train mix 2.weights 3.weights --share 4:0.9 36:0.7 40:0.6 44:0.4 48:0.15 --out 4.weights
//! rosebill train bounce --games own.games wthor/WTH_201*.wtb --weights 4.weights --positions 300
//!     --depth 4 --seed 5 --out 5.weights
//! ```
//!
//! The last step matters most: see `ops::train::correct_constants`. Those, `5.weights` (rosebill
//! 4847d245), became those that were embedded then (rosebill 7c202539) by way of ten million positions more:
//!
//! ```text
//! label="rosebill train label --games wthor"
//! $label --weights 5.weights --out l --seed 31 --from-discs 42 --to-discs 50 --solve-from 16
//!     --depth 8 --selectivity 73 --count 438272
//! $label --weights 5.weights --out m --seed 33 --from-discs 24 --to-discs 46 --solve-from 14
//!     --depth 8 --selectivity 73 --count 720896
//! $label --weights 5.weights --out q1 --seed 41 --from-discs 18 --to-discs 52 --solve-from 10
//!     --depth 4 --count 1634304
//! $label --weights 5.weights --out q2 --seed 42 (as q1) --count 1646592
//! rosebill train fit --labels l m q1 q2 --start 5.weights --ridge 8 --opening-ridge 300
//!     --rounds 30 --out 6.weights
//! $label --weights 6.weights --out r1 --seed 51 --from-discs 16 --to-discs 53 --solve-from 11
//!     --depth 4 --count 4161536
//! $label --weights 6.weights --out r2 --seed 52 (as r1) --count 1617920
//! rosebill train mix 5.weights 6.weights --share 4:0.5 --out 7.weights
//! $label --weights 7.weights --out o --seed 61 --from-discs 8 --to-discs 28 --solve-from 11
//!     --depth 12 --selectivity 73 --count 45056
//! labels="l l m m q1 q2 r1 r2 o o o"
//! rosebill train fit --labels $labels --start 7.weights --ridge 15 --opening-ridge 300
//!     --rounds 25 --out 8.weights
//! rosebill train mix 5.weights 8.weights --share 4:0.5 --out 9.weights
//! rosebill train games --out new.games --count 8192 --depth 4 --seed 7 --weights 9.weights
//! rosebill train fit --labels $labels --knots 8 16 24 32 40 48 56 64 --ridge 15
//!     --opening-ridge 300 --rounds 40 --out 10.weights
//! rosebill train bounce --games new.games wthor/WTH_201*.wtb --weights 10.weights --positions 200
//!     --depth 4 --seed 5 --out 11.weights
//! rosebill train mix 5.weights 11.weights --share 4:0.5 --out 12.weights
//! rosebill train mix 12.weights 9.weights --share 4:0.5 --out 13.weights
//! ```
//!
//! That is `rosebill 7c202539`. The constants of odd and even numbers of empties were then set right, first
//! so that shallow and deep searches agree, then by every second of the reference's opening positions (the
//! others judge):
//!
//! ```text
//! rosebill train bounce --games wthor/WTH_201*.wtb --weights 13.weights --positions 200 --depth 4 --seed 5
//!     --out 14.weights
//! rosebill train balance opening-reference-values.csv --every 2 --weights 14.weights
//!     --depths 8 9 10 11 12 13 --out 15.weights
//! ```
//!
//! In the opening, `15.weights` (rosebill dc708167) then learned from deeper searches:
//!
//! ```text
//! label="rosebill train label --games wthor --weights 15.weights --selectivity 73"
//! $label --out k --seed 601 --from-discs 16 --to-discs 44 --depth 12 --solve-from 14 --count 253952
//! $label --out k10 --seed 1011 --from-discs 16 --to-discs 50 --depth 10 --solve-from 15 --count 380928
//! $label --out k10b --seed 1012 --from-discs 14 --to-discs 50 --depth 10 --solve-from 15 --count 90112
//! rosebill train fit --labels k10 k10b k --start 15.weights --ridge 100 --rounds 15 --out 16.weights
//! rosebill train balance opening-reference-values.csv --every 2 --weights 16.weights --depths 10 11
//!     --out 17.weights
//! rosebill train mix 15.weights 17.weights --share 4:1 32:1 40:0 --out 18.weights  # fe829239
//! rosebill train bounce --games wthor/WTH_201*.wtb --weights 18.weights --positions 200 --depth 4 --seed 5
//!     --out 19.weights
//! rosebill train balance opening-reference-values.csv --every 2 --weights 19.weights
//!     --depths 8 9 10 11 12 13 --out 20.weights
//! ```
//!
//! With `20.weights` (rosebill 575fd673) as a teacher a network was fitted on top of the sum of weights. It
//! costs more than it brings in a search (`src/eval/NOTES.md`, "The network"), but what it says after eight
//! plies is better to learn from. The program of the commit "Search fewer iterations, let networks correct
//! weights, and stretch values" has it:
//!
//! ```text
//! rosebill train balance opening-reference-values.csv --every 2 --weights 20.weights
//!     --depths 8 9 10 11 12 13 --out 21.weights
//! label="rosebill train label --games wthor --selectivity 73 --from-discs 12 --to-discs 53"
//! $label --weights 21.weights --out m4 --seed 2104 --depth 4 --solve-from 10 --count 20000768
//! $label --weights 21.weights --out m6 --seed 2106 --depth 6 --solve-from 10 --count 4952064
//! rosebill train network --labels m4 m6 m6 --weights 21.weights --epochs 6 --out network.weights
//! $label --weights network.weights --out x6 --seed 3106 --depth 6 --solve-from 11 --count 3940352
//! $label --weights network.weights --out x8 --seed 3108 --depth 8 --solve-from 12 --count 1613824
//! rosebill train fit --labels x6 x8 x8 x8 --start 21.weights --ridge 40 --opening-ridge 300 --rounds 25
//!     --out 22.weights
//! rosebill train mix 21.weights 22.weights --share 4:1 44:1 52:0 --out 23.weights
//! rosebill train bounce --games wthor/WTH_201*.wtb --weights 23.weights --positions 200 --depth 4 --seed 5
//!     --out 24.weights
//! rosebill train balance opening-reference-values.csv --every 2 --weights 24.weights
//!     --depths 8 9 10 11 12 13 --out 25.weights
//! ```
//!
//! Last, values beyond 5 discs were stretched (`Stretch`) by how far exact scores, and deep searches stretched
//! by a first fit to those, were from what shallow searches say:
//!
//! ```text
//! label="rosebill train label --games wthor"
//! $label --weights 21.weights --out exact18 --seed 2003 --from-discs 46 --to-discs 48 --solve-from 18
//!     --count 4096
//! rosebill train stretch exact18 --depths 4 6 8 10 12 14 --weights 25.weights --out 26.weights
//! $label --weights 26.weights --out deep18 --seed 2004 --from-discs 26 --to-discs 36 --depth 18
//!     --selectivity 73 --count 4096
//! rosebill train stretch exact18 deep18 --depths 4 6 8 10 12 14 --weights 25.weights --out 27.weights
//! ```
//!
//! At 8 discs and fewer, of which these labels say nothing, `20.weights` know better:
//! `rosebill train mix 27.weights 20.weights --share 4:1 8:1 12:0 --out 28.weights` (rosebill cc0a15b0).
//!
//! All of these learned to judge positions. What is embedded learned, in four rounds, to search: the leaf that
//! a search of three or four plies ends in gets the value of its root (`train leaves`). `29.weights` are
//! `28.weights` without a stretch.
//!
//! ```text
//! rosebill train mix 25.weights 20.weights --share 4:1 8:1 12:0 --out 29.weights
//! label="rosebill train label --games wthor --from-discs 10 --to-discs 49 --selectivity 73 --solve-from 14"
//! leaves="rosebill train leaves --depths 3 4"
//! fit="rosebill train fit --start 29.weights --rounds 25"
//! $label --weights 29.weights --out r9 --seed 4242 --depth 9 --count 1642496
//! $leaves r9 --weights 29.weights --out l0
//! $fit --labels l0 --ridge 40 --opening-ridge 300 --out 30.weights
//! $leaves r9 --weights 30.weights --out l1
//! $fit --labels l0 l1 --ridge 100 --opening-ridge 300 --out 31.weights
//! $leaves r9 --weights 31.weights --out l2
//! $label --weights 31.weights --out r8 --seed 9001 --depth 8 --count 2400256
//! $leaves r8 --weights 31.weights --out l3
//! $fit --labels l0 l1 l2 l3 l3 --ridge 100 --opening-ridge 300 --out 32.weights
//! $fit --labels l0 l1 l2 l3 l3 --ridge 500 --opening-ridge 500 --out 33.weights
//! rosebill train bounce --games wthor/WTH_201*.wtb --weights 33.weights --positions 200 --depth 4 --seed 5
//!     --out 34.weights
//! rosebill train balance opening-reference-values.csv --every 2 --weights 34.weights
//!     --depths 8 9 10 11 12 13 --out 35.weights
//! $leaves r8 --weights 35.weights --out l4
//! $fit --labels l0 l1 l2 l3 l4 l4 --ridge 500 --opening-ridge 500 --out 36.weights
//! rosebill train mix 31.weights 33.weights --share 4:0.5 --out 37.weights
//! rosebill train mix 32.weights 36.weights --share 4:0.5 --out 38.weights
//! rosebill train mix 37.weights 38.weights --share 4:0.5 --out 39.weights
//! rosebill train bounce --games wthor/WTH_201*.wtb --weights 39.weights --positions 200 --depth 4 --seed 5
//!     --out 40.weights
//! rosebill train balance opening-reference-values.csv --every 2 --weights 40.weights
//!     --depths 8 9 10 11 12 13 --out 41.weights
//! rosebill train label --games wthor --weights 28.weights --out deeper18 --seed 2004 --from-discs 26 --to-discs 36
//!     --depth 18 --selectivity 73 --count 4096
//! rosebill train stretch exact18 deeper18 --depths 4 6 8 10 12 14 --weights 41.weights --out 42.weights
//! rosebill train mix 42.weights 28.weights --share 4:1 8:1 12:0 --out 43.weights
//! ```
//!
//! `43.weights` are the embedded ones (rosebill e3c806ca).
//!
//! `zebra.weights` began as
//!
//! ```text
//! rosebill train fit --games wthor own.games --labels ends2.labels --rounds 24 --spec zebra
//!     --knots 12 18 24 30 36 40 44 48 52 56 60 64 --out zebra.0.weights
//! rosebill train bounce --games wthor/WTH_201*.wtb --weights zebra.0.weights --positions 100
//!     --depth 4 --seed 5 --out zebra.1.weights
//! ```
//!
//! and `ntest.weights` in the same way with `--spec ntest --knots 12 18 24 30 36 42 48 54 60`. Games
//! say next to nothing about their first moves, so those were learned from searches (with the
//! weights embedded then, `rosebill 7c202539`), a minute's work:
//!
//! ```text
//! label="rosebill train label --games wthor --selectivity 73 --solve-from 11"
//! $label --out s1 --seed 81 --from-discs 4 --to-discs 10 --depth 12 --count 4096
//! $label --out s2 --seed 84 --from-discs 4 --to-discs 10 --depth 11 --count 4096
//! $label --out t1 --seed 83 --from-discs 9 --to-discs 16 --depth 12 --count 8192
//! $label --out t2 --seed 85 --from-discs 9 --to-discs 16 --depth 11 --count 8192
//! $label --out u1 --seed 82 --from-discs 10 --to-discs 22 --depth 8 --count 12288
//! $label --out u2 --seed 86 --from-discs 10 --to-discs 32 --depth 7 --count 65536
//! $label --out u3 --seed 87 --from-discs 10 --to-discs 32 --depth 8 --count 65536
//! rosebill train fit --labels s1 s2 s1 s2 u1 t1 t2 u2 u3 --spec zebra --ridge 15
//!     --opening-ridge 2 --rounds 80 --out zebra.2.weights
//! rosebill train mix zebra.2.weights zebra.1.weights --share 4:0 12:0.3 14:1 --out zebra.weights
//! ```
//!
//! What all of this gave is in `src/eval/NOTES.md`.

mod chunk_file;
mod fit;
mod game_file;
mod label_file;
mod labels;
mod positions;
mod report;
mod samples;
mod stretch_fit;

pub use crate::random::Random;
pub use chunk_file::{ChunkFile, Magic, read_chunks};
pub use fit::{FitError, FitOptions, FitProgress, OPENING_DISCS, fit};
pub use game_file::{GameFile, OwnGame, is_game_file, read_own_games};
pub use label_file::{Label, LabelFile, is_label_file, read_labels};
pub use labels::{Labeller, OwnPlay, TrainingGame, is_held_out, positions_of};
pub use positions::PositionMaker;
pub use report::{error_by_discs, measure};
pub use samples::{Sample, Samples};
pub use stretch_fit::{Foretold, fit_stretch};
