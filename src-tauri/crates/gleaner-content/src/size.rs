//! Limits how many elements an article or a page has: a tree of them takes many times the memory of the shortest tags.

use gleaner_html::tokens::{Token, Tokens};

/// Maximum number of elements. The largest real pages have a hundred thousand.
const MAX_ELEMENTS: usize = 250_000;
/// Maximum number of attributes of all elements.
const MAX_ALL_ATTRIBUTES: usize = 500_000;
/// Maximum number of attributes of an element that are read.
pub(crate) const MAX_ATTRIBUTES: usize = 100;

/// Returns HTML without its end if it has more than the maximum number of elements or attributes.
pub(crate) fn admitted(html: &str) -> &str {
    // Each has three bytes at least, and each attribute two.
    if html.len() < 2 * MAX_ELEMENTS {
        return html;
    }
    let (mut elements, mut attributes, mut end) = (0, 0, 0);
    let mut tokens = Tokens::new(html);
    while let Some(token) = tokens.next() {
        match &token {
            Token::Start(tag) => {
                elements += 1;
                attributes += tag.attributes.clone().take(MAX_ATTRIBUTES).count();
            }
            // An end without a start makes an element, too.
            Token::End(name) if name == "p" || name == "br" => elements += 1,
            // To some parsers it is markup.
            Token::Raw { text, .. } => elements += text.bytes().filter(|byte| *byte == b'<').count(),
            Token::End(_) | Token::Text(_) => {}
        }
        if elements > MAX_ELEMENTS || attributes > MAX_ALL_ATTRIBUTES {
            return &html[..end];
        }
        end = tokens.position();
    }
    html
}
