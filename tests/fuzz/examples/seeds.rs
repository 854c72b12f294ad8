//! Collects seeds for the fuzz targets from the project: `seeds FOLDER` writes a folder for each target.
//! Fixtures are copied. Texts in the Rust tests are assigned to targets by their beginning.

use gleaner_fuzz::CHECKS;
use regex::Regex;
use std::{
    error::Error,
    fs,
    path::{Path, PathBuf},
};

/// Folders of fixtures, each with the targets that read it.
const FIXTURES: [(&str, &[&str]); 3] = [
    ("feed", &["parse", "charset", "cost", "json_feed", "page"]),
    ("opml", &["opml", "cost", "parse"]),
    ("content", &["sanitise", "extract", "page"]),
];

fn main() -> Result<(), Box<dyn Error>> {
    let to = PathBuf::from(std::env::args_os().nth(1).ok_or("which folder shall hold the seeds?")?);
    for (target, _) in CHECKS {
        fs::create_dir_all(to.join(target))?;
    }
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut seeds = 0_usize;
    for (folder, targets) in FIXTURES {
        for file in files(&top.join("tests/fixtures").join(folder))? {
            if file.extension().is_some_and(|extension| extension == "fact") {
                continue;
            }
            let bytes = fs::read(&file)?;
            for target in targets {
                seeds += seed(&to, target, seeds, &bytes)?;
            }
        }
    }
    for (target, _) in CHECKS {
        // Former findings are good starting points.
        let found = top.join("tests/fixtures/fuzz").join(target);
        for file in if found.is_dir() { files(&found)? } else { Vec::new() } {
            fs::copy(&file, to.join(target).join(format!("found-{seeds}")))?;
            seeds += 1;
        }
    }
    let texts = Regex::new(r##"r#"((?s).*?)"#|"((?:[^"\\]|\\(?s).)*)""##)?;
    let dates = top.join("src-tauri/crates/gleaner-feed/src/dates/tests.rs");
    for file in files(&top.join("src-tauri/crates"))?.into_iter().filter(|f| f.extension().is_some_and(|e| e == "rs")) {
        let source = fs::read_to_string(&file)?;
        for text in texts.captures_iter(&source) {
            let plain = match (text.get(1), text.get(2)) {
                (Some(raw), _) => raw.as_str().to_owned(),
                (None, escaped) => unescaped(escaped.map_or("", |text| text.as_str())),
            };
            for target in targets_of(&plain, file == dates) {
                seeds += seed(&to, target, seeds, plain.as_bytes())?;
            }
        }
    }
    println!("{seeds} seeds in {}", to.display());
    Ok(())
}

/// Returns the targets for a text of a test.
fn targets_of(text: &str, date: bool) -> &'static [&'static str] {
    match text.trim_start() {
        _ if date => &["date"],
        text if text.starts_with("<opml") || text.contains("<outline") => &["opml"],
        text if ["<rss", "<feed", "<rdf", "<?xml", "<!DOCTYPE rss"].iter().any(|root| text.starts_with(root)) => {
            &["parse", "charset", "page"]
        }
        text if text.starts_with("<html") || text.starts_with("<!doctype") => &["extract", "page"],
        text if text.starts_with('<') => &["sanitise"],
        text if text.starts_with('{') && text.contains('"') => &["json_feed"],
        text if text.contains("://") && !text.contains(char::is_whitespace) => &["url"],
        _ => &[],
    }
}

/// Writes a seed. Its first line is the `Content-Type` if the target reads one.
fn seed(to: &Path, target: &str, number: usize, bytes: &[u8]) -> std::io::Result<usize> {
    const HEADERS: [&str; 8] = [
        "text/xml; charset=utf-8\n",
        "application/rss+xml\n",
        "text/html; charset=windows-1252\n",
        "text/xml; charset=utf-16\n",
        "text/xml; charset=shift_jis\n",
        "text/xml; charset=gb18030\n",
        "text/xml; charset=iso-2022-jp\n",
        "text/xml; charset=\"utf-32\"\n",
    ];
    let head = match target {
        "charset" => HEADERS[number % HEADERS.len()],
        "page" => "text/html\n",
        _ => "",
    };
    fs::write(to.join(target).join(format!("seed-{number}")), [head.as_bytes(), bytes].concat())?;
    Ok(1)
}

/// Returns the value of a Rust string, with the escapes that the tests use.
fn unescaped(text: &str) -> String {
    let lines = Regex::new(r"\\\n\s*").map_or(text.into(), |joined| joined.replace_all(text, ""));
    lines.replace("\\\"", "\"").replace("\\n", "\n").replace("\\t", "\t").replace("\\\\", "\\")
}

fn files(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        match path.is_dir() {
            true => found.extend(files(&path)?),
            false => found.push(path),
        }
    }
    found.sort();
    Ok(found)
}
