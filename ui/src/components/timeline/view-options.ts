/** Changes how the list is filtered, ordered and grouped; what the core refuses is reverted. */
import { list, sameSource } from '../../lib/state/list.svelte';
import { reloadList } from '../../lib/state/navigation';
import type { Grouping, ListOrder, View } from '../../lib/ipc';
import { groupable, isByDate, views } from '../../lib/state/views.svelte';
import { settings } from '../../lib/state/settings.svelte';

export function setUnreadOnly(on: boolean): void {
  settings.change({ unread_only: on });
  void reloadList();
}

export function setOldestFirst(on: boolean): void {
  const { order } = list.view;
  settings.change({ oldest_first: on });
  if (list.view.order !== order) void reloadList();
}

/** Changes the order and reloads the list; reverts it if the core refuses. */
function arrange(part: Partial<View>): void {
  const { source } = list;
  list.place = null;
  void views.change(source, { ...part, place: null }).then((saved) => {
    if (!saved && sameSource(source, list.source) && !list.searching) void reloadList();
  });
  void reloadList();
}

/** Removes a grouping that the order does not support. */
export function setOrder(order: ListOrder): void {
  const group = groupable(order, list.view.group) ? list.view.group : 'none';
  const river = list.view.river && isByDate(order);
  arrange({ order, group, river });
}

/** Changes the order if it does not support the grouping. */
export function setGroup(group: Grouping): void {
  const { order } = list.view;
  if (groupable(order, group)) void views.change(list.source, { group });
  else arrange({ group, order: group === 'day' ? 'newest' : 'by_feed', river: false });
}

/** A river continues where the user left it, however much is unread. */
export function setRiver(river: boolean): void {
  void views.change(list.source, { river, place: null });
  void list.savePosition();
}
