//! Players and widgets of other sites: an article links to them and loads nothing from them.

mod services;

use gleaner_address::is_web;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use services::{PAGE_CHROME, Service};
use std::{borrow::Cow, collections::HashMap, sync::LazyLock};
use url::Url;

/// Content of another site that a page shows in a frame.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Embed {
    /// The service's name as shown to users.
    pub(crate) service: &'static str,
    /// URL of the page that shows the same content.
    pub(crate) page: String,
}

/// Returns the known service behind the address of a frame or plug-in.
pub(crate) fn embed(url: &Url) -> Option<Embed> {
    let host = url.host_str()?;
    let host = host.strip_prefix("www.").unwrap_or(host);
    let of_host = BY_HOST.get(host).into_iter().flatten();
    of_host.chain(ANYWHERE.iter()).find_map(|service| {
        let page = service.page(host, url)?;
        Some(Embed { service: service.name, page })
    })
}

/// The services that are recognised by their host.
static BY_HOST: LazyLock<HashMap<&'static str, Vec<&'static Service>>> = LazyLock::new(|| {
    let mut all: HashMap<_, Vec<_>> = HashMap::new();
    for service in services::SERVICES {
        for host in service.hosts.split(' ').filter(|host| !host.starts_with('*')) {
            all.entry(host).or_default().push(service);
        }
    }
    all
});

/// The services that are recognised by their path, on any host.
static ANYWHERE: LazyLock<Vec<&'static Service>> =
    LazyLock::new(|| services::SERVICES.iter().filter(|service| service.hosts.contains('*')).collect());

/// Whether a frame shows buttons, counters or advertisements.
pub(crate) fn is_page_chrome(url: &Url) -> bool {
    let Some(host) = url.host_str() else { return false };
    PAGE_CHROME.iter().any(|(domain, start)| is_below(host, domain) && url.path().starts_with(start))
        || crate::images::is_tracking_pixel(url)
}

