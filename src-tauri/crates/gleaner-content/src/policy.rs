//! The attributes that each element of an article keeps, and their values.

use crate::{
    allow_list,
    attributes::{AttributeWriter, TagAttributes},
    elements::{Element, Kind},
    images, protected_mail, style,
    urls::{self, Base},
    without_tracking,
};
use std::{borrow::Cow, collections::HashSet};
use url::Url;

/// Maximum number of columns or rows that a cell spans: browsers lay out all of them.
const MAX_SPAN: u32 = 100;

/// Lengths in formulas, in the height of the font. Negative space brings letters closer to each other.
const LENGTHS: std::ops::RangeInclusive<f32> = -2.0..=40.0;

/// State of the article while its tags are read.
#[derive(Debug, Default)]
pub(crate) struct Context {
    pub(crate) base: Option<Base>,
    /// The ids written so far, with their prefix.
    pub(crate) ids: HashSet<String>,
    /// The language of code that the box around it declares.
    pub(crate) language: Option<String>,
    /// The links that may lead to a place in the article, which is known only at its end: each is written as its index
    /// between two [`MARK`]s.
    pub(crate) local_links: Vec<LocalLink>,
    /// All ids of the article, in the second pass. Without a base, a link to a missing place has no target and has to be
    /// written as a span, which needs a second pass.
    pub(crate) places: Option<HashSet<String>>,
}

/// Never part of an article: it is removed from the source.
pub(crate) const MARK: char = '\0';

/// A link that may lead to a place in the article.
#[derive(Debug)]
pub(crate) struct LocalLink {
    /// The ids that it may mean: as written, and decoded.
    ids: [String; 2],
    /// Its target if the article has none of the ids.
    out: Option<String>,
}

/// An image as it will be written.
#[derive(Debug)]
pub(crate) struct Image {
    pub(crate) src: String,
    pub(crate) attributes: String,
}

impl Context {
    /// Returns the attributes to write for any element but an image; `None` if the element is useless with these attributes.
    pub(crate) fn attributes(&mut self, element: Element, given: &TagAttributes<'_>) -> Option<String> {
        let mut out = AttributeWriter::default();
        match element.name {
            "div" | "figure" => self.language = language_class(given).or_else(|| self.language.take()),
            "pre" | "code" | "table" | "tbody" | "tr" | "td" | "span" => {}
            _ => self.language = None,
        }
        if element.name == "a" {
            out.set_some("href", given.get("href").and_then(|href| self.link(href)));
            out.set_some("hreflang", given.get("hreflang").filter(|tag| is_language(tag)));
        }
        let base = self.base.as_ref();
        match element.name {
            "audio" => media(&mut out, given, base),
            "blockquote" | "q" => out.set_some("cite", given.get("cite").and_then(|cite| urls::web(cite, base))),
            "col" | "colgroup" => out.set_some("span", span(given, "span")),
            "data" => out.set_some("value", given.get("value")),
            "del" | "ins" => {
                out.set_some("cite", given.get("cite").and_then(|cite| urls::web(cite, base)));
                out.set_some("datetime", given.get("datetime"));
            }
            "details" => out.set_some("open", given.has("open").then_some("")),
            "li" => out.set_some("value", whole(given, "value")),
            "ol" => {
                out.set_some("start", whole(given, "start"));
                out.set_some("reversed", given.has("reversed").then_some(""));
                let kind = given.get("type").filter(|kind| matches!(*kind, "1" | "a" | "A" | "i" | "I"));
                out.set_some("type", kind);
            }
            "p" => out.set_some("class", given.get("class").filter(|class| *class == "embed").or(caption_class(given))),
            "dd" => out.set_some("class", caption_class(given)),
            "div" | "span" => out.set_some("class", tex_class(given).or(caption_class(given))),
            "pre" | "code" => out.set_some("class", language_of_code(given, self.language.take())),
            "source" => {
                let kind = given.get("type").filter(|kind| is_word(kind, "/+-.;= \"',"));
                let set = set(given, base);
                let src = given.first(["src", "data-src"]).and_then(|src| urls::web(src, base));
                if set.is_empty() && src.is_none() {
                    return None;
                }
                out.set_some("src", src);
                if !set.is_empty() {
                    out.set("srcset", &set);
                    out.set_some("sizes", given.get("sizes").filter(|sizes| is_word(sizes, "():,.%+-*/ <>=")));
                }
                out.set_some("media", given.get("media").filter(|media| is_word(media, "():,.%+-*/ <>=")));
                out.set_some("type", kind);
                size(&mut out, given);
            }
            "td" | "th" => {
                out.set_some("colspan", span(given, "colspan"));
                out.set_some("rowspan", span(given, "rowspan"));
                out.set_some("abbr", given.get("abbr"));
                if element.name == "th" {
                    let scope = given.get("scope").map(str::to_ascii_lowercase);
                    out.set_some("scope", scope.filter(|s| matches!(&**s, "row" | "col" | "rowgroup" | "colgroup")));
                }
            }
            "time" => out.set_some("datetime", given.get("datetime")),
            "video" => {
                media(&mut out, given, base);
                let poster = given.first(["poster", "data-poster"]).and_then(|poster| urls::web(poster, base));
                out.set_some("poster", poster);
                size(&mut out, given);
                out.set_some("muted", given.has("muted").then_some(""));
                out.set_some("playsinline", given.has("playsinline").then_some(""));
            }
            _ if matches!(element.kind, Kind::Formula | Kind::FormulaPart) => formula(&mut out, element, given),
            _ => {}
        }
        self.everywhere(&mut out, element, given);
        Some(out.0)
    }

