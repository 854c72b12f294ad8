import { describe, expect, it } from 'vitest';
import { noteBroken, thumbnailOf } from './thumbnail';

const web = { thumbnail: 'https://a.example/x.png', offline_thumbnail: null, feed_id: 7 };
const shows = (on: boolean) => ({ thumbnails: true, shows: () => on });
const downloaded = { ...web, offline_thumbnail: 'gleaner-image://localhost/ab' };

describe('thumbnails', () => {
  it('are remote only if that is allowed', () => {
    expect(thumbnailOf(web, shows(true))).toBe(web.thumbnail);
    expect(thumbnailOf(web, shows(false))).toBeNull();
  });

  it('follow the preference of their feed', () => {
    const of = (feed: number) => thumbnailOf(web, { thumbnails: true, shows: (id) => id === feed });
    expect([of(7), of(8)]).toEqual([web.thumbnail, null]);
  });

  it('are downloaded ones if there are any', () => {
    for (const load_images of [true, false])
      expect(thumbnailOf(downloaded, shows(load_images))).toBe(downloaded.offline_thumbnail);
  });

  it('are absent if turned off or without an image', () => {
    expect(thumbnailOf(downloaded, { thumbnails: false, shows: () => true })).toBeNull();
    for (const thumbnail of [null, 'javascript:x', 'file:///x.png', 'data:text/html,x'])
      expect(thumbnailOf({ ...web, thumbnail }, shows(true))).toBeNull();
  });

  it('are not those that could not be loaded', () => {
    const gone = { ...downloaded, thumbnail: 'https://a.example/gone.png', offline_thumbnail: 'gleaner-image://gone' };
    noteBroken(gone.offline_thumbnail, true);
    expect(thumbnailOf(gone, shows(true))).toBe(gone.thumbnail);
    noteBroken(gone.thumbnail, false);
    expect(thumbnailOf(gone, shows(true))).toBe(gone.thumbnail);
    noteBroken(gone.thumbnail, true);
    expect(thumbnailOf(gone, shows(true))).toBeNull();
  });

  it('in the feed itself are never noted', () => {
    const within = { ...web, thumbnail: 'data:image/png;base64,AA' };
    noteBroken(within.thumbnail, true);
    expect(thumbnailOf(within, shows(true))).toBe(within.thumbnail);
  });
});
