//! Rules: editing, previewing and applying them, and what they did.

use crate::{
    App,
    article_rows::article_row,
    error::Result,
    events::throttle,
    jobs::{Job, Running},
    numbers::to_number,
    search,
};
use gleaner_contract::{
    self as contract, ApplyProgress, ArticleId, EnableRule, Event, Marked, OrderRules, PreviewRule, RuleId,
    RulePreview, SaveRule, SavedRule, UndoStep,
};
use gleaner_library::{Action, NewRule, Rule, RuleScope, RuleTouch, Undoable, now_local};
use gleaner_query::{Expr, QueryError};
use gleaner_search::{Preview, RuleProgress};
use std::time::Duration;

/// Minimum time between two progress events.
const REPORT_EVERY: Duration = Duration::from_millis(100);

fn step(done: Undoable) -> UndoStep {
    UndoStep { undo: done.step }
}

pub async fn rules(app: &App, (): ()) -> Result<Vec<contract::Rule>> {
    let rules = app.core().await?.library.rules().list().await?;
    Ok(rules.into_iter().map(shown).collect())
}

pub async fn save_rule(app: &App, args: SaveRule) -> Result<SavedRule> {
    let (id, done) = save(app, args.id, &written(args)).await?;
    Ok(SavedRule { id, undo: done.step })
}

/// Changes a rule, or adds one. Returns its id.
///
/// # Errors
/// There is no such rule, feed or folder, the query or an action is invalid, or the library cannot be written.
pub async fn save(app: &App, id: Option<i64>, rule: &NewRule) -> Result<(i64, Undoable)> {
    let library = app.core().await?.library;
    Ok(match id {
        Some(id) => (id, library.rules().change(id, rule).await?),
        None => library.rules().add(rule).await?,
    })
}

/// Enables or disables a rule.
///
/// # Errors
/// There is no such rule, or the library cannot be written.
pub async fn enable_rule(app: &App, args: EnableRule) -> Result<UndoStep> {
    let done = app.core().await?.library.rules().set_enabled(args.rule_id, args.enabled).await;
    Ok(step(done?))
}

pub async fn order_rules(app: &App, args: OrderRules) -> Result<UndoStep> {
    Ok(step(app.core().await?.library.rules().reorder(&args.ids).await?))
}

/// Deletes a rule. Articles that it has changed stay as they are.
///
/// # Errors
/// There is no such rule, or the library cannot be written.
pub async fn delete_rule(app: &App, args: RuleId) -> Result<UndoStep> {
    Ok(step(app.core().await?.library.rules().delete(args.rule_id).await?))
}

pub async fn preview_rule(app: &App, args: PreviewRule) -> Result<RulePreview> {
    let query = match gleaner_query::parse(&args.query) {
        Ok(query) => query,
        Err(error) => return Ok(not_understood(&args.query, &error)),
    };
    let actions: Vec<_> = args.actions.into_iter().map(action).collect();
    let most = args.limit.and_then(|most| usize::try_from(most).ok());
    Ok(shown_preview(preview(app, &query, scope(args.scope), &actions, most).await?))
}

/// Returns what a rule would do with existing articles, counting at most `most` of them.
///
/// # Errors
/// When the library cannot be read, or its index cannot be written.
pub async fn preview(
    app: &App,
    query: &Expr,
    scope: RuleScope,
    actions: &[Action],
    most: Option<usize>,
) -> Result<Preview> {
    let library = app.core().await?.library;
    let _indexing = take_index(app).await;
    Ok(gleaner_search::preview(&library, query, scope, actions, &now_local(), most).await?)
}

pub async fn apply_rule(app: &App, args: RuleId) -> Result<Option<Marked>> {
    let mut may_report = throttle(REPORT_EVERY);
    let done = apply(app, args.rule_id, |now| {
        if may_report() {
            let progress = ApplyProgress { done: to_number(now.done), total: to_number(now.total) };
            app.emit(Event::ApplyProgress(progress));
        }
    });
    let done = done.await?;
    app.library_changed(true, true);
    Ok(done.map(|done| Marked { count: to_number(done.count), undo: done.step }))
}

