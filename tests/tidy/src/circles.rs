//! Files import each other in one direction: no file imports one that imports it, directly or through others.

use crate::{
    none,
    tree::{files, read},
};
use regex::Regex;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

/// The files that each file imports.
type Imports = BTreeMap<String, BTreeSet<String>>;

/// Returns the imports that are part of a circle.
fn in_circles(mut imports: Imports) -> Imports {
    loop {
        let before: usize = imports.values().map(BTreeSet::len).sum();
        let importing: BTreeSet<String> = imports.keys().cloned().collect();
        let imported: BTreeSet<String> = imports.values().flatten().cloned().collect();
        // A module that imports nothing, or that nothing imports, is in no circle.
        for targets in imports.values_mut() {
            targets.retain(|target| importing.contains(target));
        }
        imports.retain(|file, targets| !targets.is_empty() && imported.contains(file));
        if imports.values().map(BTreeSet::len).sum::<usize>() == before {
            return imports;
        }
    }
}

#[track_caller]
fn assert_no_circles(place: &str, imports: Imports) {
    let found: Vec<String> = in_circles(imports)
        .iter()
        .map(|(file, targets)| format!("{file} imports {}", targets.iter().cloned().collect::<Vec<_>>().join(", ")))
        .collect();
    none(
        &format!("Move what these files of {place} share into a file below them, or what starts them into one above:"),
        &found,
    );
}

/// A module of a crate by its path, such as `["table", "feeds"]`; the root is empty.
type Module = Vec<String>;

/// The modules of a crate, with their code.
struct Crate {
    modules: BTreeMap<Module, String>,
    /// What each module exports under which name.
    exports: BTreeMap<Module, BTreeMap<String, Vec<String>>>,
}

/// Expands a use tree: `a::{b, c::d}` is `a::b` and `a::c::d`.
fn expand(tree: &str) -> Vec<String> {
    let Some((prefix, rest)) = tree.split_once('{') else { return vec![tree.trim().to_owned()] };
    let inner = rest.rsplit_once('}').map_or(rest, |(inner, _)| inner);
    let (mut depth, mut parts) = (0, vec![String::new()]);
    for c in inner.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        parts.last_mut().expect("there is one").push(c);
    }
    let parts = parts.iter().filter(|part| !part.trim().is_empty());
    parts.flat_map(|part| expand(part.trim())).map(|path| format!("{}{path}", prefix.trim())).collect()
}

/// Returns the name that a path of a `use` has from then on, and the segments of the path.
fn named(path: &str) -> (String, Vec<String>) {
    let (path, name) = path.split_once(" as ").map_or((path, None), |(path, name)| (path, Some(name.trim())));
    let mut segments: Vec<String> = path.split("::").map(|segment| segment.trim().to_owned()).collect();
    if segments.last().is_some_and(|last| last == "self" || last == "*") {
        segments.pop();
    }
    (name.or(segments.last().map(String::as_str)).unwrap_or_default().to_owned(), segments)
}

