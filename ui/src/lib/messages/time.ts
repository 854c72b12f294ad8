/** Lengths of time as a player tells them. */
import { formatLocale } from './index';

/** "12:34", "1:02:03". */
export function clock(seconds: number): string {
  const whole = Number.isFinite(seconds) ? Math.max(0, Math.floor(seconds)) : 0;
  const two = new Intl.NumberFormat(formatLocale(), { minimumIntegerDigits: 2, useGrouping: false });
  const one = new Intl.NumberFormat(formatLocale(), { useGrouping: false });
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const parts = hours > 0 ? [one.format(hours), two.format(minutes)] : [one.format(minutes)];
  return [...parts, two.format(rest)].join(':');
}

/** "1.25×". */
export function times(speed: number): string {
  return `${new Intl.NumberFormat(formatLocale(), { maximumFractionDigits: 2 }).format(speed)}×`;
}
