//! Removes the boxes that page builders write around single paragraphs and quoted posts, and turns boxes that contain only a sentence into
//! paragraphs: Readability takes a box for navigation if links are a fifth of its text.

use super::{
    boilerplate, headings,
    tree::{Element, Tree},
};
use gleaner_html::tokens::{Tag, Token, Tokens};
use std::{borrow::Cow, ops::Range};

/// Minimum length of a sentence in bytes.
const MIN_SENTENCE: usize = 60;
/// Minimum number of paragraphs next to each other.
const MIN_PARAGRAPHS: usize = 3;

/// The role of an element that follows from its tag.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Known {
    #[default]
    Other,
    Paragraph,
    Quotation,
    Box,
}

impl Known {
    fn read(tag: &Tag<'_>) -> Self {
        let has_word = |words: &[&str]| {
            tag.attributes
                .get("class")
                .is_some_and(|class| class.split_ascii_whitespace().any(|name| boilerplate::has_word(name, words)))
        };
        // A quoted post of a social network, not a link to the site's account.
        let is_post = || has_word(&["social"]) && has_word(&["embed", "embedded", "embeds", "oembed"]);
        match &*tag.name {
            "p" => Self::Paragraph,
            "blockquote" => Self::Quotation,
            "div" if is_post() || !headings::names_other(tag) && !has_word(&["caption", "captions", "credit"]) => {
                Self::Box
            }
            _ => Self::Other,
        }
    }
}

/// Returns the page without the boxes among paragraphs that contain only a sentence or a quotation with a link. If the paragraphs
/// themselves are boxes without other elements, such a sentence becomes a paragraph.
pub(super) fn without_boxes(page: &str) -> Cow<'_, str> {
    let tree = Tree::read(page, Known::read);
    // For each element that contains nothing but a paragraph or quotation: the index of that one.
    let mut whole: Vec<Option<usize>> = vec![None; tree.elements.len()];
    let mut boxes: Vec<(Range<usize>, Range<usize>)> = Vec::new();
    for at in (0..tree.elements.len()).rev() {
        let element = &tree.elements[at];
        let mut children = tree.children(at);
        whole[at] = match element.known {
            Known::Paragraph | Known::Quotation => Some(at),
            Known::Box => children.next().filter(|_| children.next().is_none()).and_then(|child| {
                let (outer, inner) = (element.range(), tree.elements[child].range());
                let is_box =
                    is_only_boxes(&page[outer.start..inner.start]) && is_only_boxes(&page[inner.end..outer.end]);
                whole[child].filter(|_| is_box)
            }),
            Known::Other => None,
        };
        if tree.children(at).filter(|child| whole[*child].is_some()).count() >= MIN_PARAGRAPHS {
            let inner = |child: usize| whole[child].map(|inner| &tree.elements[inner]);
            let alone = tree.children(at).filter(|child| tree.elements[*child].known == Known::Box);
            boxes.extend(alone.filter_map(|child| {
                inner(child)
                    .filter(|inner| is_at_risk(inner, page))
                    .map(|inner| (tree.elements[child].range(), inner.range()))
            }));
        }
        let is_text = |child: &usize| {
            let element = &tree.elements[*child];
            element.known == Known::Box && element.text() >= MIN_SENTENCE && tree.children(*child).next().is_none()
        };
        if tree.children(at).filter(is_text).count() >= MIN_PARAGRAPHS {
            let texts = tree.children(at).filter(is_text).map(|child| &tree.elements[child]);
            boxes.extend(texts.filter(|text| is_at_risk(text, page)).map(|text| (text.range(), text.range())));
        }
    }
    boxes.sort_by_key(|(outer, _)| outer.start);
    let mut out = String::new();
    let mut from = 0;
    for (outer, inner) in boxes {
        if outer.start >= from {
            out.push_str(&page[from..outer.start]);
            push_without_boxes(&mut out, &page[outer.start..inner.start]);
            let inner_html = &page[inner.clone()];
            match inner_html.strip_prefix("<div").and_then(|html| html.strip_suffix("</div>")) {
                Some(html) => out.extend(["<p", html, "</p>"]),
                None => out.push_str(inner_html),
            }
            push_without_boxes(&mut out, &page[inner.end..outer.end]);
            from = outer.end;
        }
    }
    if from == 0 { Cow::Borrowed(page) } else { Cow::Owned(out + &page[from..]) }
}

