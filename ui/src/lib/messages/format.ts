/** Dates, times, sizes and the order of names in the user's locale. */
import { currentLanguage, formatLocale, phraseLocale, t } from './index';
import { today } from './today.svelte';

let collator = new Intl.Collator('en', { numeric: true });
let collatorTag = 'en';

/** Compares names in the order of the window's language, and numbers in them by value: "Part 9" is before "Part 18". */
export function compareNames(a: string, b: string): number {
  const { tag } = currentLanguage();
  if (tag !== collatorTag) [collator, collatorTag] = [new Intl.Collator(tag, { numeric: true }), tag];
  return collator.compare(a, b);
}

const cache = new Map<string, Intl.DateTimeFormat>();

function format(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = formatLocale() + JSON.stringify(options);
  let found = cache.get(key);
  if (!found) {
    found = new Intl.DateTimeFormat(formatLocale(), options);
    cache.set(key, found);
  }
  return found;
}

function dayStart(ms: number): number {
  const date = new Date(ms);
  date.setHours(0, 0, 0, 0);
  return date.getTime();
}

function capital(text: string): string {
  return text.charAt(0).toLocaleUpperCase(phraseLocale()) + text.slice(1);
}

/** Adds the space between a number and a Chinese unit that the messages have and the platform leaves out: "5 小时前". */
const spaced = (text: string): string => text.replace(/(\d)(?=\p{Script=Han})/gu, '$1 ');

/** Formats a relative time: "yesterday", "in 3 days". */
const relative = (count: number, unit: Intl.RelativeTimeFormatUnit, numeric: 'auto' | 'always' = 'auto'): string =>
  spaced(new Intl.RelativeTimeFormat(phraseLocale(), { numeric }).format(count, unit));

/** Formats a past time: "3 days ago". */
export const ago = (count: number, unit: Intl.RelativeTimeFormatUnit): string => relative(-count, unit, 'always');

const DAY = 86_400_000;

/** Returns a short date for a list row: the time today, "Yesterday", a weekday, or a date. */
export function shortDate(ms: number, now: number = today.now): string {
  const days = Math.round((dayStart(now) - dayStart(ms)) / DAY);
  if (days === 0) return format({ timeStyle: 'short' }).format(ms);
  if (days === 1) return capital(relative(-1, 'day'));
  if (days > 1 && days < 7) return format({ weekday: 'short' }).format(ms);
  const sameYear = new Date(ms).getFullYear() === new Date(now).getFullYear();
  return format(
    sameYear ? { day: 'numeric', month: 'short' } : { day: 'numeric', month: 'short', year: 'numeric' },
  ).format(ms);
}

/** Keeps a time and its “AM” on one line. */
const unbroken = (text: string): string => text.replace(/(\d) (\p{L}+)$/u, '$1\u00a0$2');

/** Formats a date: "Friday 20 November 2026, 08:15". */
export function fullDate(ms: number): string {
  return unbroken(format({ dateStyle: 'full', timeStyle: 'short' }).format(ms));
}

/** Formats a day that a date without a time names, such as 2026-11-20: "20 November 2026". */
export function longDay(date: string): string {
  return format({ dateStyle: 'long', timeZone: 'UTC' }).format(Date.parse(date));
}

/** Formats a date: "20 Nov 2026, 08:15". */
export function mediumDate(ms: number): string {
  return unbroken(format({ dateStyle: 'medium', timeStyle: 'short' }).format(ms));
}

/** Returns a day as a heading: "Today", "Yesterday", "Friday 20 November", with the year if it is not this one. */
export function dayHeading(ms: number, now: number = today.now): string {
  const days = Math.round((dayStart(now) - dayStart(ms)) / DAY);
  if (days === 0 || days === 1)
    return capital(new Intl.RelativeTimeFormat(formatLocale(), { numeric: 'auto' }).format(-days, 'day'));
  const year = new Date(ms).getFullYear() === new Date(now).getFullYear() ? undefined : 'numeric';
  return format({ weekday: 'long', day: 'numeric', month: 'long', year }).format(ms);
}

/** Formats a date: "20 November 2026". */
export function longDate(ms: number): string {
  return format({ dateStyle: 'long' }).format(ms);
}

