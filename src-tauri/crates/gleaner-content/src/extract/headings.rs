//! Rewrites headings that Readability would remove because of their ids, because of the elements around them, or because they resemble the
//! title.
//!
//! Many sites generate the ids of headings and sections from their texts, so that a section about cookies has the id of a
//! cookie notice. Such an id is hidden until Readability and the removal of boilerplate are done.

use super::{boilerplate, container::title_letters};
use crate::attributes::AttributeWriter;
use gleaner_html::{
    elements::is_void,
    references,
    tokens::{Tag, Token, Tokens},
};
use std::{borrow::Cow, collections::HashSet, ops::Range};

/// The attribute of a hidden id.
const HIDDEN: &str = "data-hidden-id";

/// Marks a heading of the second level whose tag has the third one until Readability is done.
const LOWERED: &str = "data-lowered";
/// Minimum length in bytes of a paragraph after which a heading is not the title.
const MIN_PROSE: usize = 80;

/// Separators between the title of an article and the name of its site.
const SEPARATORS: [&str; 7] = [" | ", " – ", " — ", " - ", "｜", " « ", " » "];

/// How much of an element is read to find its heading, in bytes.
const START: usize = 2000;
/// Maximum number of tokens around a heading that are read.
const MAX_TOKENS: usize = 30;

/// Parts of ids by which Readability recognises boilerplate and bylines.
#[rustfmt::skip]
const MISLEADING: [&str; 42] = [
    "-ad-", "agegate", "author", "banner", "breadcrumb", "byline", "com-", "combx", "comment", "community", "consent", "contact", "dateline", "disqus", "extra",
    "footer", "gdpr", "header", "hidden", "legends", "masthead", "media", "menu", "meta", "outbrain", "pager", "pagination", "popup", "promo",
    "related", "remark", "replies", "rss", "scroll", "share", "shopping", "sidebar", "social", "sponsor",
    "supplemental", "tags", "widget",
];

/// Names of elements around a heading that show that the heading is not part of the article.
const OTHER: [&str; 6] = ["comment", "footer", "menu", "nav", "respond", "sidebar"];

fn is_heading(name: &str) -> bool {
    matches!(name, "h1" | "h2" | "h3" | "h4" | "h5" | "h6")
}

/// Whether an id contains a misleading part as a whole word. In the long ids of sections, other words may contain such a part.
fn is_misleading_word(id: &str) -> bool {
    let is_part =
        |word: &str| MISLEADING.contains(&word.strip_suffix('s').unwrap_or(word)) || MISLEADING.contains(&word);
    boilerplate::is_named(id) || id.to_ascii_lowercase().split(['-', '_', '.']).any(is_part)
}

fn is_misleading(id: &str) -> bool {
    let id = id.to_ascii_lowercase();
    MISLEADING.iter().any(|part| id.contains(part)) || boilerplate::is_named(&id)
}

/// Returns the page with generated ids hidden and headings without the elements around them.
pub(super) fn exposed(html: &str) -> Cow<'_, str> {
    match without_wrappers(html) {
        Cow::Borrowed(html) => hide_ids(html),
        Cow::Owned(html) => Cow::Owned(hide_ids(&html).into_owned()),
    }
}

