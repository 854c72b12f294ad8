//! `glean refresh`: checks feeds for new articles.

use crate::{
    args::Refresh,
    cancel::cancel_on_ctrl_c,
    feed::NO_FEEDS,
    find::find_feed,
    messages::{Failure, OTHER_PROCESS, message, reason},
    output::{count, inline, moment},
};
use chrono::{DateTime, Local};
use gleaner_app::App;
use gleaner_library::{LOCAL_ACCOUNT, Library, Millis};
use gleaner_polling::{FeedError, FeedErrorCode, Scope, Summary};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::{cmp::Reverse, collections::BTreeMap, process::ExitCode};

/// Output of `glean refresh --json`; a public contract.
#[derive(Serialize)]
struct Report {
    feeds: usize,
    asked: usize,
    not_modified: usize,
    /// Number of whole documents without new or changed articles.
    unchanged: usize,
    updated: usize,
    failed: usize,
    skipped: usize,
    /// Number of skipped feeds that were refreshed manually too often.
    limited: usize,
    /// Number of skipped feeds whose servers did not respond to requests for others.
    silent: usize,
    /// Number of skipped feeds whose addresses cannot be requested.
    unsupported: usize,
    items_new: usize,
    items_changed: usize,
    bytes: u64,
    seconds: f64,
    cancelled: bool,
}

