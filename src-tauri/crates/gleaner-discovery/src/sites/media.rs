//! Videos, audio, images and games.

use super::{Feed, Place, feed, named};
use url::Url;

/// Channels, playlists and old user names by their address; handles, videos and others by the channel that the page names.
pub(super) fn youtube(place: &Place<'_>) -> Vec<Feed> {
    let videos = |key: &str, value: &str| format!("https://www.youtube.com/feeds/videos.xml?{key}={value}");
    // Mixes (RD…), "watch later" and "liked" are private and have no feed.
    let list =
        place.query("list").filter(|list| !list.starts_with("RD") && !matches!(list.as_str(), "WL" | "LL" | "LM"));
    match place.path[..] {
        ["channel", id, ..] => feed(videos("channel_id", id)),
        ["playlist"] => list.map(|list| feed(videos("playlist_id", &list))).unwrap_or_default(),
        ["user", name, ..] => {
            channel(place).map_or_else(|| feed(videos("user", name)), |id| feed(videos("channel_id", &id)))
        }
        _ => {
            let mut feeds: Vec<Feed> = Vec::new();
            feeds.extend(list.map(|list| (videos("playlist_id", &list), None)));
            feeds.extend(channel(place).map(|id| (videos("channel_id", &id), None)));
            feeds
        }
    }
}

fn channel(place: &Place<'_>) -> Option<String> {
    let page = place.page?;
    let ids = [
        page.meta("channelid"),
        page.after("youtube.com/channel/"),
        page.after("\"externalId\":\""),
        page.after("\"channelId\":\""),
        page.after("\"externalChannelId\":\""),
    ];
    let whole = |id: &&str| id.starts_with("UC") && id.len() == 24;
    ids.into_iter().flatten().find(whole).map(str::to_owned)
}

pub(super) fn vimeo(place: &Place<'_>) -> Vec<Feed> {
    match place.path[..] {
        ["channels" | "groups", name, ..] => feed(format!("https://vimeo.com/{}/{name}/videos/rss", place.path[0])),
        [name] | [name, "videos"] if !name.bytes().all(|byte| byte.is_ascii_digit()) => {
            feed(format!("https://vimeo.com/{name}/videos/rss"))
        }
        _ => Vec::new(),
    }
}

pub(super) fn dailymotion(place: &Place<'_>) -> Vec<Feed> {
    match place.path[..] {
        ["playlist", id, ..] => feed(format!("https://www.dailymotion.com/rss/playlist/{id}")),
        ["user", name, ..] => feed(format!("https://www.dailymotion.com/rss/user/{name}")),
        [name] if !matches!(name, "video" | "search" | "topics") => {
            feed(format!("https://www.dailymotion.com/rss/user/{name}"))
        }
        _ => Vec::new(),
    }
}

/// Apple's pages name the publisher's feed.
pub(super) fn apple_podcasts(place: &Place<'_>) -> Vec<Feed> {
    let url =
        place.page.and_then(|page| page.after("\"feedUrl\":\"").or_else(|| page.after("&quot;feedUrl&quot;:&quot;")));
    url.map(|url| feed(url.split("&quot;").next().unwrap_or(url).replace("\\/", "/").replace("\\u0026", "&")))
        .unwrap_or_default()
}

/// Returns the number in `/us/podcast/a-show/id123456`.
pub(super) fn apple_id(url: &Url) -> Option<&str> {
    let id = url.path_segments()?.find_map(|segment| segment.strip_prefix("id"))?;
    (!id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit())).then_some(id)
}

pub(super) fn soundcloud(place: &Place<'_>) -> Vec<Feed> {
    let id = place.page.and_then(|page| page.after("soundcloud://users:"));
    let digits = |id: &str| id.bytes().all(|byte| byte.is_ascii_digit());
    id.filter(|id| digits(id))
        .map(|id| feed(format!("https://feeds.soundcloud.com/users/soundcloud:users:{id}/sounds.rss")))
        .unwrap_or_default()
}

