//! Arguments of `glean versions`.

use super::number::article;
use clap::Args as ClapArgs;

#[derive(Debug, ClapArgs)]
pub struct Versions {
    /// The `id` of the article in `glean search --json`
    #[arg(value_name = "ARTICLE", value_parser = article)]
    pub article: i64,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}
