//! Checks that the licence of every dependency is compatible with ours.

use crate::metadata::packages;
use crate::none;
use crate::tree::read;
use std::path::Path;

/// The file that lists the allowed licences, for `cargo deny` too.
const LIST: &str = ".deny.toml";

fn allowed() -> Vec<String> {
    let table: toml::Table = read(Path::new(LIST)).parse().unwrap_or_else(|error| panic!("{LIST}: {error}"));
    let list = table["licenses"]["allow"].as_array().unwrap_or_else(|| panic!("{LIST} lists licences"));
    list.iter().filter_map(toml::Value::as_str).map(str::to_owned).collect()
}

#[test]
fn every_dependency_has_an_allowed_licence() {
    let list = allowed();
    let mut found = Vec::new();
    for package in packages().values().filter(|package| !package.ours) {
        let what = format!("{} {}", package.name, package.version);
        let Some(license) = &package.license else {
            found.push(format!("{what} names no licence"));
            continue;
        };
        // The lax mode accepts "MIT/Apache-2.0", the old form of "MIT OR Apache-2.0".
        match spdx::Expression::parse_mode(license, spdx::ParseMode::LAX) {
            Err(_) => found.push(format!("{what} has a licence that cannot be read: {license}")),
            Ok(expression) => {
                let allowed = |requirement: &spdx::LicenseReq| {
                    requirement.license.id().is_some_and(|id| list.iter().any(|name| name == id.name))
                };
                if !expression.evaluate(allowed) {
                    found.push(format!("{what}: {license}"));
                }
            }
        }
    }
    none(&format!("These dependencies have licences that {LIST} does not allow:"), &found);
}
