/** Messages about rules. */
import type { Rule, RuleAction, RuleChange, RuleScope } from '../ipc';
import { commas } from './format';
import { inLine, t } from './index';

const DO = {
  read: 'rules.action.read',
  star: 'rules.action.star',
  hide: 'rules.action.hide',
  notify: 'rules.action.notify',
  keep: 'rules.action.keep',
  full_text: 'rules.action.full_text',
} as const;

const DID = {
  read: 'rules.applied_action.read',
  star: 'rules.applied_action.star',
  hide: 'rules.applied_action.hide',
  notify: 'rules.applied_action.notify',
  keep: 'rules.applied_action.keep',
  full_text: 'rules.applied_action.full_text',
} as const;

const WOULD = {
  read: 'rules.change.read',
  star: 'rules.change.star',
  hide: 'rules.change.hide',
  keep: 'rules.change.keep',
  full_text: 'rules.change.full_text',
} as const;

/** Returns an action as a label: "Mark as read". */
export function actionText(action: RuleAction): string {
  return action.kind === 'tag' ? t('rules.action.tag', { name: action.name }) : t(DO[action.kind]);
}

/** Returns the applied actions: "Hidden, Tagged “grain”". */
export function appliedText(applied: readonly RuleAction[]): string {
  return commas(
    applied.map((action) =>
      action.kind === 'tag' ? t('rules.applied_action.tag', { name: action.name }) : t(DID[action.kind]),
    ),
  );
}

/** Returns what a rule would change: "12 hidden · 3 starred". Empty when nothing would change. */
export function changesText(changes: readonly RuleChange[]): string {
  return inLine(
    changes.flatMap(({ action, articles: count }) => {
      if (count === 0 || action.kind === 'notify') return [];
      return [
        action.kind === 'tag' ? t('rules.change.tag', { count, name: action.name }) : t(WOULD[action.kind], { count }),
      ];
    }),
  );
}

/** Returns where a rule applies. `title` returns the name of a feed or folder. */
export function scopeText(scope: RuleScope, title: (scope: RuleScope) => string): string {
  return scope.kind === 'everywhere' ? t('rules.everywhere') : t('rules.in', { title: title(scope) });
}

/** Returns the actions of a rule: "Hide, Star". */
export function actionsText(rule: Rule): string {
  return commas(rule.actions.map(actionText));
}
