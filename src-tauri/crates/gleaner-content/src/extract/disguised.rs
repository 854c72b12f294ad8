//! Hides from Readability what it misjudges: formulas in scripts, which it removes, and links to files, which it takes for navigation.
//! Both are `span` elements until it is done.

use super::{boilerplate, headings};
use crate::{attributes::TagAttributes, formulas};
use gleaner_html::{
    elements::is_block,
    escape, references,
    tokens::{Tag, Token, Tokens},
};
use std::borrow::Cow;

/// The attribute of a formula.
const FORMULA: &str = "data-hidden-formula";
/// The attribute with the address of a file.
const FILE: &str = "data-hidden-href";

/// Maximum number of tokens of a link that are read.
const MAX_TOKENS: usize = 20;
/// Minimum length in bytes of the name of a file. Shorter ones are those of buttons.
const MIN_NAME: usize = 15;

/// Returns the page with formulas and links to files as `span` elements.
pub(super) fn disguised(page: &str) -> Cow<'_, str> {
    let mut edits = Vec::new();
    // The address of the last file, and whether its link is open.
    let (mut file, mut in_file) = (String::new(), false);
    let mut tokens = Tokens::new(page);
    let mut from = 0;
    while let Some(token) = tokens.next() {
        let to = tokens.position();
        match token {
            Token::Start(tag) if tag.name == "script" => {
                let mut after = tokens.clone();
                if let Some((start, end)) = formulas::tex_delimiters(&TagAttributes::read(tag.attributes.clone()))
                    && let Some(Token::Raw { text, .. }) = after.next()
                    && let Some(Token::End(_)) = after.next()
                    && let source = formulas::tex_source(text)
                    && !source.is_empty()
                {
                    let text = escape::text(&format!("{start}{source}{end}"));
                    edits.push((to - tag.length..after.position(), format!("<span {FORMULA}>{text}</span>")));
                    tokens = after;
                }
            }
            Token::Start(tag) if tag.name == "a" => {
                let address = tag.attributes.get("href").unwrap_or_default();
                // A button for the same file often follows the link.
                in_file = boilerplate::is_file(&address)
                    && name(tokens.clone()).is_some_and(|name| is_name(&name) || address == file);
                if in_file {
                    file = address.into_owned();
                    edits.push((to - tag.length..to, renamed(&tag, "span", "href", FILE)));
                }
            }
            Token::End(name) if name == "a" && in_file => {
                in_file = false;
                edits.push((from..to, "</span>".to_owned()));
            }
            _ => {}
        }
        from = tokens.position();
    }
    headings::replaced(page, edits.into_iter())
}

/// Returns the text of a link that has just begun, if it contains no blocks and images.
fn name(tokens: Tokens<'_>) -> Option<String> {
    let mut name = String::new();
    for token in tokens.take(MAX_TOKENS) {
        match token {
            Token::Start(tag) if tag.name == "a" || tag.name == "img" || is_block(&tag.name) => return None,
            Token::Text(text) => name.push_str(text),
            Token::End(end) if end == "a" => return Some(name),
            _ => {}
        }
    }
    None
}

fn is_name(text: &str) -> bool {
    let text = text.trim();
    text.len() >= MIN_NAME || boilerplate::is_file(text)
}

/// Returns an article with its formulas and links as they were written.
pub(super) fn restored(html: &str) -> Cow<'_, str> {
    let mut edits = Vec::new();
    // For each open `span`, whether it is a link.
    let mut open: Vec<bool> = Vec::new();
    let mut tokens = Tokens::new(html);
    let mut from = 0;
    while let Some(token) = tokens.next() {
        let to = tokens.position();
        match token {
            Token::Start(tag) if tag.name == "span" => {
                let mut after = tokens.clone();
                if tag.attributes.get(FORMULA).is_some()
                    && let Some(Token::Text(text)) = after.next()
                    && let Some(Token::End(_)) = after.next()
                    && let Some(script) = script(&references::decode(text))
                {
                    edits.push((to - tag.length..after.position(), script));
                    tokens = after;
                } else {
                    let is_file = tag.attributes.get(FILE).is_some();
                    open.push(is_file);
                    if is_file {
                        edits.push((to - tag.length..to, renamed(&tag, "a", FILE, "href")));
                    }
                }
            }
            Token::End(name) if name == "span" && open.pop() == Some(true) => edits.push((from..to, "</a>".to_owned())),
            _ => {}
        }
        from = tokens.position();
    }
    headings::replaced(html, edits.into_iter())
}

