//! Arguments of `glean why`.

use super::number::article;
use clap::Args as ClapArgs;

#[derive(Debug, ClapArgs)]
pub struct Why {
    /// Show why an article is read, starred or tagged: its `id` of `glean search --json`. Only articles of accounts have this history
    #[arg(long, value_name = "NUMBER", value_parser = article)]
    pub article: Option<i64>,
    /// Address of the feed, or part of its title
    #[arg(value_name = "FEED", required_unless_present = "article", conflicts_with = "article")]
    pub feed: Option<String>,
}
