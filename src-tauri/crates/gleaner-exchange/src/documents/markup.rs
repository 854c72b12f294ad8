//! Converts sanitised HTML to markup that HTML and XML parsers read in the same way, and that loads nothing.

use dom_query::{Document, NodeRef};
use gleaner_html::{elements::is_void, escape};
use std::collections::HashSet;
use url::Url;

/// Elements that are kept unchanged.
#[rustfmt::skip]
const STAY: &[&str] = &[
    "a", "abbr", "address", "article", "aside", "b", "bdi", "bdo", "blockquote", "br", "caption", "cite", "code", "col", "colgroup", "data", "dd",
    "del", "dfn", "div", "dl", "dt", "em", "figcaption", "figure", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "i", "img", "ins", "kbd", "li", "mark",
    "ol", "p", "pre", "q", "rp", "rt", "ruby", "s", "samp", "section", "small", "span", "strong", "sub", "sup", "table", "tbody", "td", "tfoot",
    "th", "thead", "time", "tr", "u", "ul",
];
/// Elements that are replaced by another.
const OTHERWISE: [(&str, &str); 9] = [
    ("strike", "s"),
    ("tt", "code"),
    ("acronym", "abbr"),
    ("center", "div"),
    ("menu", "ul"),
    ("dir", "ul"),
    ("main", "div"),
    ("details", "div"),
    ("summary", "p"),
];

/// Maximum number of tags of an article that is exported with them: the tree of its elements takes many times its length.
const MAX_TAGS: usize = 400_000;

/// Parses an article's sanitised HTML. Of an article with too many tags, only the text is in the tree.
pub fn tree(html: &str) -> Document {
    if html.bytes().filter(|byte| *byte == b'<').count() <= MAX_TAGS {
        return Document::fragment(html);
    }
    Document::fragment(format!("<pre>{}</pre>", escaped(&gleaner_content::plain_text(html))))
}

/// Returns an article's markup. `image` returns the source for an image's address; without one, a link replaces the image.
pub fn markup(html: &str, image: &dyn Fn(&str) -> Option<String>) -> String {
    let tree = tree(html);
    let ids: HashSet<String> = tree
        .select("[id]")
        .nodes()
        .iter()
        .filter_map(|node| node.attr("id"))
        .map(|id| id.to_string())
        .filter(|id| is_name(id))
        .collect();
    let mut out = Out { text: String::with_capacity(html.len()), ids, seen: HashSet::new(), in_link: 0, image };
    out.children(&tree.root());
    out.text
}

/// Escapes text for markup.
pub fn escaped(text: &str) -> String {
    // XML cannot represent these characters at all.
    let is_forbidden =
        |c| matches!(c, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}');
    escape::attribute(&text.replace(is_forbidden, ""))
}

struct Out<'a> {
    text: String,
    ids: HashSet<String>,
    seen: HashSet<String>,
    in_link: usize,
    image: &'a dyn Fn(&str) -> Option<String>,
}

