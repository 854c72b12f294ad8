//! Rules: tending them, what they would do, applying them, and what they did.

use crate::{convert, events, notifications, rules, shell::Shell};
use chrono::Local;
use gleaner_contract::{
    ApplyProgress, EnableRule, IpcError, Marked, Notice, OpenArticle, OrderRules, PreviewRule, Rule, RuleId,
    RulePreview, RuleTouch, SaveRule, SavedRule, UndoStep,
};
use gleaner_library::Undoable;
use tauri::{AppHandle, State};
use tokio::sync::MutexGuard;

fn step(done: Undoable) -> UndoStep {
    UndoStep { undo: done.step }
}

#[tauri::command]
pub async fn rules(shell: State<'_, Shell>) -> Result<Vec<Rule>, IpcError> {
    let rules = shell.core().await?.library.rules().await.map_err(convert::library_error)?;
    Ok(rules.into_iter().map(rules::shown).collect())
}

#[tauri::command]
pub async fn save_rule(shell: State<'_, Shell>, args: SaveRule) -> Result<SavedRule, IpcError> {
    let library = shell.core().await?.library;
    let (id, rule) = (args.id, rules::written(args));
    let saved = match id {
        Some(id) => library.change_rule(id, &rule).await.map(|done| (id, done)),
        None => library.add_rule(&rule).await,
    };
    let (id, done) = saved.map_err(convert::library_error)?;
    Ok(SavedRule { id, undo: done.step })
}

#[tauri::command]
pub async fn enable_rule(shell: State<'_, Shell>, args: EnableRule) -> Result<UndoStep, IpcError> {
    let done = shell.core().await?.library.enable_rule(args.rule_id, args.enabled).await;
    done.map(step).map_err(convert::library_error)
}

#[tauri::command]
pub async fn order_rules(shell: State<'_, Shell>, args: OrderRules) -> Result<UndoStep, IpcError> {
    shell.core().await?.library.order_rules(&args.ids).await.map(step).map_err(convert::library_error)
}

#[tauri::command]
pub async fn delete_rule(shell: State<'_, Shell>, args: RuleId) -> Result<UndoStep, IpcError> {
    shell.core().await?.library.delete_rule(args.rule_id).await.map(step).map_err(convert::library_error)
}

/// The words are the window's, what they are about is what a refresh has just asked it to say.
#[tauri::command]
pub async fn notify(args: Notice) -> Result<(), IpcError> {
    notifications::show(&args).await;
    Ok(())
}

#[tauri::command]
pub async fn preview_rule(shell: State<'_, Shell>, args: PreviewRule) -> Result<RulePreview, IpcError> {
    let query = match gleaner_query::parse(&args.query) {
        Ok(query) => query,
        Err(error) => return Ok(rules::not_understood(&args.query, &error)),
    };
    let library = shell.core().await?.library;
    let (scope, actions) = (rules::scope(args.scope), args.actions.into_iter().map(rules::action).collect::<Vec<_>>());
    let most = args.most.and_then(|most| usize::try_from(most).ok());
    let _indexing = indexing(&shell).await;
    let preview = gleaner_search::preview(&library, &query, scope, &actions, &Local::now(), most).await;
    Ok(rules::preview(preview.map_err(convert::search_error)?))
}

#[tauri::command]
pub async fn apply_rule(app: AppHandle, shell: State<'_, Shell>, args: RuleId) -> Result<Option<Marked>, IpcError> {
    let library = shell.core().await?.library;
    let cancel = shell.apply.begin();
    let _indexing = indexing(&shell).await;
    if cancel.is_cancelled() {
        return Ok(None);
    }
    let mut told = rules::Told::default();
    let moment = Local::now();
    let done = gleaner_search::apply(&library, args.rule_id, &moment, |now| {
        let progress = ApplyProgress { done: convert::count(now.done), total: convert::count(now.total) };
        if told.is_due() {
            events::emit(&app, "apply_progress", progress);
        }
        !cancel.is_cancelled()
    });
    let done = done.await.map_err(convert::search_error)?;
    events::library_changed(&app, true, true);
    Ok(done.map(|done| Marked { count: convert::count(done.count), undo: done.step }))
}

/// One at a time brings the index up: whoever waits for an answer goes before what follows by itself, which goes on afterwards.
async fn indexing<'a>(shell: &'a Shell) -> MutexGuard<'a, ()> {
    shell.index.cancel();
    shell.index_behind.notify_one();
    shell.indexing.lock().await
}

#[tauri::command]
pub async fn cancel_apply(shell: State<'_, Shell>) -> Result<(), IpcError> {
    shell.apply.cancel();
    Ok(())
}

#[tauri::command]
pub async fn rule_touches(shell: State<'_, Shell>, args: OpenArticle) -> Result<Vec<RuleTouch>, IpcError> {
    let touches = shell.core().await?.library.rule_touches(args.id).await.map_err(convert::library_error)?;
    Ok(touches.into_iter().map(rules::touch).collect())
}
