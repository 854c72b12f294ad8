import { describe, expect, it } from 'vitest';
import { UndoStack } from './undo-stack';

describe('undo stack', () => {
  it('returns the newest step first', () => {
    const stack = new UndoStack<number>();
    stack.push(1);
    stack.push(2);
    expect([stack.pop(), stack.pop(), stack.pop()]).toEqual([2, 1, undefined]);
  });

  it('drops the oldest step beyond its limit', () => {
    const stack = new UndoStack<number>(2);
    [1, 2, 3].forEach((n) => stack.push(n));
    expect(stack.size).toBe(2);
    expect([stack.pop(), stack.pop()]).toEqual([3, 2]);
  });

  it('inserts a step below another, or on top if that is gone', () => {
    const stack = new UndoStack<string>();
    ['a', 'b'].forEach((entry) => stack.push(entry));
    stack.push('c', 'b');
    stack.push('d', 'gone');
    expect([stack.pop(), stack.pop(), stack.pop(), stack.pop()]).toEqual(['d', 'b', 'c', 'a']);
  });

  it('removes a step from the middle once', () => {
    const stack = new UndoStack<string>();
    stack.push('a');
    stack.push('b');
    expect(stack.take('a')).toBe(true);
    expect(stack.take('a')).toBe(false);
    expect(stack.pop()).toBe('b');
  });
});