    /// Returns an image to write; `None` if it is invisible, has no address or is a tracking pixel.
    pub(crate) fn image(&mut self, element: Element, given: &TagAttributes<'_>) -> Option<Image> {
        let (src, set) = self.image_source(given)?;
        let mut out = AttributeWriter::default();
        out.set("src", &src);
        if !set.is_empty() {
            out.set("srcset", &set);
            out.set_some("sizes", given.get("sizes").filter(|sizes| is_word(sizes, "():,.%+-*/ <>=")));
        }
        out.set_some("alt", given.get("alt"));
        size(&mut out, given);
        out.set("loading", "lazy");
        out.set("decoding", "async");
        out.set("referrerpolicy", "no-referrer");
        self.everywhere(&mut out, element, given);
        Some(Image { src, attributes: out.0 })
    }

    /// Returns the address of an image and its `srcset`, which may be empty; `None` if it is not displayed.
    pub(crate) fn image_source(&self, given: &TagAttributes<'_>) -> Option<(String, String)> {
        let base = self.base.as_ref();
        let css = given.get("style").unwrap_or("");
        let width = given.pixels("width").or_else(|| style::pixels(css, "width"));
        let height = given.pixels("height").or_else(|| style::pixels(css, "height"));
        if images::is_invisible(width, height) {
            return None;
        }
        let set = set(given, base);
        let lazy = given.first(images::LAZY_SOURCES).and_then(|src| urls::web(src, base)).map(String::from);
        if lazy.is_none() && (given.has("hidden") || style::hides(css)) {
            return None;
        }
        let own = given.get("src").and_then(|src| urls::image(src, base)).filter(|src| !is_empty(src));
        let (own, placeholder) = match own {
            Some(own) if images::is_placeholder(&own) => (None, Some(own)),
            own => (own, None),
        };
        let other = || given.first(images::OTHER_SOURCES).and_then(|src| urls::web(src, base)).map(String::from);
        let src = lazy.or(own).or_else(other).or_else(|| images::largest(&set).map(str::to_owned)).or(placeholder)?;
        if Url::parse(&src).is_ok_and(|url| images::is_tracking_pixel(&url)) {
            return None;
        }
        Some((src, set))
    }

