/** Finding by a few letters: what answers best comes first. */

export type Ranked = { readonly label: string };

/** Without case, accents and marks: "Ü" is found by "u". */
export const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLocaleLowerCase();

/** How well one typed word answers a folded name; 0: not at all. */
function answers(word: string, name: string): number {
  const at = name.indexOf(word);
  if (at === 0) return word.length === name.length ? 5 : 4;
  if (at > 0) {
    for (let from = at; from > 0; from = name.indexOf(word, from + 1)) {
      if (!/[\p{L}\p{N}]/u.test(name[from - 1] as string)) return 3;
    }
    return 2;
  }
  // The letters in their order, the first of them at the beginning of a word: "mar" finds "Mark all as read", and "maar" does.
  let from = 0;
  for (const letter of word) {
    from = name.indexOf(letter, from) + 1;
    if (from === 0) return 0;
  }
  return name.startsWith(word.charAt(0)) ? 1 : 0;
}

/** What answers every word that was typed, the best first, else in its own order. */
export function ranked<T extends Ranked>(
  entries: readonly (T & { readonly folded: string })[],
  typed: string,
  most: number,
): T[] {
  const words = fold(typed).split(/\s+/).filter(Boolean);
  if (words.length === 0) return entries.slice(0, most);
  const whole = words.join(' ');
  const found: { entry: T; score: number; at: number }[] = [];
  entries.forEach((entry, at) => {
    let score = entry.folded.startsWith(whole) ? 2 : 0;
    for (const word of words) {
      const one = answers(word, entry.folded);
      if (one === 0) return;
      score += one;
    }
    found.push({ entry, score, at });
  });
  found.sort((a, b) => b.score - a.score || a.at - b.at);
  return found.slice(0, most).map(({ entry }) => entry);
}