impl Out<'_> {
    fn children(&mut self, node: &NodeRef<'_>) {
        for child in node.children() {
            if child.is_text() {
                self.text.push_str(&escaped(&child.text()));
            } else if child.is_element() {
                self.element(&child);
            }
        }
    }

    fn element(&mut self, node: &NodeRef<'_>) {
        let name = node.node_name().unwrap_or_default().to_lowercase();
        match name.as_str() {
            "img" => self.image(node),
            "audio" | "video" => self.media(node),
            "math" => {
                let words = node.attr("alttext").map_or_else(|| node.text().to_string(), |words| words.to_string());
                self.text.push_str(&escaped(words.trim()));
            }
            "a" => self.link(node),
            "script" | "style" | "template" | "source" | "wbr" => {}
            name => {
                let name = OTHERWISE.iter().find(|(from, _)| *from == name).map_or(name, |(_, to)| to);
                if STAY.contains(&name) { self.whole(name, node) } else { self.children(node) }
            }
        }
    }

    fn whole(&mut self, name: &str, node: &NodeRef<'_>) {
        self.text.push('<');
        self.text.push_str(name);
        self.attributes(name, node);
        if is_void(name) {
            self.text.push_str("/>");
            return;
        }
        self.text.push('>');
        self.children(node);
        self.text.push_str(&format!("</{name}>"));
    }

    fn attributes(&mut self, name: &str, node: &NodeRef<'_>) {
        if let Some(id) =
            node.attr("id").map(|id| id.to_string()).filter(|id| is_name(id) && self.seen.insert(id.clone()))
        {
            self.text.push_str(&format!(" id=\"{}\"", escaped(&id)));
        }
        if let Some(language) = node.attr("lang").filter(|tag| is_language(tag)) {
            self.text.push_str(&format!(" lang=\"{language}\" xml:lang=\"{language}\""));
        }
        let own: &[&str] = match name {
            "td" | "th" => &["colspan", "rowspan"],
            "col" | "colgroup" => &["span"],
            "ol" => &["start"],
            "li" => &["value"],
            _ => &[],
        };
        let number = |value: &str| value.parse::<i32>().is_ok();
        for attribute in own {
            if let Some(value) = node.attr(attribute).filter(|value| number(value)) {
                self.text.push_str(&format!(" {attribute}=\"{value}\""));
            }
        }
        if let Some(dir) = node.attr("dir").filter(|dir| matches!(&**dir, "ltr" | "rtl" | "auto")) {
            self.text.push_str(&format!(" dir=\"{dir}\""));
        }
        if name == "bdo" && node.attr("dir").is_none() {
            self.text.push_str(" dir=\"ltr\"");
        }
        if name == "data" {
            self.text.push_str(&format!(" value=\"{}\"", escaped(&node.attr_or("value", ""))));
        }
    }

    fn link(&mut self, node: &NodeRef<'_>) {
        let target = node.attr("href").and_then(|href| self.target(&href)).filter(|_| self.in_link == 0);
        let Some(target) = target else {
            return if node.attr("id").is_some() && self.in_link == 0 {
                self.whole("span", node);
            } else {
                self.children(node);
            };
        };
        self.text.push_str(&format!("<a href=\"{}\"", escaped(&target)));
        self.attributes("a", node);
        self.text.push('>');
        self.in_link += 1;
        self.children(node);
        self.in_link -= 1;
        self.text.push_str("</a>");
    }

    /// Returns the target of a link: another page, or an anchor that exists.
    fn target(&self, href: &str) -> Option<String> {
        if let Some(place) = href.strip_prefix('#') {
            return self.ids.contains(place).then(|| href.to_owned());
        }
        let url = Url::parse(href).ok()?;
        matches!(url.scheme(), "http" | "https" | "mailto").then(|| url.to_string())
    }

    fn image(&mut self, node: &NodeRef<'_>) {
        let src = node.attr_or("src", "").to_string();
        let alt = node.attr_or("alt", "").to_string();
        match (self.image)(&src) {
            Some(there) => {
                self.text.push_str(&format!("<img src=\"{}\" alt=\"{}\"", escaped(&there), escaped(&alt)));
                for size in ["width", "height"] {
                    if let Some(value) = node.attr(size).filter(|value| value.parse::<u32>().is_ok()) {
                        self.text.push_str(&format!(" {size}=\"{value}\""));
                    }
                }
                self.text.push_str("/>");
            }
            None => self.external_link(&src, if alt.trim().is_empty() { "Image" } else { &alt }),
        }
    }

    fn media(&mut self, node: &NodeRef<'_>) {
        let source = || node.descendants().into_iter().find_map(|node| node.attr("src"));
        if let Some(src) = node.attr("src").or_else(source) {
            let what = if node.has_name("audio") { "Audio" } else { "Video" };
            self.external_link(&src, what);
        }
    }

    /// Writes a link in place of something that would be loaded.
    fn external_link(&mut self, url: &str, words: &str) {
        match self.target(url).filter(|_| self.in_link == 0) {
            Some(target) => self.text.push_str(&format!("<a href=\"{}\">[{}]</a>", escaped(&target), escaped(words))),
            None => self.text.push_str(&format!("[{}]", escaped(words))),
        }
    }
}

/// Whether a text is a simple XML name.
fn is_name(id: &str) -> bool {
    id.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && id.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))
}

pub fn is_language(tag: &str) -> bool {
    tag.len() <= 35
        && tag.starts_with(|c: char| c.is_ascii_alphabetic())
        && tag.split('-').all(|part| (1..=8).contains(&part.len()) && part.bytes().all(|c| c.is_ascii_alphanumeric()))
}

#[cfg(test)]
mod tests {
    use super::{MAX_TAGS, markup};

    fn plain(html: &str) -> String {
        markup(html, &|_| None)
    }

    #[test]
    fn html_and_xml_parsers_read_the_same_and_load_nothing() {
        assert_eq!(plain("<p>a<br>b &amp; c<hr>"), "<p>a<br/>b &amp; c</p><hr/>");
        assert_eq!(
            plain("<p><img src='https://e.example/a.png' alt='A \"cat\"'></p>"),
            "<p><a href=\"https://e.example/a.png\">[A &quot;cat&quot;]</a></p>"
        );
        assert_eq!(
            plain("<a href='https://e.example/'><img src='https://e.example/a.png'></a>"),
            "<a href=\"https://e.example/\">[Image]</a>"
        );
        assert_eq!(
            plain("<video poster='https://e.example/p'><source src='https://e.example/v.mp4'></video>"),
            "<a href=\"https://e.example/v.mp4\">[Video]</a>"
        );
        let stored =
            markup("<img src='https://e.example/a.png' width=3>", &|url| Some(format!("images/{}", url.len())));
        assert_eq!(stored, "<img src=\"images/23\" alt=\"\" width=\"3\"/>");
    }

    #[test]
    fn links_within_the_article_have_a_target() {
        assert_eq!(
            plain("<a href='#x'>1</a><p id=x>2</p><a href='#y'>3</a>"),
            "<a href=\"#x\">1</a><p id=\"x\">2</p>3"
        );
        assert_eq!(plain("<p id='a b'>2</p><p id=c>3</p><p id=c>4</p>"), "<p>2</p><p id=\"c\">3</p><p>4</p>");
        assert_eq!(plain("<a href='javascript:x'>1</a>"), "1");
    }

    #[test]
    fn the_text_of_an_article_with_very_many_tags_is_kept() {
        let article = |tags: usize| plain(&format!("<p>a &lt;</p>{}", "<b>b</b>".repeat(tags / 2)));
        assert!(article(MAX_TAGS - 2).starts_with("<p>a &lt;</p><b>b</b>"));
        let text = article(MAX_TAGS);
        assert!(text.starts_with("<pre>a &lt;\n\nbbb") && text.len() < MAX_TAGS, "{}", &text[..40]);
    }
}
