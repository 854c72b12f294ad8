//! Arguments of `glean mark`.

use super::number::article;
use clap::{ArgGroup, Args as ClapArgs};

#[derive(Debug, ClapArgs)]
#[command(
    group(ArgGroup::new("change").multiple(true).required(true)),
    after_help = "\
Example:
  glean search --json boats | jq '.hits[].id' | xargs -r glean mark --read"
)]
pub struct Mark {
    /// Mark as read
    #[arg(long, group = "change", conflicts_with = "unread")]
    pub read: bool,
    /// Mark as unread
    #[arg(long, group = "change")]
    pub unread: bool,
    /// Add a star
    #[arg(long, group = "change", conflicts_with = "unstar")]
    pub star: bool,
    /// Remove the star
    #[arg(long, group = "change")]
    pub unstar: bool,
    /// Add a tag, which is created if it is missing; may be repeated
    #[arg(long, value_name = "NAME", group = "change", value_parser = tag_name)]
    pub tag: Vec<String>,
    /// Remove a tag; may be repeated
    #[arg(long, value_name = "NAME", group = "change", value_parser = tag_name)]
    pub untag: Vec<String>,
    /// Articles by their `id` of `glean search --json`
    #[arg(required = true, value_name = "NUMBER", value_parser = article)]
    pub articles: Vec<i64>,
}

fn tag_name(name: &str) -> Result<String, &'static str> {
    if name.trim().is_empty() { Err("a tag needs a name") } else { Ok(name.to_owned()) }
}
