//! An article's HTML made fit for the reading pane.
//!
//! Tags are read one by one, judged by [`crate::policy`], and written balanced by [`crate::nesting`]; what comes out
//! passes [`crate::gate`]. All of it takes time in proportion to the article's length.

use crate::{
    attributes::{Given, Written},
    elements::{self, Kind, element},
    embeds, gate,
    nesting::{Nesting, Tag as Closing},
    pictures,
    policy::Context,
    style,
    tokens::{Tag, Token, Tokens},
    urls,
};
use std::borrow::Cow;
use url::Url;

/// Sanitised HTML with absolute links; sanitising twice is sanitising once.
///
/// `base` is the URL that relative links hang on; without one relative links lose their target. Nothing of the result
/// runs, and nothing is loaded but pictures, and media when they are played; frames and plug-ins become links.
#[must_use]
pub fn sanitise(html: &str, base: Option<&str>) -> String {
    let html = if html.contains('\0') { Cow::Owned(html.replace('\0', "")) } else { Cow::Borrowed(html) };
    let base = base.and_then(|base| Url::parse(base.trim()).ok()).filter(|base| !base.cannot_be_a_base());
    let (written, mut read) = Article::new(&html, Context { base, ..Context::default() }).read();
    let clean = read.settled(written).unwrap_or_else(|| {
        let again =
            Context { base: read.base.take(), places: Some(std::mem::take(&mut read.ids)), ..Context::default() };
        Article::new(&html, again).read().0
    });
    let mut clean = gate::pass(&clean);
    if clean.contains('\r') {
        // From character references; written plainly it would be read as a line break.
        clean = clean.replace('\r', "\n");
    }
    // A parser drops one byte order mark at the start of each document it reads.
    match clean.trim_start_matches('\u{feff}') {
        trimmed if trimmed.bytes().all(crate::tokens::is_space) => String::new(),
        trimmed if trimmed.len() < clean.len() => trimmed.to_owned(),
        _ => clean,
    }
}

/// A part of the source that is left out, up to its end tag.
#[derive(Debug)]
struct Skipped {
    name: String,
    depth: usize,
    /// SVG or MathML, which HTML ends.
    foreign: bool,
    /// Open elements of SVG that hold HTML.
    html: usize,
}

/// A frame of no known service.
#[derive(Debug)]
struct Frame {
    url: Url,
    title: Option<String>,
    /// Whether its author meant it to be seen.
    shown: bool,
}

/// Where the address of a frame is, most telling first: pages keep it from loading by writing another into `src`.
pub(crate) const FRAME_SOURCES: [&str; 5] = ["data-src", "data-lazy-src", "data-litespeed-src", "data-url", "src"];

#[derive(Debug)]
struct Article<'a> {
    tokens: Tokens<'a>,
    nesting: Nesting,
    context: Context,
    skipped: Option<Skipped>,
    /// A frame of no known service, until it is known whether the author wrote something for readers without frames.
    frame: Option<Frame>,
    /// The last embed's link: plug-ins and frames are often written one inside the other.
    last_embed: Option<String>,
    /// The last picture, and whether it stood in a `noscript`.
    last_picture: Option<(String, bool)>,
    /// Nothing but tags since a formula.
    after_formula: bool,
    noscript: usize,
    /// What stands around a formula's source as text; the tag just read begins a script that is one.
    tex: Option<(&'static str, &'static str)>,
}

impl<'a> Article<'a> {
    fn new(html: &'a str, context: Context) -> Self {
        Self {
            tokens: Tokens::new(html),
            nesting: Nesting::with_capacity(html.len() + html.len() / 4),
            context,
            skipped: None,
            frame: None,
            last_embed: None,
            last_picture: None,
            after_formula: false,
            noscript: 0,
            tex: None,
        }
    }

    fn read(mut self) -> (String, Context) {
        while let Some(token) = self.tokens.next() {
            self.token(token, true);
        }
        self.link_frame();
        (self.nesting.finish(), self.context)
    }

