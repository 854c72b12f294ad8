//! Recognises items: by id, else by address and date, else by digest. Pure functions, used by polling, by imports, and by the library
//! inside its write transaction.

mod counterparts;
mod digest;
mod document;
mod ids;
mod known;

pub use counterparts::{Counterparts, SharedAddresses};
pub use digest::{author, digest, identifying, is_changed, is_cut_off, short_digest};
pub use document::{Identified, addresses, identify};
pub use ids::recognise;
pub use known::{Known, KnownItem, Match, Traits, disambiguated_key, is_other_with_key};

/// A time in Unix milliseconds, UTC.
pub type Millis = i64;
