//! A web page taken apart: what of it concerns feeds.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};
use std::cell::{Cell, RefCell};
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
    /// `hreflang`, `media` or `rev` is there: another version of the page, or something that it is an alternate of.
    pub(crate) version: bool,
    /// `sizes`, as it is written.
    pub(crate) sizes: Option<String>,
    /// The text of an anchor, pictures' `alt` with it.
    pub(crate) text: String,
}

/// What the page says.
#[derive(Debug, Clone, Default)]
pub(crate) struct Page {
    pub(crate) links: Vec<Reference>,
    pub(crate) anchors: Vec<Reference>,
    /// `<meta>` by name, property or itemprop, lower-cased, in document order.
    pub(crate) metas: Vec<(String, String)>,
    /// Where `<meta http-equiv=refresh>` leads at once.
    pub(crate) refresh: Option<Url>,
    /// The whole document, for what sites keep in scripts.
    pub(crate) text: String,
}

impl Page {
    pub(crate) fn read(html: &[u8], content_type: Option<&str>, base: &Url) -> Self {
        let text = decode(html, content_type);
        let xhtml = content_type.is_some_and(|value| value.to_ascii_lowercase().contains("xhtml"))
            || text.trim_start().starts_with("<?xml");
        let collector = Collector { xhtml, ..Collector::default() };
        let input = BufferQueue::default();
        input.push_back(StrTendril::from_slice(&text));
        let tokenizer = Tokenizer::new(collector, TokenizerOpts::default());
        let _ = tokenizer.feed(&input);
        tokenizer.end();
        let raw = tokenizer.sink.raw.into_inner();
        // HTML, 4.2.3: the first base element with an href counts, wherever it stands, and itself hangs on the page's URL.
        let base = raw
            .base
            .and_then(|href| base.join(href.trim()).ok())
            .filter(|url| matches!(url.scheme(), "http" | "https"))
            .unwrap_or_else(|| base.clone());
        let resolve = |elements: Vec<RawReference>| elements.into_iter().filter_map(|raw| raw.resolve(&base)).collect();
        let refresh = raw.refresh.as_deref().and_then(refresh).and_then(|target| base.join(target).ok());
        let refresh = refresh.filter(|url| matches!(url.scheme(), "http" | "https") && url != &base);
        Self { links: resolve(raw.links), anchors: resolve(raw.anchors), metas: raw.metas, refresh, text }
    }

    /// The first `<meta>` of that name.
    pub(crate) fn meta(&self, name: &str) -> Option<&str> {
        self.metas.iter().find(|(key, _)| key == name).map(|(_, content)| content.as_str())
    }

    /// The text after a marker up to the next quotation mark, for values in scripts such as `"channelId":"…"`.
    pub(crate) fn after(&self, marker: &str) -> Option<&str> {
        let rest = &self.text[self.text.find(marker)? + marker.len()..];
        let value = &rest[..rest.find(['"', '\'', '<', '\n'])?];
        (!value.is_empty()).then_some(value)
    }
}

/// Byte order mark, HTTP, the document's own word in its first kilobyte, then what the bytes look like.
fn decode(bytes: &[u8], content_type: Option<&str>) -> String {
    if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        return encoding.decode(bytes).0.into_owned();
    }
    let start = String::from_utf8_lossy(&bytes[..bytes.len().min(1024)]).to_ascii_lowercase();
    let looks = match bytes {
        [0, b'<', ..] => Some(UTF_16BE),
        [b'<', 0, ..] => Some(UTF_16LE),
        _ => None,
    };
    let said = content_type.and_then(charset).or(looks).or_else(|| charset(&start));
    let encoding = match said {
        Some(encoding) => encoding,
        None if std::str::from_utf8(bytes).is_ok() => UTF_8,
        None => WINDOWS_1252,
    };
    // A document whose `charset=` could be read a byte at a time is not in two-byte units whatever it says.
    let encoding = if looks.is_none() && (encoding == UTF_16LE || encoding == UTF_16BE) { UTF_8 } else { encoding };
    encoding.decode_without_bom_handling(bytes).0.into_owned()
}

fn charset(text: &str) -> Option<&'static Encoding> {
    let lower = text.to_ascii_lowercase();
    let at = lower.find("charset=").map(|at| at + 8).or_else(|| lower.find("encoding=").map(|at| at + 9))?;
    let label = lower[at..].trim_start_matches(['"', '\'', ' ']);
    let end = label.find(|c: char| !c.is_ascii_alphanumeric() && !"-_:.".contains(c)).unwrap_or(label.len());
    Encoding::for_label(&label.as_bytes()[..end])
}

#[derive(Default)]
struct RawReference {
    href: String,
    rel: Option<String>,
    mime_type: Option<String>,
    title: Option<String>,
    version: bool,
    sizes: Option<String>,
    text: String,
}

