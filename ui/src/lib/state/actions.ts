/** The actions of the window: which are available, and what they do. */
import { type Action } from '../keys/bindings';
import { NONE } from '../list/selection';
import { reading } from './article.svelte';
import { changes } from './changes.svelte';
import { comments } from './comments.svelte';
import { copyMarkdown, copyTitledLink } from './copy';
import { dialogs } from './dialogs.svelte';
import { showFeedInfo, inspectFeed, showPreferences } from './feeds';
import { find } from './find-in-article.svelte';
import { layout } from './layout.svelte';
import { library } from './library.svelte';
import { list } from './list.svelte';
import { markAllRead, toggleRead, toggleStar } from './marks';
import { notes } from './notes.svelte';
import { copyPicked, hidePicked, openPicked, pickAll, pickRow, readPicked, starPicked, tagPicked } from './bulk';
import { playQueue } from './play-queue.svelte';
import { BACK, FORWARD, player } from './player.svelte';
import {
  copyLink,
  go,
  goFeed,
  goTo,
  goToFeed,
  goUnread,
  hide,
  isFeedShown,
  leaveSearch,
  openInBrowser,
  openSearch,
  openZen,
  refreshView,
  reloadList,
  showInWindow,
  showSource,
} from './navigation';
import { quit } from './quit';
import { refresh } from './refresh.svelte';
import { muteWords } from './rules.svelte';
import { saveCurrentSearch } from './save-search';
import { search } from './search.svelte';
import { settings } from './settings.svelte';
import { sharing } from './sharing.svelte';
import { sidebar } from './sidebar.svelte';
import { speech } from './speech.svelte';
import { toasts } from './toasts.svelte';
import { transcripts } from './transcript.svelte';
import { undo } from './undo.svelte';
import { visited } from './visited.svelte';

type Screen = {
  /** Scrolls the article by a page; returns false at its end. */
  page: (direction: 1 | -1) => boolean;
  /** Goes to the next or previous change in a comparison. */
  change: (direction: 1 | -1) => void;
  /** Returns the text selected in the article. */
  selected: () => string;
  /** Scrolls the list to the top. */
  top: () => void;
  /** Selects the text of the article. */
  selectAll: () => void;
  /** Closes a popover in the article; returns whether there was one. */
  close: () => boolean;
  /** Enlarges the first visible image. */
  zoom: () => void;
};

/** Actions that only the mounted view can perform; it registers them. */
export let screen: Screen = {
  page: () => false,
  change: () => {},
  selected: () => '',
  top: () => {},
  selectAll: () => {},
  close: () => false,
  zoom: () => {},
};
export const registerView = (shown: Screen): void => void (screen = shown);

/** Returns the open article, or the selected row. */
function subject() {
  const { id, article } = reading;
  // The former article stays on the page while the next one loads.
  if (id !== null && article?.id !== id) return list.row(id) ?? null;
  return article ?? list.row(list.selected) ?? null;
}

/** The articles to play later: the selected ones, or the open one if it has audio or video. */
function laterIds(): number[] {
  if (list.picks.ids.size > 0) return list.picked().flatMap((row) => (row.media ? [row.id] : []));
  return reading.article && player.first(reading.article) ? [reading.article.id] : [];
}

/** Shows a dialog for the displayed feed, or for the feed of the current article. */
function about(show: typeof inspectFeed): void {
  const id = list.source.kind === 'feed' && !list.searching ? list.source.id : subject()?.feed_id;
  const feed = id === undefined ? undefined : library.feedById.get(id);
  if (feed) show(feed);
}

function toFeed(): void {
  const now = subject();
  if (now && !isFeedShown(now.feed_id)) void goToFeed(now);
}

/** Opens preferences of the displayed folder, or of the feed as in `about`. */
function preferences(): void {
  const { source } = list;
  const folder = source.kind === 'folder' && !list.searching ? source.id : null;
  const shown = library.folders.find(({ id }) => id === folder);
  if (shown) showPreferences('folder', shown);
  else about((feed) => showPreferences('feed', feed));
}

function close(): void {
  if (screen.close()) return;
  if (find.open && layout.current() === 'article') find.leave();
  else if (sidebar.filter !== null && layout.current() === 'sidebar') sidebar.endFind();
  else if (layout.drawer) layout.leaveSidebar();
  else if (transcripts.shown && layout.current() === 'article') transcripts.hide();
  else if (layout.zen) layout.focus('list');
  else if (list.picks.ids.size > 0 || list.cursor !== null) [list.picks, list.cursor] = [NONE, null];
  else if (layout.onePane && layout.visiblePane === 'article') layout.focus('list');
  else if (find.open && reading.article) find.leave();
  else if (toasts.shown.length > 0) toasts.dismiss(toasts.shown.at(-1)!.id);
  else if (layout.current() === 'article') layout.focus('list');
  else if (list.searching) leaveSearch();
}

