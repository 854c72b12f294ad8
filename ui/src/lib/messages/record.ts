/** What polling knows of a feed, in sentences. */
import type { FeedRecord, PollLine, PollReason, PollWishes, Traffic } from '../ipc';
import { errorText } from './errors';
import { ago, clauses, commas, fileSize, moment, percent, weekdays } from './format';
import { number, t, unmarked } from './index';

const MINUTE = 60_000;
const HOUR = 60;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
const MONTH = 30.4 * DAY;
const YEAR = 365 * DAY;

/** A span as exactly as it was asked for: "30 minutes", "36 hours". */
export function spanText(minutes: number): string {
  if (minutes < 1) return t('span.seconds', { count: Math.round(minutes * 60) });
  if (minutes < 2 * HOUR && minutes % HOUR !== 0) return t('span.minutes', { count: Math.round(minutes) });
  if (minutes < 2 * DAY && minutes % DAY !== 0) return t('span.hours', { count: Math.round(minutes / HOUR) });
  return t('span.days', { count: Math.round(minutes / DAY) });
}

/** How long ago, roughly: "3 days ago". */
export function agoText(ms: number, now: number): string {
  const minutes = (now - ms) / MINUTE;
  if (minutes < 1) return t('span.now');
  if (minutes < 2 * HOUR) return ago(Math.round(minutes), 'minute');
  if (minutes < 2 * DAY) return ago(Math.round(minutes / HOUR), 'hour');
  if (minutes < 2 * MONTH) return ago(Math.round(minutes / DAY), 'day');
  if (minutes < 2 * YEAR) return ago(Math.round(minutes / MONTH), 'month');
  return ago(Math.floor(minutes / YEAR), 'year');
}

/** How often something comes that comes each so many minutes: "about once a week". */
export function rhythmText(minutes: number): string {
  if (minutes < 45) return t('rhythm.minutes', { count: Math.max(1, Math.round(minutes)) });
  if (minutes < 90) return t('rhythm.hour');
  if (minutes < 0.75 * DAY) return t('rhythm.times_a_day', { count: Math.round(DAY / minutes) });
  if (minutes < 5.5 * DAY) return t('rhythm.days', { count: Math.round(minutes / DAY) });
  if (minutes < 24.5 * DAY) return t('rhythm.weeks', { count: Math.max(1, Math.round(minutes / WEEK)) });
  if (minutes < 11 * MONTH) return t('rhythm.months', { count: Math.max(1, Math.round(minutes / MONTH)) });
  return minutes < 1.5 * YEAR ? t('rhythm.year') : t('rhythm.rarer');
}

function past(record: FeedRecord, now: number): string {
  // Why it is left alone says as much.
  if (record.next_reason === 'retry_after' && record.next !== null && record.next > now) return '';
  if (record.checked === null) return record.next_reason === 'first' ? '' : t('about.never_asked');
  const when = moment(record.checked, now);
  if (record.trouble) return t('about.asked.failed', { when });
  const count = record.polls[0]?.new_articles ?? 0;
  return count > 0 ? t('about.asked.new', { when, count }) : t('about.asked.nothing', { when });
}

/** Silent for much longer than its rhythm: what it once did says little about when the next article comes. */
const isQuiet = ({ newest, rhythm_minutes }: FeedRecord, now: number): boolean =>
  newest !== null && rhythm_minutes !== null && now - newest > Math.max(4 * rhythm_minutes, 30 * DAY) * MINUTE;

function coming(record: FeedRecord, now: number): string {
  const { next, next_reason: reason } = record;
  if (record.refresh_minutes === 0) return t('about.next.never');
  if (next === null) {
    const gone = record.remedies.some((remedy) => remedy.kind === 'gone');
    return gone ? t('about.next.gone') : t('about.next.none');
  }
  if (next <= now) return t('about.next.due');
  const when = moment(next, now);
  if (reason === null) return t('about.next.plain', { when });
  if (reason !== 'rhythm') return t(`about.next.${reason}`, { when });
  if (record.rhythm_minutes === null) return t('about.next.rhythm.unknown', { when });
  if (isQuiet(record, now)) return t('about.next.rhythm.quiet', { when });
  return t('about.next.rhythm', { when, rhythm: rhythmText(record.rhythm_minutes) });
}

/** The answer to "why?": when it was asked last and what came, when it is asked next and why then. */
export function whyText(record: FeedRecord, now: number): string {
  return [past(record, now), coming(record, now)].filter(Boolean).join(' ');
}

