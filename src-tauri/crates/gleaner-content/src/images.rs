//! Images: their real addresses, and which of them are tracking pixels.

use crate::urls::{self, Base};
use url::Url;

/// Attributes with the address of an image that a script loads later, most reliable first.
pub(crate) const LAZY_SOURCES: [&str; 7] =
    ["data-src", "data-lazy-src", "data-original", "data-original-src", "data-lazy", "data-actualsrc", "data-echo"];

/// Attributes that may contain such an address or another one. They are used if the image has no other address.
pub(crate) const OTHER_SOURCES: [&str; 9] = [
    "data-lazyload",
    "nitro-lazy-src",
    "data-img-src",
    "data-image-src",
    "data-runner-src",
    "data-hi-res-src",
    "data-orig-file",
    "data-large-file",
    "data-url",
];

/// Attributes with a `srcset` that a script loads later.
pub(crate) const LAZY_SETS: [&str; 4] = ["data-srcset", "data-lazy-srcset", "data-original-set", "data-responsive"];

/// Hosts and path prefixes that serve only tracking pixels to feeds.
const TRACKING_PIXELS: [(&str, &str); 41] = [
    ("pixel.wp.com", "/"),
    ("stats.wordpress.com", "/"),
    ("pixel.quantserve.com", "/"),
    ("www.google-analytics.com", "/"),
    ("ssl.google-analytics.com", "/"),
    ("google-analytics.com", "/"),
    ("www.googletagmanager.com", "/"),
    ("b.scorecardresearch.com", "/"),
    ("sb.scorecardresearch.com", "/"),
    ("ad.doubleclick.net", "/"),
    ("googleads.g.doubleclick.net", "/"),
    ("feeds.feedburner.com", "/~r/"),
    ("feeds.feedburner.com", "/~ff/"),
    ("feeds.feedburner.com", "/~4/"),
    ("feedproxy.google.com", "/~r/"),
    ("feedproxy.google.com", "/~ff/"),
    ("feeds.wordpress.com", "/1.0/"),
    ("api.flattr.com", "/"),
    ("www.facebook.com", "/tr"),
    ("medium.com", "/_/stat"),
    ("count.carrierzone.com", "/"),
    ("analytics.twitter.com", "/"),
    ("t.co", "/i/adsct"),
    ("px.ads.linkedin.com", "/"),
    ("bat.bing.com", "/"),
    ("counter.theconversation.com", "/"),
    ("counter.theconversation.edu.au", "/"),
    ("pixel.newsdiscover.com.au", "/"),
    ("www.assoc-amazon.com", "/e/ir"),
    ("ir-na.amazon-adsystem.com", "/e/ir"),
    ("vg06.met.vgwort.de", "/"),
    ("blogger.googleusercontent.com", "/tracker/"),
    ("mc.yandex.ru", "/watch/"),
    ("counter.yadro.ru", "/"),
    ("top-fwz1.mail.ru", "/"),
    ("c.statcounter.com", "/"),
    ("pixel.parsely.com", "/"),
    ("ping.chartbeat.net", "/"),
    ("hexagon-analytics.com", "/"),
    ("hits.blogsoft.org", "/"),
    ("feeds.feedblitz.com", "/~/i/"),
];

/// Domains whose subdomains all serve tracking pixels.
const TRACKING_DOMAINS: [&str; 19] = [
    ".met.vgwort.de",
    ".feedsportal.com",
    ".scorecardresearch.com",
    ".2o7.net",
    ".omtrdc.net",
    ".quantserve.com",
    ".google-analytics.com",
    ".doubleclick.net",
    ".amazon-adsystem.com",
    ".adnxs.com",
    ".mathtag.com",
    ".criteo.com",
    ".imrworldwide.com",
    ".moatads.com",
    ".demdex.net",
    ".bluekai.com",
    ".gemius.pl",
    ".statcounter.com",
    ".histats.com",
];

/// Names of files that are tracking pixels.
const TRACKING_FILES: [&str; 14] = [
    "/pixel.gif",
    "/pixel.png",
    "/b.gif",
    "/beacon.gif",
    "/1x1.gif",
    "/1x1.png",
    "/track.gif",
    "/tracking.gif",
    "/open.php",
    "/open.aspx",
    "/wf/open",
    "/piwik.php",
    "/matomo.php",
    "/__utm.gif",
];

/// Length in bytes of a `srcset` after which no more candidates are read.
const MAX_SET: usize = 16 << 10;

