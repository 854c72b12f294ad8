//! Each table is described where its code is.
#![allow(clippy::unwrap_used)]

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The tables and views that the migrations leave.
fn tables() -> BTreeSet<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations");
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "sql"));
    files.sort();
    let mut tables = BTreeSet::new();
    let sql: String = files.iter().map(|file| fs::read_to_string(file).unwrap()).collect();
    for line in sql.lines() {
        match line.split([' ', ';']).collect::<Vec<_>>()[..] {
            ["CREATE", "VIRTUAL", "TABLE", name, ..] | ["CREATE", "TABLE" | "VIEW", name, ..] => {
                tables.insert(name.to_owned());
            }
            ["DROP", "TABLE" | "VIEW", name, ..] => {
                tables.remove(name);
            }
            _ => {}
        }
    }
    tables
}

#[test]
fn every_table_is_described_where_its_code_is() {
    let mut files = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut files);
    let code: String = files.iter().map(|file| fs::read_to_string(file).unwrap()).collect();
    let described: String = code.lines().filter(|line| line.starts_with("//!")).collect();
    let tables = tables();
    assert!(tables.contains("items") && tables.contains("own_preferences") && !tables.contains("accounts_before"));
    let missing: Vec<&String> = tables.iter().filter(|table| !described.contains(&format!("`{table}`"))).collect();
    assert!(missing.is_empty(), "no module says in its first lines what these tables are for: {missing:?}");
}
