//! `glean mark`: marks and tags articles.

use crate::{args, messages::Failure, output::count};
use gleaner_app::App;
use gleaner_contract::{Mark, TagArticles};
use gleaner_library::{Library, LibraryError};
use std::process::ExitCode;

pub async fn run(app: &App, library: &Library, args: args::Mark) -> Result<ExitCode, Failure> {
    let mut ids = args.articles;
    ids.sort_unstable();
    ids.dedup();
    for id in &ids {
        match library.articles().get(*id).await {
            Err(LibraryError::NotFound(_)) => {
                Err(format!("there is no article {id}; `glean search --json` lists their numbers as `id`"))?;
            }
            row => {
                row?;
            }
        }
    }
    let either = |on: bool, off: bool| (on || off).then_some(on);
    let (read, starred) = (either(args.read, args.unread), either(args.star, args.unstar));
    if read.is_some() || starred.is_some() {
        gleaner_app::mark(app, Mark { ids: ids.clone(), read, starred, hidden: None, kept: None }).await?;
    }
    let tags = args.tag.into_iter().map(|name| (name, true)).chain(args.untag.into_iter().map(|name| (name, false)));
    for (name, on) in tags {
        gleaner_app::tag_articles(app, TagArticles { ids: ids.clone(), name, on }).await?;
    }
    println!("{} marked", count(ids.len(), "article"));
    Ok(ExitCode::SUCCESS)
}
