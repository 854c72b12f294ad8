/** The reader's rules: what they are, and what is done with them. */
import { asIpcError, call, type ApplyProgress, type IpcError, type Rule, type SaveRule, type UndoStep } from '../ipc';
import { t, unmarked } from '../messages';
import { reading } from './article.svelte';
import { dialogs } from './dialogs.svelte';
import { undoable } from './feeds';
import { list } from './list.svelte';
import { wordsQuery } from './search.svelte';
import { toasts } from './toasts.svelte';

/** A rule that is being written. */
export type Draft = SaveRule;

export const EMPTY: Draft = { id: null, name: '', query: '', scope: { kind: 'everywhere' }, actions: [] };

/** A rule out of what was searched for; to mute it is to hide what answers. */
export function draftOf(query: string, mute: boolean): Draft {
  const name = mute ? unmarked(t('rules.mute.name', { query })) : '';
  return { ...EMPTY, name, query, actions: mute ? [{ kind: 'hide' }] : [] };
}

/** Asks for a rule that hides what has these words. */
export const muteWords = (words: string): void =>
  dialogs.show({ kind: 'rules', draft: draftOf(wordsQuery(words), true) });

class RulesState {
  all = $state.raw<readonly Rule[] | null>(null);
  error = $state.raw<IpcError | null>(null);
  /** The one that is being applied to all articles, and how far that is. */
  applying = $state.raw<(ApplyProgress & { readonly rule: number }) | null>(null);

  async load(): Promise<void> {
    try {
      this.all = await call('rules');
      this.error = null;
    } catch (error) {
      this.error = asIpcError(error);
    }
  }

  /** Gives its number. Rejects with an `IpcError`. */
  async save(draft: Draft): Promise<number> {
    const { id, undo } = await call('save_rule', draft);
    const name = draft.name.trim() || draft.query.trim();
    undoable(t(draft.id === null ? 'rules.added' : 'rules.saved', { name }), undo, this.reload);
    await this.load();
    return id;
  }

  enable(rule: Rule, enabled: boolean): Promise<void> {
    return this.act(() => call('enable_rule', { rule_id: rule.id, enabled }));
  }

  remove(rule: Rule): Promise<void> {
    return this.act(() => call('delete_rule', { rule_id: rule.id }), t('rules.deleted', { name: rule.name }));
  }

  /** By one place up or down. */
  async move(rule: Rule, by: 1 | -1): Promise<void> {
    const ids = (this.all ?? []).map(({ id }) => id);
    const from = ids.indexOf(rule.id);
    const to = from + by;
    if (from < 0 || to < 0 || to >= ids.length) return;
    ids.splice(to, 0, ...ids.splice(from, 1));
    const told = t('rules.moved', { name: rule.name, place: to + 1, total: ids.length });
    await this.act(() => call('order_rules', { ids }), told);
  }

  /** With all articles that are there; says so where nobody looks on. */
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
    call('cancel_apply').catch((error: unknown) => toasts.error(error));
  }

  heard(progress: ApplyProgress): void {
    if (this.applying) this.applying = { ...this.applying, ...progress };
  }

  /** Articles have come into the list that is shown, or have gone out of it. */
  private readonly changed = (): void => {
    this.reload();
    void reading.reread();
    if (!list.searching) void list.show(list.source);
  };

  private readonly reload = (): void => {
    // What the dialog shows; without one the next that opens asks.
    if (dialogs.open?.kind === 'rules') void this.load();
  };

  private async act(ask: () => Promise<UndoStep>, told?: string): Promise<void> {
    try {
      const { undo } = await ask();
      if (told !== undefined) undoable(told, undo, this.reload);
      await this.load();
    } catch (error) {
      toasts.error(error);
      await this.load();
    }
  }
}

export const rules = new RulesState();
