/** Sentences about rules. */
import type { Rule, RuleAction, RuleChange, RuleScope } from '../ipc';
import { commas, listed } from './format';
import { t } from './index';

const DO = {
  read: 'rules.do.read',
  star: 'rules.do.star',
  hide: 'rules.do.hide',
  notify: 'rules.do.notify',
  keep: 'rules.do.keep',
  full_text: 'rules.do.full_text',
} as const;

const DID = {
  read: 'rules.did.read',
  star: 'rules.did.star',
  hide: 'rules.did.hide',
  notify: 'rules.did.notify',
  keep: 'rules.did.keep',
  full_text: 'rules.did.full_text',
} as const;

const WOULD = {
  read: 'rules.would.read',
  star: 'rules.would.star',
  hide: 'rules.would.hide',
  keep: 'rules.would.keep',
  full_text: 'rules.would.full_text',
} as const;

/** "Mark as read". */
export function actionText(action: RuleAction): string {
  return action.kind === 'tag' ? t('rules.do.tag', { name: action.name }) : t(DO[action.kind]);
}

/** "Hidden, Tagged “grain”". */
export function didText(did: readonly RuleAction[]): string {
  return commas(
    did.map((action) => (action.kind === 'tag' ? t('rules.did.tag', { name: action.name }) : t(DID[action.kind]))),
  );
}

/** "12 would be hidden and 3 would get a star"; empty where nothing would change. */
export function changesText(changes: readonly RuleChange[]): string {
  return listed(
    changes.flatMap(({ action, articles: count }) => {
      if (count === 0 || action.kind === 'notify') return [];
      return [
        action.kind === 'tag' ? t('rules.would.tag', { count, name: action.name }) : t(WOULD[action.kind], { count }),
      ];
    }),
  );
}

/** Where a rule holds; names of feeds and folders are looked up by `title`. */
export function scopeText(scope: RuleScope, title: (scope: RuleScope) => string): string {
  return scope.kind === 'everywhere' ? t('rules.everywhere') : t('rules.in', { title: title(scope) });
}

/** "Hide, Star". */
export function actionsText(rule: Rule): string {
  return commas(rule.actions.map(actionText));
}
