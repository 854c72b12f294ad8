//! Article metadata: comments, chapters, transcripts, and the header of a feed.

use crate::{App, error::Result, jobs::Job, links::shown_link};
use gleaner_address::{is_web, may_request};
use gleaner_contract::{
    self as contract, ArticleId, Chapter, Comment, Comments, FeedHeader, FeedId, FeedImage, TextInput, Transcript,
};
use gleaner_polling::secrets;
use url::Url;

/// Returns whether the window may request an image of a feed: not a private address for a public feed.
pub(crate) fn may_show(image: &str, feed: &str) -> bool {
    let feed = Url::parse(feed).ok();
    Url::parse(image).is_ok_and(|image| may_request(&image, feed.as_ref()))
}

pub async fn comments(app: &App, args: ArticleId) -> Result<Comments> {
    let core = app.core().await?;
    secrets::ask_again();
    let run = app.jobs().replace(Job::Comments).await;
    let found = core.poller()?.comments(args.id, &run.token()).await?;
    let list = found.list.into_iter();
    let list =
        list.map(|comment| Comment { author: comment.author, at: comment.at, url: comment.url, html: comment.html });
    Ok(Comments { list: list.collect(), more: found.more })
}

pub async fn chapters(app: &App, args: ArticleId) -> Result<Vec<Chapter>> {
    let core = app.core().await?;
    let run = app.jobs().replace(Job::Chapters).await;
    let found = core.poller()?.chapters(args.id, &run.token()).await?;
    let row = core.library.articles().get(args.id).await?;
    let feed = core.library.feeds().get(row.feed_id).await?.url;
    let mut chapters: Vec<Chapter> = found.into_iter().map(chapter).collect();
    for chapter in &mut chapters {
        chapter.image = chapter.image.take().filter(|image| may_show(image, &feed));
    }
    Ok(chapters)
}

pub async fn transcript(app: &App, args: ArticleId) -> Result<Transcript> {
    let core = app.core().await?;
    secrets::ask_again();
    let run = app.jobs().replace(Job::Transcript).await;
    Ok(shown_transcript(core.poller()?.transcript(args.id, &run.token()).await?))
}

pub async fn cancel_transcript(app: &App, (): ()) -> Result<()> {
    app.jobs().cancel(Job::Transcript);
    Ok(())
}

pub async fn cancel_comments(app: &App, (): ()) -> Result<()> {
    app.jobs().cancel(Job::Comments);
    Ok(())
}

pub async fn feed_header(app: &App, args: FeedId) -> Result<FeedHeader> {
    let library = app.core().await?.library;
    let head = library.feeds().head(args.feed_id).await?;
    let feed = library.feeds().get(args.feed_id).await?.url;
    let image = head.image.filter(|image| may_show(&image.url, &feed));
    let description = library.feeds().description(args.feed_id).await?;
    Ok(FeedHeader {
        feed_id: args.feed_id,
        description,
        image: image.map(|image| FeedImage {
            url: image.url,
            title: image.title,
            link: image.link,
            width: image.width,
            height: image.height,
        }),
        text_input: head.text_input.map(|input| TextInput { title: input.title, description: input.description }),
        funding: head.funding.and_then(credit),
    })
}

/// Converts a credit. The host of its address replaces a missing name.
pub(crate) fn credit(credit: gleaner_library::Credit) -> Option<contract::Credit> {
    let host =
        || Url::parse(credit.url.as_deref()?).ok()?.host_str().map(|host| host.trim_start_matches("www.").to_owned());
    let title = credit.title.clone().or_else(host)?;
    Some(contract::Credit { title, url: credit.url.map(shown_link) })
}

fn chapter(chapter: gleaner_library::Chapter) -> contract::Chapter {
    let url = chapter.url.filter(|url| Url::parse(url).is_ok_and(|url| is_web(&url))).map(shown_link);
    contract::Chapter { start: chapter.start, title: chapter.title, url, image: chapter.image }
}

pub(crate) fn participant(participant: gleaner_library::Participant) -> contract::Participant {
    contract::Participant { name: participant.name, role: participant.role, url: participant.url.map(shown_link) }
}

fn shown_transcript(transcript: gleaner_library::Transcript) -> contract::Transcript {
    let passage = |passage: gleaner_library::Passage| contract::Passage {
        start: passage.start,
        speaker: passage.speaker,
        text: passage.text,
    };
    let passages = transcript.passages.into_iter().map(passage).collect();
    contract::Transcript { language: transcript.language, passages }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use gleaner_library::{
        ArticleMetadata, FeedFacts, FeedHead, HeadImage, Incoming, Intent, NewItem, NewSubscription,
    };
    use tokio::runtime::Handle;

    #[tokio::test]
    async fn images_of_a_public_feed_at_private_addresses_are_not_shown() {
        let folder = tempfile::tempdir().unwrap();
        let app = App::without_window(folder.path().to_owned(), Handle::current());
        let library = app.core().await.unwrap().library;
        for (url, image, shown) in [
            ("https://a.example/feed", "http://192.168.1.1/reboot.png", false),
            ("https://b.example/feed", "https://b.example/i.png", true),
            ("http://192.168.1.1/feed", "http://192.168.1.1/i.png", true),
        ] {
            let subscription = NewSubscription::new(url);
            let feed_id = library.subscriptions().add(&subscription).await.unwrap();
            let head = HeadImage { url: image.to_owned(), ..HeadImage::default() };
            let facts =
                FeedFacts { head: FeedHead { image: Some(head), ..FeedHead::default() }, ..FeedFacts::default() };
            let linked = Some(if shown { "https://b.example/boat?utm_source=a" } else { "javascript:x" }.to_owned());
            let chapter = gleaner_library::Chapter { image: Some(image.to_owned()), url: linked, ..Default::default() };
            let metadata = ArticleMetadata { chapters: vec![chapter], ..ArticleMetadata::default() };
            let item = NewItem { key: "1".to_owned(), metadata, ..NewItem::default() };
            let episode = |key: &str, image: Option<&str>| NewItem {
                key: key.to_owned(),
                media: Some("audio".to_owned()),
                thumbnail_url: image.map(str::to_owned),
                ..NewItem::default()
            };
            let items = [item, episode("2", None), episode("3", Some("https://a.example/own.png"))];
            let intents = items.map(|item| Intent::Insert(Box::new(item))).to_vec();
            let incoming = Incoming { facts: Some(facts), ..Incoming::of_items(feed_id, intents) };
            library.polls().store(&[&incoming]).await.unwrap();
            let header = feed_header(&app, FeedId { feed_id }).await.unwrap();
            assert_eq!(header.image.is_some(), shown, "{url} {image}");
            let source = gleaner_library::Source::Feed(feed_id);
            let (mut rows, _) = library.lists().page(gleaner_library::ListQuery::newest(source, 3)).await.unwrap();
            rows.sort_by_key(|row| row.id);
            let images = rows.iter().map(|row| crate::article_rows::article_row(row.clone()).show_image);
            let expected = [None, shown.then(|| image.to_owned()), None];
            assert_eq!(images.collect::<Vec<_>>(), expected, "the feed's image for an episode without its own");
            let chapters = chapters(&app, ArticleId { id: rows[0].id }).await.unwrap();
            assert_eq!(chapters[0].image.is_some(), shown, "{url} {image}");
            assert_eq!(chapters[0].url.as_deref(), shown.then_some("https://b.example/boat"));
        }
    }
}
