/** The names of keys for people and for assistive technology. */
import { t } from '../messages';

const NAMES = {
  Space: 'keyname.space',
  Shift: 'keyname.shift',
  Ctrl: 'keyname.ctrl',
  Enter: 'keyname.enter',
  Escape: 'keyname.escape',
  Delete: 'keyname.delete',
  ArrowUp: 'keyname.up',
  ArrowDown: 'keyname.down',
  ArrowLeft: 'keyname.left',
  ArrowRight: 'keyname.right',
} as const;

/** Splits keys into key caps: "Shift+A" and "g a" are two each. */
export const keyCaps = (keys: string): string[] => keys.split(' ').flatMap(capsOf);

/** Formats keys for a sentence: "Shift+A", "G S". */
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

/** Formats keys for `aria-keyshortcuts`, which does not support sequences. */
export function ariaKeys(keys: string): string | undefined {
  if (keys === '' || keys.includes(' ')) return undefined;
  return keys.replace('Ctrl', 'Control').replace('++', '+Plus');
}
