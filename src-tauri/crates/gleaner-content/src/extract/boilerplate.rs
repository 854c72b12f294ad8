//! What stands in an article's text and is none of it: sharing buttons, related links, newsletters.

use crate::tokens::{Token, Tokens};
use std::{borrow::Cow, ops::Range};

/// Words of classes and ids that name such things.
const WORDS: [&str; 33] = [
    "related",
    "recommended",
    "recommendations",
    "recirc",
    "newsletter",
    "share",
    "shares",
    "sharing",
    "sharedaddy",
    "sharebar",
    "sharebuttons",
    "addtoany",
    "addthis",
    "social",
    "subscribe",
    "signup",
    "promo",
    "advert",
    "advertisement",
    "advertising",
    "sponsored",
    "taboola",
    "outbrain",
    "disqus",
    "breadcrumb",
    "breadcrumbs",
    "cookie",
    "jp-relatedposts",
    "printfriendly",
    "readmore",
    "trending",
    "mostread",
    "donate",
];

/// What stands alone in a paragraph or box and belongs to the page.
#[rustfmt::skip]
const PHRASES: [&str; 34] = [
    "ad feedback", "ad", "ads", "advertisement", "advertisements", "article continues below", "article continues below advertisement",
    "click to enlarge", "click to share", "continue reading below", "copy link", "follow us", "hide caption", "jump to comments",
    "leave a comment", "link copied", "listen to this article", "print", "print this article", "read aloud", "read more", "related", "related articles",
    "related stories", "save this story", "share", "share on facebook", "share on twitter", "share this", "share this article",
    "skip advertisement", "story continues below advertisement", "video ad feedback", "view comments",
];

/// Names of what numbers the lines of code.
const GUTTERS: [&str; 9] =
    ["gutter", "lineno", "linenos", "linenodiv", "linenumbers", "line-numbers", "line-number", "lnt", "blob-num"];

/// An element that may go: where it stands, and how much text is in it.
#[derive(Debug)]
struct Candidate {
    at: Range<usize>,
    text: usize,
}

/// The article without the elements that by their names belong to the page around it. Large ones stay: a name may lie.
pub(super) fn without(html: &str) -> String {
    let html = &*without_phrases(html);
    let (candidates, text) = candidates(html);
    let mut out = String::with_capacity(html.len());
    let (mut from, mut gone) = (0, 0);
    for candidate in candidates {
        if candidate.text * 8 > text || (gone + candidate.text) * 4 > text {
            continue;
        }
        gone += candidate.text;
        out.push_str(&html[from..candidate.at.start]);
        from = candidate.at.end;
    }
    out.push_str(&html[from..]);
    out
}

/// Without the elements that hold nothing but such a phrase, or the numbers of lines.
fn without_phrases(html: &str) -> Cow<'_, str> {
    let mut out = String::new();
    // The element whose start tag was the last, where it starts, and whether it numbers lines.
    let mut last: Option<(String, usize, bool)> = None;
    let mut words = "";
    let (mut copied, mut from) = (0, 0);
    let mut tokens = Tokens::new(html);
    while let Some(token) = tokens.next() {
        let to = tokens.position();
        match token {
            Token::Start(tag) => {
                let numbers = || {
                    tag.attributes.clone().any(|(name, value)| {
                        name == "class" && value.split_ascii_whitespace().any(|class| GUTTERS.contains(&class))
                    })
                };
                let kept =
                    matches!(&*tag.name, "p" | "div") || matches!(&*tag.name, "td" | "pre" | "span") && numbers();
                let inside = last.take().filter(|(_, _, gutter)| *gutter);
                // The numbers may stand in elements of their own.
                last = inside.or_else(|| kept.then(|| (tag.name.to_string(), from, numbers())));
                words = if last.as_ref().is_some_and(|(_, at, _)| *at == from) { "" } else { words };
            }
            Token::Text(text) if last.as_ref().is_some_and(|(_, _, gutter)| *gutter) => {
                // Anything but numbers, and it is code.
                if text.bytes().any(|b| !b.is_ascii_digit() && !crate::tokens::is_space(b)) {
                    last = None;
                }
            }
            Token::Text(text) => words = text,
            Token::End(name) => {
                let gutter = last.as_ref().is_some_and(|(_, _, gutter)| *gutter);
                if let Some((_, start, _)) = last.take_if(|(open, ..)| *open == *name || !gutter) {
                    let words =
                        words.trim().trim_end_matches([':', '.', '!', '…', '»']).trim_end().to_ascii_lowercase();
                    if gutter || PHRASES.contains(&&*words) && html[start..to].len() < 1000 {
                        out.push_str(&html[copied..start]);
                        copied = to;
                    }
                }
            }
            Token::Raw { .. } => last = None,
        }
        from = to;
    }
    if copied == 0 {
        return Cow::Borrowed(html);
    }
    out.push_str(&html[copied..]);
    Cow::Owned(out)
}

