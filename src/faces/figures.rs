//! Numbers as people read them.

/// Shares in whole percents that add up to 100: each is rounded down, and what is missing goes to
/// those that lose most by it, the first of equals. All are 0 where there is nothing to share.
pub fn whole_percents<const N: usize>(parts: [f64; N]) -> [u32; N] {
    let sum: f64 = parts.iter().sum();
    if sum <= 0.0 {
        return [0; N];
    }
    let exact = parts.map(|part| 100.0 * part / sum);
    let mut whole = exact.map(|share| share as u32);
    let mut order: [usize; N] = std::array::from_fn(|index| index);
    let lost = |&index: &usize| std::cmp::Reverse(((exact[index].fract()) * 1e6) as u32);
    order.sort_by_key(lost);
    let missing = 100_u32.saturating_sub(whole.iter().sum());
    for index in order.into_iter().take(missing as usize) {
        whole[index] += 1;
    }
    whole
}

/// A number with its sign; what is rounded to nothing has none.
pub fn signed(number: f64, decimals: usize) -> String {
    let text = format!("{number:+.decimals$}");
    let is_nothing = !text.contains(|c: char| ('1'..='9').contains(&c));
    if is_nothing { text.trim_start_matches(['+', '-']).to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percents_add_up() {
        assert_eq!(whole_percents([1.0, 1.0, 1.0]), [34, 33, 33]);
        assert_eq!(whole_percents([0.334, 0.333, 0.333]), [34, 33, 33]);
        assert_eq!(whole_percents([0.495, 0.01, 0.495]), [50, 1, 49]);
        assert_eq!(whole_percents([1.0, 0.0, 0.0]), [100, 0, 0]);
        assert_eq!(whole_percents([0.0, 0.0, 0.0]), [0, 0, 0]);
        for first in 0..50 {
            for second in 0..50 {
                let parts = [f64::from(first), f64::from(second), 7.0];
                assert_eq!(whole_percents(parts).iter().sum::<u32>(), 100);
            }
        }
    }

    #[test]
    fn nothing_has_no_sign() {
        assert_eq!(signed(-0.004, 2), "0.00");
        assert_eq!(signed(0.0, 1), "0.0");
        assert_eq!(signed(-0.05, 2), "-0.05");
        assert_eq!(signed(12.3, 1), "+12.3");
    }
}
