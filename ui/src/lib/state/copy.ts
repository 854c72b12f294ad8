/** Copies the open article to the clipboard. */
import { call } from '../ipc';
import { t } from '../messages';
import { reading } from './article.svelte';
import { copyText } from './feeds';
import { toasts } from './toasts.svelte';

/** Returns a Markdown link. */
export function titledLink(title: string, address: string): string {
  const text = title
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\[\]*_`<]/g, '\\$&');
  // Brackets and spaces would end the link early.
  const target = address.replace(/[\s()<>\\]/g, (c) => encodeURIComponent(c).replace('(', '%28').replace(')', '%29'));
  return `[${text || address}](${target})`;
}

export async function copyTitledLink(): Promise<void> {
  const { article } = reading;
  if (!article || reading.loading) return;
  if (article.url) await copyText(titledLink(article.title, article.url));
  else toasts.show(t('toast.no_address'));
}

/** The clipboard must be requested during the key event: web views refuse it later. */
export async function copyMarkdown(): Promise<void> {
  const { article } = reading;
  if (!article || reading.loading) return;
  const text = call('article_markdown', { id: article.id });
  try {
    const blob = text.then((markdown) => new Blob([markdown], { type: 'text/plain' }));
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
    toasts.show(t('copy.markdown.done'));
  } catch {
    try {
      await navigator.clipboard.writeText(await text);
      toasts.show(t('copy.markdown.done'));
    } catch {
      toasts.show(t('copy.markdown.failed'), { isError: true });
    }
  }
}
