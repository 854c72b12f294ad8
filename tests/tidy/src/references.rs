//! Checks that the files and tests that the documentation names exist.

use crate::{
    none,
    tree::{files, read, root},
};
use regex::Regex;
use std::path::Path;

/// Folders in which paths of the documentation begin.
const STARTS: &[&str] = &["", "src-tauri", "src-tauri/crates"];

#[test]
fn the_documentation_names_existing_files_and_tests() {
    // A path, and the tests in parentheses after it.
    let reference = Regex::new(
        r"`((?:tests|crates|src-tauri|ui|docs|gleaner-[a-z]+|glean)/[\w./-]+)`(?: \((`\w+…?`(?:, `\w+…?`)*)\))?",
    )
    .expect("a valid pattern");
    let mut found = Vec::new();
    for document in files("", &["md"]) {
        for reference in reference.captures_iter(&read(&document)) {
            let path = &reference[1];
            let Some(file) =
                STARTS.iter().map(|start| Path::new(start).join(path)).find(|file| root().join(file).exists())
            else {
                found.push(format!("{}: {path}", document.display()));
                continue;
            };
            let tests = reference.get(2).map_or("", |tests| tests.as_str());
            let missing = tests.split(", ").map(|test| test.trim_matches(['`', '…']));
            let missing = missing.filter(|test| !test.is_empty() && !read(&file).contains(&format!("fn {test}")));
            found.extend(missing.map(|test| format!("{}: {test} in {path}", document.display())));
        }
    }
    none("Name the file or test as it is called now:", &found);
}
