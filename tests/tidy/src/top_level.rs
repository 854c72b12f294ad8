//! The top level of the project holds only what readers expect there.

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
fn the_top_level_holds_only_what_belongs_there() {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(root()).expect("the top can be read").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if !name.starts_with('.') && !ALLOWED.contains(&name.as_str()) && !BUILT.contains(&name.as_str()) {
            found.push(name);
        }
    }
    none("These do not belong at the top level (a tool's configuration can be a dot-file):", &found);
}

#[test]
fn what_everyone_looks_for_is_there() {
    let found: Vec<String> =
        ALLOWED.iter().filter(|name| !root().join(name).exists()).map(|name| (*name).to_owned()).collect();
    none("These are missing at the top level:", &found);
}