/// Hides misleading ids of headings, and of sections that are named after their heading. Removes the links of headings to themselves.
fn hide_ids(html: &str) -> Cow<'_, str> {
    // Whether the page names sections after their headings: a box of links may be named after its heading.
    let mut generated = false;
    let mut edits: Vec<(Range<usize>, String, bool)> = Vec::new();
    let mut heading: Option<Cow<'_, str>> = None;
    let mut tokens = Tokens::new(html);
    while let Some(token) = tokens.next() {
        match token {
            Token::Start(tag) => {
                if is_heading(&tag.name) || tag.name == "dt" {
                    heading = Some(tag.name.clone());
                }
                let to = tokens.position();
                let Some(id) = tag.attributes.get("id") else {
                    if heading.is_some()
                        && tag.name == "a"
                        && tag.attributes.get("name").is_none()
                        && let Some(length) = permalink(&html[to..])
                    {
                        edits.push((to - tag.length..to + length, String::new(), true));
                    }
                    continue;
                };
                let range = to - tag.length..to;
                if heading.is_some() {
                    if is_misleading(&id) {
                        edits.push((range, renamed(&tag, "id", HIDDEN), true));
                    }
                } else if matches!(&*tag.name, "section" | "div" | "article" | "li")
                    && let Some((name, text)) = first_heading(&html[to..])
                    && title_letters(&id) == title_letters(&text)
                {
                    let is_hidden = is_misleading_word(&id);
                    generated |= !is_hidden || name == "h1";
                    if is_hidden {
                        edits.push((range, renamed(&tag, "id", HIDDEN), false));
                    }
                }
            }
            Token::End(name) if heading.as_ref() == Some(&name) => heading = None,
            _ => {}
        }
    }
    let edits = edits.into_iter().filter(|(_, _, in_heading)| *in_heading || generated);
    replaced(html, edits.map(|(range, tag, _)| (range, tag)))
}

/// Returns the length of the content of a link, with its end tag, if it is only a symbol such as `¶`.
fn permalink(content: &str) -> Option<usize> {
    let length = content.find('<')?;
    let text = references::decode(&content[..length]);
    let is_symbol = (1..=2).contains(&text.trim().chars().count()) && !text.chars().any(char::is_alphanumeric);
    (is_symbol && content[length..].starts_with("</a>")).then_some(length + "</a>".len())
}

/// Returns the page with `h2` headings that resemble one of the titles and follow prose changed to `h3`, since
/// Readability removes the first `h2` that resembles its title.
pub(super) fn lowered<'a>(html: &'a str, titles: &[&str]) -> Cow<'a, str> {
    // The title of the article without the name of the site, too.
    let parts = titles.iter().flat_map(|title| SEPARATORS.iter().flat_map(|separator| title.split(separator)));
    let parts: HashSet<String> = parts.map(title_letters).collect();
    let titles: Vec<HashSet<String>> = titles.iter().map(|title| words(title).collect()).collect();
    let is_like_title = |text: &str| {
        let is_title = parts.contains(&title_letters(text));
        !is_title
            && titles.iter().any(|title| {
                let (all, other): (Vec<String>, Vec<String>) =
                    (words(text).collect(), words(text).filter(|word| !title.contains(word)).collect());
                // Compared as Readability does it, with a margin. The title itself also matches.
                !other.is_empty() && other.concat().len() * 3 < all.concat().len()
                    || all.len() < title.len() && other.is_empty()
            })
    };
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    let mut heading: Option<(Range<usize>, String)> = None;
    let (mut paragraph, mut after_prose) = (None, false);
    let mut text = String::new();
    let mut tokens = Tokens::new(html);
    let mut from = 0;
    while let Some(token) = tokens.next() {
        let to = tokens.position();
        match token {
            Token::Start(tag) if tag.name == "p" => paragraph = Some(0),
            Token::End(name) if name == "p" => paragraph = None,
            Token::Start(tag) if tag.name == "h2" && after_prose => {
                let mut start = format!("<h3 {LOWERED}");
                start.push_str(&html[to - tag.length + "<h2".len()..to]);
                heading = Some((to - tag.length..to, start));
                text.clear();
            }
            // A link leads to another article, or is the title.
            Token::Start(tag) if tag.name == "a" => heading = None,
            Token::End(name) if name == "h2" => {
                if let Some(start) = heading.take()
                    && is_like_title(&text)
                {
                    edits.push(start);
                    edits.push((from..to, "</h3>".to_owned()));
                }
            }
            Token::Text(more) => {
                let length = more.trim().len();
                paragraph = paragraph.map(|paragraph: usize| paragraph + length);
                after_prose |= paragraph.is_some_and(|paragraph| paragraph >= MIN_PROSE);
                if heading.is_some() && text.len() <= START {
                    text.push_str(&references::decode(more));
                }
            }
            _ => {}
        }
        from = to;
    }
    replaced(html, edits.into_iter())
}

/// Returns the words of a text in lower case.
fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase)
}

