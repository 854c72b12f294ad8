//! The packages of the workspace and their dependencies, from `cargo metadata`.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// The crate that gives shared dependencies one feature set. Every crate depends on it, and it contains no code.
pub const FEATURES: &str = "gleaner-features";

/// A package of the workspace or a dependency.
pub struct Package {
    pub name: String,
    pub version: String,
    pub license: Option<String>,
    /// True for members of this workspace.
    pub ours: bool,
    /// Names of its declared dependencies, without dev-dependencies.
    pub declares: BTreeSet<String>,
    /// Ids of the packages built for it on this platform, without dev-dependencies.
    pub uses: Vec<String>,
}

/// All packages by cargo's id.
pub type Packages = BTreeMap<String, Package>;

/// Returns the workspace's packages and all packages that they need on this platform.
pub fn packages() -> Packages {
    let metadata = cargo_metadata();
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let members: BTreeSet<String> = list(&metadata["workspace_members"]).iter().map(text).collect();
    let not_dev = |kind: &Value| kind["kind"].as_str() != Some("dev");

    let mut packages = Packages::new();
    for package in list(&metadata["packages"]) {
        let id = text(&package["id"]);
        packages.insert(
            id.clone(),
            Package {
                name: text(&package["name"]),
                version: text(&package["version"]),
                license: package["license"].as_str().map(str::to_owned),
                ours: members.contains(&id),
                declares: list(&package["dependencies"])
                    .iter()
                    .filter(|d| not_dev(d))
                    .map(|d| text(&d["name"]))
                    .collect(),
                uses: Vec::new(),
            },
        );
    }
    // The graph contains only the packages of this platform; the list above may contain others.
    let mut built = BTreeSet::new();
    for node in list(&metadata["resolve"]["nodes"]) {
        let id = text(&node["id"]);
        built.insert(id.clone());
        if let Some(package) = packages.get_mut(&id) {
            package.uses = list(&node["deps"])
                .iter()
                .filter(|d| list(&d["dep_kinds"]).iter().any(not_dev))
                .map(|d| text(&d["pkg"]))
                .collect();
        }
    }
    packages.retain(|id, _| built.contains(id));
    packages
}

/// Returns the names of all packages that a package depends on, and its own.
/// Dependencies of `gleaner-features` are left out: they are compiled, but no code uses them.
pub fn closure(packages: &Packages, name: &str) -> BTreeSet<String> {
    let mut open: Vec<&str> =
        packages.iter().filter(|(_, p)| p.ours && p.name == name).map(|(id, _)| id.as_str()).collect();
    let mut seen = BTreeSet::new();
    while let Some(id) = open.pop() {
        if seen.insert(id)
            && let Some(package) = packages.get(id)
            && package.name != FEATURES
        {
            open.extend(package.uses.iter().map(String::as_str));
        }
    }
    seen.iter().filter_map(|id| packages.get(*id)).map(|package| package.name.clone()).collect()
}

pub fn cargo_metadata() -> Value {
    let rustc = Command::new("rustc").arg("-vV").output().expect("rustc runs");
    let rustc = String::from_utf8_lossy(&rustc.stdout).into_owned();
    let host = rustc.lines().find_map(|line| line.strip_prefix("host: ")).expect("rustc reports its host");
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--locked", "--filter-platform", host])
        .current_dir(crate::tree::root())
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "cargo metadata failed: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("cargo metadata gives JSON")
}
