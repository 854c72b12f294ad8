//! The addresses that an article may contain, made absolute.

use gleaner_address::is_web;
use std::cell::Cell;
use url::Url;

/// Schemes that a link may have: those that the app passes to the system's browser (`gleaner-app/src/links.rs`).
pub(crate) const LINK_SCHEMES: [&str; 3] = ["http", "https", "mailto"];

/// Maximum length of an address in bytes; servers accept far less.
pub(crate) const MAX_ADDRESS: usize = 16 << 10;

/// Factor by which all relative addresses together may make a document longer. Links have a text, and most bases are short.
const MAX_GROWTH: usize = 4;
/// Length in bytes that relative addresses may add to a short document.
const MIN_GROWTH: usize = 1 << 20;

/// Prefixes of `data:` URLs that can only be an image. SVG is missing because it is a document.
const IMAGE_DATA: [&str; 6] =
    ["data:image/png", "data:image/gif", "data:image/jpeg", "data:image/jpg", "data:image/webp", "data:image/avif"];

/// The base of relative addresses, and how many bytes they may still add. A relative address of one byte becomes as long as the base, so a
/// small document could become one of gigabytes.
#[derive(Debug)]
pub(crate) struct Base {
    url: Url,
    length: usize,
    left: Cell<usize>,
}

impl Base {
    /// Returns the base of a document of `length` bytes; `None` if the address is not a base, or too long to be one.
    pub(crate) fn read(address: &str, length: usize) -> Option<Self> {
        let address = Some(address.trim()).filter(|address| address.len() <= MAX_ADDRESS)?;
        let url = Url::parse(address).ok().filter(|url| !url.cannot_be_a_base())?;
        Some(Self { url, length, left: Cell::new(0) }.renewed())
    }

    /// Returns the base with its whole budget, to read the document again.
    pub(crate) fn renewed(self) -> Self {
        Self { left: Cell::new(MIN_GROWTH.max(self.length.saturating_mul(MAX_GROWTH))), ..self }
    }

    pub(crate) fn url(&self) -> &Url {
        &self.url
    }

    /// Returns an absolute address; `None` when the budget is used up.
    fn join(&self, value: &str) -> Option<Url> {
        let url = self.url.join(value).ok()?;
        let growth = url.as_str().len().saturating_sub(value.len());
        self.left.set(self.left.get().checked_sub(growth)?);
        Some(url)
    }
}

/// Returns the absolute target of a link; `None` if it is invalid or its scheme is not allowed.
pub(crate) fn link(value: &str, base: Option<&Base>) -> Option<Url> {
    // Written without its scheme, it would be a file of the page's own site.
    let url = match value.trim_matches(|c: char| c <= ' ') {
        site if begins_with_www(site) => Url::parse(&format!("http://{site}")).ok()?,
        _ => absolute(value, base)?,
    };
    LINK_SCHEMES.contains(&url.scheme()).then_some(url)
}

/// Returns the absolute address of something loaded from the web.
pub(crate) fn web(value: &str, base: Option<&Base>) -> Option<Url> {
    let url = absolute(value, base)?;
    is_web(&url).then_some(url)
}

/// Returns the address of an image: on the web, or a `data:` URL.
pub(crate) fn image(value: &str, base: Option<&Base>) -> Option<String> {
    if let Some(data) = image_data(value) {
        return Some(data);
    }
    web(value, base).map(String::from)
}

/// Returns a `data:` URL of an image, without white space, its type in lower case.
pub(crate) fn image_data(value: &str) -> Option<String> {
    let value = value.trim();
    let head = value.get(..24.min(value.len())).or_else(|| value.get(..16))?.to_ascii_lowercase();
    let kind = IMAGE_DATA.iter().find(|kind| head.starts_with(**kind))?;
    if !matches!(value.as_bytes().get(kind.len()), Some(b';' | b',')) {
        return None;
    }
    // Base64 and percent-encoding need no other characters, and none of these needs escaping.
    let plain = |c: &char| c.is_ascii_alphanumeric() || "+/=;,:%-_.~*!()@$".contains(*c);
    let data = value.chars().skip(kind.len()).filter(|c| !c.is_ascii_whitespace());
    let data: String = kind.chars().chain(data).collect();
    data.chars().all(|c| plain(&c)).then_some(data)
}

