/** Keyboard shortcuts of the window: from a key press to the action. */
import { chordOf, isFree, isModifier, type Action } from '../keys/bindings';
import { NONE } from '../list/selection';
import { reading } from './article.svelte';
import { changes } from './changes.svelte';
import { comments } from './comments.svelte';
import { copyMarkdown, copyTitledLink } from './copy';
import { dialogs } from './dialogs.svelte';
import { showFeedInfo, inspectFeed, showPreferences } from './feeds';
import { focus, TEXT_FIELDS } from './focus.svelte';
import { find } from './find-in-article.svelte';
import { layout } from './layout.svelte';
import { keymap } from './keymap.svelte';
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
  goUnread,
  hide,
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
  /** Enlarges the image nearest to the middle of the visible part. */
  zoom: () => void;
};

/** Actions that only the mounted view can perform; it registers them. */
let screen: Screen = {
  page: () => false,
  change: () => {},
  selected: () => '',
  top: () => {},
  selectAll: () => {},
  close: () => false,
  zoom: () => {},
};
export const registerView = (shown: Screen): void => void (screen = shown);

/** Fields that take keys for themselves. */
const FIELDS = `${TEXT_FIELDS}, select`;

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
  else if (layout.zen) layout.focus('list');
  else if (list.picks.ids.size > 0 || list.cursor !== null) [list.picks, list.cursor] = [NONE, null];
  else if (layout.onePane && layout.visiblePane === 'article') layout.focus('list');
  else if (find.open && reading.article) find.leave();
  else if (toasts.shown.length > 0) toasts.dismiss(toasts.shown.at(-1)!.id);
  else if (layout.current() === 'article') layout.focus('list');
  else if (list.searching) leaveSearch();
}

