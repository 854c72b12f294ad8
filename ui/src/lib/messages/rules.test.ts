import { afterEach, describe, expect, it } from 'vitest';
import type { RuleAction } from '../ipc';
import en from './en.json';
import { setCatalogue, setLanguage } from './index';
import { actionText, changesText, appliedText, scopeText } from './rules';
import { brokenText } from './search-query';

afterEach(() => setCatalogue(en, 'en'));
setCatalogue(en, 'en');

const ALL: readonly RuleAction[] = [
  { kind: 'read' },
  { kind: 'star' },
  { kind: 'tag', name: 'grain' },
  { kind: 'hide' },
  { kind: 'notify' },
  { kind: 'keep' },
  { kind: 'full_text' },
];

describe('a rule', () => {
  it('names every action', () => {
    for (const action of ALL) {
      expect(actionText(action), action.kind).not.toContain('{');
      expect(appliedText([action]), action.kind).not.toContain('{');
    }
    expect(appliedText([{ kind: 'hide' }, { kind: 'tag', name: 'grain' }])).toBe('Hidden, Tagged “grain”');
  });

  it('does not mirror the query syntax in Arabic', async () => {
    expect(brokenText({ kind: 'query', problem: { kind: 'no_number' } })).toContain(' >1000, <500 or ');
    await setLanguage('ar');
    expect(brokenText({ kind: 'query', problem: { kind: 'no_number' } })).toContain('\u2066>1000\u2069');
  });

  it('shows only what would change', () => {
    const changes = ALL.map((action, at) => ({ action, articles: at * 1000 }));
    expect(changesText(changes)).toBe(
      '1,000 starred · 2,000 tagged “grain” · 3,000 hidden · 5,000 kept forever · 6,000 full texts downloaded',
    );
    expect(changesText([{ action: { kind: 'read' }, articles: 0 }])).toBe('');
  });

  it('shows where it applies', () => {
    expect(scopeText({ kind: 'everywhere' }, () => 'x')).toBe('In all feeds');
    expect(scopeText({ kind: 'folder', id: 7 }, (scope) => JSON.stringify(scope))).toBe('In {"kind":"folder","id":7}');
  });
});