fn absolute(value: &str, base: Option<&Base>) -> Option<Url> {
    let value = value.trim_matches(|c: char| c <= ' ');
    if value.is_empty() || value.len() > MAX_ADDRESS {
        return None;
    }
    let url = match base {
        Some(base) => base.join(value)?,
        // The scheme of the page is unknown; most sites support https.
        None if value.starts_with("//") => Url::parse(&format!("https:{value}")).ok()?,
        None => Url::parse(value).ok()?,
    };
    Some(url).filter(|url| url.as_str().len() <= MAX_ADDRESS)
}

/// Whether an address begins with the domain of a site, and not with the name of a file, such as `www.old.html`.
fn begins_with_www(value: &str) -> bool {
    let rest = value.get(..4).filter(|start| start.eq_ignore_ascii_case("www.")).and_then(|_| value.get(4..));
    let domain = rest.and_then(|rest| rest.split(['/', '?', '#']).next());
    value.len() <= MAX_ADDRESS
        && domain.and_then(|domain| domain.rsplit_once('.')).is_some_and(|(_, end)| !is_extension(end))
}

/// Whether a file has this extension that is not a top-level domain.
fn is_extension(end: &str) -> bool {
    const EXTENSIONS: [&str; 16] = [
        "asp", "aspx", "css", "gif", "htm", "html", "jpeg", "jpg", "js", "json", "jsp", "pdf", "php", "png", "txt",
        "xml",
    ];
    EXTENSIONS.iter().any(|extension| end.eq_ignore_ascii_case(extension))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn makes_links_absolute() {
        let base = Base::read("https://example.com/a/b", 0).unwrap();
        assert_eq!(link("../c d", Some(&base)).unwrap().as_str(), "https://example.com/c%20d");
        assert_eq!(link("//cdn.example/x", None).unwrap().as_str(), "https://cdn.example/x");
        assert_eq!(link("x", None), None);
        for base in [Some(&base), None] {
            assert_eq!(link("WWW.blog.example/x", base).unwrap().as_str(), "http://www.blog.example/x");
        }
        assert_eq!(link("www.html", Some(&base)).unwrap().as_str(), "https://example.com/a/www.html");
        assert_eq!(link("www.old.html", Some(&base)).unwrap().as_str(), "https://example.com/a/www.old.html");
        assert_eq!(web("www.example.png", Some(&base)).unwrap().as_str(), "https://example.com/a/www.example.png");
        assert_eq!(link("www.old/a.html", Some(&base)).unwrap().as_str(), "https://example.com/a/www.old/a.html");
        assert_eq!(link("mailto:a@b.example", None).unwrap().as_str(), "mailto:a@b.example");
    }

    #[test]
    fn limits_what_relative_addresses_add() {
        let address = format!("https://example.com/{}/", "b".repeat(10_000));
        for length in [0, 1 << 20] {
            let base = Base::read(&address, length).unwrap();
            let added = || std::iter::from_fn(|| link("a", Some(&base))).map(|url| url.as_str().len()).sum::<usize>();
            let most = MIN_GROWTH.max(MAX_GROWTH * length) * 11 / 10;
            assert!((most / 2..=most).contains(&added()), "{length}");
            assert!(link("https://example.net/", Some(&base)).is_some(), "an absolute address adds nothing");
        }
        assert!(Base::read(&address.repeat(2), 0).is_none());
        assert!(Base::read("mailto:a@b.example", 0).is_none());
    }

    #[test]
    fn rejects_links_that_the_app_does_not_open() {
        for bad in [
            "javascript:x",
            " JaVa\nScript:x",
            "vbscript:x",
            "data:text/html,x",
            "blob:x",
            "file:///etc/passwd",
            "view-source:x",
            "magnet:?xt=urn:btih:c0ffee",
            "tel:+4912345",
            "ftp://a.example/x",
            "feed:https://a.example/x",
        ] {
            assert_eq!(link(bad, None), None, "{bad}");
        }
    }

    #[test]
    fn accepts_data_urls_of_images() {
        assert_eq!(image("Data:image/PNG;base64,iVBO\nRw0=", None).unwrap(), "data:image/png;base64,iVBORw0=");
        assert_eq!(image("data:image/svg+xml,<svg onload=x>", None), None);
        assert_eq!(image("data:image/pngx,1", None), None);
        assert_eq!(image("javascript:x", None), None);
    }
}
