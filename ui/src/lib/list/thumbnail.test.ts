import { describe, expect, it } from 'vitest';
import { thumbnailOf } from './thumbnail';

const web = { thumbnail: 'https://a.example/x.png', thumbnail_kept: null };
const kept = { ...web, thumbnail_kept: 'gleaner-image://localhost/ab' };

describe('small pictures', () => {
  it('come from the web only where that is allowed', () => {
    expect(thumbnailOf(web, { thumbnails: true, load_images: true })).toBe(web.thumbnail);
    expect(thumbnailOf(web, { thumbnails: true, load_images: false })).toBeNull();
  });

  it('are kept ones where there are, in any case', () => {
    for (const load_images of [true, false])
      expect(thumbnailOf(kept, { thumbnails: true, load_images })).toBe(kept.thumbnail_kept);
  });

  it('are none where nobody wants them, and where there is no picture', () => {
    expect(thumbnailOf(kept, { thumbnails: false, load_images: true })).toBeNull();
    for (const thumbnail of [null, 'javascript:x', 'file:///x.png', 'data:text/html,x'])
      expect(thumbnailOf({ thumbnail, thumbnail_kept: null }, { thumbnails: true, load_images: true })).toBeNull();
  });
});
