//! `gleaner-demo --glean PATH --window PATH`: serves feeds on loopback, and opens the window with a temporary library that follows them.
//!
//! `--serve` only serves the feeds and writes their list to `--opml FILE`, for screenshots and manual tests.

mod content;
mod feeds;
mod media;
mod site;

use site::Site;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::process::Command;

/// Interval between new articles.
const NEWS_EVERY: Duration = Duration::from_secs(40);

#[derive(Default)]
struct Arguments {
    glean: Option<PathBuf>,
    window: Option<PathBuf>,
    opml: Option<PathBuf>,
    serve: bool,
}

fn arguments() -> Result<Arguments, String> {
    let mut found = Arguments::default();
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut path = || words.next().map(PathBuf::from).ok_or_else(|| format!("{word} wants a path"));
        match word.as_str() {
            "--glean" => found.glean = Some(path()?),
            "--window" => found.window = Some(path()?),
            "--opml" => found.opml = Some(path()?),
            "--serve" => found.serve = true,
            _ => {
                return Err(format!(
                    "what is {word}? Usage: gleaner-demo --glean PATH --window PATH | --serve --opml FILE"
                ));
            }
        }
    }
    Ok(found)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments = arguments()?;
    let site = Site::start().await;
    let scratch = tempfile::Builder::new().prefix("gleaner-demo-").tempdir()?;
    let list = arguments.opml.clone().unwrap_or_else(|| scratch.path().join("demo.opml"));
    std::fs::write(&list, site.opml())?;

    if arguments.serve {
        println!("{}", site.overview());
        println!("The list of feeds is {}. Stop with Ctrl-C.", list.display());
        return news(&site, tokio::signal::ctrl_c()).await.map_err(Into::into);
    }
    let (Some(glean), Some(window)) = (&arguments.glean, &arguments.window) else {
        return Err("say where --glean and --window are".into());
    };

    let library = scratch.path().join("library");
    println!("A scratch library in {}; it goes when the window closes.", library.display());
    run(glean, &library, &["import", &list.display().to_string()]).await?;
    // Some feeds fail on purpose, so glean exits with an error.
    run(glean, &library, &["refresh", "--all"]).await.or_else(|error| {
        println!("({error}: some of these feeds fail on purpose)");
        Ok::<(), Box<dyn Error>>(())
    })?;

    let mut window = Command::new(window).env("GLEANER_LIBRARY", &library).kill_on_drop(true).spawn()?;
    let closed = async {
        tokio::select! {
            status = window.wait() => status.map(Some),
            stopped = tokio::signal::ctrl_c() => stopped.map(|()| None),
        }
    };
    match news(&site, closed).await? {
        Some(status) if !status.success() => Err(format!("the window ended with {status}").into()),
        _ => Ok(()),
    }
}

async fn run(program: &Path, library: &Path, words: &[&str]) -> Result<(), Box<dyn Error>> {
    let status = Command::new(program).args(words).env("GLEANER_LIBRARY", library).status().await?;
    if status.success() { Ok(()) } else { Err(format!("glean {} ended with {status}", words.join(" ")).into()) }
}

/// Publishes articles at intervals until the other future ends.
async fn news<T>(site: &Site, end: impl Future<Output = T>) -> T {
    tokio::pin!(end);
    let mut beat = tokio::time::interval(NEWS_EVERY);
    beat.tick().await;
    loop {
        tokio::select! {
            ended = &mut end => return ended,
            _ = beat.tick() => site.publish(),
        }
    }
}
