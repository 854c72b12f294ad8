/** Requests for the open article: a cancelled one may end after the next one has begun. */
import { beforeEach, expect, it, vi } from 'vitest';
import type { Article, CommandName, Comments, Transcript } from '../ipc';

type Request = { readonly resolve: (answer: unknown) => void; readonly reject: (error: unknown) => void };
const requests = vi.hoisted((): Request[] => []);
vi.mock('../ipc', async (original) => ({
  ...(await original<typeof import('../ipc')>()),
  call: (name: CommandName) =>
    name.startsWith('cancel_')
      ? Promise.resolve()
      : new Promise((resolve, reject) => requests.push({ resolve, reject })),
}));

const { reading } = await import('./article.svelte');
const { comments } = await import('./comments.svelte');
const { transcripts } = await import('./transcript.svelte');

const article = { id: 1, has_transcript: true, has_comments_feed: true } as Article;
const cancelled = { code: 'cancelled', params: {} };
const turn = () => new Promise((done) => setTimeout(done));

beforeEach(() => {
  requests.length = 0;
  reading.id = article.id;
  reading.article = article;
  transcripts.forget();
  comments.forget();
});

it('shows a transcript that is requested again right after its download was cancelled', async () => {
  for (let press = 0; press < 3; press++) transcripts.toggle();
  requests[0]?.reject(cancelled);
  await turn();
  expect([requests.length, transcripts.loading, transcripts.errorOf(article)]).toEqual([2, true, null]);
  const transcript = { passages: [] } as unknown as Transcript;
  requests[1]?.resolve(transcript);
  await turn();
  expect([transcripts.loading, transcripts.of(article)]).toEqual([false, transcript]);
});

it('shows comments that are requested again right after their download was cancelled', async () => {
  for (let press = 0; press < 3; press++) comments.toggle();
  requests[0]?.reject(cancelled);
  await turn();
  expect([requests.length, comments.loading, comments.error]).toEqual([2, true, null]);
  const found = { list: [], more: false } as unknown as Comments;
  requests[1]?.resolve(found);
  await turn();
  expect([comments.loading, comments.list(article)]).toEqual([false, found]);
});

it('shows no comments of an article of the library before', async () => {
  comments.toggle();
  comments.forget();
  requests[0]?.resolve({ list: [], more: false });
  await turn();
  expect([comments.loading, comments.list(article)]).toEqual([false, null]);
});
