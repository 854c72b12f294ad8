/** Performs what a link does that the window added to the page of an article (`page-actions.ts`). */
import { codeText } from '../article/code-blocks';
import { goToNote } from '../article/footnotes';
import { mediaAt } from '../article/inline-media';
import { parsePageAction } from '../article/page-actions';
import type { Article } from '../ipc';
import { t } from '../messages';
import { copyText } from './feeds';
import { chooseFullText } from './full-text';
import { showSearch } from './navigation';
import { player } from './player.svelte';
import { categoryQuery } from './search.svelte';
import { openZoom } from './zoom';

/** Performs the action of a link, and returns whether it was a link of the page with this token. */
export function performPageAction(doc: Document, article: Article, address: string, token: string): boolean {
  const action = parsePageAction(address, token);
  if (!action) return false;
  const { what, number } = action;
  if (what === 'zoom') openZoom(doc, number);
  else if (what === 'note') goToNote(doc, number);
  else if (what === 'category') showCategory(article.categories[number]);
  else if (what === 'copy') void copyCode(codeText(doc, number));
  else if (what === 'seek') player.playFrom(article, number);
  else if (what === 'play') playMedia(article, doc, address);
  else void chooseFullText(article, (['once', 'always', 'never'] as const)[number] ?? 'once');
  return true;
}

function playMedia(article: Article, doc: Document, address: string): void {
  const media = mediaAt(doc, address);
  if (media) player.play(article, media);
}

async function copyCode(code: string | null): Promise<void> {
  if (code !== null) await copyText(code, t('page.copy_code.done'));
}

function showCategory(category: string | undefined): void {
  if (category !== undefined) showSearch(categoryQuery(category), false);
}
