//! `glean why`: when a feed was asked, what came, when it is asked next, and why then.

use crate::{args::Why, live::Failure};
use chrono::{DateTime, Local};
use gleaner_library::{FeedRow, Library, Millis, Poll, PollLogRow, now};
use gleaner_polling::{Remedy, remedies};
use std::process::ExitCode;

pub async fn run(library: &Library, args: &Why) -> Result<ExitCode, Failure> {
    let feed = find(library, &args.feed).await?;
    let feeds = library.feeds().await?;
    let polls = library.polls().await?;
    let poll = polls.iter().find(|poll| poll.feed_id == feed.id).ok_or("this feed is never polled")?;
    println!("{}, {}", feed.shown_title(), feed.url);
    println!("{}", next(poll));
    for remedy in remedies(&polls, now()).remove(&feed.id).unwrap_or_default() {
        println!("{}", proposal(&remedy, &feeds));
    }
    if let Some(former) = &feed.former_url {
        println!("It moved here from {former}.");
    }
    for line in library.poll_log(feed.id).await? {
        println!("{}", told(&line));
    }
    Ok(ExitCode::SUCCESS)
}

/// The subscription that has this address, or this in its title.
pub async fn find(library: &Library, wanted: &str) -> Result<FeedRow, Failure> {
    let at = library.feed_at(wanted).await?;
    let mut feeds = library.feeds().await?;
    let title = wanted.to_lowercase();
    let by_title = |feed: &FeedRow| feed.shown_title().to_lowercase().contains(&title);
    let found = feeds.iter().position(|feed| Some(feed.id) == at).or_else(|| feeds.iter().position(by_title));
    found
        .map(|found| feeds.swap_remove(found))
        .ok_or_else(|| format!("no subscription has the address or title {wanted}").into())
}

fn next(poll: &Poll) -> String {
    let why = poll.next_reason.as_deref().map_or("it was not asked yet", reason);
    match poll.next_at {
        Some(next) => format!("Asked next {}: {why}.", moment(next)),
        None if poll.refresh_minutes == Some(0) => "Not asked by itself: you wished so.".to_owned(),
        None => "Not asked by itself any more: it is gone.".to_owned(),
    }
}

/// A reason as polling names it, in words.
fn reason(name: &str) -> &str {
    match name {
        "first" => "for the first time",
        "hand" => "by hand",
        "usual" => "nothing says otherwise",
        "rhythm" => "it posts about so often",
        "wish" => "you wished so",
        "bare" => "its server cannot say whether anything changed, and little does",
        "fresh" => "its server says that the answer stays good until then",
        "ttl" => "the feed says that it stays good until then (ttl)",
        "period" => "the feed says that it is updated so often",
        "skipped" => "the feed wants to be left alone at some hours or days",
        "failed" => "it failed",
        "retry_after" => "its server asked to wait",
        other => other,
    }
}

fn proposal(remedy: &Remedy, feeds: &[FeedRow]) -> String {
    match remedy {
        Remedy::Follow { to } => format!("It says that it has moved to {to}."),
        Remedy::Merge { with } => {
            let other = feeds.iter().find(|feed| feed.id == *with).map(FeedRow::shown_title).unwrap_or_default();
            format!("It ends at the address of another subscription, {other}: the two could be merged.")
        }
        Remedy::Switch { to, title } => match title {
            Some(title) => format!("Its site offers another feed now, {title}: {to}"),
            None => format!("Its site offers another feed now: {to}"),
        },
        Remedy::Parked => "Its domain seems to have been given up: what answers offers it for sale.".to_owned(),
        Remedy::Gone => "Its server says that it is gone for good.".to_owned(),
        Remedy::NotAFeed => "Something else is where the feed was; perhaps the site has another.".to_owned(),
        Remedy::Certificate => "Its certificate is not good.".to_owned(),
        Remedy::Attention => "It has failed for a week and more.".to_owned(),
        Remedy::Silent { since } => format!("It has had nothing new since {}.", moment(*since)),
    }
}

fn told(line: &PollLogRow) -> String {
    let came = match (line.status, &line.message) {
        (_, Some(message)) => message.clone(),
        (Some(304), None) => "not modified".to_owned(),
        (Some(status), None) => format!("{status}, {} new, {} changed", line.new_items, line.changed),
        (None, None) => "no answer".to_owned(),
    };
    let how = if line.conditional { "whether anything changed" } else { "for the whole" };
    let hops: String = line.hops.iter().flat_map(|hops| hops.lines()).map(|hop| format!(" → {hop}")).collect();
    format!(
        "{}  asked {how} ({}){hops}: {came}; {} bytes in {} ms",
        moment(line.at),
        reason(&line.why),
        line.bytes,
        line.took_ms
    )
}

pub fn moment(at: Millis) -> String {
    DateTime::from_timestamp_millis(at)
        .map_or_else(|| at.to_string(), |moment| moment.with_timezone(&Local).format("%Y-%m-%d %H:%M").to_string())
}
