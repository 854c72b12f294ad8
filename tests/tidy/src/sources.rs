//! Checks rules for source files.

use crate::none;
use crate::tree::{files, read};
use regex::Regex;
use std::path::Path;

const MAX_LINES: usize = 500;
const CODE: &[&str] = &["rs", "ts", "svelte"];

fn all_code() -> impl Iterator<Item = (String, String)> {
    ["src-tauri", "ui", "tests"]
        .into_iter()
        .flat_map(|folder| files(folder, CODE))
        .map(|path| (path.display().to_string(), read(&path)))
}

/// Returns the matching lines as `path:line: text`. `within` returns the first line to search.
fn lines_with(pattern: &str, wanted: impl Fn(&str) -> bool, within: impl Fn(&str, &str) -> usize) -> Vec<String> {
    let pattern = Regex::new(pattern).expect("a valid pattern");
    let mut found = Vec::new();
    for (path, text) in all_code().filter(|(path, _)| wanted(path)) {
        let first = within(&path, &text);
        for (number, line) in text.lines().enumerate().skip(first) {
            if pattern.is_match(line) {
                found.push(format!("{path}:{}: {}", number + 1, line.trim()));
            }
        }
    }
    found
}

#[test]
fn files_are_short() {
    let mut found = Vec::new();
    for (path, text) in all_code() {
        let lines = text.lines().count();
        let says_why = text.lines().take(20).any(|line| line.contains("// long: ") || line.contains("<!-- long: "));
        if lines > MAX_LINES && !says_why && !path.ends_with("generated.ts") {
            found.push(format!("{path}: {lines} lines"));
        }
    }
    none(
        &format!("Split files longer than {MAX_LINES} lines, or give a reason in the first 20 (`// long: reason`):"),
        &found,
    );
}

#[test]
fn files_begin_with_what_they_contain() {
    // Files with the unit tests of another file need no doc comment. A file that is included in others can't have an inner one.
    let rust = |path: &str| path.ends_with(".rs") && !path.ends_with("tests.rs");
    let window = |path: &str| path.ends_with(".ts") && !path.ends_with(".test.ts") && !path.ends_with(".d.ts");
    let found: Vec<String> = all_code()
        .filter(|(path, _)| rust(path) || window(path))
        .filter(|(_, text)| !["//", "/*"].iter().any(|comment| text.starts_with(comment)))
        .map(|(path, _)| path)
        .collect();
    none("Begin these files with a line that says what they contain (`//! …`, or `/** … */` in the window):", &found);
}

#[test]
fn no_unfinished_work_is_marked_in_the_source() {
    // The words are assembled so that this file does not match.
    let marks =
        ["TO", "FIX", "XX"].iter().zip(["DO", "ME", "X"]).map(|(a, b)| format!("{a}{b}")).collect::<Vec<_>>().join("|");
    let found = lines_with(&format!(r"\b({marks})\b|\b(todo|unimplemented)!\("), |_| true, |_, _| 0);
    none("Finish this work, or open an issue instead of leaving a mark in the source:", &found);
}

#[test]
fn tests_wait_for_conditions_and_not_for_time() {
    // In tests/ everything is test code; in a crate, everything after `#[cfg(test)]`.
    let within = |path: &str, text: &str| {
        if path.starts_with("tests") || path.contains("/tests/") {
            0
        } else {
            text.lines().position(|line| line.contains("#[cfg(test)]")).unwrap_or(usize::MAX)
        }
    };
    // A bounded wait may pause between two checks, and servers and demonstrations may wait. Such a line gives the reason.
    let found = lines_with(r"thread::sleep\(", |path| Path::new(path).extension().is_some_and(|e| e == "rs"), within)
        .into_iter()
        .filter(|line| !line.contains("// pause: ") && !line.contains("tidy/src/sources.rs"))
        .collect::<Vec<_>>();
    none("Wait for the condition that is tested (the pause of a bounded wait needs `// pause: reason`):", &found);
}

#[test]
fn tests_do_not_assert_how_long_something_took() {
    // A busy machine may take any time. A lower limit is safe; its line, or the one above, has `at least: reason`.
    let clock = Regex::new(r"assert.*\.elapsed\(\)|expect\(.*(performance|Date)\.now").expect("a valid pattern");
    let mut found = Vec::new();
    for (path, text) in all_code() {
        if path.ends_with("tidy/src/sources.rs") {
            continue;
        }
        let lines: Vec<&str> = text.lines().collect();
        for (number, line) in lines.iter().enumerate().filter(|(_, line)| clock.is_match(line)) {
            let above = number.checked_sub(1).map_or("", |above| lines[above]);
            if !line.contains("// at least: ") && !above.contains("// at least: ") {
                found.push(format!("{path}:{}: {}", number + 1, line.trim()));
            }
        }
    }
    none("Count steps or bytes, or compare processor time (tests/cpu_time), instead of wall-clock time:", &found);
}

#[test]
fn code_reads_the_clock_by_functions_that_cannot_panic() {
    // Those of chrono panic if the clock of the computer is before 1970.
    let clock = Regex::new(r"\b(Utc|Local)::now\(").expect("a valid pattern");
    let is_of_program = |path: &str| {
        path.starts_with("src-tauri")
            && path.ends_with(".rs")
            && !path.contains("/tests")
            && !path.ends_with("property.rs")
    };
    let mut found = Vec::new();
    for (path, text) in all_code().filter(|(path, _)| is_of_program(path)) {
        let lines = text.lines().take_while(|line| !line.contains("#[cfg(test)]")).enumerate();
        found.extend(
            lines.filter(|(_, line)| clock.is_match(line)).map(|(at, line)| format!("{path}:{}: {line}", at + 1)),
        );
    }
    none("Use `now_utc` or `now_local` of gleaner-library, or `now_utc` in gleaner-fetch:", &found);
}
