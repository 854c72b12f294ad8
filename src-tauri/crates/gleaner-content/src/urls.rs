//! The addresses that an article may contain, made absolute.

use url::Url;

/// Schemes that a link may have: those that the app passes to the system's browser (`gleaner-app/src/links.rs`).
pub(crate) const LINK_SCHEMES: [&str; 3] = ["http", "https", "mailto"];

/// Maximum length of an address in bytes; servers accept far less.
const MAX_ADDRESS: usize = 16 << 10;

/// Prefixes of `data:` URLs that can only be an image. SVG is missing because it is a document.
const IMAGE_DATA: [&str; 6] =
    ["data:image/png", "data:image/gif", "data:image/jpeg", "data:image/jpg", "data:image/webp", "data:image/avif"];

/// Returns the absolute target of a link; `None` if it is invalid or its scheme is not allowed.
pub(crate) fn link(value: &str, base: Option<&Url>) -> Option<Url> {
    let url = absolute(value, base)?;
    LINK_SCHEMES.contains(&url.scheme()).then_some(url)
}

/// Returns the absolute address of something loaded from the web.
pub(crate) fn web(value: &str, base: Option<&Url>) -> Option<Url> {
    let url = absolute(value, base)?;
    matches!(url.scheme(), "http" | "https").then_some(url)
}

/// Returns the address of an image: on the web, or a `data:` URL.
pub(crate) fn image(value: &str, base: Option<&Url>) -> Option<String> {
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

fn absolute(value: &str, base: Option<&Url>) -> Option<Url> {
    let value = value.trim_matches(|c: char| c <= ' ');
    if value.is_empty() || value.len() > MAX_ADDRESS {
        return None;
    }
    let url = match base {
        Some(base) => base.join(value).ok()?,
        // The scheme of the page is unknown; most sites support https.
        None if value.starts_with("//") => Url::parse(&format!("https:{value}")).ok()?,
        None => Url::parse(value).ok()?,
    };
    Some(url)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn makes_links_absolute() {
        let base = Url::parse("https://example.com/a/b").unwrap();
        assert_eq!(link("../c d", Some(&base)).unwrap().as_str(), "https://example.com/c%20d");
        assert_eq!(link("//cdn.example/x", None).unwrap().as_str(), "https://cdn.example/x");
        assert_eq!(link("x", None), None);
        assert_eq!(link("mailto:a@b.example", None).unwrap().as_str(), "mailto:a@b.example");
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