type Definition = {
  /** Whether the action is currently available; it always is without this. */
  usable?: () => boolean;
  run: () => void;
};

const hasSubject = () => subject() !== null;
const hasArticle = () => reading.article !== null;
/** Whether the open article is completely displayed. */
const hasLoaded = () => reading.article !== null && !reading.loading;
const hasPickedOrLoaded = () => list.picks.ids.size > 0 || hasLoaded();
const openPages = (behind: boolean) => void (list.picks.ids.size > 0 ? openPicked : openInBrowser)(behind);
const hasRows = () => list.rows.length > 0;

/** Does `all` to the selected articles, or `one` to the current one. */
function picked(all: () => unknown, one: (row: NonNullable<ReturnType<typeof subject>>) => unknown): void {
  if (list.picks.ids.size > 0) return void all();
  const now = subject();
  if (now) one(now);
}

function readOn(): void {
  // Key presses may come faster than articles open; do not skip one unseen.
  if (reading.loading) return;
  if (reading.unseen) return layout.focus('article');
  if (!reading.article || !layout.articleVisible || !screen.page(1)) void goUnread(1);
}

function openWindow(print: boolean): void {
  const now = subject();
  if (now) void showInWindow(now.id, print);
}

function findInArticle(): void {
  // Without an open article, search the list instead.
  if (reading.article === null || !layout.articleVisible) openSearch();
  else find.begin(screen.selected());
}

function toggleUnreadOnly(): void {
  if (list.searching) return;
  settings.change({ unread_only: !settings.value.unread_only });
  void reloadList();
}

function editRules(): void {
  const words = screen.selected();
  if (words) muteWords(words);
  else dialogs.show({ kind: 'rules' });
}

const source = (kind: 'today' | 'unread' | 'starred' | 'all' | 'noted' | 'listening' | 'downloads'): Definition => ({
  run: () => void showSource({ kind }),
});

const dialog = (kind: 'queue' | 'add' | 'palette' | 'statistics' | 'settings' | 'keys' | 'guide'): Definition => ({
  run: () => dialogs.show({ kind }),
});

const LOCAL: Definition = {
  run: () => {}, // Handled by the focused pane.
};

