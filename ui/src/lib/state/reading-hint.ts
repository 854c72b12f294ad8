/** The hint about keys for reading. */
import { keyText } from '../keys/names';
import { t } from '../messages';
import { keymap } from './keymap.svelte';

/** Names the keys for reading: those that are set, since other keys may do harm, such as mark all as read. Empty if one has no key. */
export function readingHint(): string {
  const [next, previous, scroll] = (['next', 'previous', 'read_on'] as const).map((action) =>
    keyText(keymap.now.first(action)),
  );
  return next && previous && scroll ? t('article.none.hint', { next, previous, scroll }) : '';
}
