import { beforeEach, expect, it, vi } from 'vitest';
import { call, type ImportPreview, type ImportSummary, type RefreshProgress } from '../ipc';
import en from '../messages/en.json';
import { setCatalogue } from '../messages/catalogue.svelte';
import { reading } from './article.svelte';
import { dialogs } from './dialogs.svelte';
import { importing } from './import.svelte';
import { importResults } from './import-results.svelte';
import { refresh } from './refresh.svelte';
import { toasts } from './toasts.svelte';
import { undo } from './undo.svelte';

const reloadList = vi.hoisted(() => vi.fn());
vi.mock('./navigation', () => ({ reloadList }));
vi.mock('../ipc', async (original) => ({ ...(await original<object>()), call: vi.fn() }));
setCatalogue(en, 'en');

const came = (file: string, more: Partial<ImportSummary> = {}) =>
  importResults.onFinished({ file, error: null, undo: null, ...more } as ImportSummary);
const read = (file: string) => importResults.onPrepared([{ file, new_feeds: 1, error: null } as ImportPreview]);
const files = () => importResults.summaries.map(({ file }) => file);
const texts = () => toasts.shown.map(({ text }) => text);

beforeEach(() => {
  vi.mocked(call).mockReset().mockResolvedValue(null);
  dialogs.close();
  undo.forget();
  importResults.discard();
  for (const { id } of toasts.shown) toasts.dismiss(id);
});

it('shows all files of a run in one dialog', () => {
  came('a');
  const shown = dialogs.open;
  came('b');
  expect(shown).toEqual({ kind: 'import' });
  expect(dialogs.open).toBe(shown);
  expect(files()).toEqual(['a', 'b']);
  dialogs.close();
  came('c');
  expect(files()).toEqual(['c']);
});

it('keeps an open dialog and offers to show the results', () => {
  dialogs.show({ kind: 'settings' });
  came('a');
  came('b');
  expect(dialogs.open?.kind).toBe('settings');
  expect(texts()).toEqual(['b imported']);
  toasts.shown[0]?.action?.run();
  expect(dialogs.open?.kind).toBe('import');
  expect(toasts.shown).toEqual([]);
  expect(files()).toEqual(['a', 'b']);
});

it('asks before anything is imported, once for all files that wait', () => {
  read('a');
  expect(dialogs.open).toEqual({ kind: 'import_preview' });
  read('b');
  expect(importResults.previews.map(({ file }) => file)).toEqual(['a', 'b']);
  vi.mocked(call).mockClear();
  importResults.confirm();
  expect(vi.mocked(call).mock.calls).toEqual([['confirm_import']]);
  expect(dialogs.open).toBeNull();
  dialogs.show({ kind: 'settings' });
  read('c');
  expect(texts()).toEqual(['Import these feeds?']);
  toasts.shown[0]?.action?.run();
  expect(dialogs.open?.kind).toBe('import_preview');
  dialogs.close();
  expect(dialogs.open).toBeNull();
});

it('shows no progress after a cancellation', async () => {
  let cancelled: () => void = () => undefined;
  vi.mocked(call).mockReturnValue(new Promise<never>((resolve) => (cancelled = resolve as () => void)));
  importing.cancel();
  importing.progress = { file: 'b', phase: 'reading', done: 0, total: 0 };
  cancelled();
  await vi.waitFor(() => expect(importing.progress).toBeNull());
});

it('asks when the open dialog is closed, even if its toast is gone', () => {
  dialogs.show({ kind: 'settings' });
  read('a');
  for (const { id } of toasts.shown) toasts.dismiss(id);
  dialogs.close();
  expect(dialogs.open?.kind).toBe('import_preview');
});

it('undoes all files of a run in one step, says what stays, and imports them again', async () => {
  const numbers = { feeds_added: 1, manual_feeds: 1, folders_added: 0, articles: 0, starred: 0, archive: null };
  came('a', { ...numbers, undo: 4 });
  came('b', { ...numbers, undo: 7 });
  dialogs.close();
  importResults.closed();
  expect(texts()).toEqual(['4 feeds added']);
  vi.mocked(call).mockImplementation((name, args) => {
    const { undo: step } = args as { undo: number };
    const undone = { redo: step + 10, feeds: 1, folders: 0, kept: step === 7 ? ['Rye'] : [] };
    return Promise.resolve(name === 'undo_import' ? undone : undefined) as never;
  });
  vi.mocked(call).mockClear();
  refresh.progress = { running: false, new_articles: 1689 } as RefreshProgress;
  await undo.take();
  expect(texts()).toEqual(['Import undone: 2 feeds removed']);
  expect(refresh.progress).toBeNull();
  expect(toasts.shown[0]?.detail).toContain('Rye');
  expect(undo.canUndo).toBe(false);
  await undo.redo();
  const called = vi.mocked(call).mock.calls.map(([name, args]) => [name, (args as { undo: number }).undo]);
  expect(called).toEqual([
    ['undo_import', 7],
    ['undo_import', 4],
    ['undo', 14],
    ['undo', 17],
  ]);
  expect(undo.canUndo).toBe(true);
});

it('undoes an import that only marked articles', async () => {
  const numbers = { feeds_added: 0, folders_added: 0, articles: 0, starred: 0, archive: null };
  came('starred.json', { ...numbers, existing_articles: 3, undo: 4 });
  dialogs.close();
  importResults.closed();
  expect(texts()).toEqual(['starred.json imported']);
  vi.mocked(call).mockResolvedValue({ redo: 14, feeds: 0, folders: 0, kept: [] } as never);
  await undo.take();
  expect(texts()).toEqual(['Undone: starred.json imported']);
  expect(toasts.shown[0]?.detail).toBeUndefined();
  expect(undo.canRedo).toBe(true);
});

it.each([
  ['another reader', { marked: 1, archive: null }],
  ['an archive', { marked: 0, archive: { marked: 1 } as ImportSummary['archive'] }],
])(
  'reloads the list and the marks of the open article when an import from %s is undone or done again',
  async (_, counts) => {
    const reloadMarks = vi.spyOn(reading, 'reloadMarks').mockClear();
    const reloaded = () => [reloadList.mock.calls.length, reloadMarks.mock.calls.length];
    came('starred.json', { feeds_added: 0, undo: 4, ...counts });
    vi.mocked(call).mockResolvedValue({ redo: 14, feeds: 0, folders: 0, kept: [] } as never);
    reloadList.mockClear();
    await undo.take();
    expect(reloaded()).toEqual([1, 1]);
    await undo.redo();
    expect(reloaded()).toEqual([2, 2]);
  },
);

it('says that new articles of known feeds stay when an import is undone', async () => {
  const numbers = { feeds_added: 0, folders_added: 0, articles: 499, starred: 499, archive: null };
  came('starred.json', { ...numbers, undo: 4, undo_keeps_articles: true });
  dialogs.close();
  importResults.closed();
  vi.mocked(call).mockResolvedValue({ redo: 14, feeds: 0, folders: 0, kept: [] } as never);
  await undo.take();
  expect(toasts.shown[0]?.detail).toBe('The articles added to existing feeds stay in the library');
});