/// Photos of a user, a group or a tag. If the address has a name, the page has the identifier.
pub(super) fn flickr(place: &Place<'_>) -> Vec<Feed> {
    const FEEDS: &str = "https://www.flickr.com/services/feeds";
    let number = |name: &str| {
        let name = name.replace("%40", "@");
        let direct = name.contains("@N").then_some(name);
        let page = || place.page.and_then(|page| page.after("\"nsid\":\"").or_else(|| page.after("\"ownerNsid\":\"")));
        direct.or_else(|| page().map(|id| id.replace("%40", "@")))
    };
    match place.path[..] {
        ["photos", "tags", tag, ..] => feed(format!("{FEEDS}/photos_public.gne?tags={tag}&format=atom")),
        ["photos", name, "albums" | "sets", album, ..] => number(name)
            .map(|id| feed(format!("{FEEDS}/photoset.gne?nsid={id}&set={album}&format=atom")))
            .unwrap_or_default(),
        ["photos" | "people", name, ..] => {
            number(name).map(|id| feed(format!("{FEEDS}/photos_public.gne?id={id}&format=atom"))).unwrap_or_default()
        }
        ["groups", name, ..] => number(name)
            .map(|id| {
                vec![
                    named(format!("{FEEDS}/groups_pool.gne?id={id}&format=atom"), "Pool"),
                    named(format!("{FEEDS}/groups_discuss.gne?id={id}&format=atom"), "Discussion"),
                ]
            })
            .unwrap_or_default(),
        _ => Vec::new(),
    }
}

pub(super) fn deviantart(place: &Place<'_>) -> Vec<Feed> {
    match place.path[..] {
        [name] | [name, "gallery", ..] if !matches!(name, "about" | "search" | "tag" | "topic") => {
            feed(format!("https://backend.deviantart.com/rss.xml?q=gallery:{name}"))
        }
        _ => Vec::new(),
    }
}

pub(super) fn letterboxd(place: &Place<'_>) -> Vec<Feed> {
    match place.path[..] {
        [name] if !matches!(name, "films" | "lists" | "members" | "journal") => {
            feed(format!("https://letterboxd.com/{name}/rss/"))
        }
        _ => Vec::new(),
    }
}

