//! Formulas that articles contain more than once, or in scripts.

use crate::attributes::TagAttributes;

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
