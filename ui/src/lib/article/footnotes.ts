/**
 * Footnotes that pop up. A link to a note becomes a button that shows a copy of the note, by the browser's own popovers: these need no
 * script in the page. Classes and roles are gone by the time an article is shown, so a note is known by what all forms of it share: a short
 * sign, raised or in brackets or called as notes are, that leads to a place further down, from which often a link leads back.
 */
import { actLink } from './acts';

export type NoteWords = {
  /** What the button of a note is called for those who do not see that its sign is raised. */
  readonly note: (sign: string) => string;
  readonly goTo: string;
};

const BLOCKS = 'li, p, div, aside, dd, section, td, blockquote';
/** As notes' places are called by Markdown's many converters, Pandoc, WordPress, Substack, word processors, wikis, DocBook, EPUB. */
const NAMES =
  /^(?:u-)?(?:user-content-)?(?:_?s?d?e?fn|_?ftn|_?edn|footnote|foot-note|endnote|note|cite_?note|easy-footnote|sdfootnote|sdendnote|mn|sn)(?![a-z]{3})/i;
const BACK = /^[\s[(]*(?:(?:↩|↑|\^|⏎|↵|⤴|⬆|back|return|\d{1,4}|[*†‡§])[\ufe0e\ufe0f]?)+[\s\]).:]*$/iu;
/** Characters. */
const LONGEST = 20_000;
const MOST = 2000;

const target = (link: Element): string => {
  const href = link.getAttribute('href') ?? '';
  if (!href.startsWith('#')) return '';
  try {
    return decodeURIComponent(href.slice(1));
  } catch {
    return href.slice(1);
  }
};

/** A number or a sign, with or without brackets. */
function signOf(link: Element): string | null {
  const text = (link.textContent ?? '').replace(/\s+/g, '');
  const sign = text.replace(/^[[({]+|[\])}.:]+$/g, '');
  return sign !== '' &&
    /^(?:\d{1,4}|[a-z]{1,2}|[ivxlc]{1,6}|[*†‡§¶#‖]{1,4}|(?:note|fn|nb)\d{0,3}|[٠-٩۰-۹]{1,4})$/i.test(sign)
    ? sign
    : null;
}

/** The block that holds the whole note. */
function noteOf(place: Element): Element | null {
  if (place.localName === 'dt') return place.nextElementSibling?.localName === 'dd' ? place.nextElementSibling : null;
  if (/^h[1-6]$/.test(place.localName)) return null;
  return place.matches(BLOCKS) ? place : place.closest(BLOCKS);
}

type Found = { readonly link: Element; readonly sign: string; readonly id: string; readonly note: Element };

function find(root: Element): Found[] {
  const places = new Map<string, Element>();
  for (const place of root.querySelectorAll('[id]')) if (!places.has(place.id)) places.set(place.id, place);
  const found: Found[] = [];
  for (const link of root.querySelectorAll('a[href^="#"]')) {
    if (found.length >= MOST) break;
    const id = target(link);
    const place = places.get(id);
    const sign = place ? signOf(link) : null;
    if (!place || sign === null || !(link.compareDocumentPosition(place) & 4 /* it follows */)) continue;
    const note = noteOf(place);
    if (!note || note === root || note.contains(link) || (note.textContent?.length ?? 0) > LONGEST) continue;
    const here = [link.id, link.closest('[id]')?.id, link.querySelector('[id]')?.id].filter(Boolean);
    const back = [...note.querySelectorAll('a[href^="#"]')].some((other) => here.includes(target(other)));
    const raised = link.closest('sup') !== null || link.querySelector('sup') !== null;
    const bracketed = /^\s*[[(]/.test(link.textContent ?? '');
    if (back || NAMES.test(id) || ((raised || bracketed) && note.localName !== 'td'))
      found.push({ link, sign, id, note });
  }
  return found;
}

/** What of a note is shown when it pops up: all but the way back and its number, which a list's item has outside of its text. */
function copy(note: Element): Element {
  const box = note.ownerDocument.createElement('div');
  const clone = note.cloneNode(true) as Element;
  for (const link of clone.querySelectorAll('a[href^="#"]')) {
    if (!BACK.test(link.textContent ?? '')) {
      // As everywhere on the page; see `article-page.ts`.
      link.setAttribute('href', `about:srcdoc${link.getAttribute('href')}`);
      continue;
    }
    const around = link.parentElement;
    link.remove();
    if (around && around !== clone && around.matches('sup, span, b, i') && around.textContent?.trim() === '')
      around.remove();
  }
  clone.removeAttribute('id');
  for (const part of clone.querySelectorAll('[id]')) part.removeAttribute('id');
  // A picture in a note that nobody looks at loads nothing.
  for (const image of clone.querySelectorAll('img')) image.replaceWith(image.getAttribute('alt') ?? '');
  for (const media of clone.querySelectorAll('audio, video, picture')) media.remove();
  box.append(...clone.childNodes);
  return box;
}

/** Makes buttons of the links to notes; the popovers themselves, for the end of the page. */
export function popNotes(root: Element, token: string, words: NoteWords): string {
  const found = find(root);
  const numbers = new Map<Element, number>();
  const out: string[] = [];
  // Copied before any link is changed: notes may have notes.
  const page = root.ownerDocument;
  for (const { note, sign } of found) {
    if (numbers.has(note)) continue;
    const number = numbers.size;
    numbers.set(note, number);
    note.setAttribute('data-gl-note', String(number));
    const box = page.createElement('aside');
    box.id = `gl-note-${number}`;
    box.className = 'gl-note';
    box.setAttribute('popover', '');
    box.setAttribute('aria-label', words.note(sign));
    const inside = copy(note);
    inside.className = 'gl-note-text';
    const go = page.createElement('a');
    go.className = 'gl-note-go';
    go.setAttribute('href', actLink(token, 'note', number));
    go.textContent = words.goTo;
    box.append(inside, go);
    out.push(box.outerHTML);
  }
  for (const { link, sign, note } of found) {
    const button = page.createElement('button');
    button.type = 'button';
    button.className = 'gl-ref';
    button.setAttribute('popovertarget', `gl-note-${numbers.get(note)}`);
    button.setAttribute('aria-label', words.note(sign));
    for (const name of ['id', 'lang', 'dir', 'title'])
      if (link.hasAttribute(name)) button.setAttribute(name, link.getAttribute(name) ?? '');
    button.append(...link.childNodes);
    link.replaceWith(button);
  }
  return out.join('');
}

/** Closes the note that has popped up; whether there was one. */
export function closeNote(page: Document): boolean {
  const open = page.querySelector<HTMLElement>('.gl-note:popover-open');
  open?.hidePopover();
  return open !== null;
}

/** Goes from a note that has popped up to where it stands. */
export function goToNote(page: Document, number: number): void {
  const note = page.querySelector<HTMLElement>(`[data-gl-note="${number}"]`);
  closeNote(page);
  if (!note) return;
  page.querySelectorAll('.gl-note-here').forEach((other) => other.classList.remove('gl-note-here'));
  note.classList.add('gl-note-here');
  note.scrollIntoView({ block: 'center' });
  // The Tab key goes on from there: to the way back.
  note.tabIndex = -1;
  note.focus({ preventScroll: true });
}
