/** How much is kept, in words. */
import type { Comparison, Keep, Keeping } from '../ipc';
import { fileSize, listed } from './format';
import { t } from './index';
import { furtherText } from './preferences';

/** "90 days and the newest 500". */
export function keepText({ days, articles, bytes }: Keep): string {
  const parts: string[] = [];
  if (days !== null) parts.push(t('keep.what.days', { count: days }));
  if (articles !== null) parts.push(t('keep.what.articles', { count: articles }));
  if (bytes !== null) parts.push(t('keep.what.bytes', { size: fileSize(bytes) }));
  return parts.length > 0 ? listed(parts) : t('keep.what.everything');
}

/** "As for all feeds: 90 days". */
export const inheritText = ({ inherited, inherited_from }: Keeping): string =>
  furtherText(inherited_from, keepText(inherited));

/** "1 word came, and 3 words went", to be heard. */
export const wordsText = ({ inserted, deleted }: Pick<Comparison, 'inserted' | 'deleted'>): string =>
  listed([t('changes.words.inserted', { count: inserted }), t('changes.words.deleted', { count: deleted })]);

/** A number above 0 that somebody typed; null where nothing was, NaN where it is none. */
export function typedNumber(text: string): number | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  return /^\d{1,9}$/.test(trimmed) && Number(trimmed) > 0 ? Number(trimmed) : Number.NaN;
}
