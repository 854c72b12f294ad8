/** What goes out of the fake library: nothing is written. */
import type { DocumentForm, Exported, SavedDocument } from '../generated';

const ENDINGS: Record<DocumentForm, string> = { markdown: 'md', html: 'html', epub: 'epub', notes: 'md' };

export const exports = {
  export_everything: (): Exported => ({
    path: '/home/you/Documents/gleaner.zip',
    feeds: 42,
    articles: 12_345,
    bytes: 38_400_000,
    without_access: 1,
  }),
  save_articles: ({ ids, title, form }: { ids: number[]; title: string; form: DocumentForm }): SavedDocument => ({
    path: `/home/you/Documents/${title}.${ENDINGS[form]}`,
    articles: ids.length || 20,
  }),
  cancel_export: (): null => null,
};
