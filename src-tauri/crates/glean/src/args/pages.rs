//! Arguments of `glean discover` and `glean extract`.

use clap::Args as ClapArgs;
use std::path::PathBuf;

#[derive(Debug, ClapArgs)]
pub struct Discover {
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
    /// Read this page from a file, or - for the standard input, without network access
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Address of that page; without it, relative links are ignored
    #[arg(long, value_name = "URL", conflicts_with = "url")]
    pub base_url: Option<String>,
    /// Address of the page
    #[arg(required_unless_present = "html", conflicts_with = "html")]
    pub url: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub struct Extract {
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
    /// Address of a page read from a file; without it, relative links are dropped
    #[arg(long, value_name = "URL")]
    pub base_url: Option<String>,
    /// Web address or file; - is the standard input
    #[arg(value_name = "URL_OR_FILE")]
    pub source: PathBuf,
}
