//! The architecture as tests: what ARCHITECTURE.md states about the source is checked here, so that it stays true.
//! A failure says what is wrong, where, and what to do instead.
#![cfg(test)]

mod commands;
mod dependencies;
mod licences;
mod metadata;
mod sources;
mod top_level;
mod tree;
mod versions;
mod words;

/// Fails with all that was found, each on a line of its own, under the rule it breaks.
#[track_caller]
fn none(rule: &str, found: &[String]) {
    assert!(found.is_empty(), "{rule}\n  {}\n({} found)", found.join("\n  "), found.len());
}
