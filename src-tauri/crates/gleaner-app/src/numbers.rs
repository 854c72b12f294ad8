//! Converts numbers to those of the contract.

/// Converts a number of things, bytes or milliseconds to the contract's type of numbers: at most `i64::MAX`.
pub(crate) fn to_number(value: impl TryInto<i64>) -> i64 {
    value.try_into().unwrap_or(i64::MAX)
}
