//! What a library gives away and takes in, so that it is no cage: archives of all that it holds, and articles as documents.

pub mod archive;
pub mod documents;
pub mod readers;
mod subscriptions;
mod whole;

pub use subscriptions::subscriptions_opml;
pub use whole::save;
