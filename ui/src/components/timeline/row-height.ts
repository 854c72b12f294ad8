import type { ArticleRow } from '../../lib/ipc';

/** In rem; Row.svelte is drawn to fit: three lines of title and excerpt, or two of a title alone, above a line of particulars. */
export const FULL_ROW = 6.5;
export const SHORT_ROW = 5.25;

export const rowHeight = (row: ArticleRow): number => (row.excerpt ? FULL_ROW : SHORT_ROW);
