/** Messages about retention and about changes of an article. */
import type { Comparison, RetentionPolicy, Retention } from '../ipc';
import { fileSize } from './format';
import { inLine, t } from './index';
import { inheritedFromText } from './preferences';

/** Returns the limits of a policy: "90 days · newest 500 articles". */
export function retentionText({ days, articles, bytes }: RetentionPolicy): string {
  const parts: string[] = [];
  if (days !== null) parts.push(t('retention.policy.days', { count: days }));
  if (articles !== null) parts.push(t('retention.policy.articles', { count: articles }));
  if (bytes !== null) parts.push(t('retention.policy.bytes', { size: fileSize(bytes) }));
  return parts.length > 0 ? inLine(parts) : t('retention.how.everything');
}

/** Returns the inherited policy: "Default: 90 days". */
export const inheritedText = ({ inherited, inherited_from }: Retention): string =>
  inheritedFromText(inherited_from, retentionText(inherited));

/** Returns the number of changed words for screen readers: "1 word added · 3 words removed". */
export const changedWordsText = ({ inserted, deleted }: Pick<Comparison, 'inserted' | 'deleted'>): string =>
  inLine([t('changes.words.inserted', { count: inserted }), t('changes.words.deleted', { count: deleted })]);

/** Parses a whole number above 0. Returns null for an empty text and NaN for anything else. */
export function typedNumber(text: string): number | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  return /^\d{1,9}$/.test(trimmed) && Number(trimmed) > 0 ? Number(trimmed) : Number.NaN;
}
