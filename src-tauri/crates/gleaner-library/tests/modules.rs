//! No module of the crate imports one that imports it, directly or through others, and each table is described in one.
#![allow(clippy::unwrap_used)]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// The module that a path of segments belongs to: the first one, or of `table` the second.
fn unit(path: &[&str]) -> Option<String> {
    match path {
        ["table", table, ..] => Some(format!("table::{table}")),
        ["table"] | [] => None,
        [module, ..] => Some((*module).to_owned()),
    }
}

/// Expands a use tree: `a::{b, c::d}` is `a::b` and `a::c::d`.
fn expand(tree: &str) -> Vec<String> {
    let Some((prefix, rest)) = tree.split_once('{') else { return vec![tree.trim().to_owned()] };
    let inner = rest.rsplit_once('}').unwrap().0;
    let (mut depth, mut parts) = (0, vec![String::new()]);
    for c in inner.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if c == ',' && depth == 0 { parts.push(String::new()) } else { parts.last_mut().unwrap().push(c) }
    }
    let parts = parts.iter().filter(|part| !part.trim().is_empty());
    parts.flat_map(|part| expand(part.trim())).map(|path| format!("{}{path}", prefix.trim())).collect()
}

/// The source without comments and without its tests.
fn product_code(source: &str) -> String {
    let code = source.split("#[cfg(test)]\nmod tests {").next().unwrap();
    code.lines().filter(|line| !line.trim_start().starts_with("//")).map(|line| format!("{line}\n")).collect()
}

fn uses(code: &str, prefix: &str) -> Vec<String> {
    let starts = code.match_indices(prefix);
    starts.flat_map(|(at, _)| expand(code[at + prefix.len()..].split(';').next().unwrap())).collect()
}

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

/// What each module imports.
fn imports() -> BTreeMap<String, BTreeSet<String>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let lib = product_code(&fs::read_to_string(root.join("lib.rs")).unwrap());
    // The modules of the names that the crate exports, by which others import them.
    let mut exported: BTreeMap<String, String> = BTreeMap::new();
    for path in uses(&lib, "pub use ") {
        let segments: Vec<&str> = path.split("::").collect();
        exported.insert((*segments.last().unwrap()).to_owned(), unit(&segments).unwrap());
    }
    let mut files = Vec::new();
    sources(&root, &mut files);
    let mut edges: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for file in files {
        let name = file.strip_prefix(&root).unwrap().with_extension("");
        let module: Vec<&str> = name.iter().map(|part| part.to_str().unwrap()).collect();
        if matches!(module[..], ["lib"] | [.., "tests" | "property"]) {
            continue;
        }
        let module = unit(&module).unwrap();
        let code = product_code(&fs::read_to_string(&file).unwrap());
        let used = uses(&code, "use crate::").into_iter().chain(code.match_indices("crate::").map(|(at, _)| {
            let rest = &code[at + "crate::".len()..];
            rest.split(|c: char| !c.is_alphanumeric() && c != '_' && c != ':').next().unwrap().to_owned()
        }));
        for path in used {
            let segments: Vec<&str> = path.split("::").filter(|part| !part.is_empty()).collect();
            let target = match segments[..] {
                [name] if exported.contains_key(name) => Some(exported[name].clone()),
                [name, ..] if name.starts_with(char::is_uppercase) => exported.get(name).cloned(),
                _ => unit(&segments),
            };
            if let Some(target) = target.filter(|target| *target != module) {
                edges.entry(module.clone()).or_default().insert(target);
            }
        }
    }
    edges
}

#[test]
fn no_module_imports_one_that_imports_it() {
    let mut edges = imports();
    assert!(edges["library"].len() > 20, "the imports are read: {edges:?}");
    assert!(edges["table::feeds"].contains("database"), "{edges:?}");
    // A module that imports nothing is in no cycle; neither is one that imports only such modules.
    loop {
        let leaves: BTreeSet<String> =
            edges.values().flatten().filter(|module| !edges.contains_key(*module)).cloned().collect();
        let before = edges.len();
        for targets in edges.values_mut() {
            targets.retain(|target| !leaves.contains(target));
        }
        edges.retain(|_, targets| !targets.is_empty());
        if edges.len() == before {
            break;
        }
    }
    // What imports a cycle without being in one is left out of the message.
    loop {
        let used: BTreeSet<String> = edges.values().flatten().cloned().collect();
        let before = edges.len();
        edges.retain(|module, _| used.contains(module));
        if edges.len() == before {
            break;
        }
    }
    assert!(edges.is_empty(), "these modules import each other in a circle: {edges:#?}");
}

#[test]
fn expands_use_trees() {
    assert_eq!(expand("a::{self, b::{c, d}, e}"), ["a::self", "a::b::c", "a::b::d", "a::e"]);
    assert_eq!(expand(" a::b "), ["a::b"]);
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
