/** Prints the keyboard shortcuts. Loaded when it is needed first. */
import { pageSource, policy } from '../article/article-page';
import { typographyStyle } from '../article/typography';
import { call } from '../ipc';
import { BINDINGS, GROUPS, type Binding } from '../keys/bindings';
import { keyCaps } from '../keys/names';
import { currentLanguage, t } from '../messages';
import stylesheet from '../../styles/article.css?url';
import { keymap } from './keymap.svelte';
import { settings } from './settings.svelte';
import { toasts } from './toasts.svelte';

/** Two columns on a page: WebKit prints `columns` one after the other, and cuts rows of tables. */
const COLUMNS =
  'h1 { margin: 0; font: 600 1rem / 1.2 var(--font); } .column { float: inline-start; width: 48%; font: 0.6875rem / 1.2 var(--font); } .column + .column { float: inline-end; } h2 { margin-block: 0.5rem 0.125rem; font: 600 0.8125rem / 1.2 var(--font); } ul { margin: 0; padding: 0; list-style: none; } li { margin: 0; padding-block: 0.03125rem; border-block-end: var(--hairline) solid var(--line); break-inside: avoid; } li span { float: inline-end; margin-inline-start: 1rem; }';

function element(name: string, ...parts: (string | Node)[]): HTMLElement {
  const made = document.createElement(name);
  made.append(...parts);
  return made;
}

function keysOf(chord: string): HTMLElement {
  const keys = element('bdi', keyCaps(chord).join(' '));
  // As in KeyCaps.
  keys.dir = 'ltr';
  return keys;
}

function row(binding: Binding): HTMLElement {
  const keys = keymap.now
    .of(binding.action)
    .flatMap((chord, i) => [...(i > 0 ? [` ${t('keys.or')} `] : []), keysOf(chord)]);
  return element('li', element('span', ...keys), t(binding.name));
}

/** Returns the page: the shortcuts that have keys, by group, in two columns. */
export function keysPage(): HTMLElement {
  const used = BINDINGS.filter(({ action }) => keymap.now.of(action).length > 0);
  const columns = [element('div'), element('div')] as const;
  for (const column of columns) column.className = 'column';
  let rows = 0;
  for (const group of GROUPS) {
    const own = used.filter((one) => one.group === group);
    // The column in which most of the group is, if they are filled evenly.
    const column = rows + own.length / 2 < used.length / 2 ? columns[0] : columns[1];
    column.append(element('h2', t(group)), element('ul', ...own.map(row)));
    rows += own.length;
  }
  const body = element('div', ...columns);
  body.className = 'gl-body';
  return element('body', element('h1', t('keys.title')), body);
}

export async function printKeys(): Promise<void> {
  const options = {
    policy: policy("'self'", false),
    stylesheet: new URL(stylesheet, location.href).pathname,
    theme: 'light' as const,
    style: typographyStyle(settings.value.typography, 16),
  };
  const { tag, direction } = currentLanguage();
  const html = pageSource(options, { title: t('keys.title'), body: keysPage().outerHTML })
    .replace('<html ', `<html lang="${tag}" dir="${direction}" `)
    .replace('</head>', '<link rel="stylesheet" href="/user.css"></head>');
  try {
    await call('open_article_window', {
      id: 0,
      title: t('keys.title'),
      html,
      css: COLUMNS,
      images: false,
      print: true,
      find: null,
      position: 0,
    });
  } catch (error) {
    toasts.error(error);
  }
}
