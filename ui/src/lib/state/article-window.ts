/** Shows an article in a window of its own, or prints it. Loaded when first needed. */
import { articleDocument } from '../article/article-window';
import { offlineImageSource, policy } from '../article/article-page';
import { pageWords } from '../article/page-words';
import { typographyStyle, userStyles } from '../article/typography';
import { call, type Article } from '../ipc';
import { t } from '../messages';
import stylesheet from '../../styles/article.css?url';
import { reading } from './article.svelte';
import { showsImages } from './images';
import { list } from './list.svelte';
import { mark } from './marks';
import { settings } from './settings.svelte';
import { suspiciousLinks } from './suspicious-links.svelte';
import { toasts } from './toasts.svelte';

/** The shell fills in the numbers. */
const NUMBERS = {} as { readonly place: number; readonly count: number };

/** Returns where an article is being read, or was before. */
function place(id: number, { progress }: Article): number {
  const at = reading.place?.();
  return at?.id === id ? at.position : (progress ?? 0);
}

/** Sends the document of an article to the shell, which shows or prints it. Only showing it marks it as read. */
export async function openArticleWindow(id: number, print: boolean): Promise<void> {
  try {
    const open = reading.article?.id === id ? reading.article : null;
    const article = open ?? (await call('open_article', { id }));
    const images = showsImages(article.feed_id) || (open !== null && reading.showImages);
    const html = await articleDocument(article, {
      policy: policy("'self'", images, offlineImageSource(article)),
      stylesheet: new URL(stylesheet, location.href).pathname,
      theme: print ? 'light' : settings.theme,
      style: typographyStyle(settings.value.typography, print ? 16 : settings.rootSize),
      images,
      words: pageWords(article),
      eager: print,
    });
    const css = [...userStyles(settings.value.typography.css, new CSSStyleSheet()).cssRules];
    if (!print) {
      const { body } = new DOMParser().parseFromString(html, 'text/html');
      await suspiciousLinks.prepare(`window-${id}`, body);
    }
    await call('open_article_window', {
      id,
      title: article.title || t('list.untitled'),
      html,
      css: css.map((rule) => rule.cssText).join('\n'),
      images,
      print,
      position: print ? 0 : place(id, article),
      find: print
        ? null
        : {
            field: t('find.field'),
            none: t('find.none'),
            place: t('find.place', NUMBERS),
            more: t('find.place.more', NUMBERS),
            previous: t('find.previous'),
            next: t('find.next'),
          },
    });
    const row = list.row(id) ?? article;
    if (!print) await mark([row], { read: true });
  } catch (error) {
    toasts.error(error);
  }
}
