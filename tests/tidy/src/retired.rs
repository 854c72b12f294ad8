//! Checks that names, comments, documentation and English messages contain no retired words (docs/glossary.md).

use crate::none;
use crate::tree::{files, root};
use regex::Regex;
use std::fs;

/// Words refused in all text, as whole words in any case, with their replacements.
const PHRASES: &[(&str, &str)] = &[
    ("anew", "again, new"),
    ("asked again", "checked, polled or requested again"),
    ("by itself", "automatically, alone"),
    ("comes? in", "is received, downloaded or imported"),
    ("for ever", "forever"),
    ("given up", "failed, expired, abandoned"),
    ("is wished", "is set, is requested"),
    ("lets? go", "deletes, removes, releases, expires"),
    ("mended?", "repair, fix"),
    ("nobody", "no one, or name what does not happen"),
    ("so many", "the number of, this many"),
    ("taken in", "imported, received"),
    ("thinks best", "automatic"),
    ("told", "reported, informed, said"),
    ("whoever", "anyone who, the user"),
];

/// Words refused in names, where they were used for terms of the glossary.
const NAMES: &[(&str, &str)] = &[
    ("ahead", "offline, download"),
    ("beside", "metadata"),
    ("bur(y|ied)", "tombstone"),
    ("doubt(s|ed)?", "suspicious"),
    ("dressed", "authorised"),
    ("elsewhere", "duplicates, also_in, other"),
    ("forgiven?", "repaired"),
    ("gather(s|ed)?", "collect"),
    ("hear(s|d|ing)?", "report, ready, listen"),
    ("judge", "verifier"),
    ("mends", "repairs"),
    ("outlook", "connectivity"),
    ("remed(y|ies)", "suggestion"),
    ("rhythm", "posting_frequency"),
    ("take (in|over)", "import"),
    ("troubles?", "error"),
    ("twins?", "duplicate"),
    ("wish(es|ed)?", "preference, request"),
];

/// Files that are not checked: texts of others, files that must not change, and the lists of these words.
const EXEMPT: &[&str] = &[
    "Cargo.lock",
    "LICENSE",
    "docs/glossary.md",
    "package-lock.json",
    "src-tauri/crates/gleaner-library/migrations/",
    "src-tauri/crates/gleaner-library/tests/schema/",
    "tests/demo/content/",
    "tests/fixtures/",
    "tests/fuzz/dictionaries/",
    "tests/tidy/src/retired.rs",
];

/// Returns a pattern for all of the words.
fn pattern(words: &[(&str, &str)]) -> Regex {
    let words: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
    Regex::new(&format!(r"(?i)\b(?:{})\b", words.join("|"))).expect("a valid pattern")
}

/// Returns the retired words of a file as `line: word (instead: …)`.
fn retired(text: &str, is_code: bool, [phrases, names, declared]: [&Regex; 3]) -> Vec<String> {
    let line_of = |at: usize| text[..at].matches('\n').count() + 1;
    let mut found: Vec<(usize, String)> =
        phrases.find_iter(text).map(|found| (line_of(found.start()), found.as_str().to_owned())).collect();
    for name in declared.captures_iter(text).filter(|_| is_code).filter_map(|found| found.get(1).or(found.get(2))) {
        let words = in_words(name.as_str());
        if phrases.is_match(&words) || names.is_match(&words) {
            found.push((line_of(name.start()), words));
        }
    }
    found.into_iter().map(|(line, word)| format!("{line}: {word:?} (instead: {})", instead(&word))).collect()
}

/// Returns the words of a name: "letGo", "let_go" and "LET_GO" are "let go".
fn in_words(name: &str) -> String {
    let mut words = String::new();
    let mut was_lower = false;
    for letter in name.chars() {
        if was_lower && letter.is_uppercase() {
            words.push(' ');
        }
        was_lower = letter.is_lowercase();
        words.extend(if letter == '_' { ' ' } else { letter }.to_lowercase());
    }
    words
}

fn instead(words: &str) -> &'static str {
    let is_of = |(word, _): &&(&str, &str)| pattern(&[(word, "")]).is_match(words);
    PHRASES.iter().chain(NAMES).find(is_of).map_or("", |(_, instead)| instead)
}

/// Returns a pattern for declared names: of items, variables and fields.
fn declaration() -> Regex {
    let keyword = "fn|let|let mut|const|static|struct|enum|trait|type|mod|function|class|interface|for";
    Regex::new(&format!(r"(?m)\b(?:{keyword}) (\w+)|^\s*(?:pub(?:\(\w+\))? |readonly )?(\w+)\??:"))
        .expect("a valid pattern")
}

#[test]
fn retired_words_are_not_used() {
    let (phrases, names, declared) = (pattern(PHRASES), pattern(NAMES), declaration());
    let mut found = Vec::new();
    for path in files("", &[]) {
        let name = path.display().to_string();
        if EXEMPT.iter().any(|exempt| name.contains(exempt)) || name.contains("/snapshots/") {
            continue;
        }
        let Ok(text) = String::from_utf8(fs::read(root().join(&path)).expect("the file can be read")) else { continue };
        // Released versions of the changelog are history.
        let end = if name == "CHANGELOG.md" { text.find("\n## [0").unwrap_or(text.len()) } else { text.len() };
        let is_code = path.extension().is_some_and(|ending| ["rs", "ts", "js", "svelte"].iter().any(|e| ending == *e));
        found.extend(
            retired(&text[..end], is_code, [&phrases, &names, &declared]).iter().map(|word| format!("{name}:{word}")),
        );
    }
    none("Rewrite the sentence or the name (docs/glossary.md lists the terms):", &found);
}

#[test]
fn retired_words_are_found_in_text_and_names() {
    let (phrases, names, declared) = (pattern(PHRASES), pattern(NAMES), declaration());
    let found = |text: &str| retired(text, true, [&phrases, &names, &declared]).join("; ");
    assert_eq!(found("// one\n// It is Told so."), r#"2: "Told" (instead: reported, informed, said)"#);
    assert!(found("fn let_go(item: i64) {}").contains("let go"));
    assert!(found("struct FeedWish {\n    pub ahead: bool,\n}").contains("2: \"ahead\""));
    assert!(found("  let tookIn = 1;\n  let nobodyAsked = 2;").starts_with("2: \"nobody asked\""));
    assert_eq!(found("// One line is beside the other, for everyone; he was stolid.\nlet a = \"ahead\";"), "");
}
