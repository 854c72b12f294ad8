import { doubtfulLinks, tellLink, type ToldLink } from '../article/links';
import { call } from '../ipc';
import { dialogs } from './dialogs.svelte';
import { toasts } from './toasts.svelte';

/** Links of the article on the page that are asked about before they are opened. */
class Links {
  private doubted = new Map<string, ToldLink>();

  /** Another page is shown: the door is told which of its links to ask about. */
  look(page: ParentNode): void {
    const before = this.doubted.size;
    this.doubted = doubtfulLinks(page);
    if (before + this.doubted.size === 0) return;
    call('doubt_links', { addresses: [...this.doubted.keys()] }).catch((cause: unknown) => toasts.error(cause));
  }

  /** One of them was clicked. */
  asked(address: string): void {
    const link = this.doubted.get(address) ?? tellLink(address);
    if (link) dialogs.show({ kind: 'doubted_link', link });
  }
}

export const links = new Links();
