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

/** Two columns on a page, with no shortcut across two of them. */
const COLUMNS =
  '.gl-body { columns: 2; column-gap: 2rem; font: 0.75rem / 1.4 var(--font); } tr, h2 { break-inside: avoid; } h2 { break-after: avoid; margin-block: 0.75rem 0.25rem; } td:last-child { text-align: end; white-space: nowrap; }';

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
  return element('tr', element('td', t(binding.name)), element('td', ...keys));
}

/** Returns the page: the shortcuts that have keys, by group. */
export function keysPage(): HTMLElement {
  const used = BINDINGS.filter(({ action }) => keymap.now.of(action).length > 0);
  const body = element('div');
  body.className = 'gl-body';
  for (const group of GROUPS) {
    body.append(element('h2', t(group)));
    body.append(element('table', element('tbody', ...used.filter((one) => one.group === group).map(row))));
  }
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
