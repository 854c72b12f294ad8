/** The refresh intervals a user can choose from. */
import { t } from './index';

const HOUR = 60;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
const OFFERED = [15, 30, HOUR, 3 * HOUR, 12 * HOUR, DAY, WEEK];

/** The library's value for an automatic interval. */
const AUTOMATIC = -1;

/** Converts between minutes and the value of a choice. */
export const intervalOf = (minutes: number): string => (minutes === AUTOMATIC ? 'automatic' : String(minutes));
export const minutesOf = (interval: string): number => (interval === 'automatic' ? AUTOMATIC : Number(interval));

export function intervalText(minutes: number): string {
  if (minutes === WEEK) return t('refresh_interval.week');
  if (minutes % DAY === 0) return t('refresh_interval.days', { count: minutes / DAY });
  if (minutes % HOUR === 0) return t('refresh_interval.hours', { count: minutes / HOUR });
  return t('refresh_interval.minutes', { count: minutes });
}

/** Returns the choices, including the current interval: the command line may have set one that is not offered here. */
export function intervals(current: number | null): { value: string; label: string }[] {
  const all =
    current === null || current <= 0 || OFFERED.includes(current)
      ? OFFERED
      : [...OFFERED, current].sort((a, b) => a - b);
  return [
    { value: 'automatic', label: t('refresh_interval.automatic') },
    ...all.map((minutes) => ({ value: String(minutes), label: intervalText(minutes) })),
    { value: '0', label: t('refresh_interval.manual') },
  ];
}
