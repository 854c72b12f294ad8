/** Heights of the rows of lists, calculated from their data. */
import type { ArticleRow, Density, ListLayout, Settings } from '../../lib/ipc';
import { hasRoom, type Thumbnails } from '../../lib/list/thumbnail';
import { rowTexts } from '../../lib/repeated-title';

/** Heights and widths in rem, must match Row.svelte and Thumbnail.svelte. */
const META = 1.125;
const GAP = 0.25;
const LINE = 1.25;
/** Left and right of a row's text, with the padding of the list. */
export const SIDES = 1.375 + 0.75 + 2 * 0.5;
const BLOCK: Record<Density, number> = { comfortable: 0.6875, cosy: 0.5, compact: 0.375 };
const THUMBNAIL: Record<Density, number> = { comfortable: 3.75, cosy: 2.5, compact: 0 };
const THUMBNAIL_GAP = 0.75;
const ONE_LINE: Record<Density, number> = { comfortable: 2.375, cosy: 2.125, compact: 1.75 };
/** Maximum number of lines of an excerpt. */
const EXCERPT: Record<Density, number> = { comfortable: 2, cosy: 1, compact: 0 };

const MAGAZINE = { title: 1.625, line: 1.375, image: 8, widest: 62 } as const;
/** Size of the images of a magazine, of the largest. */
const PICTURE: Record<Density, number> = { comfortable: 1, cosy: 0.75, compact: 0.5 };
const MAGAZINE_BLOCK: Record<Density, number> = { comfortable: 1, cosy: 0.75, compact: 0.5 };
const MAGAZINE_EXCERPT: Record<Density, number> = { comfortable: 3, cosy: 2, compact: 1 };

/** Group heading above its rows. */
export const HEADING = 2.25;

export type RowOptions = Pick<Settings, 'list_layout' | 'density'> & Thumbnails;
/** The width of the list and of a row's texts in one line, in rem. */
type RowRoom = { readonly list: number; readonly title: number; readonly excerpt: number };
export type RowShape = {
  /** rem. */
  readonly height: number;
  /** Number of lines; an excerpt without lines is not drawn. */
  readonly title: number;
  readonly excerpt: number;
  /** Whether there is room for a thumbnail. */
  readonly image: boolean;
};

/** The height of a row while its list has no width yet. */
const UNSEEN: RowShape = { height: 6, title: 2, excerpt: 2, image: false };

/** Returns whether rows have one line each, whatever their texts. */
export const hasOneLine = (layout: ListLayout): boolean => layout === 'compact' || layout === 'columns';

/** Returns whether a row of several lines has room for a thumbnail. */
const showsThumbnail = (row: ArticleRow, options: RowOptions): boolean =>
  !hasOneLine(options.list_layout) &&
  (options.list_layout === 'magazine' || THUMBNAIL[options.density] > 0) &&
  hasRoom(row, options);

/** Returns the number of lines of a text: 1 if it fits into one line, else the maximum. */
const lines = (width: number, room: number, most: number): number =>
  width <= 0 ? 0 : width <= room ? Math.min(1, most) : most;

/** Returns the approximate number of lines of a text that is shown in place of a title. */
const leadLines = (width: number, room: number): number => Math.max(1, width <= room ? 1 : width <= 1.8 * room ? 2 : 3);

/** Returns how a row is drawn. It depends on the article's texts and not on its state, so reading keeps it as it is. */
export function rowShape(row: ArticleRow, room: RowRoom, options: RowOptions): RowShape {
  const { list_layout, density } = options;
  if (hasOneLine(list_layout)) return { height: ONE_LINE[density], title: 1, excerpt: 1, image: false };
  const image = showsThumbnail(row, options);
  if (list_layout === 'magazine') return magazineShape(row, room, density, image);
  const text = room.list - SIDES - (image ? THUMBNAIL[density] + THUMBNAIL_GAP : 0);
  const most = EXCERPT[density];
  const shape = rowTexts(row).title
    ? { title: lines(room.title, text, 2), excerpt: lines(room.excerpt, text, most) }
    : { title: 0, excerpt: Math.min(most + 1, leadLines(room.excerpt, text)) };
  const upper = Math.max((shape.title + shape.excerpt) * LINE, image ? THUMBNAIL[density] : 0);
  return { height: 2 * BLOCK[density] + upper + GAP + META, ...shape, image };
}

/** Returns what shapes the rows of a list: `width` and the texts' `widths` are in pixels, of which a rem has `rem`. */
export function shapes(
  widths: { of(row: ArticleRow): readonly [number, number] },
  width: number,
  rem: number,
  options: RowOptions,
): (row: ArticleRow) => RowShape {
  if (width === 0) return () => UNSEEN;
  return (row) => {
    const [title, excerpt] = widths.of(row);
    return rowShape(row, { list: width / rem, title: title / rem, excerpt: excerpt / rem }, options);
  };
}

function magazineShape(row: ArticleRow, room: RowRoom, density: Density, image: boolean): RowShape {
  const picture = image ? PICTURE[density] * Math.min(13, Math.max(6, 0.26 * room.list)) + 1 : 0;
  const text = Math.min(room.list - 1, MAGAZINE.widest) - 1.375 - 0.75 - picture;
  const most = MAGAZINE_EXCERPT[density];
  const shown = rowTexts(row);
  const title = shown.title ? lines(room.title, text, 2) : 0;
  const lead = leadLines(room.excerpt, text);
  const excerpt = !shown.title ? lead : shown.excerpt ? Math.min(most, lead) : 0;
  const words = title * MAGAZINE.title + excerpt * MAGAZINE.line + GAP + META;
  const upper = Math.max(words, image ? PICTURE[density] * MAGAZINE.image : 0);
  return { height: 2 * MAGAZINE_BLOCK[density] + upper, title, excerpt, image };
}

/** Returns the custom properties of a list's rows. */
export function rowStyle({ list_layout, density }: Pick<RowOptions, 'list_layout' | 'density'>): string {
  const block = list_layout === 'magazine' ? MAGAZINE_BLOCK[density] : BLOCK[density];
  return `--row-block: ${block}rem; --thumbnail: ${THUMBNAIL[density]}rem; --picture: ${PICTURE[density]}`;
}
