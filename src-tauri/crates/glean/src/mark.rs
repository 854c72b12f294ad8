//! `glean mark`: marks and tags articles.

use crate::{args, find::check_articles, messages::Failure, output::count};
use gleaner_app::App;
use gleaner_contract::{Mark, TagArticles};
use gleaner_library::{Library, tag_key};
use std::process::ExitCode;

pub async fn run(app: &App, library: &Library, args: args::Mark) -> Result<ExitCode, Failure> {
    let mut ids = args.articles;
    ids.sort_unstable();
    ids.dedup();
    if let Some(name) = args.tag.iter().find(|name| args.untag.iter().any(|other| tag_key(other) == tag_key(name))) {
        return Err(Failure::usage(format!("--tag and --untag name the same tag, {name}")));
    }
    check_articles(library, &ids).await?;
    let either = |on: bool, off: bool| (on || off).then_some(on);
    let (read, starred) = (either(args.read, args.unread), either(args.star, args.unstar));
    if read.is_some() || starred.is_some() {
        gleaner_app::mark(app, Mark { ids: ids.clone(), read, starred, hidden: None, kept: None }).await?;
    }
    let tags = args.tag.into_iter().map(|name| (name, true)).chain(args.untag.into_iter().map(|name| (name, false)));
    for (name, on) in tags {
        gleaner_app::tag_articles(app, TagArticles { ids: ids.clone(), name, on }).await?;
    }
    println!("{} marked.", count(ids.len(), "article"));
    Ok(ExitCode::SUCCESS)
}
