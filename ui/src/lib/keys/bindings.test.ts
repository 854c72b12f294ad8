import { describe, expect, it } from 'vitest';
import { BINDINGS, chordOf, isFree, latinChordOf, type KeyPress, type Place } from './bindings';
import { Keymap, readable } from './keymap';
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

describe('names of key presses', () => {
  it.each([
    [press('j'), 'j'],
    [press('J', { shiftKey: true }), 'Shift+J'],
    [press('J'), 'j'], // Caps Lock
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

describe('keys of keyboards without Latin letters', () => {
  it.each([
    ['ت', 'KeyJ', {}, 'j'],
    ['о', 'KeyJ', {}, 'j'],
    ['О', 'KeyJ', { shiftKey: true }, 'Shift+J'],
    ['О', 'KeyJ', {}, 'j'], // Caps Lock
    ['لا', 'KeyB', {}, 'b'],
    ['ـ', 'KeyJ', { shiftKey: true }, 'Shift+J'],
    ['ن', 'KeyK', { ctrlKey: true }, 'Ctrl+K'],
    ['ظ', 'Slash', {}, '/'],
    ['؟', 'Slash', { shiftKey: true }, '?'],
    ['و', 'Comma', { ctrlKey: true }, 'Ctrl+,'],
  ])('%s (%s, %j) is %s', (key, code, more, chord) => expect(latinChordOf({ ...press(key, more), code })).toBe(chord));

  it.each([
    ['q', 'KeyA', {}, 'q'],
    ['ö', 'Semicolon', {}, 'ö'],
    ['ł', 'KeyL', {}, 'ł'],
    ['∆', 'KeyJ', { altKey: true }, 'Alt+∆'],
    ['٣', 'Digit3', {}, '٣'],
    ['ArrowDown', 'ArrowDown', {}, 'ArrowDown'],
    ['δ', '', {}, 'δ'],
    ['§', 'Slash', { shiftKey: true }, '§'], // French
    ['£', 'BracketRight', { shiftKey: true }, '£'], // French
    ['€', 'KeyE', {}, '€'], // AltGr
    ['µ', 'KeyM', {}, 'µ'], // AltGr
    ['→', 'KeyI', {}, '→'], // AltGr
    ['Dead', 'BracketLeft', {}, 'Dead'],
    ['Process', 'KeyA', {}, 'Process'],
  ])('%s (%s, %j) stays %s', (key, code, more, chord) =>
    expect(latinChordOf({ ...press(key, more), code })).toBe(chord),
  );
});

describe('keys handled by the window', () => {
  const own = new Keymap('gleaner', {});
  const actionOf = (event: KeyPress, place: Place) => {
    const chord = chordOf(event);
    const action = own.action(chord);
    return isFree(action, chord, place) ? action : null;
  };

  it('include all outside of fields and dialogs', () => {
    expect(actionOf(press('j'), free)).toBe('next');
    expect(actionOf(press('A', { shiftKey: true }), free)).toBe('mark_all');
    expect(actionOf(press('a'), free)).toBe('add');
    expect(actionOf(press('y'), free)).toBeNull();
    expect(actionOf(press('/', { shiftKey: true }), free)).toBe('search');
    expect(actionOf(press('f', { ctrlKey: true }), free)).toBe('find');
    expect(actionOf(press('F', { ctrlKey: true, shiftKey: true }), free)).toBe('search');
  });

  it('exclude all while typing or in a dialog', () => {
    for (const place of [
      { ...free, typing: true },
      { ...free, covered: true },
    ]) {
      expect(actionOf(press('j'), place)).toBeNull();
      expect(actionOf(press('z', { ctrlKey: true }), place)).toBeNull();
      expect(actionOf(press('Escape'), place)).toBeNull();
    }
  });

  it('include the text size everywhere', () => {
    expect(actionOf(press('+', { ctrlKey: true }), { typing: true, covered: true, control: false })).toBe('larger');
  });

  it('exclude characters in a field, whatever they are bound to', () => {
    const place = { ...free, typing: true };
    expect(isFree('smaller', '-', place)).toBe(false);
    expect(isFree('smaller', 'Ctrl+-', place)).toBe(true);
    expect(isFree('smaller', '-', { ...free, covered: true })).toBe(true);
  });

  it('exclude Space on a button', () => {
    expect(actionOf(press(' '), { ...free, control: true })).toBeNull();
    expect(actionOf(press('j'), { ...free, control: true })).toBe('next');
  });

  it('exclude system keys with Ctrl', () => {
    expect(actionOf(press('v', { ctrlKey: true }), free)).toBeNull();
    expect(actionOf(press('c', { ctrlKey: true }), free)).toBeNull();
  });
});

describe('keymaps', () => {
  const PRESETS = ['gleaner', 'vim', 'net_news_wire', 'reader'] as const;
  const all = (map: Keymap) => BINDINGS.flatMap(({ action }) => map.of(action));

  it.each(PRESETS)('%s means one thing by each key, and none begins another', (preset) => {
    const keys = all(new Keymap(preset, {}));
    expect(new Set(keys).size).toBe(keys.length);
    for (const one of keys) expect(keys.filter((other) => other.startsWith(`${one} `))).toEqual([]);
  });

  it.each(PRESETS)('%s has a key for nearly everything', (preset) => {
    const map = new Keymap(preset, {});
    const without = BINDINGS.filter(({ action }) => map.of(action).length === 0).map(({ action }) => action);
    expect(without.filter((action) => action !== 'previous')).toEqual([]);
  });

  it('remove clashing keys, including sequences', () => {
    const map = new Keymap('gleaner', {});
    expect(map.clashing('g', 'hide')).toEqual(['first', 'new_ones', 'go_to_feed']);
    expect(map.clashing('j k', 'hide')).toEqual(['next']);
    const own = map.changed({}, 'hide', ['j', 'x']);
    expect(own).toEqual({ hide: ['j', 'x'], next: [] });
    const changed = new Keymap('gleaner', own);
    expect(changed.action('j')).toBe('hide');
    expect(changed.of('next')).toEqual([]);
  });

  it('wait for the second key of a sequence', () => {
    const map = new Keymap('reader', {});
    expect(map.action('g')).toBeNull();
    expect(map.begins('g')).toBe(true);
    expect(map.action('g a')).toBe('all');
    expect(map.begins('g a')).toBe(false);
  });

  it('drop stored keys of unknown and fixed actions', () => {
    expect(readable({ hide: ['y'], fly: ['w'], close: ['q'] })).toEqual({ hide: ['y'] });
  });

  it('point back to where a line begins', () => {
    const back = (map: Keymap) => [map.first('back'), map.action('Alt+ArrowRight')];
    expect(back(new Keymap('gleaner', {}))).toEqual(['Alt+ArrowLeft', 'forward']);
    expect(back(new Keymap('vim', {}, true))).toEqual(['Alt+ArrowRight', 'back']);
    expect(back(new Keymap('gleaner', { back: ['Alt+b'] }, true))).toEqual(['Alt+b', null]);
  });

  it('prefer the user’s keys to the preset', () => {
    const map = new Keymap('vim', { hide: ['z'] });
    expect(map.action('z')).toBe('hide');
    expect(map.of('unread_only')).toEqual([]);
  });
});

describe('keys in text fields', () => {
  const typing = { typing: true, covered: false, control: false };

  it('work with Control, except those that edit text', () => {
    for (const [action, chord] of [
      ['palette', 'Ctrl+K'],
      ['find', 'Ctrl+F'],
      ['save_search', 'Ctrl+S'],
      ['settings', 'Ctrl+,'],
    ] as const)
      expect(isFree(action, chord, typing), chord).toBe(true);
    for (const [action, chord] of [
      ['undo', 'Ctrl+Z'],
      ['redo', 'Ctrl+Shift+Z'],
      ['pick_all', 'Ctrl+A'],
      ['browser_behind', 'Ctrl+Enter'],
      ['next', 'j'],
    ] as const)
      expect(isFree(action, chord, typing), chord).toBe(false);
    expect(isFree('palette', 'Ctrl+K', { ...typing, covered: true })).toBe(false);
    expect(isFree('back', 'Alt+ArrowLeft', typing)).toBe(true);
    expect(isFree('back', 'b', typing)).toBe(false);
  });
});

describe('displayed keys', () => {
  it('are split into key caps', () => {
    expect(keyCaps('Shift+A')).toEqual(['Shift', 'A']);
    expect(keyCaps('Ctrl++')).toEqual(['Ctrl', '+']);
    expect(keyCaps('Space')).toEqual(['Space']);
    expect(keyCaps('g Shift+A')).toEqual(['G', 'Shift', 'A']);
    expect(ariaKeys('Ctrl+Z')).toBe('Control+Z');
    expect(ariaKeys('g a')).toBeUndefined();
  });
});
