//! Searches behind the tables of Multi-ProbCut, kept in a file so that they can go on later.

use crate::app::amounts::within;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use super::TrainError;
use crate::app::amounts::whole;
use crate::othello::eval::PatternEvaluator;
use crate::othello::eval::train::{ChunkFile, read_chunks};
use crate::othello::search::Stop;
use crate::othello::search::probcut_fit::{ProbcutPlan, ProbcutSample, measure_many};
use crate::store::check_of_no_book;

/// Which positions to search.
#[derive(Args, Clone, Debug)]
pub(crate) struct ProbcutRequest {
    /// The file that samples are added to; the same command again goes on where it ended
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Samples that the file is to hold in the end
    #[arg(long, value_parser = whole)]
    pub count: u64,
    /// Fewest empties of a position
    #[arg(long, default_value_t = 8, value_parser = within::<u8>(1..=60))]
    pub from_empties: u8,
    /// Most empties of a position
    #[arg(long, default_value_t = 55, value_parser = within::<u8>(1..=60))]
    pub to_empties: u8,
    /// Plies of the deepest search
    #[arg(long, default_value_t = 10, value_parser = within::<u8>(0..=60))]
    pub depth: u8,
    /// Up to this many empties the exact result is found as well
    #[arg(long, value_name = "EMPTIES", default_value_t = 18, value_parser = within::<u8>(0..=60))]
    pub solve: u8,
    /// Another seed chooses other positions
    #[arg(long, default_value_t = 1, value_parser = whole)]
    pub seed: u64,
}

const MAGIC: [u8; 8] = *b"rbPROBC1";
const KIND: &str = "samples for Multi-ProbCut";

/// Samples of a chunk: what a crash loses at most.
const CHUNK: u64 = 256;

/// Searches positions and adds the values to a file, chunk by chunk: the same command again goes on
/// where it ended. `progress` gets how many samples the file holds, at the end, too.
pub(crate) fn sample_probcut(
    request: &ProbcutRequest,
    evaluator: &Arc<PatternEvaluator>,
    stop: &Stop,
    progress: &mut dyn FnMut(u64),
) -> Result<u64, TrainError> {
    let plan = ProbcutPlan { depth: request.depth, solve: request.solve };
    let (least, most) = (request.from_empties, request.to_empties);
    if least > most || least == 0 || most > 60 {
        return Err(TrainError::Discs(64_u8.saturating_sub(most), 64_u8.saturating_sub(least)));
    }
    let failed = |source| TrainError::Io { path: request.out.clone(), source };
    check_of_no_book(&request.out).map_err(failed)?;
    let mut file = ChunkFile::open(&request.out, MAGIC, KIND).map_err(failed)?;
    let mut done = file.chunks() as u64 * CHUNK;
    while done < request.count && !stop.is_stopped() {
        let first = request.seed.wrapping_mul(1 << 32).wrapping_add(done);
        let seeds = first..first + CHUNK;
        let samples = measure_many(evaluator, seeds, least..=most, plan, stop);
        // What was stopped is no sample.
        let Some(samples) = samples else { break };
        let bytes: Vec<u8> = samples.iter().flat_map(to_bytes).collect();
        file.add(&bytes).map_err(failed)?;
        done += CHUNK;
        progress(done);
    }
    Ok(done)
}

/// Reads all samples of a file.
pub(crate) fn read_probcut(path: &Path) -> Result<Vec<ProbcutSample>, TrainError> {
    let mut samples = Vec::new();
    read_chunks(path, MAGIC, KIND, |mut bytes| {
        while let Some((sample, rest)) = from_bytes(bytes) {
            samples.push(sample);
            bytes = rest;
        }
    })
    .map_err(|source| TrainError::Io { path: path.to_owned(), source })?;
    Ok(samples)
}

/// Empties, number of values, values, and the exact result or [`i16::MIN`]; little-endian.
fn to_bytes(sample: &ProbcutSample) -> Vec<u8> {
    let mut bytes = vec![sample.empties, sample.values.len() as u8];
    let all = sample.values.iter().copied().chain([sample.exact.unwrap_or(i16::MIN)]);
    bytes.extend(all.flat_map(i16::to_le_bytes));
    bytes
}

fn from_bytes(bytes: &[u8]) -> Option<(ProbcutSample, &[u8])> {
    let (&[empties, count], rest) = bytes.split_first_chunk()?;
    let (values, rest) = rest.split_at_checked(2 * (usize::from(count) + 1))?;
    let mut values: Vec<i16> =
        values.as_chunks().0.iter().map(|&pair| i16::from_le_bytes(pair)).collect();
    let exact = values.pop().filter(|&exact| exact != i16::MIN);
    Some((ProbcutSample { empties, values, exact }, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_go_on_where_they_ended() {
        let folder = tempfile::tempdir().unwrap();
        let evaluator = PatternEvaluator::embedded().unwrap();
        let run = |name: &str, count| {
            let request = ProbcutRequest {
                out: folder.path().join(name),
                count,
                from_empties: 4,
                to_empties: 9,
                depth: 2,
                solve: 5,
                seed: 2,
            };
            sample_probcut(&request, &evaluator, &Stop::new(), &mut |_| ()).unwrap();
            read_probcut(&request.out).unwrap()
        };
        let whole = run("a", 2 * CHUNK);
        run("b", CHUNK);
        assert_eq!(run("b", 2 * CHUNK), whole);
        assert!(whole.len() > 300);
        for sample in whole {
            assert_eq!((sample.values.len(), sample.exact.is_some()), (3, sample.empties <= 5));
        }
    }
}