/// Returns the code of a file without its comments, texts and tests.
fn product_code(source: &str) -> String {
    let code = source.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let code: String =
        code.lines().filter(|line| !line.trim_start().starts_with("//")).map(|line| format!("{line}\n")).collect();
    Regex::new(r#""(?:[^"\\]|\\.)*""#).expect("a valid pattern").replace_all(&code, "").into_owned()
}

impl Crate {
    fn read(folder: &str) -> Self {
        let uses = Regex::new(r"\bpub(?:\([a-z ]+\))? use ([^;]+);").expect("a valid pattern");
        let (mut modules, mut exports) = (BTreeMap::new(), BTreeMap::new());
        for file in files(folder, &["rs"]) {
            let name = file.strip_prefix(folder).expect("it is in the folder").with_extension("");
            let mut module: Module = name.iter().map(|part| part.to_string_lossy().into_owned()).collect();
            match module.last().map(String::as_str) {
                Some("tests" | "property") => continue,
                Some("mod" | "lib" | "main") => drop(module.pop()),
                _ => {}
            }
            let code = product_code(&read(&file));
            let paths = uses.captures_iter(&code).flat_map(|found| expand(&found[1]));
            exports.insert(module.clone(), paths.map(|path| named(&path)).collect());
            modules.insert(module, code);
        }
        Self { modules, exports }
    }

    /// Whether there is such a module; one that only contains others may have no file.
    fn contains(&self, module: &Module) -> bool {
        self.modules.range(module.clone()..).next().is_some_and(|(next, _)| next.starts_with(module))
    }

    /// Returns the module that a path means in another module; `None` for paths of other crates.
    fn resolve(&self, from: &Module, path: &[String], depth: usize) -> Option<Module> {
        let (first, mut rest) = path.split_first()?;
        let child = |module: &Module, name: &String| Module::from_iter(module.iter().chain([name]).cloned());
        let export = |module: &Module, name: &String| {
            let found = self.exports.get(module)?.get(name).filter(|_| depth < 6)?;
            (found != path).then_some(found)
        };
        let mut module = match first.as_str() {
            "crate" => Module::new(),
            "self" => from.clone(),
            "super" => {
                let above = path.iter().take_while(|segment| *segment == "super").count();
                rest = &path[above..];
                from[..from.len().checked_sub(above)?].to_vec()
            }
            _ if self.contains(&child(from, first)) => {
                rest = path;
                from.clone()
            }
            _ => {
                let exported = export(from, first)?;
                return self.resolve(from, &[exported, rest].concat(), depth + 1);
            }
        };
        while let Some(name) = rest.first().filter(|name| self.contains(&child(&module, name))) {
            module = child(&module, name);
            rest = &rest[1..];
        }
        let exported = rest.first().and_then(|name| export(&module, name));
        let further = exported.and_then(|exported| self.resolve(&module, &[exported, &rest[1..]].concat(), depth + 1));
        Some(further.unwrap_or(module))
    }

    /// Returns what each module imports. A module may use what contains it, and the root is above all.
    fn imports(&self) -> Imports {
        let uses = Regex::new(r"\buse ([^;]+);").expect("a valid pattern");
        let inline = Regex::new(r"\b[a-z_]\w*(?:::\w+)+").expect("a valid pattern");
        let mut imports = Imports::new();
        for (module, code) in &self.modules {
            let used: BTreeMap<String, Vec<String>> =
                uses.captures_iter(code).flat_map(|found| expand(&found[1])).map(|path| named(&path)).collect();
            let code = uses.replace_all(code, "");
            let mut paths: Vec<Vec<String>> = used.values().cloned().collect();
            for found in inline.find_iter(&code) {
                let path: Vec<String> = found.as_str().split("::").map(str::to_owned).collect();
                paths.push(used.get(&path[0]).map_or(path.clone(), |used| [used, &path[1..]].concat()));
            }
            let targets = paths.iter().filter_map(|path| self.resolve(module, path, 0));
            let targets = targets.filter(|target| !module.starts_with(target)).map(|target| target.join("::"));
            imports.insert(module.join("::"), targets.collect());
        }
        imports.remove("");
        imports
    }
}

/// Returns the folders of the crates' code.
fn crates() -> BTreeSet<PathBuf> {
    let all = files("src-tauri", &["rs"]);
    all.iter().filter_map(|file| file.ancestors().find(|folder| folder.ends_with("src"))).map(Path::to_owned).collect()
}

#[test]
fn no_files_of_a_crate_import_each_other_in_a_circle() {
    let crates = crates();
    assert!(crates.len() > 15, "{crates:?}");
    for folder in crates {
        let imports = Crate::read(&folder.to_string_lossy()).imports();
        if folder.ends_with("gleaner-library/src") {
            assert!(imports["library"].len() > 20 && imports["table::feeds"].contains("database"), "{imports:?}");
        }
        assert_no_circles(&folder.to_string_lossy(), imports);
    }
}

#[test]
fn no_files_of_the_window_import_each_other_in_a_circle() {
    let pattern = Regex::new(r"\b(?:from|import)\s*\(?\s*'(\.[^'?]*)").expect("a valid pattern");
    let sources = files("ui/src", &["ts", "svelte"]);
    let all: BTreeSet<String> = sources.iter().map(|file| file.display().to_string()).collect();
    let mut imports = Imports::new();
    for file in all.iter().filter(|file| !file.contains(".test.")) {
        let text = read(Path::new(file));
        let code: String =
            text.lines().filter(|line| !line.trim_start().starts_with(['/', '*'])).collect::<Vec<_>>().join("\n");
        let targets = pattern.captures_iter(&code).filter_map(|found| {
            let mut path: Vec<&str> = file.split('/').collect();
            path.pop();
            for part in found[1].split('/') {
                match part {
                    "." => {}
                    ".." => drop(path.pop()),
                    part => path.push(part),
                }
            }
            let path = path.join("/");
            let endings = ["", ".ts", ".svelte.ts", ".svelte", "/index.ts"];
            endings.iter().map(|ending| format!("{path}{ending}")).find(|path| all.contains(path) && path != file)
        });
        imports.insert(file.clone(), targets.collect());
    }
    assert!(imports["ui/src/lib/state/visited.svelte.ts"].contains("ui/src/lib/state/visit.ts"), "{imports:?}");
    assert_no_circles("ui/src", imports);
}

#[test]
fn finds_what_is_in_a_circle() {
    let all = [("a", "b"), ("b", "c"), ("c", "b"), ("c", "d"), ("e", "b")];
    let mut imports = Imports::new();
    for (file, target) in all {
        imports.entry(file.to_owned()).or_default().insert(target.to_owned());
    }
    let found = in_circles(imports);
    assert_eq!(found.keys().collect::<Vec<_>>(), ["b", "c"]);
    assert_eq!(found["c"].iter().collect::<Vec<_>>(), ["b"]);
}

#[test]
fn expands_use_trees() {
    assert_eq!(expand("a::{self, b::{c, d}, e}"), ["a::self", "a::b::c", "a::b::d", "a::e"]);
    assert_eq!(expand(" a::b "), ["a::b"]);
}
