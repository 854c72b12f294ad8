//! Finds feeds that are named only in the data of a page's scripts, as on pages of podcast hosts and of JavaScript frameworks.

use gleaner_address::is_web;
use url::Url;

/// Names of values that are the address of a feed; `webFeed` is from schema.org.
const NAMES: [&str; 12] = [
    "feedUrl",
    "feedURL",
    "feed_url",
    "rssUrl",
    "rssURL",
    "rss_url",
    "rssFeed",
    "rss_feed",
    "rssFeedUrl",
    "rss_feed_url",
    "rssLink",
    "webFeed",
];

/// Maximum number of addresses that are read.
const MAX_FOUND: usize = 4;

/// Maximum length of an address in a script, in bytes.
const MAX_ADDRESS: usize = 1000;

/// Returns the addresses, in the order of [`NAMES`], each once. The quotes may be escaped, as in JSON within a string.
pub(crate) fn addresses(page: &str) -> Vec<Url> {
    let mut found: Vec<Url> = Vec::new();
    for name in NAMES {
        for (at, _) in page.match_indices(name) {
            let value = page.get(at + name.len()..).and_then(value);
            if let Some(url) = value.filter(|url| !found.contains(url)) {
                found.push(url);
            }
            if found.len() == MAX_FOUND {
                return found;
            }
        }
    }
    found
}

/// Reads the address that follows a name and its closing quote.
fn value(after: &str) -> Option<Url> {
    let (quote, rest) = ["\\\"", "\"", "'", "&quot;"]
        .iter()
        .find_map(|quote| Some((*quote, after.strip_prefix(quote)?)))
        .unwrap_or(("\"", after));
    let rest = rest.trim_start().strip_prefix(':')?.trim_start().strip_prefix(quote)?;
    let written = rest.get(..rest.floor_char_boundary(MAX_ADDRESS))?;
    let written = written.get(..written.find(quote)?)?;
    Url::parse(&unescaped(written)).ok().filter(|url| is_web(url) && url.has_host())
}

/// Decodes the escapes of JSON and JavaScript in an address, and those of HTML.
fn unescaped(written: &str) -> String {
    let mut parts = written.split('\\');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let code = part.strip_prefix('u').and_then(|rest| rest.get(..4));
        match code.and_then(|code| u32::from_str_radix(code, 16).ok()).and_then(char::from_u32) {
            Some(character) => {
                text.push(character);
                text.push_str(&part[5..]);
            }
            None => text.push_str(part),
        }
    }
    text.replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_addresses_in_the_data_of_scripts() {
        for (page, url) in [
            (r#"<script>{"rssUrl":"https:\/\/a.example\/f?b=1\u0026c=2"}</script>"#, "https://a.example/f?b=1&c=2"),
            (r#"<script>push("{\"feed_url\" : \"https://a.example/f\"}")</script>"#, "https://a.example/f"),
            (r#"<div data-x="{&quot;rssFeed&quot;:&quot;https://a.example/f&quot;}">"#, "https://a.example/f"),
            (r#"{"feedUrl":"https:\u002f\u002fa.example\u002Ff?id\u003d12"}"#, "https://a.example/f?id=12"),
            (r#"<script>var show = {rss_url: "https://a.example/f"}</script>"#, "https://a.example/f"),
            (r#"<script type="application/ld+json">{"webFeed":"https://a.example/f"}</script>"#, "https://a.example/f"),
        ] {
            let found: Vec<String> = addresses(page).into_iter().map(String::from).collect();
            assert_eq!(found, [url], "{page}");
        }
        for page in [r#"{"feedUrl":null}"#, r#"{"feedUrl":"/f"}"#, r#"{"feedUrl":"https://a.example"#, "feedUrl", ""] {
            assert!(addresses(page).is_empty(), "{page}");
        }
    }
}
