//! Who may depend on whom.

use crate::metadata::{closure, packages};
use crate::none;

/// Of our crates, which ones each may declare. Test packages (those under `tests/`) may use what they test.
const MAY_USE: &[(&str, &[&str])] = &[
    ("gleaner-feed", &[]),
    ("gleaner-content", &[]),
    ("gleaner-contract", &[]),
    ("gleaner-fetch", &[]),
    ("gleaner-query", &[]),
    ("gleaner-library", &["gleaner-query"]),
    ("gleaner-search", &["gleaner-content", "gleaner-query", "gleaner-library"]),
    ("gleaner-discovery", &["gleaner-feed", "gleaner-fetch"]),
    ("gleaner-inspect", &["gleaner-feed", "gleaner-content"]),
    ("gleaner-exchange", &["gleaner-feed", "gleaner-content", "gleaner-library", "gleaner-polling"]),
    (
        "gleaner-polling",
        // What a document says is reported, and kept, where it is read.
        &[
            "gleaner-feed",
            "gleaner-fetch",
            "gleaner-content",
            "gleaner-query",
            "gleaner-library",
            "gleaner-discovery",
            "gleaner-inspect",
        ],
    ),
    (
        "glean",
        &[
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
        ],
    ),
    (
        "gleaner",
        &[
            "gleaner-contract",
            "gleaner-feed",
            "gleaner-content",
            "gleaner-fetch",
            "gleaner-library",
            "gleaner-discovery",
            "gleaner-exchange",
            // The window shows the reports that polling makes.
            "gleaner-inspect",
            "gleaner-polling",
            "gleaner-query",
            "gleaner-search",
        ],
    ),
];

const TESTS: &[&str] = &[
    "gleaner-tidy",
    "gleaner-pipeline",
    "gleaner-proofs",
    "gleaner-end-to-end",
    "gleaner-testserver",
    "gleaner-demo",
    "gleaner-bench",
    "gleaner-fuzz",
];

/// What only the shell may be built on.
const WINDOW_TOOLKIT: &[&str] = &["tauri", "wry", "tao", "gtk", "gdk", "webkit2gtk", "gleaner-contract"];

/// What a pure crate is never built on: the network, the disk, another thread.
const EFFECTS: &[&str] = &["tokio", "reqwest", "hyper", "sqlx", "tauri", "mio", "rusqlite"];

#[test]
fn crates_use_only_those_before_them_on_the_way_of_an_article() {
    let packages = packages();
    let ours: Vec<_> = packages.values().filter(|package| package.ours).collect();
    let mut found = Vec::new();
    for package in ours.iter().filter(|package| !TESTS.contains(&package.name.as_str())) {
        let Some((_, may)) = MAY_USE.iter().find(|(name, _)| *name == package.name) else {
            found
                .push(format!("{} is in no list: say in tests/tidy/src/dependencies.rs what it may use", package.name));
            continue;
        };
        for used in ours.iter().filter(|other| package.declares.contains(&other.name)) {
            if !may.contains(&used.name.as_str()) {
                found.push(format!("{} uses {}", package.name, used.name));
            }
        }
    }
    none("These dependencies go against the direction of the data (ARCHITECTURE.md):", &found);
}

#[test]
fn only_the_shell_knows_the_window_toolkit_and_the_contract() {
    let packages = packages();
    let mut found = Vec::new();
    for package in packages.values().filter(|package| package.ours && !TESTS.contains(&package.name.as_str())) {
        if package.name == "gleaner" || package.name == "gleaner-contract" {
            continue;
        }
        let built_on = closure(&packages, &package.name);
        found.extend(
            WINDOW_TOOLKIT
                .iter()
                .filter(|kit| built_on.contains(**kit))
                .map(|kit| format!("{} is built on {kit}", package.name)),
        );
    }
    none("Only the shell may be built on these:", &found);
}

#[test]
fn pure_crates_touch_neither_network_nor_disk() {
    let packages = packages();
    let mut found = Vec::new();
    for name in ["gleaner-feed", "gleaner-content", "gleaner-query", "gleaner-inspect", "gleaner-contract"] {
        let built_on = closure(&packages, name);
        found.extend(
            EFFECTS
                .iter()
                .filter(|effect| built_on.contains(**effect))
                .map(|effect| format!("{name} is built on {effect}")),
        );
    }
    none("These crates are functions of values, and may not be built on what acts:", &found);
}
