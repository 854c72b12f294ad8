//! Diagnostics for bug reports: versions, sizes and the end of the log. They contain no secrets and no article text.

use crate::{App, error::Result, logs};

/// Number of lines of the log.
const LOG_LINES: usize = 200;

/// Returns diagnostics as text, which the user copies and reads before sending it to anyone.
pub async fn diagnostics(app: &App, (): ()) -> Result<String> {
    let mut text =
        format!("Gleaner {}\nSystem: {} {}\n", env!("CARGO_PKG_VERSION"), std::env::consts::OS, std::env::consts::ARCH);
    // A library that does not open is a reason to ask for diagnostics.
    let library = match app.core().await {
        Ok(core) => sizes(&core.library).await,
        Err(error) => Err(error),
    };
    match library {
        Ok(sizes) => text.push_str(&sizes),
        Err(error) => text.push_str(&format!("Library: {:?}\n", error.code())),
    }
    let folder = app.folder()?.to_owned();
    let lines = tokio::task::spawn_blocking(move || logs::last_lines(&folder, LOG_LINES)).await?;
    match lines {
        Ok(lines) => text.push_str(&format!("\nLog:\n{}\n", lines.join("\n"))),
        Err(error) => text.push_str(&format!("\nLog: {error}\n")),
    }
    Ok(text)
}

async fn sizes(library: &gleaner_library::Library) -> Result<String> {
    let counts = crate::sidebar::count(library).await?;
    let feeds = library.feeds().list().await?.len();
    Ok(format!("Library: {feeds} feeds, {} articles, {} unread\n", counts.smart.all, counts.smart.unread))
}
