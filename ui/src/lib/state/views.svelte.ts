/** Order, grouping and position of each list. The core stores them; other lists use the defaults. */
import { asIpcError, call, type Grouping, type ListOrder, type Source, type View } from '../ipc';
import { t } from '../messages';
import { errorText } from '../messages/errors';
import { settings } from './settings.svelte';
import { toasts } from './toasts.svelte';

export const ORDERS: readonly ListOrder[] = ['newest', 'oldest', 'by_feed', 'infrequent_first', 'longest', 'shortest'];
/** The orders by the other columns of a list in columns. */
export const TEXT_ORDERS: readonly ListOrder[] = ['title', 'title_descending', 'author', 'author_descending'];
export const GROUPINGS: readonly Grouping[] = ['none', 'day', 'feed'];

export const isByDate = (order: ListOrder): boolean => order === 'newest' || order === 'oldest';
const isByFeed = (order: ListOrder): boolean => order === 'by_feed' || order === 'infrequent_first';

/** Returns whether a list is always sorted by its own time: when an episode was played or downloaded last. */
export const hasOwnOrder = ({ kind }: Source): boolean => kind === 'listening' || kind === 'downloads';

/** Returns whether a grouping is possible: the order must keep the members of a group together. */
export function groupable(order: ListOrder, group: Grouping): boolean {
  return group === 'none' || (group === 'day' ? isByDate(order) : isByFeed(order));
}

const nameOf = (source: Source): string => ('id' in source ? `${source.kind} ${source.id}` : source.kind);

type PendingChange = { readonly name: string; readonly part: Partial<View> };

class Views {
  /** Views stored by the core, and changes being saved, in order. */
  private stored = $state.raw<ReadonlyMap<string, View>>(new Map());
  private pending = $state.raw<readonly PendingChange[]>([]);
  private queue: Promise<unknown> = Promise.resolve();

  of(source: Source): View {
    const name = nameOf(source);
    const parts = this.pending.filter((one) => one.name === name).map(({ part }) => part);
    return parts.reduce<View>((view, part) => ({ ...view, ...part }), this.storedView(source));
  }

  isRiver(source: Source): boolean {
    return (this.stored.size > 0 || this.pending.length > 0) && this.of(source).river;
  }

  private storedView(source: Source): View {
    if (hasOwnOrder(source)) return { source, order: 'newest', group: 'none', river: false, place: null };
    return (
      this.stored.get(nameOf(source)) ?? {
        source,
        order: settings.value.oldest_first ? 'oldest' : 'newest',
        group: 'none',
        river: false,
        place: null,
      }
    );
  }

  async load(): Promise<void> {
    try {
      this.stored = new Map((await call('views')).map((view) => [nameOf(view.source), view]));
    } catch (error) {
      console.warn('views', error);
    }
  }

  /** Applies a change at once and reverts it if saving fails. Returns whether it was saved. */
  change(source: Source, part: Partial<View>): Promise<boolean> {
    const pending = { name: nameOf(source), part };
    this.pending = [...this.pending, pending];
    const done = this.queue.then(() => this.save(source, pending));
    this.queue = done;
    return done;
  }

  private async save(source: Source, pending: PendingChange): Promise<boolean> {
    const view = { ...this.storedView(source), ...pending.part };
    try {
      await call('save_view', view);
      this.stored = new Map([...this.stored, [pending.name, view]]);
      return true;
    } catch (error) {
      toasts.show(t('toast.settings_failed', { what: errorText(asIpcError(error)).what }), { isError: true });
      return false;
    } finally {
      this.pending = this.pending.filter((one) => one !== pending);
    }
  }
}

export const views = new Views();