/// The outermost elements of such names, and the length of all text.
fn candidates(html: &str) -> (Vec<Candidate>, usize) {
    let mut found: Vec<Candidate> = Vec::new();
    let mut inside: Option<(String, usize)> = None;
    let (mut text, mut from) = (0, 0);
    let mut tokens = Tokens::new(html);
    while let Some(token) = tokens.next() {
        let to = tokens.position();
        match (&token, &mut inside) {
            (Token::Text(words), _) => {
                let length = words.trim().len();
                text += length;
                if let (Some(_), Some(candidate)) = (&inside, found.last_mut()) {
                    candidate.text += length;
                }
            }
            (Token::Start(tag), Some((name, depth))) if *tag.name == **name => *depth += 1,
            (Token::End(end), Some((name, depth))) if **end == **name => {
                *depth -= 1;
                if *depth == 0 {
                    inside = None;
                    if let Some(candidate) = found.last_mut() {
                        candidate.at.end = to;
                    }
                }
            }
            (Token::Start(tag), None)
                if matches!(&*tag.name, "div" | "section" | "aside" | "ul" | "ol" | "p" | "nav" | "footer") =>
            {
                let named = tag.attributes.clone().any(|(name, value)| {
                    matches!(&*name, "class" | "id") && value.split_ascii_whitespace().any(is_named)
                });
                if named {
                    inside = Some((tag.name.to_string(), 1));
                    // Without an end tag nothing is known of it: then it goes nowhere.
                    found.push(Candidate { at: from..from, text: 0 });
                }
            }
            _ => {}
        }
        from = to;
    }
    found.retain(|candidate| !candidate.at.is_empty());
    (found, text)
}

fn is_named(class: &str) -> bool {
    let class = class.to_ascii_lowercase();
    WORDS.contains(&&*class) || class.split(['-', '_']).any(|part| WORDS.contains(&part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_and_numbers_of_lines_go() {
        assert_eq!(
            without("<p>Text.</p><p class=x> Advertisement </p><p>Read more of it.</p>"),
            "<p>Text.</p><p>Read more of it.</p>"
        );
        assert_eq!(
            without(
                "<tr><td class=gutter><pre><span>1</span>\n<span>2</span></pre></td><td class=code><pre>a</pre></td></tr>"
            ),
            "<tr><td class=code><pre>a</pre></td></tr>"
        );
        assert_eq!(without("<td class=gutter>1<td>a</td>"), "<td class=gutter>1<td>a</td>");
        assert_eq!(without("<pre class=linenos>a 1</pre>"), "<pre class=linenos>a 1</pre>");
    }

    #[test]
    fn small_boilerplate_goes_and_large_stays() {
        let text = "<p>Long enough to be read by someone, it is.</p>".repeat(10);
        let html = format!("{text}<div class='post-share x'>Tweet<div>a</div></div><p>End</p>");
        assert_eq!(without(&html), format!("{text}<p>End</p>"));
        let html = format!("<div class=related>{text}</div>");
        assert_eq!(without(&html), html);
        let html = format!("{text}<p class=shareholder>Of a company</p>");
        assert_eq!(without(&html), html);
    }
}
