/** Messages about a feed's schedule, requests and posting frequency. */
import type { FeedInfo, PollLogEntry, PollReason, RequestedIntervals, Traffic } from '../ipc';
import { errorText } from './errors';
import { ago, commas, fileSize, moment, percent, weekdays } from './format';
import { inLine, number, sentences, t, withoutIsolates } from './index';

const MINUTE = 60_000;
const HOUR = 60;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
const MONTH = 30.4 * DAY;
const YEAR = 365 * DAY;

/** Returns a duration without rounding: "30 minutes", "36 hours". */
export function spanText(minutes: number): string {
  if (minutes < 1) return t('duration.seconds', { count: Math.round(minutes * 60) });
  if (minutes < 2 * HOUR && minutes % HOUR !== 0) return t('duration.minutes', { count: Math.round(minutes) });
  if (minutes < 2 * DAY && minutes % DAY !== 0) return t('duration.hours', { count: Math.round(minutes / HOUR) });
  return t('duration.days', { count: Math.round(minutes / DAY) });
}

/** Returns an approximate age: "3 days ago". */
export function agoText(ms: number, now: number): string {
  const minutes = (now - ms) / MINUTE;
  if (minutes < 1) return t('duration.now');
  if (minutes < 2 * HOUR) return ago(Math.round(minutes), 'minute');
  if (minutes < 2 * DAY) return ago(Math.round(minutes / HOUR), 'hour');
  if (minutes < 2 * MONTH) return ago(Math.round(minutes / DAY), 'day');
  if (minutes < 2 * YEAR) return ago(Math.round(minutes / MONTH), 'month');
  return ago(Math.floor(minutes / YEAR), 'year');
}

/** Returns an average interval in minutes as a frequency: "about once a week". */
export function frequencyText(minutes: number): string {
  if (minutes < 45) return t('frequency.minutes', { count: Math.max(1, Math.round(minutes)) });
  if (minutes < 90) return t('frequency.hour');
  if (minutes < 0.75 * DAY) return t('frequency.times_a_day', { count: Math.round(DAY / minutes) });
  if (minutes < 5.5 * DAY) return t('frequency.days', { count: Math.round(minutes / DAY) });
  if (minutes < 24.5 * DAY) return t('frequency.weeks', { count: Math.max(1, Math.round(minutes / WEEK)) });
  if (minutes < 11 * MONTH) return t('frequency.months', { count: Math.max(1, Math.round(minutes / MONTH)) });
  return minutes < 1.5 * YEAR ? t('frequency.year') : t('frequency.less_than_yearly');
}

function lastCheckText(record: FeedInfo, now: number): string {
  // The message about the next check says that the server asked to wait.
  if (record.next_reason === 'retry_after' && record.next !== null && record.next > now) return '';
  if (record.checked === null) return record.next_reason === 'first' ? '' : t('feed_info.never_checked');
  const when = moment(record.checked, now);
  if (record.error) return t('feed_info.checked.failed', { when });
  const { new_articles = 0, changed_articles = 0 } = record.polls[0] ?? {};
  if (new_articles > 0) return t('feed_info.checked.new', { when, count: new_articles });
  if (changed_articles > 0) return t('feed_info.checked.changed', { when, count: changed_articles });
  return t('feed_info.checked.nothing', { when });
}

/** Whether the feed has been silent for much longer than its usual interval, which then says little about the next article. */
const isQuiet = ({ newest, posting_interval_minutes }: FeedInfo, now: number): boolean =>
  newest !== null &&
  posting_interval_minutes !== null &&
  now - newest > Math.max(4 * posting_interval_minutes, 30 * DAY) * MINUTE;

function nextCheckText(record: FeedInfo, now: number): string {
  const { next, next_reason: reason } = record;
  if (record.refresh_minutes === 0) return t('feed_info.next.never');
  if (next === null) {
    const gone = record.suggestions.some((suggestion) => suggestion.kind === 'gone');
    return gone ? t('feed_info.next.gone') : t('feed_info.next.none');
  }
  if (next <= now) return t('feed_info.next.due');
  const when = moment(next, now);
  if (reason === null) return t('feed_info.next.plain', { when });
  if (reason !== 'posting_frequency') return t(`feed_info.next.${reason}`, { when });
  if (record.posting_interval_minutes === null) return t('feed_info.next.posting_frequency.unknown', { when });
  if (isQuiet(record, now)) return t('feed_info.next.posting_frequency.quiet', { when });
  return t('feed_info.next.posting_frequency', { when, frequency: frequencyText(record.posting_interval_minutes) });
}

/** Returns the last check with its result, and the next check with its reason. */
export function scheduleText(record: FeedInfo, now: number): string {
  return sentences([lastCheckText(record, now), nextCheckText(record, now)]);
}

