//! Which addresses an article may name, and how they become absolute.

use url::Url;

/// Schemes that a link may have: none of them runs code in a page. (IANA's registry; what feeds were seen to use.)
#[rustfmt::skip]
pub(crate) const LINK_SCHEMES: [&str; 51] = [
    "http", "https", "mailto", "ftp", "ftps", "sftp", "news", "nntp", "snews", "irc", "ircs", "magnet", "tel", "fax", "sms", "xmpp",
    "sip", "sips", "geo", "gopher", "gemini", "feed", "webcal", "webcals", "matrix", "bitcoin", "ed2k", "callto", "aim", "skype", "facetime",
    "rtsp", "mms", "ipfs", "ipns", "doi", "urn", "tag", "info", "acct", "mid", "git", "svn", "wais", "prospero", "dict", "oid", "go", "apt", "steam", "spotify",
];

/// Bytes of an address; servers take far fewer.
const LONGEST: usize = 16 << 10;

/// Data URLs that can only be a picture: no SVG, which is a document.
const PICTURE_DATA: [&str; 6] =
    ["data:image/png", "data:image/gif", "data:image/jpeg", "data:image/jpg", "data:image/webp", "data:image/avif"];

/// The target of a link, absolute; `None` when it may not be one or cannot be read.
pub(crate) fn link(value: &str, base: Option<&Url>) -> Option<Url> {
    let url = absolute(value, base)?;
    LINK_SCHEMES.contains(&url.scheme()).then_some(url)
}

/// The address of something that is loaded from the web, absolute.
pub(crate) fn web(value: &str, base: Option<&Url>) -> Option<Url> {
    let url = absolute(value, base)?;
    matches!(url.scheme(), "http" | "https").then_some(url)
}

/// The address of a picture: on the web, or the picture itself.
pub(crate) fn picture(value: &str, base: Option<&Url>) -> Option<String> {
    if let Some(data) = picture_data(value) {
        return Some(data);
    }
    web(value, base).map(String::from)
}

/// A `data:` URL of a picture, without white space, its kind in lower case.
pub(crate) fn picture_data(value: &str) -> Option<String> {
    let value = value.trim();
    let head = value.get(..24.min(value.len())).or_else(|| value.get(..16))?.to_ascii_lowercase();
    let kind = PICTURE_DATA.iter().find(|kind| head.starts_with(**kind))?;
    if !matches!(value.as_bytes().get(kind.len()), Some(b';' | b',')) {
        return None;
    }
    // Base64 and percent-encoding need no more, and what is left needs no escaping.
    let plain = |c: &char| c.is_ascii_alphanumeric() || "+/=;,:%-_.~*!()@$".contains(*c);
    let data = value.chars().skip(kind.len()).filter(|c| !c.is_ascii_whitespace());
    let data: String = kind.chars().chain(data).collect();
    data.chars().all(|c| plain(&c)).then_some(data)
}

fn absolute(value: &str, base: Option<&Url>) -> Option<Url> {
    let value = value.trim_matches(|c: char| c <= ' ');
    if value.is_empty() || value.len() > LONGEST {
        return None;
    }
    let url = match base {
        Some(base) => base.join(value).ok()?,
        // Nothing says which of the two it was, and https is what most sites answer today.
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
    fn links_are_made_absolute() {
        let base = Url::parse("https://example.com/a/b").unwrap();
        assert_eq!(link("../c d", Some(&base)).unwrap().as_str(), "https://example.com/c%20d");
        assert_eq!(link("//cdn.example/x", None).unwrap().as_str(), "https://cdn.example/x");
        assert_eq!(link("x", None), None);
        assert_eq!(link("mailto:a@b.example", None).unwrap().as_str(), "mailto:a@b.example");
    }

    #[test]
    fn what_runs_code_is_no_link() {
        for bad in [
            "javascript:x",
            " JaVa\nScript:x",
            "vbscript:x",
            "data:text/html,x",
            "blob:x",
            "file:///etc/passwd",
            "view-source:x",
        ] {
            assert_eq!(link(bad, None), None, "{bad}");
        }
    }

    #[test]
    fn pictures_may_be_in_the_text_itself() {
        assert_eq!(picture("Data:image/PNG;base64,iVBO\nRw0=", None).unwrap(), "data:image/png;base64,iVBORw0=");
        assert_eq!(picture("data:image/svg+xml,<svg onload=x>", None), None);
        assert_eq!(picture("data:image/pngx,1", None), None);
        assert_eq!(picture("javascript:x", None), None);
    }
}
