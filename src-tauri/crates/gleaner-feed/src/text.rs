//! Titles and other plain text: removes markup, decodes entities and collapses white space, whether the text was
//! written as text or as HTML, encoded once or twice.

use crate::{encoded_words, encoding::repair_controls};
use gleaner_html::elements;
use gleaner_html::tokens::{Token, Tokens};
pub(crate) use gleaner_html::{
    elements::is_html as is_html_name,
    escape::lines as to_html,
    references::{decode_terminated as decode, has_bare_ampersand, join_surrogates, reference},
};
use std::borrow::Cow;

/// Repairs the text of an element: references to C1 controls and to surrogates, and escaped CDATA markers.
pub(crate) fn repaired(text: &str) -> Cow<'_, str> {
    applied([repair_controls, join_surrogates, without_cdata], text)
}

/// Repairs the text of markup: references to C1 controls and to surrogates. It may show CDATA markers.
pub(crate) fn repaired_characters(text: &str) -> Cow<'_, str> {
    applied([repair_controls, join_surrogates], text)
}

fn applied<const N: usize>(repairs: [fn(&str) -> Cow<'_, str>; N], text: &str) -> Cow<'_, str> {
    repairs.into_iter().fold(Cow::Borrowed(text), |text, repair| match text {
        Cow::Borrowed(text) => repair(text),
        Cow::Owned(text) => Cow::Owned(repair(&text).into_owned()),
    })
}

/// Minimum number of tags for which text that begins and ends with one is escaped markup, and not a mention of it.
const ESCAPED_TAGS: usize = 4;

/// Returns HTML that was escaped once too often: it has no tags, and would display nothing but source text.
pub(crate) fn without_second_escaping(html: String) -> String {
    if !html.trim_start().starts_with("&lt;") || html.contains('<') {
        return html;
    }
    let decoded = decode(&html);
    let inside = decoded.trim();
    let mut tags = 0;
    let mut rest = if inside.ends_with('>') { inside } else { "" };
    while let Some(from) = rest.find('<').and_then(|at| rest.get(at..)).filter(|_| tags < ESCAPED_TAGS) {
        let found = markup(from);
        let is_tag = found.as_ref().is_some_and(|found| !found.name.is_empty());
        // The text has to begin with a tag.
        if !is_tag && tags == 0 {
            break;
        }
        tags += usize::from(is_tag);
        rest = from.get(found.map_or(1, |found| found.length)..).unwrap_or("");
    }
    if tags < ESCAPED_TAGS { html } else { decoded }
}

/// Returns the content of a CDATA section whose markers were escaped, so that HTML would not display it.
fn without_cdata(text: &str) -> Cow<'_, str> {
    let inside = text.trim();
    for (opening, terminator) in [("<![CDATA[", "]]>"), ("&lt;![CDATA[", "]]&gt;")] {
        let Some(content) = inside.strip_prefix(opening) else { continue };
        if content.ends_with(terminator) {
            return Cow::Owned(content.replace(opening, "").replace(terminator, ""));
        }
        // The terminator of a section in a section lost its end to the outer one.
        if let Some(content) = content.strip_suffix("]]").filter(|content| !content.contains("]]")) {
            return Cow::Owned(content.to_owned());
        }
    }
    Cow::Borrowed(text)
}

/// Returns the URL of the only link in HTML.
pub(crate) fn only_link(html: &str) -> Option<String> {
    if !html.contains('<') {
        return None;
    }
    let mut links = Tokens::new(html).filter_map(|token| match token {
        Token::Start(tag) if tag.name == "a" => tag.attributes.get("href"),
        _ => None,
    });
    let link = links.next()?;
    links.next().is_none().then(|| link.into_owned())
}

/// Collapses white space to single spaces and trims both ends. No-break spaces count as white space.
pub(crate) fn collapse(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split(|c: char| c.is_whitespace() || c == '\u{feff}' || c.is_control()) {
        if !word.is_empty() {
            if !out.is_empty() {
                out.push(' ');
            }
            out.push_str(word);
        }
    }
    out
}

/// Returns collapsed text; `None` if it is empty.
pub(crate) fn line(text: &str) -> Option<String> {
    let text = collapse(text);
    (!text.is_empty()).then_some(text)
}

/// Returns the text of HTML as a single line. Text that mentions tags and has no markup keeps them: `How to use <details>`.
pub(crate) fn line_of_html(html: &str) -> Option<String> {
    let mentions = if looks_like_markup(html) { Tags::Markup } else { Tags::Mentioned };
    let line = line(&strip(html, mentions, usize::MAX))?;
    Some(encoded_words::decoded(&line).and_then(|decoded| self::line(&decoded)).unwrap_or(line))
}

/// Length of the beginning of an article's text in which its first line is searched for, in bytes.
const BEGINNING: usize = 16_384;

/// Returns the first line of the text of HTML, cut at a word to at most `most` characters.
pub(crate) fn first_line_of_html(html: &str, most: usize) -> Option<String> {
    // Only the beginning matters, and an article may have ten megabytes. A large inline image or style may precede it.
    let text = strip(html, Tags::Lines, BEGINNING);
    let first = text.split(['\n', '\r']).find_map(line).or_else(|| line(&text))?;
    Some(shorten(&first, most))
}

/// Shortens a line to at most `most` characters, at a word, with an ellipsis.
pub(crate) fn shorten(text: &str, most: usize) -> String {
    let Some((cut, _)) = text.char_indices().nth(most) else { return text.to_owned() };
    let head = text.get(..cut).unwrap_or(text);
    let word = head.rfind(' ').filter(|at| *at > cut / 2).unwrap_or(cut);
    format!("{}…", head.get(..word).unwrap_or(head).trim_end_matches([' ', ',', ';', ':', '-']))
}

/// The kind of tags in a text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tags {
    /// Markup, in which blocks begin lines.
    Lines,
    /// Markup of a single line.
    Markup,
    /// Markup, or mentioned in the text.
    Mentioned,
}

