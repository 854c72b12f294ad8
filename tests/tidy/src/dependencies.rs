//! Checks which crates each crate depends on.

use crate::metadata::{FEATURES, Package, closure, packages};
use crate::none;

/// Which of our crates each crate may depend on. Test packages (under `tests/`) may use the crates that they test.
const MAY_USE: &[(&str, &[&str])] = &[
    ("gleaner-address", &[]),
    ("gleaner-html", &[]),
    ("gleaner-feed", &["gleaner-address", "gleaner-html"]),
    ("gleaner-content", &["gleaner-address", "gleaner-html"]),
    ("gleaner-contract", &[]),
    ("gleaner-fetch", &["gleaner-address"]),
    ("gleaner-query", &[]),
    ("gleaner-share", &["gleaner-address", "gleaner-fetch"]),
    ("gleaner-identity", &["gleaner-feed", "gleaner-content"]),
    ("gleaner-library", &["gleaner-address", "gleaner-query", "gleaner-identity"]),
    ("gleaner-search", &["gleaner-content", "gleaner-query", "gleaner-library"]),
    ("gleaner-discovery", &["gleaner-address", "gleaner-feed", "gleaner-fetch", "gleaner-html"]),
    ("gleaner-inspect", &["gleaner-address", "gleaner-feed", "gleaner-content"]),
    (
        "gleaner-exchange",
        &[
            "gleaner-address",
            "gleaner-feed",
            "gleaner-content",
            "gleaner-html",
            "gleaner-identity",
            "gleaner-library",
            "gleaner-polling",
        ],
    ),
    (
        "gleaner-polling",
        &[
            "gleaner-address",
            "gleaner-feed",
            "gleaner-fetch",
            "gleaner-content",
            "gleaner-query",
            "gleaner-identity",
            "gleaner-library",
            "gleaner-discovery",
            "gleaner-inspect",
        ],
    ),
    (
        "gleaner-sync",
        &["gleaner-feed", "gleaner-fetch", "gleaner-html", "gleaner-identity", "gleaner-library", "gleaner-polling"],
    ),
    (
        "glean",
        &[
            "gleaner-address",
            "gleaner-app",
            "gleaner-contract",
            "gleaner-feed",
            "gleaner-content",
            "gleaner-fetch",
            "gleaner-library",
            "gleaner-discovery",
            "gleaner-exchange",
            "gleaner-inspect",
            "gleaner-polling",
            "gleaner-query",
            "gleaner-search",
            "gleaner-share",
            "gleaner-sync",
        ],
    ),
    (
        "gleaner-app",
        &[
            "gleaner-address",
            "gleaner-contract",
            "gleaner-content",
            "gleaner-discovery",
            "gleaner-exchange",
            "gleaner-feed",
            "gleaner-fetch",
            "gleaner-identity",
            "gleaner-inspect",
            "gleaner-library",
            "gleaner-polling",
            "gleaner-query",
            "gleaner-search",
            "gleaner-share",
            "gleaner-sync",
        ],
    ),
    ("gleaner", &["gleaner-app", "gleaner-contract", "gleaner-library"]),
];

const TESTS: &[&str] = &[
    "gleaner-cpu-time",
    "gleaner-tidy",
    "gleaner-pipeline",
    "gleaner-proofs",
    "gleaner-end-to-end",
    "gleaner-testserver",
    "gleaner-dev-host",
    "gleaner-demo",
    "gleaner-bench",
    "gleaner-fuzz",
];

/// Packages that only the shell may depend on.
const WINDOW_TOOLKIT: &[&str] = &["tauri", "wry", "tao", "gtk", "gdk", "webkit2gtk"];

/// Packages that no pure crate may depend on: network, disk, threads.
const EFFECTS: &[&str] = &["tokio", "reqwest", "hyper", "sqlx", "tauri", "mio", "rusqlite"];

#[test]
fn crates_depend_only_on_the_crates_allowed_for_them() {
    let packages = packages();
    let ours: Vec<_> = packages.values().filter(|package| package.ours).collect();
    let mut found = Vec::new();
    let product = |package: &Package| package.name != FEATURES && !TESTS.contains(&package.name.as_str());
    for package in ours.iter().filter(|package| product(package)) {
        let Some((_, may)) = MAY_USE.iter().find(|(name, _)| *name == package.name) else {
            found.push(format!(
                "{} is in no list: add it to tests/tidy/src/dependencies.rs with the crates that it may use",
                package.name
            ));
            continue;
        };
        for used in ours.iter().filter(|other| other.name != FEATURES && package.declares.contains(&other.name)) {
            if !may.contains(&used.name.as_str()) {
                found.push(format!("{} uses {}", package.name, used.name));
            }
        }
    }
    none("These dependencies are not allowed (ARCHITECTURE.md, \"The path of an article\"):", &found);
}

#[test]
fn only_the_shell_knows_the_window_toolkit() {
    let packages = packages();
    let mut found = Vec::new();
    for package in packages.values().filter(|package| package.ours && !TESTS.contains(&package.name.as_str())) {
        if package.name == "gleaner" {
            continue;
        }
        let built_on = closure(&packages, &package.name);
        found.extend(
            WINDOW_TOOLKIT
                .iter()
                .filter(|kit| built_on.contains(**kit))
                .map(|kit| format!("{} depends on {kit}", package.name)),
        );
    }
    none("Only the shell may depend on these:", &found);
}

#[test]
fn pure_crates_touch_neither_network_nor_disk() {
    let packages = packages();
    let mut found = Vec::new();
    for name in [
        "gleaner-address",
        "gleaner-html",
        "gleaner-identity",
        "gleaner-feed",
        "gleaner-content",
        "gleaner-query",
        "gleaner-inspect",
        "gleaner-contract",
    ] {
        let built_on = closure(&packages, name);
        found.extend(
            EFFECTS
                .iter()
                .filter(|effect| built_on.contains(**effect))
                .map(|effect| format!("{name} depends on {effect}")),
        );
    }
    none("These crates are pure and must not depend on packages for network, disk or threads:", &found);
}
