/** Entries of the command palette: available actions, views, saved searches, tags, folders and feeds. */
import { downloadMenu } from '../../components/player/download-menu';
import { queueMenu } from '../../components/player/queue-menu';
import { sleepMenu } from '../../components/player/sleep-menu';
import { smartMenu, treeMenu } from '../../components/sidebar/feed-menu';
import { libraryActions, windowMenu } from '../../components/sidebar/library-menu';
import type { MenuItem } from '../../components/shared/menu-item';
import { setGroup, setOrder } from '../../components/timeline/view-options';
import { BINDINGS, type Action } from '../keys/bindings';
import { currentLanguage, t, type PlainKey } from '../messages';
import { LANGUAGES, tagOf, type Language } from '../messages/languages';
import { settingLabels, settingsSectionText } from '../messages/settings-sections';
import { fold } from '../fold';
import { folderPaths } from '../tree';
import { collections } from './collections.svelte';
import { dialogs, SETTINGS_PARTS, type SettingsPart } from './dialogs.svelte';
import { episodes } from './episodes.svelte';
import { showFeedInfo } from './feeds';
import { markPlayed } from './listening';
import { act, usable } from './actions';
import { ARRANGEMENTS, DENSITIES, layout, LAYOUTS } from './layout.svelte';
import { library } from './library.svelte';
import { list } from './list.svelte';
import { player } from './player.svelte';
import { openSavedSearch, showSearch, showSource } from './navigation';
import { isStarted } from './row-progress';
import { settings } from './settings.svelte';
import { sharing } from './sharing.svelte';
import { GROUPINGS, hasOwnOrder, ORDERS, TEXT_ORDERS } from './views.svelte';
import type { ArticleFont, Source, Theme } from '../ipc';

export type Entry = {
  readonly key: string;
  readonly label: string;
  /** Kind of entry, or where it is located. */
  readonly hint: string;
  readonly folded: string;
  /** Other words that find the entry. */
  readonly also?: string;
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
  'cursor_down',
  'cursor_up',
  'select_one',
  'select_up',
  'select_down',
]);

/** Other words for an action, by which people look for it. */
const ALSO: Partial<Record<Action, PlainKey>> = {
  add: 'palette.also.add',
  browser: 'palette.also.browser',
  help: 'palette.also.help',
  arrangement: 'palette.also.layout',
  list_layout: 'palette.also.layout',
  play_later: 'palette.also.episode',
  print: 'palette.also.print',
  refresh: 'palette.also.refresh',
  refresh_all: 'palette.also.refresh',
  settings: 'palette.also.settings',
  statistics: 'palette.also.statistics',
  undo: 'palette.also.undo',
  zen: 'palette.also.zen',
  zoom: 'palette.also.zoom',
};

/** Other words for the sections of the settings: what can be set there. */
const SECTION_ALSO: Partial<Record<SettingsPart, PlainKey>> = {
  article: 'palette.also.article',
  reading: 'palette.also.reading',
  feeds: 'palette.also.feeds',
  background: 'palette.also.background',
  accounts: 'palette.also.accounts',
  sharing: 'palette.also.sharing',
  rules: 'palette.also.rules',
  retention: 'palette.also.retention',
};

const THEMES: readonly Theme[] = ['system', 'light', 'dark', 'sepia', 'contrast'];
const FONTS: readonly ArticleFont[] = ['serif', 'sans', 'system'];

type Plain = Omit<Entry, 'folded' | 'also'> & {
  readonly synonyms?: PlainKey;
  /** Other words, beside those of `synonyms`. */
  readonly names?: string;
};

/** The menu of the list that is shown: a feed, a folder or a view. `others`: entries that it need not repeat. */
function ofShownList(others: readonly Plain[]): Plain[] {
  const { source } = list;
  if (list.searching) return [];
  const row = library.tree.find((row) =>
    row.kind === 'feed'
      ? source.kind === 'feed' && row.feed.id === source.id
      : source.kind === 'folder' && row.folder.id === source.id,
  );
  const feed = row?.kind === 'feed' ? row.feed : undefined;
  const items: MenuItem[] = row ? treeMenu(row, () => feed && showFeedInfo(feed)) : smartMenu(source);
  const hint = row?.kind === 'folder' ? row.folder.name : (feed?.title ?? t('list.label'));
  const labels = new Set(others.map(({ label }) => label));
  return items.flatMap((item) =>
    item === 'line' || item.disabled || labels.has(item.label) || (item.action && !LEFT_OUT.has(item.action))
      ? []
      : [{ key: `list-${item.label}`, label: item.label, hint, run: item.run }],
  );
}

/** The menu of the selected episodes, but what the actions have. */
function ofEpisodes(): Plain[] {
  const rows = list.picks.ids.size > 0 ? list.picked() : list.rows.filter(({ id }) => id === list.selected);
  const playable = rows.filter(({ media }) => media !== null);
  const [row] = playable;
  if (!row) return [];
  const ids = playable.map(({ id }) => id);
  const items = queueMenu(() => ids, null, playable.length === 1 && player.now?.id === row.id);
  if (playable.length > 1) items.push({ label: t('downloads.download'), run: () => void episodes.download(ids) });
  else items.push(...downloadMenu(row.id));
  if (playable.length === 1 && isStarted(row))
    items.push({ label: t('listening.played'), run: () => void markPlayed(row) });
  const hint = playable.length === 1 ? row.title || t('list.untitled') : t('keys.reading');
  return items.flatMap(({ label, action, disabled, run }) =>
    action || disabled
      ? []
      : [{ key: `episode-${label}`, label, hint, synonyms: 'palette.also.episode' as const, run }],
  );
}

