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

type Asked = { readonly name: string; readonly part: Partial<View> };

class Views {
  /** As the core has them, and what it is being asked to change about them, in turn. */
  private kept = $state.raw<ReadonlyMap<string, View>>(new Map());
  private asked = $state.raw<readonly Asked[]>([]);
  private under: Promise<unknown> = Promise.resolve();

  of(source: Source): View {
    const name = nameOf(source);
    const parts = this.asked.filter((one) => one.name === name).map(({ part }) => part);
    return parts.reduce<View>((view, part) => ({ ...view, ...part }), this.keptOf(source));
  }

  isRiver(source: Source): boolean {
    return (this.kept.size > 0 || this.asked.length > 0) && this.of(source).river;
  }

  private keptOf(source: Source): View {
    return (
      this.kept.get(nameOf(source)) ?? {
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
      this.kept = new Map((await call('views')).map((view) => [nameOf(view.source), view]));
    } catch (error) {
      console.warn('views', error);
    }
  }

  /** Shown at once, and taken back where it cannot be kept: this alone, whatever else is being changed. Says whether it was kept. */
  change(source: Source, part: Partial<View>): Promise<boolean> {
    const asked = { name: nameOf(source), part };
    this.asked = [...this.asked, asked];
    const done = this.under.then(() => this.save(source, asked));
    this.under = done;
    return done;
  }

  private async save(source: Source, asked: Asked): Promise<boolean> {
    const view = { ...this.keptOf(source), ...asked.part };
    try {
      await call('save_view', view);
      this.kept = new Map([...this.kept, [asked.name, view]]);
      return true;
    } catch (error) {
      toasts.show(t('toast.settings_failed', { what: errorText(asIpcError(error)).what }), { trouble: true });
      return false;
    } finally {
      this.asked = this.asked.filter((one) => one !== asked);
    }
  }
}

export const views = new Views();
