/** The real core behind loopback HTTP (tests/dev_host), for `npm run dev`. It is not part of a release. */
import type { Core } from './core';

/** Content of a new library. */
export type Content = 'empty' | 'first_run' | 'filled';

/** Creates a scratch library. `?content=` in the address chooses what it contains. */
export async function hostCore(): Promise<Core> {
  const content = new URLSearchParams(location.search).get('content') ?? 'filled';
  const library = `/libraries/${await post('/libraries', { content })}`;
  const events = new EventSource(`${library}/events`);
  return {
    call: (name, args) => post(`${library}/call/${name}`, args ?? null),
    on: (name, handler) => {
      const listener = (event: MessageEvent<string>) => handler(JSON.parse(event.data));
      events.addEventListener(name, listener);
      return Promise.resolve(() => events.removeEventListener(name, listener));
    },
  };
}

async function post(path: string, body: unknown): Promise<unknown> {
  const response = await fetch(path, { method: 'POST', body: JSON.stringify(body) });
  const value: unknown = await response.json();
  if (!response.ok) throw value;
  return value;
}