/** Returns whether an action is currently available. */
export function usable(action: Action): boolean {
  switch (action) {
    case 'toggle_read':
    case 'toggle_star':
    case 'tag':
    case 'hide':
    case 'share':
    case 'about':
    case 'inspect':
      return subject() !== null;
    case 'preferences':
      return subject() !== null || (list.source.kind === 'folder' && !list.searching);
    case 'read_on':
    case 'read_back':
    case 'full_text':
      return reading.article !== null;
    case 'new_window':
    case 'print':
      return subject() !== null;
    case 'copy_link':
    case 'browser':
    case 'browser_behind':
      return list.picks.ids.size > 0 || (reading.article !== null && !reading.loading);
    case 'copy_titled_link':
    case 'copy_markdown':
    case 'zoom':
      return reading.article !== null && !reading.loading;
    case 'find_next':
    case 'find_previous':
      return find.open;
    case 'read_aloud':
      return speech.possible && reading.article !== null && !reading.loading;
    case 'highlight':
    case 'write_note':
      return notes.usable;
    case 'notes':
      return reading.article !== null;
    case 'next_note':
    case 'previous_note':
      return notes.usable && notes.placed.length > 0;
    case 'delete_note':
      return notes.usable && notes.here !== null;
    case 'comments':
      return comments.possible && !reading.loading;
    case 'transcript':
      return transcripts.possible && !reading.loading;
    case 'play':
      return player.now !== null || player.first(reading.article) !== null;
    case 'skip_back':
    case 'skip_forward':
      return player.now !== null;
    case 'play_later':
      return playQueue.addable(laterIds()).length > 0;
    case 'changes':
      return changes.possible && !reading.loading;
    case 'next_change':
    case 'previous_change':
      return changes.shown;
    case 'mark_all':
      return list.rows.length > 0 && !list.searching;
    case 'pick':
    case 'pick_all':
    case 'zen':
      return list.rows.length > 0;
    case 'new_ones':
      return list.fresh.size > 0;
    case 'unread_only':
      return !list.searching;
    case 'save_search':
      return list.searching && search.canSave;
    case 'back':
      return visited.canGoBack;
    case 'forward':
      return visited.canGoForward;
    case 'undo':
      return undo.canUndo;
    case 'redo':
      return undo.canRedo;
    default:
      return true;
  }
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
  const now = subject();
  if (THROUGH_LIST.has(action) && layout.current() === 'sidebar') layout.leaveSidebar();
  if (IN_ARTICLE.has(action) && reading.article && layout.onePane && !layout.zen) layout.visiblePane = 'article';
  const many = list.picks.ids.size > 0;
  switch (action) {
    case 'next':
      return void go(1);
    case 'previous':
      return void go(-1);
    case 'first':
    case 'last':
      return void goTo(action);
    case 'next_unread':
      return void goUnread(1);
    case 'previous_unread':
      return void goUnread(-1);
    case 'read_on':
      // Key presses may come faster than articles open; do not skip one unseen.
      if (reading.loading) return;
      if (reading.unseen) return layout.focus('article');
      if (!reading.article || !layout.articleVisible || !screen.page(1)) void goUnread(1);
      return;
    case 'read_back':
      return void screen.page(-1);
    case 'toggle_read':
      return void (many ? readPicked() : now && toggleRead(now));
    case 'toggle_star':
      return void (many ? starPicked() : now && toggleStar(now));
    case 'full_text':
      return void reading.toggleFullText();
    case 'tag':
      return void (many ? tagPicked() : now && dialogs.show({ kind: 'tags', ids: [now.id], title: now.title }));
    case 'hide':
      return void (many ? hidePicked() : now && hide(now));
    case 'browser':
      return void (many ? openPicked() : openInBrowser());
    case 'browser_behind':
      return void (many ? openPicked(true) : openInBrowser(true));
    case 'new_window':
    case 'print':
      return void (now && showInWindow(now.id, action === 'print'));
    case 'copy_link':
      return void (many ? copyPicked() : copyLink());
    case 'share':
      return sharing.choose();
    case 'copy_titled_link':
      return void copyTitledLink();
    case 'copy_markdown':
      return void copyMarkdown();
    case 'zoom':
      return screen.zoom();
    case 'find':
      // Without an open article, search the list instead.
      return reading.article === null || !layout.articleVisible ? openSearch() : find.begin(screen.selected());
    case 'find_next':
    case 'find_previous':
      return void (find.open && find.step(action === 'find_next' ? 1 : -1));
    case 'read_aloud':
      return void (usable(action) && speech.toggle());
    case 'highlight':
      return void notes.mark();
    case 'write_note':
      return void notes.write();
    case 'next_note':
    case 'previous_note':
      return notes.usable ? notes.step(action === 'next_note' ? 1 : -1) : undefined;
    case 'delete_note':
      return notes.usable ? notes.removeHere() : undefined;
    case 'notes':
      return void (reading.article && notes.toggle());
    case 'comments':
      return void (reading.loading || comments.toggle());
    case 'transcript':
      return void (reading.loading || transcripts.toggle());
    case 'play':
      return player.press(reading.article);
    case 'skip_back':
      return player.skip(-BACK);
    case 'skip_forward':
      return player.skip(FORWARD);
    case 'play_later':
      return void playQueue.add(laterIds(), false);
    case 'queue':
      return dialogs.show({ kind: 'queue' });
    case 'changes':
      return void (reading.loading || changes.toggle());
    case 'next_change':
      return screen.change(1);
    case 'previous_change':
      return screen.change(-1);
    case 'mark_all':
      // More results may exist than are loaded.
      return void (list.rows.length > 0 && !list.searching && markAllRead());
    case 'pick':
      return pickRow();
    case 'pick_all':
      return pickAll();
    case 'back':
    case 'forward':
      return void visited.step(action === 'back' ? -1 : 1);
    case 'undo':
      return void undo.take();
    case 'redo':
      return void undo.redo();
    case 'save_search':
      return saveCurrentSearch();
    case 'today':
    case 'unread':
    case 'starred':
    case 'all':
    case 'noted':
    case 'listening':
    case 'downloads':
      return void showSource({ kind: action });
    case 'unread_only':
      if (list.searching) return;
      settings.change({ unread_only: !settings.value.unread_only });
      return void reloadList();
    case 'hide_read':
      return settings.change({ hide_read: !settings.value.hide_read });
    case 'new_ones':
      return list.fresh.size > 0 ? screen.top() : undefined;
    case 'list_layout':
      return layout.nextList();
    case 'arrangement':
      return layout.nextArrangement();
    case 'zen':
      return void openZen();
    case 'sidebar':
      return layout.toggleSidebar();
    case 'search':
      return openSearch();
    case 'find_feed':
      return sidebar.find();
    case 'next_feed':
    case 'previous_feed':
      return void goFeed(action === 'next_feed' ? 1 : -1);
    case 'refresh':
      return refreshView();
    case 'refresh_all':
      return void refresh.start({ kind: 'all' });
    case 'add':
      return dialogs.show({ kind: 'add' });
    case 'about':
      return about(showFeedInfo);
    case 'inspect':
      return about(inspectFeed);
    case 'preferences':
      return preferences();
    case 'next_pane':
      return layout.step(1);
    case 'previous_pane':
      return layout.step(-1);
    case 'close':
      return close();
    case 'larger':
      return settings.scale(1);
    case 'smaller':
      return settings.scale(-1);
    case 'normal':
      return settings.scale(0);
    case 'rules': {
      const words = screen.selected();
      return words ? muteWords(words) : dialogs.show({ kind: 'rules' });
    }
    case 'menu':
      return sidebar.openMenu();
    case 'palette':
      return dialogs.show({ kind: 'palette' });
    case 'statistics':
      return dialogs.show({ kind: 'statistics' });
    case 'settings':
      return dialogs.show({ kind: 'settings' });
    case 'quit':
      return quit();
    case 'help':
      return dialogs.show({ kind: 'keys' });
    case 'guide':
      return dialogs.show({ kind: 'guide' });
    case 'rename':
    case 'move_up':
    case 'move_down':
    case 'move_out':
    case 'move_in':
    case 'cursor_down':
    case 'cursor_up':
    case 'select_one':
    case 'select_up':
    case 'select_down':
    case 'context':
    case 'open':
      return; // Handled by the focused pane.
  }
}

