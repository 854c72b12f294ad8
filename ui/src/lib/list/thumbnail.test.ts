import { describe, expect, it, vi } from 'vitest';
import { hasRoom, noteBroken, onBroken, takeRoom, thumbnailOf } from './thumbnail';

const web = { thumbnail: 'https://a.example/x.png', offline_thumbnail: null, feed_id: 7 };
const shows = (on: boolean, ofFeed = true) => ({ thumbnails: true, ofFeed, shows: () => on });
const downloaded = { ...web, offline_thumbnail: 'gleaner-image://localhost/ab' };

describe('thumbnails', () => {
  it('are remote only if that is allowed', () => {
    expect(thumbnailOf(web, shows(true))).toBe(web.thumbnail);
    expect(thumbnailOf(web, shows(false))).toBeNull();
  });

  it('follow the preference of their feed', () => {
    const of = (feed: number) => thumbnailOf(web, { ...shows(true), shows: (id) => id === feed });
    expect([of(7), of(8)]).toEqual([web.thumbnail, null]);
  });

  it('are downloaded ones if there are any', () => {
    for (const load_images of [true, false])
      expect(thumbnailOf(downloaded, shows(load_images))).toBe(downloaded.offline_thumbnail);
  });

  it('are absent if turned off or without an image', () => {
    expect(thumbnailOf(downloaded, { ...shows(true), thumbnails: false })).toBeNull();
    for (const thumbnail of [null, 'javascript:x', 'file:///x.png', 'data:text/html,x'])
      expect(thumbnailOf({ ...web, thumbnail }, shows(true))).toBeNull();
  });

  it('of episodes without an image are those of their feed, but not in its own list', () => {
    const episode = { ...web, thumbnail: null, show_image: 'https://a.example/show.png' };
    expect(thumbnailOf(episode, shows(true))).toBe(episode.show_image);
    expect(thumbnailOf(episode, shows(false))).toBeNull();
    expect(thumbnailOf(episode, shows(true, false))).toBeNull();
    expect(thumbnailOf({ ...web, show_image: episode.show_image }, shows(true))).toBe(web.thumbnail);
    expect(thumbnailOf({ ...episode, show_image: 'file:///x.png' }, shows(true))).toBeNull();
  });

  it('do not include those that could not be loaded', () => {
    const gone = { ...downloaded, thumbnail: 'https://a.example/gone.png', offline_thumbnail: 'gleaner-image://gone' };
    noteBroken(gone.offline_thumbnail, true);
    expect(thumbnailOf(gone, shows(true))).toBe(gone.thumbnail);
    noteBroken(gone.thumbnail, false);
    expect(thumbnailOf(gone, shows(true))).toBe(gone.thumbnail);
    noteBroken(gone.thumbnail, true);
    expect(thumbnailOf(gone, shows(true))).toBeNull();
  });

  it('have room in a row that is seen while they turn out to be broken', () => {
    const noticed = vi.fn();
    const stop = onBroken(noticed);
    const row = { ...web, thumbnail: 'https://a.example/seen.png' };
    const other = { ...web, thumbnail: 'https://a.example/below.png' };
    for (const { thumbnail } of [row, other]) noteBroken(thumbnail, true);
    expect(noticed).toHaveBeenCalledTimes(2);
    expect([thumbnailOf(row, shows(true)), hasRoom(row, shows(true))]).toEqual([null, true]);
    expect(takeRoom([row])).toBe(true);
    expect([hasRoom(row, shows(true)), hasRoom(other, shows(true))]).toEqual([true, false]);
    expect(takeRoom([row])).toBe(false);
    expect(takeRoom([])).toBe(true);
    expect(hasRoom(row, shows(true))).toBe(false);
    stop();
    noteBroken('https://a.example/later.png', true);
    expect(noticed).toHaveBeenCalledTimes(2);
  });

  it('in the feed itself are never noted', () => {
    const within = { ...web, thumbnail: 'data:image/png;base64,AA' };
    noteBroken(within.thumbnail, true);
    expect(thumbnailOf(within, shows(true))).toBe(within.thumbnail);
  });
});