/** The orders and groupings of the shown list. Results of a search and lists in their own order have none. */
function arrangements(): Plain[] {
  if (list.searching || hasOwnOrder(list.source)) return [];
  const hint = t('list.view');
  return [
    ...[...ORDERS, ...TEXT_ORDERS].map((order) => ({
      key: `order-${order}`,
      label: t('palette.order', { name: t(`list.order.${order}`) }),
      hint,
      synonyms: 'palette.also.order' as const,
      run: () => setOrder(order),
    })),
    ...GROUPINGS.map((group) => ({
      key: `group-${group}`,
      label: t(`list.group.${group}`),
      hint,
      synonyms: 'palette.also.order' as const,
      run: () => setGroup(group),
    })),
  ];
}

/** When the sleep timer stops what is in the player. */
function sleeps(): Plain[] {
  if (!player.now) return [];
  const hint = player.now.title;
  return sleepMenu().map(({ label, run }) => ({
    key: `sleep-${label}`,
    label: t('palette.sleep', { name: label }),
    hint,
    run,
  }));
}

/** Each language of the window, found by its own name, its English name and its name in the window's language. */
function languages(): Plain[] {
  const name = (language: Language, into: string) =>
    new Intl.DisplayNames([into], { type: 'language' }).of(tagOf(language)) ?? '';
  return (Object.keys(LANGUAGES) as Language[]).map((language) => ({
    key: `language-${language}`,
    label: t('palette.language', { name: LANGUAGES[language] }),
    hint: t('settings.title'),
    names: `language ${name(language, 'en')} ${name(language, currentLanguage().tag)}`,
    run: () => settings.change({ language }),
  }));
}

/** Each theme, font, list layout, arrangement and density. */
function looks(): Plain[] {
  const hint = t('settings.title');
  return [
    ...THEMES.map((theme) => ({
      key: `theme-${theme}`,
      label: t('palette.theme', { name: t(`settings.theme.${theme}`) }),
      hint,
      synonyms: 'palette.also.theme' as const,
      run: () => settings.change({ theme }),
    })),
    ...FONTS.map((font) => ({
      key: `font-${font}`,
      label: t('palette.font', { name: t(`typography.font.${font}`) }),
      hint,
      synonyms: 'palette.also.font' as const,
      run: () => settings.changeTypography({ font }),
    })),
    ...LAYOUTS.map((drawn) => ({
      key: `layout-${drawn}`,
      label: t('palette.layout', { name: t(`layout.${drawn}`) }),
      hint,
      synonyms: 'palette.also.layout' as const,
      run: () => layout.setListLayout(drawn),
    })),
    ...ARRANGEMENTS.map((arrangement) => ({
      key: `arrangement-${arrangement}`,
      label: t('palette.arrangement', { name: t(`arrangement.${arrangement}`) }),
      hint,
      synonyms: 'palette.also.layout' as const,
      run: () => layout.setArrangement(arrangement),
    })),
    ...DENSITIES.map((density) => ({
      key: `density-${density}`,
      label: t('palette.density', { name: t(`density.${density}`) }),
      hint,
      synonyms: 'palette.also.layout' as const,
      run: () => settings.change({ density }),
    })),
  ];
}

const place = (key: string, label: string, hint: string, source: Source): Plain => ({
  key,
  label,
  hint,
  run: () => void showSource(source),
});

export function entries(): Entry[] {
  const actions: Plain[] = BINDINGS.filter(({ action }) => !LEFT_OUT.has(action) && usable(action)).map(
    ({ action, name, group }) => ({
      key: action,
      label: t(name),
      hint: t(group),
      action,
      synonyms: ALSO[action],
      run: () => act(action),
    }),
  );
  const menu: Plain[] = [...windowMenu(), ...libraryActions()].flatMap((item) =>
    // The dialog has an entry below, whether or not feeds fail.
    item === 'line' || item.action || item.label === t('attention.menu')
      ? []
      : [{ key: `menu-${item.label}`, label: item.label, hint: t('keys.window'), run: item.run }],
  );
  const save: Plain[] = sharing.services.map((service) => ({
    key: `save-to-${service.id}`,
    label: t('sharing.save', { name: service.name }),
    hint: t('sharing.title'),
    run: () => void sharing.save(service, sharing.subjects()),
  }));
  const parts: Plain[] = SETTINGS_PARTS.map((part) => ({
    key: `settings-${part}`,
    label: settingsSectionText(part),
    hint: t('settings.title'),
    synonyms: SECTION_ALSO[part],
    names: settingLabels(part).join(' '),
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
    ...ofEpisodes(),
    ...sleeps(),
    ...ofShownList([...actions, ...menu]),
    ...menu,
    {
      key: 'attention',
      label: t('attention.title'),
      hint: t('keys.window'),
      synonyms: 'palette.also.attention',
      run: () => dialogs.show({ kind: 'attention' }),
    },
    ...(usable('share') ? save : []),
    ...parts,
    ...arrangements(),
    ...looks(),
    ...languages(),
    ...collections.searches.map((saved) => ({
      key: `search-${saved.id}`,
      label: saved.name,
      hint: t('palette.search'),
      run: () => openSavedSearch(saved),
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
  return all.map(({ synonyms, names, ...entry }) => ({
    ...entry,
    folded: fold(entry.label),
    also: fold([...(synonyms ? [t(synonyms)] : []), ...(names ? [names] : [])].join(' ')),
  }));
}

/** The last entry for typed text: search the articles for it. */
export const searchEntry = (typed: string): Entry => ({
  key: 'search-for',
  label: t('palette.search_for', { query: typed }),
  hint: t('search.label'),
  folded: '',
  run: () => showSearch(typed),
});
