/** Saved searches, tags, hidden and protected articles, and category synonyms. */
import {
  call,
  type Article,
  type ArticleRow,
  type Collections,
  type LanguageView,
  type SavedSearch,
  type Source,
  type Tag,
} from '../ipc';
import { lacking } from '../list/selection';
import { t } from '../messages';
import { successor } from '../successor';
import { reading } from './article.svelte';
import { library } from './library.svelte';
import { list, sameSource } from './list.svelte';
import { toasts } from './toasts.svelte';
import { undo, type UndoEntry } from './undo.svelte';

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

class CollectionsState {
  searches = $state.raw<readonly SavedSearch[]>([]);
  tags = $state.raw<readonly Tag[]>([]);
  noted = $state(0);
  hidden = $state(0);
  listening = $state(0);
  languages = $state.raw<readonly LanguageView[]>([]);

  readonly tagById = $derived(new Map(this.tags.map((tag) => [tag.id, tag])));

  update(collections: Collections): void {
    // The event is sent after each mark; unchanged lists must not be redrawn.
    if (!same(this.searches, collections.searches)) this.searches = collections.searches;
    if (!same(this.tags, collections.tags)) this.tags = collections.tags;
    if (!same(this.languages, collections.languages)) this.languages = collections.languages;
    this.noted = collections.noted;
    this.hidden = collections.hidden;
    this.listening = collections.listening;
  }

  async load(): Promise<void> {
    try {
      this.update(await call('collections'));
    } catch (error) {
      console.warn('collections', error);
    }
  }
}

export const collections = new CollectionsState();

export function undoable(
  text: string,
  step: number,
  restore: () => void = () => {},
  again?: () => Promise<unknown>,
): UndoEntry {
  const entry: UndoEntry = {
    step,
    did: text,
    again,
    restore: () => {
      restore();
      void collections.load();
    },
  };
  undo.push(entry);
  toasts.show(text, { action: undo.button(entry) });
  return entry;
}

/** Runs an action and shows a toast if it fails. */
export const attempt = (what: () => Promise<void>): Promise<void> => undo.during(attemptNow(what));

async function attemptNow(what: () => Promise<void>): Promise<void> {
  try {
    await what();
    await collections.load();
  } catch (error) {
    toasts.error(error);
  }
}

/** Rejects with an `IpcError`: the name may be taken. */
export async function renameSearch(search: SavedSearch, name: string): Promise<void> {
  const { undo: step } = await call('change_saved_search', { search_id: search.id, name, query: null, notify: null });
  await collections.load();
  undoable(t('order.search.renamed', { name }), step, undefined, () => renameSearch(search, name));
}

export const changeQuery = (search: SavedSearch, query: string): Promise<void> =>
  attempt(async () => {
    const { undo: step } = await call('change_saved_search', {
      search_id: search.id,
      name: null,
      query,
      notify: null,
    });
    undoable(t('order.search.changed', { name: search.name }), step, undefined, () => changeQuery(search, query));
  });

/** Turns notifications of new matches on or off. */
export const notifyOf = (search: SavedSearch, notify: boolean): Promise<void> =>
  attempt(async () => {
    const change = { search_id: search.id, name: null, query: null, notify };
    const { undo: step } = await call('change_saved_search', change);
    const { name } = search;
    const text = notify ? t('order.search.notifies', { name }) : t('order.search.silent', { name });
    undoable(text, step, undefined, () => notifyOf(search, notify));
  });

export const deleteSearch = undo.single(
  (search: SavedSearch) => search.id,
  (search) =>
    attempt(async () => {
      const { undo: step } = await call('delete_saved_search', { search_id: search.id });
      undoable(t('order.search.deleted', { name: search.name }), step, undefined, () => deleteSearch(search));
    }),
);

export const moveSearch = (search: SavedSearch, by: 1 | -1): Promise<void> =>
  attempt(async () => {
    const at = collections.searches.findIndex((other) => other.id === search.id);
    await call('move_saved_search', { search_id: search.id, to: Math.max(0, at + by) });
  });

