/** What stands around the fake's articles: comments, chapters, a feed's picture and search box. */
import type { Chapter, Comments, FeedHead } from '../generated';
import { fail } from './library';
import { picture, SENTENCES } from './words';

const NAMES = ['Ada Moss', 'J. Tidewell', null, 'قارئ'] as const;

/** Articles whose number ends in 6 have no comments yet; where it ends in 9 they do not come. */
export const beside = (wait: () => Promise<void>) => ({
  comments: async ({ id }: { id: number }): Promise<Comments> => {
    await wait();
    if (id % 10 === 9) throw fail('http_status', '503', 'the server answered 503');
    const list = Array.from({ length: id % 10 === 6 ? 0 : 12 }, (_, i) => ({
      author: NAMES[i % NAMES.length] ?? null,
      at: Date.now() - i * 3_600_000,
      url: `https://threshold.example/${id}#comment-${i}`,
      html: `<p>${SENTENCES[(id + i) % SENTENCES.length]}</p>${i % 4 === 2 ? '<blockquote><p>Quoted.</p></blockquote>' : ''}`,
    }));
    return { list, more: false };
  },
  cancel_comments: () => null,
  chapters: async (): Promise<Chapter[]> => {
    await wait();
    return [
      { start: 0, title: 'Welcome' },
      { start: 312, title: 'Four ways to write one title' },
      { start: 1_540.5, title: null },
      { start: 2_500, title: 'Letters' },
    ];
  },
  feed_head: ({ feed_id }: { feed_id: number }): FeedHead => ({
    feed_id,
    description: null,
    image:
      feed_id % 3 === 0
        ? {
            url: picture(feed_id, 144, 48),
            title: 'Our banner',
            link: 'https://threshold.example/',
            width: 144,
            height: 48,
          }
        : null,
    text_input: feed_id % 6 === 0 ? { title: 'Find', description: 'Look in twenty years of archives' } : null,
  }),
  search_site: () => null,
});
