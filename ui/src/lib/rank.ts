/** Ranks labels by how well they match typed text. */
import { fold } from './fold';

/** `also`: other words for the label, folded. */
type Ranked = { readonly label: string; readonly also?: string };

/** Letters that may be missing between two typed ones. */
const MAX_GAP = 2;

/** Two letters of an alphabet are inside some word of almost every entry. Two Chinese characters are a word. */
const isTooShort = (word: string): boolean => word.length <= 2 && !/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]/u.test(word);

const isWordStart = (name: string, at: number): boolean => at === 0 || !/[\p{L}\p{N}]/u.test(name.charAt(at - 1));

/**
 * Returns the number of letters up to the last typed one, if a name contains them in order: the first begins the name,
 * and each other one follows closely or begins a word. "rfsh" finds "Refresh", and "maar" finds "Mark all as read".
 */
function scattered(word: string, name: string): number | null {
  if (name[0] !== word[0]) return null;
  let ends = [0];
  for (let i = 1; i < word.length; i++) {
    const next: number[] = [];
    for (let at = (ends[0] as number) + 1; at < name.length; at++) {
      if (name[at] !== word[i]) continue;
      if (ends.some((end) => end < at && at - end <= MAX_GAP + 1) || isWordStart(name, at)) next.push(at);
    }
    if (next.length === 0) return null;
    ends = next;
  }
  return (ends[0] as number) + 1;
}

/** Scores a typed word against a folded name; 0 means no match. */
function answers(word: string, name: string): number {
  const at = name.indexOf(word);
  if (at === 0) return word.length === name.length ? 5 : 4;
  if (at > 0) {
    for (let from = at; from > 0; from = name.indexOf(word, from + 1)) {
      if (isWordStart(name, from)) return 3;
    }
    return 2;
  }
  const length = scattered(word, name);
  // Between 1 and 2: letters that are close together count for more.
  return length === null ? 0 : 1 + (0.9 * word.length) / length;
}

/** Returns the labels that match every typed word, best first. */
export function ranked<T extends Ranked>(
  entries: readonly (T & { readonly folded: string })[],
  typed: string,
  limit: number,
): T[] {
  const words = fold(typed).split(/\s+/).filter(Boolean);
  if (words.length === 0) return entries.slice(0, limit);
  const whole = words.join(' ');
  const found: { entry: T; score: number; at: number }[] = [];
  entries.forEach((entry, at) => {
    let score = entry.folded === whole ? 3 : entry.folded.startsWith(whole) ? 2 : 0;
    for (const word of words) {
      const other = answers(word, entry.also ?? '');
      // Other words rank below a part of the label, but the beginning of one ranks above scattered letters.
      const one = Math.max(answers(word, entry.folded), other >= 3 ? 1.95 : other >= 2 && !isTooShort(word) ? 1 : 0);
      if (one === 0) return;
      score += one;
    }
    found.push({ entry, score, at });
  });
  found.sort((a, b) => b.score - a.score || a.at - b.at);
  return found.slice(0, limit).map(({ entry }) => entry);
}
