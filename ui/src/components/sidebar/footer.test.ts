import { render } from 'svelte/server';
import { expect, it, vi } from 'vitest';
import en from '../../lib/messages/en.json';
import { setCatalogue } from '../../lib/messages/catalogue.svelte';
import { library } from '../../lib/state/library.svelte';
import type { ErrorCode, Feed, Folder } from '../../lib/ipc';
import { refresh } from '../../lib/state/refresh.svelte';
import Footer from './Footer.svelte';

vi.mock('../../lib/state/refresh.svelte', () => ({ refresh: { running: true, progress: null, waitingFor: [] } }));
setCatalogue(en, 'en');

const statuses = (): string[] =>
  [...render(Footer).body.matchAll(/<p[^>]* role="status"[^>]*>(.*?)<\/p>/gs)].map(([, text]) =>
    (text ?? '').replace(/<[^>]*>/g, '').trim(),
  );

it('has its status regions before they have a text, so that screen readers announce them', () => {
  expect(statuses()).toEqual(['', '']);
  const progress = { running: false, new_articles: 3, failed: 0, deferred_by_server: 0, throttled: 0 };
  Object.assign(refresh, { running: false, progress });
  expect(statuses()).toEqual(['3 new']);
});

it('does not say that there is nothing new while an account cannot be synchronised', () => {
  const progress = { running: false, new_articles: 0, failed: 0, deferred_by_server: 0, throttled: 0 };
  Object.assign(refresh, { running: false, progress });
  expect(statuses()).toEqual(['No new articles']);
  const account = (code: ErrorCode) =>
    ({ id: 1, name: 'Server', account: { id: 2, error: { code } } }) as unknown as Folder;
  library.folders = [account('connection_refused')];
  expect(statuses()).toEqual(['1 account could not be synchronised']);
  library.folders = [account('server_changes_wait')];
  expect(statuses()).toEqual(['No new articles']);
  library.folders = [];
});

it('says that this computer is offline, and why a refresh ended early', () => {
  const feed = (code: ErrorCode) =>
    ({ id: 1, error: { error: { code }, since: 0, next: null, needs_attention: false } }) as unknown as Feed;
  const end = { running: false, new_articles: 0, failed: 2, offline: true, deferred_by_server: 0, throttled: 0 };
  library.feeds = [feed('offline'), feed('timeout')];
  Object.assign(refresh, { running: false, progress: end });
  // The link has a place of its own.
  expect(statuses()).toEqual(['Offline 2 feeds failed']);
  Object.assign(refresh, { progress: { ...end, offline: false } });
  expect(statuses()).toEqual(['2 feeds failed']);
  Object.assign(refresh, { progress: null });
  expect(statuses()).toEqual(['2 feeds failed']);
  library.feeds = [feed('offline')];
  expect(statuses()).toEqual(['Offline 1 feed failed']);
  library.feeds = [];
  Object.assign(refresh, { progress: { ...end, failed: 0, offline: false, error: { code: 'disk_full', params: {} } } });
  expect(statuses()).toEqual(['The disk is full.']);
});