const ACTIONS: Readonly<Record<Action, Definition>> = {
  next: { run: () => void go(1) },
  previous: { run: () => void go(-1) },
  first: { run: () => void goTo('first') },
  last: { run: () => void goTo('last') },
  next_unread: { run: () => void goUnread(1) },
  previous_unread: { run: () => void goUnread(-1) },
  read_on: { usable: hasArticle, run: readOn },
  read_back: { usable: hasArticle, run: () => void screen.page(-1) },
  toggle_read: { usable: hasSubject, run: () => picked(readPicked, toggleRead) },
  toggle_star: { usable: hasSubject, run: () => picked(starPicked, toggleStar) },
  full_text: { usable: hasArticle, run: () => void reading.toggleFullText() },
  tag: {
    usable: hasSubject,
    run: () => picked(tagPicked, ({ id, title }) => dialogs.show({ kind: 'tags', ids: [id], title })),
  },
  hide: { usable: hasSubject, run: () => picked(hidePicked, hide) },
  browser: { usable: hasPickedOrLoaded, run: () => openPages(false) },
  browser_behind: { usable: hasPickedOrLoaded, run: () => openPages(true) },
  new_window: { usable: hasSubject, run: () => openWindow(false) },
  print: { usable: hasSubject, run: () => openWindow(true) },
  copy_link: {
    usable: hasPickedOrLoaded,
    run: () => void (list.picks.ids.size > 0 ? copyPicked() : copyLink()),
  },
  share: { usable: hasSubject, run: () => sharing.choose() },
  highlight: { usable: () => notes.usable, run: () => void notes.mark() },
  write_note: { usable: () => notes.usable, run: () => void notes.write() },
  next_note: { usable: () => notes.usable && notes.placed.length > 0, run: () => notes.usable && notes.step(1) },
  previous_note: { usable: () => notes.usable && notes.placed.length > 0, run: () => notes.usable && notes.step(-1) },
  delete_note: { usable: () => notes.usable && notes.here !== null, run: () => notes.usable && notes.removeHere() },
  notes: { usable: hasArticle, run: () => void (reading.article && notes.toggle()) },
  comments: {
    usable: () => comments.possible && !reading.loading,
    run: () => void (reading.loading || comments.toggle()),
  },
  transcript: {
    usable: () => transcripts.possible && !reading.loading,
    run: () => void (reading.loading || transcripts.toggle()),
  },
  play: {
    usable: () => player.now !== null || player.first(reading.article) !== null,
    run: () => player.press(reading.article),
  },
  skip_back: { usable: () => player.now !== null, run: () => player.skip(-BACK) },
  skip_forward: { usable: () => player.now !== null, run: () => player.skip(FORWARD) },
  play_later: {
    usable: () => playQueue.addable(laterIds()).length > 0,
    run: () => void playQueue.add(laterIds(), false),
  },
  queue: dialog('queue'),
  copy_titled_link: { usable: hasLoaded, run: () => void copyTitledLink() },
  copy_markdown: { usable: hasLoaded, run: () => void copyMarkdown() },
  zoom: { usable: hasLoaded, run: () => screen.zoom() },
  find: { run: findInArticle },
  find_next: { usable: () => find.open, run: () => void (find.open && find.step(1)) },
  find_previous: { usable: () => find.open, run: () => void (find.open && find.step(-1)) },
  read_aloud: {
    usable: () => speech.possible && hasLoaded(),
    run: () => void (usable('read_aloud') && speech.toggle()),
  },
  changes: {
    usable: () => changes.possible && !reading.loading,
    run: () => void (reading.loading || changes.toggle()),
  },
  next_change: { usable: () => changes.shown, run: () => screen.change(1) },
  previous_change: { usable: () => changes.shown, run: () => screen.change(-1) },
  mark_all: {
    usable: () => hasRows() && !list.searching,
    // More results may exist than are loaded.
    run: () => void (hasRows() && !list.searching && markAllRead()),
  },
  pick: { usable: hasRows, run: pickRow },
  pick_all: { usable: hasRows, run: pickAll },
  undo: { usable: () => undo.canUndo, run: () => void undo.take() },
  redo: { usable: () => undo.canRedo, run: () => void undo.redo() },
  back: { usable: () => visited.canGoBack, run: () => void visited.step(-1) },
  forward: { usable: () => visited.canGoForward, run: () => void visited.step(1) },
  today: source('today'),
  unread: source('unread'),
  starred: source('starred'),
  all: source('all'),
  noted: source('noted'),
  listening: source('listening'),
  downloads: source('downloads'),
  unread_only: { usable: () => !list.searching, run: toggleUnreadOnly },
  hide_read: { run: () => settings.change({ hide_read: !settings.value.hide_read }) },
  new_ones: { usable: () => list.fresh.size > 0, run: () => list.fresh.size > 0 && screen.top() },
  list_layout: { run: () => layout.nextList() },
  arrangement: { run: () => layout.nextArrangement() },
  zen: { usable: hasRows, run: () => void openZen() },
  sidebar: { run: () => layout.toggleSidebar() },
  search: { run: openSearch },
  save_search: { usable: () => list.searching && search.canSave, run: saveCurrentSearch },
  find_feed: { run: () => sidebar.find() },
  next_feed: { run: () => void goFeed(1) },
  previous_feed: { run: () => void goFeed(-1) },
  refresh: { run: refreshView },
  refresh_all: { run: () => void refresh.start({ kind: 'all' }) },
  go_to_feed: {
    usable: () => {
      const now = subject();
      return now !== null && !isFeedShown(now.feed_id);
    },
    run: toFeed,
  },
  add: dialog('add'),
  about: { usable: hasSubject, run: () => about(showFeedInfo) },
  preferences: {
    usable: () => hasSubject() || (list.source.kind === 'folder' && !list.searching),
    run: preferences,
  },
  inspect: { usable: hasSubject, run: () => about(inspectFeed) },
  next_pane: { run: () => layout.step(1) },
  previous_pane: { run: () => layout.step(-1) },
  close: { run: close },
  larger: { run: () => settings.scale(1) },
  smaller: { run: () => settings.scale(-1) },
  normal: { run: () => settings.scale(0) },
  rules: { run: editRules },
  menu: { run: () => sidebar.openMenu() },
  palette: dialog('palette'),
  statistics: dialog('statistics'),
  settings: dialog('settings'),
  quit: { run: quit },
  help: dialog('keys'),
  guide: dialog('guide'),
  rename: LOCAL,
  delete: LOCAL,
  move_up: LOCAL,
  move_down: LOCAL,
  move_out: LOCAL,
  move_in: LOCAL,
  cursor_down: LOCAL,
  cursor_up: LOCAL,
  select_one: LOCAL,
  select_up: LOCAL,
  select_down: LOCAL,
  context: LOCAL,
  open: LOCAL,
};

/** Returns whether an action is currently available. */
export function usable(action: Action): boolean {
  return ACTIONS[action].usable?.() ?? true;
}

/** Actions whose effect is visible in the article pane only. */
const IN_ARTICLE: ReadonlySet<Action> = new Set([
  'changes',
  'comments',
  'highlight',
  'notes',
  'read_aloud',
  'transcript',
  'write_note',
]);

/** Actions that go through the list, and take the focus there. */
const THROUGH_LIST: ReadonlySet<Action> = new Set<Action>(['next', 'previous', 'next_unread', 'previous_unread']);

export function act(action: Action): void {
  if (THROUGH_LIST.has(action) && layout.current() === 'sidebar') layout.leaveSidebar();
  if (IN_ARTICLE.has(action) && reading.article && layout.onePane && !layout.zen) layout.visiblePane = 'article';
  ACTIONS[action].run();
}
