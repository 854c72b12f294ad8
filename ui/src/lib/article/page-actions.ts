/**
 * Links that the window adds to an article's page, to enlarge an image, go to a note, show a category, load the full text,
 * play an episode from a time on, play audio or video of the text, or copy a code block. WebKit calls no listener inside the frame, so following such a link
 * opens a new window, which the shell reports as the event `article_action`.
 *
 * An article could contain such a link, too. Each page therefore has a random token that the article cannot read or
 * guess.
 */
const SCHEME = 'gleaner-act:';

type PageAction = {
  readonly what: 'zoom' | 'note' | 'category' | 'full_text' | 'seek' | 'copy' | 'play';
  readonly number: number;
};

const ACTIONS: ReadonlySet<string> = new Set(['zoom', 'note', 'category', 'full_text', 'seek', 'copy', 'play']);

export const newToken = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

export const pageActionLink = (token: string, what: PageAction['what'], number: number): string =>
  `${SCHEME}//${token}/${what}/${number}`;

/** Parses a link of the page with this token; returns `null` for any other link. */
export function parsePageAction(address: string, token: string): PageAction | null {
  const [scheme, empty, own, what, number, more] = address.split('/');
  const ours = scheme === SCHEME && empty === '' && token !== '' && own === token && more === undefined;
  if (!ours || !ACTIONS.has(what ?? '') || !/^\d{1,6}$/.test(number ?? '')) return null;
  return { what: what as PageAction['what'], number: Number(number) };
}

/** Returns what a link of the window does, whatever its token; `null` for a link of the article. */
export const parsePageActionKind = (address: string): string | null =>
  address.startsWith(SCHEME) ? (address.split('/')[3] ?? '') : null;

/** Returns the number in a link of the window. */
export const pageActionNumber = (address: string): number => Number(address.split('/')[4]);

/** Removes the window's links and buttons from copied content. */
export function removePageActions(root: ParentNode): void {
  for (const link of root.querySelectorAll(`a[href^="${SCHEME}"]`)) link.replaceWith(...link.childNodes);
  for (const button of root.querySelectorAll('button.gl-ref')) button.replaceWith(...button.childNodes);
}

class PageActions {
  /** Set by the frame that shows a page. Performs a link's action; returns whether it was one of the page's links. */
  page: ((address: string) => boolean) | null = null;

  handle(address: string): boolean {
    return this.page?.(address) ?? false;
  }
}

export const pageActions = new PageActions();
