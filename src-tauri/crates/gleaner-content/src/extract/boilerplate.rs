//! What stands in an article's text and is none of it: sharing buttons, related links, newsletters.

use crate::tokens::{Token, Tokens};
use std::ops::Range;

/// Words of classes and ids that name such things.
const WORDS: [&str; 34] = [
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
    "paywall",
    "cookie",
    "jp-relatedposts",
    "printfriendly",
    "readmore",
    "trending",
    "mostread",
    "donate",
];

/// An element that may go: where it stands, and how much text is in it.
#[derive(Debug)]
struct Candidate {
    at: Range<usize>,
    text: usize,
}

/// The article without the elements that by their names belong to the page around it. Large ones stay: a name may lie.
pub(super) fn without(html: &str) -> String {
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