/// Whether links are at least a fifth of a quotation, or of a sentence of which they are at most half.
fn is_at_risk(element: &Element<Known>, page: &str) -> bool {
    let (text, links) = (element.text(), element.links() * 5);
    let html = &page[element.range()];
    let ends_in_sentence = |tag: &str| {
        let end = ['.', '!', '?', '…', '"', '”', '“', '»', '。'];
        html.ends_with(tag) && crate::plain_text(html).trim_end().ends_with(end)
    };
    text >= MIN_SENTENCE
        && links >= text
        && match element.known {
            Known::Quotation => html.ends_with("</blockquote>"),
            Known::Box => links * 2 <= text * 5 && ends_in_sentence("</div>"),
            _ => links * 2 <= text * 5 && ends_in_sentence("</p>"),
        }
}

/// Whether a part of a page consists of tags of boxes and scripts.
fn is_only_boxes(html: &str) -> bool {
    Tokens::new(html).all(|token| match token {
        Token::Start(tag) => matches!(&*tag.name, "div" | "script"),
        Token::End(name) => matches!(&*name, "div" | "script"),
        Token::Text(text) => text.trim().is_empty(),
        Token::Raw { .. } => true,
    })
}

fn push_without_boxes(out: &mut String, html: &str) {
    let mut tokens = Tokens::new(html);
    let mut from = 0;
    while let Some(token) = tokens.next() {
        let to = tokens.position();
        if !matches!(&token, Token::Start(tag) if tag.name == "div")
            && !matches!(&token, Token::End(name) if name == "div")
        {
            out.push_str(&html[from..to]);
        }
        from = to;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SENTENCE: &str =
        "<p>The storm of last week was described in an article of the <a href=x>paper of the harbour</a>.</p>";
    const POST: &str = "<blockquote><p>All boats are in, and no one knows for how long.</p>A. Sailor <a href=x>5 May 2026, 10:00</a></blockquote>";

    fn page(content: &str) -> String {
        format!("<main><p>Text</p><div><p>Text</p></div>{content}<p>Text</p></main>")
    }

    #[test]
    fn removes_boxes_around_sentences_and_posts() {
        for (start, content, end) in [
            ("<div>", SENTENCE, "</div>"),
            ("<div class=card><div class='card-body'>", SENTENCE, "</div></div>"),
            ("<div class=social-media-embed>", POST, "</div>"),
        ] {
            assert_eq!(without_boxes(&page(&format!("{start}{content}{end}"))), page(content));
        }
        let script = "<script src=x>1 < 2</script>";
        assert_eq!(without_boxes(&page(&format!("<div>{POST}{script}</div>"))), page(&format!("{POST}{script}")));
    }

    #[test]
    fn makes_sentences_in_boxes_paragraphs() {
        let text = SENTENCE.replace("p>", "div>");
        let other = "<div>The boats were in the harbour, and no one was about to repair a net.</div>";
        assert_eq!(without_boxes(&format!("{other}{text}{other}")), format!("{other}{SENTENCE}{other}"));
        let kept = page(&format!("{text}{other}"));
        assert_eq!(without_boxes(&kept), kept);
    }

    #[test]
    fn leaves_boxes_with_names_links_or_other_content() {
        for kept in [
            page(&format!("<div class=newsletter>{SENTENCE}</div>")),
            page(&format!("<div><div class=caption>{SENTENCE}</div></div>")),
            page(&format!("<div>{SENTENCE}{SENTENCE}</div>")),
            page(&format!("<div><img src=x>{SENTENCE}</div>")),
            page(&format!("<div>Text{SENTENCE}</div>")),
            page(&format!("<div>{}</div>", SENTENCE.replace('.', ""))),
            page(&format!("<div>{}", SENTENCE.replace("</p>", "</div>"))),
            page(&format!("<div>{}</div>", SENTENCE.replace("<p>", "<p><a href=y>").replace("<a href=x>", ""))),
            format!("<main><p>Text</p><div>{SENTENCE}</div></main>"),
        ] {
            assert_eq!(without_boxes(&kept), kept);
        }
    }
}
