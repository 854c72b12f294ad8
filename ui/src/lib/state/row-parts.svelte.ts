/** The parts that rows of the article list show. */
import { showsImages } from './images';
import { library } from './library.svelte';
import { list, PAGE } from './list.svelte';
import { settings } from './settings.svelte';

class RowParts {
  /** Rows name their feed. In the list of one feed, each would repeat its name. */
  readonly namesFeeds = $derived(list.searching || list.source.kind !== 'feed');

  /** Rows name their author: in the list of one feed, if its first articles have several. */
  readonly namesAuthors = $derived.by(() => {
    if (this.namesFeeds) return false;
    const authors = list.rows.slice(0, PAGE).flatMap(({ author }) => author ?? []);
    return authors.some((author) => author !== authors[0]);
  });

  /** Thumbnail settings. Hidden articles load no remote thumbnails. */
  readonly thumbnailOptions = $derived.by(() => {
    const { list_layout, thumbnails } = settings.value;
    const loadsRemote = list.source.kind !== 'hidden';
    // In the list of one feed, its image would be repeated in each row.
    const ofFeed = this.namesFeeds;
    return { list_layout, thumbnails, ofFeed, shows: (feed: number) => loadsRemote && showsImages(feed) };
  });

  /** Everything but the rows themselves that determines row heights. */
  readonly drawn = $derived.by(() => {
    const { list_layout, thumbnails, load_images } = settings.value;
    const own = library.feeds.filter((feed) => feed.load_images !== null);
    const feeds = [library.feeds.length, ...own.map((feed) => `${String(feed.id)}${String(feed.load_images)}`)];
    return [list_layout, thumbnails, load_images, this.namesFeeds, list.source.kind === 'hidden', ...feeds].join(' ');
  });
}

export const rowParts = new RowParts();
