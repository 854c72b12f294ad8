/** Starts the core for the tests of the window: one process for all tests, with a separate library for each. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the core. */
    devHost: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const built = process.env['GLEANER_DEV_HOST'];
  const [command, args] = built ? [built, []] : ['cargo', ['run', '--quiet', '--locked', '-p', 'gleaner-dev-host']];
  const host = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const failed = once(host, 'exit').then(([code]) => {
    throw new Error(`gleaner-dev-host ended with ${code}`);
  });
  const line = once(createInterface(host.stdout), 'line');
  const [address] = (await Promise.race([line, failed])) as [string];
  project.provide('devHost', address);
  return async () => {
    failed.catch(() => {});
    host.kill();
    await failed.catch(() => {});
  };
}
