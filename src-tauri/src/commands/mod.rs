//! The commands of the contract, each an adapter of a few lines.

pub mod access;
pub mod articles;
pub mod backfill;
pub mod backups;
pub mod library;
pub mod opml;
pub mod record;
pub mod refresh;
pub mod search;
pub mod settings;
pub mod subscribe;
