// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest';
import { fitWords } from './fit-words';

/** Width of a button without and with its words, in CSS pixels. */
const [BARE, WORDED] = [32, 120];

/** Builds a toolbar of this width with two groups of two buttons, and returns for which of them it shows words. */
function words(width: number, inner = '<b></b><b></b><i data-last></i><b></b><b></b>'): string | undefined {
  const bar = document.createElement('header');
  bar.innerHTML = inner;
  const parts = [...bar.children] as HTMLElement[];
  const last = parts.findIndex((part) => part.hasAttribute('data-last'));
  const isWorded = (at: number) => bar.dataset['words'] === 'all' || (bar.dataset['words'] === 'last' && at > last);
  const needed = () =>
    parts.reduce((sum, part, at) => sum + (part.localName === 'b' ? (isWorded(at) ? WORDED : BARE) : 0), 0);
  Object.defineProperty(bar, 'clientWidth', { get: () => width });
  Object.defineProperty(bar, 'scrollWidth', { get: needed });
  for (const part of parts) part.getBoundingClientRect = () => new DOMRect(0, 0, 10, 10);
  fitWords(bar)();
  return bar.dataset['words'];
}

vi.stubGlobal(
  'ResizeObserver',
  class {
    private listener: () => void;
    constructor(listener: () => void) {
      this.listener = listener;
    }
    observe(): void {
      this.listener();
    }
    disconnect(): void {}
  },
);

it('shows all labels, else those of the last group, else none', () => {
  expect([words(480), words(479), words(304), words(303)]).toEqual(['all', 'last', 'last', undefined]);
});

it('shows all words or none in a toolbar of one group', () => {
  expect([words(240, '<b></b><b></b>'), words(239, '<b></b><b></b>')]).toEqual(['all', undefined]);
});