/// Removes markup and decodes references, up to about `limit` bytes of text. Tags without an HTML name are text:
/// `Vec<String>` stays.
fn strip(html: &str, tags: Tags, limit: usize) -> String {
    let mut out = String::with_capacity(html.len().min(limit));
    let mut rest = html;
    let mut is_blank = true;
    // No tag ends after the last `>`; looking for an end from each `<` would be quadratic.
    let last_end = html.rfind('>').map_or(usize::MAX, |at| html.len() - at);
    while let Some(at) = rest.find(['<', '&']) {
        let (before, from) = rest.split_at(at);
        if out.len() + before.len() > limit {
            break;
        }
        out.push_str(before);
        is_blank &= before.trim().is_empty() && !from.starts_with('&');
        if from.starts_with('&') {
            match reference(from) {
                Some((decoded, length)) => {
                    decoded.push_to(&mut out);
                    rest = from.get(length..).unwrap_or("");
                }
                None => {
                    out.push('&');
                    rest = from.get(1..).unwrap_or("");
                }
            }
            continue;
        }
        let tag = if from.len() >= last_end || from.starts_with("<!--") { markup(from) } else { None };
        match tag {
            Some(Markup { length, name }) if tags == Tags::Mentioned && is_mention(from, length, &name, is_blank) => {
                out.push_str(from.get(..length).unwrap_or(""));
                rest = from.get(length..).unwrap_or("");
                is_blank = false;
            }
            Some(Markup { length, name }) => {
                rest = from.get(length..).unwrap_or("");
                if tags == Tags::Lines && is_block(&name) {
                    out.push('\n');
                } else if is_block(&name) {
                    out.push(' ');
                }
                if matches!(name.as_str(), "script" | "style") {
                    let end = find_ignoring_case(rest, &format!("</{name}"));
                    rest = end.and_then(|end| rest.get(end..)).unwrap_or("");
                }
            }
            None => {
                is_blank = false;
                out.push('<');
                rest = from.get(1..).unwrap_or("");
            }
        }
    }
    let end = rest.floor_char_boundary(limit.saturating_sub(out.len()));
    out.push_str(rest.get(..end).unwrap_or_default());
    out
}

/// Tags that format text: they may have lost their end tag when the text was cut.
const FORMATTING: &str = "abbr acronym b bdi bdo big blink blockquote center cite code dd del dfn dt em font h1 h2 h3 h4 h5 h6 i \
    ins kbd label li mark marquee nobr ol q rt ruby s samp small strike strong sub sup td th time tr tt u ul var wbr";

/// Tags that contain the whole text if they are at its start.
const CONTAINERS: &str = "a article body div header html main nav pre section span table title";

/// Whether the tag at the start of a text is mentioned there: a whole word without attributes that is not formatting. `is_first`
/// tells whether no text is before it.
fn is_mention(from: &str, length: usize, name: &str, is_first: bool) -> bool {
    let is_bare = length == name.len() + 2 && !name.starts_with('/');
    let ends_word = from.get(length..).is_some_and(|after| !after.starts_with(char::is_alphanumeric));
    let is_in = |tags: &str| tags.split(' ').any(|tag| tag == name);
    let is_markup = is_in(FORMATTING) || is_first && is_in(CONTAINERS);
    is_bare && ends_word && !is_markup
}

