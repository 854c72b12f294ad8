//! Finds and reads the project's own files.

use std::fs;
use std::path::{Path, PathBuf};

/// Folders with built or installed files.
const NOT_OURS: &[&str] = &["target", "node_modules", "dist", "dist-fake", "gen", ".git"];

/// Returns the top of the project.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).expect("tests/tidy is two below the top").to_owned()
}

/// Returns the project's files in `folder` with one of these extensions, or all if none is given, sorted. Paths are relative to the root
/// folder.
pub fn files(folder: &str, endings: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    walk(&root().join(folder), &mut found);
    found.retain(|path| {
        endings.is_empty() || path.extension().is_some_and(|ending| endings.iter().any(|e| ending == *e))
    });
    found.sort();
    found.into_iter().map(|path| path.strip_prefix(root()).expect("it is under the top").to_owned()).collect()
}

/// Returns the text of a file by its path relative to the top.
pub fn read(path: &Path) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{} cannot be read: {error}", path.display()))
}

fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            if !NOT_OURS.iter().any(|name| entry.file_name() == *name) {
                walk(&path, found);
            }
        } else {
            found.push(path);
        }
    }
}
