import { t } from '../messages';

const NAMES = {
  Space: 'keyname.space',
  Shift: 'keyname.shift',
  Ctrl: 'keyname.ctrl',
  Enter: 'keyname.enter',
  Escape: 'keyname.escape',
} as const;

/** The caps of a chord as they stand on the keyboard: "Shift+A" is two. */
export function keyCaps(chord: string): string[] {
  const parts = chord.endsWith('++') ? [...chord.slice(0, -2).split('+'), '+'] : chord.split('+');
  return parts.map((part) =>
    part in NAMES ? t(NAMES[part as keyof typeof NAMES]) : part.length === 1 ? part.toUpperCase() : part,
  );
}

/** For `aria-keyshortcuts`. */
export function ariaKeys(chord: string): string {
  return chord.replace('Ctrl', 'Control').replace('++', '+Plus');
}
