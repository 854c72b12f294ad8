//! Between the core's rules and the window's.

use crate::convert;
use gleaner_contract as contract;
use gleaner_library::{Action, NewRule, Rule, RuleScope, RuleTouch};
use gleaner_query::QueryError;
use gleaner_search::Preview;
use std::time::{Duration, Instant};

/// The window hears of progress at most so often.
const TELL_EVERY: Duration = Duration::from_millis(100);

/// When the window heard of something last.
#[derive(Default)]
pub struct Told(Option<Instant>);

impl Told {
    pub fn is_due(&mut self) -> bool {
        let due = self.0.is_none_or(|told| told.elapsed() >= TELL_EVERY);
        if due {
            self.0 = Some(Instant::now());
        }
        due
    }
}

pub fn action(action: contract::RuleAction) -> Action {
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

pub fn scope(scope: contract::RuleScope) -> RuleScope {
    match scope {
        contract::RuleScope::Everywhere => RuleScope::Everywhere,
        contract::RuleScope::Feed { id } => RuleScope::Feed(id),
        contract::RuleScope::Folder { id } => RuleScope::Folder(id),
    }
}

pub fn written(rule: contract::SaveRule) -> NewRule {
    let actions = rule.actions.into_iter().map(action).collect();
    NewRule { name: rule.name, query: rule.query, scope: scope(rule.scope), actions }
}

pub fn shown(rule: Rule) -> contract::Rule {
    let broken = match gleaner_query::parse(&rule.query) {
        Err(error) => contract::BrokenRule::Query { problem: convert::query_problem(&error.problem) },
        Ok(_) => contract::BrokenRule::Actions,
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
        touched: rule.touched,
        broken: rule.broken.map(|_| broken),
    }
}

pub fn preview(preview: Preview) -> contract::RulePreview {
    let changes = preview.changes.into_iter();
    contract::RulePreview::Found {
        articles: convert::count(preview.articles),
        more: preview.more,
        newest: preview.newest.into_iter().map(convert::row).collect(),
        changes: changes
            .map(|(action, articles)| contract::RuleChange { action: shown_action(action), articles })
            .collect(),
    }
}

pub fn not_understood(query: &str, error: &QueryError) -> contract::RulePreview {
    let (problem, part, suggestion) = convert::wrong_with(query, error);
    contract::RulePreview::NotUnderstood { problem, part, suggestion }
}

pub fn touch(touch: RuleTouch) -> contract::RuleTouch {
    contract::RuleTouch {
        rule_id: touch.rule,
        name: touch.name,
        deleted: touch.deleted,
        did: touch.did.into_iter().map(shown_action).collect(),
        at: touch.at,
    }
}
