//! JSON in the form that statements use: lists of ids in `json_each`, rows in `json_group_array`.

use crate::LibraryError;
use serde::{Deserialize, Serialize};

/// Returns a value as JSON, for a parameter of a statement.
pub(crate) fn json<T: Serialize + ?Sized>(value: &T) -> Result<String, LibraryError> {
    serde_json::to_string(value).map_err(|error| LibraryError::Invalid(error.to_string()))
}

/// Reads a value from JSON that a statement returned.
pub(crate) fn from_json<'a, T: Deserialize<'a>>(value: &'a str) -> Result<T, LibraryError> {
    serde_json::from_str(value).map_err(|error| LibraryError::Invalid(error.to_string()))
}
