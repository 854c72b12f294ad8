//! Which attributes each element of an article keeps, and in which form.

use crate::{
    attributes::{Given, Written},
    elements::{Element, Kind},
    gate, pictures, style, urls,
};
use std::{borrow::Cow, collections::HashSet};
use url::Url;

/// More columns or rows than any table of an article spans; a browser lays all of them out.
const SPAN: u32 = 100;

/// What is known of the article while its tags are read.
#[derive(Debug, Default)]
pub(crate) struct Context {
    pub(crate) base: Option<Url>,
    /// The ids written so far, with their prefix.
    pub(crate) ids: HashSet<String>,
    /// What the box around a piece of code said of its language.
    pub(crate) language: Option<String>,
    /// The links that may go to a place in this very article, which is known only when all of it was read: each stands
    /// in what was written as its number between two [`MARK`]s.
    pub(crate) local: Vec<Local>,
    /// Without a base a link to no place has no target, and is no link; then these are the places there are.
    pub(crate) places: Option<HashSet<String>>,
}

/// Stands in no article: it is taken out of the source.
pub(crate) const MARK: char = '\0';

/// A link that may stay in its article.
#[derive(Debug)]
pub(crate) struct Local {
    /// The ids it may mean: as it stands there, and decoded.
    ids: [String; 2],
    /// Where it goes when none of them is in the article.
    out: Option<String>,
}

/// A picture as it will be written.
#[derive(Debug)]
pub(crate) struct Picture {
    pub(crate) src: String,
    pub(crate) attributes: String,
}

