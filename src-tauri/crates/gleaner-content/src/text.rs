//! Plain text, excerpts, word counts, and images of articles.

mod words;

use crate::{attributes::TagAttributes, formulas, policy::Context, symbols::symbol, urls::Base};
use gleaner_html::{
    elements::{ends_foreign_content, is_block},
    references,
    tokens::{Head, Token, Tokens},
};
use std::{borrow::Cow, collections::HashSet};
use unicode_segmentation::UnicodeSegmentation;
pub(crate) use words::is_ideograph;
use words::{is_unspaced, run};
pub use words::{reading_minutes, word_count};

/// Returns the text of an article to index: its plain text, and its summary unless the text contains it.
#[must_use]
pub fn with_summary(mut text: String, summary: &str) -> String {
    if !text.contains(summary) {
        if !text.is_empty() {
            text.push_str("\n\n");
        }
        text.push_str(summary);
    }
    text
}

/// Returns the plain text of sanitised or raw HTML, without scripts and styles.
///
/// White space is collapsed except in preformatted text. Blocks are separated by a line break, paragraphs and the like
/// by an empty line.
#[must_use]
pub fn plain_text(html: &str) -> String {
    text_of(html, true)
}

pub(crate) fn text_of(html: &str, with_headings: bool) -> String {
    let mut lines = Lines::default();
    let mut hidden: Option<Hidden> = None;
    let (mut after_formula, mut tex, mut noscript) = (false, None, 0_usize);
    let (mut tokens, mut head) = (Tokens::new(html), Head::default());
    let mut repetitions = formulas::Repetitions::of(html);
    while let Some(token) = tokens.next() {
        if head.is_title(&token, &tokens) {
            continue;
        }
        if let Some(element) = &mut hidden {
            let left = element.is_left_by(&token);
            if left || element.is_closed_by(&token) {
                hidden = None;
            }
            if !left {
                continue;
            }
        }
        match token {
            Token::Raw { of: "textarea" | "title" | "xmp" | "plaintext", text } | Token::Text(text) => {
                after_formula &= text.trim_ascii().is_empty();
                lines.text(text);
            }
            Token::Raw { of: "script", text } => {
                let source = formulas::tex_source(text);
                if let Some((before, after)) = tex.take().filter(|_| !source.is_empty()) {
                    lines.formula(before, source, after);
                }
            }
            Token::Raw { .. } => {}
            Token::Start(tag) => match &*tag.name {
                "template" => hidden = Some(Hidden::new(tag.name)),
                "h1" | "h2" | "h3" | "h4" | "h5" | "h6" if !with_headings => {
                    lines.part(2);
                    hidden = Some(Hidden::new(tag.name));
                }
                // Annotations repeat a formula.
                "svg" | "annotation" | "annotation-xml" if !tag.self_closing => {
                    hidden = Some(Hidden::new(tag.name));
                }
                "span" if after_formula && formulas::is_fallback(&TagAttributes::read(tag.attributes.clone())) => {
                    hidden = Some(Hidden::new(tag.name));
                }
                _ if repetitions.contains(&tag, &tokens) => hidden = Some(Hidden::new(tag.name)),
                "script" => tex = formulas::tex_delimiters(&TagAttributes::read(tag.attributes)),
                "br" => lines.line_break(),
                "pre" | "listing" => {
                    lines.part(2);
                    lines.preformatted += 1;
                }
                "td" | "th" => lines.part_cell(),
                "noscript" => noscript += 1,
                // In `noscript` is the copy of a lazily loaded image.
                "img" | "input" if noscript == 0 => lines.text(&symbol(&tag).unwrap_or_default()),
                name => lines.part(line_breaks_around(name)),
            },
            Token::End(name) => match &*name {
                "noscript" => noscript = noscript.saturating_sub(1),
                "pre" | "listing" => {
                    lines.preformatted = lines.preformatted.saturating_sub(1);
                    lines.part(2);
                }
                name => {
                    after_formula |= name == "math";
                    lines.part(line_breaks_around(name));
                }
            },
        }
    }
    lines.out
}

/// An element whose content is not displayed.
struct Hidden {
    name: String,
    /// Number of open elements of this name, including itself.
    depth: usize,
}

impl Hidden {
    fn new(name: Cow<'_, str>) -> Self {
        Self { name: name.into_owned(), depth: 1 }
    }

    /// Counts the elements of this name within it, and returns whether the token is its end tag.
    fn is_closed_by(&mut self, token: &Token<'_>) -> bool {
        match token {
            Token::Start(tag) if *tag.name == *self.name && !tag.self_closing => self.depth += 1,
            Token::End(name) if **name == *self.name => self.depth -= 1,
            _ => {}
        }
        self.depth == 0
    }

