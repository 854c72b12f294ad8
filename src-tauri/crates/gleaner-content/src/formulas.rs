//! Formulas that articles contain more than once, or in scripts.

use crate::attributes::TagAttributes;
use gleaner_html::tokens::{Tag, Token, Tokens};
use memchr::memmem;

/// Maximum number of tokens that are read to find the end of a formula.
const MAX_TOKENS_TO_END: usize = 4096;

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

/// Finds the elements that show a formula that the article contains a second time.
#[derive(Debug)]
pub(crate) struct Repetitions {
    /// Whether there may be any. Most articles have none, and their tags are not read for this.
    any: bool,
    /// Number of tokens that may still be read for this, which limits the work to the length of the article.
    left: usize,
}

impl Repetitions {
    pub(crate) fn of(html: &str) -> Self {
        let has = |name: &&str| memmem::find(html.as_bytes(), name.as_bytes()).is_some();
        Self { any: ["MathJax", "mjx-", "katex"].iter().any(has), left: html.len() }
    }

    /// Whether an element is only a copy of a formula that follows, and can be left out. `after`: the HTML after its start tag.
    ///
    /// - MathJax and KaTeX draw a formula, or a preview of it, before the formula itself: TeX in a script, or MathML.
    /// - MathML that has lost its tags stands before the formula as KaTeX draws it.
    pub(crate) fn contains(&mut self, tag: &Tag<'_>, after: &Tokens<'_>) -> bool {
        if !self.any || tag.self_closing {
            return false;
        }
        let class = tag.attributes.get("class").unwrap_or_default();
        let is_typeset = is_typeset(&class);
        let is_hidden = tag.attributes.get("aria-hidden").is_some_and(|hidden| hidden == "true");
        let is_mathml = has_class(&class, "katex-mathml");
        if !is_typeset && !is_hidden && !is_mathml {
            return false;
        }
        match self.what_follows(tag, after) {
            Some(Follows::Tex) => is_typeset,
            Some(Follows::MathMl) => is_hidden,
            Some(Follows::Html { had_math }) => is_mathml && !had_math,
            None => false,
        }
    }

    /// Returns what follows an element, skipping other elements that show the same formula.
    fn what_follows(&mut self, tag: &Tag<'_>, after: &Tokens<'_>) -> Option<Follows> {
        let (mut tokens, mut depth, mut had_math) = (after.clone(), 1, false);
        let mut name = tag.name.clone();
        for _ in 0..MAX_TOKENS_TO_END {
            self.left = self.left.checked_sub(1)?;
            match tokens.next()? {
                Token::Start(inner) if depth > 0 => {
                    had_math |= inner.name == "math";
                    depth += usize::from(inner.name == name && !inner.self_closing);
                }
                Token::End(end) if depth > 0 => depth -= usize::from(end == name),
                Token::Text(text) if depth > 0 || text.trim_ascii().is_empty() => {}
                Token::Start(next) if next.name == "script" => {
                    let is_tex = tex_delimiters(&TagAttributes::read(next.attributes)).is_some();
                    let script = tokens.next();
                    let is_formula = matches!(script, Some(Token::Raw { text, .. }) if !tex_source(text).is_empty());
                    return (is_tex && is_formula).then_some(Follows::Tex);
                }
                Token::Start(next) if depth == 0 => {
                    let class = next.attributes.get("class").unwrap_or_default();
                    if next.name == "mjx-assistive-mml" || has_class(&class, "MJX_Assistive_MathML") {
                        return Some(Follows::MathMl);
                    }
                    if has_class(&class, "katex-html") {
                        return Some(Follows::Html { had_math });
                    }
                    if !is_typeset(&class) || next.self_closing {
                        return None;
                    }
                    (name, depth) = (next.name, 1);
                }
                _ if depth > 0 => {}
                _ => return None,
            }
        }
        None
    }
}

/// What follows an element that shows a formula.
enum Follows {
    /// TeX in a script.
    Tex,
    /// MathML for screen readers.
    MathMl,
    /// The formula as KaTeX shows it. `had_math`: there was MathML in the element.
    Html { had_math: bool },
}

fn has_class(classes: &str, class: &str) -> bool {
    classes.split_ascii_whitespace().any(|one| one == class)
}

/// Whether these classes are those of a formula that MathJax shows, or of its preview.
fn is_typeset(classes: &str) -> bool {
    let is_one = |class: &str| class.starts_with("MathJax") || matches!(class, "mjx-chtml" | "MJXp-math");
    classes.split_ascii_whitespace().any(is_one)
}

#[cfg(test)]
mod tests {
    use crate::plain_text;

