//! Weights of an evaluator.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rosebill::othello::eval::{PatternEvaluator, Weights};

fuzz_target!(|data: &[u8]| match Weights::from_bytes(data, "fuzzed") {
    Ok(weights) => {
        let bytes = weights.to_bytes().expect("memory");
        assert_eq!(Weights::from_bytes(&bytes, "written").ok().as_ref(), Some(&weights));
        drop(PatternEvaluator::new(weights));
    }
    Err(error) => {
        let text = error.to_string();
        assert!(!text.contains('\n') && text.len() < 1000, "{text}");
    }
});
