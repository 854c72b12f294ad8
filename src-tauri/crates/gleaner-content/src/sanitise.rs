//! Sanitises the HTML of articles for the reading pane.
//!
//! Tags are read one by one, filtered by [`crate::policy`], and written as well-formed HTML by [`crate::serializer`]; the result is
//! filtered by [`crate::allow_list`]. The time is linear in the length of the article.

use crate::{
    allow_list,
    attributes::{AttributeWriter, TagAttributes},
    elements::{self, Kind, element},
    embeds,
    fences::Fences,
    formulas, images, plain,
    policy::Context,
    private_images, protected_mail,
    serializer::{EndTag, Serializer},
    style,
    symbols::symbol,
    urls::{self, Base},
};
use gleaner_html::{
    elements::ends_foreign_content,
    references,
    tokens::{Head, Tag, Token, Tokens},
};
use std::borrow::Cow;
use url::Url;

/// Returns sanitised HTML with absolute links. Idempotent.
///
/// Relative links are resolved against `base`; without one they lose their target. The result runs no code and loads only images, and media
/// when they are played. Frames and plug-ins become links. Text without tags keeps its lines. After 400,000 elements and attributes, or
/// 250,000 lines, the rest is text only.
///
/// Images and media at private addresses are removed ([`sanitise_for`]).
#[must_use]
pub fn sanitise(html: &str, base: Option<&str>) -> String {
    sanitise_for(html, base, None)
}

/// Sanitises like [`sanitise`], but allows images at the host of the feed at `feed`, even if it is private.
#[must_use]
pub fn sanitise_for(html: &str, base: Option<&str>, feed: Option<&str>) -> String {
    let feed = feed.and_then(|feed| Url::parse(feed).ok());
    let clean = finished(private_images::remove(cleaned(html, base), feed.as_ref()));
    if plain::has_tag(html) { plain::without_lines(clean) } else { plain::with_lines(clean) }
}

/// Sanitises HTML to be stored. Keeps images and media at private addresses, since the feed is not known here: the HTML is
/// sanitised again when it is shown.
pub(crate) fn sanitise_for_storage(html: &str, base: Option<&str>) -> String {
    finished(cleaned(html, base))
}

fn cleaned(html: &str, base: Option<&str>) -> String {
    let html = if html.contains('\0') { Cow::Owned(html.replace('\0', "")) } else { Cow::Borrowed(html) };
    let base = base.and_then(|base| Base::read(base, html.len()));
    let (written, mut read) = Article::new(&html, Context { base, ..Context::default() }).read();
    let clean = read.resolve_local_links(written).unwrap_or_else(|| {
        let base = read.base.take().map(Base::renewed);
        let again = Context { base, places: Some(std::mem::take(&mut read.ids)), ..Context::default() };
        Article::new(&html, again).read().0
    });
    allow_list::clean(&clean)
}

/// Removes characters that a parser would change or drop.
fn finished(mut clean: String) -> String {
    if clean.contains('\r') {
        // It was written as a character reference; a parser would read the character itself as a line break.
        clean = clean.replace('\r', "\n");
    }
    // Parsers drop a byte order mark at the start of a document.
    match clean.trim_start_matches('\u{feff}') {
        trimmed if trimmed.bytes().all(|b| b.is_ascii_whitespace()) => String::new(),
        trimmed if trimmed.len() < clean.len() => trimmed.to_owned(),
        _ => clean,
    }
}

/// Maximum length of the text that stands for an encoded email address, in bytes.
const MAX_MAIL_TEXT: usize = 100;

/// An element that is dropped with its content.
#[derive(Debug)]
struct Skipped {
    name: String,
    depth: usize,
    /// Whether it is SVG or MathML, which certain HTML elements close.
    foreign: bool,
    /// Number of open SVG elements that contain HTML.
    html: usize,
}

/// A frame of an unknown service.
#[derive(Debug)]
struct Frame {
    url: Url,
    title: Option<String>,
    /// Whether its attributes show that it is meant to be visible.
    shown: bool,
}

/// Attributes with the address of a frame, most reliable first: pages that load frames later put another one in `src`.
pub(crate) const FRAME_SOURCES: [&str; 5] = ["data-src", "data-lazy-src", "data-litespeed-src", "data-url", "src"];

#[derive(Debug)]
struct Article<'a> {
    tokens: Tokens<'a>,
    serializer: Serializer,
    context: Context,
    skipped: Option<Skipped>,
    /// A frame of an unknown service, until its fallback content has been read.
    frame: Option<Frame>,
    /// Link of the last embed: plug-ins and frames are often nested as fallbacks of each other.
    last_embed: Option<String>,
    /// The last image, and whether it was in a `noscript`.
    last_image: Option<(String, bool)>,
    /// The last element that was written as a character.
    last_symbol: Option<String>,
    /// Whether only tags followed the last formula.
    after_formula: bool,
    repetitions: formulas::Repetitions,
    fences: Fences,
    noscript: usize,
    /// Delimiters of a TeX formula, if the last tag started a script that contains one.
    tex: Option<(&'static str, &'static str)>,
}

