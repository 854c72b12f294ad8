//! Extracts metadata of articles and feeds: comments, credits, chapters, participants, image, search box, donations. An article's digest
//! contains its chapters and transcripts, and whether it has a link to comments. Pure.

use gleaner_feed::{Format, Image, Item, Parsed, Person, Transcript};
use gleaner_library::{
    ArticleMetadata, Chapter, Credit, FeedHead, HeadImage, Participant, Passage, TextInput, TranscriptLink,
};

/// Maximum size of a channel image in pixels, and its size if the feed states none (RSS 2.0).
const MAX_WIDTH: u32 = 144;
const MAX_HEIGHT: u32 = 400;
const DEFAULT_SIZE: (u32, u32) = (88, 31);

/// Returns the metadata of an article.
pub(crate) fn of_item(item: &Item) -> ArticleMetadata {
    let credit = |source: &gleaner_feed::ItemSource| Credit { title: source.title.clone(), url: source.url.clone() };
    let mut via: Vec<Credit> = item.via.iter().map(credit).collect();
    if let Some(external) = item.external_url.as_ref().filter(|url| item.url.as_ref() != Some(url))
        && !via.iter().any(|credit| credit.url.as_ref() == Some(external))
    {
        via.push(Credit { title: None, url: Some(external.clone()) });
    }
    // A link to the article itself is not a credit.
    via.retain(|credit| credit.url.is_none() || credit.url != item.url);
    let chapters = item.chapters.as_ref();
    let metadata = ArticleMetadata {
        comments_feed: item.comments_feed_url.clone(),
        // A count of 0 says no more than a missing one.
        comments: item.comments_count.filter(|count| *count > 0),
        source: item.source.as_ref().map(credit),
        via,
        chapters: chapters.map_or(&[][..], |chapters| &chapters.list).iter().map(chapter).collect(),
        chapters_url: chapters.and_then(|chapters| chapters.url.clone()),
        transcripts: item.transcripts.iter().map(transcript).collect(),
        participants: participants(&item.contributors),
        season: item.season,
        season_name: item.season_name.clone(),
        episode: item.episode,
        episode_display: item.episode_display.clone(),
    };
    metadata.repaired()
}

pub(crate) fn chapter(chapter: &gleaner_feed::Chapter) -> Chapter {
    Chapter {
        start: chapter.start_seconds,
        title: chapter.title.clone(),
        url: chapter.url.clone(),
        image: chapter.image_url.clone(),
    }
}

fn transcript(transcript: &Transcript) -> TranscriptLink {
    let Transcript { url, mime_type, language, .. } = transcript.clone();
    TranscriptLink { url, mime_type, language }
}

pub(crate) fn passage(passage: gleaner_feed::Passage) -> Passage {
    let gleaner_feed::Passage { start, end, speaker, text } = passage;
    Passage { start, end, speaker, text }
}

/// Returns the transcript that is read first: in the language of the recording, with times, with speakers.
pub(crate) fn best_transcript(links: Vec<TranscriptLink>, spoken: Option<&str>) -> Option<TranscriptLink> {
    let primary = |language: &str| language.split('-').next().unwrap_or_default().to_ascii_lowercase();
    let spoken = spoken.map(primary);
    let rank = |link: &TranscriptLink| {
        let language = link.language.as_deref().map(primary);
        let is_other_language = language.is_some() && spoken.is_some() && language != spoken;
        let (kind, path) =
            (link.mime_type.as_deref().unwrap_or_default().to_ascii_lowercase(), link.url.to_ascii_lowercase());
        let is = |part: &str| kind.contains(part) || path.ends_with(part);
        (is_other_language, ["vtt", "json", "srt", "subrip", "html"].into_iter().position(is).unwrap_or(usize::MAX))
    };
    links.into_iter().min_by_key(rank)
}

/// Returns who takes part in a recording. Contributors without a role are credits of texts.
fn participants(people: &[Person]) -> Vec<Participant> {
    let people = people.iter().filter(|person| person.role.is_some());
    let named = people.filter_map(|person| {
        Some(Participant { name: person.name.clone()?, role: person.role.clone(), url: person.url.clone() })
    });
    named.collect()
}

/// Returns the metadata of a feed.
pub(crate) fn of_feed(parsed: &Parsed) -> FeedHead {
    let feed = &parsed.feed;
    let input = feed.text_input.as_ref().and_then(|input| {
        Some(TextInput {
            title: input.title.clone(),
            description: input.description.clone(),
            name: input.name.clone()?,
            link: input.link.clone()?,
        })
    });
    let image = feed.image.as_ref().map(|image| head_image(image, parsed.format));
    let funding =
        feed.funding.first().map(|funding| Credit { title: funding.title.clone(), url: Some(funding.url.clone()) });
    FeedHead { image, text_input: input, participants: participants(&feed.contributors), funding }.repaired()
}

