//! Formulas that articles contain more than once, or in scripts.

use crate::attributes::TagAttributes;
use gleaner_html::tokens::{Tag, Token, Tokens};

/// Maximum number of tokens of a preview: it is the formula's source or an image.
const PREVIEW: usize = 64;

/// Whether an element repeats a formula for browsers without MathML: classes of KaTeX and MediaWiki.
pub(crate) fn is_fallback(given: &TagAttributes<'_>) -> bool {
    given.get("class").is_some_and(|class| class.contains("katex-html") || class.contains("mwe-math-fallback-image"))
}

/// Returns the TeX delimiters for a script that is a formula: `type="math/tex; mode=display"`.
pub(crate) fn tex_delimiters(given: &TagAttributes<'_>) -> Option<(&'static str, &'static str)> {
    let kind = given.get("type")?.trim().to_ascii_lowercase();
    let rest = kind.strip_prefix("math/tex")?;
    Some(if rest.contains("display") { ("\\[", "\\]") } else { ("\\(", "\\)") })
}

/// Returns the formula in a script.
pub(crate) fn tex_source(script: &str) -> &str {
    script.trim().trim_start_matches("% <![CDATA[").trim_end_matches("%]]>").trim()
}

/// Whether an element is only shown until MathJax has read the script after it. `after`: what follows its start tag.
pub(crate) fn is_preview(tag: &Tag<'_>, after: &Tokens<'_>) -> bool {
    let class = tag.attributes.get("class");
    let has_class = class.is_some_and(|class| class.split_whitespace().any(|one| one == "MathJax_Preview"));
    if !has_class || tag.self_closing {
        return false;
    }
    let (mut tokens, mut depth) = (after.clone(), 1);
    for _ in 0..PREVIEW {
        match tokens.next() {
            Some(Token::Start(inner)) if depth > 0 => depth += usize::from(inner.name == tag.name),
            Some(Token::End(name)) if depth > 0 => depth -= usize::from(name == tag.name),
            Some(Token::Text(text)) if depth > 0 || text.trim_ascii().is_empty() => {}
            Some(Token::Start(next)) if next.name == "script" => {
                let is_tex = tex_delimiters(&TagAttributes::read(next.attributes)).is_some();
                return is_tex
                    && matches!(tokens.next(), Some(Token::Raw { text, .. }) if !tex_source(text).is_empty());
            }
            _ if depth > 0 => {}
            _ => return false,
        }
    }
    false
}