/** Returns a moment to be used within a sentence: "09:10", "yesterday 09:10", "Fri 09:10", "3 May 09:10", "3 May 2024". */
export function moment(ms: number, now: number = today.now): string {
  const days = Math.round((dayStart(ms) - dayStart(now)) / DAY);
  const time = format({ timeStyle: 'short' }).format(ms);
  if (days === 0) return time;
  if (Math.abs(days) === 1) {
    return `${relative(days, 'day')} ${time}`;
  }
  if (Math.abs(days) < 7) return `${format({ weekday: 'short' }).format(ms)} ${time}`;
  if (new Date(ms).getFullYear() !== new Date(now).getFullYear())
    return format({ day: 'numeric', month: 'short', year: 'numeric' }).format(ms);
  return `${format({ day: 'numeric', month: 'short' }).format(ms)} ${time}`;
}

/** Formats a date: "20 Nov 2026". */
export function dayDate(ms: number): string {
  return format({ dateStyle: 'medium' }).format(ms);
}

/** Returns an hour of the day: "09:00", "9 AM". */
export function hourText(hour: number): string {
  return format({ timeStyle: 'short' }).format(new Date(2024, 0, 1, hour));
}

/** Formats a month: "May 2024". */
export function monthDate(ms: number): string {
  return format({ month: 'long', year: 'numeric' }).format(ms);
}

/** Returns the names of weekdays, 0 being Monday: "Saturday and Sunday". */
export function weekdays(days: readonly number[]): string {
  const name = new Intl.DateTimeFormat(phraseLocale(), { weekday: 'long', timeZone: 'UTC' });
  // The first day of 2024 was a Monday.
  return listed(days.map((day) => name.format(Date.UTC(2024, 0, 1 + day))));
}

/** Returns the short names of weekdays, "Mon" to "Sun". */
export function weekdaysShort(): string[] {
  const name = new Intl.DateTimeFormat(formatLocale(), { weekday: 'short', timeZone: 'UTC' });
  return Array.from({ length: 7 }, (_, day) => name.format(Date.UTC(2024, 0, 1 + day)));
}

/** Joins parts: "a, b and c". */
export function listed(parts: readonly string[]): string {
  return new Intl.ListFormat(phraseLocale(), { type: 'conjunction' }).format(parts);
}

/** Joins parts as `listed` does, with something else in the place of each part. */
export function listParts(
  parts: readonly string[],
  part: (at: number) => string,
  words: (text: string) => string,
): string {
  let at = 0;
  const format = new Intl.ListFormat(phraseLocale(), { type: 'conjunction' });
  return format
    .formatToParts(parts)
    .map(({ type, value }) => (type === 'element' ? part(at++) : words(value)))
    .join('');
}

/** Joins alternatives: "a, b or c". */
export function either(parts: readonly string[]): string {
  return new Intl.ListFormat(phraseLocale(), { type: 'disjunction' }).format(parts);
}

/** Formats a share: "87%" for 0.87. A share between 0 and 1 is never rounded to 0% or 100%. */
export function percent(share: number): string {
  const shown = share <= 0 || share >= 1 ? share : Math.min(0.99, Math.max(0.01, share));
  return new Intl.NumberFormat(formatLocale(), { style: 'percent', maximumFractionDigits: 0 }).format(shown);
}

/** Formats a size in bytes: "2.4 MB". */
export function fileSize(bytes: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const size = new Intl.NumberFormat(formatLocale(), {
    style: 'unit',
    unit: units[power] ?? 'byte',
    // The short form of "byte" has no plural.
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: power === 0 ? 0 : 1,
  });
  return spaced(size.format(bytes / 1000 ** power));
}

/** Formats how long it takes to read an article: "5 min", from two hours on "3 hr"; long: "5 minutes", "3 hours". */
export function readingTime(minutes: number, unitDisplay: 'short' | 'long' = 'short'): string {
  const [count, unit] = minutes < 120 ? [minutes, 'minute'] : [Math.round(minutes / 60), 'hour'];
  return spaced(new Intl.NumberFormat(phraseLocale(), { style: 'unit', unit, unitDisplay }).format(count));
}

/** Joins names with the comma of the window's language: "one, two, three". */
export const commas = (parts: readonly string[]): string => parts.join(t('text.comma'));