/** Returns hours with consecutive ones as a range: "0–6, 23". */
function hourRanges(hours: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const hour of hours.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && last[1] + 1 === hour) last[1] = hour;
    else ranges.push([hour, hour]);
  }
  return commas(ranges.map(([from, to]) => (from === to ? number(from) : `${number(from)}–${number(to)}`)));
}

/** Returns the schedule hints of the feed and its server, one sentence each. */
export function requestedText(requested: RequestedIntervals): string[] {
  const hints = [
    requested.max_age_seconds ? t('feed_info.requested.fresh', { span: spanText(requested.max_age_seconds / 60) }) : '',
    requested.ttl_minutes ? t('feed_info.requested.ttl', { span: spanText(requested.ttl_minutes) }) : '',
    requested.period_minutes
      ? t('feed_info.requested.period', { frequency: frequencyText(requested.period_minutes) })
      : '',
    requested.skip_hours.length > 0 ? t('feed_info.requested.hours', { hours: hourRanges(requested.skip_hours) }) : '',
    requested.skip_days.length > 0 ? t('feed_info.requested.days', { days: weekdays(requested.skip_days) }) : '',
  ].filter(Boolean);
  return hints.length > 0 ? hints : [t('feed_info.requested.nothing')];
}

export function postingText(record: FeedInfo, now: number): string {
  const { posting_interval_minutes, newest } = record;
  if (newest === null)
    return posting_interval_minutes === null
      ? t('feed_info.frequency.unknown')
      : frequencyText(posting_interval_minutes);
  const latest = t('feed_info.frequency.newest', { ago: agoText(newest, now) });
  if (posting_interval_minutes === null) return inLine([t('feed_info.frequency.unknown'), latest]);
  const frequency = frequencyText(posting_interval_minutes);
  return inLine([isQuiet(record, now) ? t('feed_info.frequency.quiet', { frequency }) : frequency, latest]);
}

export function requestsText(record: Traffic): string {
  if (record.requests === 0) return t('feed_info.requests.none');
  const share = t('feed_info.requests.share', { share: percent(record.not_modified / record.requests) });
  return inLine([t('feed_info.requests.count', { count: record.requests }), share]);
}

export function trafficText(record: Traffic): string {
  return inLine([
    t('feed_info.traffic.received', { size: fileSize(record.bytes) }),
    t('feed_info.traffic.saved', { size: fileSize(record.bytes_saved) }),
  ]);
}

export function reasonText(reason: PollReason | null): string {
  return reason === null ? t('poll.reason.unknown') : t(`poll.reason.${reason}`);
}

export const requestKindText = (line: PollLogEntry): string =>
  line.conditional ? t('poll.request.conditional') : t('poll.request.full');

export function responseText(line: PollLogEntry): string {
  if (line.error) return line.error_text ?? errorText(line.error).what;
  if (line.status === null) return t('poll.response.none');
  if (line.status === 304) return t('poll.response.not_modified');
  if (line.status >= 300) return t('poll.response.status', { status: String(line.status) });
  return line.changed_articles > 0
    ? t('poll.response.changed', { count: line.changed_articles })
    : t('poll.response.ok');
}

/** Returns the duration of a request: "340 ms", "2.4 s". */
export function durationText(ms: number): string {
  return ms < 1000 ? t('poll.milliseconds', { count: ms }) : t('poll.seconds', { count: Math.round(ms / 100) / 10 });
}

const utc = (ms: number): string => new Date(ms).toISOString().slice(0, 19) + 'Z';

/** Returns the feed info as plain text. Times are UTC, so that publishers can compare it with the server's log. */
export function reportText(record: FeedInfo, now: number): string {
  const line = (poll: PollLogEntry) =>
    [
      utc(poll.at),
      reasonText(poll.reason),
      requestKindText(poll),
      [poll.status === null ? '' : String(poll.status), responseText(poll)].filter(Boolean).join(' '),
      String(poll.new_articles),
      `${poll.duration_ms} ms`,
      String(poll.bytes),
      ...poll.redirects.map((hop) => `→ ${hop}`),
    ].join('\t');
  const field = (name: string, value: string) => t('report.field', { name, value });
  const lines = [
    t('report.title'),
    t('report.made', { time: utc(now) }),
    '',
    record.title,
    record.url,
    record.former_url === null ? null : t('report.former', { url: record.former_url }),
    '',
    record.next === null
      ? nextCheckText(record, now)
      : t('report.next', { time: utc(record.next), why: reasonText(record.next_reason) }),
    record.error ? t('report.error', { what: errorText(record.error).what }) : null,
    ...requestedText(record.requested),
    field(t('feed_info.frequency'), postingText(record, now)),
    field(t('feed_info.requests'), requestsText(record)),
    field(t('feed_info.traffic'), trafficText(record)),
    '',
    t('feed_info.request_history'),
    ...(record.polls.length > 0 ? [t('report.line'), ...record.polls.map(line)] : [t('poll.empty')]),
    '',
  ];
  return withoutIsolates(lines.filter((part) => part !== null).join('\n'));
}
