//! Checks the feed fixtures. Each tests one fact. The fact and the expected results are in the comment at its top or, if the
//! format has no comments, in a `.fact` file of the same name. Each line is a path in the report, `=` and a JSON
//! value; `.length` counts entries.

#![allow(clippy::unwrap_used)]

use serde_json::Value;
use std::path::{Path, PathBuf};

fn folder(area: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/fixtures").join(area)
}

/// Returns the expectations of a fixture: path and value.
fn expectations(path: &Path, bytes: &[u8]) -> Vec<(String, Value)> {
    let fact_file = PathBuf::from(format!("{}.fact", path.display()));
    let text = match std::fs::read_to_string(fact_file) {
        Ok(text) => text,
        Err(_) => {
            let text = String::from_utf8_lossy(bytes).into_owned();
            text.split("<!--").nth(1).and_then(|t| t.split("-->").next()).unwrap().to_owned()
        }
    };
    let lines = text.lines().skip(1).filter_map(|line| line.split_once(" = "));
    lines.map(|(path, value)| (path.trim().to_owned(), serde_json::from_str(value.trim()).unwrap())).collect()
}

fn at(value: &Value, path: &str) -> Value {
    let mut here = value.clone();
    for step in path.replace('[', ".").replace(']', "").split('.') {
        here = match (step, &here) {
            ("length", Value::Array(list)) => Value::from(list.len()),
            (index, Value::Array(list)) => list.get(index.parse::<usize>().unwrap()).cloned().unwrap_or(Value::Null),
            (name, object) => object.get(name).cloned().unwrap_or_else(|| panic!("no {name} in {path}")),
        };
    }
    here
}

#[test]
fn every_fixture_meets_its_expectations() {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder("feed")).unwrap().map(|f| f.unwrap().path()).collect();
    files.retain(|f| f.extension().is_none_or(|e| e != "fact"));
    files.sort();
    assert!(files.len() > 50);
    let mut wrong = Vec::new();
    for file in files {
        let bytes = std::fs::read(&file).unwrap();
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let document = gleaner_inspect::report(&name, &gleaner_feed::parse(&bytes, gleaner_feed::Context::default()));
        let json = serde_json::to_value(&document).unwrap();
        let expected = expectations(&file, &bytes);
        assert!(!expected.is_empty(), "{name} expects nothing");
        for (path, value) in expected {
            let found = if json.get(path.split(['.', '[']).next().unwrap()).is_some() {
                at(&json, &path)
            } else {
                json.clone()
            };
            if found != value {
                wrong.push(format!("{name}: {path} should be {value}, is {found}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