    /// Returns the target of a link: in this article, or on the web.
    fn link(&mut self, href: &str) -> Option<String> {
        let href = href.trim_matches(|c: char| c <= ' ');
        if let Some(mail) = protected_mail::link(href) {
            return urls::link(&mail, None).map(outside);
        }
        let url = urls::link(href, self.base.as_ref());
        let here = match (&url, &self.base) {
            (Some(url), Some(base)) if without_fragment(url) == without_fragment(base.url()) => url.fragment(),
            _ => href.strip_prefix('#'),
        };
        let Some(fragment) = here.filter(|fragment| !fragment.is_empty()) else { return url.map(outside) };
        let decoded = percent_encoding::percent_decode_str(fragment).decode_utf8_lossy();
        let ids = [Cow::Borrowed(fragment), decoded].map(|id| prefixed(&id));
        if let Some(places) = &self.places {
            return ids.into_iter().find(|id| places.contains(id)).map(|id| format!("#{id}")).or(url.map(outside));
        }
        self.local_links.push(LocalLink { ids, out: url.map(outside) });
        Some(format!("{MARK}{}{MARK}", self.local_links.len() - 1))
    }

    /// Replaces the [`MARK`]s by the targets of the links; `None` if one has no target.
    pub(crate) fn resolve_local_links(&self, written: String) -> Option<String> {
        if self.local_links.is_empty() {
            return Some(written);
        }
        let mut out = AttributeWriter(String::with_capacity(written.len()));
        let mut pieces = written.split(MARK);
        out.0.push_str(pieces.next().unwrap_or_default());
        while let (Some(number), Some(rest)) = (pieces.next(), pieces.next()) {
            let link = number.parse().ok().and_then(|number: usize| self.local_links.get(number))?;
            match link.ids.iter().find(|id| self.ids.contains(*id)) {
                Some(id) => out.value(&format!("#{id}")),
                None => out.value(link.out.as_deref()?),
            }
            out.0.push_str(rest);
        }
        Some(out.0)
    }

    fn everywhere(&mut self, out: &mut AttributeWriter, element: Element, given: &TagAttributes<'_>) {
        let id = given.get("id").or_else(|| given.get("name").filter(|_| element.name == "a"));
        if let Some(id) = id.filter(|id| is_id(id)).map(prefixed)
            && self.ids.insert(id.clone())
        {
            out.set("id", &id);
        }
        out.set_some("title", given.get("title"));
        out.set_some("lang", given.first(["lang", "xml:lang"]).filter(|tag| is_language(tag)));
        let dir = given.get("dir").map(str::to_ascii_lowercase);
        out.set_some("dir", dir.filter(|dir| matches!(&**dir, "ltr" | "rtl" | "auto")));
        let align = given.get("align").filter(|_| !matches!(element.name, "table" | "img" | "hr"));
        let mut style = style::keep(given.get("style").unwrap_or(""), align);
        if element.name == "li" && given.get("class").is_some_and(|class| class.contains("task-list-item")) {
            // The box stands for the marker.
            style = style::keep(&format!("{style};list-style-type:none"), None);
        }
        if !style.is_empty() {
            out.set("style", &style);
        }
    }
}

/// Returns the address of a link that leaves the article.
fn outside(url: Url) -> String {
    without_tracking(url.as_str()).into_owned()
}

/// Returns an id with the prefix of ids in articles.
pub(crate) fn prefixed(id: &str) -> String {
    if id.starts_with(allow_list::ID_PREFIX) { id.to_owned() } else { format!("{}{id}", allow_list::ID_PREFIX) }
}

/// Whether a value is a valid id.
pub(crate) fn is_id(id: &str) -> bool {
    // The prefix does not count: an id of maximum length must stay valid when sanitised again.
    let own = id.strip_prefix(allow_list::ID_PREFIX).unwrap_or(id);
    !id.is_empty() && own.len() <= 200 && !id.contains(|c: char| c.is_whitespace() || c.is_control())
}