    /// Returns whether the token shows that the element was not closed. The token is displayed.
    fn is_left_by(&self, token: &Token<'_>) -> bool {
        match token {
            Token::Start(tag) => {
                matches!(&*self.name, "svg" | "annotation" | "annotation-xml") && ends_foreign_content(&tag.name)
            }
            Token::End(end) => end == "math" && self.name.starts_with("annotation"),
            _ => false,
        }
    }
}

/// Returns the number of line breaks before and after an element.
fn line_breaks_around(name: &str) -> usize {
    match name {
        "p" | "blockquote" | "table" | "figure" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "ul" | "ol" | "dl"
        | "hr" | "section" | "article" => 2,
        "option" | "title" => 1,
        name if is_block(name) => 1,
        _ => 0,
    }
}

#[derive(Debug, Default)]
struct Lines {
    out: String,
    /// Line breaks to write before the next word.
    breaks: usize,
    space: bool,
    cell: bool,
    preformatted: usize,
    /// The spaces before the next word of preformatted text. They may be in other elements, as in coloured code.
    spaces: String,
}

impl Lines {
    fn part(&mut self, breaks: usize) {
        if breaks > 0 {
            self.breaks = self.breaks.max(breaks);
            self.cell = false;
            self.spaces.clear();
        }
    }

    fn part_cell(&mut self) {
        self.cell = self.breaks == 0;
    }

    fn line_break(&mut self) {
        self.breaks = (self.breaks + 1).min(2);
        self.spaces.clear();
    }

    fn text(&mut self, source: &str) {
        let text = references::decode(source);
        if self.preformatted > 0 {
            for (number, line) in text.split('\n').enumerate() {
                if number > 0 {
                    self.breaks += 1;
                    self.space = false;
                    self.spaces.clear();
                }
                let words = line.trim_end();
                if !words.is_empty() {
                    self.write_pending_space();
                    self.out.push_str(words);
                }
                self.spaces.push_str(&line[words.len()..]);
            }
            return;
        }
        if is_one_line(&text) {
            self.space |= text.starts_with(' ');
            let words = text.trim_matches(' ');
            if !words.is_empty() {
                self.write_pending_space();
                self.out.push_str(words);
                self.space = text.ends_with(' ');
            }
            return;
        }
        let mut rest = &*text;
        loop {
            let spaces = leading_spaces(rest);
            self.space |= spaces > 0;
            rest = &rest[spaces..];
            if rest.is_empty() {
                return;
            }
            let end = line_end(rest);
            self.write_pending_space();
            self.out.push_str(&rest[..end]);
            rest = &rest[end..];
        }
    }

    /// Writes TeX as it is.
    fn formula(&mut self, before: &str, source: &str, after: &str) {
        self.write_pending_space();
        self.out.push_str(before);
        for (number, word) in source.split_whitespace().enumerate() {
            if number > 0 {
                self.out.push(' ');
            }
            self.out.push_str(word);
        }
        self.out.push_str(after);
    }

    /// Writes the pending white space before a word.
    fn write_pending_space(&mut self) {
        if !self.out.is_empty() {
            if self.breaks > 0 {
                for _ in 0..self.breaks {
                    self.out.push('\n');
                }
            } else if self.cell {
                self.out.push('\t');
            } else if self.space && self.spaces.is_empty() {
                self.out.push(' ');
            }
        }
        self.out.push_str(&self.spaces);
        self.spaces.clear();
        (self.breaks, self.space, self.cell) = (0, false, false);
    }
}

/// Whether a text consists of words that are separated by single spaces, like most texts. A quick check without branches, which is false
/// for some of these texts.
fn is_one_line(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_other = |byte: u8| (byte < b' ') | (byte == 0xc2);
    let pairs = bytes.iter().zip(bytes.get(1..).unwrap_or_default());
    let any_other = pairs.fold(0, |any, (one, next)| any | u8::from(is_other(*one) | (*one == b' ') & (*next == b' ')));
    any_other == 0 && !bytes.last().is_some_and(|last| is_other(*last))
}

/// Returns the length of the white space at the start of a text, if any.
fn space_length(bytes: &[u8]) -> Option<usize> {
    match bytes {
        [b' ' | b'\t' | b'\n' | b'\r' | b'\x0c', ..] => Some(1),
        // U+00A0
        [0xc2, 0xa0, ..] => Some(2),
        _ => None,
    }
}

fn leading_spaces(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(length) = space_length(&bytes[at..]) {
        at += length;
    }
    at
}

