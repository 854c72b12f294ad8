//! Removes boxes that ask readers for something, and the comments of readers, whatever their names are: many pages have generated ones.

use super::outline;
use crate::extract::tree::{self, Element, Tree};
use gleaner_html::tokens::{Tag, Token, Tokens};
use std::{borrow::Cow, ops::Range};

/// Minimum number of paragraphs of an article around or before a removed part.
const MIN_PARAGRAPHS: usize = 3;
/// Maximum length of the text of a request, in bytes.
const MAX_REQUEST: usize = 600;
/// Maximum length of the heading of comments, in bytes.
const MAX_HEADING: usize = 40;

/// Words in the addresses of pages for subscriptions and donations.
#[rustfmt::skip]
const PURPOSES: [&str; 14] = [
    "abo", "abonnement", "abonnieren", "donate", "donation", "donations", "membership", "newsletter", "newsletters", "signup", "spenden",
    "subscribe", "subscription", "subscriptions",
];

/// Headings of comments, in lower case, without their number.
#[rustfmt::skip]
const COMMENTS: [&str; 22] = [
    "comment", "comments", "commentaire", "commentaires", "comentario", "comentarios", "comentário", "comentários", "commenti", "commento", "kommentar",
    "kommentare", "kommentarer", "komentarze", "komentáře", "opmerkingen", "reacties", "комментарии", "комментариев", "コメント", "评论", "댓글",
];

/// The role of an element that follows from its tag.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Known {
    #[default]
    Other,
    Paragraph,
    Box,
    /// A link to a page for subscriptions or donations.
    Request,
    /// A form or button for comments.
    Control,
    /// An element that neither requests nor comments contain.
    Article,
}

impl Known {
    fn read(tag: &Tag<'_>) -> Self {
        match &*tag.name {
            "p" => Self::Paragraph,
            "div" | "section" | "aside" | "form" => Self::Box,
            "a" if tag.attributes.get("href").is_some_and(|href| is_request(&href)) => Self::Request,
            "button" | "textarea" | "time" => Self::Control,
            "h1" | "main" => Self::Article,
            name if name.contains('-') => Self::Box,
            _ => Self::Other,
        }
    }
}

/// Whether an address is that of a page for subscriptions or donations.
fn is_request(href: &str) -> bool {
    let path = href.split(['?', '#']).next().unwrap_or_default().to_ascii_lowercase();
    path.split('/').any(|folder| PURPOSES.contains(&folder))
}

/// Returns the page without the requests among its paragraphs, and without the comments below a heading for comments.
pub(super) fn without_requests(page: &str) -> Cow<'_, str> {
    let tree = Tree::read(page, Known::read);
    let fields = email_fields(page);
    let has_field = |range: &Range<usize>| {
        fields.get(fields.partition_point(|field| *field < range.start)).is_some_and(|field| *field < range.end)
    };
    let is_prose = |element: &Element<Known>| {
        element.known == Known::Paragraph
            && element.text() >= outline::MIN_PROSE
            && element.links() * 2 < element.text()
    };
    // Whether each element contains a link to a page for subscriptions, a form or button for comments, and a title.
    let mut inside = vec![(false, false, false); tree.elements.len()];
    let mut removed: Vec<Range<usize>> = Vec::new();
    for at in (0..tree.elements.len()).rev() {
        let own = tree.children(at).fold(tree.elements[at].text(), |text, child| text - tree.elements[child].text());
        let mut paragraphs = 0;
        for child in tree.children(at) {
            let element = &tree.elements[child];
            inside[at].0 |= inside[child].0 || element.known == Known::Request && own == 0;
            inside[at].1 |= inside[child].1 || element.known == Known::Control;
            inside[at].2 |= inside[child].2 || element.known == Known::Article;
            paragraphs += usize::from(is_prose(element));
        }
        if paragraphs >= MIN_PARAGRAPHS {
            removed.extend(tree.children(at).filter_map(|child| {
                let element = &tree.elements[child];
                let (has_link, _, has_title) = inside[child];
                let is_request = element.known == Known::Box
                    && element.text() <= MAX_REQUEST
                    && !has_title
                    && (has_link || has_field(&element.range()));
                is_request.then(|| element.range())
            }));
        }
    }
    let mut paragraphs = 0;
    let mut open: Vec<usize> = Vec::new();
    // Where the last comments end, and the boxes whose first heading was already compared.
    let (mut end, mut compared) = (0, vec![false; tree.elements.len()]);
    for (at, element) in tree.elements.iter().enumerate() {
        let range = element.range();
        while open.pop_if(|outer| tree.elements[*outer].range().end <= range.start).is_some() {}
        paragraphs += usize::from(is_prose(element));
        if element.is_heading
            && paragraphs >= MIN_PARAGRAPHS
            && range.start >= end
            && (1..=MAX_HEADING).contains(&element.text())
            && let Some(has_number) = of_comments(&page[range.clone()])
            && let Some(outer) = open.iter().rfind(|outer| {
                let outer = &tree.elements[**outer];
                outer.known == Known::Box && outer.text() > element.text()
            })
            && (has_number || inside[*outer].1)
            && !inside[*outer].2
            && !std::mem::replace(&mut compared[*outer], true)
            && is_first(&tree, *outer, at)
        {
            end = tree.elements[*outer].range().end;
            removed.push(tree.elements[*outer].range());
        }
        open.push(at);
    }
    removed.sort_by_key(|range| range.start);
    tree::without(page, removed)
}

