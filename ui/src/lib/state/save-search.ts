/** Saves the query in the search field, or changes the saved search that was opened. */
import { changeQuery } from './collections.svelte';
import { dialogs } from './dialogs.svelte';
import { search } from './search.svelte';

export function saveCurrentSearch(): void {
  if (!search.canSave) return;
  const { saved } = search;
  const query = search.text.trim();
  if (!saved) dialogs.show({ kind: 'save_search', query });
  else void changeQuery(saved, query);
}
