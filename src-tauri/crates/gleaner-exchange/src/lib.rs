//! Imports and exports: archives of a whole library, articles as documents, lists of subscriptions, and files of other readers.

pub mod archive;
pub mod documents;
mod error;
mod file;
pub mod readers;
mod subscriptions;
mod zip_file;

pub use file::{save, temporary_folder};
pub use subscriptions::subscriptions_opml;