fn without_fragment(url: &Url) -> &str {
    url.as_str().split_once('#').map_or(url.as_str(), |(start, _)| start)
}

/// Whether a `data:` URL is too short to show anything: a placeholder.
fn is_empty(src: &str) -> bool {
    src.starts_with("data:") && src.len() < 160
}

fn set(given: &TagAttributes<'_>, base: Option<&Base>) -> String {
    let lazy = given.first(images::LAZY_SETS).map(|set| images::source_set(set, base));
    lazy.filter(|set| !set.is_empty())
        .unwrap_or_else(|| given.get("srcset").map(|set| images::source_set(set, base)).unwrap_or_default())
}

fn size(out: &mut AttributeWriter, given: &TagAttributes<'_>) {
    for name in ["width", "height"] {
        out.set_some(name, given.pixels(name).filter(|n| *n <= 10_000).map(|n| n.to_string()));
    }
}

/// Writes attributes of audio and video so that they load nothing before they are played.
fn media(out: &mut AttributeWriter, given: &TagAttributes<'_>, base: Option<&Base>) {
    out.set_some("src", given.first(["src", "data-src"]).and_then(|src| urls::web(src, base)));
    out.set("controls", "");
    out.set("preload", "none");
    out.set_some("loop", given.has("loop").then_some(""));
}

fn formula(out: &mut AttributeWriter, element: Element, given: &TagAttributes<'_>) {
    const NAMES: [&str; 23] = [
        "accent",
        "accentunder",
        "alttext",
        "columnalign",
        "columnspan",
        "depth",
        "display",
        "displaystyle",
        "fence",
        "form",
        "height",
        "largeop",
        "linethickness",
        "mathvariant",
        "movablelimits",
        "notation",
        "rowalign",
        "rowspan",
        "scriptlevel",
        "separator",
        "stretchy",
        "symmetric",
        "width",
    ];
    for name in NAMES {
        let value = given.get(name).filter(|_| allow_list::may_have(element.name, name));
        let value = value.filter(|value| name == "alttext" || value.len() <= 40 && is_word(value, "-+.% "));
        match name {
            "columnspan" | "rowspan" => out.set_some(name, value.and_then(|_| span(given, name))),
            "depth" | "height" | "linethickness" | "width" => out.set_some(name, value.filter(|value| is_short(value))),
            "scriptlevel" => out.set_some(name, value.filter(|value| is_level(value))),
            _ => out.set_some(name, value),
        }
    }
}

/// Whether a length in a formula is short enough that nothing covers the text around the formula.
fn is_short(length: &str) -> bool {
    let unit = length.trim_start_matches(|c: char| c.is_ascii_digit() || "+-.".contains(c));
    let (number, unit) = (&length[..length.len() - unit.len()], unit.trim());
    if number.is_empty() {
        // A word, such as `thin`.
        return true;
    }
    let em = match unit.to_ascii_lowercase().as_str() {
        "" | "em" | "pc" | "rem" => 1.0,
        "ex" => 0.5,
        "px" | "pt" => 1.0 / 12.0,
        "mm" => 0.25,
        "cm" => 2.5,
        "in" => 6.0,
        "%" => 0.01,
        _ => return false,
    };
    number.parse().is_ok_and(|number: f32| LENGTHS.contains(&(number * em)))
}