/// Returns the length of the words at the start of a text that are separated by single spaces, and so need no change.
fn line_end(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    loop {
        at += run(&bytes[at..], |byte| byte > b' ' && byte != 0xc2);
        match bytes.get(at) {
            None => return at,
            Some(b' ') if at + 1 == bytes.len() || space_length(&bytes[at + 1..]).is_some() => return at,
            Some(b' ') => {}
            Some(_) if space_length(&bytes[at..]).is_some() => return at,
            Some(_) => {}
        }
        at += 1;
    }
}

/// Returns the start of a plain text on one line: at most `characters` long including the ellipsis, cut between words.
#[must_use]
pub fn excerpt(text: &str, characters: usize) -> String {
    let mut out = String::new();
    let (mut length, mut cut) = (0, 0);
    let mut words = text.split_whitespace();
    for word in words.by_ref() {
        let space = usize::from(!out.is_empty());
        let wide = if word.is_ascii() { word.len() } else { word.chars().take(characters + 1).count() };
        if length + space + wide > characters {
            // Scripts without spaces are one long word and are cut at the last character that fits.
            let room = characters.saturating_sub(length + space + 1);
            let unspaced = word.chars().take(room).filter(|c| is_unspaced(*c)).count() * 2 > room;
            if out.is_empty() || unspaced && room > 0 {
                if space > 0 {
                    out.push(' ');
                }
                out.extend(word.graphemes(true).scan(0, |taken, g| {
                    *taken += g.chars().count();
                    (*taken <= room).then_some(g)
                }));
            } else if length + 1 > characters {
                out.truncate(cut);
            }
            let trimmed = out.trim_end_matches([',', ';', ':', '–', '—', '-', ' ']).len();
            out.truncate(trimmed);
            if characters > 0 {
                out.push('…');
            }
            return out;
        }
        cut = out.len();
        if space > 0 {
            out.push(' ');
        }
        out.push_str(word);
        length += space + wide;
    }
    out
}

/// Number of images that are examined to find a visible one.
const MAX_IMAGES_TRIED: usize = 8;

/// Returns the absolute web address of the first image that the reading pane would show.
///
/// The HTML may be raw. Relative addresses are resolved against `base`, and ignored without one.
#[must_use]
pub fn first_image(html: &str, base: Option<&str>) -> Option<String> {
    let tags = html.match_indices('<').map(|(at, _)| at);
    let mut images = tags
        .filter(|at| html.as_bytes()[*at..].get(1..4).is_some_and(|name| name.eq_ignore_ascii_case(b"img")))
        .filter_map(|at| match Tokens::new(&html[at..]).next() {
            Some(Token::Start(tag)) if tag.name == "img" && symbol(&tag).is_none() => Some(tag),
            _ => None,
        })
        .take(MAX_IMAGES_TRIED)
        .peekable();
    images.peek()?;
    let base = base.and_then(|base| Base::read(base, html.len()));
    let context = Context { base, ..Context::default() };
    images
        .filter_map(|tag| context.image_source(&TagAttributes::read(tag.attributes)))
        .map(|(src, _)| src)
        .find(|src| src.starts_with("http"))
}

