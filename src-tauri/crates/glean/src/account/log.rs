//! `glean account log`: what the last synchronisations of an account did.

use crate::{
    messages::{Failure, stored_error},
    output::{self, count, moment, size},
};
use gleaner_app::App;
use gleaner_library::{Account, RejectionKind, SyncLogEntry};
use serde::Serialize;
use std::process::ExitCode;

/// A synchronisation in the output of `glean account log --json`; a public contract.
#[derive(Serialize)]
struct Logged<'a> {
    /// When it began, in Unix milliseconds; if it failed several times in the same way, when the last one began.
    at: i64,
    took_ms: i64,
    requests: i64,
    bytes: i64,
    sent: i64,
    items_new: i64,
    items_changed: i64,
    feeds_added: i64,
    feeds_left: i64,
    incomplete: bool,
    stopped: bool,
    error: Option<&'a str>,
    /// Changes that the server did not accept: "refused", "delayed", "unsupported" or "kept", and a title.
    rejections: &'a [(RejectionKind, String)],
    times: i64,
}

pub async fn run(app: &App, account: &Account, json: bool) -> Result<ExitCode, Failure> {
    let entries = gleaner_app::account_log(app, account.id).await?;
    if json {
        let logged = entries.iter().map(|entry| Logged {
            at: entry.at,
            took_ms: entry.took_ms,
            requests: entry.requests,
            bytes: entry.bytes,
            sent: entry.sent,
            items_new: entry.new_items,
            items_changed: entry.changed,
            feeds_added: entry.feeds_added,
            feeds_left: entry.feeds_left,
            incomplete: entry.incomplete,
            stopped: entry.stopped,
            error: entry.error_code.as_deref(),
            rejections: &entry.rejections,
            times: entry.times,
        });
        output::json(&logged.collect::<Vec<_>>())?;
        return Ok(ExitCode::SUCCESS);
    }
    if entries.is_empty() {
        println!("{} has not been synchronised yet", account.name);
    }
    for entry in &entries {
        println!("{}", describe_entry(entry));
        for (kind, title) in &entry.rejections {
            println!("    {}", describe_rejection(*kind, title));
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn describe_entry(entry: &SyncLogEntry) -> String {
    let mut did = Vec::new();
    if entry.new_items > 0 {
        did.push(count(entry.new_items, "new article"));
    }
    if entry.changed > 0 {
        did.push(format!("{} marked on the server", count(entry.changed, "article")));
    }
    if entry.sent > 0 {
        did.push(format!("{} sent", count(entry.sent, "change")));
    }
    if entry.feeds_added > 0 {
        did.push(format!("{} added", count(entry.feeds_added, "feed")));
    }
    if entry.feeds_left > 0 {
        did.push(format!("{} left", count(entry.feeds_left, "feed")));
    }
    if let Some(code) = &entry.error_code {
        did.push(stored_error(code, &entry.error_parameters.0));
    }
    if entry.incomplete {
        did.push("the server's lists were incomplete".to_owned());
    }
    if entry.stopped {
        did.push("stopped".to_owned());
    }
    if did.is_empty() {
        did.push("no changes".to_owned());
    }
    let times = if entry.times > 1 { format!("; {} in a row", count(entry.times, "time")) } else { String::new() };
    let (requests, bytes) = (count(entry.requests, "request"), size(entry.bytes));
    format!("{}  {}{times}; {requests}, {bytes} in {} ms", moment(entry.at), did.join(", "), entry.took_ms)
}

fn describe_rejection(kind: RejectionKind, title: &str) -> String {
    match kind {
        RejectionKind::Refused => format!("The server refused a change of {title}"),
        RejectionKind::Delayed => format!("The server did not accept a change of {title} yet; Gleaner sends it again"),
        RejectionKind::Unsupported => format!("{title}: this server's API can't change subscriptions"),
        RejectionKind::Kept => format!("{title} was unsubscribed here only; the server keeps it"),
    }
}
