/** The fake's saved searches, tags, hidden articles and categories. */
import type { Collections, Commands, SavedSearch } from '../generated';
import { keyOf } from '../../tags';
import type { FakeArticle } from './articles';
import { fail, type FakeLibrary, thrown } from './library';
import { find } from './search';

type Name =
  | 'collections'
  | 'save_search'
  | 'change_saved_search'
  | 'move_saved_search'
  | 'delete_saved_search'
  | 'tag'
  | 'rename_tag'
  | 'delete_tag'
  | 'keep_progress'
  | 'keep_playback'
  | 'categories'
  | 'set_category_synonym';
type Handlers = { [N in Name]: (args: Commands[N]['args']) => Commands[N]['result'] };
type Undoable = (back: () => void) => number;

export class FakeCollections {
  private searches: SavedSearch[] = [];
  private tags: { id: number; name: string }[] = [];
  private synonyms = new Map<string, string>();
  private languages: Collections['languages'] = [];

  constructor(private readonly library: FakeLibrary) {}

  /** By the number of the article. */
  fill(): void {
    const { articles } = this.library;
    if (articles.length === 0) return;
    this.searches = [
      { id: 1, name: 'Unread about feeds', query: 'is:unread feeds', unread: null, more: false },
      { id: 2, name: 'Long reads', query: 'slow', unread: null, more: false },
    ];
    this.languages = [
      { tag: 'en', unread: 999, more: true },
      { tag: 'de', unread: 12, more: false },
      { tag: 'ja', unread: 0, more: false },
    ];
    for (const name of ['To read', 'Recipes']) this.tags.push({ id: this.library.nextId++, name });
    articles.slice(3, 9).forEach((article, i) => article.tags.push(i % 2 ? 'Recipes' : 'To read'));
  }

  told(): Collections {
    const shown = this.library.articles.filter((article) => !article.hidden);
    return {
      searches: this.searches.map((search) => {
        const answer = find(shown, { query: search.query, order: 'date', after: null, limit: 1000 });
        const unread = answer.kind === 'found' ? answer.hits.filter((hit) => !hit.row.read).length : 0;
        return { ...search, unread: Math.min(unread, 999), more: unread > 999 };
      }),
      tags: this.tags
        .map((tag) => {
          const items = shown.filter((article) => article.tags.includes(tag.name));
          return { ...tag, items: items.length, unread: items.filter((article) => !article.read).length };
        })
        .toSorted((a, b) => a.name.localeCompare(b.name)),
      noted: shown.filter(this.library.noted).length,
      hidden: this.library.articles.length - shown.length,
      languages: this.languages,
    };
  }

  tagged(id: number): (article: FakeArticle) => boolean {
    const name = this.tags.find((tag) => tag.id === id)?.name ?? '';
    return (article) => article.tags.includes(name);
  }

  handlers(undoable: Undoable): Handlers {
    const { library } = this;
    const searchOf = (id: number) => this.searches.find((search) => search.id === id) ?? thrown(fail('not_found'));
    const tagOf = (id: number) => this.tags.find((tag) => tag.id === id) ?? thrown(fail('not_found'));
    /** As all of it was before. */
    const back = () => {
      const { searches, tags } = structuredClone({ searches: this.searches, tags: this.tags });
      const tagsOf = library.articles.map((article) => [article, [...article.tags]] as [FakeArticle, string[]]);
      return undoable(() => {
        Object.assign(this, { searches, tags });
        for (const [article, names] of tagsOf) article.tags = names;
      });
    };
    return {
      collections: () => this.told(),
      save_search: ({ name, query }) => {
        if (this.searches.some((search) => keyOf(search.name) === keyOf(name)))
          throw fail('invalid_input', `there is a saved search of this name: ${name}`);
        const id = library.nextId++;
        this.searches.push({ id, name, query, unread: null, more: false });
        return { search_id: id };
      },
      change_saved_search: ({ search_id, name, query }) => {
        const undo = back();
        const search = searchOf(search_id);
        this.searches = this.searches.map((other) =>
          other === search ? { ...search, name: name ?? search.name, query: query ?? search.query } : other,
        );
        return { undo };
      },
      move_saved_search: ({ search_id, to }) => {
        const search = searchOf(search_id);
        this.searches = this.searches.filter((other) => other !== search);
        this.searches.splice(to, 0, search);
        return null;
      },
      delete_saved_search: ({ search_id }) => {
        const undo = back();
        const search = searchOf(search_id);
        this.searches = this.searches.filter((other) => other !== search);
        return { undo };
      },
      tag: ({ ids, name, on }) => {
        const undo = back();
        let tag = this.tags.find((tag) => keyOf(tag.name) === keyOf(name));
        if (!tag) this.tags = [...this.tags, (tag = { id: library.nextId++, name })];
        const known = tag.name;
        for (const article of library.articles)
          if (ids.includes(article.id)) {
            const others = article.tags.filter((other) => other !== known);
            article.tags = on ? [...others, known] : others;
          }
        return { count: ids.length, undo };
      },
      rename_tag: ({ tag_id, name }) => {
        const undo = back();
        const before = tagOf(tag_id).name;
        this.tags = this.tags
          .filter((tag) => tag.id === tag_id || keyOf(tag.name) !== keyOf(name))
          .map((tag) => (tag.id === tag_id ? { ...tag, name } : tag));
        for (const article of library.articles)
          article.tags = [...new Set(article.tags.map((tag) => (tag === before ? name : tag)))];
        return { undo };
      },
      delete_tag: ({ tag_id }) => {
        const undo = back();
        const gone = tagOf(tag_id).name;
        this.tags = this.tags.filter((tag) => tag.id !== tag_id);
        for (const article of library.articles) article.tags = article.tags.filter((tag) => tag !== gone);
        return { undo };
      },
      keep_progress: ({ id, position }) => {
        const article = library.articles.find((article) => article.id === id);
        if (article) article.progress = position > 0.02 && position < 0.98 ? position : null;
        return null;
      },
      keep_playback: () => null,
      categories: () => ({
        facets: [
          { key: 'history', name: 'history', articles: 500 },
          { key: 'news', name: 'News', articles: 1200 },
          { key: 'news/regional', name: 'Regional', articles: 310 },
          { key: 'sci-tech', name: 'Sci-Tech', articles: 42 },
          { key: 'science', name: 'Science', articles: 128 },
        ].filter((facet) => !this.synonyms.has(facet.key)),
        synonyms: [...this.synonyms].map(([key, means]) => ({ key, means })),
      }),
      set_category_synonym: ({ category, means }) => {
        const { synonyms } = this;
        if (means !== null && keyOf(category) === keyOf(means))
          throw fail('invalid_input', 'the one means the other already');
        this.synonyms = new Map(synonyms);
        if (means === null) this.synonyms.delete(keyOf(category));
        else this.synonyms.set(keyOf(category), means);
        return { undo: undoable(() => (this.synonyms = synonyms)) };
      },
    };
  }
}
