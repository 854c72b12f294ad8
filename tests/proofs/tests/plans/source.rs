//! Finds the statements in the library's source by its tokens, so that none is missed.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// A text in the source that begins like an SQL statement.
#[derive(Debug, Clone)]
pub struct Written {
    pub file: String,
    pub sql: String,
}

impl Written {
    /// Returns the parts between the placeholders, which are filled in at run time.
    fn pieces(&self) -> Vec<&str> {
        self.sql.split(['{', '}']).step_by(2).map(str::trim).filter(|piece| !piece.is_empty()).collect()
    }

    /// Returns true when it has no placeholders.
    pub fn is_intact(&self) -> bool {
        !self.sql.contains('{')
    }

    /// Returns true when the statement was made from it, or contains it.
    pub fn is_in(&self, statement: &str) -> bool {
        let mut rest = statement;
        self.pieces().iter().all(|piece| match rest.find(piece) {
            Some(at) => {
                rest = &rest[at + piece.len()..];
                true
            }
            None => false,
        })
    }
}

/// Replaces each run of white space by one space.
pub fn tidied(sql: &str) -> String {
    sql.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns all statements outside of tests.
pub fn written() -> Vec<Written> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../src-tauri/crates/gleaner-library/src");
    let mut found = Vec::new();
    for path in files(&root) {
        let file = path.strip_prefix(&root).unwrap().display().to_string();
        let mut texts = Vec::new();
        collect(fs::read_to_string(&path).unwrap().parse().unwrap(), &mut texts);
        let begins = |text: &String| {
            ["SELECT ", "INSERT ", "UPDATE ", "DELETE ", "WITH ", "REPLACE "].iter().any(|verb| text.starts_with(verb))
        };
        found.extend(
            texts.iter().map(|text| tidied(text)).filter(begins).map(|sql| Written { file: file.clone(), sql }),
        );
    }
    assert!(found.len() > 50, "statements are found");
    found
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && path.file_name().is_some_and(|name| name != "tests") {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|end| end == "rs")
            && path.file_name().is_some_and(|name| name != "tests.rs" && name != "property.rs")
        {
            found.push(path);
        }
    }
    found
}

fn collect(tokens: TokenStream, texts: &mut Vec<String>) {
    let mut test = false;
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                if test && group.delimiter() == Delimiter::Brace {
                    test = false;
                } else if group.delimiter() == Delimiter::Bracket
                    && group.stream().to_string().replace(' ', "") == "cfg(test)"
                {
                    test = true;
                } else {
                    collect(group.stream(), texts);
                }
            }
            TokenTree::Punct(mark) if mark.as_char() == ';' => test = false,
            TokenTree::Literal(literal) => texts.extend(text(&literal.to_string())),
            _ => {}
        }
    }
}

/// Returns the value of a string literal.
fn text(literal: &str) -> Option<String> {
    if let Some(raw) = literal.strip_prefix('r') {
        return Some(raw.trim_matches('#').trim_matches('"').to_owned());
    }
    let inner = literal.strip_prefix('"')?.strip_suffix('"')?;
    let (mut out, mut chars) = (String::new(), inner.chars().peekable());
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next()? {
            '\n' => while chars.next_if(|c| c.is_whitespace()).is_some() {},
            'n' => out.push('\n'),
            other => out.push(other),
        }
    }
    Some(out)
}
