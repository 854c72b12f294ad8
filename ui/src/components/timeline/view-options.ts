import { list, sameSource } from '../../lib/state/list.svelte';
import type { Grouping, ListOrder, View } from '../../lib/ipc';
import { groupable, isByDate, views } from '../../lib/state/views.svelte';
import { settings } from '../../lib/state/settings.svelte';

export function setUnreadOnly(on: boolean): void {
  settings.change({ unread_only: on });
  void list.show(list.source);
}

export function setOldestFirst(on: boolean): void {
  const { order } = list.look;
  settings.change({ oldest_first: on });
  if (list.look.order !== order) void list.show(list.source);
}

/** In another order, from the beginning; back in the one that there was where the core refuses it. */
function arrange(part: Partial<View>): void {
  const { source } = list;
  list.place = null;
  void views.change(source, { ...part, place: null }).then((kept) => {
    if (!kept && sameSource(source, list.source) && !list.searching) void list.show(source);
  });
  void list.show(source);
}

/** Headings that make no sense in another order go. */
export function setOrder(order: ListOrder): void {
  const group = groupable(order, list.look.group) ? list.look.group : 'none';
  const river = list.look.river && isByDate(order);
  arrange({ order, group, river });
}

/** An order comes with headings that make no sense in the one there is. */
export function setGroup(group: Grouping): void {
  const { order } = list.look;
  if (groupable(order, group)) void views.change(list.source, { group });
  else arrange({ group, order: group === 'day' ? 'newest' : 'by_feed', river: false });
}

/** A river is read on where it was left, however much is unread in it. */
export function setRiver(river: boolean): void {
  void views.change(list.source, { river, place: null });
  list.keepPlace();
}
