/** Services that articles are saved in. */
import { call, type ShareService } from '../ipc';
import { t } from '../messages';
import { errorText } from '../messages/errors';
import { refusedToken } from '../servers';
import { reading } from './article.svelte';
import { dialogs } from './dialogs.svelte';
import { offerUndo } from './feeds';
import { list } from './list.svelte';
import { toasts } from './toasts.svelte';

class Sharing {
  services = $state.raw<readonly ShareService[]>([]);
  /** The service that is sending on request. */
  sending = $state<number | null>(null);

  async load(): Promise<void> {
    try {
      this.services = await call('share_services');
    } catch (error) {
      toasts.error(error);
    }
  }

  async remove(service: ShareService): Promise<void> {
    await this.quietly(call('remove_share_service', { service_id: service.id }));
  }

  async sendAgain(service: ShareService): Promise<void> {
    this.sending = service.id;
    await this.quietly(call('send_shares_again', { service_id: service.id }));
    this.sending = null;
  }

  async discard(service: ShareService): Promise<void> {
    try {
      const { undo: step } = await call('discard_shares', { service_id: service.id });
      offerUndo({
        step,
        did: t('sharing.discarded', { count: service.waiting + service.refused }),
        restore: () => {},
        undoStep: (number) => call('restore_shares', { undo: number }),
        again: () => this.discard(service),
      });
    } catch (error) {
      toasts.error(error);
    }
  }

  /** Saves articles in a service. Articles that it cannot accept now are sent later. */
  async save(service: ShareService, ids: readonly number[]): Promise<void> {
    const { id, name } = service;
    toasts.show(t('sharing.saving', { name }));
    try {
      const shared = await call('share_articles', { service_id: id, ids: [...ids] });
      const settings = {
        label: t('key.settings'),
        run: () => dialogs.show({ kind: 'settings', part: 'sharing' }),
      };
      const error = shared.error;
      const words = error ? (refusedToken(error, service.kind) ?? errorText(error)) : undefined;
      const { what, advice } = words ?? { what: undefined, advice: undefined };
      if (shared.waiting > 0) {
        const text = t('sharing.later', { count: shared.waiting, name });
        // Being offline is normal.
        if (shared.error?.code === 'offline') toasts.show(text, { detail: what });
        else toasts.show(text, { detail: what, isError: true, action: settings });
      } else if (shared.refused > 0 && what !== undefined) {
        toasts.show(what, { detail: advice, isError: true, action: settings });
      } else toasts.show(t('sharing.saved', { count: shared.saved, name }));
    } catch (error) {
      toasts.error(error);
    }
  }

  /** Saves the selected articles or the open one: in the only service, or in one that the user chooses. */
  choose(): void {
    const ids = this.subjects();
    if (ids.length === 0) return;
    const [only] = this.services;
    if (!only) dialogs.show({ kind: 'settings', part: 'sharing' });
    else if (this.services.length === 1) void this.save(only, ids);
    else dialogs.show({ kind: 'share', ids });
  }

  /** Returns the ids of the selected articles, else of the open one. */
  subjects(): number[] {
    const picked = list.picked().map((row) => row.id);
    if (picked.length > 0) return picked;
    const id = reading.id ?? list.selected;
    return id === null ? [] : [id];
  }

  /** Opens a new e-mail with titles and links. */
  async mail(ids: readonly number[]): Promise<void> {
    await this.quietly(call('share_by_mail', { ids: [...ids] }));
  }

  private async quietly(call: Promise<unknown>): Promise<void> {
    try {
      await call;
    } catch (error) {
      toasts.error(error);
    }
  }
}

export const sharing = new Sharing();
