/** Dates, times and sizes in the user's locale. */
import { formatLocale, phraseLocale, t } from './index';

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

/** "yesterday", "in 3 days". */
const relative = (count: number, unit: Intl.RelativeTimeFormatUnit, numeric: 'auto' | 'always' = 'auto'): string =>
  new Intl.RelativeTimeFormat(phraseLocale(), { numeric }).format(count, unit);

/** "3 days ago". */
export const ago = (count: number, unit: Intl.RelativeTimeFormatUnit): string => relative(-count, unit, 'always');

const DAY = 86_400_000;

/** As short as a row can bear: the time today, "Yesterday", a weekday, then a date. */
export function shortDate(ms: number, now: number = Date.now()): string {
  const days = Math.round((dayStart(now) - dayStart(ms)) / DAY);
  if (days === 0) return format({ timeStyle: 'short' }).format(ms);
  if (days === 1) return capital(relative(-1, 'day'));
  if (days > 1 && days < 7) return format({ weekday: 'short' }).format(ms);
  const sameYear = new Date(ms).getFullYear() === new Date(now).getFullYear();
  return format(
    sameYear ? { day: 'numeric', month: 'short' } : { day: 'numeric', month: 'short', year: 'numeric' },
  ).format(ms);
}

/** "Friday 20 November 2026, 08:15". */
export function fullDate(ms: number): string {
  return format({ dateStyle: 'full', timeStyle: 'short' }).format(ms);
}

/** "20 Nov 2026, 08:15". */
export function mediumDate(ms: number): string {
  return format({ dateStyle: 'medium', timeStyle: 'short' }).format(ms);
}

/** A day as a heading: "Today", "Yesterday", "Friday 20 November", with its year where that is another. */
export function dayHeading(ms: number, now: number = Date.now()): string {
  const days = Math.round((dayStart(now) - dayStart(ms)) / DAY);
  if (days === 0 || days === 1)
    return capital(new Intl.RelativeTimeFormat(formatLocale(), { numeric: 'auto' }).format(-days, 'day'));
  const year = new Date(ms).getFullYear() === new Date(now).getFullYear() ? undefined : 'numeric';
  return format({ weekday: 'long', day: 'numeric', month: 'long', year }).format(ms);
}

/** "20 November 2026". */
export function longDate(ms: number): string {
  return format({ dateStyle: 'long' }).format(ms);
}

/** When, within a sentence: "09:10", "yesterday 09:10", "Fri 09:10", "3 May 09:10", "3 May 2024". */
export function moment(ms: number, now: number = Date.now()): string {
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

/** "20 Nov 2026". */
export function dayDate(ms: number): string {
  return format({ dateStyle: 'medium' }).format(ms);
}

/** An hour of the day: "09:00", "9 AM". */
export function hourText(hour: number): string {
  return format({ timeStyle: 'short' }).format(new Date(2024, 0, 1, hour));
}

/** "May 2024". */
export function monthDate(ms: number): string {
  return format({ month: 'long', year: 'numeric' }).format(ms);
}

/** The names of weekdays, 0 being Monday: "Saturday and Sunday". */
export function weekdays(days: readonly number[]): string {
  const name = new Intl.DateTimeFormat(phraseLocale(), { weekday: 'long', timeZone: 'UTC' });
  // The first day of 2024 was a Monday.
  return listed(days.map((day) => name.format(Date.UTC(2024, 0, 1 + day))));
}

/** "Mon" to "Sun". */
export function weekdaysShort(): string[] {
  const name = new Intl.DateTimeFormat(formatLocale(), { weekday: 'short', timeZone: 'UTC' });
  return Array.from({ length: 7 }, (_, day) => name.format(Date.UTC(2024, 0, 1 + day)));
}

/** "a, b and c". */
export function listed(parts: readonly string[]): string {
  return new Intl.ListFormat(phraseLocale(), { type: 'conjunction' }).format(parts);
}

/** "a, b or c". */
export function either(parts: readonly string[]): string {
  return new Intl.ListFormat(phraseLocale(), { type: 'disjunction' }).format(parts);
}

/** "87 %" of 0.87; no share is rounded to all or nothing. */
export function percent(share: number): string {
  const shown = share <= 0 || share >= 1 ? share : Math.min(0.99, Math.max(0.01, share));
  return new Intl.NumberFormat(formatLocale(), { style: 'percent', maximumFractionDigits: 0 }).format(shown);
}

/** "2.4 MB". */
export function fileSize(bytes: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return new Intl.NumberFormat(formatLocale(), {
    style: 'unit',
    unit: units[power] ?? 'byte',
    // Short, a byte has no plural.
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: power === 0 ? 0 : 1,
  }).format(bytes / 1000 ** power);
}

/** "One, two, three", with the comma of the window's language. */
export const commas = (parts: readonly string[]): string => parts.join(t('text.comma'));

/** The same between parts of a sentence. */
export const clauses = (parts: readonly string[]): string => parts.join(t('text.clause'));
