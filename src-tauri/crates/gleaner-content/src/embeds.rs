//! Players and widgets of other sites: an article names them and links to them, and loads nothing of them.

use url::Url;

/// Something of another site that a page shows in a frame.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Embed {
    /// The service's name, as a reader knows it.
    pub(crate) service: &'static str,
    /// The page that shows the same thing.
    pub(crate) page: String,
}

/// The known service behind the address of a frame or plug-in.
pub(crate) fn embed(url: &Url) -> Option<Embed> {
    let host = url.host_str()?.trim_start_matches("www.");
    let parts: Vec<&str> = url.path_segments()?.filter(|part| !part.is_empty()).collect();
    let query =
        |name: &str| url.query_pairs().find(|(n, v)| n == name && !v.is_empty()).map(|(_, value)| value.into_owned());
    let web = |address: Option<String>| {
        address.filter(|a| Url::parse(a).is_ok_and(|url| matches!(url.scheme(), "http" | "https")))
    };
    let same = || url.as_str().to_owned();
    let found = |service, page: String| Some(Embed { service, page });
    match (host, parts.as_slice()) {
        ("youtube.com" | "youtube-nocookie.com" | "m.youtube.com", ["embed", "videoseries", ..]) => found(
            "YouTube",
            query("list").map_or_else(same, |list| format!("https://www.youtube.com/playlist?list={}", word(&list))),
        ),
        (
            "youtube.com" | "youtube-nocookie.com" | "m.youtube.com",
            ["embed" | "v" | "e" | "shorts" | "live", id, ..],
        ) => {
            let id = id.split(['&', '?']).next().unwrap_or(id);
            let start = query("start").filter(|s| s.bytes().all(|b| b.is_ascii_digit()));
            let at = start.map(|s| format!("&t={s}")).unwrap_or_default();
            found("YouTube", format!("https://www.youtube.com/watch?v={}{at}", word(id)))
        }
        ("youtube.com" | "youtube-nocookie.com" | "m.youtube.com" | "youtu.be", _) => found("YouTube", same()),
        ("player.vimeo.com", ["video", id, ..]) => {
            let secret = query("h").map(|h| format!("/{}", word(&h))).unwrap_or_default();
            found("Vimeo", format!("https://vimeo.com/{}{secret}", word(id)))
        }
        ("vimeo.com", ["moogaloop.swf"]) => {
            found("Vimeo", query("clip_id").map_or_else(same, |id| format!("https://vimeo.com/{}", word(&id))))
        }
        ("vimeo.com" | "player.vimeo.com", _) => found("Vimeo", same()),
        ("dailymotion.com" | "geo.dailymotion.com", ["embed", "video", id, ..] | ["swf", "video" | "", id, ..]) => {
            found("Dailymotion", format!("https://www.dailymotion.com/video/{}", word(id)))
        }
        ("geo.dailymotion.com", _) => found(
            "Dailymotion",
            query("video").map_or_else(same, |id| format!("https://www.dailymotion.com/video/{}", word(&id))),
        ),
        ("w.soundcloud.com" | "player.soundcloud.com", _) => {
            found("SoundCloud", web(query("url")).unwrap_or_else(same))
        }
        ("open.spotify.com", ["embed" | "embed-podcast", kind, id, ..]) => {
            found("Spotify", format!("https://open.spotify.com/{}/{}", word(kind), word(id)))
        }
        ("embed.podcasts.apple.com", _) => found("Apple Podcasts", same().replacen("embed.podcasts", "podcasts", 1)),
        ("embed.music.apple.com", _) => found("Apple Music", same().replacen("embed.music", "music", 1)),
        ("bandcamp.com", ["EmbeddedPlayer", ..]) => found("Bandcamp", same()),
        ("mixcloud.com" | "player-widget.mixcloud.com", _) => {
            let feed = query("feed").map(|feed| match feed.starts_with('/') {
                true => format!("https://www.mixcloud.com{feed}"),
                false => feed,
            });
            found("Mixcloud", web(feed).unwrap_or_else(same))
        }
        ("player.twitch.tv" | "clips.twitch.tv" | "embed.twitch.tv", _) => found(
            "Twitch",
            (query("video").map(|v| format!("https://www.twitch.tv/videos/{}", word(v.trim_start_matches('v')))))
                .or_else(|| query("clip").map(|c| format!("https://clips.twitch.tv/{}", word(&c))))
                .or_else(|| query("channel").map(|c| format!("https://www.twitch.tv/{}", word(&c))))
                .unwrap_or_else(same),
        ),
        ("platform.twitter.com" | "platform.x.com", _) => {
            found("X", query("id").map_or_else(same, |id| format!("https://x.com/i/status/{}", word(&id))))
        }
        ("instagram.com", [kind @ ("p" | "reel" | "tv"), id, ..]) => {
            found("Instagram", format!("https://www.instagram.com/{kind}/{}/", word(id)))
        }
        ("facebook.com", ["plugins", ..]) => found("Facebook", web(query("href")).unwrap_or_else(same)),
        ("tiktok.com", ["embed" | "player", .., id]) => {
            found("TikTok", format!("https://www.tiktok.com/embed/{}", word(id)))
        }
        ("embed.bsky.app", _) => found("Bluesky", same()),
        ("embed.reddit.com" | "redditmedia.com", [..]) => {
            found("Reddit", format!("https://www.reddit.com{}", url.path()))
        }
        ("codepen.io", [user, "embed", rest @ ..]) => {
            let id = rest.iter().rev().find(|part| **part != "preview").unwrap_or(&"");
            found("CodePen", format!("https://codepen.io/{}/pen/{}", word(user), word(id)))
        }
        ("codesandbox.io", ["embed", id, ..]) => found("CodeSandbox", format!("https://codesandbox.io/s/{}", word(id))),
        ("jsfiddle.net", _) => found("JSFiddle", same()),
        ("gist.github.com", [.., id]) if id.ends_with(".js") => {
            found("GitHub Gist", same().split('?').next().unwrap_or_default().trim_end_matches(".js").to_owned())
        }
        ("embed.ted.com", _) => found("TED", same().replacen("embed.ted.com", "www.ted.com", 1)),
        ("archive.org", ["embed", id, ..]) => {
            found("Internet Archive", format!("https://archive.org/details/{}", word(id)))
        }
        ("slideshare.net", _) => found("SlideShare", same()),
        ("speakerdeck.com", ["player", id, ..]) => {
            found("Speaker Deck", format!("https://speakerdeck.com/player/{}", word(id)))
        }
        ("giphy.com", ["embed", id, ..]) => found("GIPHY", format!("https://giphy.com/gifs/{}", word(id))),
        ("imgur.com", [id, "embed", ..]) => found("Imgur", format!("https://imgur.com/{}", word(id))),
        ("loom.com", ["embed", id, ..]) => found("Loom", format!("https://www.loom.com/share/{}", word(id))),
        ("rumble.com", ["embed", ..]) => found("Rumble", same()),
        ("odysee.com", ["$", "embed", rest @ ..]) => found("Odysee", format!("https://odysee.com/{}", rest.join("/"))),
        ("player.bilibili.com", _) => found(
            "Bilibili",
            query("bvid").map_or_else(same, |id| format!("https://www.bilibili.com/video/{}", word(&id))),
        ),
        ("rutube.ru", ["play", "embed", id, ..]) => found("Rutube", format!("https://rutube.ru/video/{}/", word(id))),
        ("player.megaphone.fm", _) => found("Megaphone", same()),
        ("player.simplecast.com", _) => found("Simplecast", same()),
        ("play.libsyn.com" | "html5-player.libsyn.com", _) => found("Libsyn", same()),
        ("buzzsprout.com", _) => found("Buzzsprout", same()),
        ("player.captivate.fm", _) => found("Captivate", same()),
        ("share.transistor.fm", ["e", id, ..]) => {
            found("Transistor", format!("https://share.transistor.fm/s/{}", word(id)))
        }
        ("google.com" | "maps.google.com", ["maps", ..] | []) => found("Google Maps", same()),
        ("openstreetmap.org", ["export", ..]) => found("OpenStreetMap", same()),
        ("docs.google.com" | "drive.google.com", _) => found("Google Docs", same()),
        ("datawrapper.dwcdn.net", _) => found("Datawrapper", same()),
        ("flo.uri.sh" | "public.flourish.studio", _) => found("Flourish", same()),
        // PeerTube runs on anybody's host; its paths tell it.
        (_, ["videos", "embed", id, ..]) => found("PeerTube", site(url, &format!("/w/{}", word(id)))),
        (_, ["video-playlists", "embed", id, ..]) => found("PeerTube", site(url, &format!("/w/p/{}", word(id)))),
        // So does Mastodon.
        (_, [user, id, "embed"]) if user.starts_with('@') && id.bytes().all(|b| b.is_ascii_digit()) => {
            found("Mastodon", site(url, &format!("/{user}/{id}")))
        }
        _ => None,
    }
}

