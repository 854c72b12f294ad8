//! What we build on must be free to build on.

use crate::metadata::packages;
use crate::none;

/// Licences that go along with MIT and Apache-2.0 in one program.
const ALLOWED: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "CDLA-Permissive-2.0",
    "ISC",
    "MIT",
    "MIT-0",
    "MPL-2.0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

#[test]
fn every_dependency_has_a_licence_we_may_use() {
    let mut found = Vec::new();
    for package in packages().values().filter(|package| !package.ours) {
        let what = format!("{} {}", package.name, package.version);
        let Some(license) = &package.license else {
            found.push(format!("{what} names no licence"));
            continue;
        };
        // "MIT/Apache-2.0" is the old way to write "MIT OR Apache-2.0"; spdx is asked to forgive it.
        match spdx::Expression::parse_mode(license, spdx::ParseMode::LAX) {
            Err(_) => found.push(format!("{what} has a licence that cannot be read: {license}")),
            Ok(expression) => {
                let allowed = |requirement: &spdx::LicenseReq| {
                    requirement.license.id().is_some_and(|id| ALLOWED.contains(&id.name))
                };
                if !expression.evaluate(allowed) {
                    found.push(format!("{what}: {license}"));
                }
            }
        }
    }
    none("These dependencies have licences that are not in the list of tests/tidy/src/licences.rs:", &found);
}
