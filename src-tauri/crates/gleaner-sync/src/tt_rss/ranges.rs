//! Sets of numbers that mostly follow each other.

use serde::{Deserialize, Serialize};

/// A set of numbers, stored as ranges: the first and the last number of each, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Ranges(Vec<(u64, u64)>);

impl Ranges {
    /// Adds numbers.
    pub(super) fn extend(&mut self, numbers: impl Iterator<Item = u64>) {
        self.0.extend(numbers.map(|number| (number, number)));
        self.0.sort_unstable();
        let mut joined: Vec<(u64, u64)> = Vec::new();
        for (first, last) in self.0.drain(..) {
            match joined.last_mut() {
                Some(before) if first <= before.1.saturating_add(1) => before.1 = before.1.max(last),
                _ => joined.push((first, last)),
            }
        }
        self.0 = joined;
    }

    /// Returns whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the numbers in order.
    pub(super) fn numbers(&self) -> impl Iterator<Item = u64> {
        self.0.iter().flat_map(|(first, last)| *first..=*last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_follow_each_other_are_one_range() {
        let mut ranges = Ranges::default();
        ranges.extend([5, 3, 4, 9].into_iter());
        ranges.extend([6, 1, 4, u64::MAX].into_iter());
        assert_eq!(ranges.0, [(1, 1), (3, 6), (9, 9), (u64::MAX, u64::MAX)]);
        assert_eq!(ranges.numbers().collect::<Vec<_>>(), [1, 3, 4, 5, 6, 9, u64::MAX]);
    }
}
