//! Metadata of articles and feeds besides titles and texts: comments, credits, chapters, participants; an image, a search box, a link to
//! donate. It is shown and never searched or sorted by, so it is stored as JSON: in the column `beside` of `bodies`, mostly NULL, and
//! `head` of `feeds`.

use crate::LibraryError;
use serde::{Deserialize, Deserializer, Serialize};
use url::Url;

/// Maximum number of credits.
const MAX_CREDITS: usize = 10;
/// Maximum number of chapters.
const MAX_CHAPTERS: usize = 500;
/// Maximum number of transcripts.
const MAX_TRANSCRIPTS: usize = 20;
/// Maximum number of participants.
const MAX_PARTICIPANTS: usize = 50;
/// Maximum length of a title or an address, in bytes.
const MAX_TEXT: usize = 2000;

/// Metadata of an article. Only its chapters and transcripts are part of the article's digest: a new comment does not change the article.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ArticleMetadata {
    /// Address of the feed of its comments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comments_feed: Option<String>,
    /// Number of comments when it was received.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comments: Option<u32>,
    /// The feed that it was copied from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Credit>,
    /// Where it was found, and what it is about.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "one_or_more")]
    pub via: Vec<Credit>,
    /// Chapters of its recording that the feed lists, in order of time.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub chapters: Vec<Chapter>,
    /// Address of a document with its chapters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chapters_url: Option<String>,
    /// Transcripts of its recording: other languages or formats.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub transcripts: Vec<TranscriptLink>,
    /// Who takes part in its recording.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub participants: Vec<Participant>,
    /// Season of a podcast.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub season: Option<u32>,
    /// Name of the season, shown instead of its number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub season_name: Option<String>,
    /// Number of an episode; may be fractional.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub episode: Option<f64>,
    /// Text shown instead of the episode's number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub episode_display: Option<String>,
}

/// Reads a list, or one entry without a list: an archive that another program wrote may have that.
fn one_or_more<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Credit>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum OneOrMore {
        More(Vec<Credit>),
        One(Credit),
    }
    Ok(match OneOrMore::deserialize(deserializer)? {
        OneOrMore::More(credits) => credits,
        OneOrMore::One(credit) => vec![credit],
    })
}

/// Where the transcript of a recording is.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct TranscriptLink {
    /// Absolute address.
    pub url: String,
    /// MIME type, according to the feed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// Language code in lower case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
}

/// Somebody who takes part in a recording (`podcast:person`).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Participant {
    /// Plain text.
    pub name: String,
    /// As the feed names it, in lower case: host, guest …
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// Absolute address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

/// A credit: a name, an address or both.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Credit {
    /// Plain text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Absolute address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

/// A chapter of a recording.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Chapter {
    /// Start, in seconds.
    pub start: f64,
    /// Plain text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Address of what it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Address of an image.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image: Option<String>,
}

/// Metadata of a feed.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct FeedHead {
    /// Its image.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image: Option<HeadImage>,
    /// Its search box.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text_input: Option<TextInput>,
    /// Who takes part in its recordings, if an article does not name others.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub participants: Vec<Participant>,
    /// Where to support the publisher.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub funding: Option<Credit>,
}

/// A feed's image.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct HeadImage {
    /// Address.
    pub url: String,
    /// Description.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Address that it links to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    /// Width in pixels, at most 144 in RSS.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width: Option<u32>,
    /// Height in pixels, at most 400 in RSS.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub height: Option<u32>,
}

/// A search box of the site (RSS `textInput`).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct TextInput {
    /// Label of its button.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Description.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Name of the parameter for the text.
    pub name: String,
    /// Address that the text is sent to.
    pub link: String,
}

/// When an article's full text is fetched on opening.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FullTextWhen {
    /// On request.
    Never,
    /// For excerpts.
    Short,
    /// Always.
    Always,
}

impl FullTextWhen {
    /// Reads the stored form.
    pub fn of_number(number: i64) -> Option<Self> {
        [Self::Never, Self::Short, Self::Always].get(usize::try_from(number).ok()?).copied()
    }

    /// Returns the stored form.
    pub fn number(self) -> i64 {
        match self {
            Self::Never => 0,
            Self::Short => 1,
            Self::Always => 2,
        }
    }
}

/// Removes an address that is not HTTP.
fn web(url: &mut Option<String>) {
    *url = url.take().filter(|url| is_web(url));
}

fn is_web(url: &str) -> bool {
    url.len() <= MAX_TEXT && Url::parse(url).is_ok_and(|url| gleaner_address::is_web(&url))
}

fn line(text: &mut Option<String>) {
    *text = text.take().filter(|text| !text.trim().is_empty() && text.len() <= MAX_TEXT);
}

fn repair_participants(participants: &mut Vec<Participant>) {
    participants.retain_mut(|participant| {
        line(&mut participant.role);
        web(&mut participant.url);
        !participant.name.trim().is_empty() && participant.name.len() <= MAX_TEXT
    });
    participants.truncate(MAX_PARTICIPANTS);
}

impl Credit {
    fn repair(&mut self) -> bool {
        line(&mut self.title);
        web(&mut self.url);
        self.title.is_some() || self.url.is_some()
    }
}

impl ArticleMetadata {
    /// Removes unusable values.
    #[must_use]
    pub fn repaired(mut self) -> Self {
        web(&mut self.comments_feed);
        web(&mut self.chapters_url);
        self.source = self.source.take().and_then(|mut source| source.repair().then_some(source));
        self.via.retain_mut(Credit::repair);
        self.via.truncate(MAX_CREDITS);
        self.chapters.retain_mut(|chapter| {
            line(&mut chapter.title);
            web(&mut chapter.url);
            web(&mut chapter.image);
            chapter.start.is_finite() && chapter.start >= 0.0
        });
        self.chapters.truncate(MAX_CHAPTERS);
        self.transcripts.retain_mut(|transcript| {
            line(&mut transcript.mime_type);
            is_web(&transcript.url)
        });
        self.transcripts.truncate(MAX_TRANSCRIPTS);
        repair_participants(&mut self.participants);
        line(&mut self.season_name);
        line(&mut self.episode_display);
        self.episode = self.episode.filter(|episode| episode.is_finite() && *episode >= 0.0);
        self
    }

