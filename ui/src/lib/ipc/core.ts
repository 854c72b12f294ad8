/** The type of the core: its commands and events. */
import type { Commands, Events } from './generated';

export type CommandName = keyof Commands;
export type EventName = keyof Events;

/** The core: in the shell, or behind HTTP in development and tests. */
export interface Core {
  call(name: CommandName, args: unknown): Promise<unknown>;
  on(name: EventName, handler: (payload: unknown) => void): Promise<() => void>;
}
