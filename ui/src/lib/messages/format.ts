/** Dates, times and sizes in the user's locale. */
import { formatLocale } from './index';

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
  return text.charAt(0).toLocaleUpperCase(formatLocale()) + text.slice(1);
}

const DAY = 86_400_000;

/** As short as a row can bear: the time today, "Yesterday", a weekday, then a date. */
export function shortDate(ms: number, now: number = Date.now()): string {
  const days = Math.round((dayStart(now) - dayStart(ms)) / DAY);
  if (days === 0) return format({ timeStyle: 'short' }).format(ms);
  if (days === 1) return capital(new Intl.RelativeTimeFormat(formatLocale(), { numeric: 'auto' }).format(-1, 'day'));
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

/** "2.4 MB". */
export function fileSize(bytes: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return new Intl.NumberFormat(formatLocale(), {
    style: 'unit',
    unit: units[power] ?? 'byte',
    unitDisplay: 'short',
    maximumFractionDigits: power === 0 ? 0 : 1,
  }).format(bytes / 1000 ** power);
}
