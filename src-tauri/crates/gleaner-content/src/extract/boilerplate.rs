//! Removes boilerplate from an article: sharing buttons, related links, newsletter forms.

use gleaner_html::tokens::{Token, Tokens};
use std::{borrow::Cow, ops::Range};

/// Words in classes and ids of boilerplate.
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

/// Phrases that are boilerplate when alone in a paragraph or box.
#[rustfmt::skip]
const PHRASES: [&str; 34] = [
    "ad feedback", "ad", "ads", "advertisement", "advertisements", "article continues below", "article continues below advertisement",
    "click to enlarge", "click to share", "continue reading below", "copy link", "follow us", "hide caption", "jump to comments",
    "leave a comment", "link copied", "listen to this article", "print", "print this article", "read aloud", "read more", "related", "related articles",
    "related stories", "save this story", "share", "share on facebook", "share on twitter", "share this", "share this article",
    "skip advertisement", "story continues below advertisement", "video ad feedback", "view comments",
];

/// Classes of elements with line numbers of code.
const GUTTERS: [&str; 9] =
    ["gutter", "lineno", "linenos", "linenodiv", "linenumbers", "line-numbers", "line-number", "lnt", "blob-num"];

/// An element that may be removed.
#[derive(Debug)]
struct Candidate {
    at: Range<usize>,
    text: usize,
}

/// Removes elements whose names mark them as boilerplate. Large ones stay: the name may be wrong.
pub(super) fn remove(html: &str) -> String {
    let html = &*remove_phrases(html);
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

/// Removes elements that contain only a boilerplate phrase or line numbers.
fn remove_phrases(html: &str) -> Cow<'_, str> {
    let mut out = String::new();
    // The name of the last start tag, its position, and whether its class marks line numbers.
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
                let is_candidate =
                    matches!(&*tag.name, "p" | "div") || matches!(&*tag.name, "td" | "pre" | "span") && numbers();
                let inside = last.take().filter(|(_, _, gutter)| *gutter);
                // Each number may be in an element of its own.
                last = inside.or_else(|| is_candidate.then(|| (tag.name.to_string(), from, numbers())));
                words = if last.as_ref().is_some_and(|(_, at, _)| *at == from) { "" } else { words };
            }
            Token::Text(text) if last.as_ref().is_some_and(|(_, _, gutter)| *gutter) => {
                // Anything but digits is code.
                if text.bytes().any(|b| !b.is_ascii_digit() && !b.is_ascii_whitespace()) {
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

/// Returns the outermost elements with boilerplate names, and the length of all text.
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
                    // The range stays empty without an end tag; such an element is kept.
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
    fn removes_phrases_and_line_numbers() {
        assert_eq!(
            remove("<p>Text.</p><p class=x> Advertisement </p><p>Read more of it.</p>"),
            "<p>Text.</p><p>Read more of it.</p>"
        );
        assert_eq!(
            remove(
                "<tr><td class=gutter><pre><span>1</span>\n<span>2</span></pre></td><td class=code><pre>a</pre></td></tr>"
            ),
            "<tr><td class=code><pre>a</pre></td></tr>"
        );
        assert_eq!(remove("<td class=gutter>1<td>a</td>"), "<td class=gutter>1<td>a</td>");
        assert_eq!(remove("<pre class=linenos>a 1</pre>"), "<pre class=linenos>a 1</pre>");
    }

    #[test]
    fn removes_small_boilerplate_and_keeps_large() {
        let text = "<p>Long enough to be read by someone, it is.</p>".repeat(10);
        let html = format!("{text}<div class='post-share x'>Tweet<div>a</div></div><p>End</p>");
        assert_eq!(remove(&html), format!("{text}<p>End</p>"));
        let html = format!("<div class=related>{text}</div>");
        assert_eq!(remove(&html), html);
        let html = format!("{text}<p class=shareholder>Of a company</p>");
        assert_eq!(remove(&html), html);
    }
}