/** Returns a tag as it is now: it has another id if its creation was undone and done again. */
const current = (tag: Tag): Tag =>
  collections.tagById.get(tag.id) ?? collections.tags.find(({ name }) => name === tag.name) ?? tag;

/** Rejects with an `IpcError`. */
export async function renameTag(tag: Tag, name: string): Promise<void> {
  // The core may report that one is gone before it responds.
  const before = collections.tags;
  const { undo: step } = await call('rename_tag', { tag_id: tag.id, name });
  const here = list.source;
  await Promise.all([collections.load(), reading.reloadMarks()]);
  // The tag is merged with another one of that name.
  const merged = before.find((one) => one.id !== tag.id && !collections.tagById.has(one.id));
  const gone = here.kind === 'tag' && here.id === merged?.id;
  if (gone) void list.reload({ kind: 'tag', id: tag.id });
  else if (merged) reloadTag(tag.id);
  const restore = () => {
    // The place in another list says nothing about this one.
    const isShown = !list.searching && sameSource(list.source, { kind: 'tag', id: tag.id });
    if (gone) void (isShown ? list.reload(here) : list.show(here));
    else if (merged) reloadTag(tag.id);
    void reading.reloadMarks();
  };
  const text = merged ? t('order.tag.merged', { name: tag.name, into: name }) : t('order.tag.renamed', { name });
  undoable(text, step, restore, () => renameTag(current(tag), name));
}

/** Reloads the list of a tag whose articles have changed, if it is shown or behind search results. */
function reloadTag(id: number): void {
  const { source } = list;
  if (!sameSource(source, { kind: 'tag', id })) return;
  if (list.searching) list.replace(source);
  else void list.reload();
}

/** Returns the list to show instead of a removed tag: the next tag, or else the previous one. */
function neighbourTag(id: number): Source {
  const ids = collections.tags.map((tag) => tag.id);
  const heir = successor(
    id,
    ids,
    ids.filter((one) => one !== id),
  );
  return heir === undefined ? { kind: 'unread' } : { kind: 'tag', id: heir };
}

export const deleteTag = undo.single(
  (tag: Tag) => tag.id,
  (tag) =>
    attempt(async () => {
      // The core may report that it is gone before it responds.
      const here = list.source;
      const shown = here.kind === 'tag' && here.id === tag.id;
      const next = neighbourTag(tag.id);
      const { undo: step } = await call('delete_tag', { tag_id: tag.id });
      if (shown && sameSource(here, list.source)) list.replace(next);
      void reading.reloadMarks();
      const restore = () => {
        if (shown) list.replace(here);
        void reading.reloadMarks();
      };
      undoable(t('order.tag.deleted', { name: tag.name }), step, restore, () => deleteTag(current(tag)));
    }),
);

type Subject = Pick<ArticleRow, 'id' | 'title'>;

/** Hides an article, or unhides it. `restored` is called when that is undone. Returns `null` if it failed. */
export async function setHidden(
  { id, title }: Subject,
  hidden: boolean,
  restored?: () => void,
): Promise<UndoEntry | null> {
  let entry: UndoEntry | null = null;
  await attempt(async () => {
    const marked = await call('mark', { ids: [id], read: null, starred: null, hidden, kept: null });
    reading.patch(id, { hidden });
    const putBack = list.without(id);
    library.countSoon();
    const text = t(hidden ? 'order.hide.done' : 'order.unhide.done', { title: title || t('list.untitled') });
    const restore = () => {
      reading.patch(id, { hidden: !hidden });
      putBack();
      // It may be in the list again with the new articles.
      list.fresh = lacking(list.fresh, id);
      restored?.();
    };
    entry = undoable(text, marked.undo, restore, () => setHidden({ id, title }, hidden, restored));
  });
  return entry;
}

export const setKept = (article: Article, kept: boolean): Promise<void> =>
  attempt(async () => {
    const marked = await call('mark', { ids: [article.id], read: null, starred: null, hidden: null, kept });
    reading.patch(article.id, { kept });
    const restore = () => reading.patch(article.id, { kept: !kept });
    undoable(t(kept ? 'order.keep.done' : 'order.unkeep.done'), marked.undo, restore, () => setKept(article, kept));
  });