/// Applies a rule to all existing articles, as one change. Returns `None` if it was cancelled; then nothing was changed.
///
/// # Errors
/// There is no such rule, it is broken, or the library cannot be written.
pub async fn apply(app: &App, rule: i64, mut progress: impl FnMut(RuleProgress)) -> Result<Option<Undoable>> {
    let library = app.core().await?.library;
    let run = app.jobs().replace(Job::ApplyRule).await;
    let _indexing = take_index(app).await;
    if run.is_cancelled() {
        return Ok(None);
    }
    let moment = now_local();
    let done = gleaner_search::apply(&library, rule, &moment, |now| {
        progress(now);
        !run.is_cancelled()
    });
    Ok(done.await?)
}

/// Interrupts the background update of the index, which continues afterwards, and reserves the index for this use case.
async fn take_index(app: &App) -> Running {
    let run = app.jobs().replace(Job::Index).await;
    app.signals().index.notify_one();
    run
}

pub async fn cancel_apply_rule(app: &App, (): ()) -> Result<()> {
    app.jobs().cancel(Job::ApplyRule);
    Ok(())
}

pub async fn applied_rules(app: &App, args: ArticleId) -> Result<Vec<contract::AppliedRule>> {
    let touches = app.core().await?.library.rules().applied_to(args.id).await?;
    Ok(touches.into_iter().map(touch).collect())
}

fn action(action: contract::RuleAction) -> Action {
    match action {
        contract::RuleAction::Read => Action::Read,
        contract::RuleAction::Star => Action::Star,
        contract::RuleAction::Tag { name } => Action::Tag(name),
        contract::RuleAction::Hide => Action::Hide,
        contract::RuleAction::Notify => Action::Notify,
        contract::RuleAction::Keep => Action::Keep,
        contract::RuleAction::FullText => Action::FullText,
    }
}

fn shown_action(action: Action) -> contract::RuleAction {
    match action {
        Action::Read => contract::RuleAction::Read,
        Action::Star => contract::RuleAction::Star,
        Action::Tag(name) => contract::RuleAction::Tag { name },
        Action::Hide => contract::RuleAction::Hide,
        Action::Notify => contract::RuleAction::Notify,
        Action::Keep => contract::RuleAction::Keep,
        Action::FullText => contract::RuleAction::FullText,
    }
}

fn scope(scope: contract::RuleScope) -> RuleScope {
    match scope {
        contract::RuleScope::Everywhere => RuleScope::Everywhere,
        contract::RuleScope::Feed { id } => RuleScope::Feed(id),
        contract::RuleScope::Folder { id } => RuleScope::Folder(id),
    }
}

fn written(rule: contract::SaveRule) -> NewRule {
    let actions = rule.actions.into_iter().map(action).collect();
    NewRule { name: rule.name, query: rule.query, scope: scope(rule.scope), actions }
}

fn shown(rule: Rule) -> contract::Rule {
    let broken = match gleaner_query::parse(&rule.query) {
        Err(error) => contract::RuleError::Query { problem: search::query_problem(&error.problem) },
        Ok(_) => contract::RuleError::Actions,
    };
    contract::Rule {
        id: rule.id,
        name: rule.name,
        query: rule.query,
        scope: match rule.scope {
            RuleScope::Everywhere => contract::RuleScope::Everywhere,
            RuleScope::Feed(id) => contract::RuleScope::Feed { id },
            RuleScope::Folder(id) => contract::RuleScope::Folder { id },
        },
        actions: rule.actions.into_iter().map(shown_action).collect(),
        enabled: rule.enabled,
        affected_articles: rule.touched,
        error: rule.broken.map(|_| broken),
    }
}

fn shown_preview(preview: Preview) -> contract::RulePreview {
    let changes = preview.changes.into_iter();
    contract::RulePreview::Found {
        articles: to_number(preview.articles),
        more: preview.more,
        newest: preview.newest.into_iter().map(article_row).collect(),
        changes: changes
            .map(|(action, articles)| contract::RuleChange { action: shown_action(action), articles })
            .collect(),
    }
}

fn not_understood(query: &str, error: &QueryError) -> contract::RulePreview {
    let (problem, part, suggestion) = search::wrong_with(query, error);
    contract::RulePreview::InvalidQuery { problem, part, suggestion }
}

fn touch(touch: RuleTouch) -> contract::AppliedRule {
    contract::AppliedRule {
        rule_id: touch.rule,
        name: touch.name,
        deleted: touch.deleted,
        actions: touch.did.into_iter().map(shown_action).collect(),
        at: touch.at,
    }
}
