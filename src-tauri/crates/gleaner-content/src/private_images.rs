//! Removes images and media at private addresses from sanitised HTML: an article must not make the window contact this computer or its
//! network. The host of a private feed itself is allowed.

use gleaner_address::{is_web, may_request};
use std::borrow::Cow;
use url::Url;

/// Removes `src`, `poster` and candidates of `srcset` that name a private host other than the feed's own, and elements that lose their only
/// source. `html` is the output of the allow-list: text has no `<`, and attribute values are in double quotes.
pub(crate) fn remove(html: String, feed: Option<&Url>) -> String {
    if !html.contains("src") && !html.contains("poster") {
        return html;
    }
    let mut out = String::with_capacity(html.len());
    let mut rest = html.as_str();
    while let Some(at) = rest.find('<') {
        out.push_str(&rest[..at]);
        let end = end_of_tag(&rest[at..]);
        out.push_str(&checked(&rest[at..at + end], feed));
        rest = &rest[at + end..];
    }
    out.push_str(rest);
    out
}

/// Returns the length of a tag. A `>` in an attribute's value does not end it.
fn end_of_tag(tag: &str) -> usize {
    let mut quoted = false;
    for (at, byte) in tag.bytes().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            b'>' if !quoted => return at + 1,
            _ => {}
        }
    }
    tag.len()
}

fn checked<'t>(tag: &'t str, feed: Option<&Url>) -> Cow<'t, str> {
    let name = tag[1..].split([' ', '>']).next().unwrap_or_default();
    if !matches!(name, "img" | "source" | "video" | "audio") {
        return Cow::Borrowed(tag);
    }
    let mut out = String::from("<");
    out.push_str(name);
    let (mut lost, mut sources) = (false, 0);
    let mut rest = &tag[1 + name.len()..];
    while let Some((attribute, value, after)) = next_attribute(rest) {
        rest = after;
        let allowed = match attribute {
            "src" | "poster" => may_load(value, feed).then(|| value.to_owned()),
            "srcset" => {
                let allowed: Vec<&str> = value.split(", ").filter(|one| may_load(one, feed)).collect();
                (!allowed.is_empty()).then(|| allowed.join(", "))
            }
            _ => Some(value.to_owned()),
        };
        lost |= allowed.as_deref() != Some(value);
        if let Some(value) = allowed {
            sources += usize::from(matches!(attribute, "src" | "srcset"));
            out.push_str(&format!(" {attribute}=\"{value}\""));
        }
    }
    if !lost {
        return Cow::Borrowed(tag);
    }
    // Video and audio may have their sources in separate elements.
    if sources == 0 && matches!(name, "img" | "source") {
        return Cow::Borrowed("");
    }
    out.push('>');
    Cow::Owned(out)
}

/// Returns the next attribute's name and value, and what follows.
fn next_attribute(rest: &str) -> Option<(&str, &str, &str)> {
    let (name, after) = rest.trim_start().split_once("=\"")?;
    let (value, after) = after.split_once('"')?;
    Some((name, value, after))
}

/// Whether an address, or a candidate of a `srcset`, may be loaded.
fn may_load(value: &str, feed: Option<&Url>) -> bool {
    let address = gleaner_html::references::decode_attribute(value.split(' ').next().unwrap_or_default());
    match Url::parse(&address) {
        Ok(url) => !is_web(&url) || may_request(&url, feed),
        Err(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::{sanitise, sanitise_for};

    const HTML: &str = r#"<p>1 &lt; 2</p><img src="http://192.168.1.1/reboot" alt="a > b"><img src="https://a.example/1.png?x=1&amp;y=2">
        <img src="https://a.example/2.png" srcset="https://a.example/2.png 1x, http://127.0.0.1/2.png 2x">
        <video src="http://nas.local/v.mp4" poster="http://[::1]/p.png" controls></video>
        <audio controls><source src="http://0x7f.1/a.mp3"><source src="https://a.example/a.mp3"></audio>
        <img src="http://a&amp;b@2130706433/x.png"><a href="http://192.168.1.1/">link</a>"#;

    #[test]
    fn removes_images_and_media_at_private_addresses() {
        let clean = sanitise(HTML, None);
        for private in ["reboot", "127.0.0.1", "nas.local", "::1", "0x7f", "2130706433"] {
            assert!(!clean.contains(private), "{private}: {clean}");
        }
        for public in ["1 &lt; 2", "1.png?x=1&amp;y=2", "2.png 1x", "a.example/a.mp3", "href=\"http://192.168.1.1/\""] {
            assert!(clean.contains(public), "{public}: {clean}");
        }
        assert_eq!(sanitise(&clean, None), clean);
    }

    #[test]
    fn keeps_images_at_the_host_of_a_private_feed() {
        let clean = sanitise_for(HTML, None, Some("http://192.168.1.1/feed.xml"));
        assert!(clean.contains("reboot") && !clean.contains("127.0.0.1"), "{clean}");
        let clean =
            sanitise_for(r#"<img src="/1.png">"#, Some("http://127.0.0.1:8080/1"), Some("https://a.example/feed"));
        assert!(!clean.contains("127.0.0.1"), "the article's own address does not count: {clean}");
    }
}
