//! A small graph in text: how a value moved, step by step.

use crate::faces::figures::signed;

/// Rows of the graph.
const ROWS: usize = 11;
/// Columns of the titles on the left, with the axis.
const LEFT: usize = 8;
/// At least so much is between the lowest row and the highest, in the unit of the values.
const LEAST_HEIGHT: f64 = 0.5;

/// The lines of a graph that is so many characters wide: values over amounts, each of which lasts until
/// the next. The axis of amounts is logarithmic, so that each doubling is as wide. Nothing without
/// points.
pub fn graph(points: &[(u64, f64)], width: usize) -> Vec<String> {
    let Some(&(first, _)) = points.first() else { return Vec::new() };
    let columns = width.saturating_sub(LEFT + 1).max(10);
    let amounts = || points.iter().map(|&(amount, _)| amount.max(1));
    let (least, most) = (amounts().min().unwrap_or(first), amounts().max().unwrap_or(first));
    let span = (most as f64 / least as f64).ln();
    let column = |amount: u64| match span > 0.0 {
        true => {
            let part = (amount.max(1) as f64 / least as f64).ln() / span;
            (part * (columns - 1) as f64).round() as usize
        }
        false => 0,
    };
    let values = || points.iter().map(|&(_, value)| value);
    let (low, high) = (values().fold(f64::MAX, f64::min), values().fold(f64::MIN, f64::max));
    let more = (LEAST_HEIGHT - (high - low)).max(0.0) / 2.0;
    let (low, high) = (low - more, high + more);
    let row = |value: f64| ((high - value) / (high - low) * (ROWS - 1) as f64).round() as usize;

    let mut drawn: Vec<Option<usize>> = vec![None; columns];
    for (index, &(amount, value)) in points.iter().enumerate() {
        let from = column(amount);
        let to = points.get(index + 1).map_or(from + 1, |&(next, _)| column(next).max(from + 1));
        let stretch = drawn.iter_mut().take(to).skip(from);
        stretch.for_each(|at| *at = Some(row(value)));
    }
    let mut lines: Vec<String> = (0..ROWS)
        .map(|at| {
            let title = match at {
                0 => signed(high, 2),
                _ if at == ROWS - 1 => signed(low, 2),
                _ if at == ROWS / 2 => signed(f64::midpoint(high, low), 2),
                _ => String::new(),
            };
            let marks = drawn.iter().map(|&row| if row == Some(at) { '*' } else { ' ' });
            format!("{title:>6} |{}", marks.collect::<String>()).trim_end().to_owned()
        })
        .collect();
    let (mut axis, mut titles) = (vec!['-'; columns], " ".repeat(LEFT));
    for amount in ticks(least, most) {
        let (at, title) = (column(amount), short(amount));
        // A title is below its mark, and does not touch the one before.
        let start =
            (LEFT + at).saturating_sub(title.len() / 2).min(width.saturating_sub(title.len()));
        if let Some(mark) = axis.get_mut(at)
            && (start > titles.trim_end().len() || titles.trim().is_empty())
        {
            *mark = '+';
            titles.truncate(start);
            titles = format!("{titles:<start$}{title}");
        }
    }
    lines.push(format!("{:>6} +{}", "", axis.iter().collect::<String>()));
    lines.push(titles);
    lines
}

/// The ends, and the powers of ten between them.
fn ticks(least: u64, most: u64) -> Vec<u64> {
    let powers = (0..20).filter_map(|power| 10_u64.checked_pow(power));
    let inside = powers.filter(|&power| least.saturating_mul(2) <= power && power <= most / 2);
    let mut ticks: Vec<u64> = [least].into_iter().chain(inside).chain([most]).collect();
    ticks.dedup();
    ticks
}

/// A number in few characters: `950`, `12.3k`, `1.2M`.
fn short(number: u64) -> String {
    let (unit, sign) = match number {
        0..=9_999 => return number.to_string(),
        10_000..=999_999 => (1e3, "k"),
        1_000_000..=999_999_999 => (1e6, "M"),
        _ => (1e9, "G"),
    };
    let text = format!("{:.1}", number as f64 / unit);
    format!("{}{sign}", text.trim_end_matches(".0"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_stands_until_the_next() {
        let drawn = graph(&[(10, 1.0), (100, -1.0), (1000, 0.0)], 40);
        let expected = " +1.00 |***************
       |
       |
       |
       |
  0.00 |                              *
       |
       |
       |
       |
 -1.00 |               ***************
       ++--------------+--------------+
       10             100           1000";
        assert_eq!(drawn.join("\n"), expected);
    }

    #[test]
    fn every_width_and_every_number_is_drawn() {
        let series: [&[(u64, f64)]; 6] = [
            &[(1, 0.0)],
            &[(5, 1.0), (5, 2.0)],
            &[(0, 64.0), (u64::MAX, -64.0)],
            &[(100, 0.01), (50, 0.02), (7_000_000, 0.03)],
            &[(u64::MAX, 0.5), (1, 0.5)],
            &[(999_999, 3.0), (1_000_000, 3.0), (1_000_001, 3.0)],
        ];
        for points in series {
            for width in [20, 21, 40, 80, 120] {
                let lines = graph(points, width);
                assert_eq!(lines.len(), ROWS + 2);
                let marks: usize = lines[..ROWS].iter().map(|line| line.matches('*').count()).sum();
                assert!(marks > 0, "{points:?}");
                assert!(lines.iter().all(|line| line.len() <= width), "{width}: {lines:#?}");
            }
        }
        assert!(graph(&[], 80).is_empty());
        assert_eq!([950, 12_000, 12_345, 2_000_000].map(short), ["950", "12k", "12.3k", "2M"]);
    }
}
