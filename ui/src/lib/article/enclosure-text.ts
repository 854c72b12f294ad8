/** Describes the attachments of an article. */
import type { Enclosure } from '../ipc';
import { t } from '../messages';
import { commas, fileSize } from '../messages/format';

/** Returns the name of an attachment, with its type and size. */
export function enclosureText(enclosure: Enclosure): string {
  const name =
    enclosure.title ||
    decodeURIComponentSafe(enclosure.url.split(/[?#]/)[0]?.split('/').pop() ?? '') ||
    t('article.enclosure');
  const size = enclosure.length ? fileSize(enclosure.length) : '';
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
