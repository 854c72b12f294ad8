// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { EpisodeDownload } from '../ipc';

const calls: [string, unknown][] = [];
vi.mock('../ipc', () => ({
  call: (name: string, args: unknown) => {
    calls.push([name, args]);
    return Promise.resolve(name === 'download_episodes' ? 1 : null);
  },
  asIpcError: (error: unknown) => error,
}));

const { episodes } = await import('./episodes.svelte');
const { player } = await import('./player.svelte');
const { toasts } = await import('./toasts.svelte');
const { undo } = await import('./undo.svelte');
const { downloadText } = await import('../messages/downloads');
const { downloadMenu } = await import('../../components/player/download-menu');

const episode = (part: Partial<EpisodeDownload> = {}): EpisodeDownload => ({
  id: 1,
  feed_id: 2,
  title: 'E',
  url: 'https://a.example/1.mp3',
  state: 'queued',
  bytes: 0,
  total: null,
  error: null,
  local_url: null,
  ...part,
});
const item = {
  id: 1,
  feed_id: 2,
  feed: 'F',
  title: 'E',
  url: episode().url,
  video: false,
  has_chapters: false,
  artwork: null,
};
const labels = () => downloadMenu(1).map(({ label }) => label);

beforeEach(() => {
  player.close();
  episodes.onChanged([]);
  calls.length = 0;
});

describe('episodes', () => {
  it('says how far a download is, and forgets it when it ends', () => {
    const queued = episode();
    episodes.onChanged([queued]);
    expect(downloadText(queued, episodes.progress(queued))).toBe('Queued');
    episodes.onProgress({ id: 1, url: queued.url, bytes: 40, total: 100 });
    expect(downloadText(queued, episodes.progress(queued))).toBe('Downloading: 40%');
    const done = episode({ state: 'downloaded', bytes: 100, local_url: 'http://127.0.0.1:9/t/1' });
    episodes.onChanged([done]);
    expect(episodes.progress(queued)).toBeUndefined();
    expect([downloadText(done), episodes.bytes, episodes.articles]).toEqual(['Downloaded', 100, 1]);
  });

  it('offers what the state allows', () => {
    expect(labels()).toEqual(['Download episode']);
    episodes.onChanged([episode()]);
    expect(labels()).toEqual(['Cancel download']);
    const error = { code: 'http_not_found', params: {} } as unknown as EpisodeDownload['error'];
    const failed = episode({ state: 'failed', error });
    episodes.onChanged([failed]);
    expect(labels()).toEqual(['Retry download', 'Remove download']);
    expect(downloadText(failed)).toMatch(/^Download failed: ./);
    expect(downloadText(failed, undefined, true)).toBe('Download failed');
    episodes.onChanged([episode({ state: 'downloaded' })]);
    expect(labels()).toEqual(['Remove download']);
  });

  it('plays the downloaded file, or the web if that fails', () => {
    player.start(item, null);
    expect(player.source).toBe(item.url);
    player.close();
    episodes.onChanged([episode({ state: 'downloaded', local_url: 'http://127.0.0.1:9/t/1' })]);
    player.start(item, null);
    expect(player.source).toBe('http://127.0.0.1:9/t/1');
    const media = document.createElement('audio');
    media.setAttribute('src', player.source);
    media.play = () => Promise.resolve();
    player.attach(media);
    player.onError(media);
    expect(player.source).toBe(item.url);
    expect(player.now).toEqual(item);
  });

  it('removes a download, which can be downloaded again', async () => {
    await episodes.remove(episode({ state: 'downloaded' }));
    expect(calls).toEqual([['remove_episodes', { ids: [1], url: item.url }]]);
    await episodes.download([1], item.url);
    expect(calls).toContainEqual(['download_episodes', { ids: [1], url: item.url }]);
  });

  it('cancels the downloads that were just queued, but not older ones', async () => {
    episodes.onChanged([episode({ state: 'downloaded' })]);
    await episodes.download([1, 2]);
    expect(toasts.shown[0]?.action?.label).toBe('Cancel');
    calls.length = 0;
    toasts.shown[0]?.action?.run();
    await vi.waitFor(() => expect(toasts.shown[0]?.text).toBe('Cancelled the download'));
    expect(calls).toEqual([['remove_episodes', { ids: [2], url: null }]]);
    await episodes.download([1]);
    expect(toasts.shown[0]?.action).toBeUndefined();
  });

  it('undoes and redoes the removal, and nothing older', async () => {
    const older = { step: 7, restore: vi.fn() };
    undo.push(older);
    await episodes.remove(episode({ state: 'downloaded' }));
    calls.length = 0;
    await undo.take();
    expect(calls).toEqual([['download_episodes', { ids: [1], url: item.url }]]);
    expect([undo.has(older), undo.canRedo, toasts.shown[0]?.text]).toEqual([true, true, 'Downloading the episode']);
    calls.length = 0;
    await undo.redo();
    expect(calls).toEqual([['remove_episodes', { ids: [1], url: item.url }]]);
    // By the button of the message, it is undone once.
    calls.length = 0;
    toasts.shown[0]?.action?.run();
    await undo.idle;
    expect([calls.length, undo.has(older)]).toEqual([1, true]);
  });
});