pub(super) fn steam(place: &Place<'_>) -> Vec<Feed> {
    match place.path[..] {
        ["app" | "games", id, ..] | ["news", "app", id, ..] => {
            feed(format!("https://store.steampowered.com/feeds/news/app/{id}"))
        }
        ["groups", name, ..] => feed(format!("https://steamcommunity.com/groups/{name}/rss/")),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use crate::sites::assert_feeds;

    #[test]
    fn youtube_pages() {
        let channel = "https://www.youtube.com/feeds/videos.xml?channel_id=UC0123456789abcdefghijkl";
        assert_feeds("https://www.youtube.com/channel/UC0123456789abcdefghijkl/videos", None, &[channel]);
        assert_feeds("https://m.youtube.com/channel/UC0123456789abcdefghijkl", None, &[channel]);
        assert_feeds(
            "https://www.youtube.com/user/someone",
            None,
            &["https://www.youtube.com/feeds/videos.xml?user=someone"],
        );
        let list = "https://www.youtube.com/feeds/videos.xml?playlist_id=PL123";
        assert_feeds("https://www.youtube.com/playlist?list=PL123", None, &[list]);
        assert_feeds("https://www.youtube.com/watch?v=abc&list=PL123&index=2", None, &[list]);
        assert_feeds("https://www.youtube.com/watch?v=abc&list=RDabc", None, &[]);
        assert_feeds("https://www.youtube.com/watch?v=abc", None, &[]);
        for page in [
            r#"<meta itemprop="channelId" content="UC0123456789abcdefghijkl">"#,
            r#"<link rel="canonical" href="https://www.youtube.com/channel/UC0123456789abcdefghijkl">"#,
            r#"<script>var a = {"externalId":"UC0123456789abcdefghijkl"}</script>"#,
            r#"<script>var a = {"videoDetails":{"channelId":"UC0123456789abcdefghijkl"}}</script>"#,
        ] {
            assert_feeds("https://www.youtube.com/@someone", Some(page), &[channel]);
            for address in [
                "youtu.be/abc?si=x",
                "m.youtube.com/watch?v=abc",
                "www.youtube.com/shorts/abc",
                "YouTube.com/c/Someone/featured",
            ] {
                assert_feeds(&format!("https://{address}"), Some(page), &[channel]);
            }
        }
    }

    #[test]
    fn other_videos_and_audio() {
        assert_feeds("https://vimeo.com/someone", None, &["https://vimeo.com/someone/videos/rss"]);
        assert_feeds(
            "https://vimeo.com/channels/staffpicks",
            None,
            &["https://vimeo.com/channels/staffpicks/videos/rss"],
        );
        assert_feeds("https://vimeo.com/123456", None, &[]);
        assert_feeds("https://www.dailymotion.com/someone", None, &["https://www.dailymotion.com/rss/user/someone"]);
        let page = r#"<script>{"soundcloud":"soundcloud://users:42"}</script>"#;
        let sounds = "https://feeds.soundcloud.com/users/soundcloud:users:42/sounds.rss";
        assert_feeds("https://soundcloud.com/someone", Some(page), &[sounds]);
    }

    #[test]
    fn apple_podcasts_names_the_publishers_feed() {
        let page =
            r#"<script type="application/json">{"feedUrl":"https:\/\/example.com\/show?a=1\u0026b=2","x":1}</script>"#;
        let address = "https://podcasts.apple.com/us/podcast/show/id123456";
        assert_feeds(address, Some(page), &["https://example.com/show?a=1&b=2"]);
        assert_feeds(address, None, &[]);
    }

    #[test]
    fn flickr_people_groups_and_tags() {
        let person = "https://www.flickr.com/services/feeds/photos_public.gne?id=12345@N00&format=atom";
        for address in ["photos/12345@N00/", "people/12345%40N00", "photos/12345@N00/678/in/photostream/"] {
            assert_feeds(&format!("https://www.flickr.com/{address}"), None, &[person]);
        }
        assert_feeds(
            "https://www.flickr.com/photos/someone/",
            Some(r#"<script>{"nsid":"12345@N00"}</script>"#),
            &[person],
        );
        assert_feeds("https://www.flickr.com/photos/someone/", None, &[]);
        assert_feeds(
            "https://m.flickr.com/photos/12345@N00/albums/67",
            None,
            &["https://www.flickr.com/services/feeds/photoset.gne?nsid=12345@N00&set=67&format=atom"],
        );
        assert_feeds(
            "https://www.flickr.com/photos/tags/moss",
            None,
            &["https://www.flickr.com/services/feeds/photos_public.gne?tags=moss&format=atom"],
        );
        assert_feeds(
            "https://www.flickr.com/groups/99@N00/pool",
            None,
            &[
                "https://www.flickr.com/services/feeds/groups_pool.gne?id=99@N00&format=atom",
                "https://www.flickr.com/services/feeds/groups_discuss.gne?id=99@N00&format=atom",
            ],
        );
    }

    #[test]
    fn images_films_and_games() {
        assert_feeds(
            "https://www.deviantart.com/someone",
            None,
            &["https://backend.deviantart.com/rss.xml?q=gallery:someone"],
        );
        assert_feeds("https://letterboxd.com/someone/", None, &["https://letterboxd.com/someone/rss/"]);
        assert_feeds(
            "https://store.steampowered.com/app/440/x/",
            None,
            &["https://store.steampowered.com/feeds/news/app/440"],
        );
        let group = ["https://steamcommunity.com/groups/someone/rss/"];
        assert_feeds("https://steamcommunity.com/groups/someone#events", None, &group);
    }
}
