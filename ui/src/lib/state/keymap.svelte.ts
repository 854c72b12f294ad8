/** The active keyboard shortcuts. */
import type { KeyPreset } from '../ipc';
import { isRightToLeft } from '../direction';
import type { Action } from '../keys/bindings';
import { Keymap, readable, type Keys } from '../keys/keymap';
import { settings } from './settings.svelte';

class KeymapState {
  readonly own = $derived<Keys>(readable(settings.value.keys));
  readonly now = $derived(new Keymap(settings.value.key_preset, this.own, isRightToLeft()));

  private save(own: Keys): void {
    const keys = Object.entries(own).map(([action, keys]) => [action, [...(keys ?? [])]]);
    settings.change({ keys: Object.fromEntries(keys) as Record<string, string[]> });
  }

  choose(key_preset: KeyPreset): void {
    settings.change({ key_preset, keys: {} });
  }

  set(action: Action, keys: readonly string[]): void {
    this.save(this.now.changed(this.own, action, keys));
  }

  /** Restores the preset. */
  reset(): void {
    this.save({});
  }
}

export const keymap = new KeymapState();
