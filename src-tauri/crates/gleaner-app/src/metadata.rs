//! Article metadata: comments, chapters, transcripts, and the header of a feed.

use crate::{App, convert, error::Result, jobs::Job};
use gleaner_contract::{ArticleId, Chapter, Comment, Comments, FeedHeader, FeedId, FeedImage, TextInput, Transcript};

pub async fn comments(app: &App, args: ArticleId) -> Result<Comments> {
    let core = app.core().await?;
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
    Ok(found.into_iter().map(convert::chapter).collect())
}

pub async fn transcript(app: &App, args: ArticleId) -> Result<Transcript> {
    let core = app.core().await?;
    let run = app.jobs().replace(Job::Transcript).await;
    Ok(convert::transcript(core.poller()?.transcript(args.id, &run.token()).await?))
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
    let description = library.feeds().description(args.feed_id).await?;
    Ok(FeedHeader {
        feed_id: args.feed_id,
        description,
        image: head.image.map(|image| FeedImage {
            url: image.url,
            title: image.title,
            link: image.link,
            width: image.width,
            height: image.height,
        }),
        text_input: head.text_input.map(|input| TextInput { title: input.title, description: input.description }),
        funding: head.funding.and_then(convert::credit),
    })
}