impl<'a> Article<'a> {
    fn new(html: &'a str, context: Context) -> Self {
        Self {
            tokens: Tokens::new(html),
            serializer: Serializer::with_capacity(html.len() + html.len() / 4),
            context,
            skipped: None,
            frame: None,
            last_embed: None,
            last_image: None,
            last_symbol: None,
            after_formula: false,
            repetitions: formulas::Repetitions::of(html),
            fences: Fences::default(),
            noscript: 0,
            tex: None,
        }
    }

    fn read(mut self) -> (String, Context) {
        let mut head = Head::default();
        while let Some(token) = self.tokens.next() {
            if !head.is_title(&token, &self.tokens) {
                self.token(token, true);
            }
        }
        self.link_frame();
        (self.serializer.finish(), self.context)
    }

    /// Handles a token. `frames`: whether the fallback content of frames is read, which is not done inside such content.
    fn token(&mut self, token: Token<'_>, frames: bool) {
        if self.skipped.is_some() && self.skips(&token) {
            return;
        }
        match token {
            Token::Raw { of: "iframe", text } => self.frame_content(text, frames),
            Token::Raw { of: "script", text } => self.tex(text),
            Token::Raw { of: "style" | "noembed" | "noframes", .. } => {}
            Token::Raw { of: "xmp" | "plaintext", text } => self.serializer.text(text),
            Token::Raw { text, .. } | Token::Text(text) => {
                self.after_formula &= text.bytes().all(|b| b.is_ascii_whitespace());
                self.serializer.text(&references::decode(text));
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
                    "mfenced" => self.fences.end(&mut self.serializer),
                    name => {
                        self.after_formula |= name == "math";
                        self.serializer.end(canonical_end(name));
                    }
                }
                self.tokens.foreign = self.serializer.in_formula();
            }
        }
    }

    /// Writes a formula in a script as text: MathJax reads TeX from scripts that browsers do not run.
    fn tex(&mut self, source: &str) {
        let Some((before, after)) = self.tex.take() else { return };
        let source = formulas::tex_source(source);
        if !source.is_empty() {
            self.serializer.text(&format!("{before}{source}{after}"));
        }
    }

    fn start(&mut self, tag: &Tag<'_>) {
        let name = &*tag.name;
        self.tex = None;
        if elements::is_dropped_whole(name) || self.serializer.in_formula() && matches!(name, "script" | "style") {
            if !tag.self_closing || name == "template" {
                let foreign = name != "template";
                self.skipped = Some(Skipped { name: name.to_owned(), depth: 1, foreign, html: 0 });
                self.tokens.foreign = foreign;
            }
            return;
        }
        if let Some(symbol) = symbol(tag) {
            // The copy of a lazily loaded image, for browsers without scripts.
            if self.noscript == 0 || self.last_symbol.as_deref() != Some(&*symbol) {
                self.serializer.text(&symbol);
            }
            self.last_symbol = Some(symbol.into_owned());
            return;
        }
        match name {
            "noscript" => self.noscript += 1,
            "iframe" | "amp-iframe" => self.frame(&TagAttributes::read(tag.attributes.clone())),
            "script" => {
                let given = TagAttributes::read(tag.attributes.clone());
                self.tex = formulas::tex_delimiters(&given);
                if self.tex.is_none() {
                    self.plug_in(name, &given);
                }
            }
            "mfenced" if self.serializer.in_formula() => self.fences.start(tag, &mut self.serializer),
            "embed" | "object" | "param" => self.plug_in(name, &TagAttributes::read(tag.attributes.clone())),
            _ if name.contains('-') && embeds::player(name).is_some() => {
                self.plug_in(name, &TagAttributes::read(tag.attributes.clone()));
            }
            _ => self.element(tag),
        }
        self.tokens.foreign = self.serializer.in_formula();
    }

    fn element(&mut self, tag: &Tag<'_>) {
        if self.repetitions.contains(tag, &self.tokens) {
            let name = tag.name.clone().into_owned();
            self.skipped = Some(Skipped { name, depth: 1, foreign: false, html: 0 });
            return;
        }
        let Some(element) = element(&tag.name) else { return };
        // Emphasis inside the text of a formula would end the formula.
        let is_emphasis =
            matches!(element.kind, Kind::Inline | Kind::RubyText) && !matches!(element.name, "audio" | "video");
        if is_emphasis && self.serializer.in_formula_text() || !self.serializer.admits(element) {
            return;
        }
        let given = TagAttributes::read(tag.attributes.clone());
        if self.after_formula && formulas::is_fallback(&given) {
            if element.name != "img" {
                let name = tag.name.clone().into_owned();
                self.skipped = Some(Skipped { name, depth: 1, foreign: false, html: 0 });
            }
            return;
        }
        if element.name == "img" {
            self.image(element, &given);
            return;
        }
        if matches!(element.name, "a" | "span")
            && let Some(mail) = protected_mail::text(&given)
            && self.contains_only_text(&tag.name)
        {
            self.mail(element.name == "a", &mail);
            return;
        }
        let Some(attributes) = self.context.attributes(element, &given) else { return };
        let in_formula = matches!(element.kind, Kind::Formula | Kind::FormulaPart);
        match element.kind {
            Kind::Formula => self.fences = Fences::default(),
            Kind::FormulaPart => self.fences.separate(&mut self.serializer),
            _ => {}
        }
        if element.name == "a" && !attributes.starts_with(" href=") {
            if let Some(span) = elements::element("span") {
                self.serializer.start(span, EndTag::DeadLink, &attributes);
            }
        } else {
            self.serializer.start(element, EndTag::Own, &attributes);
        }
        if in_formula && tag.self_closing {
            self.serializer.end(element.name);
        }
    }

    /// Whether an element that was just opened contains a short text and nothing else.
    fn contains_only_text(&self, name: &str) -> bool {
        let mut tokens = self.tokens.clone();
        let has_text = matches!(tokens.next(), Some(Token::Text(text)) if text.len() <= MAX_MAIL_TEXT);
        has_text && matches!(tokens.next(), Some(Token::End(end)) if end == name)
    }

    /// Writes an email address in place of the text and the end of an element.
    fn mail(&mut self, is_link: bool, address: &str) {
        let mut href = AttributeWriter::default();
        href.set("href", &format!("mailto:{address}"));
        if is_link {
            self.open("a", &href.0);
        }
        self.serializer.text(address);
        if is_link {
            self.serializer.end("a");
        }
        self.tokens.by_ref().take(2).for_each(drop);
    }

    fn image(&mut self, element: elements::Element, given: &TagAttributes<'_>) {
        let Some(image) = self.context.image(element, given) else { return };
        let in_noscript = self.noscript > 0;
        if let Some((src, other)) = &self.last_image
            && *src == image.src
            && (*other || in_noscript)
        {
            // The same image, once for browsers with scripts and once for those without.
            return;
        }
        self.last_image = Some((image.src, in_noscript));
        self.serializer.start(element, EndTag::Own, &image.attributes);
    }

    fn frame(&mut self, given: &TagAttributes<'_>) {
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
        if !images::is_invisible(width, height) && !given.has("hidden") && !embeds::is_page_chrome(&url) {
            self.frame = Some(Frame { url, title, shown: is_meant_to_be_visible(given) });
        }
    }

    /// Replaces a frame with its fallback content, unless that only says that the browser shows no frames.
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

    fn plug_in(&mut self, name: &str, given: &TagAttributes<'_>) {
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
        // A title such as "YouTube video player" adds nothing to the service's name.
        let title = title.filter(|title| !title.to_ascii_lowercase().contains("player") && *title != embed.service);
        match title {
            Some(title) => self.link(&embed.page, &format!("{title} ({})", embed.service)),
            None => self.link(&embed.page, embed.service),
        }
        self.last_embed = Some(embed.page);
    }

    /// Writes a link in place of embedded content.
    fn link(&mut self, address: &str, label: &str) {
        let mut class = AttributeWriter::default();
        class.set("class", "embed");
        self.open("p", &class.0);
        let mut href = AttributeWriter::default();
        href.set("href", address);
        self.open("a", &href.0);
        self.serializer.text(if label.trim().is_empty() { address } else { label });
        self.serializer.end("a");
        self.serializer.end("p");
    }

    fn open(&mut self, name: &str, attributes: &str) {
        if let Some(element) = element(name)
            && self.serializer.admits(element)
        {
            self.serializer.start(element, EndTag::Own, attributes);
        }
    }

    /// Whether a token belongs to the dropped element; ends the element if the token closes it.
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
            Token::Start(tag) => skipped.foreign && skipped.html == 0 && ends_foreign_content(&tag.name),
            Token::End(name) if **name == *skipped.name => {
                skipped.depth -= 1;
                if skipped.depth == 0 {
                    self.skipped = None;
                    self.tokens.foreign = self.serializer.in_formula();
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
            self.tokens.foreign = self.serializer.in_formula();
        }
        !ended
    }
}

/// Returns the name under which an element was opened.
fn canonical_end(name: &str) -> &str {
    elements::element(name).map_or(name, |element| element.name)
}

/// Whether a frame of an unknown service has attributes that a tracking frame would not have.
fn is_meant_to_be_visible(given: &TagAttributes<'_>) -> bool {
    let css = given.get("style").unwrap_or("").to_ascii_lowercase();
    let says = ["width", "height", "title", "class"].iter().any(|name| given.first([*name]).is_some());
    let allows = ["allow", "allowfullscreen", "webkitallowfullscreen", "mozallowfullscreen"];
    !style::hides(&css)
        && (says
            || allows.iter().any(|name| given.has(name))
            || ["width", "height", "aspect-ratio"].iter().any(|property| css.contains(property)))
}

/// Whether the fallback content only says that the browser shows no frames.
fn is_apology(text: &str) -> bool {
    let text = text.trim().to_lowercase();
    text.is_empty()
        || text.len() < 200
            && ["browser", "iframe", "frames", "loading", "not support", "javascript"]
                .iter()
                .any(|word| text.contains(word))
}
