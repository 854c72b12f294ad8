/**
 * Links that the window puts into an article's page for itself: to show a picture large, to go to a note. No listener is called in the
 * frame, so following one leaves as a request for a new window, which the shell passes on as the event `article_act`.
 *
 * An article may write such a link, too. Each page therefore has a token drawn by lot, which nothing in an article can read or guess.
 */
const SCHEME = 'gleaner-act:';

export type Act = { readonly what: 'zoom' | 'note'; readonly number: number };

export const newToken = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

export const actLink = (token: string, what: Act['what'], number: number): string =>
  `${SCHEME}//${token}/${what}/${number}`;

/** What a link asks for, if it is one of the page with this token. */
export function readAct(address: string, token: string): Act | null {
  const [scheme, empty, own, what, number, more] = address.split('/');
  const ours = scheme === SCHEME && empty === '' && token !== '' && own === token && more === undefined;
  if (!ours || (what !== 'zoom' && what !== 'note') || !/^\d{1,6}$/.test(number ?? '')) return null;
  return { what, number: Number(number) };
}

/** What is copied from a page takes none of its machinery along: not its links for the window, not its buttons. */
export function withoutActs(root: ParentNode): void {
  for (const link of root.querySelectorAll(`a[href^="${SCHEME}"]`)) link.replaceWith(...link.childNodes);
  for (const button of root.querySelectorAll('button.gl-ref')) button.replaceWith(...button.childNodes);
}

class Acts {
  /** Set by the frame that shows a page: does what a link of it asks for, and says whether it was one. */
  page: ((address: string) => boolean) | null = null;

  heard(address: string): boolean {
    return this.page?.(address) ?? false;
  }
}

export const acts = new Acts();
