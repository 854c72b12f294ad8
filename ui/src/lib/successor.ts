/**
 * Returns the key of the row that takes the place of a removed one: the next one that stays, else the previous one.
 */
export function successor<T>(key: T, before: readonly T[], now: readonly T[]): T | undefined {
  const at = before.indexOf(key);
  const there = new Set(now);
  const stays = (one: T) => there.has(one);
  return at < 0 ? undefined : (before.slice(at + 1).find(stays) ?? before.slice(0, at).findLast(stays));
}
