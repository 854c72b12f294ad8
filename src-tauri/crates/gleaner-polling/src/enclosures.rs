//! The files of an item that are stored with its article: its enclosures, and the audio, video and images of Media RSS and of
//! Podcasting 2.0 (`podcast:alternateEnclosure`). Pure.

use crate::limits::{self, line};
use gleaner_feed::{Item, Media};
use gleaner_library::Enclosure;
use gleaner_query::Media as Kind;

/// Maximum number of files of an article.
const MAX_FILES: usize = 500;
/// Maximum number of files from Media RSS.
const MAX_MEDIA: usize = 20;
/// Height up to which a higher video is better, in pixels.
const HIGH: u32 = 1080;

/// Returns the files of an item, the most important first.
pub(crate) fn of_item(item: &Item) -> Vec<Enclosure> {
    let mut files: Vec<Enclosure> = item
        .enclosures
        .iter()
        .map(|enclosure| Enclosure {
            url: enclosure.url.clone(),
            mime_type: mime_type(&enclosure.url, enclosure.mime_type.as_deref(), None),
            length: enclosure.length.and_then(|length| i64::try_from(length).ok()),
            title: enclosure.title.clone(),
            duration_seconds: enclosure.duration_seconds,
        })
        .collect();
    let attached: Vec<Option<Kind>> = files.iter().map(|file| Kind::of_file(file.mime_type.as_deref()?)).collect();
    let mut chosen: Vec<(Kind, &Media, String)> = Vec::new();
    for media in &item.media {
        let stated = (media.mime_type.as_deref(), media.medium.as_deref());
        let Some(mime_type) = mime_type(&media.url, stated.0, stated.1) else { continue };
        let Some(kind) = Kind::of_file(&mime_type) else { continue };
        let is_file = files.iter().any(|file| file.url == media.url);
        // The same recording in another size or format, without a name: the attached file is enough.
        let is_rendition = kind != Kind::Image && media.description.is_none() && attached.contains(&Some(kind));
        if is_file || is_rendition {
            continue;
        }
        let same = chosen.iter_mut().find(|(of, other, _)| *of == kind && is_same(kind, other, media));
        if let Some(best) = same {
            if rank(media) > rank(best.1) {
                *best = (kind, media, mime_type);
            }
        } else if chosen.len() < MAX_MEDIA {
            chosen.push((kind, media, mime_type));
        }
    }
    files.extend(chosen.into_iter().map(|(_, media, mime_type)| Enclosure {
        url: media.url.clone(),
        mime_type: Some(mime_type),
        title: media.description.as_deref().map(str::to_owned),
        ..Enclosure::default()
    }));
    files.retain(|file| file.url.len() <= limits::URL);
    files.truncate(MAX_FILES);
    for file in &mut files {
        file.title = file.title.take().map(|title| line(&title, limits::TITLE));
        file.mime_type = file.mime_type.take().map(|mime_type| line(&mime_type, limits::MIME_TYPE));
    }
    files
}

/// Whether two files are renditions of one: recordings with the same description, and images whose addresses differ in their query.
fn is_same(kind: Kind, one: &Media, other: &Media) -> bool {
    let path = |media: &Media| media.url.split('?').next().map(str::to_owned);
    if kind == Kind::Image { path(one) == path(other) } else { one.description == other.description }
}

/// Orders renditions: the highest one that is not higher than most screens.
fn rank(media: &Media) -> i64 {
    let height = media.height.unwrap_or(0);
    if height <= HIGH { i64::from(height) } else { -i64::from(height) }
}

/// Returns the type of a file: the stated one, or that of its address's file extension if the stated one is missing or meaningless (a word
/// that is not a type, or `application/octet-stream`). Players in web pages have neither a type nor an extension.
fn mime_type(url: &str, stated: Option<&str>, medium: Option<&str>) -> Option<String> {
    let stated = stated.map(str::trim).filter(|stated| !stated.is_empty());
    let says_nothing = |stated: &str| !stated.contains('/') || stated.to_ascii_lowercase().ends_with("/octet-stream");
    match stated {
        Some(stated) if !says_nothing(stated) => Some(stated.to_owned()),
        _ => by_ending(url, medium).or(stated).map(str::to_owned),
    }
}

