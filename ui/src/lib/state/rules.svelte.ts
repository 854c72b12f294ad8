/** The user's rules and the actions on them. */
import { asIpcError, call, type ApplyProgress, type IpcError, type Rule, type SaveRule, type UndoStep } from '../ipc';
import { t, withoutIsolates } from '../messages';
import { reading } from './article.svelte';
import { dialogs } from './dialogs.svelte';
import { offerUndo, undoable } from './feeds';
import { list } from './list.svelte';
import { wordsQuery } from './search.svelte';
import { toasts } from './toasts.svelte';
import { addedStep, undo } from './undo.svelte';

/** A rule being edited. */
export type Draft = SaveRule;

export const EMPTY: Draft = { id: null, name: '', query: '', scope: { kind: 'everywhere' }, actions: [] };

/** Returns the name of a rule that hides what matches a search, until the user gives it another. */
export const muteName = (query: string): string => withoutIsolates(t('rules.mute.name', { query }));

/** Creates a rule from a search query; `mute` makes it hide the matches. */
export function draftOf(query: string, mute: boolean): Draft {
  return { ...EMPTY, name: mute ? muteName(query) : '', query, actions: mute ? [{ kind: 'hide' }] : [] };
}

/** Opens a draft of a rule that hides articles with these words. */
export const muteWords = (words: string): void =>
  dialogs.show({ kind: 'rules', draft: draftOf(wordsQuery(words), true) });

class RulesState {
  all = $state.raw<readonly Rule[] | null>(null);
  error = $state.raw<IpcError | null>(null);
  /** The rule being applied to all articles, and its progress. */
  applying = $state.raw<(ApplyProgress & { readonly rule: number }) | null>(null);

  async load(): Promise<void> {
    try {
      this.all = await call('rules');
      this.error = null;
    } catch (error) {
      this.error = asIpcError(error);
    }
  }

  /**
   * Saves a rule and returns its id. `changed` is called with whether adding it was undone or redone. Rejects with an
   * `IpcError`.
   */
  async save(draft: Draft, changed: (undone: boolean) => void = () => {}): Promise<number> {
    const { id, undo: step } = await call('save_rule', draft);
    const name = draft.name.trim() || draft.query.trim();
    const remove = () => call('delete_rule', { rule_id: id });
    const again = (undone: boolean) => {
      this.reload();
      changed(undone);
    };
    if (draft.id === null) offerUndo(addedStep(t('rules.added', { name }), remove, again));
    else undoable(t('rules.saved', { name }), step, this.reload, () => this.save(draft));
    await this.load();
    return id;
  }

  enable(rule: Rule, enabled: boolean): Promise<void> {
    return this.attempt(() => call('enable_rule', { rule_id: rule.id, enabled }));
  }

  remove(rule: Rule): Promise<void> {
    return this.attempt(() => call('delete_rule', { rule_id: rule.id }), t('rules.deleted', { name: rule.name }));
  }

  /** Moves a rule by one position. */
  async move(rule: Rule, by: 1 | -1): Promise<void> {
    const ids = (this.all ?? []).map(({ id }) => id);
    const from = ids.indexOf(rule.id);
    const to = from + by;
    if (from < 0 || to < 0 || to >= ids.length) return;
    ids.splice(to, 0, ...ids.splice(from, 1));
    const message = t('rules.moved', { name: rule.name, place: to + 1, total: ids.length });
    await this.attempt(() => call('order_rules', { ids }), message);
  }

  /** Applies a rule to all stored articles; shows a toast if no dialog shows the result. */
  async apply(rule: Rule): Promise<void> {
    if (this.applying) return;
    this.applying = { rule: rule.id, done: 0, total: 0 };
    try {
      const done = await call('apply_rule', { rule_id: rule.id });
      if (done) {
        undoable(t('rules.applied', { name: rule.name, count: done.count }), done.undo, this.changed);
        this.changed();
      } else toasts.show(t('rules.stopped', { name: rule.name }));
      await this.load();
    } catch (error) {
      toasts.error(error);
    } finally {
      this.applying = null;
    }
  }

  stop(): void {
    call('cancel_apply_rule').catch((error: unknown) => toasts.error(error));
  }

  onProgress(progress: ApplyProgress): void {
    if (this.applying) this.applying = { ...this.applying, ...progress };
  }

  /** Reloads the list after articles were added to it or removed. */
  private readonly changed = (): void => {
    this.reload();
    void reading.reloadMarks();
    if (!list.searching) void list.show(list.source);
  };

  private readonly reload = (): void => {
    // Without the dialog, the next one to open loads the rules.
    if (dialogs.open?.kind === 'rules') void this.load();
  };

  private readonly attempt = undo.action(async (ask: () => Promise<UndoStep>, message?: string): Promise<void> => {
    try {
      const { undo } = await ask();
      if (message !== undefined) undoable(message, undo, this.reload, () => this.attempt(ask, message));
      await this.load();
    } catch (error) {
      toasts.error(error);
      await this.load();
    }
  });
}

export const rules = new RulesState();
