import { expect, it } from 'vitest';
import type { ErrorCode, Feed } from '../ipc';
import en from '../messages/en.json';
import { setCatalogue } from '../messages/catalogue.svelte';
import { attention } from './attention.svelte';
import { library } from './library.svelte';
import { errorActions } from './suggestions.svelte';

setCatalogue(en, 'en');

const feed = (code: ErrorCode, needs_attention = true) =>
  ({
    id: 1,
    title: 'Grain',
    url: 'https://grain.example/feed',
    suggestions: [],
    error: { error: { code }, since: 0, next: null, needs_attention },
  }) as unknown as Feed;
const labels = (code: ErrorCode) => errorActions(feed(code)).map(({ label }) => label);

it('a feed that is not found can get a new address, be edited or unsubscribed', () => {
  expect(labels('http_not_found')).toEqual(['Find new address', 'Try now', 'Edit address', 'Unsubscribe']);
  expect(labels('not_a_feed_json')).toEqual(['Find new address', 'Try now', 'Edit address', 'Unsubscribe']);
});

it('a feed with another error is tried again first, and can get a new address as well', () => {
  for (const code of ['timeout', 'forbidden', 'http_status'] as const)
    expect(labels(code)).toEqual(['Try now', 'Find new address', 'Edit address', 'Unsubscribe']);
});

it('after a network error, which is not the fault of the feed, the feed is tried again', () => {
  for (const code of ['offline', 'network_login'] as const) expect(labels(code)).toEqual(['Try now']);
});

it('a feed that requires a login gets one before it is tried again', () => {
  for (const code of ['unauthorized', 'login_refused'] as const)
    expect(labels(code)).toEqual(['Log in', 'Try now', 'Unsubscribe']);
});

it('only lasting errors need attention', () => {
  library.feeds = [feed('timeout', false), feed('http_not_found')];
  expect(attention.feeds).toHaveLength(1);
  library.feeds = [];
});
