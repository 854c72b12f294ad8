import { describe, expect, it } from 'vitest';
import { thumbnailOf } from './thumbnail';

const web = { thumbnail: 'https://a.example/x.png', thumbnail_kept: null, feed_id: 7 };
const shows = (on: boolean) => ({ thumbnails: true, shows: () => on });
const kept = { ...web, thumbnail_kept: 'gleaner-image://localhost/ab' };

describe('small pictures', () => {
  it('come from the web only where that is allowed', () => {
    expect(thumbnailOf(web, shows(true))).toBe(web.thumbnail);
    expect(thumbnailOf(web, shows(false))).toBeNull();
  });

  it('come from the web as is wished of their feed', () => {
    const of = (feed: number) => thumbnailOf(web, { thumbnails: true, shows: (asked) => asked === feed });
    expect([of(7), of(8)]).toEqual([web.thumbnail, null]);
  });

  it('are kept ones where there are, in any case', () => {
    for (const load_images of [true, false]) expect(thumbnailOf(kept, shows(load_images))).toBe(kept.thumbnail_kept);
  });

  it('are none where nobody wants them, and where there is no picture', () => {
    expect(thumbnailOf(kept, { thumbnails: false, shows: () => true })).toBeNull();
    for (const thumbnail of [null, 'javascript:x', 'file:///x.png', 'data:text/html,x'])
      expect(thumbnailOf({ ...web, thumbnail }, shows(true))).toBeNull();
  });
});
