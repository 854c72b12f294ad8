/** The menus of highlights and notes. */
import Copy from '@lucide/svelte/icons/copy';
import FileDown from '@lucide/svelte/icons/file-down';
import Highlighter from '@lucide/svelte/icons/highlighter';
import NotebookPen from '@lucide/svelte/icons/notebook-pen';
import type { Article } from '../../lib/ipc';
import { t } from '../../lib/messages';
import { notes, saveNotes } from '../../lib/state/notes.svelte';
import type { MenuItem } from '../shared/menu-item';

/** Highlights the selected text, and writes a note on it. */
export function selectionItems(): MenuItem[] {
  return [
    {
      label: t('notes.mark'),
      icon: Highlighter,
      action: 'highlight',
      disabled: !notes.usable,
      run: () => void notes.mark(),
    },
    {
      label: t('notes.mark_write'),
      icon: NotebookPen,
      action: 'write_note',
      disabled: !notes.usable,
      run: () => void notes.write(),
    },
  ];
}

/** Menu of highlights and notes of an article. */
export function notesMenu({ id, title }: Article): MenuItem[] {
  const none = notes.all.length === 0;
  return [
    ...selectionItems(),
    { label: t('notes.copy'), icon: Copy, disabled: none, run: () => void notes.copy([id]) },
    { label: t('notes.save'), icon: FileDown, disabled: none, run: () => void saveNotes([id], title) },
  ];
}
