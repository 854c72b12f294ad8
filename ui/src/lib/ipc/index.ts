/** The only module that talks to the core. */
import { invoke } from '@tauri-apps/api/core';
import { listen } from '@tauri-apps/api/event';
import type { CommandName, Core, EventName } from './core';
import type { Commands, Events, IpcError } from './generated';

export type { CommandName, EventName } from './core';
export type * from './generated';

type Args<N extends CommandName> = Commands[N]['args'];

/** Answers to commands that the shell called before this script was there (`window.rs`). */
type Early = Partial<Record<CommandName, Promise<unknown>>>;

/** Returns such an answer only once, since a later call gets newer data. */
function early(name: CommandName): Promise<unknown> | undefined {
  const { __GLEANER_EARLY__: answers } = globalThis as { __GLEANER_EARLY__?: Early };
  const answer = answers?.[name];
  if (answer) delete answers[name];
  return answer;
}

type Handler = (payload: unknown) => void;
const handlers = new Map<EventName, Set<Handler>>();
let subscribed: Promise<unknown> | undefined;

/** Subscribes to all events of the core at once (`window.rs`): each subscription is a call, and the start has over thirty. */
function subscribe(): Promise<unknown> {
  return (subscribed ??= listen<[EventName, unknown]>('core', ({ payload: [name, payload] }) => {
    for (const handler of handlers.get(name) ?? [])
      try {
        handler(payload);
      } catch (cause) {
        // The other handlers get the event as well.
        console.error(name, cause);
      }
  }));
}

const shell: Core = {
  call: (name, args) => (args === null || args === undefined ? (early(name) ?? invoke(name)) : invoke(name, { args })),
  on: async (name, handler) => {
    const all = handlers.get(name) ?? new Set();
    handlers.set(name, all.add(handler));
    await subscribe();
    return () => all.delete(handler);
  },
};

let core: Promise<Core> | undefined;

function connected(): Promise<Core> {
  if (!core) {
    const inShell = '__TAURI_INTERNALS__' in globalThis;
    core = __DEV_HOST__ && !inShell ? import('./host').then((module) => module.hostCore()) : Promise.resolve(shell);
  }
  return core;
}

/** Calls a command. Rejects with an `IpcError`, whatever went wrong. */
export async function call<N extends CommandName>(
  name: N,
  ...rest: Args<N> extends null ? [] : [args: Args<N>]
): Promise<Commands[N]['result']> {
  try {
    return (await (await connected()).call(name, rest[0] ?? null)) as Commands[N]['result'];
  } catch (cause) {
    throw asIpcError(cause);
  }
}

const opening = new Set<Promise<void>>();

/** Completes when all subscriptions made so far are active, so that no event of a later call is missed. */
export const listening = async (): Promise<void> => void (await Promise.all(opening));

/** Subscribes to an event. Returns a function that ends the subscription. */
export function on<N extends EventName>(name: N, handler: (payload: Events[N]) => void): () => void {
  let stop: (() => void) | undefined;
  let stopped = false;
  const active = connected()
    .then((core) => core.on(name, (payload) => handler(payload as Events[N])))
    .then((unlisten) => {
      if (stopped) unlisten();
      else stop = unlisten;
    })
    .catch((cause: unknown) => console.error(`cannot listen to ${name}`, cause))
    .finally(() => opening.delete(active));
  opening.add(active);
  return () => {
    stopped = true;
    stop?.();
  };
}

/** Returns an error of the core unchanged. Anything else (a panic, a missing command) becomes `internal`. */
export function asIpcError(cause: unknown): IpcError {
  if (typeof cause === 'object' && cause !== null && 'code' in cause && 'params' in cause) return cause as IpcError;
  console.error(cause);
  return { code: 'internal', params: {} };
}