/// Returns the article with its hidden ids as ids, and its headings at their level.
pub(super) fn as_written(html: &str) -> Cow<'_, str> {
    let mut edits = Vec::new();
    let mut in_lowered = false;
    let mut tokens = Tokens::new(html);
    let mut from = 0;
    while let Some(token) = tokens.next() {
        let to = tokens.position();
        match token {
            Token::Start(tag) => {
                let id = if tag.attributes.get(HIDDEN).is_some() { HIDDEN } else { "id" };
                in_lowered |= tag.name == "h3" && tag.attributes.get(LOWERED).is_some();
                if tag.name == "h3" && in_lowered {
                    let start = renamed(&tag, id, "id");
                    edits.push((to - tag.length..to, format!("<h2{}", &start["<h3".len()..])));
                } else if id == HIDDEN {
                    edits.push((to - tag.length..to, renamed(&tag, id, "id")));
                }
            }
            Token::End(name) if name == "h3" && in_lowered => {
                in_lowered = false;
                edits.push((from..to, "</h2>".to_owned()));
            }
            _ => {}
        }
        from = to;
    }
    replaced(html, edits.into_iter())
}

pub(super) fn replaced(html: &str, edits: impl Iterator<Item = (Range<usize>, String)>) -> Cow<'_, str> {
    let mut out = String::new();
    let mut copied = 0;
    for (range, replacement) in edits {
        out.push_str(&html[copied..range.start]);
        out.push_str(&replacement);
        copied = range.end;
    }
    if copied == 0 { Cow::Borrowed(html) } else { Cow::Owned(out + &html[copied..]) }
}

fn renamed(tag: &Tag<'_>, from: &str, to: &str) -> String {
    let mut out = AttributeWriter(format!("<{}", tag.name));
    for (name, value) in tag.attributes.clone() {
        // Other names could end the tag.
        if name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_:".contains(&b)) {
            out.set(if name == from { to } else { &name }, &value);
        }
    }
    out.0 + if tag.self_closing { "/>" } else { ">" }
}

/// Returns the name and text of the heading that an element begins with.
fn first_heading(content: &str) -> Option<(String, String)> {
    let content = &content[..content.floor_char_boundary(START)];
    let mut heading: Option<(String, String)> = None;
    for token in Tokens::new(content).take(MAX_TOKENS) {
        match (token, &mut heading) {
            (Token::Start(tag), None) if is_heading(&tag.name) => {
                heading = Some((tag.name.into_owned(), String::new()))
            }
            (Token::Start(tag), None) if !matches!(&*tag.name, "a" | "span" | "div" | "header") => return None,
            (Token::Text(text), None) if !text.trim().is_empty() => return None,
            (Token::Text(text), Some((_, whole))) => whole.push_str(&references::decode(text)),
            (Token::End(end), Some((name, _))) if end == *name => return heading,
            _ => {}
        }
    }
    None
}

/// Removes elements that contain only a heading, buttons, and links to it or to its editor: Readability removes an element without
/// other text.
fn without_wrappers(html: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut copied = 0;
    let mut tokens = Tokens::new(html);
    while let Some(token) = tokens.next() {
        let to = tokens.position();
        if let Token::Start(tag) = &token
            && matches!(&*tag.name, "div" | "header" | "hgroup")
            && to > copied
            && !names_other(tag)
            && let Some((heading, length)) = wrapped(&html[to..])
            && (names_heading(tag) || precedes_text(&html[to + length..]))
        {
            out.push_str(&html[copied..to - tag.length]);
            out.push_str(&html[to + heading.start..to + heading.end]);
            copied = to + length;
        }
    }
    if copied == 0 { Cow::Borrowed(html) } else { Cow::Owned(out + &html[copied..]) }
}

/// Whether the names of an element are those of boilerplate.
pub(super) fn names_other(tag: &Tag<'_>) -> bool {
    tag.attributes.clone().filter(|(name, _)| matches!(&**name, "class" | "id")).any(|(_, value)| {
        let lower = value.to_ascii_lowercase();
        boilerplate::is_named(&value) || OTHER.iter().any(|part| lower.contains(part))
    })
}