/// Returns the addresses of the images in sanitised HTML, each once, in order.
#[must_use]
pub fn image_urls(html: &str) -> Vec<String> {
    let (mut found, mut seen) = (Vec::new(), HashSet::new());
    for token in Tokens::new(html) {
        let Token::Start(tag) = token else { continue };
        if tag.name != "img" {
            continue;
        }
        let source = TagAttributes::read(tag.attributes).get("src").map(|src| src.trim().to_owned());
        found.extend(source.filter(|src| src.starts_with("http") && seen.insert(src.clone())));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn writes_blocks_on_lines_of_their_own() {
        assert_eq!(plain_text("<p>a\n b</p><p>c<br>d<ul><li>e<li>f</ul>g"), "a b\n\nc\nd\n\ne\nf\n\ng");
        assert_eq!(plain_text("<table><tr><td>a<td>b<tr><td>c</table>"), "a\tb\nc");
        assert_eq!(plain_text("a<b>b</b>c <i> d</i>"), "abc d");
        assert_eq!(plain_text("<pre>a\n  b\n\nc</pre>d"), "a\n  b\n\nc\n\nd");
    }

    #[test]
    fn keeps_the_spaces_of_code_in_elements() {
        let html = "<table><tr><td><pre>1\n2</pre><td><pre><b>func</b> <i>main</i>() \n  <b>if</b><i> </i>x  <br> <p>d</pre></table> e";
        assert_eq!(plain_text(html), "1\n2\n\nfunc main()\n  if x\n\nd\n\ne");
        assert_eq!(plain_text("<p>a <pre> <b> b</b></pre>"), "a\n\n  b");
    }

    #[test]
    fn emoji_and_boxes_are_text_and_no_images() {
        let emoji = "<img class=emoji src=https://a.example/1f389.png alt=🎉>";
        let text = format!("<p>Ripe {emoji} plums</p><ul><li><input type=checkbox disabled checked> Pears</ul>");
        assert_eq!(plain_text(&text), "Ripe 🎉 plums\n\n☑ Pears");
        let image = format!("{emoji}<img src=https://a.example/plum.png>");
        assert_eq!(first_image(&image, None).as_deref(), Some("https://a.example/plum.png"));
    }

    #[test]
    fn the_title_of_a_page_is_not_part_of_its_text() {
        assert_eq!(plain_text("<html><head><title>x</title></head><body><p>a</p></body></html>"), "a");
        assert_eq!(plain_text("<!DOCTYPE html><html> <title>x</title><body>a <title>y</title>"), "a\ny");
        assert_eq!(plain_text("<head><title>a <p>b"), "a <p>b");
    }

    #[test]
    fn an_unclosed_svg_hides_nothing() {
        assert_eq!(plain_text("a<svg><title>x</title><path><p>b</p>"), "a\n\nb");
        assert_eq!(plain_text("a<svg><title>x</title></svg>b"), "ab");
    }

    #[test]
    fn decodes_references_and_drops_scripts() {
        assert_eq!(plain_text("A &amp; B, 1 &lt; 2<script>x</script><style>y</style>&nbsp;&copy;"), "A & B, 1 < 2 ©");
    }

    #[test]
    fn lists_each_image_once() {
        let html = crate::sanitise(
            "<img src=/a.png><p><img src='b.png?x=1&amp;y=2' srcset='c.png 2x'><img src=/a.png><img src='data:image/png;base64,AA'>",
            Some("https://a.example/d/"),
        );
        assert_eq!(image_urls(&html), ["https://a.example/a.png", "https://a.example/d/b.png?x=1&y=2"]);
    }

    #[test]
    fn cuts_excerpts_between_words() {
        assert_eq!(excerpt("one two three", 13), "one two three");
        assert_eq!(excerpt("one two, three", 12), "one two…");
        assert_eq!(excerpt("incomprehensible", 6), "incom…");
        assert_eq!(excerpt("私は猫である名前はまだ無い", 6), "私は猫であ…");
        for length in 0..20 {
            assert!(excerpt("one two three 私は猫である four", length).chars().count() <= length, "{length}");
        }
    }

    #[test]
    fn counts_words() {
        assert_eq!(word_count("It's 3.5 words, isn't it?"), 5);
        assert_eq!(word_count("我喜欢 Rust"), 4);
        assert_eq!(word_count("ひらがな"), 4);
        assert_eq!(word_count("안녕하세요 세계"), 2);
        assert!(word_count("สวัสดีชาวโลก") >= 2);
        assert_eq!(word_count(" – ! "), 0);
        assert_eq!(word_count("(one) \"two\", three_four five-six _ C++"), 6);
        assert_eq!(reading_minutes(""), 0);
        assert_eq!(reading_minutes(&"word ".repeat(460)), 2);
        assert_eq!(reading_minutes(&"字".repeat(1000)), 2);
    }

    proptest! {
        #[test]
        fn counts_the_words_of_the_standard(text in "[ab1_.,'\"(:\\-\t\n \u{a0}\u{2003}\u{301}éж]{0,40}") {
            prop_assert_eq!(word_count(&text) as usize, text.unicode_words().count(), "{:?}", text);
        }

        #[test]
        fn collapses_white_space(text in "[ab\t\n\r \u{a0}\u{2003}é¢]{0,30}") {
            let is_space = |c: char| matches!(c, ' ' | '\t' | '\n' | '\r' | '\u{a0}');
            let words: Vec<&str> = text.split(is_space).filter(|word| !word.is_empty()).collect();
            prop_assert_eq!(plain_text(&text), words.join(" "));
            let both = format!("{text}<b>{text}</b>");
            let all = format!("{text}{text}");
            prop_assert_eq!(plain_text(&both), plain_text(&all));
        }
    }

    #[test]
    fn the_first_image_is_not_a_tracking_pixel() {
        let html = "<img src='https://a.example/1x1.gif'><img width=1 height=1 src='https://a.example/b'><img src='https://a.example/c.jpg'>";
        assert_eq!(first_image(html, None).as_deref(), Some("https://a.example/c.jpg"));
        assert_eq!(first_image("<p>none", None), None);
        let relative = "<imgx src=/a><IMG src='data:image/gif;base64,x' data-src='b.jpg'><img src=/c.jpg";
        assert_eq!(first_image(relative, Some("https://a.example/d/")).as_deref(), Some("https://a.example/d/b.jpg"));
        assert_eq!(first_image(relative, None), None);
    }
}
