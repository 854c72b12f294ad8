//! The parts of a web page that concern feeds.

use crate::languages;
use gleaner_address::{has_web_scheme, is_web};
use gleaner_feed::{has_feed_scheme, written_url};
use gleaner_html::{
    charset, one_line, references,
    tokens::{Tag, Token, Tokens},
};
use std::borrow::Cow;
use url::Url;

/// A link or an anchor, its target absolute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reference {
    pub(crate) url: Url,
    /// The tokens of `rel`, lower-cased; `None` without the attribute.
    pub(crate) rel: Option<Vec<String>>,
    /// The type without its parameters, lower-cased.
    pub(crate) mime_type: Option<String>,
    pub(crate) title: Option<String>,
    /// Whether it has `hreflang`, `media` or `rev`: the target is another version of the page, or the page is one of the target.
    pub(crate) version: bool,
    /// `hreflang`, unless it names all languages.
    pub(crate) language: Option<String>,
    /// `sizes`, unparsed.
    pub(crate) sizes: Option<String>,
    /// The text of an anchor, with the `alt` of its images.
    pub(crate) text: String,
    /// Whether it is marked as a feed: by the scheme of its address, or by a feed icon.
    pub(crate) is_marked: bool,
}

/// A web page.
#[derive(Debug, Clone, Default)]
pub(crate) struct Page {
    pub(crate) links: Vec<Reference>,
    pub(crate) anchors: Vec<Reference>,
    /// `<meta>` by name, property or itemprop, lower-cased, in document order.
    pub(crate) metas: Vec<(String, String)>,
    /// Target of a `<meta http-equiv=refresh>` that redirects, or of the only frame: some domains are forwarded by a frame.
    pub(crate) refresh: Option<Url>,
    /// Its language, as a tag.
    pub(crate) language: Option<String>,
    /// The whole document, for values in scripts.
    pub(crate) text: String,
}

impl Page {
    pub(crate) fn read(html: &[u8], content_type: Option<&str>, base: &Url) -> Self {
        let text = charset::decode_page(html, content_type);
        let is_xhtml = content_type.is_some_and(|value| value.to_ascii_lowercase().contains("xhtml"))
            || text.trim_start().starts_with("<?xml");
        let raw = Raw::read(if is_xhtml { Tokens::xhtml(&text) } else { Tokens::new(&text) });
        // HTML standard, § 4.2.3: the first base element with an href counts, relative to the page's URL.
        let base = raw
            .base
            .filter(|href| href.len() <= MAX_ADDRESS)
            .and_then(|href| base.join(href.trim()).ok())
            .filter(is_web)
            .unwrap_or_else(|| base.clone());
        let resolve = |elements: Vec<RawReference>| elements.into_iter().filter_map(|raw| raw.resolve(&base)).collect();
        let frame = if let [frame] = &*raw.frames { Some(frame.trim()) } else { None };
        let refresh = raw.refresh.as_deref().and_then(refresh).or(frame).and_then(|target| base.join(target).ok());
        let refresh = refresh.filter(|url| is_web(url) && url != &base);
        let language = raw.language.as_deref().and_then(languages::tag);
        let anchors = raw.anchors.into_iter().chain(raw.copied).collect();
        Self { links: resolve(raw.links), anchors: resolve(anchors), metas: raw.metas, refresh, language, text }
    }

    /// Returns the content of the first `<meta>` with this name.
    pub(crate) fn meta(&self, name: &str) -> Option<&str> {
        self.metas.iter().find(|(key, _)| key == name).map(|(_, content)| content.as_str())
    }

    /// Returns the text after a marker up to the next quotation mark, for values in scripts such as `"channelId":"…"`.
    pub(crate) fn after(&self, marker: &str) -> Option<&str> {
        let rest = &self.text[self.text.find(marker)? + marker.len()..];
        let value = &rest[..rest.find(['"', '\'', '<', '\n'])?];
        (!value.is_empty()).then_some(value)
    }
}

