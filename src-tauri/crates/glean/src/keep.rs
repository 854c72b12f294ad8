//! `glean keep`: how much of each feed is kept, and letting go of the rest.

use crate::{
    args::Keep as Args,
    live::Failure,
    why::{self, moment},
};
use gleaner_library::{FeedScope, FolderRow, Keep, Library, Preview, now};
use serde::Serialize;
use std::process::ExitCode;

/// `glean keep --json`: a public contract.
#[derive(Serialize)]
struct Report {
    days: Option<i64>,
    articles: Option<i64>,
    bytes: Option<i64>,
    keep_unread: bool,
    /// Said here, not taken over from a folder or from all.
    own: bool,
    /// Articles that go, or that went.
    going: i64,
    going_bytes: i64,
    /// The first of them is deleted for good then: Unix milliseconds.
    until: Option<i64>,
}

pub async fn run(library: &Library, args: &Args) -> Result<ExitCode, Failure> {
    let scope = scope(library, args).await?;
    let (own, _, inherited) = library.keeping(scope).await?;
    let bounds = (args.days, args.articles, args.bytes);
    let said = if args.inherit {
        Some(None)
    } else if args.everything {
        Some(Some(Keep::EVERYTHING))
    } else if bounds != (None, None, None) {
        let (days, articles, bytes) = bounds;
        Some(Some(Keep { days, articles, bytes, keep_unread: !args.unread_too }))
    } else {
        None
    };
    if args.bring_back {
        let back = library.bring_all_back().await?;
        println!("{back} articles are back, and are kept for good.");
        return Ok(ExitCode::SUCCESS);
    }
    let wish = said.unwrap_or(own);
    let preview = library.would_go(scope, wish, now()).await?;
    if !args.preview {
        match said {
            Some(said) => {
                library.keep(scope, said, now(), |_| true).await?;
            }
            None if args.run => {
                library.let_go(now(), |_| true).await?;
            }
            None => {}
        }
        if args.run || said.is_some() {
            library.clear_out(now(), |_| true).await?;
        }
    }
    let keep = wish.unwrap_or(inherited);
    let until = library.going().await?.next_at;
    if args.json {
        let Keep { days, articles, bytes, keep_unread } = keep;
        let (going, going_bytes) = (preview.articles, preview.bytes);
        let report = Report { days, articles, bytes, keep_unread, own: wish.is_some(), going, going_bytes, until };
        println!("{}", serde_json::to_string(&report)?);
        return Ok(ExitCode::SUCCESS);
    }
    println!("{}", told(&keep, wish.is_some()));
    let would = args.preview || said.is_none() && !args.run;
    print_preview(library, &preview, would).await?;
    if let Some(until) = until {
        println!("What went is deleted for good from {} on; `glean keep --bring-back` brings it back.", moment(until));
    }
    Ok(ExitCode::SUCCESS)
}

async fn scope(library: &Library, args: &Args) -> Result<FeedScope, Failure> {
    if let Some(feed) = &args.feed {
        return Ok(FeedScope::Feed(why::find(library, feed).await?.id));
    }
    let Some(path) = &args.folder else { return Ok(FeedScope::All) };
    let folders = library.folders().await?;
    let mut at: Option<&FolderRow> = None;
    for name in path.split('/').filter(|name| !name.is_empty()) {
        let parent = at.map(|folder| folder.id);
        at = folders.iter().find(|folder| folder.parent_id == parent && folder.name == name);
        if at.is_none() {
            return Err(format!("there is no folder {path}: name it from the top, such as News/Local").into());
        }
    }
    at.map(|folder| FeedScope::Folder(folder.id)).ok_or_else(|| "a folder needs a name".into())
}

fn told(keep: &Keep, own: bool) -> String {
    let mut bounds = Vec::new();
    bounds.extend(keep.days.map(|days| format!("what came or was read within {days} days")));
    bounds.extend(keep.articles.map(|articles| format!("the newest {articles} articles")));
    bounds.extend(keep.bytes.map(|bytes| format!("the newest {bytes} bytes of texts")));
    let from = if own { "" } else { " (said further out, or nowhere)" };
    if bounds.is_empty() {
        return format!("Everything is kept{from}.");
    }
    let unread = if keep.keep_unread { "what is unread, " } else { "" };
    format!("Kept of each feed{from}: {}; and {unread}what is starred, tagged, noted or kept.", bounds.join(", and "))
}

async fn print_preview(library: &Library, preview: &Preview, would: bool) -> Result<(), Failure> {
    let verb = if would { "would go" } else { "went" };
    println!("{} articles {verb}, {:.1} MB of texts.", preview.articles, preview.bytes as f64 / 1e6);
    for (name, edge) in [("Oldest", &preview.oldest), ("Newest", &preview.newest)] {
        if let Some((at, title)) = edge {
            println!("  {name}  {}  {title}", moment(*at));
        }
    }
    let feeds = library.feeds().await?;
    for (id, articles) in &preview.feeds {
        let title = feeds.iter().find(|feed| feed.id == *id).map(|feed| feed.shown_title()).unwrap_or_default();
        println!("  {articles:>7}  {title}");
    }
    Ok(())
}
