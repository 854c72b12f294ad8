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
pub fn opml(feeds: &[(impl AsRef<str>, String)]) -> String {
    let outlines: String = feeds
        .iter()
        .enumerate()
        .map(|(number, (title, url))| {
            let outline = format!("<outline type=\"rss\" text=\"{}\" xmlUrl=\"{url}\"/>", title.as_ref());
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

/// Returns a recording: two minutes of silence, WAV, 8000 samples per second of one byte.
pub fn recording() -> Vec<u8> {
    let samples: u32 = 120 * 8000;
    let mut wav = Vec::with_capacity(44 + samples as usize);
    wav.extend_from_slice(b"RIFF");
    wav.extend_from_slice(&(36 + samples).to_le_bytes());
    wav.extend_from_slice(b"WAVEfmt ");
    wav.extend_from_slice(&16_u32.to_le_bytes());
    wav.extend_from_slice(&[1, 0, 1, 0]);
    wav.extend_from_slice(&8000_u32.to_le_bytes());
    wav.extend_from_slice(&8000_u32.to_le_bytes());
    wav.extend_from_slice(&[1, 0, 8, 0]);
    wav.extend_from_slice(b"data");
    wav.extend_from_slice(&samples.to_le_bytes());
    wav.resize(44 + samples as usize, 128);
    wav
}
