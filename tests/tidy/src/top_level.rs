//! Checks that the top level of the project contains the usual files and folders, and no others.

use crate::none;
use crate::tree::root;

const ALLOWED: &[&str] = &[
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "Makefile",
    "README.md",
    "SECURITY.md",
    "docs",
    "icons",
    "rust-toolchain.toml",
    "src-tauri",
    "tauri.conf.json",
    "tests",
    "ui",
];

/// Built or generated files, ignored by git.
const BUILT: &[&str] = &["target", "gen", "dist"];

#[test]
fn the_top_level_contains_only_expected_files() {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(root()).expect("the top can be read").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if !name.starts_with('.') && !ALLOWED.contains(&name.as_str()) && !BUILT.contains(&name.as_str()) {
            found.push(name);
        }
    }
    none("Move these from the top level to a folder (the configuration of a tool may be a dot-file):", &found);
}

#[test]
fn the_expected_files_exist() {
    let found: Vec<String> =
        ALLOWED.iter().filter(|name| !root().join(name).exists()).map(|name| (*name).to_owned()).collect();
    none("These are missing at the top level:", &found);
}
