//! Writes the parentheses of `mfenced`, which are attributes in MathML 2 and 3 and which most browsers do not display, as elements.

use crate::{
    elements::{Kind, element},
    serializer::{EndTag, Serializer},
};
use gleaner_html::tokens::Tag;

/// Maximum length of a parenthesis in characters.
const MAX_FENCE: usize = 8;
/// Maximum number of different separators.
const MAX_SEPARATORS: usize = 100;

/// An open `mfenced`, written as `mrow`.
#[derive(Debug)]
struct Fence {
    /// Number of open elements inside of it, including itself.
    depth: usize,
    close: String,
    separators: Vec<char>,
    /// Number of elements in it so far.
    count: usize,
}

/// The open `mfenced` elements.
#[derive(Debug, Default)]
pub(crate) struct Fences(Vec<Fence>);

impl Fences {
    /// Opens an `mfenced`; not outside of a formula.
    pub(crate) fn start(&mut self, tag: &Tag<'_>, serializer: &mut Serializer) {
        let Some(row) = element("mrow").filter(|row| serializer.admits(*row)) else { return };
        self.separate(serializer);
        serializer.start(row, EndTag::Own, "");
        let fence = |name: &str, usual: &str| -> String {
            let given = tag.attributes.get(name);
            given.as_deref().unwrap_or(usual).trim().chars().take(MAX_FENCE).collect()
        };
        let separators = tag.attributes.get("separators");
        let separators = separators.as_deref().unwrap_or(",").chars().filter(|c| !c.is_whitespace());
        operator(&fence("open", "("), serializer);
        self.0.push(Fence {
            depth: serializer.depth(),
            close: fence("close", ")"),
            separators: separators.take(MAX_SEPARATORS).collect(),
            count: 0,
        });
        if tag.self_closing {
            self.end(serializer);
        }
    }

    /// Writes the separator before an element, if it is not the first one directly in an `mfenced`.
    pub(crate) fn separate(&mut self, serializer: &mut Serializer) {
        while self.0.pop_if(|fence| fence.depth > serializer.depth()).is_some() {}
        let Some(fence) = self.0.last_mut().filter(|fence| fence.depth == serializer.depth()) else { return };
        if let Some(before) = fence.count.checked_sub(1)
            && let Some(separator) = fence.separators.get(before).or(fence.separators.last())
        {
            operator(separator.encode_utf8(&mut [0; 4]), serializer);
        }
        fence.count += 1;
    }

    /// Closes the innermost `mfenced`, if it is still open.
    pub(crate) fn end(&mut self, serializer: &mut Serializer) {
        if serializer.omits_end() {
            serializer.end("mrow");
            return;
        }
        while self.0.pop_if(|fence| fence.depth > serializer.depth()).is_some() {}
        if let Some(fence) = self.0.pop_if(|_| serializer.in_formula()) {
            serializer.close_to(fence.depth);
            operator(&fence.close, serializer);
            serializer.end("mrow");
        }
    }
}

fn operator(text: &str, serializer: &mut Serializer) {
    if let Some(operator) = element("mo").filter(|mo| mo.kind == Kind::FormulaPart && !text.is_empty()) {
        serializer.start(operator, EndTag::Own, "");
        serializer.text(text);
        serializer.end("mo");
    }
}

#[cfg(test)]
mod tests {
    use crate::{plain_text, sanitise};

    fn text(html: &str) -> String {
        let clean = sanitise(html, None);
        assert_eq!(sanitise(&clean, None), clean, "{html}");
        plain_text(&clean)
    }

    #[test]
    fn parentheses_of_formulas_are_elements() {
        for (html, expected) in [
            ("<mi>f</mi><mfenced><mi>x</mi><mrow><mi>y</mi><mi>z</mi></mrow></mfenced><mn>2</mn>", "f(x,yz)2"),
            (
                "<mfenced open='[' close=']' separators='; |'><mi>a</mi><mi>b</mi><mspace/><mi>c</mi></mfenced>",
                "[a;b||c]",
            ),
            ("<mfenced open=| close='' separators=''><mi>a</mi><mfenced><mi>b</mi></mfenced></mfenced>", "|a(b)"),
            ("<mfenced/><mfenced><mrow><mi>x</mfenced><mi>y</mi>", "()(x)y"),
            ("<mfenced><mi>x</math><math><mrow><mi>y</mi><mi>z</mi></mfenced>", "(xyz"),
            ("x</mfenced>y", "xy"),
        ] {
            assert_eq!(text(&format!("<math>{html}</math>")).replace(' ', ""), expected, "{html}");
        }
        assert_eq!(text("<p>a <mfenced>b</mfenced></p>"), "a b");
        let deep = format!("<math>{}<mi>x</mi>{}<mi>y</mi></math>", "<mfenced>".repeat(200), "</mfenced>".repeat(200));
        let deep = text(&deep).replace(' ', "");
        assert_eq!(deep.matches('(').count(), deep.matches(')').count());
        assert!(deep.ends_with(")y"), "{deep}");
    }
}