/** Actions available before a library is loaded. */
const WITHOUT_LIBRARY: ReadonlySet<Action> = new Set<Action>([
  'larger',
  'smaller',
  'normal',
  'help',
  'settings',
  'quit',
]);

/** Actions that are also available in the welcome view. */
const IN_WELCOME: ReadonlySet<Action> = new Set<Action>(['add', 'undo', 'redo']);

/** The keys of an unfinished key sequence. */
const sequence = { keys: '', until: 0 };
const SEQUENCE_TIMEOUT = 1500;

/** Selects the text of a dialog, and nothing of the window behind it. */
function selectDialog(): void {
  const body = [...document.querySelectorAll('[role=dialog]')].at(-1);
  if (body) document.getSelection()?.selectAllChildren(body.querySelector('.body') ?? body);
}

export function keydown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || isModifier(event.key)) return;
  const target = event.target instanceof Element ? event.target : null;
  const chord = chordOf(event);
  // The web view would select the whole window.
  if (chord === 'Ctrl+A' && target?.closest(FIELDS) == null && dialogs.covered) {
    event.preventDefault();
    return selectDialog();
  }
  const further = sequence.keys && event.timeStamp < sequence.until ? `${sequence.keys} ${chord}` : chord;
  sequence.keys = '';
  const keys = keymap.now.action(further) || keymap.now.begins(further) ? further : chord;
  const action = keymap.now.action(keys);
  // A message above a dialog may offer to undo.
  const offersUndo = action === 'undo' && undo.offered !== undefined && dialogs.menus === 0;
  const free = isFree(action, chord, {
    typing: target?.closest(FIELDS) != null,
    covered: dialogs.covered && !offersUndo,
    control: focus.cameByKey && target?.closest('button, a, summary, audio, video, input') != null,
  });
  if (!free) return;
  if (!action) {
    if (!keymap.now.begins(keys)) return;
    [sequence.keys, sequence.until] = [keys, event.timeStamp + SEQUENCE_TIMEOUT];
    event.preventDefault();
    return;
  }
  const hasLibrary = library.status === 'ready' && (!library.firstRun || IN_WELCOME.has(action));
  if (!hasLibrary && !WITHOUT_LIBRARY.has(action)) return;
  event.preventDefault();
  // In the article, Ctrl+A selects its text.
  if (action === 'pick_all' && layout.current() === 'article') return screen.selectAll();
  if (action === 'pick_all' && layout.current() !== 'list') return;
  act(action);
}

/** Goes back and forward by the buttons of the mouse. The web view would do so with documents of its own. */
export function mouseup(event: MouseEvent): void {
  if (event.button !== 3 && event.button !== 4) return;
  event.preventDefault();
  if (!dialogs.covered && library.status === 'ready' && !library.firstRun) act(event.button === 3 ? 'back' : 'forward');
}

/** Returns whether a key sequence has been started. */
export const inSequence = (): boolean => sequence.keys !== '' && performance.now() < sequence.until;

/** Returns whether the window handles this key or a sequence starting with it. */
export const isWindowKey = (chord: string): boolean =>
  inSequence() || keymap.now.action(chord) !== null || keymap.now.begins(chord);
