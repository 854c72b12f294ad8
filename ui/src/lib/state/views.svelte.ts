/** How each list is looked at: its order, its headers, its place. The core keeps it; lists of which it knows nothing are as usual. */
import { asIpcError, call, type Grouping, type ListOrder, type Source, type View } from '../ipc';
import { t } from '../messages';
import { errorText } from '../messages/errors';
import { settings } from './settings.svelte';
import { toasts } from './toasts.svelte';

export const ORDERS: readonly ListOrder[] = ['newest', 'oldest', 'by_feed', 'rare_first', 'longest', 'shortest'];
export const GROUPINGS: readonly Grouping[] = ['none', 'day', 'feed'];

export const isByDate = (order: ListOrder): boolean => order === 'newest' || order === 'oldest';
const isByFeed = (order: ListOrder): boolean => order === 'by_feed' || order === 'rare_first';

/** Headers stand where an order keeps together what is under them. */
export function groupable(order: ListOrder, group: Grouping): boolean {
  return group === 'none' || (group === 'day' ? isByDate(order) : isByFeed(order));
}

const nameOf = (source: Source): string => ('id' in source ? `${source.kind} ${source.id}` : source.kind);

class Views {
  private own = $state.raw<ReadonlyMap<string, View>>(new Map());

  of(source: Source): View {
    return (
      this.own.get(nameOf(source)) ?? {
        source,
        order: settings.value.oldest_first ? 'oldest' : 'newest',
        group: 'none',
        river: false,
        place: null,
      }
    );
  }

  isRiver(source: Source): boolean {
    return this.own.size > 0 && this.own.get(nameOf(source))?.river === true;
  }

  async load(): Promise<void> {
    try {
      this.own = new Map((await call('views')).map((view) => [nameOf(view.source), view]));
    } catch (error) {
      console.warn('views', error);
    }
  }

  /** Shown at once, and taken back where it cannot be kept. */
  async change(source: Source, part: Partial<View>): Promise<void> {
    const before = this.own;
    const view = { ...this.of(source), ...part };
    this.own = new Map([...before, [nameOf(source), view]]);
    try {
      await call('save_view', view);
    } catch (error) {
      this.own = before;
      toasts.show(t('toast.settings_failed', { what: errorText(asIpcError(error)).what }), { trouble: true });
    }
  }
}

export const views = new Views();
