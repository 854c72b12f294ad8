//! The desktop is told of articles where a rule wishes it: one notification a refresh, on this desktop and nowhere else.

use crate::{convert, shell::Core};
use notify_rust::{Notification, Timeout};
use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

/// So many titles are named.
const NAMED: usize = 4;
/// The desktop has so long to take one.
const PATIENCE: Duration = Duration::from_secs(5);
/// A title is cut after so many characters.
const LONGEST: usize = 120;

/// Where there is no one to take a notification, that is said once.
static REFUSED: AtomicBool = AtomicBool::new(false);

/// Names these articles in one notification.
pub async fn tell(core: &Core, articles: &[i64]) {
    if articles.is_empty() {
        return;
    }
    let mut titles = Vec::new();
    for id in articles.iter().rev().take(NAMED) {
        match core.library.item(*id).await {
            Ok(item) => titles.push(item.title),
            // Gone since.
            Err(error) => eprintln!("gleaner: {}", convert::library_error(error).message),
        }
    }
    let (summary, body) = words(articles.len(), &titles);
    let shown = tauri::async_runtime::spawn_blocking(move || {
        Notification::new()
            .appname("Gleaner")
            .icon("gleaner")
            .summary(&summary)
            .body(&body)
            .timeout(Timeout::Default)
            .show()
            .map(|_| ())
            .map_err(|error| error.to_string())
    });
    // A desktop that does not answer keeps nothing else waiting.
    let failed = match tokio::time::timeout(PATIENCE, shown).await {
        Ok(Ok(Ok(()))) => return,
        Ok(Ok(Err(error))) => error,
        Ok(Err(error)) => error.to_string(),
        Err(_) => "it did not answer in time".to_owned(),
    };
    if !REFUSED.swap(true, Ordering::Relaxed) {
        eprintln!("gleaner: this desktop takes no notifications: {failed}");
    }
}

/// What it says: how many there are, and the newest of them.
fn words(count: usize, titles: &[String]) -> (String, String) {
    let summary = if count == 1 { "A new article".to_owned() } else { format!("{count} new articles") };
    let mut lines: Vec<String> = titles.iter().map(|title| line(title)).collect();
    if count > titles.len() {
        lines.push("…".to_owned());
    }
    (summary, lines.join("\n"))
}

/// A title on one line. Free desktops read mark-up in what they show, so nothing of a publisher's may be any.
fn line(title: &str) -> String {
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    let title = if title.is_empty() { "(no title)".to_owned() } else { title };
    let cut: String = title.chars().take(LONGEST).collect();
    let cut = if cut.len() < title.len() { format!("{cut}…") } else { cut };
    if cfg!(any(windows, target_os = "macos")) {
        return cut;
    }
    cut.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_notification_says_how_many_and_names_the_newest() {
        let (summary, body) = words(1, &["Wheat\n<b>rye</b> & oats".to_owned()]);
        assert_eq!((summary.as_str(), body.as_str()), ("A new article", "Wheat &lt;b&gt;rye&lt;/b&gt; &amp; oats"));
        let (summary, body) = words(9, &["x".repeat(200), String::new()]);
        assert_eq!(summary, "9 new articles");
        assert_eq!(body.lines().count(), 3);
        assert!(body.starts_with(&format!("{}…\n(no title)\n…", "x".repeat(LONGEST))), "{body}");
    }
}