/// Whether an image of this size shows nothing: a tracking pixel or a spacer.
pub(crate) fn is_invisible(width: Option<u32>, height: Option<u32>) -> bool {
    width.is_some_and(|w| w <= 1) || height.is_some_and(|h| h <= 1)
}

/// Whether the name of an image shows that a script replaces it.
pub(crate) fn is_placeholder(src: &str) -> bool {
    let file = src.split(['?', '#']).next().unwrap_or(src).rsplit('/').next().unwrap_or(src).to_ascii_lowercase();
    src.starts_with("data:")
        || [
            "placeholder",
            "spacer.",
            "blank.",
            "transparent.",
            "loading.",
            "lazyload",
            "spinner.",
            "grey.gif",
            "gray.gif",
        ]
        .iter()
        .any(|word| file.contains(word))
}

/// Whether this address is known to serve only tracking pixels.
pub(crate) fn is_tracking_pixel(url: &Url) -> bool {
    let Some(host) = url.host_str() else { return false };
    let path = url.path();
    TRACKING_PIXELS.iter().any(|(known, start)| *known == host && path.starts_with(start))
        || TRACKING_DOMAINS.iter().any(|domain| host.ends_with(domain))
        || TRACKING_FILES.iter().any(|file| path.ends_with(file))
}

/// Returns the candidates of a `srcset` with absolute addresses; empty if none can be used.
pub(crate) fn source_set(value: &str, base: Option<&Base>) -> String {
    let mut out = String::new();
    let mut rest = value;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == ',');
        if rest.is_empty() || out.len() > MAX_SET {
            return out;
        }
        let end = rest.find(|c: char| c.is_ascii_whitespace()).unwrap_or(rest.len());
        let (mut address, mut descriptor) = (&rest[..end], "");
        rest = &rest[end..];
        if address.ends_with(',') {
            address = address.trim_end_matches(',');
        } else {
            let end = rest.find(',').unwrap_or(rest.len());
            descriptor = rest[..end].trim();
            rest = &rest[end..];
        }
        let number = descriptor.strip_suffix(['w', 'x', 'h']).unwrap_or("");
        if !(descriptor.is_empty() || number.parse::<f32>().is_ok_and(|n| n.is_finite() && n > 0.0)) {
            continue;
        }
        let Some(url) = urls::web(address, base) else { continue };
        if is_tracking_pixel(&url) {
            continue;
        }
        if !out.is_empty() {
            out.push_str(", ");
        }
        // A comma at the end would be read as a separator of candidates.
        let url = url.as_str();
        match url.strip_suffix(',') {
            Some(start) => {
                out.push_str(start.trim_end_matches(','));
                out.push_str("%2C");
            }
            None => out.push_str(url),
        }
        if !descriptor.is_empty() {
            out.push(' ');
            out.push_str(descriptor);
        }
    }
}

/// Returns the largest candidate of a `srcset` made by [`source_set`].
pub(crate) fn largest(set: &str) -> Option<&str> {
    set.split(", ")
        .map(|candidate| {
            let (url, descriptor) = candidate.split_once(' ').unwrap_or((candidate, "1x"));
            let size: f32 = descriptor.trim_end_matches(['w', 'x', 'h']).parse().unwrap_or(1.0);
            (url, size)
        })
        .filter(|(url, _)| !url.is_empty())
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .map(|(url, _)| url)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn makes_sets_absolute_and_keeps_their_descriptors() {
        let base = Base::read("https://example.com/a/", 0).unwrap();
        let set = source_set(" b.jpg 1x,c,d.jpg 2x , javascript:x 3x, e.jpg 4q", Some(&base));
        assert_eq!(set, "https://example.com/a/b.jpg 1x, https://example.com/a/c,d.jpg 2x");
        assert_eq!(source_set(&set, None), set);
        assert_eq!(largest(&set), Some("https://example.com/a/c,d.jpg"));
        assert_eq!(source_set("https://a.example/x,,", None), "https://a.example/x");
    }

    #[test]
    fn recognises_tracking_pixels_by_size_and_address() {
        assert!(is_invisible(Some(1), Some(1)));
        assert!(is_invisible(Some(0), None));
        assert!(!is_invisible(Some(16), None));
        for beacon in [
            "https://feeds.feedburner.com/~r/x/~4/y",
            "https://ssl.met.vgwort.de/na/1",
            "https://x.example/img/1x1.gif",
        ] {
            assert!(is_tracking_pixel(&Url::parse(beacon).unwrap()), "{beacon}");
        }
        assert!(!is_tracking_pixel(&Url::parse("https://feeds.feedburner.com/logo.png").unwrap()));
    }
}
