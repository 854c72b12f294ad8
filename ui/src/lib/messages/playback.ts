/** Times and speeds in the player. */
import type { Played } from '../ipc';
import { formatLocale, t } from './index';

/** Formats seconds: "12:34", "1:02:03". */
export function clock(seconds: number): string {
  const whole = Number.isFinite(seconds) ? Math.max(0, Math.floor(seconds)) : 0;
  const two = new Intl.NumberFormat(formatLocale(), { minimumIntegerDigits: 2, useGrouping: false });
  const one = new Intl.NumberFormat(formatLocale(), { useGrouping: false });
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const parts = hours > 0 ? [one.format(hours), two.format(minutes)] : [one.format(minutes)];
  return [...parts, two.format(rest)].join(':');
}

/** Says how far an episode was played. */
export function progressText({ seconds, duration, finished }: Played): string {
  if (finished) return t('player.played');
  return duration !== null && duration >= seconds
    ? t('listening.left', { time: clock(duration - seconds) })
    : t('player.left_at', { place: clock(seconds) });
}

/** Formats a playback speed: "1.25×". */
export function speedText(speed: number): string {
  return `${new Intl.NumberFormat(formatLocale(), { maximumFractionDigits: 2 }).format(speed)}×`;
}
