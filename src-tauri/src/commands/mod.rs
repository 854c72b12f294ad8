//! The commands of the contract, each an adapter of a few lines.

pub mod articles;
pub mod library;
pub mod opml;
pub mod record;
pub mod refresh;
pub mod settings;
pub mod subscribe;
