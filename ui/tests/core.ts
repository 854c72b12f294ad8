/** The real core in a test: calls over HTTP, events as they come, and a way to wait until nothing happens any more. */
import { Agent, request, type ClientRequest, type IncomingMessage } from 'node:http';
import { inject, vi } from 'vitest';
import type { CommandName } from '../src/lib/ipc';
import type { Core } from '../src/lib/ipc/core';
import type { Content } from '../src/lib/ipc/host';

type Handler = (payload: unknown) => void;

/** A library of the test's own behind the real core. */
export class TestCore implements Core {
  /** The commands that were called, with their requests. */
  calls: [CommandName, unknown][] = [];
  /** A command that fails, and the error it fails with. */
  refused: { command: CommandName; code: string } | null = null;

  private readonly handlers = new Map<string, Set<Handler>>();
  private readonly pending = new Set<Promise<unknown>>();
  private readonly agent = new Agent({ keepAlive: true });
  private events: ClientRequest | null = null;
  /** Counts calls and events. */
  private activity = 0;
  private syncs = 0;

  private constructor(private readonly library: string) {}

  static async open(content: Content = 'filled'): Promise<TestCore> {
    const number = await send('POST', `${inject('devHost')}/libraries`, { content });
    const core = new TestCore(`${inject('devHost')}/libraries/${String(number)}`);
    await core.listen();
    return core;
  }

  call(name: CommandName, args?: unknown): Promise<unknown> {
    this.activity++;
    this.calls.push([name, args]);
    const refused = this.refused?.command === name ? this.refused : null;
    if (refused) return Promise.reject({ code: refused.code, params: {} });
    const called = send('POST', `${this.library}/call/${name}`, args ?? null, this.agent);
    const settled = called.catch(() => {}).finally(() => this.pending.delete(settled));
    this.pending.add(settled);
    return called;
  }

  on(name: string, handler: Handler): Promise<() => void> {
    const handlers = this.handlers.get(name) ?? new Set();
    this.handlers.set(name, handlers.add(handler));
    return Promise.resolve(() => void handlers.delete(handler));
  }

  /**
   * Waits until no call is in progress, code that is loaded on demand has run, all events have arrived, and no timer of the
   * window starts anything new.
   */
  settle = async (): Promise<void> => {
    for (let quiet = 0; quiet < 2;) {
      const before = this.activity;
      if (vi.isFakeTimers()) await vi.advanceTimersByTimeAsync(2000);
      while (this.pending.size > 0) await Promise.all(this.pending);
      await vi.dynamicImportSettled();
      await this.sync();
      quiet = this.activity === before ? quiet + 1 : 0;
    }
  };

  /** Waits until a condition is true: the core may report changes after its answer, and later still on a busy machine. */
  until = async (holds: () => boolean): Promise<void> => {
    while (!holds()) await this.settle();
  };

  async close(): Promise<void> {
    while (this.pending.size > 0) await Promise.all(this.pending);
    this.events?.destroy();
    await send('DELETE', this.library, null, this.agent);
    this.agent.destroy();
  }

  /** Waits until the events that were sent before have arrived. */
  private async sync(): Promise<void> {
    const wanted = ++this.syncs;
    const arrived = new Promise<void>((resolve) => {
      const handler = (payload: unknown) => {
        if (payload !== wanted) return;
        this.handlers.get('synced')?.delete(handler);
        resolve();
      };
      void this.on('synced', handler);
    });
    await send('POST', `${this.library}/sync`, wanted, this.agent);
    await arrived;
  }

  private listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.events = request(`${this.library}/events`, (response: IncomingMessage) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
          const blocks = text.split('\n\n');
          text = blocks.pop() ?? '';
          for (const block of blocks) this.deliver(block);
        });
        resolve();
      });
      // The connection is cut when the test ends.
      this.events.on('error', reject);
      this.events.end();
    });
  }

  private deliver(block: string): void {
    const name = /^event: (.*)$/mu.exec(block)?.[1] ?? '';
    if (name !== 'synced') this.activity++;
    const payload: unknown = JSON.parse(/^data: (.*)$/mu.exec(block)?.[1] ?? 'null');
    this.handlers.get(name)?.forEach((handler) => handler(payload));
  }
}

/** Node's own HTTP, which does not use the timers that a test replaces. */
function send(method: string, url: string, body: unknown, agent?: Agent): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const text = JSON.stringify(body);
    const headers = { 'Content-Length': Buffer.byteLength(text) };
    const sent = request(url, { method, headers, ...(agent ? { agent } : {}) }, (response) => {
      let answer = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (answer += chunk));
      response.on('end', () => {
        const value: unknown = answer === '' ? null : JSON.parse(answer);
        if (response.statusCode === 200) resolve(value);
        else reject(value);
      });
    });
    sent.on('error', reject);
    sent.end(text);
  });
}
