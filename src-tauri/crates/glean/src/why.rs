//! `glean why`: shows a feed's request history, its next check and the reason for it.

use crate::{args::Why, commands::Failure, output::count};
use chrono::{DateTime, Local};
use gleaner_library::{FeedRow, Library, Millis, Poll, PollLogRow, now};
use gleaner_polling::{Suggestion, suggestions};
use std::process::ExitCode;

pub async fn run(library: &Library, args: &Why) -> Result<ExitCode, Failure> {
    let feed = find(library, &args.feed).await?;
    let feeds = library.feeds().list().await?;
    let polls = library.polls().list().await?;
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

/// Finds a subscription by its address or part of its title.
pub async fn find(library: &Library, wanted: &str) -> Result<FeedRow, Failure> {
    let id = library.feeds().find_by_url(wanted).await?;
    let mut feeds = library.feeds().list().await?;
    let title = wanted.to_lowercase();
    let by_title = |feed: &FeedRow| feed.shown_title().to_lowercase().contains(&title);
    let found = feeds.iter().position(|feed| Some(feed.id) == id).or_else(|| feeds.iter().position(by_title));
    found.map(|found| feeds.swap_remove(found)).ok_or_else(|| format!("no subscription matches {wanted}").into())
}

fn next_check(poll: &Poll) -> String {
    let why = poll.next_reason.as_deref().map_or("it has not been checked yet", reason);
    match poll.next_at {
        Some(next) => format!("Next check around {}: {why}.", moment(next)),
        None if poll.refresh_minutes == Some(0) => "Never checked automatically (your setting).".to_owned(),
        None => "No longer checked: the server says the feed is gone.".to_owned(),
    }
}

/// Describes why a feed is checked; names are those of `gleaner-polling`.
fn reason(name: &str) -> &str {
    match name {
        "first" => "first check",
        "hand" => "you requested a refresh",
        "usual" => "hourly by default",
        "posting_frequency" => "based on its posting frequency",
        "preference" => "your setting",
        "no_validators" => "the server can't report changes and the feed rarely changes",
        "fresh" => "set by the server's caching header (max-age)",
        "ttl" => "set by the feed's ttl",
        "period" => "set by the feed's update period",
        "skipped" => "the feed asks not to be checked at some hours or days",
        "failed" => "the last check failed",
        "retry_after" => "the server asked to wait",
        other => other,
    }
}

fn describe_suggestion(suggestion: &Suggestion, feeds: &[FeedRow]) -> String {
    match suggestion {
        Suggestion::Follow { to } => format!("The feed says it moved to {to}."),
        Suggestion::Merge { with } => {
            let other = feeds.iter().find(|feed| feed.id == *with).map(FeedRow::shown_title).unwrap_or_default();
            format!("It redirects to the same feed as {other}, to which you are already subscribed.")
        }
        Suggestion::Switch { to, title } => match title {
            Some(title) => format!("The site now offers another feed: {title}, {to}"),
            None => format!("The site now offers another feed: {to}"),
        },
        Suggestion::Parked => "The domain appears to have expired or been parked.".to_owned(),
        Suggestion::Gone => "The server says the feed has been permanently removed.".to_owned(),
        Suggestion::NotAFeed => "The address no longer returns a feed. The site may have another one.".to_owned(),
        Suggestion::Certificate => "Its certificate is not valid.".to_owned(),
        Suggestion::LongFailing => "Updates have failed for more than a week.".to_owned(),
        Suggestion::Inactive { since } => format!("No new articles since {}.", moment(*since)),
    }
}

fn describe_request(line: &PollLogRow) -> String {
    let result = match (line.status, &line.message) {
        (_, Some(message)) => message.clone(),
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
        count(line.bytes, "byte"),
        line.took_ms
    )
}

/// Formats a time in the local time zone, to the minute.
pub fn moment(at: Millis) -> String {
    DateTime::from_timestamp_millis(at)
        .map_or_else(|| at.to_string(), |moment| moment.with_timezone(&Local).format("%Y-%m-%d %H:%M").to_string())
}
