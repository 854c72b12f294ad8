/** What is fetched ahead, as far as a dialog shows it. */
import {
  asIpcError,
  call,
  type AheadProgress,
  type AheadSettings,
  type AheadState,
  type FeedScope,
  type FullTextWhen,
  type IpcError,
} from '../ipc';
import { t } from '../messages';
import { reading } from './article.svelte';
import { Saves } from './saves';
import { toasts } from './toasts.svelte';

class Ahead {
  state = $state.raw<AheadState | null>(null);
  progress = $state.raw<AheadProgress | null>(null);
  error = $state.raw<IpcError | null>(null);

  readonly running = $derived(this.progress?.running ?? this.state?.running ?? false);

  private readonly saves = new Saves();

  async load(): Promise<void> {
    try {
      this.state = (await this.saves.settled(() => call('ahead'))) ?? this.state;
    } catch (error) {
      this.error = asIpcError(error);
    }
  }

  async change(part: Partial<AheadSettings>): Promise<void> {
    if (!this.state) return;
    const settings = { ...this.state.settings, ...part };
    this.state = { ...this.state, settings };
    this.error = null;
    await this.saves.ask(async () => {
      try {
        await call('save_ahead', settings);
      } catch (error) {
        this.error = asIpcError(error);
      }
    });
    await this.load();
  }

  run(): void {
    call('run_ahead').catch((error: unknown) => toasts.error(error));
  }

  stop(): void {
    call('cancel_ahead').catch((error: unknown) => toasts.error(error));
  }

  heard(progress: AheadProgress): void {
    this.progress = progress;
    if (progress.running) return;
    // What is open may have come.
    void reading.refetch();
    if (this.state) void this.load();
  }
}

export const ahead = new Ahead();

async function keepFullTextWhen(feed: number, when: FullTextWhen | null): Promise<FullTextWhen | null> {
  const scope: FeedScope = { kind: 'feed', id: feed };
  const { own } = await call('preferences', scope);
  await call('set_preferences', { scope, preferences: { ...own, full_text_when: when } });
  return own.full_text_when;
}

/** Says of a feed when its articles' full texts are fetched; the toast takes it back. False where that could not be kept. */
export async function setFullTextWhen(feed: number, title: string, when: FullTextWhen): Promise<boolean> {
  try {
    const before = await keepFullTextWhen(feed, when);
    toasts.show(t(when === 'never' ? 'full_text.never.done' : 'full_text.always.done', { title }), {
      action: {
        label: t('toast.undo'),
        run: () => void keepFullTextWhen(feed, before).catch((error: unknown) => toasts.error(error)),
      },
    });
    return true;
  } catch (error) {
    toasts.error(error);
    return false;
  }
}
