/** The only door to the core. Everything else in the window asks and hears through here. */
import { invoke } from '@tauri-apps/api/core';
import { listen } from '@tauri-apps/api/event';
import type { Commands, ErrorCode, Events, IpcError } from './generated';

export type * from './generated';

export type CommandName = keyof Commands;
export type EventName = keyof Events;
type Args<N extends CommandName> = Commands[N]['args'];

/** What stands behind the door: the core, or the in-memory library of `fake/`. */
export interface Core {
  call(name: CommandName, args: unknown): Promise<unknown>;
  on(name: EventName, handler: (payload: unknown) => void): Promise<() => void>;
}

const shell: Core = {
  call: (name, args) => (args === null || args === undefined ? invoke(name) : invoke(name, { args })),
  on: (name, handler) => listen(name, (event) => handler(event.payload)),
};

let core: Promise<Core> | undefined;

function behind(): Promise<Core> {
  if (!core) {
    const inShell = '__TAURI_INTERNALS__' in globalThis;
    core = __FAKE__ && !inShell ? import('./fake').then((module) => module.fakeCore()) : Promise.resolve(shell);
  }
  return core;
}

/** Calls a command. Rejects with an `IpcError`, whatever went wrong. */
export async function call<N extends CommandName>(
  name: N,
  ...rest: Args<N> extends null ? [] : [args: Args<N>]
): Promise<Commands[N]['result']> {
  try {
    return (await (await behind()).call(name, rest[0] ?? null)) as Commands[N]['result'];
  } catch (cause) {
    throw asIpcError(cause);
  }
}

const opening = new Set<Promise<void>>();

/** When everything that `on` was called for so far is really heard: what is asked of the core after that is not missed. */
export const listening = async (): Promise<void> => void (await Promise.all(opening));

/** Hears an event until the function that it gives is called. */
export function on<N extends EventName>(name: N, handler: (payload: Events[N]) => void): () => void {
  let stop: (() => void) | undefined;
  let stopped = false;
  const heard = behind()
    .then((core) => core.on(name, (payload) => handler(payload as Events[N])))
    .then((unlisten) => {
      if (stopped) unlisten();
      else stop = unlisten;
    })
    .catch((cause: unknown) => console.error(`cannot listen to ${name}`, cause))
    .finally(() => opening.delete(heard));
  opening.add(heard);
  return () => {
    stopped = true;
    stop?.();
  };
}

/** The error as the core gives it; anything else (a panic, a missing command) becomes `internal`. */
export function asIpcError(cause: unknown): IpcError {
  if (typeof cause === 'object' && cause !== null && 'code' in cause && 'message' in cause) {
    const { code, message } = cause;
    const detail = 'detail' in cause && typeof cause.detail === 'string' ? cause.detail : null;
    return { code: code as ErrorCode, message: String(message), detail };
  }
  const message = cause instanceof Error ? cause.message : String(cause);
  return { code: 'internal', message, detail: null };
}
