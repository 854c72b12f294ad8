//! `glean retention`: shows and changes the retention of articles.

use crate::{
    args::Retention as Args,
    find::{find_feed, find_folder},
    messages::Failure,
    output::{count, inline, moment, size},
};
use gleaner_app::App;
use gleaner_library::{FeedScope, Library, Preview, RetentionPolicy, now};
use serde::Serialize;
use std::process::ExitCode;

/// Output of `glean retention --json`; a public contract.
#[derive(Serialize)]
struct Report {
    days: Option<i64>,
    articles: Option<i64>,
    bytes: Option<i64>,
    keep_unread: bool,
    /// Whether the policy is set here, not inherited from a folder or from all feeds.
    own: bool,
    /// Number of articles to delete, or deleted.
    going: i64,
    going_bytes: i64,
    /// Time at which the first of them is permanently deleted, in Unix milliseconds.
    until: Option<i64>,
}

pub async fn run(app: &App, library: &Library, args: &Args) -> Result<ExitCode, Failure> {
    let scope = scope(library, args).await?;
    let (own, _, inherited) = library.retention().get(scope).await?;
    let limits = (args.days, args.articles, args.bytes);
    let change = if args.inherit {
        Some(None)
    } else if args.everything {
        Some(Some(RetentionPolicy::EVERYTHING))
    } else if limits != (None, None, None) {
        let (days, articles, bytes) = limits;
        Some(Some(RetentionPolicy { days, articles, bytes, keep_unread: !args.unread_too }))
    } else {
        None
    };
    if args.restore {
        let restored = gleaner_app::restore_expired(app, ()).await?;
        println!("{} restored and kept forever.", count(restored, "article"));
        return Ok(ExitCode::SUCCESS);
    }
    let own = change.unwrap_or(own);
    let preview = library.retention().preview(scope, own, now()).await?;
    if !args.preview {
        match change {
            Some(policy) => {
                gleaner_app::set_retention(app, scope, policy).await?;
                library.retention().delete_expired(now(), |_| true).await?;
            }
            None if args.run => gleaner_app::clean_up(app).await?,
            None => {}
        }
    }
    let policy = own.unwrap_or(inherited);
    let until = library.retention().pending_deletion().await?.next_at;
    if args.json {
        let RetentionPolicy { days, articles, bytes, keep_unread } = policy;
        let (going, going_bytes) = (preview.articles, preview.bytes);
        let report = Report { days, articles, bytes, keep_unread, own: own.is_some(), going, going_bytes, until };
        crate::output::json(&report)?;
        return Ok(ExitCode::SUCCESS);
    }
    println!("{}", describe(&policy, own.is_some()));
    let would = args.preview || change.is_none() && !args.run;
    print_preview(library, &preview, would).await?;
    if let Some(until) = until {
        println!(
            "Deleted articles are removed permanently from {} on; until then `glean retention --restore` restores them.",
            moment(until)
        );
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the feed or folder that the arguments name, or all feeds.
async fn scope(library: &Library, args: &Args) -> Result<FeedScope, Failure> {
    Ok(match (&args.feed, &args.folder) {
        (Some(feed), _) => FeedScope::Feed(find_feed(library, feed).await?.id),
        (None, Some(path)) => FeedScope::Folder(find_folder(library, path).await?),
        (None, None) => FeedScope::All,
    })
}

/// Describes a policy; `own` is whether it is not inherited.
fn describe(policy: &RetentionPolicy, own: bool) -> String {
    let mut limits = Vec::new();
    limits.extend(
        policy.days.map(|days| format!("articles that were received, read or played within {}", count(days, "day"))),
    );
    limits.extend(policy.articles.map(|articles| format!("the newest {}", count(articles, "article"))));
    limits.extend(policy.bytes.map(|bytes| format!("the newest {} of text", count(bytes, "byte"))));
    let from = if own { "" } else { " (inherited)" };
    if limits.is_empty() {
        return format!("Retention{from}: all articles are kept.");
    }
    let unread = if policy.keep_unread { "unread, " } else { "" };
    format!(
        "Retention per feed{from}: {}. Articles that are {unread}starred, tagged, annotated or kept forever are never deleted.",
        limits.join(", at most ")
    )
}

async fn print_preview(library: &Library, preview: &Preview, would: bool) -> Result<(), Failure> {
    let verb = if would { "would be deleted" } else { "deleted" };
    println!("{} {verb}, {} of text.", count(preview.articles, "article"), size(preview.bytes));
    for (name, edge) in [("Oldest", &preview.oldest), ("Newest", &preview.newest)] {
        if let Some((at, title)) = edge {
            println!("  {name}  {}  {}", moment(*at), inline(title));
        }
    }
    let feeds = library.feeds().list().await?;
    for (id, articles) in &preview.feeds {
        let title = feeds.iter().find(|feed| feed.id == *id).map(|feed| feed.shown_title()).unwrap_or_default();
        println!("  {articles:>7}  {}", inline(&title));
    }
    Ok(())
}
