//! What makes an item the same item: its id, else its address and date, else its digest. Pure functions of values, used by polling, by
//! imports, and by the library inside its write transaction.

mod digest;
mod document;
mod known;

pub use digest::{author, digest, short_digest};
pub use document::{Identified, addresses, identify};
pub use known::{Known, KnownItem, Match, Traits, recognize};

/// A moment in Unix milliseconds, UTC.
pub type Millis = i64;
