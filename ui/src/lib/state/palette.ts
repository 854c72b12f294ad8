/** Entries of the command palette: available actions, views, saved searches, tags, folders and feeds. */
import { windowMenu } from '../../components/sidebar/library-menu';
import { BINDINGS, type Action } from '../keys/bindings';
import { t } from '../messages';
import { settingsSectionText } from '../messages/settings-sections';
import { fold } from '../rank';
import { folderPaths } from '../tree';
import { collections } from './collections.svelte';
import { dialogs, SETTINGS_PARTS } from './dialogs.svelte';
import { act, usable } from './keyboard.svelte';
import { library } from './library.svelte';
import { showSource } from './navigation';
import { search } from './search.svelte';
import type { Source } from '../ipc';

export type Entry = {
  readonly key: string;
  readonly label: string;
  /** Kind of entry, or where it is located. */
  readonly hint: string;
  readonly folded: string;
  readonly action?: Action;
  readonly feed?: { readonly url: string; readonly icon: string | null };
  readonly run: () => void;
};

/** Not offered: the palette itself, and actions that only the focused pane can perform. */
const LEFT_OUT: ReadonlySet<Action> = new Set<Action>([
  'palette',
  'close',
  'open',
  'context',
  'rename',
  'move_up',
  'move_down',
  'move_out',
  'move_in',
  'select_one',
  'select_up',
  'select_down',
]);

type Plain = Omit<Entry, 'folded'>;

const place = (key: string, label: string, hint: string, source: Source): Plain => ({
  key,
  label,
  hint,
  run: () => void showSource(source),
});

export function entries(): Entry[] {
  const actions: Plain[] = BINDINGS.filter(({ action }) => !LEFT_OUT.has(action) && usable(action)).map(
    ({ action, name, group }) => ({ key: action, label: t(name), hint: t(group), action, run: () => act(action) }),
  );
  const menu: Plain[] = windowMenu().flatMap((item) =>
    item === 'line' || item.action
      ? []
      : [{ key: `menu-${item.label}`, label: item.label, hint: t('keys.window'), run: item.run }],
  );
  const parts: Plain[] = SETTINGS_PARTS.map((part) => ({
    key: `settings-${part}`,
    label: settingsSectionText(part),
    hint: t('settings.title'),
    run: () => dialogs.show({ kind: 'settings', part }),
  }));
  const paths = new Map(folderPaths(library.folders).map(({ id, path }) => [id, path]));
  const feeds: Plain[] = library.feeds.map((feed) => ({
    key: `feed-${feed.id}`,
    label: feed.title,
    hint: (feed.folder_id !== null && paths.get(feed.folder_id)) || t('palette.feed'),
    feed,
    run: () => void showSource({ kind: 'feed', id: feed.id }),
  }));
  const all: Plain[] = [
    ...actions,
    ...menu,
    ...parts,
    ...collections.searches.map((saved) => ({
      key: `search-${saved.id}`,
      label: saved.name,
      hint: t('palette.search'),
      run: () => search.openSaved(saved),
    })),
    ...collections.tags.map((tag) => place(`tag-${tag.id}`, tag.name, t('palette.tag'), { kind: 'tag', id: tag.id })),
    ...library.folders.map((folder) =>
      place(`folder-${folder.id}`, paths.get(folder.id) ?? folder.name, t('palette.folder'), {
        kind: 'folder',
        id: folder.id,
      }),
    ),
    ...feeds,
  ];
  return all.map((entry) => ({ ...entry, folded: fold(entry.label) }));
}

/** The last entry for typed text: search the articles for it. */
export const searchEntry = (typed: string): Entry => ({
  key: 'search-for',
  label: t('palette.search_for', { query: typed }),
  hint: t('search.label'),
  folded: '',
  run: () => search.show(typed),
});