    /// `frames`: whether what an author wrote for readers without frames is read; inside of it, it is not.
    fn token(&mut self, token: Token<'_>, frames: bool) {
        if self.skipped.is_some() && self.skips(&token) {
            return;
        }
        match token {
            Token::Raw { of: "iframe", text } => self.frame_content(text, frames),
            Token::Raw { of: "script", text } => self.tex(text),
            Token::Raw { of: "style" | "noembed" | "noframes", .. } => {}
            Token::Raw { of: "xmp" | "plaintext", text } => self.nesting.text(text),
            Token::Raw { text, .. } | Token::Text(text) => {
                self.after_formula &= text.bytes().all(crate::tokens::is_space);
                self.nesting.text(&htmlize::unescape(text));
            }
            Token::Start(tag) => {
                self.link_frame();
                self.start(&tag);
            }
            Token::End(name) => {
                self.link_frame();
                match &*name {
                    "noscript" => self.noscript = self.noscript.saturating_sub(1),
                    "br" => self.open("br", ""),
                    name => {
                        self.after_formula |= name == "math";
                        self.nesting.end(canonical_end(name));
                    }
                }
                self.tokens.foreign = self.nesting.in_formula();
            }
        }
    }

    /// What a script holds is dropped, but for a formula: MathJax reads TeX from scripts that run nothing. It becomes text.
    fn tex(&mut self, source: &str) {
        let Some((before, after)) = self.tex.take() else { return };
        let source = source.trim().trim_start_matches("% <![CDATA[").trim_end_matches("%]]>").trim();
        if !source.is_empty() {
            self.nesting.text(&format!("{before}{source}{after}"));
        }
    }

    fn start(&mut self, tag: &Tag<'_>) {
        let name = &*tag.name;
        self.tex = None;
        if elements::is_dropped_whole(name) || self.nesting.in_formula() && matches!(name, "script" | "style") {
            if !tag.self_closing || name == "template" {
                let foreign = name != "template";
                self.skipped = Some(Skipped { name: name.to_owned(), depth: 1, foreign, html: 0 });
                self.tokens.foreign = foreign;
            }
            return;
        }
        match name {
            "noscript" => self.noscript += 1,
            "iframe" | "amp-iframe" => self.frame(&Given::read(tag.attributes.clone())),
            "script" => {
                let given = Given::read(tag.attributes.clone());
                self.tex = tex_marks(&given);
                if self.tex.is_none() {
                    self.plug_in(name, &given);
                }
            }
            "embed" | "object" | "param" => self.plug_in(name, &Given::read(tag.attributes.clone())),
            _ if name.contains('-') && embeds::player(name).is_some() => {
                self.plug_in(name, &Given::read(tag.attributes.clone()));
            }
            _ => self.element(tag),
        }
        self.tokens.foreign = self.nesting.in_formula();
    }

    fn element(&mut self, tag: &Tag<'_>) {
        let Some(element) = element(&tag.name) else { return };
        // Emphasis inside of a formula's words would end the formula.
        let is_emphasis =
            matches!(element.kind, Kind::Inline | Kind::RubyText) && !matches!(element.name, "audio" | "video");
        if is_emphasis && self.nesting.in_formula_text() || !self.nesting.admits(element) {
            return;
        }
        let given = Given::read(tag.attributes.clone());
        if self.after_formula && is_formula_again(&given) {
            if element.name != "img" {
                let name = tag.name.clone().into_owned();
                self.skipped = Some(Skipped { name, depth: 1, foreign: false, html: 0 });
            }
            return;
        }
        if element.name == "img" {
            self.picture(element, &given);
            return;
        }
        let Some(attributes) = self.context.attributes(element, &given) else { return };
        let in_formula = matches!(element.kind, Kind::Formula | Kind::FormulaPart);
        if element.name == "a" && !attributes.starts_with(" href=") {
            if let Some(span) = elements::element("span") {
                self.nesting.start(span, Closing::DeadLink, &attributes);
            }
        } else {
            self.nesting.start(element, Closing::Own, &attributes);
        }
        if in_formula && tag.self_closing {
            self.nesting.end(element.name);
        }
    }

