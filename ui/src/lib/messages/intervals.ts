/** How often a feed may be wished to be asked. */
import { t } from '../../lib/messages';

const HOUR = 60;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
const OFFERED = [15, 30, HOUR, 3 * HOUR, 12 * HOUR, DAY, WEEK];

/** As a choice names it; `null`: as Gleaner thinks best. */
export const intervalOf = (minutes: number | null): string => (minutes === null ? 'best' : String(minutes));
export const minutesOf = (interval: string): number | null => (interval === 'best' ? null : Number(interval));

function named(minutes: number): string {
  if (minutes === WEEK) return t('about.often.week');
  if (minutes % DAY === 0) return t('about.often.days', { count: minutes / DAY });
  if (minutes % HOUR === 0) return t('about.often.hours', { count: minutes / HOUR });
  return t('about.often.minutes', { count: minutes });
}

/** What there is to choose from: with the present wish, which the command line may have made another. */
export function intervals(now: number | null): { value: string; label: string }[] {
  const all = now === null || now === 0 || OFFERED.includes(now) ? OFFERED : [...OFFERED, now].sort((a, b) => a - b);
  return [
    { value: 'best', label: t('about.often.best') },
    ...all.map((minutes) => ({ value: String(minutes), label: named(minutes) })),
    { value: '0', label: t('about.often.never') },
  ];
}