/** "0–6, 23": hours that follow each other are one. */
function hourRanges(hours: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const hour of hours.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && last[1] + 1 === hour) last[1] = hour;
    else ranges.push([hour, hour]);
  }
  return commas(ranges.map(([from, to]) => (from === to ? number(from) : `${number(from)}–${number(to)}`)));
}

/** What the feed and its server ask for, a sentence each. */
export function asksText(asks: PollWishes): string[] {
  const said = [
    asks.fresh_seconds ? t('about.asks.fresh', { span: spanText(asks.fresh_seconds / 60) }) : '',
    asks.ttl_minutes ? t('about.asks.ttl', { span: spanText(asks.ttl_minutes) }) : '',
    asks.period_minutes ? t('about.asks.period', { rhythm: rhythmText(asks.period_minutes) }) : '',
    asks.skip_hours.length > 0 ? t('about.asks.hours', { hours: hourRanges(asks.skip_hours) }) : '',
    asks.skip_days.length > 0 ? t('about.asks.days', { days: weekdays(asks.skip_days) }) : '',
  ].filter(Boolean);
  return said.length > 0 ? said : [t('about.asks.nothing')];
}

export function postsText(record: FeedRecord, now: number): string {
  const { rhythm_minutes, newest } = record;
  if (newest === null) return rhythm_minutes === null ? t('about.rhythm.unknown') : rhythmText(rhythm_minutes);
  const ago = agoText(newest, now);
  if (rhythm_minutes === null) return t('about.rhythm.newest', { ago });
  const rhythm = rhythmText(rhythm_minutes);
  return isQuiet(record, now) ? t('about.rhythm.quiet', { rhythm, ago }) : t('about.rhythm.both', { rhythm, ago });
}

export function requestsText(record: Traffic): string {
  if (record.requests === 0) return t('about.requests.none');
  const share = t('about.requests.share', { share: percent(record.not_modified / record.requests) });
  return clauses([t('about.requests.count', { count: record.requests }), share]);
}

export function trafficText(record: Traffic): string {
  return clauses([
    t('about.traffic.received', { size: fileSize(record.bytes) }),
    t('about.traffic.spared', { size: fileSize(record.bytes_saved) }),
  ]);
}

export function reasonText(reason: PollReason | null): string {
  return reason === null ? t('poll.why.unknown') : t(`poll.why.${reason}`);
}

export const askedText = (line: PollLine): string => (line.conditional ? t('poll.conditional') : t('poll.whole'));

export function answerText(line: PollLine): string {
  if (line.trouble) return errorText(line.trouble).what;
  if (line.status === null) return t('poll.answer.none');
  if (line.status === 304) return t('poll.answer.not_modified');
  if (line.status >= 300) return t('poll.answer.status', { status: String(line.status) });
  return line.changed_articles > 0
    ? t('poll.answer.changed', { count: line.changed_articles })
    : t('poll.answer.whole');
}

/** "340 ms", "2.4 s". */
export function tookText(ms: number): string {
  return ms < 1000 ? t('poll.milliseconds', { count: ms }) : t('poll.seconds', { count: Math.round(ms / 100) / 10 });
}

const utc = (ms: number): string => new Date(ms).toISOString().slice(0, 19) + 'Z';

/** All of it as plain text, for a publisher to lay beside the server's log: hence statuses, bytes and UTC. */
export function reportText(record: FeedRecord, now: number): string {
  const line = (poll: PollLine) =>
    [
      utc(poll.at),
      reasonText(poll.why),
      askedText(poll),
      [poll.status === null ? '' : String(poll.status), answerText(poll)].filter(Boolean).join(' '),
      String(poll.new_articles),
      `${poll.took_ms} ms`,
      String(poll.bytes),
      ...poll.hops.map((hop) => `→ ${hop}`),
    ].join('\t');
  const lines = [
    t('report.title'),
    t('report.made', { time: utc(now) }),
    '',
    record.title,
    record.url,
    record.former_url === null ? null : t('report.former', { url: record.former_url }),
    '',
    record.next === null
      ? coming(record, now)
      : t('report.next', { time: utc(record.next), why: reasonText(record.next_reason) }),
    record.trouble ? t('report.trouble', { what: errorText(record.trouble).what }) : null,
    ...asksText(record.asks),
    `${t('about.rhythm')}: ${postsText(record, now)}`,
    `${t('about.requests')}: ${requestsText(record)}`,
    `${t('about.traffic')}: ${trafficText(record)}`,
    '',
    t('about.record'),
    ...(record.polls.length > 0 ? [t('report.line'), ...record.polls.map(line)] : [t('poll.empty')]),
    '',
  ];
  return unmarked(lines.filter((part) => part !== null).join('\n'));
}