    fn picture(&mut self, element: elements::Element, given: &Given<'_>) {
        let Some(picture) = self.context.picture(element, given) else { return };
        let in_noscript = self.noscript > 0;
        if let Some((src, other)) = &self.last_picture
            && *src == picture.src
            && (*other || in_noscript)
        {
            // The same picture, once for browsers with scripts and once for those without.
            return;
        }
        self.last_picture = Some((picture.src, in_noscript));
        self.nesting.start(element, Closing::Own, &picture.attributes);
    }

    fn frame(&mut self, given: &Given<'_>) {
        let base = self.context.base.as_ref();
        let Some(url) = given.first(FRAME_SOURCES).and_then(|src| urls::web(src, base)) else { return };
        let title = given.get("title").map(str::trim).filter(|title| !title.is_empty()).map(str::to_owned);
        if let Some(embed) = embeds::embed(&url) {
            self.link_embed(embed, title.as_deref());
            return;
        }
        let css = given.get("style").unwrap_or("");
        let width = given.pixels("width").or_else(|| style::pixels(css, "width"));
        let height = given.pixels("height").or_else(|| style::pixels(css, "height"));
        if !pictures::is_invisible(width, height) && !given.has("hidden") && !embeds::is_furniture(&url) {
            self.frame = Some(Frame { url, title, shown: is_meant_to_be_seen(given) });
        }
    }

    /// A frame's content is for readers without frames, as we are: where it says something, it stands for the frame.
    fn frame_content(&mut self, html: &str, frames: bool) {
        let Some(frame) = self.frame.take() else { return };
        if frames && !is_apology(&crate::text::plain_text(html)) {
            let outer = std::mem::replace(&mut self.tokens, Tokens::new(""));
            let mut inner = Tokens::new(html);
            while let Some(token) = inner.next() {
                self.token(token, false);
                inner.foreign = self.tokens.foreign;
            }
            self.skipped = None;
            self.tokens = outer;
        } else {
            self.frame = Some(frame);
        }
        self.link_frame();
    }

    fn link_frame(&mut self) {
        let Some(Frame { url, title, .. }) = self.frame.take().filter(|frame| frame.shown) else { return };
        let host = url.host_str().unwrap_or_default().trim_start_matches("www.").to_owned();
        self.link(url.as_str(), title.as_deref().unwrap_or(&host));
    }

    fn plug_in(&mut self, name: &str, given: &Given<'_>) {
        let base = self.context.base.as_ref();
        if let Some((_, attribute, address)) = embeds::player(name) {
            let named = given.first([attribute, "data-videoid", "data-src", "src"]).map(|id| format!("{address}{id}"));
            if let Some(embed) = named.and_then(|address| embeds::embed(&urls::web(&address, base)?)) {
                self.link_embed(embed, None);
            }
            return;
        }
        let address = match name {
            "object" => given.get("data"),
            "param" => {
                let of = given.get("name").unwrap_or("").to_ascii_lowercase();
                given.get("value").filter(|_| matches!(&*of, "movie" | "src" | "filename"))
            }
            _ => given.get("src"),
        };
        let Some(url) = address.and_then(|address| urls::web(address, base)) else { return };
        if name == "script" && url.host_str() != Some("gist.github.com") {
            return;
        }
        match embeds::embed(&url) {
            Some(embed) => self.link_embed(embed, given.get("title").map(str::trim).filter(|t| !t.is_empty())),
            None if matches!(name, "object" | "embed") && embeds::is_document(&url, given.get("type")) => {
                let name = url.path_segments().and_then(|mut parts| parts.next_back()).unwrap_or_default().to_owned();
                if self.last_embed.as_deref() != Some(url.as_str()) {
                    self.last_embed = Some(url.as_str().to_owned());
                    self.link(url.as_str(), &name);
                }
            }
            None => {}
        }
    }

    fn link_embed(&mut self, embed: embeds::Embed, title: Option<&str>) {
        if self.last_embed.as_deref() == Some(&*embed.page) {
            return;
        }
        // A title such as "YouTube video player" says no more than the service's name.
        let title = title.filter(|title| !title.to_ascii_lowercase().contains("player") && *title != embed.service);
        match title {
            Some(title) => self.link(&embed.page, &format!("{title} ({})", embed.service)),
            None => self.link(&embed.page, embed.service),
        }
        self.last_embed = Some(embed.page);
    }

