//! `glean import --dry-run`: shows what would be imported, without a library.

use crate::{
    args::{Command, Import, Unopened},
    commands,
    import::{Input, any_archive, describe_error, open_inputs},
    messages::{Failure, repair, skip_reason},
    output::{count, inline},
    web::{Web, is_web_address},
};
use gleaner_address::without_password;
use gleaner_exchange::readers::{self, Survey};
use serde::Serialize;
use std::{path::PathBuf, process::ExitCode};

/// Output of `glean import --dry-run --json` for one file; a public contract.
#[derive(Debug, Default, Serialize)]
struct Plan {
    source: String,
    /// Name of the program or format of the data.
    kind: Option<&'static str>,
    title: Option<String>,
    repairs: Vec<String>,
    feeds: Vec<Feed>,
    articles: usize,
    read: usize,
    starred: usize,
    deleted: usize,
    skipped: Vec<Skipped>,
    error: Option<String>,
    /// Whether the error names the file.
    #[serde(skip)]
    names_file: bool,
}

#[derive(Debug, Serialize)]
struct Feed {
    url: String,
    title: Option<String>,
    home_url: Option<String>,
    folder: Vec<String>,
    /// Whether it would be checked automatically.
    asked: bool,
}

#[derive(Debug, Serialize)]
struct Skipped {
    reason: String,
    outline: String,
}

/// Opens the files. An archive is compared with the library; other files need none.
pub fn start(library: Option<PathBuf>, import: Import) -> Result<ExitCode, Failure> {
    // The library knows the pauses that servers asked for.
    let any_address = import.files.iter().any(|file| is_web_address(&file.to_string_lossy()));
    let web = if any_address { Web::open(library.clone())? } else { Web::without_library()? };
    let (inputs, unopened) = web.run(async |web| open_inputs(&import.files, web).await);
    unopened.iter().for_each(Unopened::print);
    if any_archive(&inputs) {
        // Standard input and pipes can't be read twice, and documents on the web are requested only once, so the copies are passed on.
        let files = inputs.iter().map(|input| input.source.path.clone()).collect();
        let names = inputs.iter().map(|input| (input.source.path.clone(), input.source.name.clone())).collect();
        return commands::run(library, Command::Import(Import { files, names, unopened, ..import }));
    }
    run(&import, &inputs, unopened)
}

fn run(args: &Import, inputs: &[Input], unopened: Vec<Unopened>) -> Result<ExitCode, Failure> {
    let unopened = unopened.into_iter().map(|Unopened { source, error, .. }| Plan {
        source,
        error: Some(error),
        ..Plan::default()
    });
    let plans = tokio::runtime::Runtime::new()?.block_on(async {
        let mut plans: Vec<Plan> = unopened.collect();
        let sources: Vec<_> = inputs.iter().map(|input| input.source.clone()).collect();
        for (source, found) in gleaner_app::find_importable(&sources) {
            let plan = plan(source, found).await;
            print_error(&plan);
            plans.push(plan);
        }
        plans
    });
    if args.json {
        // The plan of a single file is printed as an object, those of several files as a list.
        match plans.as_slice() {
            [one] => crate::output::pretty_json(one)?,
            many => crate::output::pretty_json(many)?,
        }
    } else {
        plans.iter().for_each(print);
    }
    Ok(ExitCode::from(u8::from(plans.iter().any(|plan| plan.error.is_some()))))
}

async fn plan(source: String, found: Result<readers::Found, readers::ImportError>) -> Plan {
    let mut plan = Plan { source, ..Plan::default() };
    let opened = match found {
        Ok(found) => readers::open(&found).await,
        Err(error) => Err(error),
    };
    let mut data = match opened {
        Ok(data) => data,
        Err(error) => {
            let (error, names_file) = describe_error(&plan.source, error);
            return Plan { error, names_file, ..plan };
        }
    };
    plan.feeds = std::mem::take(&mut data.feeds)
        .into_iter()
        .map(|readers::Feed { subscription: feed, .. }| Feed {
            asked: feed.refresh_minutes != Some(0),
            url: without_password(&feed.url),
            title: feed.custom_title.or(feed.title),
            home_url: feed.home_url.as_deref().map(without_password),
            folder: feed.folder,
        })
        .collect();
    let survey = readers::survey(&mut data).await;
    let (survey, (error, names_file)) = match survey {
        Ok(survey) => (survey, (None, false)),
        Err(error) => (Survey::default(), describe_error(&plan.source, error)),
    };
    let Survey { articles, read, starred, deleted } = survey;
    Plan {
        kind: Some(data.program),
        title: data.title,
        repairs: data.repairs.iter().map(repair).collect(),
        skipped: data
            .skipped
            .into_iter()
            .map(|s| Skipped { reason: skip_reason(&s.why), outline: without_password(&s.what) })
            .collect(),
        articles,
        read,
        starred,
        deleted,
        error,
        names_file,
        ..plan
    }
}

fn print_error(plan: &Plan) {
    if let Some(error) = &plan.error {
        let source = if plan.names_file { String::new() } else { format!("{}: ", plan.source) };
        eprintln!("glean: {source}{error}");
    }
}

fn print(plan: &Plan) {
    if plan.error.is_some() {
        return;
    }
    println!("{}: {}", inline(plan.title.as_deref().unwrap_or(&plan.source)), count(plan.feeds.len(), "feed"));
    for feed in &plan.feeds {
        let folder = if feed.folder.is_empty() { String::new() } else { format!("{}/ ", feed.folder.join("/")) };
        let asked = if feed.asked { "" } else { " (not checked automatically)" };
        println!("  {folder}{} <{}>{asked}", inline(feed.title.as_deref().unwrap_or("(no title)")), feed.url);
    }
    if plan.articles > 0 {
        println!(
            "  {} ({}), {} read, {} starred, {} deleted",
            count(plan.articles, "article"),
            plan.kind.unwrap_or_default(),
            plan.read,
            plan.starred,
            plan.deleted
        );
    }
    for skipped in &plan.skipped {
        println!("  skipped: {} ({})", inline(&skipped.outline), skipped.reason);
    }
    for repair in &plan.repairs {
        println!("  repaired: {repair}");
    }
}