impl RawReference {
    fn resolve(self, base: &Url) -> Option<Reference> {
        let href = self.href.trim();
        // An empty address is the page itself, which is no feed: the author forgot something.
        if href.is_empty() || href.starts_with('#') {
            return None;
        }
        let unfed = href.get(..5).filter(|start| start.eq_ignore_ascii_case("feed:")).map(|_| crate::address(href));
        let url = match unfed {
            Some(url) => url.ok()?,
            None => base.join(href).ok()?,
        };
        if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
            return None;
        }
        let mime_type =
            self.mime_type.map(|value| value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase());
        Some(Reference {
            url,
            rel: self.rel.map(|rel| rel.split_ascii_whitespace().map(str::to_ascii_lowercase).collect()),
            mime_type: mime_type.filter(|value| !value.is_empty()),
            title: self.title.map(|title| collapse(&title)).filter(|title| !title.is_empty()),
            version: self.version,
            sizes: self.sizes,
            text: collapse(&self.text),
        })
    }
}

pub(crate) fn collapse(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[derive(Default)]
struct Raw {
    base: Option<String>,
    links: Vec<RawReference>,
    anchors: Vec<RawReference>,
    metas: Vec<(String, String)>,
    refresh: Option<String>,
}

/// `0; url=/blog/`. After more than some seconds it is a page that reloads itself, or wants to be read first.
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

/// Tokens are enough: `<link>` counts wherever it stands, and a tree would cost more than all the rest.
#[derive(Default)]
struct Collector {
    raw: RefCell<Raw>,
    in_anchor: Cell<bool>,
    xhtml: bool,
}

/// A page with more anchors than this is no page that lists its feeds among them.
const ANCHORS_AT_MOST: usize = 5000;

impl Collector {
    fn open(&self, tag: &Tag) {
        let value = |name: &str| {
            tag.attrs
                .iter()
                .find(|attribute| &*attribute.name.local == name)
                .map(|attribute| attribute.value.to_string())
        };
        let reference = |href| RawReference {
            href,
            rel: value("rel"),
            mime_type: value("type"),
            title: value("title"),
            version: value("hreflang").is_some()
                || value("rev").is_some()
                || value("media").is_some_and(|media| media != "all"),
            sizes: value("sizes"),
            text: String::new(),
        };
        let mut raw = self.raw.borrow_mut();
        match &*tag.name {
            "base" if raw.base.is_none() => raw.base = value("href"),
            "link" => raw.links.extend(value("href").map(reference)),
            "a" | "area" => {
                let href = value("href").filter(|_| raw.anchors.len() < ANCHORS_AT_MOST);
                self.in_anchor.set(href.is_some() && &*tag.name == "a");
                raw.anchors.extend(href.map(reference));
            }
            "img" | "svg" if self.in_anchor.get() => {
                let words = value("alt").or_else(|| value("title")).or_else(|| value("aria-label"));
                if let (Some(words), Some(anchor)) = (words, raw.anchors.last_mut()) {
                    anchor.text.push(' ');
                    anchor.text.push_str(&words);
                }
            }
            "meta" => {
                if value("http-equiv").is_some_and(|name| name.eq_ignore_ascii_case("refresh")) && raw.refresh.is_none()
                {
                    raw.refresh = value("content");
                }
                let name = value("name").or_else(|| value("property")).or_else(|| value("itemprop"));
                if let (Some(name), Some(content)) = (name, value("content")) {
                    raw.metas.push((name.to_ascii_lowercase(), content));
                }
            }
            _ => {}
        }
    }
}

impl TokenSink for Collector {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        match token {
            Token::TagToken(tag) if tag.kind == TagKind::StartTag => {
                self.open(&tag);
                // What a tree builder would tell the tokenizer: in these, markup is text.
                let kind = match &*tag.name {
                    _ if self.xhtml && tag.self_closing => return TokenSinkResult::Continue,
                    "script" => RawKind::ScriptData,
                    "style" | "xmp" | "iframe" | "noembed" | "noframes" => RawKind::Rawtext,
                    "title" | "textarea" => RawKind::Rcdata,
                    _ => return TokenSinkResult::Continue,
                };
                TokenSinkResult::RawData(kind)
            }
            Token::TagToken(tag) => {
                if &*tag.name == "a" {
                    self.in_anchor.set(false);
                }
                TokenSinkResult::Continue
            }
            Token::CharacterTokens(text) => {
                if self.in_anchor.get()
                    && let Some(anchor) = self.raw.borrow_mut().anchors.last_mut()
                    && anchor.text.len() < 200
                {
                    anchor.text.push_str(&text);
                }
                TokenSinkResult::Continue
            }
            _ => TokenSinkResult::Continue,
        }
    }
}
