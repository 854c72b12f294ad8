/** Messages about the result of an import. */
import type { ImportPreview, ImportSummary, IpcError, SkipReason } from '../ipc';
import { repairLine } from '../inspect/repairs';
import { archiveLines } from './archive';
import { errorText } from './errors';
import { inLine, t } from './index';

type ImportPart = { title: string; open: boolean; lines: { what: string; why: string }[] };

/** Returns why something was not imported. */
function skipReasonText(reason: SkipReason): string {
  switch (reason.kind) {
    case 'other_type':
      return t('import.reason.other_type', reason);
    case 'more_without_feed':
    case 'feeds_gone':
    case 'too_many':
    case 'invalid_addresses':
    case 'unknown_feeds':
    case 'unused_images':
      return t(`import.reason.${reason.kind}`, { count: reason.count });
    default:
      return t(`import.reason.${reason.kind}`);
  }
}

/** Returns what could not be imported. */
export const importFailure = ({ code }: IpcError): string =>
  code === 'import_empty_folder' ? t('import.failed.folder') : t('import.failed');

/** Returns whether importing a file would change nothing. */
export const isNothingNew = ({
  error,
  new_feeds,
  manual_feeds,
  has_articles,
  folders,
  subscribed,
}: ImportPreview): boolean =>
  error !== null || (new_feeds + manual_feeds === 0 && !has_articles && (folders === 0 || subscribed > 0));

/** Returns whether a feed of a preview will not be refreshed automatically. Those follow the other new ones. */
export const isManual = ({ new_feeds, manual_feeds, feeds }: ImportPreview, at: number): boolean =>
  manual_feeds > 0 && at >= new_feeds && feeds[at]?.subscribed === false;

/** Returns whether a file without new feeds and articles may have marks, tags and notes for those in the library. */
export const hasMarks = ({ error, has_marks }: ImportPreview): boolean => error === null && has_marks;

/** Returns that a file has nothing new. */
export function nothingNew(preview: ImportPreview): string {
  if (hasMarks(preview)) return t('import.nothing.archive');
  return t(preview.error === null && preview.subscribed === 0 ? 'import.no_feeds' : 'import.nothing');
}

/** Returns what importing a file without new feeds and articles adds. Only archives have notes. */
export const mergedText = ({ program }: ImportPreview): string =>
  t(program === 'Gleaner' ? 'import.preview.merge' : 'import.preview.merge.marks');

/** Returns what a file contains. */
export function previewHeadline(preview: ImportPreview): string {
  const feeds = preview.new_feeds + preview.manual_feeds;
  const facts = [
    feeds > 0 ? t('import.preview.new', { count: feeds }) : '',
    preview.folders > 0 ? t('tree.several.folders', { count: preview.folders }) : '',
    (preview.articles ?? 0) > 0 ? t('import.articles', { count: preview.articles ?? 0 }) : '',
    preview.program === 'OPML' ? '' : preview.program,
  ];
  return isNothingNew(preview) ? nothingNew(preview) : inLine(facts);
}

export function importHeadline(summary: ImportSummary): string {
  const articles = summary.archive?.articles_added ?? 0;
  const feeds = summary.feeds_added + summary.manual_feeds;
  const facts = [
    feeds > 0 ? t('import.added', { count: feeds }) : '',
    articles > 0 ? t('archive.added', { count: articles }) : '',
    summary.folders_added > 0 ? t('import.folders', { count: summary.folders_added }) : '',
    summary.articles > 0 ? t('import.articles', { count: summary.articles }) : '',
    summary.starred > 0 ? t('import.starred', { count: summary.starred }) : '',
    summary.marked > 0 ? t('import.marked', { count: summary.marked }) : '',
  ];
  // An archive may have marks, tags and notes, which are counted below.
  return inLine(facts) || t(summary.archive ? 'import.nothing.archive' : 'import.nothing');
}

/** Returns whether a file was cut off, so that entries may be missing. */
export const isTruncated = ({ repairs }: ImportSummary): boolean => repairs.some(({ kind }) => kind === 'truncated');

export const importCounts = ({ archive }: ImportSummary): string[] => (archive ? archiveLines(archive) : []);

/** Returns the entries that are listed one by one. */
export function importParts({ skipped, already_subscribed: already, repeated, repairs }: ImportSummary): ImportPart[] {
  const plain = (lines: string[]) => lines.map((what) => ({ what, why: '' }));
  const parts = [
    {
      title: t('import.skipped', { count: skipped.length }),
      open: true,
      lines: skipped.map(({ outline, reason }) => ({ what: outline, why: skipReasonText(reason) })),
    },
    { title: t('import.already', { count: already.length }), open: false, lines: plain(already) },
    { title: t('import.repeated', { count: repeated.length }), open: false, lines: plain(repeated) },
    { title: t('import.repairs', { count: repairs.length }), open: false, lines: plain(repairs.map(repairLine)) },
  ];
  return parts.filter(({ lines }) => lines.length > 0);
}

/** Returns the whole result as text for the clipboard. */
export function importReport(summary: ImportSummary): string {
  if (summary.error) return [summary.file, importFailure(summary.error), errorText(summary.error).what].join('\n');
  const parts = importParts(summary).flatMap(({ title, lines }) => [
    '',
    title,
    ...lines.map(({ what, why }) => `- ${[what, why].filter(Boolean).join(': ')}`),
  ]);
  return [summary.file, importHeadline(summary), ...importCounts(summary), ...parts].join('\n');
}
