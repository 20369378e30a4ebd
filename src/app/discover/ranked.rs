//! The best few of many, where judging each one costs something.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// One of many with the most that it can be worth.
struct Waiting<T> {
    most: f64,
    /// Of equals the first comes first.
    number: usize,
    item: T,
}

impl<T> Ord for Waiting<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.most.total_cmp(&other.most).then(other.number.cmp(&self.number))
    }
}

impl<T> PartialOrd for Waiting<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> PartialEq for Waiting<T> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<T> Eq for Waiting<T> {}

/// The `count` items of most worth, the best first, each with its worth. `judge` finds the worth,
/// never more than the bound that the item comes with, or that the item does not count; it is asked
/// only for as many as it takes.
pub(super) fn best_of<T, R, E>(
    items: impl IntoIterator<Item = (f64, T)>,
    count: usize,
    mut judge: impl FnMut(T) -> Result<Option<(f64, R)>, E>,
) -> Result<Vec<R>, E> {
    let waiting = items.into_iter().enumerate();
    let mut waiting: BinaryHeap<Waiting<T>> =
        waiting.map(|(number, (most, item))| Waiting { most, number, item }).collect();
    let mut judged: BinaryHeap<Waiting<R>> = BinaryHeap::new();
    let mut best = Vec::new();
    while best.len() < count {
        // What was judged comes before what can be no better.
        let most_waiting = waiting.peek().map(|next| (next.most, next.number));
        let is_best = |top: &Waiting<R>| {
            most_waiting.is_none_or(|(most, number)| {
                top.most > most || (top.most >= most && top.number < number)
            })
        };
        if judged.peek().is_some_and(is_best) {
            best.extend(judged.pop().map(|top| top.item));
        } else if let Some(Waiting { number, item, .. }) = waiting.pop() {
            if let Some((worth, item)) = judge(item)? {
                judged.push(Waiting { most: worth, number, item });
            }
        } else {
            break;
        }
    }
    Ok(best)
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;
    use crate::othello::eval::train::Random;

    /// As judging all of them and sorting would do.
    #[test]
    fn finds_the_best_and_asks_for_few() {
        for seed in 0..50 {
            let mut random = Random::for_item(11, seed);
            let items: Vec<(f64, usize)> =
                (0..200).map(|index| (random.below(40) as f64, index)).collect();
            let worth: Vec<Option<f64>> = items
                .iter()
                .map(|&(most, index)| (index % 7 != 3).then(|| most * (index % 3 + 1) as f64 / 3.0))
                .collect();
            let mut all: Vec<(f64, usize)> =
                items.iter().filter_map(|&(_, index)| Some((worth[index]?, index))).collect();
            all.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
            for count in [0, 1, 10, 300] {
                let mut asked = 0;
                let Ok(best) = best_of(items.clone(), count, |index| {
                    asked += 1;
                    Ok::<_, Infallible>(worth[index].map(|worth| (worth, index)))
                });
                let expected: Vec<usize> =
                    all.iter().take(count).map(|&(_, index)| index).collect();
                assert_eq!(best, expected);
                assert!(count != 1 || asked < 100, "{asked} were judged for the best one");
            }
        }
    }
}