fn by_ending(url: &str, medium: Option<&str>) -> Option<&'static str> {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    let ending = path.rsplit('/').next().and_then(|name| name.rsplit_once('.')).map(|(_, ending)| ending);
    Some(match ending.unwrap_or_default().to_ascii_lowercase().as_str() {
        "mp4" | "m4v" => "video/mp4",
        "webm" => "video/webm",
        "mov" => "video/quicktime",
        "ogv" => "video/ogg",
        "m3u8" => "application/vnd.apple.mpegurl",
        "mp3" => "audio/mpeg",
        "m4a" | "m4b" => "audio/mp4",
        "aac" => "audio/aac",
        "flac" => "audio/flac",
        "ogg" | "oga" | "opus" => "audio/ogg",
        "wav" => "audio/wav",
        "png" => "image/png",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "avif" => "image/avif",
        "jpg" | "jpeg" => "image/jpeg",
        // Addresses of images often have no ending.
        _ if medium == Some("image") => "image/jpeg",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use gleaner_feed::{Context, parse};

    /// Address, type and title of each file of an item.
    fn files(item: &str) -> Vec<String> {
        let namespaces =
            r#"xmlns:media="http://search.yahoo.com/mrss/" xmlns:podcast="https://podcastindex.org/namespace/1.0""#;
        let xml =
            format!(r#"<rss version="2.0" {namespaces}><channel><title>T</title><item>{item}</item></channel></rss>"#);
        let parsed = parse(xml.as_bytes(), Context::default()).unwrap();
        let text = |file: Enclosure| {
            let url = file.url.replace("https://a.example/", "");
            format!("{url} {} {}", file.mime_type.unwrap_or_default(), file.title.unwrap_or_default())
        };
        of_item(&parsed.items[0]).into_iter().map(text).collect()
    }

    #[test]
    fn media_content_without_an_enclosure_is_played() {
        let one = r#"<media:content url="https://a.example/v.mp4" type="video/mp4" height="720"/>"#;
        assert_eq!(files(one), ["v.mp4 video/mp4 "]);
        let by_ending = r#"<media:content url="https://a.example/live.m3u8?x=1" medium="video"/><media:content url="https://a.example/a.MP3"/>"#;
        assert_eq!(files(by_ending), ["live.m3u8?x=1 application/vnd.apple.mpegurl ", "a.MP3 audio/mpeg "]);
        let others = r#"<media:content url="https://a.example/v/1" type="application/x-shockwave-flash" medium="video"/>
            <media:content url="https://a.example/watch" medium="video"/>"#;
        assert_eq!(files(others), Vec::<String>::new(), "a player in a web page is not a recording");
    }

    #[test]
    fn an_enclosure_with_a_generic_type_gets_the_type_of_its_file_extension() {
        for (stated, expected) in [
            ("", "audio/mpeg"),
            ("type=''", "audio/mpeg"),
            ("type='application/octet-stream'", "audio/mpeg"),
            ("type='audio'", "audio/mpeg"),
            ("type='mp3'", "audio/mpeg"),
            ("type='binary/octet-stream'", "audio/mpeg"),
            ("type='audio/mp3'", "audio/mp3"),
            ("type='text/html'", "text/html"),
            ("type='video/mp4'", "video/mp4"),
        ] {
            let enclosure = format!("<enclosure url='https://a.example/1.mp3?x=1' length='9' {stated}/>");
            assert_eq!(files(&enclosure), [format!("1.mp3?x=1 {expected} ")]);
        }
        let others = "<enclosure url='https://a.example/1' length='9' type='application/octet-stream'/>
            <enclosure url='https://a.example/1.pdf' length='9'/><enclosure url='https://a.example/1.mp4' type='application/x-bittorrent'/>";
        assert_eq!(files(others), ["1 application/octet-stream ", "1.pdf  ", "1.mp4 application/x-bittorrent "]);
    }

    #[test]
    fn one_of_several_renditions_is_stored() {
        let group = r#"<media:group><media:content url="https://a.example/360.mp4" type="video/mp4" height="360"/>
            <media:content url="https://a.example/2160.mp4" type="video/mp4" height="2160"/>
            <media:content url="https://a.example/1080.mp4" type="video/mp4" height="1080"/>
            <media:content url="https://a.example/a.mp3" type="audio/mpeg"/></media:group>"#;
        assert_eq!(files(group), ["1080.mp4 video/mp4 ", "a.mp3 audio/mpeg "]);
        let attached = r#"<enclosure url="https://a.example/v.mp4" type="video/mp4" length="9"/>
            <media:content url="https://a.example/v.mp4" type="video/mp4"/><media:content url="https://a.example/small.mp4" type="video/mp4"/>"#;
        assert_eq!(files(attached), ["v.mp4 video/mp4 "]);
    }

    #[test]
    fn each_picture_is_stored_once_in_its_largest_size() {
        let group = r#"<media:group><media:content url="https://a.example/1.jpg" medium="image"><media:description>Boats</media:description></media:content>
            <media:content url="https://a.example/2" medium="image"/><media:content url="https://a.example/3.webp"/></media:group>"#;
        assert_eq!(files(group), ["1.jpg image/jpeg Boats", "2 image/jpeg ", "3.webp image/webp "]);
        let sizes = r#"<media:content url="https://a.example/p.jpg?width=140" medium="image" height="84"/>
            <media:content url="https://a.example/p.jpg?width=700" medium="image" height="420"/>"#;
        assert_eq!(files(sizes), ["p.jpg?width=700 image/jpeg "]);
        let attached = r#"<enclosure url="https://a.example/1.jpg" type="image/jpeg" length="9"/>
            <media:content url="https://a.example/1.jpg" medium="image"/><media:content url="https://a.example/2.jpg" medium="image"/>"#;
        assert_eq!(files(attached), ["1.jpg image/jpeg ", "2.jpg image/jpeg "]);
    }

    #[test]
    fn alternate_enclosures_follow_by_their_titles() {
        let item = r#"<enclosure url="https://a.example/1.mp3" type="audio/mpeg" length="9"/>
            <podcast:alternateEnclosure type="audio/mpeg"><podcast:source uri="https://a.example/low.mp3"/></podcast:alternateEnclosure>
            <podcast:alternateEnclosure type="audio/opus" title="Small"><podcast:source uri="https://a.example/1.opus"/></podcast:alternateEnclosure>
            <podcast:alternateEnclosure type="video/mp4" height="720" title="With pictures"><podcast:source uri="https://a.example/1.mp4"/></podcast:alternateEnclosure>"#;
        assert_eq!(files(item), ["1.mp3 audio/mpeg ", "1.opus audio/opus Small", "1.mp4 video/mp4 With pictures"]);
    }

    #[test]
    fn limits_the_number_of_files_from_media_rss() {
        let many: String = (0..MAX_MEDIA + 5)
            .map(|n| format!(r#"<media:content url="https://a.example/{n}.mp3" type="audio/mpeg"><media:description>{n}</media:description></media:content>"#))
            .collect();
        assert!(files(&many).len() <= MAX_MEDIA);
    }
}
