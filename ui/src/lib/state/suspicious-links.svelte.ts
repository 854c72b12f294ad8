/** Tells the core which links of the displayed pages need a confirmation before they are opened. */
import { suspiciousLinksOf, describeLink, type LinkDescription } from '../article/links';
import { call } from '../ipc';
import { dialogs } from './dialogs.svelte';
import { toasts } from './toasts.svelte';

/** The frames and windows that show foreign links. Each has its own page; all share one list in the core. */
type FrameKind = 'article' | 'comments' | `window-${number}`;

/** Maximum number of pages per frame that may be loading at once. */
const MAX_LOADING_PAGES = 4;

/** Links on the displayed pages that need a confirmation before they are opened. */
class SuspiciousLinks {
  private readonly suspicious = new Map<FrameKind, readonly Map<string, LinkDescription>[]>();
  private reported = '';
  /** Reports being sent, one after the other, since the last one replaces the others. */
  private sending: Promise<void> | null = null;

  /**
   * Reports the suspicious links of a page to the core before the page is shown. Returns a promise if the core does
   * not know them yet. Links of former pages stay reported until those pages are gone.
   */
  prepare(where: FrameKind, page: ParentNode): Promise<void> | null {
    const before = this.suspicious.get(where) ?? [];
    this.suspicious.set(where, [suspiciousLinksOf(page), ...before].slice(0, MAX_LOADING_PAGES));
    return this.report();
  }

  /** The page is displayed now. */
  displayed(where: FrameKind): void {
    this.suspicious.set(where, (this.suspicious.get(where) ?? []).slice(0, 1));
    void this.report();
  }

  removed(where: FrameKind): void {
    this.suspicious.delete(where);
    void this.report();
  }

  /** A suspicious link was clicked. */
  clicked(address: string): void {
    const link = this.all().get(address) ?? describeLink(address);
    if (link) dialogs.show({ kind: 'suspicious_link', link });
  }

  private all(): Map<string, LinkDescription> {
    return new Map([...this.suspicious.values()].flat().flatMap((suspiciousLinks) => [...suspiciousLinks]));
  }

  private report(): Promise<void> | null {
    const addresses = [...this.all().keys()];
    const reported = JSON.stringify(addresses.toSorted());
    if (reported === (this.reported || '[]')) return this.sending;
    this.reported = reported;
    const send = async () => {
      try {
        await call('set_suspicious_links', { addresses });
      } catch (cause) {
        this.reported = '';
        toasts.error(cause);
      } finally {
        if (this.sending === sent) this.sending = null;
      }
    };
    const sent: Promise<void> = this.sending ? this.sending.then(send) : send();
    return (this.sending = sent);
  }
}

export const suspiciousLinks = new SuspiciousLinks();
