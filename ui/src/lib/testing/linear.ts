/** Asserts in tests that work takes time in proportion to its input. */
import { expect } from 'vitest';

/** How many times longer the long input is. */
const FACTOR = 4;

/** How many times longer the long input may take: linear work takes 4 times as long, quadratic work 16 times. */
const LIMIT = 10;

/** Measurements shorter than this, in milliseconds, are too inexact. */
const SHORTEST = 20;

/**
 * Asserts that work takes time in proportion to its input, an input of `size` and one of a quarter of it.
 *
 * Only the processor's time of this process is measured, so a busy machine changes nothing.
 */
export function expectLinear<Input>(size: number, make: (size: number) => Input, work: (input: Input) => void): void {
  const inputs = [make(size / FACTOR), make(size)] as const;
  let [short, long] = [Infinity, Infinity];
  // The best of several attempts: the first runs before the code is compiled.
  for (let attempt = 0; attempt < 8; attempt++) {
    short = Math.min(
      short,
      measure(() => work(inputs[0])),
    );
    long = Math.min(
      long,
      measure(() => work(inputs[1])),
    );
    if (long <= Math.max(short, SHORTEST) * LIMIT) return;
  }
  expect.fail(`${short} ms for a quarter of the input, ${long} ms for all of it`);
}

function measure(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
