// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ArticlePage, ArticleRow, Search, SearchResult } from '../ipc';
import { reading } from './article.svelte';
import { list } from './list.svelte';
import { escapeSearch, leaveSearch, openSearch } from './navigation';
import { PAUSE, search } from './search.svelte';

type Request = {
  args: Search;
  answer: (answer: SearchResult) => Promise<void>;
  refuse: (error: unknown) => Promise<void>;
};

const { requests, shelf } = vi.hoisted(() => ({
  requests: [] as Request[],
  shelf: { page: { rows: [], more: false } as ArticlePage },
}));

vi.mock('../ipc', async (original) => ({
  ...(await original<typeof import('../ipc')>()),
  call: (name: string, args: Search) => {
    if (name === 'articles') return Promise.resolve(shelf.page);
    if (name === 'open_article') return Promise.resolve({ progress: 0 });
    if (name !== 'search') return Promise.resolve(null);
    return new Promise((resolve, reject) => {
      const settle = async (end: () => void) => {
        end();
        await vi.advanceTimersByTimeAsync(0);
      };
      requests.push({
        args,
        answer: (answer) => settle(() => resolve(answer)),
        refuse: (error) => settle(() => reject(error)),
      });
    });
  },
}));

const row = (id: number): ArticleRow => ({
  id,
  feed_id: 1,
  title: `Article ${id}`,
  excerpt: 'as the list shows it',
  author: null,
  published: null,
  sort_at: 1000 - id,
  read: false,
  starred: false,
  reading_minutes: 1,
  length: 200,
  thumbnail: null,
  offline_thumbnail: null,
  media: null,
  duration: null,
  has_link: true,
  updated: false,
});

const found = (ids: number[], more: Partial<Extract<SearchResult, { kind: 'found' }>> = {}): SearchResult => ({
  kind: 'found',
  hits: ids.map((id) => ({
    row: row(id),
    title_marks: [],
    author_marks: [],
    snippet: `found in ${id}`,
    snippet_marks: [{ from: 0, until: 5 }],
  })),
  next: null,
  unindexed: 0,
  ...more,
});

const wrong: SearchResult = {
  kind: 'invalid_query',
  problem: { kind: 'unknown_field', name: 'titel', meant: 'title' },
  part: { from: 0, until: 6 },
  suggestion: 'title:x',
};

const ids = () => list.rows.map((row) => row.id);
const last = () => requests.at(-1) as Request;
const type = async (text: string) => {
  search.type(text);
  await vi.advanceTimersByTimeAsync(PAUSE);
};