/// An address on the same site.
fn site(url: &Url, path: &str) -> String {
    url.join(path).map_or_else(|_| url.as_str().to_owned(), String::from)
}

/// An identifier as it may stand in a path or query.
fn word(id: &str) -> String {
    percent_encoding::utf8_percent_encode(id, percent_encoding::NON_ALPHANUMERIC)
        .to_string()
        .replace("%2D", "-")
        .replace("%5F", "_")
        .replace("%2E", ".")
        .replace("%25", "%")
}

/// Whether what a plug-in would show is worth a link though its service is unknown.
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
    fn players_become_their_pages() {
        is(
            "https://www.youtube.com/embed/a-b_C?rel=0&start=30",
            "YouTube",
            "https://www.youtube.com/watch?v=a-b_C&t=30",
        );
        is("http://www.youtube.com/v/abc&hl=en", "YouTube", "https://www.youtube.com/watch?v=abc");
        is("https://player.vimeo.com/video/12?h=3a", "Vimeo", "https://vimeo.com/12/3a");
        is(
            "https://w.soundcloud.com/player/?url=https%3A//api.soundcloud.com/tracks/1",
            "SoundCloud",
            "https://api.soundcloud.com/tracks/1",
        );
        is("https://tube.example/videos/embed/9c9", "PeerTube", "https://tube.example/w/9c9");
        is("https://social.example/@me/12/embed", "Mastodon", "https://social.example/@me/12");
        is("https://gist.github.com/me/12.js?file=x", "GitHub Gist", "https://gist.github.com/me/12");
        is(
            "https://w.soundcloud.com/player/?url=javascript:x",
            "SoundCloud",
            "https://w.soundcloud.com/player/?url=javascript:x",
        );
    }

    #[test]
    fn other_frames_are_of_no_service() {
        assert_eq!(embed(&Url::parse("https://example.com/frame.html").unwrap()), None);
    }
}
