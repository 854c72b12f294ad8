import { doubtfulLinks, tellLink, type ToldLink } from '../article/links';
import { call } from '../ipc';
import { dialogs } from './dialogs.svelte';
import { toasts } from './toasts.svelte';

/** What shows links of others: each has a page of its own, and there is one door for both. */
export type Linking = 'article' | 'comments';

/** Pages of one place that may be on their way at a time. */
const MANY = 4;

/** Links of the pages that are shown which are asked about before they are opened. */
class Links {
  private readonly doubted = new Map<Linking, readonly Map<string, ToldLink>[]>();
  private told = '';

  /**
   * A page is about to be shown: the door is told which of its links to ask about before the first of them can be followed; where there is
   * something new to tell, the answer says when it knows. Those of the pages before it are asked about until they are gone.
   */
  coming(where: Linking, page: ParentNode): Promise<void> | null {
    const before = this.doubted.get(where) ?? [];
    this.doubted.set(where, [doubtfulLinks(page), ...before].slice(0, MANY));
    return this.tell();
  }

  /** The page that was coming has come. */
  come(where: Linking): void {
    this.doubted.set(where, (this.doubted.get(where) ?? []).slice(0, 1));
    void this.tell();
  }

  gone(where: Linking): void {
    this.doubted.delete(where);
    void this.tell();
  }

  /** One of them was clicked. */
  asked(address: string): void {
    const link = this.all().get(address) ?? tellLink(address);
    if (link) dialogs.show({ kind: 'doubted_link', link });
  }

  private all(): Map<string, ToldLink> {
    return new Map([...this.doubted.values()].flat().flatMap((links) => [...links]));
  }

  private tell(): Promise<void> | null {
    const addresses = [...this.all().keys()];
    const told = JSON.stringify(addresses.toSorted());
    if (told === (this.told || '[]')) return null;
    this.told = told;
    return call('doubt_links', { addresses }).then(
      () => {},
      (cause: unknown) => {
        this.told = '';
        toasts.error(cause);
      },
    );
  }
}

export const links = new Links();
