import { describe, expect, it } from 'vitest';
import { actionFor, BINDINGS, chordOf, type KeyPress, type Place } from './bindings';
import { ariaKeys, keyCaps } from './names';

const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...more,
});
const free: Place = { typing: false, covered: false, control: false };

describe('key presses by name', () => {
  it.each([
    [press('j'), 'j'],
    [press('J', { shiftKey: true }), 'Shift+J'],
    [press('J'), 'j'], // Caps lock
    [press(' '), 'Space'],
    [press(' ', { shiftKey: true }), 'Shift+Space'],
    [press('?', { shiftKey: true }), '?'],
    [press('z', { ctrlKey: true }), 'Ctrl+Z'],
    [press('z', { metaKey: true }), 'Ctrl+Z'],
    [press('+', { ctrlKey: true, shiftKey: true }), 'Ctrl++'],
    [press('F6', { shiftKey: true }), 'Shift+F6'],
    [press('[', { altKey: true }), 'Alt+['],
  ])('%j is %s', (event, chord) => expect(chordOf(event)).toBe(chord));
});

describe('what a key asks for', () => {
  it('is found on free ground', () => {
    expect(actionFor(press('j'), free)).toBe('next');
    expect(actionFor(press('A', { shiftKey: true }), free)).toBe('mark_all');
    expect(actionFor(press('a'), free)).toBe('add');
    expect(actionFor(press('q'), free)).toBeNull();
  });

  it('is nothing while typing or under a dialog', () => {
    for (const place of [
      { ...free, typing: true },
      { ...free, covered: true },
    ]) {
      expect(actionFor(press('j'), place)).toBeNull();
      expect(actionFor(press('z', { ctrlKey: true }), place)).toBeNull();
      expect(actionFor(press('Escape'), place)).toBeNull();
    }
  });

  it('is the text size everywhere', () => {
    expect(actionFor(press('+', { ctrlKey: true }), { typing: true, covered: true, control: false })).toBe('larger');
  });

  it('is a search by either key', () => {
    expect(actionFor(press('/', { shiftKey: true }), free)).toBe('search');
    expect(actionFor(press('f', { ctrlKey: true }), free)).toBe('search');
    expect(actionFor(press('/'), { ...free, typing: true })).toBeNull();
  });

  it('leaves Space to the button that has the focus', () => {
    expect(actionFor(press(' '), { ...free, control: true })).toBeNull();
    expect(actionFor(press('j'), { ...free, control: true })).toBe('next');
  });

  it('leaves keys with Ctrl to the system', () => {
    expect(actionFor(press('a', { ctrlKey: true }), free)).toBeNull();
    expect(actionFor(press('c', { ctrlKey: true }), free)).toBeNull();
  });

  it('is one thing for each chord', () => {
    const chords = BINDINGS.flatMap((binding) => binding.chords);
    expect(new Set(chords).size).toBe(chords.length);
  });
});

describe('keys as they are shown', () => {
  it('are caps', () => {
    expect(keyCaps('Shift+A')).toEqual(['Shift', 'A']);
    expect(keyCaps('Ctrl++')).toEqual(['Ctrl', '+']);
    expect(keyCaps('Space')).toEqual(['Space']);
    expect(ariaKeys('Ctrl+Z')).toBe('Control+Z');
  });
});