beforeEach(async () => {
  vi.useFakeTimers();
  vi.stubGlobal('requestAnimationFrame', () => 0);
  requests.length = 0;
  shelf.page = { rows: [row(1), row(2), row(3)], more: false };
  await list.show({ kind: 'all' });
  search.order = 'date';
  search.unindexed = 0;
  openSearch();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('search', () => {
  it('waits for a pause in typing', async () => {
    search.type('r');
    await vi.advanceTimersByTimeAsync(PAUSE - 1);
    search.type('ry');
    await vi.advanceTimersByTimeAsync(PAUSE - 1);
    expect(requests).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(requests.map(({ args }) => args)).toEqual([{ query: 'ry', order: 'date', after: null, limit: 50 }]);
  });

  it('shows matches with their snippets', async () => {
    await type('rye');
    await last().answer(found([7, 9]));
    expect(ids()).toEqual([7, 9]);
    expect(list.rows[0]?.excerpt).toBe('found in 7');
    expect(search.hits.get(9)?.snippet_marks).toEqual([{ from: 0, until: 5 }]);
    expect(search.shownQuery).toBe('rye');
  });

  it('drops an outdated response', async () => {
    await type('r');
    await type('rye');
    await last().answer(found([7]));
    await (requests[0] as Request).answer(found([8]));
    expect(ids()).toEqual([7]);
    expect(search.shownQuery).toBe('rye');
  });

  it('drops a response after the field was cleared or left', async () => {
    await type('rye');
    search.type('');
    await last().answer(found([7]));
    expect(ids()).toEqual([]);
    await type('rye');
    leaveSearch();
    await last().answer(found([7]));
    expect(ids()).toEqual([1, 2, 3]);
  });

  it('keeps the results of an invalid query, and accepts the suggestion', async () => {
    await type('x');
    await last().answer(found([7]));
    await type('titel:x');
    await last().answer(wrong);
    expect(search.queryError).toMatchObject({ query: 'titel:x', part: { from: 0, until: 6 } });
    expect(ids()).toEqual([7]);
    expect(search.shownQuery).toBe('x');
    search.take(search.queryError?.suggestion ?? '');
    await last().answer(found([8]));
    expect(search.text).toBe('title:x');
    expect(search.queryError).toBeNull();
    expect(ids()).toEqual([8]);
  });

  it('keeps the results when the library fails', async () => {
    await type('x');
    await last().answer(found([7]));
    await type('xy');
    await last().refuse({ code: 'busy', params: {} });
    expect(search.error?.code).toBe('busy');
    expect(ids()).toEqual([7]);
  });

  it('searches again in another order', async () => {
    await type('x');
    await last().answer(found([7, 8]));
    search.sort('relevance');
    expect(last().args).toMatchObject({ query: 'x', order: 'relevance', after: null });
    await last().answer(found([8, 7]));
    expect(ids()).toEqual([8, 7]);
  });

  it('loads the next page from the cursor of the last one', async () => {
    await type('x');
    await last().answer(found([7], { next: 'seven' }));
    expect(list.more).toBe(true);
    const page = list.loadMore();
    expect(last().args.after).toBe('seven');
    await last().answer(found([8], { next: 'eight' }));
    await page;
    expect(ids()).toEqual([7, 8]);
    expect(search.hits.size).toBe(2);
    void list.loadMore();
    expect(last().args.after).toBe('eight');
    await last().answer(found([9]));
    expect(list.more).toBe(false);
  });

  it('does not mix pages of two queries', async () => {
    await type('x');
    await last().answer(found([7], { next: 'seven' }));
    void list.loadMore();
    const page = last();
    await type('y');
    await last().answer(found([20]));
    await page.answer(found([8]));
    expect(ids()).toEqual([20]);
    expect([...search.hits.keys()]).toEqual([20]);
  });

  it('goes on with the results that stay while another query is typed', async () => {
    await type('x');
    await last().answer(found([7], { next: 'seven' }));
    const further = list.loadMore();
    const page = last();
    await type('titel:x');
    const other = last();
    await page.answer(found([8], { next: 'eight' }));
    await further;
    await other.answer(wrong);
    expect([ids(), list.more]).toEqual([[7, 8], true]);
    void list.loadMore();
    expect(last().args).toMatchObject({ query: 'x', after: 'eight' });
    await last().answer(found([9]));
    expect([ids(), [...search.hits.keys()], list.more]).toEqual([[7, 8, 9], [7, 8, 9], false]);
  });

  it('clears the field on Escape, and then restores the list with its position', async () => {
    leaveSearch();
    list.selected = 2;
    list.place = { id: 2, offset: 5 };
    openSearch();
    await type('x');
    await last().answer(found([7]));
    escapeSearch();
    expect(search.text).toBe('');
    expect(list.searching).toBe(true);
    expect(ids()).toEqual([]);
    escapeSearch();
    expect(list.searching).toBe(false);
    expect(ids()).toEqual([1, 2, 3]);
    expect(list.selected).toBe(2);
    expect(list.startAt).toEqual({ id: 2, offset: 5 });
    expect(reading.id).toBe(2);
  });

  it('applies marks to the list behind it', async () => {
    await type('x');
    await last().answer(found([2, 7]));
    list.patch(new Map([[2, { read: true, starred: true }]]));
    expect(list.rows[0]).toMatchObject({ id: 2, read: true });
    shelf.page = { rows: [], more: false };
    leaveSearch();
    expect(list.row(2)).toMatchObject({ read: true, starred: true });
    expect(list.row(1)).toMatchObject({ read: false });
  });

  it('searches again after indexing, unless an article is being read', async () => {
    await type('x');
    await last().answer(found([7], { unindexed: 3 }));
    expect(search.unindexed).toBe(3);
    search.onIndexed(1);
    expect(requests).toHaveLength(1);
    search.onIndexed(0);
    expect(requests).toHaveLength(2);
    await last().answer(found([6, 7], { unindexed: 2 }));
    list.selected = 7;
    search.onIndexed(0);
    expect(requests).toHaveLength(2);
    expect(search.unindexed).toBe(0);
  });

  it('ends when another list is shown', async () => {
    await type('x');
    const { answer } = last();
    await list.show({ kind: 'starred' });
    await answer(found([7]));
    expect(list.searching).toBe(false);
    expect(ids()).toEqual([1, 2, 3]);
  });
});
