//! One list of commands: the contract's. The shell registers exactly these, and the window is permitted exactly these.

use crate::none;
use crate::tree::{files, read};
use regex::Regex;
use std::collections::BTreeSet;
use std::path::Path;

fn contract() -> BTreeSet<String> {
    gleaner_contract::COMMANDS.iter().map(|command| command.name.to_owned()).collect()
}

/// The names in every `generate_handler![...]` of the shell.
fn registered() -> BTreeSet<String> {
    let list = Regex::new(r"(?s)generate_handler!\s*\[(.*?)\]").expect("the pattern is one");
    let comment = Regex::new(r"//[^\n]*").expect("the pattern is one");
    let mut names = BTreeSet::new();
    for path in files("src-tauri/src", &["rs"]) {
        for found in list.captures_iter(&read(&path)) {
            let inside = comment.replace_all(&found[1], "").into_owned();
            let last = |path: &str| path.rsplit("::").next().unwrap_or(path).trim().to_owned();
            names.extend(inside.split(',').map(str::trim).filter(|path| !path.is_empty()).map(last));
        }
    }
    names
}

/// The names in `commands.allow` of every permission the shell declares.
fn permitted() -> BTreeSet<String> {
    let file = Path::new("src-tauri/permissions/gleaner.toml");
    let table: toml::Table = read(file).parse().unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let permissions = table.get("permission").and_then(toml::Value::as_array).cloned().unwrap_or_default();
    let allowed = |permission: &toml::Value| permission.get("commands")?.get("allow")?.as_array().cloned();
    permissions.iter().filter_map(allowed).flatten().filter_map(|name| name.as_str().map(str::to_owned)).collect()
}

fn compare(what: &str, there: &BTreeSet<String>) {
    let contract = contract();
    let missing = contract.difference(there).map(|name| format!("{name} is in the contract, but not {what}"));
    let extra = there.difference(&contract).map(|name| format!("{name} is {what}, but not in the contract"));
    none("The contract's COMMANDS is the one list of commands:", &missing.chain(extra).collect::<Vec<_>>());
}

#[test]
fn the_shell_registers_the_contracts_commands() {
    compare("registered in generate_handler! of src-tauri/src", &registered());
}

#[test]
fn the_window_is_permitted_the_contracts_commands() {
    compare("permitted in src-tauri/permissions/gleaner.toml", &permitted());
}