/// Whether a level of scripts makes text smaller: lower ones, inside of each other, make it as large as the window.
fn is_level(level: &str) -> bool {
    let level = level.strip_prefix('+').unwrap_or(level);
    level.len() == 1 && level.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns the class of an element with the source of a formula: Pandoc's classes, and our own.
fn tex_class(given: &TagAttributes<'_>) -> Option<&'static str> {
    let mut classes = given.get("class")?.split_ascii_whitespace();
    match (classes.next()?, classes.next(), classes.next()) {
        ("tex", None, _) | ("math", Some("inline"), None) => Some("tex"),
        ("tex-block", None, _) | ("math", Some("display"), None) => Some("tex-block"),
        _ => None,
    }
}

/// Returns the class of a caption outside a `figcaption`, by the usual names.
fn caption_class(given: &TagAttributes<'_>) -> Option<&'static str> {
    // The boxes around captions, and those without one.
    let boxes = ["wp-caption", "has-caption", "with-caption", "no-caption", "without-caption"];
    let is_box = |class: &str| boxes.iter().any(|end| class.ends_with(end));
    let is_caption = |class: &str| {
        class == "caption" || class.ends_with("caption-text") || class.ends_with("-caption") && !is_box(class)
    };
    given.get("class")?.split_ascii_whitespace().any(is_caption).then_some("caption")
}

fn span(given: &TagAttributes<'_>, name: &str) -> Option<String> {
    let count: u32 = given.get(name)?.trim().parse().ok()?;
    (count > 1).then(|| count.min(MAX_SPAN).to_string())
}

fn whole(given: &TagAttributes<'_>, name: &str) -> Option<String> {
    given.get(name)?.trim().parse::<i32>().ok().map(|n| n.to_string())
}

/// Returns the class for the language of code, such as `language-rust`; `around` is the one that its box declares.
fn language_of_code(given: &TagAttributes<'_>, around: Option<String>) -> Option<String> {
    language_class(given)
        .or_else(|| class_of(given.first(["data-lang", "data-language"])?))
        .or_else(|| class_of(given.get("lang").filter(|lang| is_programming(lang))?))
        .or(around)
}

/// Returns the class for the language named in a `class` attribute: after a usual prefix, or a well-known name alone.
pub(crate) fn language_class(given: &TagAttributes<'_>) -> Option<String> {
    const PREFIXES: [&str; 6] = ["language-", "lang-", "highlight-source-", "highlight-", "brush:", "src-"];
    let classes = given.get("class")?;
    let mut words = classes.split([' ', '\t', '\n', ';']).filter(|word| !word.is_empty());
    let prefixed = words.clone().find_map(|class| PREFIXES.iter().find_map(|start| class.strip_prefix(start)));
    let named = match prefixed {
        // `brush: python`
        Some("") => words.skip_while(|word| *word != "brush:").nth(1),
        Some("text-html-basic") => Some("html"),
        Some(named) => Some(named),
        None => words.find(|word| is_programming(word)),
    };
    class_of(named?)
}

fn class_of(language: &str) -> Option<String> {
    let class = format!("language-{}", language.trim());
    allow_list::is_allowed_class(&class).then_some(class)
}

/// Whether highlighters use this name of a language as a class without a prefix.
#[rustfmt::skip]
fn is_programming(name: &str) -> bool {
    matches!(
        name,
        "bash" | "c" | "clojure" | "cpp" | "csharp" | "css" | "dart" | "diff" | "dockerfile" | "elixir" | "elm" | "erlang" | "fsharp" | "go"
            | "graphql" | "groovy" | "haskell" | "html" | "ini" | "java" | "javascript" | "js" | "json" | "julia" | "kotlin" | "latex" | "lisp"
            | "lua" | "makefile" | "markdown" | "matlab" | "nix" | "objectivec" | "ocaml" | "perl" | "php" | "powershell" | "python" | "ruby"
            | "rust" | "scala" | "scheme" | "scss" | "shell" | "sql" | "swift" | "toml" | "typescript" | "vim" | "xml" | "yaml" | "zig"
    )
}

fn is_language(tag: &str) -> bool {
    (1..=35).contains(&tag.len()) && tag.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
}

fn is_word(value: &str, also: &str) -> bool {
    !value.is_empty() && value.len() <= 400 && value.chars().all(|c| c.is_ascii_alphanumeric() || also.contains(c))
}
