//! A page made ready for Readability: what it would lose for the sake of a name is written so that it stays.

use crate::{
    attributes::{Given, Written},
    embeds, sanitise, style,
    tokens::{Tag, Token, Tokens},
    urls,
};
use std::borrow::Cow;
use url::Url;

/// Marks frames of known services. Readability keeps a frame one of whose attributes names a player that it knows;
/// which players there are is for [`embeds`] to say.
const KNOWN: &str = " data-known=\"//www.youtube.com/\"";

/// The page with frames of known services marked, players that are elements or scripts of their own as frames, and
/// without names that say nothing of what is in an element.
pub(super) fn prepared<'a>(html: &'a str, base: &str) -> Cow<'a, str> {
    let base = Url::parse(base).ok();
    let mut out = String::new();
    let mut tokens = Tokens::new(html);
    let (mut from, mut copied) = (0, 0);
    while let Some(token) = tokens.next() {
        let to = tokens.position();
        if let Token::Start(tag) = &token
            && let Some(instead) = instead(tag, &html[from..to], base.as_ref())
        {
            out.push_str(&html[copied..from]);
            out.push_str(&instead);
            copied = to;
        }
        from = to;
    }
    if copied == 0 {
        return Cow::Borrowed(html);
    }
    out.push_str(&html[copied..]);
    Cow::Owned(out)
}

/// The page with what it hides within an `article` or `main` shown; `None` where nothing is hidden there.
pub(super) fn unhidden(html: &str) -> Option<String> {
    let mut out = String::new();
    let mut tokens = Tokens::new(html);
    let (mut copied, mut inside) = (0, 0_usize);
    while let Some(token) = tokens.next() {
        match &token {
            Token::End(name) if matches!(&**name, "article" | "main") => inside = inside.saturating_sub(1),
            Token::Start(tag) => {
                inside += usize::from(matches!(&*tag.name, "article" | "main"));
                if inside > 0 && matches!(&*tag.name, "div" | "section" | "p") && is_hidden(tag) {
                    out.push_str(&html[copied..tokens.position() - tag.length]);
                    out.push_str(&without(tag, |name| matches!(name, "style" | "hidden" | "aria-hidden")));
                    copied = tokens.position();
                }
            }
            _ => {}
        }
    }
    (copied > 0).then(|| out + &html[copied..])
}

fn is_hidden(tag: &Tag<'_>) -> bool {
    tag.attributes.clone().any(|(name, value)| match &*name {
        "hidden" => true,
        "style" => style::hides(&value),
        _ => false,
    })
}

/// What stands in a page in place of a tag, if it cannot stay as it is.
fn instead(tag: &Tag<'_>, source: &str, base: Option<&Url>) -> Option<String> {
    let name = &*tag.name;
    match name {
        // That a page has a sidebar does not make it one.
        "html" | "body" => tag.attributes.clone().any(|(name, _)| is_name(&name)).then(|| nameless(tag)),
        // A heading is called a header, and the headers of pages go.
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
            let header = |(name, value): (Cow<'_, str>, Cow<'_, str>)| is_name(&name) && value.contains("header");
            tag.attributes.clone().any(header).then(|| nameless(tag))
        }
        // A paragraph of nothing but sound is empty to Readability, one with a frame is not.
        "audio" | "video" => Some(format!("<p><iframe{KNOWN}></iframe>{}", &source[source.len() - tag.length..])),
        "iframe" | "embed" | "object" | "param" | "script" => {
            let given = Given::read(tag.attributes.clone());
            let address = match name {
                "iframe" => given.first(sanitise::FRAME_SOURCES),
                "object" => given.get("data"),
                "param" => given.get("value"),
                _ => given.get("src"),
            };
            let url = urls::web(address?, base)?;
            embeds::embed(&url)?;
            Some(match name {
                "script" => frame(&url) + source,
                _ => {
                    // What was passed over before the tag is no part of it, and ends where the tag starts.
                    let start = source.len() - tag.length + 1 + name.len();
                    format!("<{name}{KNOWN}{}", &source[start..])
                }
            })
        }
        name if name.contains('-') => {
            let (_, attribute, address) = embeds::player(name)?;
            let id = Given::read(tag.attributes.clone()).first([*attribute, "data-videoid", "data-src"])?.to_owned();
            let url = urls::web(&format!("{address}{id}"), base)?;
            embeds::embed(&url)?;
            Some(frame(&url) + source)
        }
        _ => None,
    }
}

fn is_name(attribute: &str) -> bool {
    matches!(attribute, "class" | "id")
}

fn nameless(tag: &Tag<'_>) -> String {
    without(tag, is_name)
}

/// The tag without some of its attributes.
fn without(tag: &Tag<'_>, goes: impl Fn(&str) -> bool) -> String {
    let mut out = Written(format!("<{}", tag.name));
    for (name, value) in tag.attributes.clone().filter(|(name, _)| !goes(name)) {
        // A name may hold what would end the tag.
        if name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_:".contains(&b)) {
            out.set(&name, &value);
        }
    }
    out.0 + ">"
}

fn frame(url: &Url) -> String {
    let mut out = Written(format!("<p><iframe{KNOWN}"));
    out.set("src", url.as_str());
    out.0 + "></iframe></p>"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is(html: &str, expected: &str) {
        assert_eq!(prepared(html, "https://a.example/"), expected);
    }

    #[test]
    fn players_are_marked() {
        is(
            "<!-- c --><iframe src=//tube.example/videos/embed/1></iframe>",
            "<iframe data-known=\"//www.youtube.com/\" src=//tube.example/videos/embed/1></iframe>",
        );
        is(
            "<lite-youtube videoid=q></lite-youtube>",
            "<p><iframe data-known=\"//www.youtube.com/\" src=\"https://www.youtube.com/embed/q\"></iframe></p><lite-youtube videoid=q></lite-youtube>",
        );
        is("<iframe src=//a.example/x></iframe>", "<iframe src=//a.example/x></iframe>");
    }

    #[test]
    fn names_that_say_nothing_go() {
        is("<body class=has-sidebar lang=en><h2 id=x>a", "<body lang=\"en\"><h2 id=x>a");
        is("<h2 class='sub-header' onclick='>'>a", "<h2 onclick=\"&gt;\">a");
    }
}
