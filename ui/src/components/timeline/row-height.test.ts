import { describe, expect, it } from 'vitest';
import type { ArticleRow, Density } from '../../lib/ipc';
import { rowShape, type RowOptions } from './row-height';

const row = (part: Partial<ArticleRow> = {}): ArticleRow => ({
  id: 1,
  feed_id: 1,
  title: 'A title',
  excerpt: 'An excerpt',
  author: null,
  published: null,
  sort_at: 0,
  read: false,
  starred: false,
  reading_minutes: 1,
  length: 10,
  thumbnail: null,
  offline_thumbnail: null,
  media: null,
  duration: null,
  has_link: true,
  updated: false,
  ...part,
});
const options = (density: Density, list_layout: RowOptions['list_layout'] = 'panes'): RowOptions => ({
  list_layout,
  density,
  thumbnails: true,
  ofFeed: true,
  shows: () => true,
});
/** A list of 23.125 rem has 20 rem for texts. */
const room = (title: number, excerpt: number) => ({ list: 23.125, title, excerpt });

describe('rows', () => {
  it('are as high as their texts', () => {
    const of = (title: number, excerpt: number) => rowShape(row(), room(title, excerpt), options('comfortable'));
    expect(of(10, 0)).toMatchObject({ height: 4, title: 1, excerpt: 0 });
    expect(of(20, 20)).toMatchObject({ height: 5.25, title: 1, excerpt: 1 });
    expect(of(20, 21)).toMatchObject({ height: 6.5, title: 1, excerpt: 2 });
    expect(of(21, 21)).toMatchObject({ height: 7.75, title: 2, excerpt: 2 });
  });

  it('leave room beside a thumbnail, and are at least as high', () => {
    const pictured = row({ thumbnail: 'https://a.example/x.png' });
    const short = rowShape(pictured, room(15, 0), options('comfortable'));
    expect(short).toMatchObject({ height: 6.5, title: 1, image: true });
    expect(rowShape(pictured, room(16, 0), options('comfortable')).title).toBe(2);
  });

  it('are denser with less of the excerpt', () => {
    const heights = (['comfortable', 'cosy', 'compact'] as const).map(
      (density) => rowShape(row(), room(10, 100), options(density)).height,
    );
    expect(heights).toEqual([6.5, 4.875, 3.375]);
    // Not even a text that fits into a line.
    expect(rowShape(row(), room(10, 10), options('compact'))).toMatchObject({ height: 3.375, excerpt: 0 });
    expect(rowShape(row({ thumbnail: 'https://a.example/x.png' }), room(10, 9), options('compact')).image).toBe(false);
  });

  it('of a magazine have smaller images if they are dense', () => {
    const pictured = row({ thumbnail: 'https://a.example/x.png' });
    const heights = (['comfortable', 'cosy', 'compact'] as const).map(
      (density) => rowShape(pictured, room(10, 100), options(density, 'magazine')).height,
    );
    expect(heights).toEqual([10, 7.5, 5.375]);
  });

  it('in columns have one line and no image', () => {
    const pictured = row({ thumbnail: 'https://a.example/x.png' });
    const heights = (['comfortable', 'cosy', 'compact'] as const).map((density) =>
      rowShape(pictured, room(100, 100), options(density, 'columns')),
    );
    expect(heights.map(({ height, image }) => [height, image])).toEqual([
      [2.375, false],
      [2.125, false],
      [1.75, false],
    ]);
  });

  it('show an article without a title by its text', () => {
    const untitled = row({ title: '' });
    const of = (excerpt: number) => rowShape(untitled, room(0, excerpt), options('comfortable')).excerpt;
    expect([of(0), of(20), of(21), of(90)]).toEqual([1, 1, 2, 3]);
  });

  it('show a text once that the title repeats', () => {
    const excerpt = 'A post without a title, of which the title has only the beginning';
    const cut = rowShape(row({ title: 'A post without a title…', excerpt }), room(20, 90), options('comfortable'));
    expect(cut).toMatchObject({ title: 0, excerpt: 3 });
    const same = row({ title: 'All of it', excerpt: 'All of it' });
    expect(rowShape(same, room(10, 0), options('comfortable', 'magazine'))).toMatchObject({ title: 1, excerpt: 0 });
  });

  it('keep their height when they are read or starred', () => {
    const before = rowShape(row(), room(21, 30), options('comfortable'));
    expect(rowShape(row({ read: true, starred: true }), room(21, 30), options('comfortable'))).toEqual(before);
  });
});