#[derive(Default)]
pub(crate) struct RawReference {
    pub(crate) href: String,
    pub(crate) rel: Option<String>,
    pub(crate) mime_type: Option<String>,
    pub(crate) title: Option<String>,
    pub(crate) version: bool,
    pub(crate) language: Option<String>,
    pub(crate) sizes: Option<String>,
    pub(crate) text: String,
    pub(crate) has_icon: bool,
}

impl RawReference {
    pub(crate) fn resolve(self, base: &Url) -> Option<Reference> {
        if self.href.trim().len() > MAX_ADDRESS {
            return None;
        }
        let href = written_url(&self.href);
        // An empty address means the page itself, which is not a feed.
        if href.is_empty() || href.starts_with('#') {
            return None;
        }
        let is_feed_scheme = has_feed_scheme(&href);
        let url = if is_feed_scheme { crate::address(&href).ok()? } else { base.join(&href).ok()? };
        if !is_web(&url) || url.host_str().is_none() {
            return None;
        }
        let url = without_session(url);
        let mime_type =
            self.mime_type.map(|value| value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase());
        Some(Reference {
            url,
            rel: self
                .rel
                .map(|rel| rel.split_ascii_whitespace().take(MAX_RELATIONS).map(str::to_ascii_lowercase).collect()),
            mime_type: mime_type.filter(|value| !value.is_empty()),
            title: self.title.map(|title| one_line(cut(&title))).filter(|title| !title.is_empty()),
            version: self.version,
            language: self.language.as_deref().and_then(languages::tag),
            sizes: self.sizes,
            text: one_line(&self.text),
            is_marked: is_feed_scheme || self.has_icon,
        })
    }
}

/// Returns an address without the session that a forum, such as phpBB, adds to the links of a visitor without cookies.
fn without_session(mut url: Url) -> Url {
    let is_session = |parameter: &&str| {
        let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
        let is_digest = value.len() == 32 && value.bytes().all(|byte| byte.is_ascii_hexdigit());
        name.eq_ignore_ascii_case("sid") && is_digest || name.eq_ignore_ascii_case("phpsessid")
    };
    let Some(query) = url.query().filter(|query| query.split('&').any(|parameter| is_session(&parameter))) else {
        return url;
    };
    let kept: Vec<&str> = query.split('&').filter(|parameter| !is_session(parameter)).collect();
    let kept = Some(kept.join("&")).filter(|query| !query.is_empty());
    url.set_query(kept.as_deref());
    url
}

/// Whether an element is a feed icon, by its class or by the drawing that it uses.
fn has_icon(tag: &Tag<'_>) -> bool {
    let names = |value: &str| value.split(['-', '_', '#', '.', '/', ' ']).any(|word| word.eq_ignore_ascii_case("rss"));
    match &*tag.name {
        "use" => ["href", "xlink:href"].iter().filter_map(|name| tag.attributes.get(name)).any(|href| names(&href)),
        "a" | "i" | "span" | "svg" | "img" => tag.attributes.get("class").is_some_and(|class| names(&class)),
        _ => false,
    }
}

/// Returns the target of a redirect such as `0; url=/blog/`. A long delay means that the page reloads, or should be read first.
fn refresh(content: &str) -> Option<&str> {
    let (seconds, rest) = content.split_once([';', ','])?;
    let rest = rest.trim();
    let target = match rest.get(..3) {
        Some(name) if name.eq_ignore_ascii_case("url") => rest[3..].trim_start().strip_prefix('=')?,
        _ => rest,
    };
    let soon = seconds.trim().parse::<f32>().is_ok_and(|seconds| seconds <= 5.0);
    let target = target.trim().trim_matches(['"', '\'']);
    (soon && !target.is_empty()).then_some(target)
}

/// Maximum number of links, of anchors and of metadata that are read. A page that has more does not list its feeds among them.
pub(crate) const MAX_REFERENCES: usize = 5000;

/// Maximum number of relations of a link that are read. Each takes many times its length.
const MAX_RELATIONS: usize = 20;

/// Maximum number of fields with an address to copy that are read.
const MAX_COPIED: usize = 20;

/// Length in bytes after which the text or title of a link is cut.
const MAX_TEXT: usize = 1000;

/// Maximum length of an address, in bytes. It also applies to the base with which addresses are made absolute.
const MAX_ADDRESS: usize = 8 << 10;

