//! Desktop notifications that rules ask for: one for each refresh. The window chooses the words, in the user's language.

use crate::{App, Core, error::Result, plain::one_line};
use gleaner_contract::{Event, NewArticlesNotice};

/// Number of articles named in a notification.
const NAMED: usize = 4;

/// Asks the window for the words of a notification about these articles.
pub(crate) async fn request(app: &App, core: &Core, articles: &[i64]) {
    if articles.is_empty() {
        return;
    }
    let mut titles = Vec::new();
    for id in articles.iter().rev().take(NAMED) {
        match core.library.articles().get(*id).await {
            Ok(item) => titles.push(item.title),
            // Deleted since.
            Err(error) => tracing::debug!(%error, "an article of a notification is gone"),
        }
    }
    let articles = u32::try_from(articles.len()).unwrap_or(u32::MAX);
    app.emit(Event::NewArticles(NewArticlesNotice { articles, titles, summary: String::new() }));
}

/// Shows a notification.
pub async fn notify(app: &App, mut args: NewArticlesNotice) -> Result<()> {
    args.titles.truncate(NAMED);
    // Other programs display it, and an unclosed override would turn their own text around.
    args.titles.iter_mut().for_each(|title| *title = one_line(title));
    args.summary = one_line(&args.summary);
    app.platform()?.notify(args).await;
    Ok(())
}
