//! What a feed says of an article and of itself beside titles and texts: comments, credits, chapters; a picture, a search box. It is shown
//! and never searched or sorted by, so it is kept as JSON: the column `beside` of `bodies`, NULL for most, and `head` of `feeds`.

use crate::{Library, LibraryError};
use serde::{Deserialize, Serialize};
use url::Url;

/// More credits than this help nobody.
const MOST_CREDITS: usize = 10;
/// More chapters than this help nobody.
const MOST_CHAPTERS: usize = 500;
/// A title, or an address, is no longer than this many bytes.
const LONGEST: usize = 2000;

/// What stands beside an article's text. It is no part of the article's digest: comments come and go, and change no article.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Beside {
    /// The feed of its comments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comments_feed: Option<String>,
    /// How many comments there were when it came in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comments: Option<u32>,
    /// The feed that it was copied from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Credit>,
    /// Where it was found, and what it is about.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub via: Vec<Credit>,
    /// Of its recording, those that stand in the feed, in order of time.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub chapters: Vec<Chapter>,
    /// Where a document of its chapters is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chapters_url: Option<String>,
}

/// Who is credited, by a name, an address or both.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Credit {
    /// Plain text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Absolute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

/// Where a part of a recording begins.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Chapter {
    /// Seconds from the beginning.
    pub start: f64,
    /// Plain text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

/// What a feed says of itself for the eye.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct FeedHead {
    /// Its picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image: Option<HeadImage>,
    /// Its search box.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text_input: Option<TextInput>,
}

/// The picture of a feed.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct HeadImage {
    /// Where it is.
    pub url: String,
    /// What it shows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Where it leads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    /// In pixels; RSS has none wider than 144.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width: Option<u32>,
    /// In pixels; RSS has none higher than 400.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub height: Option<u32>,
}

/// A box whose text goes to the site (RSS `textInput`).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct TextInput {
    /// What its button says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The name of the text in the address.
    pub name: String,
    /// Where it goes.
    pub link: String,
}

/// When the full text of an article is fetched as it is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FullTextWhen {
    /// When it is asked for.
    Never,
    /// Where the feed gives only a beginning.
    Short,
    /// Always.
    Always,
}

impl FullTextWhen {
    /// Out of the form that it is kept in.
    pub fn of_number(number: i64) -> Option<Self> {
        [Self::Never, Self::Short, Self::Always].get(usize::try_from(number).ok()?).copied()
    }

    /// In the form that it is kept in.
    pub fn number(self) -> i64 {
        match self {
            Self::Never => 0,
            Self::Short => 1,
            Self::Always => 2,
        }
    }
}

/// Only what a reader can follow or fetch.
fn web(url: &mut Option<String>) {
    *url = url.take().filter(|url| is_web(url));
}

fn is_web(url: &str) -> bool {
    url.len() <= LONGEST && Url::parse(url).is_ok_and(|url| matches!(url.scheme(), "http" | "https"))
}

fn line(text: &mut Option<String>) {
    *text = text.take().filter(|text| !text.trim().is_empty() && text.len() <= LONGEST);
}

impl Credit {
    fn mend(&mut self) -> bool {
        line(&mut self.title);
        web(&mut self.url);
        self.title.is_some() || self.url.is_some()
    }
}

impl Beside {
    /// Without what nobody could use, whoever said it.
    #[must_use]
    pub fn mended(mut self) -> Self {
        web(&mut self.comments_feed);
        web(&mut self.chapters_url);
        self.source = self.source.take().and_then(|mut source| source.mend().then_some(source));
        self.via.retain_mut(Credit::mend);
        self.via.truncate(MOST_CREDITS);
        self.chapters.retain_mut(|chapter| {
            line(&mut chapter.title);
            web(&mut chapter.url);
            chapter.start.is_finite() && chapter.start >= 0.0
        });
        self.chapters.truncate(MOST_CHAPTERS);
        self
    }

    /// Nothing at all.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// As the column has it. The address of comments mostly begins as the article's own: what follows that is enough.
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

    /// Out of the column. What cannot be read is not there: it decides nothing.
    pub(crate) fn of_stored(json: Option<&str>, article: Option<&str>) -> Self {
        let mut beside: Self = json.and_then(|json| serde_json::from_str(json).ok()).unwrap_or_default();
        let whole = beside.comments_feed.as_deref().and_then(|feed| feed.strip_prefix('+'));
        if let Some(rest) = whole {
            beside.comments_feed = article.map(|article| format!("{article}{rest}"));
        }
        beside
    }
}