/// Returns the script of a formula.
fn script(text: &str) -> Option<String> {
    let inside = |start: &str, end: &str| text.strip_prefix(start)?.strip_suffix(end);
    let (kind, source) = match inside("\\(", "\\)") {
        Some(source) => ("math/tex", source),
        None => ("math/tex; mode=display", inside("\\[", "\\]")?),
    };
    Some(format!("<script type=\"{kind}\">{source}</script>"))
}

fn renamed(tag: &Tag<'_>, name: &str, from: &str, to: &str) -> String {
    format!("<{name}{}", &headings::renamed(tag, from, to)[1 + tag.name.len()..])
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARAGRAPH: &str = "<p>The harbour was quiet, the boats were in, and no one, as far as we could see, was about to repair a \
net or sell a fish before the sun had climbed over the sheds.</p>";

    fn extracted(between: &str) -> String {
        let text = PARAGRAPH.repeat(3);
        let page = format!("<title>Harbour</title><article><h1>Harbour</h1>{text}{between}{text}</article>");
        crate::extract(&page, "https://a.example/x").map(|found| found.content_html).unwrap_or_default()
    }

    #[test]
    fn keeps_formulas_and_links_to_files() {
        let found = extracted("<p>Let <script type='math/tex'>x < 1</script> be.</p>");
        assert!(found.contains("<p>Let \\(x &lt; 1\\) be.</p>"), "{found}");
        let link = "<a href='/a.pdf'>The report of the harbour master</a>";
        for box_of_link in [
            format!("<div>{link}<a href='/a.pdf'>Download</a></div>"),
            format!("<div><h2>Downloads</h2><ul><li>{link} <span>1 MB</span></li></ul></div>"),
        ] {
            let found = extracted(&box_of_link);
            let kept =
                "<a href=\"https://a.example/a.pdf\" rel=\"noopener noreferrer\">The report of the harbour master</a>";
            assert!(found.contains(kept), "{found}");
        }
    }

    #[test]
    fn formulas_and_links_to_files_are_hidden_until_the_end() {
        for (html, hidden) in [
            (
                "Of <script type=\"math/tex\">x < 1</script> & <script type=\"math/tex; mode=display\">y</script>.",
                "Of <span data-hidden-formula>\\(x &lt; 1\\)</span> & <span data-hidden-formula>\\[y\\]</span>.",
            ),
            (
                "<a class=\"b\" href=\"/a.pdf?b\">The <b>report</b> of <span>2026</span></a> <a href=\"/a.pdf?b\">Load</a>",
                "<span class=\"b\" data-hidden-href=\"/a.pdf?b\">The <b>report</b> of <span>2026</span></span> <span data-hidden-href=\"/a.pdf?b\">Load</span>",
            ),
            ("<a href=\"/1\">a.pdf</a>", "<a href=\"/1\">a.pdf</a>"),
            ("<a href=\"/1.pdf\">a.pdf</a>", "<span data-hidden-href=\"/1.pdf\">a.pdf</span>"),
        ] {
            assert_eq!(disguised(html), hidden);
            assert_eq!(restored(hidden), html);
        }
        for kept in [
            "<script type='math/tex'> </script><script>x</script>",
            "<a href=a.pdf>PDF</a>",
            "<a href=a.pdf><img src=b>The report of 2026</a>",
            "<a href=a.pdf><div>The report of 2026</div></a>",
            "<a href=a.pdf>The report of 2026",
        ] {
            assert_eq!(disguised(kept), kept);
        }
    }
}
