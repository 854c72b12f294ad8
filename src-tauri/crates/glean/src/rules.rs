//! `glean rules`: manages the rules that are applied to new articles, and applies them to existing ones.

use crate::{
    args::{RuleDefinition, Rules, RulesCommand},
    cancel::cancel_on_ctrl_c,
    find::{find_feed, find_folder, printed_path},
    messages::Failure,
    output::{count, inline},
    search,
};
use gleaner_app::App;
use gleaner_contract::{EnableRule, RuleId};
use gleaner_library::{Action, Library, NewRule, Rule, RuleScope, folder_paths};
use gleaner_search::Preview;
use indicatif::ProgressBar;
use serde::Serialize;
use std::{collections::HashMap, process::ExitCode};

/// Output of `glean rules --json`; a public contract.
#[derive(Serialize)]
struct Report {
    id: i64,
    name: String,
    query: String,
    /// Address of the feed to which the rule is limited.
    feed: Option<String>,
    /// Path of the folder to which the rule is limited.
    folder: Option<String>,
    /// Actions in the form that `--do` accepts.
    actions: Vec<String>,
    enabled: bool,
    /// Number of articles that the rule has changed.
    touched: i64,
    /// Error that keeps the rule from running.
    broken: Option<String>,
}

/// Output of `glean rules preview --json`; a public contract.
#[derive(Serialize)]
struct PreviewReport {
    articles: usize,
    newest: Vec<NewestReport>,
    /// Number of articles that each action would change.
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

pub async fn run(app: &App, library: &Library, args: Rules) -> Result<ExitCode, Failure> {
    match args.command {
        None => list(library, args.json).await?,
        Some(RulesCommand::Add { name, rule }) => {
            let rule = new_rule(library, name, &rule).await?;
            if let Err(error) = gleaner_query::parse(&rule.query) {
                return search::report_query_error(&rule.query, &error, false);
            }
            let (id, _) = gleaner_app::save_rule(app, None, &rule).await?;
            let which = if rule.query.trim().is_empty() { "every new article" } else { "new articles" };
            println!("Added rule {id} for {which}. `glean rules apply {id}` applies it to existing ones.");
        }
        Some(RulesCommand::Preview { json, rule }) => {
            let rule = new_rule(library, None, &rule).await?;
            let query = match gleaner_query::parse(&rule.query) {
                Ok(query) => query,
                Err(error) => return search::report_query_error(&rule.query, &error, json),
            };
            let preview = gleaner_app::preview_rule(app, &query, rule.scope, &rule.actions, None).await?;
            print_preview(&preview, json)?;
        }
        Some(RulesCommand::Apply { rule }) => return apply(app, &find(library, &rule).await?).await,
        Some(RulesCommand::Enable { rule }) => enable(app, &find(library, &rule).await?, true).await?,
        Some(RulesCommand::Disable { rule }) => enable(app, &find(library, &rule).await?, false).await?,
        Some(RulesCommand::Delete { rule }) => {
            let rule = find(library, &rule).await?;
            gleaner_app::delete_rule(app, RuleId { rule_id: rule.id }).await?;
            println!("Deleted rule {}. Articles it has changed stay as they are.", inline(&rule.name));
        }
    }
    Ok(ExitCode::SUCCESS)
}

async fn enable(app: &App, rule: &Rule, enabled: bool) -> Result<(), Failure> {
    gleaner_app::enable_rule(app, EnableRule { rule_id: rule.id, enabled }).await?;
    println!("{} rule {}.", if enabled { "Enabled" } else { "Disabled" }, inline(&rule.name));
    Ok(())
}

async fn new_rule(library: &Library, name: Option<String>, rule: &RuleDefinition) -> Result<NewRule, Failure> {
    let scope = match (&rule.feed, &rule.folder) {
        (Some(feed), _) => RuleScope::Feed(find_feed(library, feed).await?.id),
        (None, Some(folder)) => RuleScope::Folder(find_folder(library, folder).await?),
        (None, None) => RuleScope::Everywhere,
    };
    let query = rule.query.join(" ");
    let name = name.unwrap_or_else(|| if query.trim().is_empty() { "Every article".to_owned() } else { query.clone() });
    Ok(NewRule { name, query, scope, actions: rule.actions.clone() })
}

/// Finds a rule by its number or name.
async fn find(library: &Library, wanted: &str) -> Result<Rule, Failure> {
    let rules = library.rules().list().await?;
    let (number, name) = (wanted.parse::<i64>().ok(), wanted.to_lowercase());
    // A number always selects the rule with this number, even if another rule has it as its name.
    let by_number = rules.iter().any(|rule| Some(rule.id) == number);
    let is_wanted = |rule: &Rule| if by_number { Some(rule.id) == number } else { rule.name.to_lowercase() == name };
    let mut found = rules.into_iter().filter(is_wanted);
    match (found.next(), found.next()) {
        (Some(rule), None) => Ok(rule),
        (Some(_), Some(_)) => Err(format!("several rules are named {wanted}; use the number instead").into()),
        _ => Err(format!("there is no rule {wanted}; `glean rules` lists all").into()),
    }
}

async fn list(library: &Library, json: bool) -> Result<(), Failure> {
    let feeds: HashMap<i64, (String, String)> = library
        .feeds()
        .list()
        .await?
        .into_iter()
        .map(|feed| (feed.id, (feed.url.clone(), feed.shown_title())))
        .collect();
    let paths = folder_paths(&library.folders().list().await?);
    let rules = library.rules().list().await?;
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
        crate::output::json(&rules.into_iter().map(report).collect::<Vec<_>>())?;
        return Ok(());
    }
    if rules.is_empty() {
        println!("No rules yet. For example: glean rules add --name 'No sports' --do hide 'football OR tennis'");
    }
    for rule in rules {
        let place = match rule.scope {
            RuleScope::Everywhere => String::new(),
            RuleScope::Feed(id) => feeds.get(&id).map(|(_, title)| format!(", in {title}")).unwrap_or_default(),
            RuleScope::Folder(id) => {
                paths.get(&id).map(|path| format!(", in {}", printed_path(path))).unwrap_or_default()
            }
        };
        let state = match (&rule.broken, rule.enabled) {
            (Some(why), _) => format!(", skipped: {why}"),
            (None, false) => ", disabled".to_owned(),
            (None, true) => String::new(),
        };
        let actions: Vec<String> = rule.actions.iter().map(Action::to_string).collect();
        println!("{:>3}  {}{place}{state}", rule.id, inline(&rule.name));
        println!(
            "     {}",
            if rule.query.trim().is_empty() { "every article".to_owned() } else { inline(&rule.query) }
        );
        println!("     {}; {} changed so far", inline(&actions.join(", ")), count(rule.touched, "article"));
    }
    Ok(())
}