/// Returns a feed's image. Only that of an RSS channel has a size; those of podcasts, Atom and JSON Feed are scaled to the available space.
fn head_image(image: &Image, format: Format) -> HeadImage {
    let is_rss =
        !matches!(format, Format::Atom03 | Format::Atom10 | Format::JsonFeed10 | Format::JsonFeed11 | Format::Cdf);
    let of_channel = is_rss && (image.title.is_some() || image.link.is_some() || image.width.is_some());
    let within = |given: Option<u32>, usual: u32, most: u32| of_channel.then(|| given.unwrap_or(usual).clamp(1, most));
    let none = image.width.is_none() && image.height.is_none();
    // If only the width or the height is given, the other follows from the image's proportions.
    let measure =
        |given: Option<u32>, usual, most| if none || given.is_some() { within(given, usual, most) } else { None };
    HeadImage {
        url: image.url.clone(),
        title: image.title.clone(),
        link: image.link.clone(),
        width: measure(image.width, DEFAULT_SIZE.0, MAX_WIDTH),
        height: measure(image.height, DEFAULT_SIZE.1, MAX_HEIGHT),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use gleaner_feed::{Context, parse};

    fn rss(channel: &str, item: &str) -> Parsed {
        let namespaces = r#"xmlns:wfw="http://wellformedweb.org/CommentAPI/" xmlns:slash="http://purl.org/rss/1.0/modules/slash/"
            xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:psc="http://podlove.org/simple-chapters"
            xmlns:podcast="https://podcastindex.org/namespace/1.0""#;
        let xml = format!(
            r#"<rss version="2.0" {namespaces}><channel><title>T</title><link>https://a.example/</link>{channel}
            <item><title>I</title><link>https://a.example/1/</link>{item}</item></channel></rss>"#
        );
        parse(xml.as_bytes(), Context::default()).unwrap()
    }

    #[test]
    fn extracts_comments_credits_and_chapters() {
        let parsed = rss(
            "",
            r#"<wfw:commentRss>https://a.example/1/feed/</wfw:commentRss><slash:comments>12</slash:comments>
               <source url="https://b.example/feed">B &amp; C</source><dc:source>https://d.example/</dc:source>
               <atom:link rel="via" href="https://v.example/" title="V"/><atom:link rel="related" href="https://a.example/1/"/>
               <psc:chapters><psc:chapter start="00:01:00" title="One"/><psc:chapter start="0" title="Zero"/></psc:chapters>
               <podcast:chapters url="https://a.example/c.json" type="application/json+chapters"/>"#,
        );
        let metadata = of_item(&parsed.items[0]);
        assert_eq!(metadata.comments_feed.as_deref(), Some("https://a.example/1/feed/"));
        assert_eq!(metadata.comments, Some(12));
        let source = Credit { title: Some("B & C".to_owned()), url: Some("https://b.example/feed".to_owned()) };
        assert_eq!(metadata.source, Some(source));
        let via: Vec<_> = metadata.via.iter().map(|c| (c.title.as_deref(), c.url.as_deref().unwrap())).collect();
        assert_eq!(
            via,
            [(None, "https://d.example/"), (Some("V"), "https://v.example/")],
            "and not the article itself"
        );
        let starts: Vec<_> = metadata.chapters.iter().map(|c| (c.start, c.title.as_deref().unwrap())).collect();
        assert_eq!(starts, [(0.0, "Zero"), (60.0, "One")]);
        assert_eq!(metadata.chapters_url.as_deref(), Some("https://a.example/c.json"));
        for inner in ["", "<slash:comments>0</slash:comments>"] {
            assert!(of_item(&rss("", inner).items[0]).is_empty(), "nothing to store");
        }
    }

    #[test]
    fn extracts_what_podcasts_say_of_episodes() {
        let parsed = rss(
            r#"<podcast:person>Ada</podcast:person><podcast:person role="Editor">Eve</podcast:person>
               <podcast:funding url="https://a.example/give">Support us</podcast:funding><podcast:funding url="https://b.example/"/>"#,
            r#"<enclosure url="https://a.example/1.mp3" type="audio/mpeg" length="1"/><podcast:season name="Spring">2</podcast:season>
               <podcast:episode display="Ch. 3½">3.5</podcast:episode>
               <podcast:chapters url="https://a.example/c.json"/>
               <podcast:transcript url="https://a.example/t.html" type="text/html"/>
               <podcast:transcript url="https://a.example/de.vtt" type="text/vtt" language="de"/>
               <podcast:transcript url="https://a.example/t.srt" type="application/x-subrip" language="en"/>"#,
        );
        let metadata = of_item(&parsed.items[0]);
        assert_eq!((metadata.season, metadata.episode), (Some(2), Some(3.5)));
        let labels = (metadata.season_name.as_deref(), metadata.episode_display.as_deref());
        assert_eq!(labels, (Some("Spring"), Some("Ch. 3½")));
        assert!(metadata.participants.is_empty(), "those of the feed are stored once");
        let best = |spoken| best_transcript(metadata.transcripts.clone(), spoken).unwrap().url;
        assert_eq!(best(Some("en-gb")), "https://a.example/t.srt", "it has times");
        assert_eq!(best(Some("de")), "https://a.example/de.vtt");
        assert_eq!(best(Some("fr")), "https://a.example/t.html", "its language is not stated");
        assert_eq!(best_transcript(Vec::new(), None), None);
        let head = of_feed(&parsed);
        let names = |list: &[Participant]| -> Vec<_> {
            list.iter().map(|p| (p.name.clone(), p.role.clone().unwrap())).collect()
        };
        let named = |name: &str, role: &str| (name.to_owned(), role.to_owned());
        assert_eq!(names(&head.participants), [named("Ada", "host"), named("Eve", "editor")]);
        let funding = head.funding.unwrap();
        assert_eq!(
            (funding.title.as_deref(), funding.url.as_deref()),
            (Some("Support us"), Some("https://a.example/give"))
        );

        let person = r#"<podcast:person role="guest" href="https://b.example/">Bob</podcast:person><dc:contributor>Cy</dc:contributor>"#;
        let own = of_item(&rss("", person).items[0]).participants;
        assert_eq!(names(&own), [named("Bob", "guest")], "a contributor without a role takes no part");
    }

    #[test]
    fn credits_the_external_page_of_a_json_feed_item() {
        let json = r#"{"version":"https://jsonfeed.org/version/1.1","title":"T","items":[
            {"id":"1","url":"https://a.example/1","external_url":"https://x.example/","content_text":"x"},
            {"id":"2","external_url":"https://x.example/","content_text":"x"}]}"#;
        let parsed = parse(json.as_bytes(), Context::default()).unwrap();
        assert_eq!(of_item(&parsed.items[0]).via[0].url.as_deref(), Some("https://x.example/"));
        assert!(of_item(&parsed.items[1]).is_empty(), "the item links to that page itself");
    }

    #[test]
    fn limits_the_size_of_a_channel_image() {
        let image = |inner: &str| {
            let channel = format!(
                "<image><url>https://a.example/i.png</url><title>T</title><link>https://a.example/</link>{inner}</image>"
            );
            of_feed(&rss(&channel, "")).image.unwrap()
        };
        for (inner, measures) in [
            ("", (Some(88), Some(31))),
            ("<width>32</width><height>32</height>", (Some(32), Some(32))),
            ("<width>2000</width><height>3000</height>", (Some(144), Some(400))),
            ("<width>100</width>", (Some(100), None)),
        ] {
            let image = image(inner);
            assert_eq!((image.width, image.height), measures, "{inner}");
            assert_eq!(image.link.as_deref(), Some("https://a.example/"));
        }
        let atom = r#"<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><id>x</id><logo>https://a.example/l.png</logo></feed>"#;
        let logo = of_feed(&parse(atom.as_bytes(), Context::default()).unwrap()).image.unwrap();
        assert_eq!((logo.url.as_str(), logo.width), ("https://a.example/l.png", None));
    }

    #[test]
    fn requires_a_name_and_an_address_for_a_search_box() {
        let input = |inner: &str| of_feed(&rss(&format!("<textInput>{inner}</textInput>"), "")).text_input;
        let whole = input("<title>Find</title><description>In the archive</description><name>q</name><link>https://a.example/find</link>").unwrap();
        assert_eq!(
            (whole.title.as_deref(), whole.name.as_str(), whole.link.as_str()),
            (Some("Find"), "q", "https://a.example/find")
        );
        assert_eq!(input("<title>Find</title><link>https://a.example/find</link>"), None);
        assert_eq!(input("<name>q</name><link>javascript:alert(1)</link>"), None);
    }
}
