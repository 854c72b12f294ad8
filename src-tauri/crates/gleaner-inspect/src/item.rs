//! Items of a report. Their HTML is exactly what the reading pane displays.

use crate::parts::{self, Category, Person};
use gleaner_content as content;
use gleaner_feed as feed;
use serde::Serialize;

/// An item of a report. Times are RFC 3339 in UTC.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[allow(missing_docs)] // docs/formats.md describes the fields.
pub struct Item {
    pub id: String,
    pub guid_is_permalink: Option<bool>,
    pub url: Option<String>,
    pub canonical_url: Option<String>,
    pub external_url: Option<String>,
    pub title: Option<String>,
    pub title_from_content: bool,
    pub authors: Vec<Person>,
    pub contributors: Vec<Person>,
    pub published: Option<String>,
    pub updated: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")] // Only the items of pages have it.
    pub date: Option<String>,
    pub date_uncertain: bool,
    pub summary_html: Option<String>,
    pub content_html: Option<String>,
    pub content_text: Option<String>,
    pub content_kind: &'static str,
    pub content_src: Option<String>,
    pub word_count: u32,
    pub categories: Vec<Category>,
    pub enclosures: Vec<Enclosure>,
    pub media: Vec<Media>,
    pub thumbnail_url: Option<String>,
    pub comments_url: Option<String>,
    pub comments_feed_url: Option<String>,
    pub comments_count: Option<u32>,
    pub source: Option<Source>,
    pub language: Option<String>,
    pub rights: Option<String>,
    pub license_url: Option<String>,
    pub chapters: Option<Chapters>,
    pub transcripts: Vec<Transcript>,
    pub season: Option<u32>,
    pub season_name: Option<String>,
    pub episode: Option<f64>,
    pub episode_display: Option<String>,
    pub episode_type: Option<String>,
    pub explicit: Option<bool>,
}

/// The chapters of a recording: those in the feed, and the URL of a separate document.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct Chapters {
    pub url: Option<String>,
    #[serde(rename = "type")]
    pub mime_type: Option<String>,
    pub list: Vec<Chapter>,
}

/// A chapter.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct Chapter {
    pub start_seconds: f64,
    pub title: Option<String>,
    pub url: Option<String>,
    pub image_url: Option<String>,
}

/// A transcript of a recording.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct Transcript {
    pub url: String,
    #[serde(rename = "type")]
    pub mime_type: Option<String>,
    pub language: Option<String>,
    pub rel: Option<String>,
}

/// A file attached to an item.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct Enclosure {
    pub url: String,
    #[serde(rename = "type")]
    pub mime_type: Option<String>,
    pub length: Option<u64>,
    pub title: Option<String>,
    pub duration_seconds: Option<f64>,
}

/// An image or video of Media RSS.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct Media {
    pub url: String,
    #[serde(rename = "type")]
    pub mime_type: Option<String>,
    pub medium: Option<String>,
    pub width: Option<u32>,
    pub height: Option<u32>,
    pub description: Option<String>,
}

/// The original feed of a republished item.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct Source {
    pub title: Option<String>,
    pub url: Option<String>,
}

/// Returns the HTML that is displayed; `None` if nothing of the body is.
fn sanitised(body: Option<&feed::Body>) -> Option<String> {
    body.map(|body| content::sanitise(&body.html, body.base.as_deref())).filter(|html| !html.is_empty())
}

impl From<&feed::Item> for Item {
    fn from(item: &feed::Item) -> Self {
        let content_html = sanitised(item.content.as_ref());
        let content_text = content_html.as_deref().map(content::plain_text);
        let i = item.clone();
        Self {
            canonical_url: i.url.as_deref().map(|url| content::canonical_url(url).unwrap_or_else(|| url.to_owned())),
            id: i.id,
            guid_is_permalink: i.guid_is_permalink,
            url: i.url,
            external_url: i.external_url,
            title: i.title,
            title_from_content: i.title_from_content,
            authors: parts::people(&i.authors),
            contributors: parts::people(&i.contributors),
            published: parts::format_time(i.published),
            updated: parts::format_time(i.updated),
            date: None,
            date_uncertain: i.date_uncertain,
            summary_html: sanitised(item.summary.as_ref()),
            word_count: content_text.as_deref().map_or(0, content::word_count),
            content_kind: match i.content_kind {
                _ if i.content.is_some() && content_html.is_none() => "none",
                feed::ContentKind::Full => "full",
                feed::ContentKind::Summary => "summary",
                feed::ContentKind::None => "none",
            },
            content_src: i.content_src,
            categories: parts::categories(&i.categories),
            enclosures: i.enclosures.into_iter().map(Enclosure::from).collect(),
            media: i.media.into_iter().map(Media::from).collect(),
            thumbnail_url: i
                .thumbnail_url
                .or_else(|| content_html.as_deref().and_then(|html| content::first_image(html, None))),
            comments_url: i.comments_url,
            comments_feed_url: i.comments_feed_url,
            comments_count: i.comments_count,
            source: i.source.map(|s| Source { title: s.title, url: s.url }),
            language: i.language,
            rights: i.rights,
            license_url: i.license_url,
            chapters: i.chapters.map(Chapters::from),
            transcripts: i.transcripts.into_iter().map(Transcript::from).collect(),
            season: i.season,
            season_name: i.season_name,
            episode: i.episode,
            episode_display: i.episode_display,
            episode_type: i.episode_type,
            explicit: i.explicit,
            content_html,
            content_text,
        }
    }
}

impl From<feed::Enclosure> for Enclosure {
    fn from(e: feed::Enclosure) -> Self {
        Self {
            url: e.url,
            mime_type: e.mime_type,
            length: e.length,
            title: e.title,
            duration_seconds: e.duration_seconds,
        }
    }
}

impl From<feed::Media> for Media {
    fn from(m: feed::Media) -> Self {
        Self {
            url: m.url,
            mime_type: m.mime_type,
            medium: m.medium,
            width: m.width,
            height: m.height,
            description: m.description.as_deref().map(str::to_owned),
        }
    }
}

impl From<feed::Chapters> for Chapters {
    fn from(c: feed::Chapters) -> Self {
        let one = |c: feed::Chapter| {
            let feed::Chapter { start_seconds, title, url, image_url } = c;
            Chapter { start_seconds, title, url, image_url }
        };
        Self { url: c.url, mime_type: c.mime_type, list: c.list.into_iter().map(one).collect() }
    }
}

impl From<feed::Transcript> for Transcript {
    fn from(t: feed::Transcript) -> Self {
        Self { url: t.url, mime_type: t.mime_type, language: t.language, rel: t.rel }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_of_which_nothing_is_displayed_is_absent() {
        let item = |html: &str| {
            let body = Some(feed::Body { html: html.to_owned(), base: None });
            let kind = feed::ContentKind::Full;
            Item::from(&feed::Item {
                content: body.clone(),
                summary: body,
                content_kind: kind,
                ..feed::Item::default()
            })
        };
        let emptied = item("<script>x()</script>");
        assert_eq!((emptied.content_html, emptied.content_text, emptied.summary_html), (None, None, None));
        assert_eq!((emptied.content_kind, emptied.word_count), ("none", 0));
        let kept = item("<p>x");
        assert_eq!((kept.content_html.as_deref(), kept.content_kind), (Some("<p>x</p>"), "full"));
    }
}
