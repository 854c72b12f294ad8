//! Checks that all text of the window is in the catalogue (`ui/src/lib/messages`), so that it can be translated.

use crate::none;
use crate::tree::{files, read};
use regex::Regex;

/// Attributes whose values are shown, or read aloud by screen readers.
const SPOKEN: &[&str] =
    &["aria-label", "aria-description", "aria-roledescription", "aria-placeholder", "title", "alt", "placeholder"];

#[test]
fn components_contain_no_text_of_their_own() {
    let mut found = Vec::new();
    for path in files("ui/src", &["svelte"]) {
        for (line, words) in literal_words(&read(&path)) {
            found.push(format!("{}:{line}: {words}", path.display()));
        }
    }
    none("Move these texts to ui/src/lib/messages and use `t('...')`:", &found);
}

/// Returns the texts written directly in a component's markup, with their line numbers.
fn literal_words(source: &str) -> Vec<(usize, String)> {
    let markup = without(source, &[("<script", "</script>"), ("<style", "</style>"), ("<!--", "-->")]);
    let entity = Regex::new(r"&#?\w+;").expect("a valid pattern");
    let word = Regex::new(r"\p{L}{2,}").expect("a valid pattern");
    let attribute = Regex::new(&format!(r#"(?s)[\s]({})\s*=\s*"([^"]*)""#, SPOKEN.join("|"))).expect("a valid pattern");

    let mut found = Vec::new();
    let mut rest = 0;
    while rest < markup.len() {
        let tail = &markup[rest..];
        let line = || markup[..rest].matches('\n').count() + 1;
        if tail.starts_with('{') {
            rest += expression(tail);
        } else if tail.starts_with('<') {
            let end = tag(tail);
            for literal in attribute.captures_iter(&tail[..end]) {
                if word.is_match(&without_expressions(&literal[2])) {
                    found.push((line(), format!("{}={:?}", &literal[1], &literal[2])));
                }
            }
            rest += end;
        } else {
            let end = tail.find(['<', '{']).unwrap_or(tail.len()).max(1);
            let text = entity.replace_all(&tail[..end], "").into_owned();
            if word.is_match(&text) {
                let before = text.len() - text.trim_start().len();
                let line = line() + text[..before].matches('\n').count();
                found.push((line, text.trim().to_owned()));
            }
            rest += end;
        }
    }
    found
}

/// Removes these parts of the source, except their line breaks.
fn without(source: &str, parts: &[(&str, &str)]) -> String {
    let mut out = source.to_owned();
    for (start, end) in parts {
        let mut from = 0;
        while let Some(first) = out[from..].find(start).map(|at| at + from) {
            let last = out[first..].find(end).map_or(out.len(), |at| first + at + end.len());
            let blank: String = out[first..last].chars().filter(|c| *c == '\n').collect();
            out.replace_range(first..last, &blank);
            from = first + blank.len();
        }
    }
    out
}

fn without_expressions(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('{') {
        out.push_str(&rest[..at]);
        rest = &rest[at + expression(&rest[at..])..];
    }
    out + rest
}

/// Returns the length of the `{...}` at the start; braces in strings do not count.
fn expression(text: &str) -> usize {
    let (mut depth, mut quote, mut escaped) = (0usize, None, false);
    for (at, c) in text.char_indices() {
        match (quote, c) {
            _ if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'' | '`') => quote = Some(c),
            (None, '{') => depth += 1,
            (None, '}') => {
                depth -= 1;
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
    }
    text.len()
}

/// Returns the length of the tag at the start; `>` in strings and expressions does not end it.
fn tag(text: &str) -> usize {
    let mut at = 1;
    let mut quote = None;
    while let Some(c) = text[at..].chars().next() {
        match (quote, c) {
            (_, '{') => {
                at += expression(&text[at..]);
                continue;
            }
            (Some(open), c) if c == open => quote = None,
            (None, '"' | '\'') => quote = Some(c),
            (None, '>') => return at + 1,
            _ => {}
        }
        at += c.len_utf8();
    }
    text.len()
}

#[test]
fn finds_all_text_that_users_read() {
    let words = |source: &str| {
        literal_words(source).into_iter().map(|(line, text)| format!("{line} {text}")).collect::<Vec<_>>()
    };
    assert_eq!(words("<p>\n  Hello</p>"), ["2 Hello"]);
    assert_eq!(words(r#"<button aria-label="Close" onclick={() => a > b}>×</button>"#), [r#"1 aria-label="Close""#]);
    assert_eq!(words(r#"<a title="{t('a')} · {n}" class="row in">{t('b')}&nbsp;{#if a}{x}{:else}–{/if}</a>"#), [""; 0]);
    assert_eq!(words("<script>\nconst a = '<p>Hi</p>';\n</script>\n<!-- Note -->\n<b>{'{'}No</b>"), ["5 No"]);
}
