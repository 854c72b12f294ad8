/** Which form or question is open in a section of accounts or services: one at a time. */
import { tick } from 'svelte';

/** The form of a new account or service, or a form or question of one: `rename-3`. */
export type PartName = 'add' | `${string}-${number}`;

export class OpenPart {
  private open = $state<PartName | null>(null);

  /** `section`: what contains the buttons that open the parts, whose `data-focus` is the name. */
  constructor(private readonly section: () => HTMLElement | undefined) {}

  is(name: PartName): boolean {
    return this.open === name;
  }

  show(name: PartName): void {
    this.open = name;
  }

  toggle(name: PartName): void {
    this.open = this.is(name) ? null : name;
  }

  /**
   * Closes a part and focuses a button, by default the one that opened it. Does nothing if the user has closed it already, and perhaps opened
   * another, while a server was responding.
   */
  async close(name: PartName, focus: PartName = name): Promise<void> {
    if (!this.is(name)) return;
    this.open = null;
    await tick();
    this.section()?.querySelector<HTMLElement>(`[data-focus="${focus}"]`)?.focus();
  }
}
