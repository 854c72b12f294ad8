//! `glean why`: shows a feed's request history, its next check and the reason for it, or why an article has its marks.

use crate::{
    args::Why,
    find::{check_articles, find_feed},
    messages::{Failure, message},
    output::{moment, size},
};
use gleaner_library::{Cause, FeedRow, LOCAL_ACCOUNT, Library, MarkChange, MarkKind, Poll, PollLogRow, now};
use gleaner_polling::{FeedError, Suggestion, schedule::Reason, suggestions};
use std::process::ExitCode;

pub async fn run(library: &Library, args: &Why) -> Result<ExitCode, Failure> {
    if let Some(article) = args.article {
        return run_article(library, article).await;
    }
    let feed = find_feed(library, args.feed.as_deref().unwrap_or_default()).await?;
    let feeds = library.feeds().list().await?;
    let polls = library.polls().list().await?;
    if feed.account_id != LOCAL_ACCOUNT {
        let account = library.accounts().get(feed.account_id).await?;
        println!("{}, {}", feed.shown_title(), feed.url);
        println!(
            "The server of {} checks this feed. `glean account log {}` shows when Gleaner synchronised.",
            account.name, account.id
        );
        return Ok(ExitCode::SUCCESS);
    }
    let poll = polls.iter().find(|poll| poll.feed_id == feed.id).ok_or("this feed is never checked")?;
    println!("{}, {}", feed.shown_title(), feed.url);
    println!("{}", next_check(poll));
    for suggestion in suggestions(&polls, now()).remove(&feed.id).unwrap_or_default() {
        println!("{}", describe_suggestion(&suggestion, &feeds));
    }
    if let Some(former) = &feed.former_url {
        println!("The feed moved here from {former}.");
    }
    for line in library.polls().log(feed.id).await? {
        println!("{}", describe_request(&line));
    }
    Ok(ExitCode::SUCCESS)
}

/// Shows how the marks of an article changed, newest first.
async fn run_article(library: &Library, article: i64) -> Result<ExitCode, Failure> {
    check_articles(library, &[article]).await?;
    let row = library.articles().get(article).await?;
    println!("{}", row.title);
    let state = |on: bool, yes: &'static str, no: &'static str| if on { yes } else { no };
    println!("{}, {}", state(row.read, "read", "unread"), state(row.starred, "starred", "not starred"));
    for change in library.sync().mark_changes(article).await? {
        println!("{}", describe_change(&change));
    }
    match library.sync().origin(article).await? {
        Some((account, at)) => println!("{}  received from {account}", moment(at)),
        None => println!("Gleaner checks its feed itself, so no server changes this article."),
    }
    Ok(ExitCode::SUCCESS)
}

fn describe_change(change: &MarkChange) -> String {
    let what = match (&change.kind, change.on) {
        (MarkKind::Read, true) => "read".to_owned(),
        (MarkKind::Read, false) => "unread".to_owned(),
        (MarkKind::Starred, true) => "starred".to_owned(),
        (MarkKind::Starred, false) => "not starred".to_owned(),
        (MarkKind::Label(name), true) => format!("tag {name} added"),
        (MarkKind::Label(name), false) => format!("tag {name} removed"),
    };
    let account = change.account.as_deref().unwrap_or("a deleted account");
    let why = match change.cause {
        Cause::Here => "by you, on this computer".to_owned(),
        Cause::Undo => "undone on this computer".to_owned(),
        Cause::Rule(_) => format!("by the rule {}", change.rule.as_deref().unwrap_or("that was deleted")),
        Cause::Duplicate => "because a duplicate was".to_owned(),
        Cause::Import => "imported".to_owned(),
        Cause::Server => format!("changed at {account}, by another app or on its site"),
        Cause::Sent => format!("sent to {account}"),
        Cause::Refused => format!("refused by {account}, so that it stays on this computer only"),
    };
    format!("{}  {what}: {why}", moment(change.at))
}

