//! Feeds and lists for tests.

/// Returns an RSS item.
pub fn article(title: &str, html: &str) -> String {
    let escaped = html.replace('&', "&amp;").replace('<', "&lt;");
    format!(
        "<item><guid isPermaLink=\"false\">{title}</guid><title>{title}</title><link>https://example.com/read/{title}</link>\
         <description>{escaped}</description></item>"
    )
}

/// Returns an RSS document.
pub fn rss(title: &str, items: &[String]) -> String {
    format!(
        "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>{title}</title><link>https://example.com/</link>{}</channel></rss>",
        items.concat()
    )
}

/// Returns an OPML list of feeds, each a title and an address.
pub fn opml(feeds: &[(String, String)]) -> String {
    let outlines: String = feeds
        .iter()
        .enumerate()
        .map(|(number, (title, url))| {
            let outline = format!("<outline type=\"rss\" text=\"{title}\" xmlUrl=\"{url}\"/>");
            // Every tenth feed is in a folder within a folder.
            if number % 10 == 0 {
                format!("<outline text=\"Folder {number}\"><outline text=\"Inner\">{outline}</outline></outline>")
            } else {
                outline
            }
        })
        .collect();
    format!("<opml version=\"2.0\"><head><title>Test</title></head><body>{outlines}</body></opml>")
}
