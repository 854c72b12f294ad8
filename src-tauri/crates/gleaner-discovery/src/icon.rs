//! The icons of a page.

use crate::page::{Page, Reference};
use std::collections::HashSet;
use url::Url;

/// Minimum size in pixels at which an icon drawn 16 pixels wide is sharp on most screens.
const SHARP: u32 = 32;
/// Usual size in pixels of a touch icon that declares none.
const TOUCH: u32 = 180;

/// Returns the icons that a page's `<link>`s name, except SVG, best first for a list of feeds: the smallest sharp one,
/// else the largest. Pure.
pub fn icons(html: &[u8], content_type: Option<&str>, base: &Url) -> Vec<Url> {
    let page = Page::read(html, content_type, base);
    let mut found: Vec<(u32, Url)> =
        page.links.iter().filter_map(|link| Some((size(link)?, link.url.clone()))).collect();
    found.sort_by_key(|(size, _)| if *size >= SHARP { (0, *size) } else { (1, u32::MAX - *size) });
    let mut known = HashSet::new();
    found.into_iter().map(|(_, url)| url).filter(|url| known.insert(url.clone())).collect()
}

/// Returns the width of an icon; `None` if the link is not an icon. Without a declared size, that of a `favicon.ico`.
fn size(link: &Reference) -> Option<u32> {
    let rel = link.rel.as_ref()?;
    let touch = rel.iter().any(|word| word == "apple-touch-icon" || word == "apple-touch-icon-precomposed");
    let drawing = link.mime_type.as_deref() == Some("image/svg+xml") || link.url.path().ends_with(".svg");
    if drawing || !(touch || rel.iter().any(|word| word == "icon")) {
        return None;
    }
    let sizes = link.sizes.as_deref().unwrap_or_default().split_ascii_whitespace();
    let widths = sizes.filter_map(|size| size.split_once(['x', 'X'])?.0.parse::<u32>().ok());
    Some(widths.max().unwrap_or(if touch { TOUCH } else { 16 }))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_smallest_sharp_icon_comes_first() {
        let page = br#"<link rel="mask-icon" href="/mask.png"><link rel="icon" type="image/svg+xml" href="/i.svg">
            <link rel="shortcut icon" href="/i.ico"><link rel="icon" sizes="192x192" href="/192.png">
            <link rel="icon" sizes="32x32" href="32.png"><link rel="apple-touch-icon" href="/touch.png">
            <link rel="icon" sizes="16x16" href="/32.png"><link rel="stylesheet" href="/x.css">"#;
        let base = Url::parse("https://a.example/").unwrap();
        let found = icons(page, None, &base);
        let names: Vec<&str> = found.iter().map(|url| url.path()).collect();
        assert_eq!(names, ["/32.png", "/touch.png", "/192.png", "/i.ico"]);
    }
}
