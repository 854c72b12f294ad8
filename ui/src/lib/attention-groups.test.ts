import { expect, it } from 'vitest';
import { CODES, causeOf, groupsOf } from './attention-groups';
import type { ErrorCode, Feed } from './ipc';
import { errorText } from './messages/errors';

const feed = (title: string, code: ErrorCode) =>
  ({
    id: title.length,
    title,
    error: { error: { code }, since: 0, next: null, needs_attention: true },
  }) as unknown as Feed;

it('the stored code names the cause', () => {
  const codes: readonly [ErrorCode, string][] = [
    ['offline', 'offline'],
    ['timeout', 'unreachable'],
    ['gone', 'not_found'],
    ['unauthorized', 'login'],
    ['login_refused', 'login'],
    ['not_a_feed_web_page', 'not_a_feed'],
    ['redirect_loop', 'moved'],
    ['certificate_expired', 'certificate'],
    ['file_not_found', 'other'],
    ['http_status', 'server'],
    ['internal', 'other'],
  ];
  for (const [code, cause] of codes) expect(causeOf(code)).toBe(cause);
});

it('groups feeds by cause, and each group by title', () => {
  const titles = ['Rye 18', 'Barley', 'Rye 9'];
  const groups = groupsOf([feed('Oats', 'gone'), ...titles.map((title) => feed(title, 'timeout'))]);
  expect(groups.map(({ cause, feeds }) => [cause, feeds.map(({ title }) => title)])).toEqual([
    ['not_found', ['Oats']],
    ['unreachable', ['Barley', 'Rye 9', 'Rye 18']],
  ]);
});

// In a group of feeds, a pronoun would refer to the error of one of them, or to nothing.
it.each(Object.keys(CODES) as ErrorCode[])('the advice for %s is true of several feeds', (code) => {
  const { advice } = errorText({ code, params: {} });
  expect(advice).not.toMatch(/\b(it|its|they|them|their)\b/i);
});