    /// A linked placeholder: it loads nothing before it is clicked.
    fn link(&mut self, address: &str, label: &str) {
        let mut class = Written::default();
        class.set("class", "embed");
        self.open("p", &class.0);
        let mut href = Written::default();
        href.set("href", address);
        self.open("a", &href.0);
        self.nesting.text(if label.trim().is_empty() { address } else { label });
        self.nesting.end("a");
        self.nesting.end("p");
    }

    fn open(&mut self, name: &str, attributes: &str) {
        if let Some(element) = element(name)
            && self.nesting.admits(element)
        {
            self.nesting.start(element, Closing::Own, attributes);
        }
    }

    /// Whether a token belongs to what is left out; it may be what ends it.
    fn skips(&mut self, token: &Token<'_>) -> bool {
        let Some(skipped) = &mut self.skipped else { return false };
        let ended = match token {
            Token::Start(tag) if *tag.name == *skipped.name => {
                skipped.depth += usize::from(!tag.self_closing);
                false
            }
            Token::Start(tag) if matches!(&*tag.name, "foreignobject" | "desc" | "title") => {
                skipped.html += usize::from(!tag.self_closing);
                false
            }
            Token::Start(tag) => skipped.foreign && skipped.html == 0 && elements::ends_foreign_content(&tag.name),
            Token::End(name) if **name == *skipped.name => {
                skipped.depth -= 1;
                if skipped.depth == 0 {
                    self.skipped = None;
                    self.tokens.foreign = self.nesting.in_formula();
                }
                return true;
            }
            Token::End(name) if matches!(&**name, "foreignobject" | "desc" | "title") => {
                skipped.html = skipped.html.saturating_sub(1);
                false
            }
            Token::End(name) => name == "math" && skipped.name.starts_with("annotation"),
            Token::Text(_) | Token::Raw { .. } => false,
        };
        if ended {
            self.skipped = None;
            self.tokens.foreign = self.nesting.in_formula();
        }
        !ended
    }
}

/// The name under which an element was opened.
fn canonical_end(name: &str) -> &str {
    elements::element(name).map_or(name, |element| element.name)
}

/// Whether an element shows a formula once more, for browsers that know no MathML: KaTeX's and MediaWiki's classes.
fn is_formula_again(given: &Given<'_>) -> bool {
    given.get("class").is_some_and(|class| class.contains("katex-html") || class.contains("mwe-math-fallback-image"))
}

/// What a formula's source stands between as text, if a script is one: `type="math/tex; mode=display"`, which no browser runs.
fn tex_marks(given: &Given<'_>) -> Option<(&'static str, &'static str)> {
    let kind = given.get("type")?.trim().to_ascii_lowercase();
    let rest = kind.strip_prefix("math/tex")?;
    Some(if rest.contains("display") { ("\\[", "\\]") } else { ("\\(", "\\)") })
}

/// Whether a frame of no known service says anything of itself that a counter of readers would not.
fn is_meant_to_be_seen(given: &Given<'_>) -> bool {
    let css = given.get("style").unwrap_or("").to_ascii_lowercase();
    let says = ["width", "height", "title", "class"].iter().any(|name| given.first([*name]).is_some());
    let allows = ["allow", "allowfullscreen", "webkitallowfullscreen", "mozallowfullscreen"];
    !style::hides(&css)
        && (says
            || allows.iter().any(|name| given.has(name))
            || ["width", "height", "aspect-ratio"].iter().any(|property| css.contains(property)))
}

/// What browsers without frames were told by authors who had nothing to tell them.
fn is_apology(text: &str) -> bool {
    let text = text.trim().to_lowercase();
    text.is_empty()
        || text.len() < 200
            && ["browser", "iframe", "frames", "loading", "not support", "javascript"]
                .iter()
                .any(|word| text.contains(word))
}