/// A tag, comment or similar at the start of a text.
struct Markup {
    length: usize,
    /// Lower-case name; with a leading `/` for end tags, empty for comments.
    name: String,
}

fn markup(from: &str) -> Option<Markup> {
    if let Some(comment) = from.strip_prefix("<!--") {
        let length = comment.find("-->").map_or(from.len(), |end| end + 7);
        return Some(Markup { length, name: String::new() });
    }
    if from.starts_with("<!") || from.starts_with("<?") {
        return Some(Markup { length: from.find('>')? + 1, name: String::new() });
    }
    let inside = from.get(1..)?;
    let closing = inside.starts_with('/');
    let start = inside.strip_prefix('/').unwrap_or(inside);
    let end = start.find(|c: char| !c.is_ascii_alphanumeric() && c != ':' && c != '-').unwrap_or(start.len());
    let name = start.get(..end)?.to_ascii_lowercase();
    let after = start.get(end..)?;
    let is_tag = after.starts_with(|c: char| c.is_whitespace() || c == '>' || c == '/') && begins_attributes(after);
    if !is_html_name(&name) || !is_tag {
        return None;
    }
    let mut quote = None;
    let tag_end = after.char_indices().find_map(|(at, c)| match (quote, c) {
        (None, '>') => Some(at),
        (None, '"' | '\'') => {
            quote = Some(c);
            None
        }
        (Some(q), c) if q == c => {
            quote = None;
            None
        }
        _ => None,
    });
    // An apostrophe in broken markup must not swallow the title.
    let tag_end = tag_end.or_else(|| after.find('>'))?;
    let length = from.len() - after.len() + tag_end + 1;
    let name = if closing { format!("/{name}") } else { name };
    Some(Markup { length, name })
}

/// Whether the text after the name of a tag may be the rest of a tag, unlike that in `a<b && c>d`.
pub(crate) fn begins_attributes(after: &str) -> bool {
    let next = after.trim_start().chars().next();
    next.is_none_or(|c| c.is_alphabetic() || matches!(c, '>' | '/' | '<' | '_' | ':' | '@' | '"' | '\''))
}

fn find_ignoring_case(text: &str, needle: &str) -> Option<usize> {
    text.as_bytes().windows(needle.len()).position(|w| w.eq_ignore_ascii_case(needle.as_bytes()))
}

/// Whether an element begins a new line in a title.
fn is_block(tag: &str) -> bool {
    let name = tag.strip_prefix('/').unwrap_or(tag);
    elements::is_block(name) || matches!(name, "br" | "title")
}

/// Whether text looks like HTML: it contains a tag with an HTML name, or a reference.
pub(crate) fn looks_like_html(text: &str) -> bool {
    let mut rest = text;
    let last_end = text.rfind('>').map_or(usize::MAX, |at| text.len() - at);
    while let Some(at) = rest.find(['<', '&']) {
        let from = rest.get(at..).unwrap_or("");
        let found = if from.starts_with('<') {
            from.len() >= last_end && markup(from).is_some()
        } else {
            reference(from).is_some()
        };
        if found {
            return true;
        }
        rest = from.get(1..).unwrap_or("");
    }
    false
}

/// Whether text is certainly markup: it closes an element, or has a void one. `<blink>` alone may be a mention.
pub(crate) fn looks_like_markup(text: &str) -> bool {
    // No tag ends after the last `>`.
    let mut rest = text.rfind('>').and_then(|end| text.get(..=end)).unwrap_or("");
    while let Some(at) = rest.find('<') {
        let from = rest.get(at..).unwrap_or("");
        let mut length = 1;
        if let Some(found) = markup(from) {
            if found.name.starts_with('/') || matches!(found.name.as_str(), "p" | "br" | "hr" | "img") {
                return true;
            }
            length = found.length;
        }
        rest = from.get(length..).unwrap_or("");
    }
    false
}