fn print_preview(preview: &Preview, json: bool) -> Result<(), Failure> {
    if json {
        let newest = preview.newest.iter().map(|row| NewestReport { id: row.id, title: row.title.clone() });
        let changes = preview
            .changes
            .iter()
            .map(|(action, articles)| ChangeReport { action: action.to_string(), articles: *articles });
        let report = PreviewReport { articles: preview.articles, newest: newest.collect(), changes: changes.collect() };
        crate::output::json(&report)?;
        return Ok(());
    }
    println!("{} matched.", count(preview.articles, "article"));
    for row in &preview.newest {
        println!("  {}", if row.title.is_empty() { "(no title)".to_owned() } else { inline(&row.title) });
    }
    for (action, articles) in &preview.changes {
        println!("{action}: would change {articles} of them");
    }
    Ok(())
}

async fn apply(app: &App, rule: &Rule) -> Result<ExitCode, Failure> {
    cancel_on_ctrl_c(app);
    let bar = ProgressBar::new(0);
    let done = gleaner_app::apply_rule(app, rule.id, |now| {
        bar.set_length(now.total as u64);
        bar.set_position(now.done as u64);
    })
    .await;
    bar.finish_and_clear();
    match done? {
        Some(done) => {
            println!("{} changed.", count(done.count, "article"));
            Ok(ExitCode::SUCCESS)
        }
        None => {
            eprintln!("glean: cancelled; nothing was changed");
            Ok(ExitCode::from(1))
        }
    }
}
