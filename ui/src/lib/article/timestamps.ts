/** Makes links of the times in the notes of an episode, such as "12:34" and "(1:02:03)". They play it from there. */
import { pageActionLink } from './page-actions';
import { linkTexts } from './text-links';

/**
 * Hours, minutes and seconds, or minutes and seconds. Not a part of another number, date or address, and not a time of day with its
 * unit or zone.
 */
const TIME =
  /(?<![\p{L}\p{N}_:./+-])(?:(\d{1,2}):([0-5]\d)|(\d{1,3})):([0-5]\d)(?![\p{L}\p{N}_:/-]|[.,]\d|\s?(?:[ap]\.?m\b|uhr\b|utc|gmt|ces?t\b|[ecmp][sd]t\b))/giu;

/** Links the times of an episode of this length in seconds; `null` if it is unknown. */
export function linkTimes(root: Element, token: string, length: number | null): void {
  linkTexts(root, ':', TIME, ([text, hours, ofHour, minutes, seconds]) => {
    const at = Number(hours ?? 0) * 3600 + Number(ofHour ?? minutes) * 60 + Number(seconds);
    return length !== null && at > length ? null : { text, href: pageActionLink(token, 'seek', at) };
  });
}
