//! Feeds for benchmarks: texts as long as those of real articles, the same in every run.

/// A linear congruential generator; its numbers depend only on the seed.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % below
    }
}

const SYLLABLES: [&str; 24] = [
    "ba", "re", "lo", "min", "tra", "ke", "so", "vi", "den", "pu", "gar", "ne", "ost", "il", "wen", "chi", "fa", "ro",
    "tem", "qua", "sil", "ber", "hu", "an",
];

fn word(numbers: &mut Numbers) -> String {
    (0..=numbers.next(3)).map(|_| SYLLABLES[numbers.next(SYLLABLES.len())]).collect()
}

fn words(numbers: &mut Numbers, count: usize) -> String {
    (0..count).map(|_| word(numbers)).collect::<Vec<_>>().join(" ")
}

/// Returns an RSS document.
pub fn document(feed: usize, items: usize) -> String {
    changing(feed, 0, items)
}

/// Returns the document of a feed that has published some new articles since its first document.
pub fn changing(feed: usize, new: usize, items: usize) -> String {
    let mut out = format!(
        "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>Feed {feed}</title><link>https://example.com/{feed}</link>"
    );
    for item in new..new + items {
        let mut numbers = Numbers((feed + 100_003 * item) as u64);
        let paragraphs: String = (0..6).map(|_| format!("&lt;p&gt;{}.&lt;/p&gt;", words(&mut numbers, 80))).collect();
        out.push_str(&format!(
            "<item><guid isPermaLink=\"false\">{feed}-{item}</guid><title>{}</title><link>https://example.com/{feed}/{item}</link>\
             <pubDate>{} Nov 2026 {:02}:{:02}:00 GMT</pubDate><description>{paragraphs}</description></item>",
            words(&mut numbers, 6),
            1 + item % 19,
            feed % 24,
            item % 60,
        ));
    }
    out + "</channel></rss>"
}

/// Returns a list of feeds, in folders of 25.
pub fn list(urls: &[String]) -> String {
    let folders: String = urls
        .chunks(25)
        .enumerate()
        .map(|(number, urls)| {
            let feeds: String =
                urls.iter().map(|url| format!("<outline type=\"rss\" text=\"{url}\" xmlUrl=\"{url}\"/>")).collect();
            format!("<outline text=\"Folder {number}\">{feeds}</outline>")
        })
        .collect();
    format!("<opml version=\"2.0\"><head/><body>{folders}</body></opml>")
}
