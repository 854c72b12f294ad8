/** Menu of the open article's page. */
import BookOpenText from '@lucide/svelte/icons/book-open-text';
import Link from '@lucide/svelte/icons/link';
import Link2 from '@lucide/svelte/icons/link-2';
import Search from '@lucide/svelte/icons/search';
import SquareArrowOutUpRight from '@lucide/svelte/icons/square-arrow-out-up-right';
import Volume2 from '@lucide/svelte/icons/volume-2';
import type { Article } from '../../lib/ipc';
import { t } from '../../lib/messages';
import { copyMarkdown, copyTitledLink } from '../../lib/state/copy';
import { find } from '../../lib/state/find-in-article.svelte';
import { copyLink, openInBrowser } from '../../lib/state/navigation';
import { speech } from '../../lib/state/speech.svelte';
import type { MenuItem } from '../shared/menu-item';

export function pageMenu(article: Article): MenuItem[] {
  const away = !article.url;
  return [
    { label: t('key.find'), icon: Search, action: 'find', run: () => find.begin('') },
    ...(speech.possible
      ? [{ label: t('key.read_aloud'), icon: Volume2, action: 'read_aloud' as const, run: () => speech.toggle() }]
      : []),
    {
      label: t('key.browser_background'),
      icon: SquareArrowOutUpRight,
      action: 'browser_behind',
      disabled: away,
      run: () => void openInBrowser(true),
    },
    'line',
    { label: t('menu.copy_link'), icon: Link, action: 'copy_link', disabled: away, run: () => void copyLink() },
    {
      label: t('key.copy_titled_link'),
      icon: Link2,
      action: 'copy_titled_link',
      disabled: away,
      run: () => void copyTitledLink(),
    },
    { label: t('key.copy_markdown'), icon: BookOpenText, action: 'copy_markdown', run: () => void copyMarkdown() },
  ];
}
