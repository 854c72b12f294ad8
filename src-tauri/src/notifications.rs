//! The desktop is told of articles where a rule wishes it: one notification a refresh, on this desktop and nowhere else. The
//! window has the words, in the reader's language.

use crate::{convert, events, shell::Core};
use gleaner_contract::Notice;
use notify_rust::{Notification, Timeout};
use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};
use tauri::AppHandle;

/// So many titles are named.
const NAMED: usize = 4;
/// The desktop has so long to take one.
const PATIENCE: Duration = Duration::from_secs(5);
/// A title is cut after so many characters.
const LONGEST: usize = 120;

/// Where there is no one to take a notification, that is said once.
static REFUSED: AtomicBool = AtomicBool::new(false);

/// Asks the window for words that name these articles, in one notification.
pub async fn tell(app: &AppHandle, core: &Core, articles: &[i64]) {
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
    let articles = u32::try_from(articles.len()).unwrap_or(u32::MAX);
    let notice = Notice { articles, titles, summary: String::new() };
    events::emit(app, "notice", notice);
}

/// Shows what the window says.
pub async fn show(notice: &Notice) {
    let (summary, body) = (line(&notice.summary), body(notice));
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

/// The newest of the articles, one on each line.
fn body(notice: &Notice) -> String {
    let mut lines: Vec<String> = notice.titles.iter().take(NAMED).map(|title| line(title)).collect();
    if usize::try_from(notice.articles).is_ok_and(|articles| articles > lines.len()) {
        lines.push("…".to_owned());
    }
    lines.join("\n")
}

/// A title on one line. Free desktops read mark-up in what they show, so nothing of a publisher's may be any.
fn line(title: &str) -> String {
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
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

    fn told(articles: u32, titles: &[&str]) -> String {
        let titles = titles.iter().map(|title| (*title).to_owned()).collect();
        body(&Notice { articles, titles, summary: "…".to_owned() })
    }

    #[test]
    fn a_notification_names_the_newest_on_a_line_each() {
        assert_eq!(told(1, &["Wheat\n<b>rye</b> & oats"]), "Wheat &lt;b&gt;rye&lt;/b&gt; &amp; oats");
        let long = "x".repeat(200);
        assert_eq!(told(9, &[&long, "Ohne Titel"]), format!("{}…\nOhne Titel\n…", "x".repeat(LONGEST)));
        assert_eq!(told(9, &["a", "b", "c", "d", "e"]), "a\nb\nc\nd\n…");
    }
}