/// Whether only labels precede a heading in an element around it.
fn is_first(tree: &Tree<Known>, outer: usize, heading: usize) -> bool {
    let start = tree.elements[heading].range().start;
    let (mut text, mut around) = (0, Some(outer));
    while let Some(parent) = around.take() {
        for child in tree.children(parent) {
            let element = &tree.elements[child];
            if element.range().end > start {
                around = (child < heading).then_some(child);
                break;
            }
            text += element.text();
            if text > MAX_HEADING {
                return false;
            }
        }
    }
    true
}

/// Returns whether a heading of comments has a number; `None` for another heading.
fn of_comments(html: &str) -> Option<bool> {
    let text = crate::plain_text(html).to_lowercase();
    let mut words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    // "Top comments (2)", but not a list of the "Top 10 comments".
    let is_top = text.trim_start().strip_prefix("top ").is_some_and(|rest| rest.starts_with(char::is_alphabetic));
    if is_top {
        words.next();
    }
    let (mut names, mut numbers) = (0, 0);
    let is_known = words.all(|word| {
        let is_number = word.bytes().all(|b| b.is_ascii_digit());
        numbers += usize::from(is_number);
        names += usize::from(COMMENTS.contains(&word));
        is_number || COMMENTS.contains(&word)
    });
    (is_known && names == 1 && numbers <= 1).then_some(numbers == 1)
}

/// Returns the positions of the fields for email addresses.
fn email_fields(page: &str) -> Vec<usize> {
    let mut fields = Vec::new();
    let mut tokens = Tokens::new(page);
    while let Some(token) = tokens.next() {
        if let Token::Start(tag) = token
            && tag.name == "input"
            && tag.attributes.get("type").is_some_and(|kind| kind.eq_ignore_ascii_case("email"))
        {
            fields.push(tokens.position() - tag.length);
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "<p>The boats were in the harbour, and no one was about to repair a net or sell a fish before noon.</p>";

    #[test]
    fn removes_requests_among_paragraphs() {
        let page = |content: &str| format!("<main><div>{TEXT}{TEXT}{content}{TEXT}</div></main>");
        for request in [
            "<div class=x><h3>The best of the week</h3><p>Every Friday.</p><form><input type=email></form></div>",
            "<section><h3>Our work</h3><p>Give a little.</p><a href=/donate/now>Give</a></section>",
            "<div><p>Read on.</p><p><a href=https://b.example/subscribe?from=x>Subscribe</a></p></div>",
        ] {
            assert_eq!(without_requests(&page(request)), page(""));
        }
        for kept in [
            page("<p>You can <a href=/donate>give</a> us something.</p>"),
            page("<div>You can <a href=/donate>give</a> us something.</div>"),
            page(&format!("<div>{}<a href=/donate>Give</a></div>", TEXT.repeat(7))),
            format!("<div>{TEXT}<div><p>Every Friday.</p><input type=email></div></div>"),
        ] {
            assert_eq!(without_requests(&kept), kept);
        }
    }

    #[test]
    fn removes_comments_below_their_heading() {
        let page = |content: &str| format!("<main><div>{}</div>{content}</main>", TEXT.repeat(3));
        for comments in [
            "<div><h2>Comments (3)</h2><div>I have a boat, too.</div></div>",
            "<section><h2>Top Comments (2)</h2><p>I have a boat, too.</p></section>",
            "<section><div>Log in</div><h3>3 Kommentare</h3><p>I have a boat, too.</p></section>",
            "<div><div><h4>Comments</h4></div><div>I have a boat, too. <button>Reply</button></div></div>",
        ] {
            let shown = without_requests(&page(comments)).into_owned();
            assert!(!shown.contains("Comments") && !shown.contains("Kommentare"), "{shown}");
        }
        for kept in [
            page("<section><h2>Comments</h2><p>They begin with two slashes.</p></section>"),
            page("<section><h2>Top 10 comments</h2><p>They are old.</p></section>"),
            page("<section><h2>3 comments on boats</h2><p>They are old.</p></section>"),
            page("<section><p>The nets are dry, and they can be carried.</p><h2>3 comments</h2></section>"),
            format!("<div><article>{}<h2>3 comments</h2></article><p>I have a boat.</p></div>", TEXT.repeat(3)),
            "<section><h2>3 comments</h2><p>I have a boat, too.</p></section>".to_owned(),
        ] {
            assert_eq!(without_requests(&kept), kept);
        }
    }
}