    #[test]
    fn a_formula_is_in_the_text_once() {
        let math = "<math><semantics><mrow><mi>x</mi><mo>+</mo><mn>1</mn></mrow>";
        for html in [
            // Wikipedia and LaTeXML.
            format!("a {math}<annotation encoding='application/x-tex'>x+1</annotation></semantics></math> b"),
            format!(
                "a {math}<annotation-xml><apply><ci>x</ci><cn>1</cn></apply></annotation-xml></semantics></math> b"
            ),
            format!("a {math}<annotation>x+1</semantics></math> b"),
            format!("a {math}<annotation/></semantics></math> b"),
            // KaTeX.
            format!(
                "a <span class=katex><span class=katex-mathml>{math}</semantics></math></span>\
                 <span class=katex-html aria-hidden=true><span class=base><span>x+1</span></span></span></span> b"
            ),
        ] {
            assert_eq!(plain_text(&html), "a x+1 b", "{html}");
            assert_eq!(plain_text(&crate::sanitise(&html, None)), "a x+1 b", "{html}");
        }
        // MathJax, with MathML for screen readers.
        for html in [
            format!(
                "a <mjx-container class=MathJax><mjx-math aria-hidden=true><mjx-utext>x+1</mjx-utext></mjx-math>\
                 <mjx-assistive-mml>{math}</semantics></math></mjx-assistive-mml></mjx-container> b"
            ),
            format!(
                "a <span class=MathJax><nobr aria-hidden='true'><span>x</span>+1</nobr><span class=MJX_Assistive_MathML>\
                 {math}</semantics></math></span></span> b"
            ),
            // KaTeX without the tags of its MathML.
            "a <span class=katex><span class=katex-mathml>x+1x+1</span><span class=katex-html>x+1</span></span> b"
                .to_owned(),
        ] {
            assert_eq!(plain_text(&html), "a x+1 b", "{html}");
            assert_eq!(plain_text(&crate::sanitise(&html, None)), "a x+1 b", "{html}");
        }
        assert_eq!(plain_text("a <i aria-hidden=true class=MathJax>x+1</i> b"), "a x+1 b", "nothing repeats it");
        assert_eq!(plain_text("a <span class=katex-html>x+1</span> b"), "a x+1 b", "there is no MathML");
        assert_eq!(plain_text(&format!("a {math}<annotation-xml>x+1<p>b</p>")), "a x+1\n\nb", "it was not closed");
    }

    #[test]
    fn tex_stays_readable() {
        for (html, text) in [
            (r"It is \(x^2 &lt; 1\), or $$x &amp; y$$.", r"It is \(x^2 < 1\), or $$x & y$$."),
            ("It costs $5 or <b>$6</b>.", "It costs $5 or $6."),
            ("Of <script type='math/tex'>x^2 <\n 1</script>, too", r"Of \(x^2 < 1\), too"),
            ("a <script type='math/tex; mode=display'>% <![CDATA[ x %]]></script> b", r"a \[x\] b"),
            ("a <script type='math/tex'> </script>b<script>x</script>", "a b"),
            // MathJax shows a preview until it has read the script.
            ("a <span class=MathJax_Preview>x <b>y</b></span><script type='math/tex'>xy</script> b", r"a \(xy\) b"),
            (
                "a <span class='MathJax_Preview s'><span>x</span></span>\n<script type='math/tex; mode=display'>x</script>b",
                r"a \[x\]b",
            ),
            ("a <span class=MathJax_Preview>x</span> <script>y</script> b", "a x b"),
            ("a <span class=MathJax_Preview>x</span><script type='math/tex'> </script> b", "a x b"),
            ("a <span class=MathJax_Preview>x <script type='math/tex'>y</script> b", r"a x \(y\) b"),
            ("<div class=MathJax_Preview>x <div>y</div></div><script type='math/tex'>xy</script> b", r"\(xy\) b"),
            // The formula as MathJax shows it.
            (
                "a <span class=MathJax_Preview>x</span><span class='mjx-chtml MathJax_CHTML'><span class=mjx-math aria-hidden=true>\
                 <span>x</span></span></span><script type='math/tex'>x</script> b",
                r"a \(x\) b",
            ),
            (
                "<p>a</p><div class=MathJax_Display><span class=MathJax><nobr>x</nobr></span></div>\
                 <script type='math/tex; mode=display'>x</script><p class=MathJax_note>b</p>",
                "a\n\n\\[x\\]\n\nb",
            ),
            ("a <span class=MathJax><nobr>x</nobr></span> b", "a x b"),
        ] {
            assert_eq!(plain_text(html), text);
            assert_eq!(plain_text(&crate::sanitise(html, None)), text);
        }
    }

    #[test]
    fn formulas_without_an_end_take_linear_time() {
        for start in ["<span class=MathJax>x", "<b aria-hidden=true>x", "<span class=katex-mathml>x"] {
            let html = |length: usize| format!("MathJax{}", start.repeat(length));
            gleaner_cpu_time::assert_linear("formulas without an end", 20_000, html, |html| {
                assert!(plain_text(html).len() > html.len() / 40);
            });
        }
    }
}
