// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NotedPage } from '../article/noted-page';
import type { CommandName, Core } from '../ipc';
import { fakeCore } from '../ipc/fake';
import { reading } from './article.svelte';
import { collections } from './collections.svelte';
import { follow } from './events';
import { list } from './list.svelte';
import { notes } from './notes.svelte';
import { toasts } from './toasts.svelte';
import { undo } from './undo.svelte';

const shell = vi.hoisted(() => ({ core: null as Core | null, refused: null as string | null }));

vi.mock('../ipc', async (original) => ({
  ...(await original<typeof import('../ipc')>()),
  call: (name: CommandName, args?: unknown) => {
    if (shell.refused === name) return Promise.reject({ code: 'disk_full', message: 'full', detail: null });
    return shell.core?.call(name, args ?? null);
  },
  on: (name: never, handler: never) => {
    const stop = shell.core?.on(name, handler);
    return () => void stop?.then((end) => end());
  },
}));

const settle = () => vi.advanceTimersByTimeAsync(2000);
const texts = () => notes.all.map((note) => note.text);

/** A page of this HTML with its first paragraph selected. */
function page(html: string): NotedPage {
  document.body.innerHTML = `<main>${html}</main>`;
  const root = document.querySelector('main')!;
  const shown = new NotedPage(document, root);
  document.getSelection()?.selectAllChildren(root.querySelector('p')!);
  return shown;
}

let stop: () => void;

beforeEach(async () => {
  vi.useFakeTimers();
  vi.stubGlobal('requestAnimationFrame', () => 0);
  shell.core = fakeCore();
  shell.refused = null;
  undo.forget();
  reading.close();
  stop = follow();
  void list.show({ kind: 'all' });
  void collections.load();
  await settle();
  void reading.open(list.rows[1]!.id);
  await settle();
  void notes.open(reading.id);
  await settle();
});

afterEach(() => {
  stop();
  notes.shown = false;
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('notes', () => {
  it('are of the article that is open', async () => {
    expect(notes.all).toEqual([]);
    void notes.open(list.rows[0]!.id);
    await settle();
    expect(notes.all).toHaveLength(4);
    expect(collections.noted).toBe(1);
  });

  it('mark what is selected, and what is lost is told', async () => {
    notes.page = page('<p>One two</p><p>three</p>');
    void notes.mark('blue');
    await settle();
    expect(notes.all).toMatchObject([{ quote: { exact: 'One two', suffix: ' three' }, color: 'blue' }]);
    expect(collections.noted).toBe(2);
    await notes.place();
    expect(notes.placed).toEqual([notes.here]);
    notes.page = page('<p>Something else</p>');
    await notes.place();
    expect([...notes.lost]).toEqual([notes.here]);
    void undo.take();
    await settle();
    expect(notes.all).toEqual([]);
  });

  it('are kept on the article on which they were begun', async () => {
    const first = notes.of!;
    notes.edit('article');
    const draft = notes.begin('article', first, '');
    draft.text = 'Later.';
    void notes.open(list.rows[2]!.id);
    void notes.end('article', draft);
    await settle();
    expect(texts()).toEqual([]);
    void notes.open(first);
    await settle();
    expect(texts()).toEqual(['Later.']);
    notes.edit('article');
    expect(notes.editing).toBe(notes.all[0]!.id);
    void notes.remove(notes.all[0]!);
    await settle();
    expect([texts(), notes.editing]).toEqual([[], null]);
    void undo.take();
    await settle();
    expect(texts()).toEqual(['Later.']);
  });

  it('are saved while they are written, and taken back in one step', async () => {
    notes.edit('article');
    const draft = notes.begin('article', notes.of!, '');
    for (const text of ['One', 'One two', 'One two three']) {
      draft.text = text;
      draft.typed();
      await settle();
      expect(texts()).toEqual([text]);
    }
    // It is in the editor already.
    notes.edit('article');
    expect(notes.editing).toBe('article');
    notes.editing = null;
    void notes.end('article', draft);
    await settle();
    void undo.take();
    await settle();
    expect(texts()).toEqual([]);
  });

  it('are as they were where their writing is given up', async () => {
    const draft = notes.begin('article', notes.of!, '');
    draft.text = 'Never mind';
    draft.typed();
    await settle();
    void draft.cancel();
    void notes.end('article', draft);
    await settle();
    expect([texts(), draft.dirty]).toEqual([[], false]);
  });

  it('stay in the editor where the core refuses, and come back with the article', async () => {
    shell.refused = 'add_note';
    const first = notes.of!;
    notes.edit('article');
    const draft = notes.begin('article', first, '');
    draft.text = 'Lost?';
    draft.typed();
    await settle();
    expect([texts(), draft.error?.code]).toEqual([[], 'disk_full']);
    await expect(notes.settle()).rejects.toMatchObject({ code: 'disk_full' });
    void notes.open(list.rows[2]!.id);
    void notes.end('article', draft);
    await settle();
    expect([notes.editing, toasts.shown.some((toast) => toast.trouble)]).toEqual([null, true]);
    shell.refused = null;
    void notes.open(first);
    expect([notes.editing, notes.shown]).toEqual(['article', true]);
    const again = notes.begin('article', first, '');
    expect(again.text).toBe('Lost?');
    void again.save();
    await settle();
    expect([texts(), again.error]).toEqual([['Lost?'], null]);
  });

  it('are not written into another library', async () => {
    const draft = notes.begin('article', notes.of!, '');
    draft.text = 'Of the former';
    notes.forget();
    void notes.end('article', draft);
    await settle();
    expect(texts()).toEqual([]);
  });
});
