/** Ranks labels by how well they match typed text. */
import { fold } from './fold';

/** `also`: other words for the label, folded. */
type Ranked = { readonly label: string; readonly also?: string };

/** Scores a typed word against a folded name; 0 means no match. */
function answers(word: string, name: string): number {
  const at = name.indexOf(word);
  if (at === 0) return word.length === name.length ? 5 : 4;
  if (at > 0) {
    for (let from = at; from > 0; from = name.indexOf(word, from + 1)) {
      if (!/[\p{L}\p{N}]/u.test(name[from - 1] as string)) return 3;
    }
    return 2;
  }
  // Letters in order, the first at a word start: "mar" finds "Mark all as read", and so does "maar".
  let from = 0;
  for (const letter of word) {
    from = name.indexOf(letter, from) + 1;
    if (from === 0) return 0;
  }
  // Between 1 and 2: letters that are close together count for more.
  return name.startsWith(word.charAt(0)) ? 1 + (0.9 * word.length) / from : 0;
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
    let score = entry.folded.startsWith(whole) ? 2 : 0;
    for (const word of words) {
      const other = answers(word, entry.also ?? '');
      // Other words rank below a part of the label, but the beginning of one ranks above scattered letters.
      const one = Math.max(answers(word, entry.folded), other >= 3 ? 1.95 : other >= 2 ? 1 : 0);
      if (one === 0) return;
      score += one;
    }
    found.push({ entry, score, at });
  });
  found.sort((a, b) => b.score - a.score || a.at - b.at);
  return found.slice(0, limit).map(({ entry }) => entry);
}
