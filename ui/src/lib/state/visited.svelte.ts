/** The lists and searches that were shown, with the article that was open, for going back and forward as in browsers. */
import { reading } from './article.svelte';
import { layout } from './layout.svelte';
import { list, sameSource } from './list.svelte';
import { search } from './search.svelte';
import type { Visit } from './visit';
import { windowState } from './window-state.svelte';

/** Maximum number of places in each direction; older ones are forgotten. */
const MOST = 100;

function now(): Visit {
  const { source, search: query, top, above, selected, article, article_in_front } = windowState();
  const { order, savedId } = search;
  const found = query === null ? null : { query, order, savedId };
  return { source, search: found, top, above, selected, article, article_in_front };
}

const isSame = (one: Visit, other: Visit): boolean =>
  sameSource(one.source, other.source) &&
  one.search?.query === other.search?.query &&
  one.search?.order === other.search?.order &&
  one.article === other.article;

class Visited {
  private back = $state.raw<readonly Visit[]>([]);
  private forward = $state.raw<readonly Visit[]>([]);
  /** The place that is being shown: while it is loading, its position is not yet the one at which the user leaves it. */
  private arriving = $state.raw<Visit | null>(null);
  /** The article that `step` put behind its list. */
  private putBehind: number | null = null;

  /** In a window for one pane, an article is a step after its list. */
  private readonly inFront = $derived(layout.zen || (layout.onePane && layout.visiblePane === 'article'));
  private readonly behind = $derived(layout.onePane && !this.inFront && reading.id !== null);

  readonly canGoBack = $derived(this.inFront || this.back.length > 0);
  readonly canGoForward = $derived(this.forward.length > 0 || this.behind);

  private get here(): Visit {
    return this.arriving ?? now();
  }

  /** An empty search is not a place: what is behind it was left when it was opened. */
  private get nowhere(): boolean {
    return this.arriving === null && list.searching && search.shownQuery === '';
  }

  /** The list behind a search is the place before it. */
  private get isBackInList(): boolean {
    const last = this.back.at(-1);
    return last !== undefined && !last.search && sameSource(last.source, list.source);
  }

  /** Called before another list, search or article is shown. */
  leave(): void {
    this.forward = [];
    this.putBehind = null;
    if (this.nowhere) return;
    const last = this.back.at(-1);
    if (!last || !isSame(last, this.here)) this.back = [...this.back, this.here].slice(-MOST);
    this.arriving = null;
  }

  /** Called when the list is shown again from which a search without a query was opened. */
  returned(): void {
    if (this.isBackInList) this.back = this.back.slice(0, -1);
  }

  /** Forgets all places, for example those of another library. */
  forget(): void {
    this.back = [];
    this.forward = [];
    this.arriving = null;
  }

  async step(direction: 1 | -1): Promise<void> {
    if (direction < 0 && this.inFront) {
      this.putBehind = reading.id;
      return layout.focus('list');
    }
    if (direction > 0 && this.behind && reading.id === this.putBehind) return layout.focus('article');
    if (direction < 0 && this.nowhere && this.isBackInList) {
      this.returned();
      return search.leave();
    }
    const { isGone, show } = await import('./visit');
    const { here, nowhere } = this;
    const left = [...(direction < 0 ? this.back : this.forward)];
    let to = left.pop();
    while (to && (isGone(to) || isSame(to, here))) to = left.pop();
    const others = to && !nowhere ? [...(direction < 0 ? this.forward : this.back), here].slice(-MOST) : null;
    if (direction < 0) [this.back, this.forward] = [left, others ?? this.forward];
    else [this.forward, this.back] = [left, others ?? this.back];
    if (!to) return direction > 0 && this.behind ? layout.focus('article') : undefined;
    this.arriving = to;
    this.putBehind = null;
    try {
      await show(to, () => this.arriving === to);
    } finally {
      if (this.arriving === to) this.arriving = null;
    }
  }
}

export const visited = new Visited();
