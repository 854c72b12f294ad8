/** How often a feed may be wished to be asked. */
import { t } from './index';

const HOUR = 60;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
const OFFERED = [15, 30, HOUR, 3 * HOUR, 12 * HOUR, DAY, WEEK];

/** As the library says "as Gleaner thinks best". */
const BEST = -1;

/** As a choice names it. */
export const intervalOf = (minutes: number): string => (minutes === BEST ? 'best' : String(minutes));
export const minutesOf = (interval: string): number => (interval === 'best' ? BEST : Number(interval));

function named(minutes: number): string {
  if (minutes === WEEK) return t('about.often.week');
  if (minutes % DAY === 0) return t('about.often.days', { count: minutes / DAY });
  if (minutes % HOUR === 0) return t('about.often.hours', { count: minutes / HOUR });
  return t('about.often.minutes', { count: minutes });
}

/** What there is to choose from: with the present wish, which the command line may have made another. */
export function intervals(now: number | null): { value: string; label: string }[] {
  const all = now === null || now <= 0 || OFFERED.includes(now) ? OFFERED : [...OFFERED, now].sort((a, b) => a - b);
  return [
    { value: 'best', label: t('about.often.best') },
    ...all.map((minutes) => ({ value: String(minutes), label: named(minutes) })),
    { value: '0', label: t('about.often.never') },
  ];
}
