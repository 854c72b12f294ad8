//! Hides formulas in scripts from Readability, which removes scripts: they are `span` elements until it is done.

use super::headings;
use crate::{attributes::TagAttributes, formulas};
use gleaner_html::{
    escape, references,
    tokens::{Token, Tokens},
};
use std::borrow::Cow;

/// The attribute of a formula.
const FORMULA: &str = "data-hidden-formula";

/// Returns the page with formulas as `span` elements.
pub(super) fn disguised(page: &str) -> Cow<'_, str> {
    let mut edits = Vec::new();
    let mut tokens = Tokens::new(page);
    while let Some(token) = tokens.next() {
        let to = tokens.position();
        let Token::Start(tag) = token else { continue };
        if tag.name != "script" {
            continue;
        }
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
    headings::replaced(page, edits.into_iter())
}

/// Returns an article with its formulas as they were written.
pub(super) fn restored(html: &str) -> Cow<'_, str> {
    let mut edits = Vec::new();
    let mut tokens = Tokens::new(html);
    while let Some(token) = tokens.next() {
        let to = tokens.position();
        let Token::Start(tag) = token else { continue };
        let mut after = tokens.clone();
        if tag.name == "span"
            && tag.attributes.get(FORMULA).is_some()
            && let Some(Token::Text(text)) = after.next()
            && let Some(Token::End(_)) = after.next()
            && let Some(script) = script(&references::decode(text))
        {
            edits.push((to - tag.length..after.position(), script));
            tokens = after;
        }
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
    fn keeps_formulas() {
        let found = extracted("<p>Let <script type='math/tex'>x < 1</script> be.</p>");
        assert!(found.contains("<p>Let \\(x &lt; 1\\) be.</p>"), "{found}");
    }

    #[test]
    fn formulas_are_hidden_until_the_end() {
        let html = "Of <script type=\"math/tex\">x < 1</script> & <script type=\"math/tex; mode=display\">y</script>.";
        let hidden = "Of <span data-hidden-formula>\\(x &lt; 1\\)</span> & <span data-hidden-formula>\\[y\\]</span>.";
        assert_eq!(disguised(html), hidden);
        assert_eq!(restored(hidden), html);
        let kept = "<script type='math/tex'> </script><script>x</script>";
        assert_eq!(disguised(kept), kept);
    }
}
