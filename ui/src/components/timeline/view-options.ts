import { list } from '../../lib/state/list.svelte';
import { settings } from '../../lib/state/settings.svelte';

export function setUnreadOnly(on: boolean): void {
  settings.change({ unread_only: on });
  void list.show(list.source);
}

export function setOldestFirst(on: boolean): void {
  settings.change({ oldest_first: on });
  void list.show(list.source);
}