    /// Returns whether there is no metadata.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the stored form. The address of comments mostly starts with the article's own, so only the rest is stored.
    pub(crate) fn stored(&self, article: Option<&str>) -> Result<Option<String>, serde_json::Error> {
        if self.is_empty() {
            return Ok(None);
        }
        let rest = self.comments_feed.as_deref().zip(article).and_then(|(feed, article)| feed.strip_prefix(article));
        match rest {
            Some(rest) => serde_json::to_string(&Self { comments_feed: Some(format!("+{rest}")), ..self.clone() }),
            None => serde_json::to_string(self),
        }
        .map(Some)
    }

    /// Reads the stored form. Unreadable metadata counts as none.
    pub(crate) fn of_stored(json: Option<&str>, article: Option<&str>) -> Self {
        let mut metadata: Self = json.and_then(|json| serde_json::from_str(json).ok()).unwrap_or_default();
        let whole = metadata.comments_feed.as_deref().and_then(|feed| feed.strip_prefix('+'));
        if let Some(rest) = whole {
            metadata.comments_feed = article.map(|article| format!("{article}{rest}"));
        }
        metadata
    }
}

impl FeedHead {
    /// Removes unusable values.
    #[must_use]
    pub fn repaired(mut self) -> Self {
        self.image = self.image.take().filter(|image| is_web(&image.url)).map(|mut image| {
            line(&mut image.title);
            web(&mut image.link);
            image
        });
        self.text_input = self
            .text_input
            .take()
            .filter(|input| is_web(&input.link) && !input.name.trim().is_empty() && input.name.len() <= MAX_TEXT);
        if let Some(input) = &mut self.text_input {
            line(&mut input.title);
            line(&mut input.description);
        }
        repair_participants(&mut self.participants);
        self.funding = self.funding.take().and_then(|mut funding| funding.repair().then_some(funding));
        self.funding = self.funding.filter(|funding| funding.url.is_some());
        self
    }

    /// Returns the stored form.
    pub(crate) fn stored(&self) -> Result<Option<String>, LibraryError> {
        if *self == Self::default() {
            return Ok(None);
        }
        serde_json::to_string(self).map(Some).map_err(|error| LibraryError::Invalid(error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn metadata_survives_storing() {
        let article = "https://a.example/2024/05/a-post/";
        let of = |feed: &str| ArticleMetadata {
            comments_feed: Some(feed.to_owned()),
            comments: Some(12),
            ..ArticleMetadata::default()
        };
        for (feed, stored) in [
            ("https://a.example/2024/05/a-post/feed/", r#"{"comments_feed":"+feed/","comments":12}"#),
            ("https://b.example/c.xml", r#"{"comments_feed":"https://b.example/c.xml","comments":12}"#),
        ] {
            let json = of(feed).stored(Some(article)).unwrap();
            assert_eq!(json.as_deref(), Some(stored));
            assert_eq!(ArticleMetadata::of_stored(json.as_deref(), Some(article)), of(feed));
        }
        assert_eq!(ArticleMetadata::default().stored(None).unwrap(), None);
        assert_eq!(ArticleMetadata::of_stored(Some("no json"), None), ArticleMetadata::default());
    }

    #[test]
    fn one_entry_is_read_like_a_list_of_one() {
        let of = |via: &str| serde_json::from_str::<ArticleMetadata>(&format!(r#"{{"via":{via}}}"#)).unwrap().via;
        let one = Credit { title: Some("Rye".to_owned()), url: None };
        for via in [r#"{"title":"Rye"}"#, r#"[{"title":"Rye"}]"#] {
            assert_eq!(of(via), std::slice::from_ref(&one), "{via}");
        }
        assert!(of("[]").is_empty());
    }

    #[test]
    fn removes_unusable_metadata() {
        let credit = |title: &str, url: &str| Credit { title: Some(title.to_owned()), url: Some(url.to_owned()) };
        let metadata = ArticleMetadata {
            comments_feed: Some("javascript:alert(1)".to_owned()),
            source: Some(credit(" ", "file:///etc/passwd")),
            via: vec![credit("A", "data:text/html,x"), credit("", "https://b.example/")],
            chapters: vec![
                Chapter { start: f64::NAN, ..Chapter::default() },
                Chapter { start: 1.5, ..Chapter::default() },
            ],
            ..ArticleMetadata::default()
        };
        let repaired = metadata.repaired();
        assert_eq!((&repaired.comments_feed, &repaired.source), (&None, &None));
        let listed = |credit: &Credit| (credit.title.clone(), credit.url.clone());
        let via: Vec<_> = repaired.via.iter().map(listed).collect();
        assert_eq!(via, [(Some("A".to_owned()), None), (None, Some("https://b.example/".to_owned()))]);
        assert_eq!(repaired.chapters.len(), 1);

        let input =
            |link: &str, name: &str| TextInput { link: link.to_owned(), name: name.to_owned(), ..TextInput::default() };
        for (link, name, kept) in
            [("https://a.example/find", "q", true), ("javascript:x", "q", false), ("https://a.example/", " ", false)]
        {
            let head = FeedHead { text_input: Some(input(link, name)), ..FeedHead::default() };
            assert_eq!(head.repaired().text_input.is_some(), kept, "{link} {name}");
        }
    }
}
