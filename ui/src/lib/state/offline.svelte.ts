/** State of offline reading: settings, progress and counts, loaded while a dialog shows them. */
import {
  asIpcError,
  call,
  type OfflineProgress,
  type OfflineSettings,
  type OfflineState,
  type FeedScope,
  type FullTextWhen,
  type IpcError,
} from '../ipc';
import { t } from '../messages';
import { reading } from './article.svelte';
import { SaveQueue } from './save-queue';
import { toasts } from './toasts.svelte';

class Offline {
  state = $state.raw<OfflineState | null>(null);
  progress = $state.raw<OfflineProgress | null>(null);
  error = $state.raw<IpcError | null>(null);

  readonly running = $derived(this.progress?.running ?? this.state?.running ?? false);

  private readonly saves = new SaveQueue();

  async load(): Promise<void> {
    try {
      this.state = (await this.saves.readSettled(() => call('offline_state'))) ?? this.state;
    } catch (error) {
      this.error = asIpcError(error);
    }
  }

  async change(part: Partial<OfflineSettings>): Promise<void> {
    if (!this.state) return;
    const settings = { ...this.state.settings, ...part };
    this.state = { ...this.state, settings };
    this.error = null;
    await this.saves.enqueue(async () => {
      try {
        await call('save_offline_settings', settings);
      } catch (error) {
        this.error = asIpcError(error);
      }
    });
    await this.load();
  }

  run(): void {
    call('start_downloads').catch((error: unknown) => toasts.error(error));
  }

  stop(): void {
    call('cancel_downloads').catch((error: unknown) => toasts.error(error));
  }

  onProgress(progress: OfflineProgress): void {
    this.progress = progress;
    if (progress.running) return;
    // The open article may have got its full text or images.
    void reading.reloadContent();
    if (this.state) void this.load();
  }
}

export const offline = new Offline();

async function saveFullTextWhen(feed: number, when: FullTextWhen | null): Promise<FullTextWhen | null> {
  const scope: FeedScope = { kind: 'feed', id: feed };
  const { own } = await call('preferences', scope);
  await call('set_preferences', { scope, preferences: { ...own, full_text_when: when } });
  return own.full_text_when;
}

/** Sets when full texts of a feed are fetched, with a toast to undo it. Returns false if saving failed. */
export async function setFullTextWhen(feed: number, title: string, when: FullTextWhen): Promise<boolean> {
  try {
    const before = await saveFullTextWhen(feed, when);
    toasts.show(t(when === 'never' ? 'full_text.never.done' : 'full_text.always.done', { title }), {
      action: {
        label: t('toast.undo'),
        run: () => void saveFullTextWhen(feed, before).catch((error: unknown) => toasts.error(error)),
      },
    });
    return true;
  } catch (error) {
    toasts.error(error);
    return false;
  }
}