pub async fn run(app: &App, library: &Library, args: Refresh) -> Result<ExitCode, Failure> {
    let mut named = Vec::new();
    for wanted in &args.feeds {
        let feed = find_feed(library, wanted).await?;
        if feed.account_id != LOCAL_ACCOUNT {
            let title = inline(&feed.shown_title());
            let account = feed.account_id;
            return Err(format!(
                "{title} belongs to an account on a server; `glean account sync {account}` gets its new articles"
            )
            .into());
        }
        if feed.local {
            return Err(format!("{} is bundled with Gleaner and is never checked", inline(&feed.shown_title())).into());
        }
        named.push(feed.id);
    }
    cancel_on_ctrl_c(app);
    let bar = if args.json { ProgressBar::hidden() } else { ProgressBar::new(0) };
    bar.set_style(ProgressStyle::with_template("{bar:30} {pos} of {len} feeds, {msg}")?);
    let scope = match (named.is_empty(), args.all) {
        (false, _) => Scope::Feeds(named.clone()),
        (true, true) => Scope::All,
        (true, false) => Scope::Due,
    };
    let begun = gleaner_library::now();
    let summary = gleaner_app::poll(app, scope, |progress| {
        bar.set_length(progress.total as u64);
        bar.set_position(progress.done as u64);
        bar.set_message(format!("{} new, {} failed", progress.new, progress.failed));
    })
    .await;
    bar.finish_and_clear();
    let summary = summary?;
    if summary.other_process {
        return Err(OTHER_PROCESS.into());
    }
    let feeds = library.feeds().list().await?;
    if args.json {
        crate::output::json(&report(&summary))?;
    } else if feeds.is_empty() {
        println!("{NO_FEEDS}");
    } else if feeds.iter().all(|feed| feed.account_id != LOCAL_ACCOUNT) {
        println!("All feeds belong to accounts on servers; `glean account sync` gets their new articles.");
    } else if summary.feeds == 0
        && let Some(next) = library.polls().list().await?.iter().filter_map(|poll| poll.next_at).min()
    {
        println!("No feed is due. The next check is on {}; `glean refresh --all` checks all feeds now.", moment(next));
    } else {
        print_summary(&summary);
    }
    if summary.cancelled {
        eprintln!("glean: cancelled; articles downloaded so far were kept");
    }
    gleaner_app::move_passwords(app).await?;
    let (indexed, cleaned_up) = gleaner_app::finish_refresh(app, &summary).await;
    if let Err(error) = indexed {
        eprintln!("glean: couldn't update the search index: {}", message(error));
    }
    if let Err(error) = cleaned_up {
        eprintln!("glean: couldn't delete expired articles: {}", message(error));
    }
    // One line is enough for any number of feeds.
    if summary.offline > 0 && summary.offline == summary.failed && !args.verbose {
        eprintln!("glean: you appear to be offline; {} could not be checked", count(summary.offline, "feed"));
    } else {
        // Without `--verbose` or names, those of this run only.
        let since = (!args.verbose && named.is_empty()).then_some(begun);
        let mut errors = feed_errors(library, &named, since).await?;
        // The time of an error that is not the feed's is not stored.
        errors.retain(|_| since.is_none() || summary.failed + summary.unsupported > 0);
        // These never change, and the summary counts them.
        errors.retain(|(_, error)| args.verbose || !named.is_empty() || !error.code.is_of_address());
        for line in error_lines(errors, args.verbose) {
            eprintln!("glean: {line}");
        }
    }
    Ok(if summary.failed > 0 || summary.cancelled { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

fn report(summary: &Summary) -> Report {
    Report {
        feeds: summary.feeds,
        asked: summary.requested,
        not_modified: summary.not_modified,
        unchanged: summary.unchanged,
        updated: summary.updated,
        failed: summary.failed,
        skipped: summary.skipped,
        limited: summary.limited,
        silent: summary.silent,
        unsupported: summary.unsupported,
        items_new: summary.items_new,
        items_changed: summary.items_changed,
        bytes: summary.bytes,
        seconds: summary.seconds,
        cancelled: summary.cancelled,
    }
}

fn print_summary(summary: &Summary) {
    println!(
        "{} of {} checked in {:.1} s: {}, {} changed; {} unchanged, {} failed.",
        summary.requested,
        count(summary.feeds, "feed"),
        summary.seconds,
        count(summary.items_new, "new article"),
        summary.items_changed,
        count(summary.not_modified + summary.unchanged, "feed"),
        summary.failed
    );
    let paused = summary.skipped - summary.limited - summary.silent - summary.unsupported;
    if paused > 0 {
        println!("{} skipped at the server's request.", count(paused, "feed"));
    }
    if let Some(until) = summary.limited_until.and_then(DateTime::from_timestamp_millis) {
        println!(
            "{} skipped, refreshed too often just now; available again from {}.",
            count(summary.limited, "feed"),
            until.with_timezone(&Local).format("%H:%M")
        );
    }
    if summary.silent > 0 {
        println!("{} skipped, since the server doesn't respond.", count(summary.silent, "feed"));
    }
    if summary.unsupported > 0 {
        println!(
            "{} skipped, since Gleaner can't check such addresses; `glean refresh --verbose` says which.",
            count(summary.unsupported, "feed")
        );
    }
}

/// Maximum number of lines about feeds with errors, and of feeds named in each; `--verbose` names all.
const MAX_REASONS: usize = 12;
const MAX_NAMED: usize = 3;

/// Words the errors of feeds: those with the same reason in one line, the most common first, or each in its own.
fn error_lines(errors: Vec<(String, FeedError)>, verbose: bool) -> Vec<String> {
    let line = |(title, error): (String, FeedError)| format!("{}: {}", inline(&title), message(error));
    if verbose {
        return errors.into_iter().map(line).collect();
    }
    let mut reasons: BTreeMap<String, Vec<(String, FeedError)>> = BTreeMap::new();
    for (title, error) in errors {
        reasons.entry(reason(&error)).or_default().push((title, error));
    }
    let mut reasons: Vec<_> = reasons.into_iter().collect();
    reasons.sort_by_key(|(_, feeds)| Reverse(feeds.len()));
    let rest: usize = reasons.iter().skip(MAX_REASONS).map(|(_, feeds)| feeds.len()).sum();
    let (mut lines, mut grouped) = (Vec::new(), rest > 0);
    for (reason, feeds) in reasons.into_iter().take(MAX_REASONS) {
        if feeds.len() == 1 {
            lines.extend(feeds.into_iter().map(line));
            continue;
        }
        grouped = true;
        let mut names: Vec<String> = feeds.iter().take(MAX_NAMED).map(|(title, _)| inline(title)).collect();
        if feeds.len() > MAX_NAMED {
            names.push(format!("and {} more", feeds.len() - MAX_NAMED));
        }
        lines.push(format!("{}: {reason} ({})", count(feeds.len(), "feed"), names.join(", ")));
    }
    if rest > 0 {
        lines.push(format!("{} with other errors", count(rest, "more feed")));
    }
    if grouped {
        lines.push("`glean refresh --verbose` names each feed".to_owned());
    }
    lines
}

/// Returns the titles and errors of the feeds with errors: of these, or of all if there are none. `since`: without feeds that were checked
/// before and not since then.
async fn feed_errors(
    library: &Library,
    named: &[i64],
    since: Option<Millis>,
) -> Result<Vec<(String, FeedError)>, Failure> {
    let polls = library.polls().list().await?;
    let feeds = library.feeds().list().await?;
    let errors = polls.into_iter().filter_map(|poll| {
        let error = FeedError::stored(poll.failure.error_code.as_deref(), &poll.failure.error_parameters)?;
        let of_computer = error.code.is_own_network() || error.code == FeedErrorCode::SecretUnreadable;
        if since.is_some_and(|since| poll.checked_at < Some(since) && !of_computer) {
            return None;
        }
        let feed =
            feeds.iter().find(|feed| feed.id == poll.feed_id && (named.is_empty() || named.contains(&feed.id)))?;
        Some((feed.shown_title(), error))
    });
    Ok(errors.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    fn feed_error(code: FeedErrorCode, name: &str, value: String) -> FeedError {
        let mut error = FeedError::from(code);
        error.parameters.0.insert(name.to_owned(), value);
        error
    }

    fn errors(count: usize, code: FeedErrorCode) -> impl Iterator<Item = (String, FeedError)> {
        (0..count).map(move |n| (format!("Feed {n}"), feed_error(code, "host", format!("{n}.example"))))
    }

    #[test]
    fn a_thousand_feeds_with_the_same_error_are_one_line() {
        let all: Vec<_> = errors(1000, FeedErrorCode::ConnectionRefused)
            .chain(errors(2, FeedErrorCode::CertificateWrongHost))
            .chain(errors(1, FeedErrorCode::HostNotFound))
            .collect();
        assert_eq!(
            error_lines(all.clone(), false),
            [
                "1000 feeds: the server refused the connection; try again later (Feed 0, Feed 1, Feed 2, and 997 more)",
                "2 feeds: the server's certificate is for another host (Feed 0, Feed 1)",
                "Feed 0: 0.example could not be found; check the spelling",
                "`glean refresh --verbose` names each feed",
            ]
        );
        assert_eq!(error_lines(all, true).len(), 1003);
        assert!(error_lines(Vec::new(), false).is_empty());
        let hostile = vec![("A\nB\u{202e}C".to_owned(), FeedErrorCode::Gone.into())];
        assert!(error_lines(hostile, false)[0].starts_with("A BC: "));
    }

    #[test]
    fn many_different_errors_are_few_lines() {
        let status = |n: usize| feed_error(FeedErrorCode::HttpStatus, "status", (400 + n).to_string());
        let all = (0..200).map(|n| (format!("Feed {n}"), status(n % 100))).collect();
        let lines = error_lines(all, false);
        assert_eq!(lines.len(), MAX_REASONS + 2, "{lines:?}");
        assert_eq!(lines[MAX_REASONS], "176 more feeds with other errors");
    }
}