impl Context {
    /// The attributes of an element other than a picture; `None` when it is worth nothing with what is left.
    pub(crate) fn attributes(&mut self, element: Element, given: &Given<'_>) -> Option<String> {
        let mut out = Written::default();
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
            "p" => out.set_some("class", given.get("class").filter(|class| *class == "embed")),
            "div" | "span" => out.set_some("class", tex_class(given)),
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

    /// A picture; `None` when it shows nothing, cannot be had, or watches the reader.
    pub(crate) fn picture(&mut self, element: Element, given: &Given<'_>) -> Option<Picture> {
        let base = self.base.as_ref();
        let css = given.get("style").unwrap_or("");
        let width = given.pixels("width").or_else(|| style::pixels(css, "width"));
        let height = given.pixels("height").or_else(|| style::pixels(css, "height"));
        if pictures::is_invisible(width, height) {
            return None;
        }
        let set = set(given, base);
        let lazy = given.first(pictures::LAZY_SOURCES).and_then(|src| urls::web(src, base)).map(String::from);
        if lazy.is_none() && (given.has("hidden") || style::hides(css)) {
            return None;
        }
        let own = given.get("src").and_then(|src| urls::picture(src, base)).filter(|src| !is_empty(src));
        let (own, placeholder) = match own {
            Some(own) if pictures::is_placeholder(&own) => (None, Some(own)),
            own => (own, None),
        };
        let other = || given.first(pictures::OTHER_SOURCES).and_then(|src| urls::web(src, base)).map(String::from);
        let src = lazy.or(own).or_else(other).or_else(|| pictures::largest(&set).map(str::to_owned)).or(placeholder)?;
        if Url::parse(&src).is_ok_and(|url| pictures::is_beacon(&url)) {
            return None;
        }
        let mut out = Written::default();
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
        Some(Picture { src, attributes: out.0 })
    }

    /// Where a link goes: into this article where its target is here, else out into the world.
    fn link(&mut self, href: &str) -> Option<String> {
        let href = href.trim_matches(|c: char| c <= ' ');
        let url = urls::link(href, self.base.as_ref());
        let here = match (&url, &self.base) {
            (Some(url), Some(base)) if without_fragment(url) == without_fragment(base) => url.fragment(),
            _ => href.strip_prefix('#'),
        };
        let Some(fragment) = here.filter(|fragment| !fragment.is_empty()) else { return url.map(String::from) };
        let decoded = percent_encoding::percent_decode_str(fragment).decode_utf8_lossy();
        let ids = [Cow::Borrowed(fragment), decoded].map(|id| prefixed(&id));
        if let Some(places) = &self.places {
            return ids.into_iter().find(|id| places.contains(id)).map(|id| format!("#{id}")).or(url.map(String::from));
        }
        self.local.push(Local { ids, out: url.map(String::from) });
        Some(format!("{MARK}{}{MARK}", self.local.len() - 1))
    }

    /// What was written, with the links that may stay in the article going where they go; `None` when one of them goes nowhere.
    pub(crate) fn settled(&self, written: String) -> Option<String> {
        if self.local.is_empty() {
            return Some(written);
        }
        let mut out = Written(String::with_capacity(written.len()));
        let mut pieces = written.split(MARK);
        out.0.push_str(pieces.next().unwrap_or_default());
        while let (Some(number), Some(rest)) = (pieces.next(), pieces.next()) {
            let link = number.parse().ok().and_then(|number: usize| self.local.get(number))?;
            match link.ids.iter().find(|id| self.ids.contains(*id)) {
                Some(id) => out.value(&format!("#{id}")),
                None => out.value(link.out.as_deref()?),
            }
            out.0.push_str(rest);
        }
        Some(out.0)
    }

    fn everywhere(&mut self, out: &mut Written, element: Element, given: &Given<'_>) {
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
        let style = style::keep(given.get("style").unwrap_or(""), align);
        if !style.is_empty() {
            out.set("style", &style);
        }
    }
}

/// An id as it stands in an article.
pub(crate) fn prefixed(id: &str) -> String {
    if id.starts_with(gate::ID_PREFIX) { id.to_owned() } else { format!("{}{id}", gate::ID_PREFIX) }
}

/// Whether an id can be one.
pub(crate) fn is_id(id: &str) -> bool {
    // The prefix does not count, or an id of the greatest length would be too long the second time.
    let own = id.strip_prefix(gate::ID_PREFIX).unwrap_or(id);
    !id.is_empty() && own.len() <= 200 && !id.contains(|c: char| c.is_whitespace() || c.is_control())
}

fn without_fragment(url: &Url) -> &str {
    url.as_str().split_once('#').map_or(url.as_str(), |(start, _)| start)
}

/// A picture too small to show anything: it stands in for one that a script would load.
fn is_empty(src: &str) -> bool {
    src.starts_with("data:") && src.len() < 160
}

fn set(given: &Given<'_>, base: Option<&Url>) -> String {
    let lazy = given.first(pictures::LAZY_SETS).map(|set| pictures::source_set(set, base));
    lazy.filter(|set| !set.is_empty())
        .unwrap_or_else(|| given.get("srcset").map(|set| pictures::source_set(set, base)).unwrap_or_default())
}

fn size(out: &mut Written, given: &Given<'_>) {
    for name in ["width", "height"] {
        out.set_some(name, given.pixels(name).filter(|n| *n <= 10_000).map(|n| n.to_string()));
    }
}

/// Sound and moving pictures load nothing before they are asked to.
fn media(out: &mut Written, given: &Given<'_>, base: Option<&Url>) {
    out.set_some("src", given.first(["src", "data-src"]).and_then(|src| urls::web(src, base)));
    out.set("controls", "");
    out.set("preload", "none");
    out.set_some("loop", given.has("loop").then_some(""));
}

fn formula(out: &mut Written, element: Element, given: &Given<'_>) {
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
        let value = given.get(name).filter(|_| gate::may_have(element.name, name));
        let value = value.filter(|value| name == "alttext" || value.len() <= 40 && is_word(value, "-+.% "));
        match name {
            "columnspan" | "rowspan" => out.set_some(name, value.and_then(|_| span(given, name))),
            _ => out.set_some(name, value),
        }
    }
}

/// The class of a box that holds the source of a formula: Pandoc's, and what this becomes the second time.
fn tex_class(given: &Given<'_>) -> Option<&'static str> {
    let mut classes = given.get("class")?.split_ascii_whitespace();
    match (classes.next()?, classes.next(), classes.next()) {
        ("tex", None, _) | ("math", Some("inline"), None) => Some("tex"),
        ("tex-block", None, _) | ("math", Some("display"), None) => Some("tex-block"),
        _ => None,
    }
}

fn span(given: &Given<'_>, name: &str) -> Option<String> {
    let count: u32 = given.get(name)?.trim().parse().ok()?;
    (count > 1).then(|| count.min(SPAN).to_string())
}

fn whole(given: &Given<'_>, name: &str) -> Option<String> {
    given.get(name)?.trim().parse::<i32>().ok().map(|n| n.to_string())
}

/// The class that names the language of a piece of code, as `language-rust`; `around` is what its box said.
fn language_of_code(given: &Given<'_>, around: Option<String>) -> Option<String> {
    language_class(given)
        .or_else(|| class_of(given.first(["data-lang", "data-language"])?))
        .or_else(|| class_of(given.get("lang").filter(|lang| is_programming(lang))?))
        .or(around)
}

/// The language that a class names, after one of the prefixes in use, or plainly where it is well known.
pub(crate) fn language_class(given: &Given<'_>) -> Option<String> {
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
    gate::is_own_class(&class).then_some(class)
}

/// Languages whose names stand alone in the classes of highlighters.
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
