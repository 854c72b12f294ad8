/** Describes the attachments of an article. */
import type { Enclosure } from '../ipc';
import { t } from '../messages';
import { commas, fileSize } from '../messages/format';

/** Bytes. Feeds that do not know the size of a file often give 0, 1 or a few bytes. */
const MIN_SIZE = 1000;

/** Returns the size of an attachment; empty if the feed does not say it. */
export const enclosureSize = ({ length }: Pick<Enclosure, 'length'>): string =>
  length !== null && length >= MIN_SIZE ? fileSize(length) : '';

/** Returns the name of an attachment, with its type and size. */
export function enclosureText(enclosure: Enclosure): string {
  const name =
    enclosure.title ||
    decodeURIComponentSafe(enclosure.url.split(/[?#]/)[0]?.split('/').pop() ?? '') ||
    t('article.enclosure');
  const size = enclosureSize(enclosure);
  const particulars = commas([enclosure.mime_type ?? '', size].filter(Boolean));
  return particulars ? `${name} (${particulars})` : name;
}

function decodeURIComponentSafe(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
