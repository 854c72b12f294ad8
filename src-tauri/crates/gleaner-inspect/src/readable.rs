//! The report as text for a terminal.

use crate::{
    parts::Person,
    report::{Document, ErrorKind, Report},
};
use std::fmt::Write as _;

/// Formats a report as lines of text. Control characters are removed, so that a feed cannot control the terminal.
pub fn readable(document: &Document) -> String {
    let text = match document {
        Document::Failure { error, .. } if names_file(document) => format!("{}\n", error.message),
        Document::Failure { source, error } => format!("{source}: {}\n", error.message),
        Document::Report(report) => lines(report).unwrap_or_default(),
    };
    text.chars().filter(|c| *c == '\n' || !c.is_control()).collect()
}

/// Whether the message of an error already names the file.
fn names_file(document: &Document) -> bool {
    let Document::Failure { source, error } = document else { return false };
    let named = error.message.strip_prefix(source).is_some_and(|rest| rest.starts_with(' '))
        || error.message.strip_suffix(source).is_some_and(|rest| rest.ends_with(' '));
    named && matches!(error.kind, ErrorKind::NotFound | ErrorKind::TooLarge)
}

fn lines(report: &Report) -> Result<String, std::fmt::Error> {
    let mut out = String::new();
    let feed = &report.feed;
    writeln!(out, "{}", feed.title.as_deref().unwrap_or("(no title)"))?;
    writeln!(out, "  {} from {}", report.format, report.source)?;
    writeln!(
        out,
        "  {} ({}), {}",
        report.encoding.name,
        report.encoding.from,
        if report.well_formed { "well-formed" } else { "repaired" }
    )?;
    let facts = [
        ("site", feed.home_url.as_deref()),
        ("feed", feed.feed_url.as_deref()),
        ("about", feed.description.as_deref()),
        ("language", feed.language.as_deref()),
        ("updated", feed.updated.as_deref().or(feed.published.as_deref())),
        ("made by", feed.generator.as_ref().and_then(|g| g.name.as_deref())),
    ];
    for (name, value) in facts.into_iter().filter_map(|(name, value)| Some((name, value?))) {
        writeln!(out, "  {name}: {value}")?;
    }
    if !feed.authors.is_empty() {
        writeln!(out, "  by: {}", names(&feed.authors))?;
    }
    for repair in &report.repairs {
        writeln!(out, "  repair at {}:{}: {} {}", repair.line, repair.column, repair.kind, repair.detail)?;
    }
    writeln!(out, "  {}", count(report.items.len() as u64, "item"))?;
    for item in &report.items {
        writeln!(out, "\n- {}", item.title.as_deref().unwrap_or("(no title)"))?;
        let date = item.published.as_deref().or(item.updated.as_deref()).unwrap_or("no date");
        let uncertain = if item.date_uncertain { " (uncertain)" } else { "" };
        writeln!(out, "  {date}{uncertain}, {}, {}", count(item.word_count.into(), "word"), item.content_kind)?;
        if let Some(url) = &item.url {
            writeln!(out, "  {url}")?;
        }
        if !item.authors.is_empty() {
            writeln!(out, "  by: {}", names(&item.authors))?;
        }
        if !item.contributors.is_empty() {
            writeln!(out, "  with the help of: {}", names(&item.contributors))?;
        }
        for enclosure in &item.enclosures {
            writeln!(out, "  with {} ({})", enclosure.url, enclosure.mime_type.as_deref().unwrap_or("unknown type"))?;
        }
        for chapter in item.chapters.iter().flat_map(|chapters| &chapters.list) {
            let seconds = chapter.start_seconds as u64;
            let title = chapter.title.as_deref().unwrap_or("(no title)");
            writeln!(out, "  at {}:{:02}:{:02}: {title}", seconds / 3600, seconds / 60 % 60, seconds % 60)?;
        }
        if let Some(url) = item.chapters.as_ref().and_then(|chapters| chapters.url.as_deref()) {
            writeln!(out, "  chapters: {url}")?;
        }
        for transcript in &item.transcripts {
            writeln!(out, "  transcript: {}", transcript.url)?;
        }
    }
    Ok(out)
}

/// Returns the number with the noun, in the plural unless it is 1.
fn count(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

fn names(people: &[Person]) -> String {
    people.iter().filter_map(|p| p.name.as_deref().or(p.email.as_deref())).collect::<Vec<_>>().join(", ")
}