/// Whether an element displays something without any text.
pub(crate) fn is_media(name: &str) -> bool {
    matches!(
        name,
        "audio"
            | "canvas"
            | "embed"
            | "iframe"
            | "image"
            | "img"
            | "input"
            | "math"
            | "object"
            | "picture"
            | "svg"
            | "video"
    )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn titles_become_plain_text() {
        for (html, plain) in [
            ("Plain text with <b>bold</b>", "Plain text with bold"),
            ("A & B, 1 < 2", "A & B, 1 < 2"),
            ("A &amp; B, 1 &lt; 2", "A & B, 1 < 2"),
            ("Vec<String> or not", "Vec<String> or not"),
            ("a<br>b", "a b"),
            ("x <!-- y --> z", "x z"),
            ("  two\n lines ", "two lines"),
            ("?a=1&copy=2", "?a=1&copy=2"),
            ("if a<b && c>d", "if a<b && c>d"),
            ("if a<b = c>d", "if a<b = c>d"),
            ("x<a @y> z", "x z"),
            ("How to use <div>, <span> and <details>", "How to use <div>, <span> and <details>"),
            ("<script> tags &amp; <Style>", "<script> tags & <Style>"),
            ("The <video> of a <i>cat</i>", "The of a cat"),
            ("<div>Cut off", "Cut off"),
            ("<span class=x> Cut off", "Cut off"),
            ("An <em> important", "An important"),
            ("a <br> b <div> c", "a b c"),
            ("x <sup> 2", "x 2"),
            ("Plums <wbr> and pears", "Plums and pears"),
            ("<ul><li> One <li> Two", "One Two"),
            ("When to use <a> vs <button>", "When to use <a> vs <button>"),
            ("<title> Plums", "Plums"),
            ("<article> <header> Plums", "Plums"),
            ("Why <div> and <header> matter", "Why <div> and <header> matter"),
        ] {
            assert_eq!(line_of_html(html).unwrap(), plain);
        }
        for tag in [
            "abbr", "b", "cite", "code", "del", "div", "h4", "h5", "h6", "ins", "li", "mark", "nobr", "q", "span",
            "strike", "sub", "td",
        ] {
            assert_eq!(line_of_html(&format!("<{tag}> Plums")).unwrap(), "Plums");
        }
        assert_eq!(line_of_html(" <p></p> "), None);
    }

    #[test]
    fn escaped_cdata_markers_are_removed() {
        for (text, repaired_text) in [
            ("<![CDATA[Plums]]>", "Plums"),
            (" <![CDATA[Plums &amp; ]]><![CDATA[<b>pears</b>]]>", "Plums &amp; <b>pears</b>"),
            ("Plums &#55356;&#57168; &#8230;", "Plums 🍐 &#8230;"),
            ("<![CDATA[Plums]]", "Plums"),
            ("&lt;![CDATA[<b>Plums</b>]]&gt;", "<b>Plums</b>"),
            ("<![CDATA[a]] b]]", "<![CDATA[a]] b]]"),
            ("a <![CDATA[ b", "a <![CDATA[ b"),
            ("<![CDATA[ explained", "<![CDATA[ explained"),
        ] {
            assert_eq!(repaired(text), repaired_text);
        }
    }

    #[test]
    fn html_that_was_escaped_twice_is_read_as_html() {
        let twice = |html: &str| without_second_escaping(html.replace('&', "&amp;").replace('<', "&lt;"));
        for html in [
            "<p>Ripe <b>plums</b> &amp; pears, 1 &lt; 2</p>",
            " <div class=\"a\">a<br>b</div><img src='c'>\n",
            "<p>One</p><p>Two</p>",
        ] {
            assert_eq!(twice(html), html);
            assert_eq!(without_second_escaping(html.to_owned()), html);
        }
        for text in [
            "<p>plums</p>",
            "The <b>b</b> and <i>i</i> elements <hr>",
            "<b>One</b> and <i>two</i>, or not",
            "a < b > c",
        ] {
            let escaped = text.replace('<', "&lt;");
            assert_eq!(without_second_escaping(escaped.clone()), escaped);
        }
        let code = "<p>Use &lt;p>&lt;b>&lt;/b>&lt;/p></p>";
        assert_eq!(without_second_escaping(code.to_owned()), code);
    }

    #[test]
    fn the_first_line_comes_after_an_inline_image() {
        let image = format!("<p><img alt='' src=\"data:image/png;base64,{}\"></p>", "iVBORw0KGgo".repeat(9000));
        assert_eq!(first_line_of_html(&format!("{image}{image}<p>Plums</p><p>Pears</p>"), 100).unwrap(), "Plums");
        assert_eq!(first_line_of_html(&format!("<p>Plums</p>{image}"), 100).unwrap(), "Plums");
        assert_eq!(first_line_of_html(&image, 100), None);
        let style = format!("<style>{}</style>", "p { margin: 0 }\n".repeat(9000));
        assert_eq!(first_line_of_html(&format!("<!--{image}-->{style}Plums<br>Pears"), 100).unwrap(), "Plums");
        let letters = "a ".repeat(BEGINNING);
        assert_eq!(first_line_of_html(&format!("1 < 2 {letters}"), 9).unwrap(), "1 < 2 a…");
    }

    #[test]
    fn first_line_ends_with_the_first_block() {
        assert_eq!(first_line_of_html("<p>One <b>two</b></p><p>Three</p>", 100).unwrap(), "One two");
        assert_eq!(first_line_of_html("aaaa bbbb cccc", 9).unwrap(), "aaaa bbbb…");
    }
}
