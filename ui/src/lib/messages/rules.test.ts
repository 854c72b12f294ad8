import { afterEach, describe, expect, it } from 'vitest';
import type { RuleAction } from '../ipc';
import { en } from './en';
import { setCatalogue } from './index';
import { actionText, changesText, didText, scopeText } from './rules';

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
  it('says each thing that it does and did', () => {
    for (const action of ALL) {
      expect(actionText(action), action.kind).not.toContain('{');
      expect(didText([action]), action.kind).not.toContain('{');
    }
    expect(didText([{ kind: 'hide' }, { kind: 'tag', name: 'grain' }])).toBe('Hidden, Tagged “grain”');
  });

  it('says what would change, and nothing of what would not', () => {
    const changes = ALL.map((action, at) => ({ action, articles: at * 1000 }));
    expect(changesText(changes)).toBe(
      '1,000 would get a star, 2,000 would be tagged “grain”, 3,000 would be hidden, 5,000 would be kept for ever, and the full texts of 6,000 would be fetched',
    );
    expect(changesText([{ action: { kind: 'read' }, articles: 0 }])).toBe('');
  });

  it('says where it holds', () => {
    expect(scopeText({ kind: 'everywhere' }, () => 'x')).toBe('In all feeds');
    expect(scopeText({ kind: 'folder', id: 7 }, (scope) => JSON.stringify(scope))).toBe('In {"kind":"folder","id":7}');
  });
});
