//! Checks that the version is the same in every file, and that the starter list is valid.

use crate::none;
use crate::tree::read;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

fn json(path: &str) -> Value {
    serde_json::from_str(&read(Path::new(path))).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn the_version_is_the_same_everywhere() {
    let cargo: toml::Table = read(Path::new("Cargo.toml")).parse().expect("Cargo.toml is TOML");
    let version = cargo["workspace"]["package"]["version"].as_str().expect("the workspace has a version").to_owned();
    let linux = "src-tauri/packaging/linux";
    let written = |path: String, text: String| {
        let found = read(Path::new(&path)).contains(&text);
        (!found).then(|| format!("{path} does not contain {text}"))
    };
    let mut found: Vec<String> = [
        (format!("{linux}/net.gleaner.Gleaner.metainfo.xml"), format!("<release version=\"{version}\"")),
        (format!("{linux}/gleaner.1"), format!("\"Gleaner {version}\"")),
        (format!("{linux}/glean.1"), format!("\"Gleaner {version}\"")),
    ]
    .into_iter()
    .filter_map(|(path, text)| written(path, text))
    .collect();
    for path in ["tauri.conf.json", "ui/package.json"] {
        let there = json(path)["version"].as_str().unwrap_or_default().to_owned();
        if there != version {
            found.push(format!("{path} has {there:?}"));
        }
    }
    none(&format!("The version is {version} (Cargo.toml). These files have another one:"), &found);
}

#[test]
fn the_starter_list_names_each_feed_once_and_securely() {
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for subject in
        json("src-tauri/crates/gleaner-app/assets/starter.json").as_array().expect("it is a list of subjects")
    {
        for feed in subject["feeds"].as_array().expect("a subject has feeds") {
            let url = feed["url"].as_str().unwrap_or_default();
            if !seen.insert(url.to_owned()) {
                found.push(format!("{url} is listed twice"));
            }
            let secure = |key: &str| feed[key].as_str().is_some_and(|url| url.starts_with("https://"));
            if !secure("url") || !secure("home_url") || feed["title"] == "" || feed["description"] == "" {
                found.push(format!("{url} has an empty field, or is not https"));
            }
        }
    }
    none("src-tauri/crates/gleaner-app/assets/starter.json:", &found);
}