impl FeedHead {
    /// Without what nobody could use, whoever said it.
    #[must_use]
    pub fn mended(mut self) -> Self {
        self.image = self.image.take().filter(|image| is_web(&image.url)).map(|mut image| {
            line(&mut image.title);
            web(&mut image.link);
            image
        });
        self.text_input = self
            .text_input
            .take()
            .filter(|input| is_web(&input.link) && !input.name.trim().is_empty() && input.name.len() <= LONGEST);
        if let Some(input) = &mut self.text_input {
            line(&mut input.title);
            line(&mut input.description);
        }
        self
    }

    /// As the column has it.
    pub(crate) fn stored(&self) -> Result<Option<String>, LibraryError> {
        if *self == Self::default() {
            return Ok(None);
        }
        serde_json::to_string(self).map(Some).map_err(|error| LibraryError::Invalid(error.to_string()))
    }
}

impl Library {
    /// What a feed says of itself for the eye.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`]; when the library cannot be read.
    pub async fn feed_head(&self, feed: i64) -> Result<FeedHead, LibraryError> {
        let sql = "SELECT head FROM feeds WHERE id = ? AND unsubscribed_at IS NULL";
        let json: Option<String> = sqlx::query_scalar(sql)
            .bind(feed)
            .fetch_optional(&self.readers)
            .await?
            .ok_or(LibraryError::NotFound("feed"))?;
        Ok(json.and_then(|json| serde_json::from_str(&json).ok()).unwrap_or_default())
    }

    /// What a feed says that it is about.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`]; when the library cannot be read.
    pub async fn feed_description(&self, feed: i64) -> Result<Option<String>, LibraryError> {
        let sql = "SELECT description FROM feeds WHERE id = ? AND unsubscribed_at IS NULL";
        sqlx::query_scalar(sql).bind(feed).fetch_optional(&self.readers).await?.ok_or(LibraryError::NotFound("feed"))
    }

    /// Words of a feed's newest articles, on the average.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn usual_words(&self, feed: i64) -> Result<Option<f64>, LibraryError> {
        let sql = "SELECT avg(word_count) FROM (SELECT word_count FROM items WHERE feed_id = ? ORDER BY sort_at DESC, id DESC LIMIT 30)";
        Ok(sqlx::query_scalar(sql).bind(feed).fetch_one(&self.readers).await?)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn what_stands_beside_comes_back_as_it_was() {
        let article = "https://a.example/2024/05/a-post/";
        let of = |feed: &str| Beside { comments_feed: Some(feed.to_owned()), comments: Some(12), ..Beside::default() };
        for (feed, stored) in [
            ("https://a.example/2024/05/a-post/feed/", r#"{"comments_feed":"+feed/","comments":12}"#),
            ("https://b.example/c.xml", r#"{"comments_feed":"https://b.example/c.xml","comments":12}"#),
        ] {
            let json = of(feed).stored(Some(article)).unwrap();
            assert_eq!(json.as_deref(), Some(stored));
            assert_eq!(Beside::of_stored(json.as_deref(), Some(article)), of(feed));
        }
        assert_eq!(Beside::default().stored(None).unwrap(), None);
        assert_eq!(Beside::of_stored(Some("no json"), None), Beside::default());
    }

    #[test]
    fn what_nobody_could_use_is_not_kept() {
        let credit = |title: &str, url: &str| Credit { title: Some(title.to_owned()), url: Some(url.to_owned()) };
        let beside = Beside {
            comments_feed: Some("javascript:alert(1)".to_owned()),
            source: Some(credit(" ", "file:///etc/passwd")),
            via: vec![credit("A", "data:text/html,x"), credit("", "https://b.example/")],
            chapters: vec![
                Chapter { start: f64::NAN, ..Chapter::default() },
                Chapter { start: 1.5, ..Chapter::default() },
            ],
            ..Beside::default()
        };
        let mended = beside.mended();
        assert_eq!((&mended.comments_feed, &mended.source), (&None, &None));
        let told = |credit: &Credit| (credit.title.clone(), credit.url.clone());
        let via: Vec<_> = mended.via.iter().map(told).collect();
        assert_eq!(via, [(Some("A".to_owned()), None), (None, Some("https://b.example/".to_owned()))]);
        assert_eq!(mended.chapters.len(), 1);

        let input =
            |link: &str, name: &str| TextInput { link: link.to_owned(), name: name.to_owned(), ..TextInput::default() };
        for (link, name, kept) in
            [("https://a.example/find", "q", true), ("javascript:x", "q", false), ("https://a.example/", " ", false)]
        {
            let head = FeedHead { text_input: Some(input(link, name)), ..FeedHead::default() };
            assert_eq!(head.mended().text_input.is_some(), kept, "{link} {name}");
        }
    }
}
