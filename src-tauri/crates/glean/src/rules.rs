//! `glean rules`: what is done with articles that answer a query, as they come in or all at once.

use crate::{
    args::{Rules, RulesCommand, WhatARuleDoes},
    live::Failure,
    search, why,
};
use chrono::Local;
use gleaner_library::{Action, Library, NewRule, Rule, RuleScope, folder_paths};
use gleaner_search::Preview;
use indicatif::ProgressBar;
use serde::Serialize;
use std::{
    collections::HashMap,
    process::ExitCode,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

/// `glean rules --json`: a public contract.
#[derive(Serialize)]
struct Report {
    id: i64,
    name: String,
    query: String,
    /// The address of the one feed that it is for.
    feed: Option<String>,
    /// The path of the one folder that it is for.
    folder: Option<String>,
    /// As `--do` takes them.
    actions: Vec<String>,
    enabled: bool,
    /// Articles that it did something with.
    touched: i64,
    /// Why it cannot be run.
    broken: Option<String>,
}

/// `glean rules preview --json`: a public contract.
#[derive(Serialize)]
struct PreviewReport {
    articles: usize,
    newest: Vec<NewestReport>,
    /// For each action, in how many articles it would change something.
    changes: Vec<ChangeReport>,
}

#[derive(Serialize)]
struct NewestReport {
    id: i64,
    title: String,
}

#[derive(Serialize)]
struct ChangeReport {
    action: String,
    articles: i64,
}

pub async fn run(library: &Arc<Library>, args: Rules) -> Result<ExitCode, Failure> {
    match args.command {
        None => list(library, args.json).await?,
        Some(RulesCommand::Add { name, rule }) => {
            let rule = written(library, name, &rule).await?;
            if let Err(error) = gleaner_query::parse(&rule.query) {
                return search::refuse(&rule.query, &error, false);
            }
            let (id, _) = library.add_rule(&rule).await?;
            println!("Rule {id} is at work on what comes in. `glean rules apply {id}` applies it to what is there.");
        }
        Some(RulesCommand::Preview { json, rule }) => {
            let rule = written(library, None, &rule).await?;
            let query = match gleaner_query::parse(&rule.query) {
                Ok(query) => query,
                Err(error) => return search::refuse(&rule.query, &error, json),
            };
            let preview =
                gleaner_search::preview(library, &query, rule.scope, &rule.actions, &Local::now(), None).await?;
            show(&preview, json)?;
        }
        Some(RulesCommand::Apply { rule }) => return apply(library, &find(library, &rule).await?).await,
        Some(RulesCommand::Enable { rule }) => {
            library.enable_rule(find(library, &rule).await?.id, true).await?;
        }
        Some(RulesCommand::Disable { rule }) => {
            library.enable_rule(find(library, &rule).await?.id, false).await?;
        }
        Some(RulesCommand::Delete { rule }) => {
            let rule = find(library, &rule).await?;
            library.delete_rule(rule.id).await?;
            println!("Deleted the rule {}. What it did stays as it is.", rule.name);
        }
    }
    Ok(ExitCode::SUCCESS)
}

async fn written(library: &Library, name: Option<String>, rule: &WhatARuleDoes) -> Result<NewRule, Failure> {
    let scope = match (&rule.feed, &rule.folder) {
        (Some(feed), _) => RuleScope::Feed(why::find(library, feed).await?.id),
        (None, Some(folder)) => RuleScope::Folder(folder_at(library, folder).await?),
        (None, None) => RuleScope::Everywhere,
    };
    let (name, query) = (name.unwrap_or_default(), rule.query.join(" "));
    Ok(NewRule { name, query, scope, actions: rule.actions.clone() })
}

/// The folder at a path with slashes.
async fn folder_at(library: &Library, path: &str) -> Result<i64, Failure> {
    let folders = library.folders().await?;
    let mut at: Option<i64> = None;
    for name in path.split('/').map(str::trim).filter(|name| !name.is_empty()) {
        let inside = |folder: &&gleaner_library::FolderRow| folder.parent_id == at && folder.name == name;
        at = Some(folders.iter().find(inside).ok_or_else(|| format!("there is no folder {path}"))?.id);
    }
    at.ok_or_else(|| "a folder needs a name".into())
}

/// The rule of this number or name.
async fn find(library: &Library, wanted: &str) -> Result<Rule, Failure> {
    let rules = library.rules().await?;
    let (number, name) = (wanted.parse::<i64>().ok(), wanted.to_lowercase());
    let mut found = rules.into_iter().filter(|rule| Some(rule.id) == number || rule.name.to_lowercase() == name);
    match (found.next(), found.next()) {
        (Some(rule), None) => Ok(rule),
        (Some(_), Some(_)) => Err(format!("several rules are called {wanted}: say which by its number").into()),
        _ => Err(format!("there is no rule {wanted}: `glean rules` lists them").into()),
    }
}

async fn list(library: &Library, json: bool) -> Result<(), Failure> {
    let feeds: HashMap<i64, (String, String)> =
        library.feeds().await?.into_iter().map(|feed| (feed.id, (feed.url.clone(), feed.shown_title()))).collect();
    let paths = folder_paths(&library.folders().await?);
    let rules = library.rules().await?;
    if json {
        let report = |rule: Rule| {
            let (feed, folder) = match rule.scope {
                RuleScope::Everywhere => (None, None),
                RuleScope::Feed(id) => (feeds.get(&id).map(|(url, _)| url.clone()), None),
                RuleScope::Folder(id) => (None, paths.get(&id).cloned()),
            };
            let actions = rule.actions.iter().map(Action::to_string).collect();
            let Rule { id, name, query, enabled, touched, broken, .. } = rule;
            Report { id, name, query, feed, folder, actions, enabled, touched, broken }
        };
        println!("{}", serde_json::to_string(&rules.into_iter().map(report).collect::<Vec<_>>())?);
        return Ok(());
    }
    if rules.is_empty() {
        println!("No rules yet. For example: glean rules add --name 'No sports' --do hide 'football OR tennis'");
    }
    for rule in rules {
        let place = match rule.scope {
            RuleScope::Everywhere => String::new(),
            RuleScope::Feed(id) => feeds.get(&id).map(|(_, title)| format!(", in {title}")).unwrap_or_default(),
            RuleScope::Folder(id) => paths.get(&id).map(|path| format!(", in {path}")).unwrap_or_default(),
        };
        let state = match (&rule.broken, rule.enabled) {
            (Some(why), _) => format!(", skipped: {why}"),
            (None, false) => ", at rest".to_owned(),
            (None, true) => String::new(),
        };
        let actions: Vec<String> = rule.actions.iter().map(Action::to_string).collect();
        println!("{:>3}  {}{place}{state}", rule.id, plain(&rule.name));
        println!("     {}", if rule.query.trim().is_empty() { "every article".to_owned() } else { plain(&rule.query) });
        println!("     {}; {} articles so far", plain(&actions.join(", ")), rule.touched);
    }
    Ok(())
}

fn show(preview: &Preview, json: bool) -> Result<(), Failure> {
    if json {
        let newest = preview.newest.iter().map(|row| NewestReport { id: row.id, title: row.title.clone() });
        let changes = preview
            .changes
            .iter()
            .map(|(action, articles)| ChangeReport { action: action.to_string(), articles: *articles });
        let report = PreviewReport { articles: preview.articles, newest: newest.collect(), changes: changes.collect() };
        println!("{}", serde_json::to_string(&report)?);
        return Ok(());
    }
    println!("{} articles answer.", preview.articles);
    for row in &preview.newest {
        println!("  {}", if row.title.is_empty() { "(no title)".to_owned() } else { plain(&row.title) });
    }
    for (action, articles) in &preview.changes {
        println!("{action} would change {articles} of them.");
    }
    Ok(())
}

async fn apply(library: &Arc<Library>, rule: &Rule) -> Result<ExitCode, Failure> {
    let stopped = Arc::new(AtomicBool::new(false));
    tokio::spawn({
        let stopped = stopped.clone();
        async move {
            // Without a signal to wait for, Ctrl-C simply ends the process: nothing is done by then.
            if tokio::signal::ctrl_c().await.is_ok() {
                stopped.store(true, Ordering::Relaxed);
            }
        }
    });
    let bar = ProgressBar::new(0);
    let done = gleaner_search::apply(library, rule.id, &Local::now(), |now| {
        bar.set_length(now.total as u64);
        bar.set_position(now.done as u64);
        !stopped.load(Ordering::Relaxed)
    })
    .await;
    bar.finish_and_clear();
    match done? {
        Some(done) => {
            println!("{} articles were changed.", done.count);
            Ok(ExitCode::SUCCESS)
        }
        None => {
            println!("Stopped before the end; nothing was changed.");
            Ok(ExitCode::from(1))
        }
    }
}

/// What came from elsewhere must not speak to the terminal.
fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
