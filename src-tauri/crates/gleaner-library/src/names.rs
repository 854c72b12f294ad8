//! Checks names that the user enters.

use crate::{LibraryError, Refusal};
use gleaner_query::one_line;

/// Returns the stored form of a name, on one line. An empty one is refused.
pub(crate) fn checked_name(name: &str, refusal: Refusal) -> Result<String, LibraryError> {
    let name = one_line(name);
    if name.is_empty() { Err(LibraryError::from(refusal)) } else { Ok(name) }
}