/// Whether the class of an element is that of a wrapper of a heading, as in MediaWiki, GitHub and Elementor.
fn names_heading(tag: &Tag<'_>) -> bool {
    tag.attributes.get("class").is_some_and(|class| class.contains("heading"))
}

/// Whether the content of a section follows, and not the next teaser.
fn precedes_text(html: &str) -> bool {
    let mut in_div = false;
    Tokens::new(&html[..html.floor_char_boundary(START)]).find_map(|token| match token {
        Token::Start(tag) if tag.name == "div" && !names_other(&tag) => {
            in_div = true;
            None
        }
        Token::Start(tag) => {
            Some(matches!(&*tag.name, "p" | "pre" | "ul" | "ol" | "dl" | "blockquote" | "table" | "figure"))
        }
        Token::Text(text) => (!text.trim().is_empty()).then_some(!in_div),
        _ => Some(false),
    }) == Some(true)
}

/// Returns the position of the only heading of an element, and of the end of the element.
fn wrapped(content: &str) -> Option<(Range<usize>, usize)> {
    let content = &content[..content.floor_char_boundary(START)];
    let mut tokens = Tokens::new(content);
    // The open elements inside, and whether each is a button, or a link to the heading or its editor.
    let mut open: Vec<(Cow<'_, str>, bool)> = Vec::new();
    let mut heading: Option<Range<usize>> = None;
    let mut in_heading: Option<Cow<'_, str>> = None;
    let mut text = String::new();
    for _ in 0..MAX_TOKENS {
        let token = tokens.next()?;
        let to = tokens.position();
        if let Some(name) = &in_heading {
            if matches!(&token, Token::End(end) if end == name)
                && let Some(heading) = &mut heading
            {
                heading.end = to;
                in_heading = None;
            }
            continue;
        }
        match token {
            // A heading that is a link belongs to another article.
            Token::Start(tag)
                if is_heading(&tag.name)
                    && tag.name != "h1"
                    && heading.is_none()
                    && open.iter().all(|(name, _)| name != "a") =>
            {
                heading = Some(to - tag.length..to);
                in_heading = Some(tag.name);
            }
            Token::Start(tag)
                if matches!(
                    &*tag.name,
                    "div" | "header" | "hgroup" | "span" | "a" | "button" | "svg" | "path" | "use" | "i"
                ) =>
            {
                if tag.name == "div" && names_other(&tag) || tag.name == "button" && heading.is_none() {
                    return None;
                }
                if !tag.self_closing && !is_void(&tag.name) {
                    let class = tag.attributes.get("class").unwrap_or_default().to_ascii_lowercase();
                    let is_tool = tag.name == "button"
                        || ["edit", "anchor", "permalink", "headerlink"].iter().any(|name| class.contains(name));
                    open.push((tag.name, is_tool));
                }
            }
            Token::Text(more) if open.iter().any(|(_, is_tool)| *is_tool) || more.trim().is_empty() => {}
            Token::Text(more) => text.push_str(more.trim()),
            Token::End(name) => match open.pop() {
                None => {
                    let is_tool = text.starts_with('[') && text.ends_with(']') || !text.contains(char::is_alphanumeric);
                    return heading.filter(|_| is_tool).map(|heading| (heading, to));
                }
                Some((open, _)) if open == name => {}
                Some(_) => return None,
            },
            _ => return None,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hides_ids_of_headings() {
        let html = "<h2 id=cookies class=a>C</h2><h3><span id=Comments>x</span></h3><dt id=share>S</dt>";
        let hidden = hide_ids(html);
        assert_eq!(hidden.matches(" data-hidden-id=").count(), 3, "{hidden}");
        assert_eq!(
            as_written(&hidden),
            "<h2 id=\"cookies\" class=\"a\">C</h2><h3><span id=\"Comments\">x</span></h3><dt id=\"share\">S</dt>"
        );
        assert_eq!(hide_ids("<h2>Nets<a class=x href=#n>&para;</a></h2>"), "<h2>Nets</h2>");
        let harmless = "<h2 id=nets>Nets <a href=b>2</a><a name=n>#</a></h2><div id=share>Tell others</div>";
        assert_eq!(hide_ids(harmless), harmless);
    }

    #[test]
    fn hides_ids_of_sections_named_after_their_headings() {
        let section = |id: &str, name: &str, text: &str| format!("<section id={id}><{name}>{text}</{name}>a</section>");
        let about = section("rss-feeds", "h2", "RSS feeds<a href=#rss-feeds>¶</a>");
        for other in [section("nets", "h2", "Nets"), section("menu", "h1", "Menu")] {
            assert!(hide_ids(&(other + &about)).contains("<section data-hidden-id=\"rss-feeds\">"));
        }
        let consent = section("nets", "h2", "Nets") + &section("consent", "h2", "Consent");
        assert!(hide_ids(&consent).contains("data-hidden-id=\"consent\""));
        // A word that contains another one.
        let shared = section("nets", "h2", "Nets") + &section("shared-nets", "h2", "Shared nets");
        assert_eq!(hide_ids(&shared), shared);
        // A box of other links.
        let boxes = section("related", "h2", "Related") + &section("comments", "h2", "Comments");
        assert_eq!(hide_ids(&boxes), boxes);
    }

    #[test]
    fn lowers_headings_like_the_title() {
        let text =
            "<p>The boats were in the harbour, and no one was about to repair a net or sell a fish before noon.</p>";
        let titles = ["How to repair a net of hemp | The Harbour"];
        let page = |heading: &str| format!("<h2>How to repair a net</h2>{text}{heading}{text}");
        for like in ["Repair a net", "How to repair a new net of hemp"] {
            let lowered = lowered(&page(&format!("<h2 id=a>{like}</h2>")), &titles).into_owned();
            assert_eq!(lowered, page(&format!("<h3 data-lowered id=a>{like}</h3>")));
            let written = as_written(&lowered).into_owned();
            assert_eq!(written, page(&format!("<h2 data-lowered=\"\" id=\"a\">{like}</h2>")));
        }
        for other in [
            "<h2>What is hemp?</h2>",
            "<h2><a href=/>Repair a net</a></h2>",
            "<h3>Repair a net</h3>",
            "<h2>Repair a net",
        ] {
            assert_eq!(lowered(&page(other), &titles), page(other));
        }
    }

    #[test]
    fn removes_wrappers_of_headings() {
        for wrapper in [
            "<div class=mw-heading><h2 id=x>Nets</h2><span class=mw-editsection>[<a href=e>edit</a>]</span></div>",
            "<div><h2 id=x>Nets</h2><span>[<a href=e>edit source</a>]</span></div>",
            "<div class=x><div><h2 id=x>Nets</h2></div>\n</div>",
            "<div class=toggle-heading><h2 id=x>Nets</h2><button>Open</button></div>",
            "<header class=section-header><h2 id=x>Nets</h2><a href=#x><svg><path d=a /></svg></a></header>",
        ] {
            for next in ["<p>b", "<div class=text><div><p>b"] {
                let page = |heading: &str| format!("<p>a</p>{heading}{next}");
                assert_eq!(without_wrappers(&page(wrapper)), page("<h2 id=x>Nets</h2>"), "{wrapper}");
            }
        }
        for kept in [
            "<div><h2>Nets</h2><p>Text</p></div>",
            "<div><h2>Nets</h2>12 May</div>",
            "<div class=related-header><h2>Nets</h2></div>",
            "<div><h2>Nets</h2><h3>Boats</h3></div>",
            "<div><h2>Nets</h2><img src=a></div>",
            "<div><button>Close</button><h2>Nets</h2></div>",
            "<div><a href=b><h2>Nets</h2></a></div>",
            "<div><h2>Nets</h2></div><div>a</div>",
            "<div><h2>Nets</h2></div><div><a href=b>a</a></div>",
            "<div><h2>Nets</h2></div><div class=share><p>a</p></div>",
        ] {
            let kept = format!("{kept}<p>b");
            assert_eq!(without_wrappers(&kept), kept);
        }
    }
}