fn is_below(host: &str, domain: &str) -> bool {
    host.strip_suffix(domain).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

impl Service {
    fn page(&self, host: &str, url: &Url) -> Option<String> {
        let known = self.hosts.split(' ').any(|known| match known.strip_prefix("*.") {
            Some(domain) => is_below(host, domain),
            None => known == "*" || known == host,
        });
        let parts = known.then(|| self.parts(url))??;
        if self.page.is_empty() {
            return Some(url.as_str().to_owned());
        }
        let page = url.join(&self.filled(&parts, url)?).ok()?;
        is_web(&page).then(|| page.into())
    }

    /// Returns the named parts of the path.
    fn parts<'u>(&self, url: &'u Url) -> Option<Vec<(&'static str, &'u str)>> {
        let mut found = Vec::new();
        let mut rest = url.path().trim_matches('/');
        for wanted in self.path.split('/').filter(|wanted| !wanted.is_empty()) {
            let (segment, after) = rest.split_once('/').unwrap_or((rest, ""));
            let Some((before, name)) = wanted.strip_suffix('}').and_then(|wanted| wanted.split_once('{')) else {
                wanted.split('+').find(|literal| *literal == segment)?;
                rest = after.trim_start_matches('/');
                continue;
            };
            if let Some(name) = name.strip_suffix('*') {
                found.push((name, rest));
                return Some(found);
            }
            let value = segment.strip_prefix(before)?;
            // Old embed codes write the query without a question mark.
            let value = value.split('&').next().unwrap_or(value);
            let (name, value) = match (name.strip_prefix('#'), name.split_once('.')) {
                (Some(name), _) => (name, Some(value).filter(|id| id.bytes().all(|b| b.is_ascii_digit()))?),
                (None, Some((name, end))) => (name, value.strip_suffix(end)?.strip_suffix('.')?),
                (None, None) => (name, value),
            };
            if value.is_empty() {
                return None;
            }
            found.push((name, value));
            rest = after.trim_start_matches('/');
        }
        Some(found)
    }

    /// Returns the page's address; `None` if a required part is missing.
    fn filled(&self, parts: &[(&'static str, &str)], url: &Url) -> Option<String> {
        let mut out = String::new();
        for (number, piece) in self.page.split(['[', ']']).enumerate() {
            // Every second part was in brackets and is optional.
            match fill(piece, parts, url) {
                Some(piece) => out.push_str(&piece),
                None if number % 2 == 1 => {}
                None => return None,
            }
        }
        Some(out)
    }
}

fn fill(template: &str, parts: &[(&'static str, &str)], url: &Url) -> Option<String> {
    let value = |name: &str| -> Option<Cow<'_, str>> {
        let of_path = parts.iter().find(|(known, _)| *known == name).map(|(_, value)| Cow::Borrowed(*value));
        of_path
            .or_else(|| url.query_pairs().find(|(known, _)| known == name).map(|(_, value)| value))
            .filter(|value| !value.is_empty())
    };
    let mut out = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let (name, after) = after.split_once('}')?;
        if let Some(name) = name.strip_prefix('=') {
            let address = value(name)?;
            Url::parse(&address).ok().filter(is_web)?;
            out.push_str(&address);
        } else if let Some(name) = name.strip_suffix('/') {
            out.extend(utf8_percent_encode(value(name).filter(|path| path.starts_with('/'))?.as_ref(), PATH));
        } else if let Some((name, start)) = name.split_once('-') {
            out.extend(utf8_percent_encode(value(name)?.trim_start_matches(start), WORD));
        } else {
            let set = if name == "rest" { PATH } else { WORD };
            out.extend(utf8_percent_encode(value(name)?.as_ref(), set));
        }
        rest = after;
    }
    out.push_str(rest);
    Some(out)
}

/// Characters to encode in an identifier in a path or query. Existing percent-encoding is not encoded again.
const WORD: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~').remove(b'%').remove(b':');

/// Characters to encode in a path.
const PATH: &AsciiSet = &WORD.remove(b'/').remove(b'@').remove(b'+').remove(b',');

/// Returns the player that a custom element stands for: its name, the attribute with the identifier, the address.
pub(crate) fn player(element: &str) -> Option<&'static (&'static str, &'static str, &'static str)> {
    services::PLAYERS.iter().find(|(name, ..)| *name == element)
}

/// Sites whose pages have a video and little text, with the start of the path.
const VIDEO_SITES: [(&str, &str); 11] = [
    ("youtube.com", "/watch"),
    ("youtube.com", "/shorts/"),
    ("youtube.com", "/live/"),
    ("youtu.be", "/"),
    ("vimeo.com", "/"),
    ("dailymotion.com", "/video/"),
    ("twitch.tv", "/"),
    ("rumble.com", "/v"),
    ("odysee.com", "/@"),
    ("bilibili.com", "/video/"),
    ("tiktok.com", "/@"),
];

/// Whether an address is the page of a video, which has no more text than the feed does.
#[must_use]
pub fn is_video_page(address: &str) -> bool {
    let Ok(url) = Url::parse(address) else { return false };
    let Some(host) = url.host_str() else { return false };
    VIDEO_SITES.iter().any(|(domain, start)| is_below(host, domain) && url.path().starts_with(start))
}

/// Whether the content of a plug-in is replaced by a link even though its service is unknown.
pub(crate) fn is_document(url: &Url, kind: Option<&str>) -> bool {
    let kind = kind.unwrap_or("").trim().to_ascii_lowercase();
    let path = url.path().to_ascii_lowercase();
    kind == "application/pdf"
        || ["video/", "audio/", "image/"].iter().any(|start| kind.starts_with(start))
        || [".pdf", ".mp4", ".webm", ".ogv", ".mp3", ".ogg", ".m4a", ".m4v", ".mov"]
            .iter()
            .any(|end| path.ends_with(end))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn is(address: &str, service: &str, page: &str) {
        let found = embed(&Url::parse(address).unwrap()).unwrap();
        assert_eq!((found.service, &*found.page), (service, page), "{address}");
    }

    #[test]
    fn pages_of_videos_are_known() {
        for page in ["https://www.youtube.com/watch?v=abc", "https://youtu.be/abc", "https://vimeo.com/1234567"] {
            assert!(is_video_page(page), "{page}");
        }
        for page in
            ["https://www.youtube.com/post/abc", "https://myyoutube.com/watch?v=abc", "watch", "https://a.test/"]
        {
            assert!(!is_video_page(page), "{page}");
        }
    }

    #[test]
    fn players_become_links_to_their_pages() {
        is(
            "https://www.youtube.com/embed/a-b_C?rel=0&start=30",
            "YouTube",
            "https://www.youtube.com/watch?v=a-b_C&t=30",
        );
        is("http://www.youtube.com/v/abc&hl=en", "YouTube", "https://www.youtube.com/watch?v=abc");
        is("https://youtu.be/abc?t=4", "YouTube", "https://www.youtube.com/watch?v=abc&t=4");
        is("https://www.youtube.com/shorts/abc", "YouTube", "https://www.youtube.com/watch?v=abc");
        is("https://www.youtube.com/embed/videoseries?list=P1", "YouTube", "https://www.youtube.com/playlist?list=P1");
        is("https://player.vimeo.com/video/12?h=3a", "Vimeo", "https://vimeo.com/12/3a");
        is("https://vimeo.com/moogaloop.swf?clip_id=12", "Vimeo", "https://vimeo.com/12");
        is(
            "https://w.soundcloud.com/player/?url=https%3A//api.soundcloud.com/tracks/1",
            "SoundCloud",
            "https://api.soundcloud.com/tracks/1",
        );
        is("https://tube.example/videos/embed/9c9?title=0&start=3", "PeerTube", "https://tube.example/w/9c9?start=3");
        is("https://social.example/@me/12/embed", "Mastodon", "https://social.example/@me/12");
        is("https://gist.github.com/me/12.js?file=x", "GitHub Gist", "https://gist.github.com/me/12");
        is(
            "https://embed.podcasts.apple.com/us/podcast/x/id1?i=2",
            "Apple Podcasts",
            "https://podcasts.apple.com/us/podcast/x/id1?i=2",
        );
        is("https://player.twitch.tv/?video=v12&parent=a", "Twitch", "https://www.twitch.tv/videos/12");
        is(
            "https://www.mixcloud.com/widget/iframe/?feed=%2Fme%2Fmix%2F",
            "Mixcloud",
            "https://www.mixcloud.com/me/mix/",
        );
        is("https://codepen.io/me/embed/preview/aB?height=3", "CodePen", "https://codepen.io/me/pen/aB");
    }

    #[test]
    fn checks_an_address_inside_another() {
        is(
            "https://w.soundcloud.com/player/?url=javascript:x",
            "SoundCloud",
            "https://w.soundcloud.com/player/?url=javascript:x",
        );
        is("https://player.vimeo.com/video/%22%3E", "Vimeo", "https://vimeo.com/%22%3E");
        is("https://clips.twitch.tv/embed?clip=../a?b%23c", "Twitch", "https://clips.twitch.tv/..%2Fa%3Fb%23c");
    }

    #[test]
    fn unknown_frames_have_no_service() {
        for address in [
            "https://example.com/frame.html",
            "https://evilyoutube.com/embed/x",
            "https://youtube.com.evil.example/embed/x",
            "https://social.example/@me/twelve/embed",
        ] {
            assert_eq!(embed(&Url::parse(address).unwrap()), None, "{address}");
        }
    }

    #[test]
    fn every_service_is_reachable() {
        // A row that an earlier one hides would never match.
        for (at, service) in services::SERVICES.iter().enumerate() {
            let hidden = services::SERVICES[..at].iter().find(|earlier| {
                earlier.page.is_empty()
                    && service.path.starts_with(earlier.path)
                    && service.hosts.split(' ').all(|host| earlier.hosts.split(' ').any(|known| known == host))
            });
            assert!(hidden.is_none(), "{service:?} comes after {hidden:?}");
        }
    }
}
