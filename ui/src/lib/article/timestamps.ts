/** Makes links of the times in the notes of an episode, such as "12:34" and "(1:02:03)". They play it from there. */
import { pageActionLink } from './page-actions';
import { linkTexts } from './text-links';

/**
 * Hours, minutes and seconds, or minutes and seconds. Not a part of another number, date or address, and not a time of day with its
 * unit or zone.
 */
const TIME =
  /(?<![\p{L}\p{N}_:./+-])(?:(\d{1,2}):([0-5]\d)|(\d{1,3})):([0-5]\d)(?![\p{L}\p{N}_:/-]|[.,]\d|\s?(?:[ap]\.?m\b|uhr\b|utc|gmt|ces?t\b|[ecmp][sd]t\b))/giu;

/** A word for the length of the episode, which its notes state before a time. */
const LENGTH =
  /(?:^|[^\p{L}])(?:duration|length|running time|runtime|run time|dauer|laufzeit|spielzeit|spieldauer|länge|durée|durata|duración|duração|長さ|再生時間|时长|時長|المدة)\s?[:：=]?\s*\(?$/iu;

const DAY =
  '(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:mon|diens|donners|frei|sams|sonn)tags?|mittwochs?|sonnabends?|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo';
/** Words which show that the time next to them is a time of day. */
const AFTER_DAY = new RegExp(`(?:^|[^\\p{L}])(?:${DAY}),?\\s(?:(?:at|um|à|a las)\\s)?$`, 'iu');
// Without a comma or a preposition, it may begin a title: "12:30 Monday Night Football".
const BEFORE_DAY = new RegExp(`^(?:,\\s|,?\\s(?:on|every|this|next|am|jeden|le|el)\\s)(?:${DAY})(?![\\p{L}])`, 'iu');

/** Characters around a time that are looked at. */
const AROUND = 40;
/** Seconds by which a stated length may differ from that of the recording. */
const ROUNDED = 2;

/** Links the times of an episode of this length in seconds; `null` if it is unknown. */
export function linkTimes(root: Element, token: string, length: number | null): void {
  linkTexts(root, ':', TIME, ({ 0: text, 1: hours, 2: ofHour, 3: minutes, 4: seconds, index, input }) => {
    const at = Number(hours ?? 0) * 3600 + Number(ofHour ?? minutes) * 60 + Number(seconds);
    if (length !== null && at > length - ROUNDED) return null;
    const before = input.slice(Math.max(0, index - AROUND), index);
    const after = input.slice(index + text.length, index + text.length + AROUND);
    if (LENGTH.test(before) || AFTER_DAY.test(before) || BEFORE_DAY.test(after)) return null;
    return { text, href: pageActionLink(token, 'seek', at) };
  });
}
