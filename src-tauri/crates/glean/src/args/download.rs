//! Arguments of `glean download`.

use super::{
    number::{article, whole},
    search::query_word,
};
use clap::Args as ClapArgs;
use std::path::PathBuf;

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Without --article, --feed, --play-queue and a query, downloads the queued episodes, such as those chosen in the window. \
Ctrl+C stops; the received part of a file is kept, and the next run continues it. The window plays the downloaded files, \
and its settings limit their space.

Examples:
  glean download                             the queued episodes
  glean download --feed Harbour --limit 3    the newest three episodes of a feed
  glean download --to ~/Podcasts boats       the matches of a search, copied")]
pub struct Download {
    /// Download the episode of the article with this `id` of `glean search --json`; may be repeated
    #[arg(long, value_name = "NUMBER", value_parser = article)]
    pub article: Vec<i64>,
    /// Download the newest episodes of this feed: its address, or part of its title; may be repeated
    #[arg(long, value_name = "FEED")]
    pub feed: Vec<String>,
    /// Download the episodes in the play queue
    #[arg(long)]
    pub play_queue: bool,
    /// Maximum number of episodes of each feed and of the search
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = whole::<u32>(1..=10_000))]
    pub limit: u32,
    /// Copy the downloaded episodes into this folder, named after their feeds and titles
    #[arg(long, value_name = "DIR")]
    pub to: Option<PathBuf>,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
    /// Query as in `glean search`, after all options
    #[arg(value_name = "QUERY", allow_hyphen_values = true, trailing_var_arg = true, value_parser = query_word)]
    pub query: Vec<String>,
}
