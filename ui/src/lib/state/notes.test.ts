// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TestCore } from '../../../tests/core';
import { AnnotatedPage } from '../article/annotated-page';
import type { CommandName } from '../ipc';
import { reading } from './article.svelte';
import { collections } from './collections.svelte';
import { listenToCore } from './events';
import { list } from './list.svelte';
import { notes } from './notes.svelte';
import { toasts } from './toasts.svelte';
import { undo } from './undo.svelte';

const test = vi.hoisted(() => ({ core: null as TestCore | null }));

vi.mock('../ipc', async (original) => ({
  ...(await original<typeof import('../ipc')>()),
  call: (name: CommandName, args?: unknown) => test.core?.call(name, args),
  on: (name: never, handler: never) => {
    const stop = test.core?.on(name, handler);
    return () => void stop?.then((end) => end());
  },
}));

const core = () => test.core as TestCore;
const settle = () => core().settle();
const texts = () => notes.all.map((note) => note.text);

/** Creates a page from HTML and selects its first paragraph. */
function page(html: string): AnnotatedPage {
  document.body.innerHTML = `<main>${html}</main>`;
  const root = document.querySelector('main')!;
  const shown = new AnnotatedPage(document, root);
  document.getSelection()?.selectAllChildren(root.querySelector('p')!);
  return shown;
}

let stop: () => void;

beforeEach(async () => {
  vi.useFakeTimers();
  vi.stubGlobal('requestAnimationFrame', () => 0);
  test.core = await TestCore.open();
  undo.forget();
  reading.close();
  stop = listenToCore();
  await core().call('ready');
  void list.show({ kind: 'all' });
  void collections.load();
  await settle();
  for (const text of ['One', 'Two', 'Three', 'Four'])
    await core().call('add_note', { article_id: list.rows[0]!.id, quote: null, color: 'yellow', text });
  void reading.open(list.rows[1]!.id);
  await settle();
  void notes.open(reading.id);
  await settle();
});

afterEach(async () => {
  stop();
  await core().close();
  notes.shown = false;
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('notes', () => {
  it('belong to the open article', async () => {
    expect(notes.all).toEqual([]);
    void notes.open(list.rows[0]!.id);
    await settle();
    expect(notes.all).toHaveLength(4);
    await core().until(() => collections.noted === 1);
  });

  it('highlight the selection, and report missing passages', async () => {
    notes.page = page('<p>One two</p><p>three</p>');
    void notes.mark('blue');
    await settle();
    expect(notes.all).toMatchObject([{ quote: { exact: 'One two', suffix: ' three' }, color: 'blue' }]);
    await core().until(() => collections.noted === 2);
    await notes.place();
    expect(notes.placed).toEqual([notes.here]);
    notes.page = page('<p>Something else</p>');
    await notes.place();
    expect([...notes.lost]).toEqual([notes.here]);
    void undo.take();
    await settle();
    expect(notes.all).toEqual([]);
  });

  it('no longer report that one was not saved once the next one is saved', async () => {
    const article = notes.of!;
    const write = async (text: string) => {
      const draft = notes.begin('article', article, '');
      draft.text = text;
      void notes.end('article', draft);
      await settle();
    };
    notes.offerToResume('article', article, '', 'Cancelled');
    const [offer] = toasts.shown;
    await write('');
    expect(toasts.shown).toEqual([offer]);
    await write('Saved');
    expect(toasts.shown).not.toContain(offer);
  });

  it('stay with the article they were started on', async () => {
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

  it('are saved while typing and undone in one step', async () => {
    notes.edit('article');
    const draft = notes.begin('article', notes.of!, '');
    for (const text of ['One', 'One two', 'One two three']) {
      draft.text = text;
      draft.typed();
      await settle();
      expect(texts()).toEqual([text]);
    }
    // The note is already in the editor.
    notes.edit('article');
    expect(notes.editing).toBe('article');
    notes.editing = null;
    void notes.end('article', draft);
    await settle();
    void undo.take();
    await settle();
    expect(texts()).toEqual([]);
  });

  it('leave nothing to undo if they are new and cleared, and can be written again', async () => {
    notes.edit('article');
    const draft = notes.begin('article', notes.of!, '');
    const write = async (text: string) => {
      draft.text = text;
      draft.typed();
      await settle();
      return [draft.error, undo.canUndo, texts()];
    };
    expect(await write('Abc')).toEqual([null, true, ['Abc']]);
    expect(await write('')).toEqual([null, false, []]);
    expect(await write('Def')).toEqual([null, true, ['Def']]);
    notes.editing = null;
    void notes.end('article', draft);
    await settle();
    void undo.take();
    await settle();
    expect(texts()).toEqual([]);
    void undo.redo();
    await settle();
    expect(texts()).toEqual(['Def']);
  });

  it('that were added are restored by redoing, with the changes that followed', async () => {
    notes.page = page('<p>One two</p>');
    void notes.mark('blue');
    await settle();
    const draft = notes.begin('article', notes.of!, '');
    draft.text = 'Written';
    void notes.end('article', draft);
    await settle();
    const added = [...notes.all];
    for (const { id } of added) {
      void notes.change(id, { text: 'Changed' });
      await settle();
    }
    for (let step = 0; step < 4; step++) {
      void undo.take();
      await settle();
    }
    expect(notes.all).toEqual([]);
    for (let step = 0; step < 4; step++) {
      void undo.redo();
      await settle();
    }
    expect(notes.all).toMatchObject(added.map(({ id, quote }) => ({ id, quote, text: 'Changed' })));
    expect(undo.canRedo).toBe(false);
  });

  it('are restored when editing is cancelled', async () => {
    const draft = notes.begin('article', notes.of!, '');
    draft.text = 'Never mind';
    draft.typed();
    await settle();
    void draft.cancel();
    void notes.end('article', draft);
    await settle();
    expect([texts(), draft.dirty]).toEqual([[], false]);
  });

  it('stay in the editor if the core refuses, and return with the article', async () => {
    core().refused = { command: 'add_note', code: 'disk_full' };
    const first = notes.of!;
    notes.edit('article');
    const draft = notes.begin('article', first, '');
    draft.text = 'Lost?';
    draft.typed();
    await settle();
    expect([texts(), draft.error?.code]).toEqual([[], 'disk_full']);
    await expect(notes.saveDraft()).rejects.toMatchObject({ code: 'disk_full' });
    void notes.open(list.rows[2]!.id);
    void notes.end('article', draft);
    await settle();
    expect([notes.editing, toasts.shown.some((toast) => toast.isError)]).toEqual([null, true]);
    core().refused = null;
    void notes.open(first);
    expect([notes.editing, notes.shown]).toEqual(['article', true]);
    const again = notes.begin('article', first, '');
    expect(again.text).toBe('Lost?');
    void again.save();
    await settle();
    expect([texts(), again.error]).toEqual([['Lost?'], null]);
  });

  it('are not saved into another library', async () => {
    const draft = notes.begin('article', notes.of!, '');
    draft.text = 'Of the former';
    notes.forget();
    void notes.end('article', draft);
    await settle();
    expect(texts()).toEqual([]);
  });
});
