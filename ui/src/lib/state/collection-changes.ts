/** Changes of searches, tags and categories that dialogs make. Loaded on demand. */
import { asIpcError, call } from '../ipc';
import { t } from '../messages';
import { errorText } from '../messages/errors';
import { reading } from './article.svelte';
import { attempt, collections, undoable } from './collections.svelte';
import { list } from './list.svelte';
import { toasts } from './toasts.svelte';
import { undo, type UndoEntry } from './undo.svelte';

/** Rejects with an `IpcError`: the name may be taken. */
export async function saveSearch(name: string, query: string): Promise<number> {
  const { search_id } = await call('save_search', { name, query });
  await collections.load();
  offerToDelete(search_id, t('order.search.saved', { name }));
  return search_id;
}

/** Makes saving a search a step that can be undone: this deletes the search, and doing it again restores it. */
function offerToDelete(search_id: number, did: string): void {
  let deleted: number | undefined;
  const entry: UndoEntry = {
    step: search_id,
    did,
    undoStep: async () => {
      deleted = (await call('delete_saved_search', { search_id })).undo;
    },
    restore: () => void collections.load(),
    again: async () => {
      if (deleted !== undefined) await call('undo', { undo: deleted });
      await collections.load();
      offerToDelete(search_id, did);
    },
  };
  undo.push(entry);
  toasts.show(did, { action: undo.button(entry) });
}

/** Returns the tags of an article, which is not counted as opened. Rejects with an `IpcError`. */
export async function tagsOf(id: number): Promise<readonly string[]> {
  const { article } = reading;
  return (article?.id === id ? article : await call('show_text', { id, full: false })).tags;
}

/** Adds a tag to articles or removes it. */
export const setTag = (ids: readonly number[], name: string, on: boolean): Promise<void> =>
  attempt(async () => {
    const { undo: step } = await call('tag_articles', { ids: [...ids], name, on });
    await reading.reloadMarks();
    undo.push({
      step,
      did: t(on ? 'order.tag.added' : 'order.tag.removed', { name }),
      again: () => setTag(ids, name, on),
      restore: () => {
        void reading.reloadMarks();
        void collections.load().then(leaveGoneTag);
      },
    });
  });

/** Leaves the list of a tag that was deleted because its creation was undone. */
function leaveGoneTag(): void {
  const { source } = list;
  if (source.kind === 'tag' && !collections.tagById.has(source.id)) list.replace({ kind: 'unread' });
}

/** Sets what a category means; `null` removes the synonym. Returns an error message or `null`. */
export async function setSynonym(category: string, means: string | null, restore: () => void): Promise<string | null> {
  try {
    const { undo: step } = await call('set_category_synonym', { category, means });
    undoable(
      means === null
        ? t('categories.unmerged', { key: category })
        : t('categories.merge.done', { key: category, means }),
      step,
      restore,
      async () => {
        const failure = await setSynonym(category, means, restore);
        if (failure === null) restore();
        else toasts.show(failure, { isError: true });
      },
    );
    return null;
  } catch (error) {
    return errorText(asIpcError(error)).what;
  }
}
