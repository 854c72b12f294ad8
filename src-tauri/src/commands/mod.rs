//! The commands of the contract, each an adapter of a few lines.

pub mod access;
pub mod ahead;
pub mod articles;
pub mod backfill;
pub mod backups;
pub mod beside;
pub mod collections;
pub mod export;
pub mod inspect;
pub mod keeping;
pub mod library;
pub mod lists;
pub mod notes;
pub mod opml;
pub mod preferences;
pub mod record;
pub mod refresh;
pub mod rules;
pub mod search;
pub mod settings;
pub mod subscribe;
