//! Checks that each dependency has one feature set, whichever packages are built.

use crate::metadata::{FEATURES, packages};
use crate::none;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// Dependencies that only the window and its build script have, and need with different features.
const WINDOW_ONLY: &[&str] = &["tauri-utils"];

/// Returns the feature sets that cargo selects for each dependency (`name version`) of these packages.
fn features(selection: &[&str]) -> BTreeMap<String, BTreeSet<String>> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let output = Command::new(cargo)
        .args(["tree", "--locked", "--edges", "normal,build,dev", "--prefix", "none"])
        .args(["--format", "{p}|{f}"])
        .args(selection)
        .current_dir(crate::tree::root())
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "cargo tree failed: {}", String::from_utf8_lossy(&output.stderr));
    let mut sets: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        // Our own packages have their path in parentheses.
        let Some((package, features)) = line.trim_end_matches(" (*)").split_once('|') else { continue };
        if !package.contains(" (/") && !package.contains(":\\") {
            let package = package.trim_end_matches(" (proc-macro)").to_owned();
            sets.entry(package).or_default().insert(features.to_owned());
        }
    }
    sets
}

/// Cargo would compile a dependency once for each feature set.
#[test]
fn every_selection_of_packages_uses_the_same_features() {
    let ours: Vec<String> =
        packages().into_values().filter(|package| package.ours).map(|package| package.name).collect();
    let mut sets = features(&["--workspace"]);
    for package in &ours {
        for (dependency, selected) in features(&["--package", package]) {
            sets.entry(dependency).or_default().extend(selected);
        }
    }
    let found: Vec<String> = sets
        .into_iter()
        .filter(|(dependency, sets)| {
            sets.len() > 1 && !WINDOW_ONLY.iter().any(|name| dependency.split(' ').next() == Some(name))
        })
        .map(|(dependency, sets)| {
            let sets: Vec<String> = sets.into_iter().map(|set| format!("[{set}]")).collect();
            format!("{dependency}: {}", sets.join(" "))
        })
        .collect();
    none(&format!("List these with all their features in {FEATURES}, for the program and for build scripts:"), &found);
}
