import { beforeEach, expect, it } from 'vitest';
import type { ImportSummary } from '../ipc';
import { dialogs } from './dialogs.svelte';
import { importing } from './import.svelte';
import { toasts } from './toasts.svelte';

const came = (file: string) => importing.onFinished({ file, error: null } as ImportSummary);
const files = () => importing.summaries.map(({ file }) => file);

beforeEach(() => {
  dialogs.close();
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
  expect(toasts.shown.map(({ text }) => text)).toEqual(['b imported']);
  toasts.shown[0]?.action?.run();
  expect(dialogs.open?.kind).toBe('import');
  expect(toasts.shown).toEqual([]);
  expect(files()).toEqual(['a', 'b']);
});
