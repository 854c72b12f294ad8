//! Escapes text and addresses for Markdown.

use gleaner_html::one_line;

/// Removes white space at the ends of lines, and escapes characters that would be a mark at the start of a line.
pub(in crate::documents) fn trimmed(line: &str) -> String {
    let mut text = line.trim();
    while let Some(shorter) =
        text.strip_suffix("\\\n").or_else(|| text.strip_suffix('\\').filter(|rest| rest.is_empty()))
    {
        text = shorter.trim_end();
    }
    while let Some(shorter) = text.strip_prefix("\\\n") {
        text = shorter.trim_start();
    }
    let lines: Vec<String> = text.split('\n').map(|line| start_escaped(line.trim_start())).collect();
    lines.join("\n")
}

fn start_escaped(line: &str) -> String {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &line[digits..];
    if (1..10).contains(&digits) && (rest.starts_with(". ") || rest.starts_with(") ")) {
        return format!("{}\\{rest}", &line[..digits]);
    }
    let hashes = line.bytes().take_while(|byte| *byte == b'#').count();
    let mark = (1..=6).contains(&hashes) && line[hashes..].starts_with(' ');
    let list = ["- ", "+ ", ": "].iter().any(|mark| line.starts_with(mark)) || matches!(line, "-" | "+");
    let rule = line.len() > 2 && (line.bytes().all(|byte| byte == b'-') || line.bytes().all(|byte| byte == b'='));
    if mark || list || rule { format!("\\{line}") } else { line.to_owned() }
}

/// Escapes text, and collapses white space to single spaces.
pub(in crate::documents) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut blank = false;
    for c in text.chars() {
        if matches!(c, ' ' | '\n' | '\t' | '\r') {
            if !blank {
                out.push(' ');
            }
            blank = true;
            continue;
        }
        blank = false;
        if matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '~' | '&') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

pub(super) fn push_text(line: &mut String, text: &str) {
    let text = if line.is_empty() || line.ends_with([' ', '\n']) { text.trim_start_matches(' ') } else { text };
    line.push_str(text);
}

/// Indents all lines but the first.
pub(super) fn indented(text: &str, by: &str) -> String {
    let lines: Vec<String> = text
        .split('\n')
        .enumerate()
        .map(|(at, line)| if at == 0 || line.is_empty() { line.to_owned() } else { format!("{by}{line}") })
        .collect();
    lines.join("\n")
}

/// Escapes the characters in an address that would end it.
pub(in crate::documents) fn address(url: &str) -> String {
    url.replace('<', "%3C").replace('>', "%3E").replace(' ', "%20").replace('\n', "")
}

pub(super) fn destination(url: &str) -> String {
    let url = address(url);
    if url.contains(['(', ')']) { format!("<{url}>") } else { url }
}

/// Returns the length of the longest run of backticks.
pub(super) fn ticks(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

pub(super) fn code_span(text: &str) -> String {
    let text = one_line(text);
    if text.is_empty() {
        return text;
    }
    let fence = "`".repeat(ticks(&text) + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}
