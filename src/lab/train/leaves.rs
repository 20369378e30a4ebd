//! Labels for the leaves of shallow searches.

use crate::app::amounts::within;
use std::path::PathBuf;

use clap::Args;
use rayon::prelude::*;

use super::TrainError;
use crate::othello::board::Key;
use crate::othello::eval::PatternEvaluator;
use crate::othello::eval::train::{Label, LabelFile, read_labels};
use crate::othello::search::{Stop, deciding_leaf};
use crate::store::check_of_no_book;

#[derive(Args, Clone, Debug)]
pub(crate) struct LeavesRequest {
    /// Files of labeled positions, such as `lab train label` makes: the roots of the searches
    #[arg(required = true, num_args = 1.., value_name = "FILE")]
    pub roots: Vec<PathBuf>,
    /// The file that labels are added to; the same command again goes on where it ended
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Plies of the searches, each of which every root gets
    #[arg(long, num_args = 1.., required = true, value_name = "PLIES",
          value_parser = within::<u8>(1..=12))]
    pub depths: Vec<u8>,
}

/// Roots of a chunk: what a crash loses at most.
const CHUNK: usize = 4096;

/// Searches every root a few plies deep and gives the leaf that decides the search the value of the root,
/// for the side to move there: the same command again goes on where it ended. `progress` gets how many
/// roots are done of how many, and the caller gets it in the end.
///
/// Why: weights that are fitted to positions judge them better and still play worse, since a search picks
/// the leaves whose errors are largest. The value of a search is that of its leaf, which is linear in the
/// weights: fitted there, it is the search that is fitted. What fits changes the leaves, so they are looked for
/// again with the new weights, and both kinds learned from (`TreeStrap` and TD-leaf do the like step by step:
/// Veness, Silver, Uther and Blair, 2009; Baxter, Tridgell and Weaver, 1998).
///
/// A leaf of a root that is solved counts as searched, since not everything between the two is forced.
pub(crate) fn label_leaves(
    request: &LeavesRequest,
    evaluator: &PatternEvaluator,
    stop: &Stop,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<(usize, usize), TrainError> {
    let mut roots = Vec::new();
    for path in &request.roots {
        let failed = |source| TrainError::Io { path: path.clone(), source };
        roots.extend(read_labels(path).map_err(failed)?);
    }
    let failed = |source| TrainError::Io { path: request.out.clone(), source };
    check_of_no_book(&request.out).map_err(failed)?;
    let mut file = LabelFile::open(&request.out).map_err(failed)?;
    let mut done = roots.len().min(file.chunks() * CHUNK);
    while done < roots.len() {
        let chunk = &roots[done..roots.len().min(done + CHUNK)];
        let labels: Vec<Vec<Label>> = chunk
            .par_iter()
            .map(|root| {
                let depths = request.depths.iter().take_while(|_| !stop.is_stopped());
                depths.filter_map(|&depth| leaf_of(root, evaluator, depth)).collect()
            })
            .collect();
        if stop.is_stopped() {
            break;
        }
        file.add(&labels.concat()).map_err(failed)?;
        done += chunk.len();
        progress(done, roots.len());
    }
    Ok((done, roots.len()))
}

fn leaf_of(root: &Label, evaluator: &PatternEvaluator, depth: u8) -> Option<Label> {
    let leaf = deciding_leaf(evaluator, root.key.position(), depth)?;
    let centidiscs = if leaf.same_side { root.centidiscs } else { -root.centidiscs };
    Some(Label {
        key: Key::of(leaf.position),
        centidiscs,
        depth: if root.depth == Label::SOLVED { MOST_PLIES } else { root.depth },
        selectivity: root.selectivity,
    })
}

/// More plies than a game has squares left.
const MOST_PLIES: u8 = 60;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::board::{Line, Position};

    #[test]
    fn leaves_bear_the_value_of_their_root_and_go_on_where_they_ended() {
        let folder = tempfile::tempdir().unwrap();
        let roots = folder.path().join("roots");
        let mut file = LabelFile::open(&roots).unwrap();
        let position = "f5d6c3d3c4".parse::<Line>().unwrap().board().position;
        let root = |position, centidiscs, depth| Label {
            key: Key::of(position),
            centidiscs,
            depth,
            selectivity: 73,
        };
        let over = Position { mover: u64::MAX, opponent: 0 };
        let many = vec![root(position, 150, 9); CHUNK];
        file.add(&many).unwrap();
        file.add(&[root(Position::START, 40, Label::SOLVED), root(over, 6400, Label::SOLVED)])
            .unwrap();
        let request = LeavesRequest {
            roots: vec![roots],
            out: folder.path().join("leaves"),
            depths: vec![1, 2],
        };
        let evaluator = PatternEvaluator::embedded().unwrap();
        let stop = Stop::new();
        // A stop after the first chunk keeps it.
        let first = label_leaves(&request, &evaluator, &stop, &mut |_, _| stop.stop()).unwrap();
        assert_eq!(first, (CHUNK, CHUNK + 2));
        let all = label_leaves(&request, &evaluator, &Stop::new(), &mut |_, _| ()).unwrap();
        assert_eq!(all, (CHUNK + 2, CHUNK + 2));
        let labels = read_labels(&request.out).unwrap();
        assert_eq!(labels.len(), 2 * CHUNK + 2);
        let told = |label: &Label| (label.key.discs(), label.centidiscs, label.depth);
        assert_eq!(told(&labels[0]), (10, -150, 9));
        assert_eq!(told(&labels[1]), (11, 150, 9));
        assert_eq!(told(&labels[2 * CHUNK]), (5, -40, 60));
        assert_eq!(told(&labels[2 * CHUNK + 1]), (6, 40, 60));
        assert_eq!(labels[2], labels[0]);
    }
}