fn next_check(poll: &Poll) -> String {
    let error = FeedError::stored(poll.failure.error_code.as_deref(), &poll.failure.error_parameters);
    if let Some(error) = error.filter(|error| error.code.is_of_address()) {
        return format!("Never checked: {}.", message(error));
    }
    if let Some(error) = own_network_error(poll) {
        let since = poll.failure.error_since.map(|since| format!(" since {}", moment(since))).unwrap_or_default();
        let next = poll.next_at.map(|next| format!("Next attempt around {}.", moment(next))).unwrap_or_default();
        return format!("Could not be checked{since}: {}. {next}", message(error)).trim_end().to_owned();
    }
    let why = poll.next_reason.as_deref().map_or("it has not been checked yet", reason);
    match poll.next_at {
        Some(next) => format!("Next check around {}: {why}.", moment(next)),
        None if poll.refresh_minutes == Some(0) => "Never checked automatically (your setting).".to_owned(),
        None => "No longer checked: the server says the feed is gone.".to_owned(),
    }
}

/// Returns the error of this computer's network or proxy. The log of requests does not contain it, since no request was sent.
fn own_network_error(poll: &Poll) -> Option<FeedError> {
    let error = FeedError::stored(poll.failure.error_code.as_deref(), &poll.failure.error_parameters)?;
    Some(error).filter(|error| error.code.is_own_network())
}

/// Describes why a feed is checked. A name of another version is printed as it is.
fn reason(name: &str) -> &str {
    let Some(reason) = Reason::named(name) else { return name };
    match reason {
        Reason::First => "first check",
        Reason::ByHand => "you requested a refresh",
        Reason::Usual => "hourly by default",
        Reason::PostingFrequency => "based on its posting frequency",
        Reason::Preference => "your setting",
        Reason::NoValidators => "the server can't report changes and the feed rarely changes",
        Reason::Fresh => "set by the server's caching headers (max-age or Expires)",
        Reason::Ttl => "set by the feed's ttl",
        Reason::Period => "set by the feed's update period",
        Reason::Skipped => "the feed asks not to be checked at some hours or days",
        Reason::Failed => "the last check failed",
        Reason::RetryAfter => "the server asked to wait",
        Reason::SilentHost => "the server did not respond to the checks of its other feeds",
    }
}

fn describe_suggestion(suggestion: &Suggestion, feeds: &[FeedRow]) -> String {
    match suggestion {
        Suggestion::Follow { to } => format!("The feed says it moved to {to}; `glean feed FEED --address URL` follows it now."),
        Suggestion::Merge { with } => {
            let other = feeds.iter().find(|feed| feed.id == *with).map(FeedRow::shown_title).unwrap_or_default();
            format!("It redirects to the same feed as {other}, to which you are already subscribed.")
        }
        Suggestion::Switch { to, title } => match title {
            Some(title) => format!("The site now offers another feed: {title}, {to}; `glean feed FEED --address URL` switches to it."),
            None => format!("The site now offers another feed: {to}; `glean feed FEED --address URL` switches to it."),
        },
        Suggestion::Parked => "The domain appears to have expired or been parked.".to_owned(),
        Suggestion::Gone => "The server says the feed has been permanently removed.".to_owned(),
        Suggestion::NotAFeed => "The address no longer returns a feed. The site may have another one.".to_owned(),
        Suggestion::Certificate => "Its certificate is not valid.".to_owned(),
        Suggestion::PrivateNetwork => {
            "The name of its server now leads to a private network; `glean access FEED --allow-private-network` allows it."
                .to_owned()
        }
        Suggestion::LongFailing => "Updates have failed for more than a week.".to_owned(),
        Suggestion::Inactive { since } => format!("No new articles since {}.", moment(*since)),
    }
}

fn describe_request(line: &PollLogRow) -> String {
    let error = FeedError::stored(line.code.as_deref(), &line.parameters).map(message);
    // Before schema 16, the log stored the text.
    let result = match (line.status, line.message.clone().or(error)) {
        (_, Some(error)) => error,
        (Some(304), None) => "not modified".to_owned(),
        (Some(status), None) => format!("{status}, {} new, {} changed", line.new_items, line.changed),
        (None, None) => "no response".to_owned(),
    };
    let kind = if line.conditional { "conditional request" } else { "full request" };
    let hops: String = line.hops.iter().flat_map(|hops| hops.lines()).map(|hop| format!(" → {hop}")).collect();
    format!(
        "{}  {kind} ({}){hops}: {result}; {} in {} ms",
        moment(line.at),
        reason(&line.why),
        size(line.bytes),
        line.took_ms
    )
}
