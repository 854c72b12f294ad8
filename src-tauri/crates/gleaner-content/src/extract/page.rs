//! Limits how deep the elements of a web page are nested.

use gleaner_html::{
    elements::is_void,
    tokens::{Token, Tokens},
};
use std::borrow::Cow;

/// Maximum depth of elements; the deepest real pages have some tens.
const DEPTH: usize = 300;

/// Removes the tags of the deepest elements: parsers take quadratic time for depth.
pub(super) fn shallow(html: &str) -> Cow<'_, str> {
    if deepest(html) <= DEPTH {
        return Cow::Borrowed(html);
    }
    let mut out = String::with_capacity(html.len());
    let mut tokens = Tokens::new(html);
    let (mut depth, mut from) = (0_usize, 0);
    while let Some(token) = tokens.next() {
        let source = &html[from..tokens.position()];
        from = tokens.position();
        let keep = match &token {
            Token::Start(tag) if nests(&tag.name) => {
                depth += 1;
                depth <= DEPTH
            }
            Token::End(name) if nests(name) => {
                let keep = depth <= DEPTH;
                depth = depth.saturating_sub(1);
                keep
            }
            _ => true,
        };
        if keep {
            out.push_str(source);
        }
    }
    Cow::Owned(out)
}

fn deepest(html: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for token in Tokens::new(html) {
        match token {
            Token::Start(tag) if nests(&tag.name) => depth += 1,
            Token::End(name) if nests(&name) => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

/// Whether an element stays open until its end tag. Paragraphs, list items and cells end with the next one.
#[rustfmt::skip]
fn nests(name: &str) -> bool {
    !is_void(name) && !matches!(
        name,
        "p" | "li" | "dt" | "dd" | "td" | "th" | "tr" | "tbody" | "thead" | "tfoot" | "option" | "optgroup" | "rt" | "rp" | "colgroup"
            | "caption" | "html" | "head" | "body"
            // They contain no elements.
            | "script" | "style" | "title" | "textarea"
            // Shapes of SVG close themselves.
            | "path" | "circle" | "rect" | "line" | "polygon" | "polyline" | "ellipse" | "use" | "stop"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn removes_only_the_deepest_tags() {
        assert!(matches!(shallow("<div><p>a</div>"), Cow::Borrowed(_)));
        let deep = format!("{}a<!-- c -->{}b", "<div>".repeat(1000), "</div>".repeat(1000));
        let shallow = shallow(&deep);
        assert_eq!((shallow.matches("<div>").count(), shallow.matches("</div>").count()), (DEPTH, DEPTH));
    }
}