fn cut(text: &str) -> &str {
    &text[..text.floor_char_boundary(MAX_TEXT)]
}

/// The elements of a page as written. Tokens suffice: `<link>` counts anywhere in a page, and a tree would be slower.
#[derive(Default)]
struct Raw {
    /// `lang` of the document.
    language: Option<String>,
    base: Option<String>,
    links: Vec<RawReference>,
    anchors: Vec<RawReference>,
    /// Addresses in fields to copy them from.
    copied: Vec<RawReference>,
    metas: Vec<(String, String)>,
    refresh: Option<String>,
    /// `src` of the frames.
    frames: Vec<String>,
    in_anchor: bool,
}

impl Raw {
    fn read(tokens: Tokens<'_>) -> Self {
        let mut raw = Self::default();
        for token in tokens {
            match token {
                Token::Start(tag) => raw.start(&tag),
                Token::End(name) if name == "a" => raw.in_anchor = false,
                Token::Text(text) | Token::Raw { of: "title" | "textarea", text } => {
                    raw.anchor_text(&references::decode(text));
                }
                _ => {}
            }
        }
        raw
    }

    fn anchor_text(&mut self, text: &str) {
        if let Some(anchor) = self.anchors.last_mut().filter(|_| self.in_anchor) {
            let room = MAX_TEXT.saturating_sub(anchor.text.len());
            anchor.text.push_str(&text[..text.floor_char_boundary(room)]);
        }
    }

    fn start(&mut self, tag: &Tag<'_>) {
        let value = |name: &str| tag.attributes.get(name).map(Cow::into_owned);
        let reference = |href| RawReference {
            href,
            rel: value("rel"),
            mime_type: value("type"),
            title: value("title"),
            version: value("hreflang").is_some()
                || value("rev").is_some()
                || value("media").is_some_and(|media| media != "all"),
            language: value("hreflang"),
            sizes: value("sizes"),
            text: String::new(),
            has_icon: false,
        };
        if self.in_anchor
            && has_icon(tag)
            && let Some(anchor) = self.anchors.last_mut()
        {
            anchor.has_icon = true;
        }
        match &*tag.name {
            "html" if self.language.is_none() => self.language = value("lang").or_else(|| value("xml:lang")),
            "frame" if self.frames.len() < 2 => self.frames.extend(value("src")),
            "base" if self.base.is_none() => self.base = value("href"),
            "link" if self.links.len() < MAX_REFERENCES => self.links.extend(value("href").map(reference)),
            "a" | "area" => {
                let href = value("href").filter(|_| self.anchors.len() < MAX_REFERENCES);
                self.in_anchor = href.is_some() && tag.name == "a";
                self.anchors.extend(href.map(|href| RawReference {
                    title: value("title").or_else(|| value("aria-label")),
                    has_icon: has_icon(tag),
                    ..reference(href)
                }));
            }
            // The address of a feed to copy, on pages of podcast hosts.
            "input" | "button" if self.copied.len() < MAX_COPIED => {
                let shown = value("type").is_none_or(|kind| !kind.trim().eq_ignore_ascii_case("hidden"));
                let copied = value("data-clipboard-text").or_else(|| value("value")).filter(|_| shown);
                let copied = copied.filter(|text| has_web_scheme(text));
                self.in_anchor &= copied.is_none();
                self.copied.extend(copied.map(reference));
            }
            "img" | "svg" | "i" | "span" if self.in_anchor => {
                if let Some(words) = value("alt").or_else(|| value("title")).or_else(|| value("aria-label")) {
                    self.anchor_text(" ");
                    self.anchor_text(&words);
                }
            }
            "meta" => {
                if value("http-equiv").is_some_and(|name| name.eq_ignore_ascii_case("refresh"))
                    && self.refresh.is_none()
                {
                    self.refresh = value("content");
                }
                let name = value("name").or_else(|| value("property")).or_else(|| value("itemprop"));
                if let (Some(name), Some(content)) = (name, value("content"))
                    && self.metas.len() < MAX_REFERENCES
                {
                    self.metas.push((name.to_ascii_lowercase(), content));
                }
            }
            _ => {}
        }
    }
}
