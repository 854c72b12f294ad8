//! Arguments of `glean feed`.

use clap::{ArgGroup, Args as ClapArgs};

#[derive(Debug, ClapArgs)]
#[command(
    group(ArgGroup::new("change").multiple(true).requires("feed").conflicts_with("unsubscribe")),
    after_help = "\
Examples:
  glean feed                                            list all feeds
  glean feed Harbour --title 'Port news' --folder News  change title and folder
  glean feed Harbour --address https://example.com/new  change the address
  glean feed Harbour --unsubscribe"
)]
pub struct Feed {
    /// New title; an empty one restores that of the feed
    #[arg(long, value_name = "TITLE", group = "change")]
    pub title: Option<String>,
    /// New address. The articles stay; a login is sent only to the server it was entered for
    #[arg(long, value_name = "URL", group = "change")]
    pub address: Option<String>,
    /// Folder, created if missing; a path such as News/Local names a nested folder, an empty one none
    #[arg(long, value_name = "PATH", group = "change")]
    pub folder: Option<String>,
    /// Minutes between checks, "auto" or "never"; an empty value resets the setting
    #[arg(long, value_name = "MINUTES", group = "change", allow_negative_numbers = true, value_parser = interval)]
    pub interval: Option<Interval>,
    /// Unsubscribe. Adding the feed again within a day restores its articles
    #[arg(long, requires = "feed", conflicts_with = "json")]
    pub unsubscribe: bool,
    /// Print one JSON document
    #[arg(long, conflicts_with = "change")]
    pub json: bool,
    /// Address of the feed, or part of its title [default: all feeds]
    #[arg(value_name = "FEED")]
    pub feed: Option<String>,
}

/// Time between checks, in the form of preferences. `None`: the interval of the folder or of all feeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interval(pub Option<i64>);

/// Minimum and maximum number of minutes between checks.
const MIN_MINUTES: i64 = 15;
const MAX_MINUTES: i64 = 7 * 24 * 60;

fn interval(text: &str) -> Result<Interval, String> {
    match text.trim() {
        "" => Ok(Interval(None)),
        "auto" => Ok(Interval(Some(-1))),
        "never" => Ok(Interval(Some(0))),
        minutes => match minutes.parse() {
            Ok(minutes) if (MIN_MINUTES..=MAX_MINUTES).contains(&minutes) => Ok(Interval(Some(minutes))),
            _ => Err(format!("must be a number from {MIN_MINUTES} to {MAX_MINUTES}, \"auto\" or \"never\"")),
        },
    }
}
