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
    void notes.open(list.rows[2]!.id);
    void notes.save('article', first, 'Later.');
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

  it('stay as they are where the core refuses', async () => {
    shell.refused = 'add_note';
    void notes.save('article', notes.of!, 'Lost?');
    await settle();
    expect(texts()).toEqual([]);
    expect(toasts.shown.some((toast) => toast.trouble)).toBe(true);
  });
});
