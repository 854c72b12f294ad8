import { render } from 'svelte/server';
import { expect, it } from 'vitest';
import { groupsOf } from '../../lib/attention-groups';
import type { ErrorCode, Feed } from '../../lib/ipc';
import { setCatalogue } from '../../lib/messages/catalogue.svelte';
import en from '../../lib/messages/en.json';
import AttentionGroup from './AttentionGroup.svelte';

setCatalogue(en, 'en');

function drawn(code: ErrorCode, count: number, needs_attention: boolean): string {
  const feeds = Array.from({ length: count }, (_, id) => {
    const error = { error: { code, params: { host: 'a.example' } }, since: 0, next: null, needs_attention };
    return { id, title: `Feed ${id}`, url: `https://a.example/${id}`, icon: null, suggestions: [], error };
  }) as unknown as Feed[];
  return render(AttentionGroup, { props: { group: groupsOf(feeds)[0]! } }).body;
}

it('draws the first rows of a large group, and acts on all of it', () => {
  const large = drawn('http_not_found', 800, true);
  expect(large.match(/role="option"/g)).toHaveLength(30);
  expect(large).toContain('Show all 800');
  expect(large).toContain('Unsubscribe from 800 feeds');
  expect(drawn('http_not_found', 30, true)).not.toContain('Show all');
});

it('does not propose to leave feeds that only now cannot be reached', () => {
  expect(drawn('offline', 3, false)).not.toContain('Unsubscribe');
  expect(drawn('timeout', 3, false)).not.toContain('Unsubscribe');
  expect(drawn('timeout', 3, true)).toContain('Unsubscribe from 3 feeds');
});
