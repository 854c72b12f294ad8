//! Checks what ARCHITECTURE.md states about the source.
//! A failure reports what is wrong, where, and what to do instead.
#![cfg(test)]
#![allow(clippy::expect_used)]

mod capability;
mod circles;
mod commands;
mod dependencies;
mod features;
mod licences;
mod metadata;
mod references;
mod retired;
mod sources;
mod top_level;
mod tree;
mod versions;
mod words;

/// Fails if anything was found, with the rule and a line for each finding.
#[track_caller]
fn none(rule: &str, found: &[String]) {
    assert!(found.is_empty(), "{rule}\n  {}\n({} found)", found.join("\n  "), found.len());
}
