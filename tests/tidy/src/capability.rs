//! Checks that the window may do exactly what it uses, and that releases have no developer tools.

use crate::metadata::cargo_metadata;
use crate::none;
use crate::tree::{files, read};
use regex::Regex;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;

/// The file that contains the window's only access to Tauri.
const ACCESS: &str = "ui/src/lib/ipc/index.ts";

fn config() -> Value {
    serde_json::from_str(&read(Path::new("tauri.conf.json"))).expect("tauri.conf.json is JSON")
}

/// The permissions that a function of Tauri's API needs; `None` for an unknown function.
fn needed(function: &str) -> Option<&'static [&'static str]> {
    match function {
        "invoke" => Some(&["allow-gleaner"]),
        // It returns a function that ends it.
        "listen" => Some(&["core:event:allow-listen", "core:event:allow-unlisten"]),
        _ => None,
    }
}

#[test]
fn the_window_has_the_permissions_that_it_uses_and_no_others() {
    let imports = Regex::new(r#"import (type )?\{([^}]*)\} from '@tauri-apps/"#).expect("a valid pattern");
    let (mut found, mut used) = (Vec::new(), BTreeSet::new());
    for path in files("ui/src", &["ts", "svelte"]) {
        let text = read(&path);
        let named = path == Path::new(ACCESS);
        if !named && text.contains("'@tauri-apps/") {
            found.push(format!("{} uses Tauri; only {ACCESS} may", path.display()));
        }
        for import in imports.captures_iter(&text).filter(|import| named && import.get(1).is_none()) {
            for function in
                import[2].split(',').map(str::trim).filter(|name| !name.is_empty() && !name.starts_with("type "))
            {
                match needed(function) {
                    Some(permissions) => used.extend(permissions.iter().map(|name| (*name).to_owned())),
                    None => found.push(format!("{function} of Tauri is used and has no entry in this test")),
                }
            }
        }
    }
    none("The window uses Tauri where it should not:", &found);

    let capabilities = &config()["app"]["security"]["capabilities"];
    assert_eq!(capabilities.as_array().map(Vec::len), Some(1), "there is one capability");
    let capability = &capabilities[0];
    let granted: BTreeSet<String> =
        serde_json::from_value(capability["permissions"].clone()).expect("permissions are a list of names");
    assert_eq!(granted, used, "the granted permissions (left) are those that {ACCESS} uses (right)");
    assert_eq!(capability["windows"], json!(["main"]));
    for other in ["remote", "webviews", "platforms"] {
        assert_eq!(capability[other], Value::Null, "the capability has no {other:?}");
    }
    assert_eq!(config()["build"]["removeUnusedCommands"], true, "Tauri's other commands are not in the program");
    // The build script reads this folder, too.
    none("Capabilities outside tauri.conf.json:", &names(&files("src-tauri/capabilities", &[])));
}

fn names(paths: &[std::path::PathBuf]) -> Vec<String> {
    paths.iter().map(|path| path.display().to_string()).collect()
}

#[test]
fn releases_have_no_developer_tools() {
    let metadata = cargo_metadata();
    let nodes = metadata["resolve"]["nodes"].as_array().expect("cargo resolves the dependencies");
    let devtools = json!("devtools");
    let mut shells = 0;
    let mut found = Vec::new();
    for node in nodes {
        let id = node["id"].as_str().unwrap_or_default();
        let is = |name: &str| id.contains(&format!("#{name}@"));
        if !["tauri", "wry", "tauri-runtime", "tauri-runtime-wry"].into_iter().any(is) {
            continue;
        }
        shells += 1;
        if node["features"].as_array().is_some_and(|features| features.contains(&devtools)) {
            found.push(id.to_owned());
        }
    }
    assert_eq!(shells, 4, "the crates of the window are found");
    for path in files("src-tauri/src", &["rs"]) {
        if read(&path).contains("devtools") {
            found.push(path.display().to_string());
        }
    }
    let security = &config()["app"]["security"];
    assert_eq!(security["freezePrototype"], json!(true));
    assert_eq!(config()["app"]["withGlobalTauri"], Value::Null, "scripts do not get Tauri's API as a global");
    none("Developer tools are on in releases:", &found);
}
