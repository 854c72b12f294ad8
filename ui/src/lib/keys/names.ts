import { t } from '../messages';

const NAMES = {
  Space: 'keyname.space',
  Shift: 'keyname.shift',
  Ctrl: 'keyname.ctrl',
  Enter: 'keyname.enter',
  Escape: 'keyname.escape',
  ArrowUp: 'keyname.up',
  ArrowDown: 'keyname.down',
  ArrowLeft: 'keyname.left',
  ArrowRight: 'keyname.right',
} as const;

/** The caps as they stand on the keyboard: "Shift+A" is two, pressed together; "g a" as well, pressed in turn. */
export const keyCaps = (keys: string): string[] => keys.split(' ').flatMap(capsOf);

/** For a sentence: "Shift+A", "G S". */
export const keyText = (keys: string): string =>
  keys
    .split(' ')
    .map((chord) => capsOf(chord).join('+'))
    .join(' ');

function capsOf(chord: string): string[] {
  const parts = chord.endsWith('++') ? [...chord.slice(0, -2).split('+'), '+'] : chord.split('+');
  return parts.map((part) =>
    part in NAMES ? t(NAMES[part as keyof typeof NAMES]) : part.length === 1 ? part.toUpperCase() : part,
  );
}

/** For `aria-keyshortcuts`, which has no way to tell of keys pressed in turn. */
export function ariaKeys(keys: string): string | undefined {
  if (keys === '' || keys.includes(' ')) return undefined;
  return keys.replace('Ctrl', 'Control').replace('++', '+Plus');
}
