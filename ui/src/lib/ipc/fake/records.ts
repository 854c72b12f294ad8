/** What the fake's polling knows of its feeds: made when it is first asked for, then kept. */
import type { Feed, FeedRecord, IpcError, PollLine, PollReason, PollWishes, Traffic } from '../generated';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** As in the core: so many refreshes by hand at once, and one more for each of these spans. */
const BY_HAND = 5;
const BY_HAND_EVERY = 10 * MINUTE;

type Known = Omit<FeedRecord, 'feed_id' | 'title' | 'url' | 'former_url' | 'trouble' | 'remedies'>;

const NOTHING_ASKED: PollWishes = {
  fresh_seconds: null,
  ttl_minutes: null,
  period_minutes: null,
  skip_hours: [],
  skip_days: [],
};

/** How a feed is polled: what its state makes of it. */
type Way = {
  every: number;
  why: PollReason;
  next: number | null;
  asks?: Partial<PollWishes>;
  rhythm: number | null;
  newest: number;
  /** Answers, newest first; the last goes on for ever. */
  answers: readonly (number | null)[];
  hops?: string[];
};

function wayOf(feed: Feed, now: number): Way {
  const kinds = new Set(feed.remedies.map((remedy) => remedy.kind));
  const daily: Way = {
    every: 2.1 * HOUR,
    why: 'rhythm',
    next: now + 95 * MINUTE,
    rhythm: 1440,
    newest: now - 7 * HOUR,
    answers: [304, 304, 304, 200, 304, 304, 304, 304, 304, 304, 304],
  };
  if (kinds.has('gone')) return { ...daily, next: null, answers: [410, 410, 503, 304] };
  if (kinds.has('silent'))
    return { ...daily, every: 7 * DAY, rhythm: 17_000, next: now + 5 * DAY, newest: now - 760 * DAY, answers: [304] };
  if (feed.trouble) {
    const status = feed.trouble.error.code === 'http_status' ? Number(feed.trouble.error.detail) : null;
    const answer = feed.trouble.error.code === 'not_a_feed' ? 200 : status;
    const answers = Array.from({ length: Math.ceil((now - feed.trouble.since) / DAY) }, () => answer);
    return { ...daily, every: DAY, why: 'failed', next: feed.trouble.next, answers: [...answers, 304] };
  }
  const follow = feed.remedies.find((remedy) => remedy.kind === 'follow');
  if (follow) return { ...daily, hops: [`301 ${follow.to}`] };
  if (feed.url.includes('kernelweekly')) {
    const asks = { fresh_seconds: 1800, ttl_minutes: 180, skip_hours: [0, 1, 2, 3, 4, 5, 23], skip_days: [5, 6] };
    return {
      ...daily,
      why: 'retry_after',
      rhythm: 10_080,
      next: now + 2 * HOUR,
      asks,
      answers: [429, 304, 304, 200, 304],
    };
  }
  return feed.id % 4 === 0
    ? { ...daily, every: HOUR, why: 'usual', rhythm: null, next: now + 40 * MINUTE, asks: { fresh_seconds: 300 } }
    : daily;
}

function line(way: Way, trouble: IpcError | null, at: number, index: number): PollLine {
  const status = way.answers[Math.min(index, way.answers.length - 1)] ?? null;
  const whole = status === 200;
  const failed = status === null || status >= 400 || (trouble?.code === 'not_a_feed' && whole);
  const waits = status === 429;
  const earlier = way.answers[Math.min(index + 1, way.answers.length - 1)] ?? null;
  const before = earlier === null || earlier >= 400 || (trouble?.code === 'not_a_feed' && earlier === 200);
  return {
    at,
    why: index % 9 === 4 ? 'hand' : before ? 'failed' : way.why === 'usual' ? 'usual' : 'rhythm',
    conditional: !whole || index % 2 === 1,
    status,
    trouble: !failed
      ? null
      : waits
        ? { code: 'asked_to_wait', message: 'The server answered 429 with Retry-After: 7200.', detail: null }
        : status !== null && status >= 400
          ? { code: 'http_status', message: `The server answered ${status}.`, detail: String(status) }
          : trouble,
    hops: way.hops ?? [],
    took_ms: status === null ? 10_000 : 90 + ((index * 137) % 700),
    bytes: whole ? 48_200 + index * 310 : status === null ? 0 : 212,
    new_articles: whole && !failed ? 1 + (index % 3) : 0,
    changed_articles: whole && !failed && index % 2 === 1 ? 1 : 0,
    next: at + way.every,
    next_reason: way.why,
  };
}

export class FakeRecords {
  private known = new Map<number, Known>();
  private byHand = new Map<number, number>();

  private knownOf(feed: Feed, now: number): Known {
    let known = this.known.get(feed.id);
    if (!known) {
      const way = wayOf(feed, now);
      const count = feed.local ? 0 : 60;
      const polls = Array.from({ length: count }, (_, i) =>
        line(way, feed.trouble?.error ?? null, now - 0.5 * HOUR - i * way.every, i),
      );
      known = {
        refresh_minutes: null,
        checked: polls[0]?.at ?? null,
        succeeded: polls.find((poll) => poll.trouble === null)?.at ?? null,
        changed: polls.find((poll) => poll.new_articles > 0)?.at ?? null,
        next: way.next,
        next_reason: way.next === null ? null : way.why,
        rhythm_minutes: way.rhythm,
        newest: way.newest,
        asks: { ...NOTHING_ASKED, ...way.asks },
        requests: 7 * count,
        not_modified: polls.filter((poll) => poll.status === 304).length * 7,
        bytes: 7 * polls.reduce((sum, poll) => sum + poll.bytes, 0),
        bytes_saved: polls.filter((poll) => poll.status === 304).length * 7 * 48_200,
        polls: polls.slice(0, 50),
      };
      this.known.set(feed.id, known);
    }
    return known;
  }

  traffic(feeds: readonly Feed[], now: number): Traffic {
    const all = feeds.map((feed) => this.knownOf(feed, now));
    const sum = (of: (known: Known) => number) => all.reduce((total, known) => total + of(known), 0);
    return {
      requests: sum((known) => known.requests),
      not_modified: sum((known) => known.not_modified),
      bytes: sum((known) => known.bytes),
      bytes_saved: sum((known) => known.bytes_saved),
    };
  }

  of(feed: Feed, now: number): FeedRecord {
    const known = this.knownOf(feed, now);
    const moved = feed.remedies.find((remedy) => remedy.kind === 'moved');
    return {
      ...known,
      feed_id: feed.id,
      title: feed.title,
      url: feed.url,
      former_url: moved?.from ?? null,
      trouble: feed.trouble?.error ?? known.polls[0]?.trouble ?? null,
      remedies: feed.remedies,
    };
  }

  wish(feed: Feed, minutes: number | null, now: number): void {
    const known = this.knownOf(feed, now);
    known.refresh_minutes = minutes;
    if (minutes === 0) Object.assign(known, { next: null, next_reason: null });
    else if (minutes !== null) Object.assign(known, { next: now + minutes * MINUTE, next_reason: 'wish' });
    else Object.assign(known, { next: now + 95 * MINUTE, next_reason: 'rhythm' });
  }

  /** Forgets what was known at the old address; the answer brings it back. */
  move(feedId: number): () => void {
    const before = this.known.get(feedId);
    this.known.delete(feedId);
    return () => {
      if (before) this.known.set(feedId, before);
      else this.known.delete(feedId);
    };
  }

  /** When a feed may be refreshed by hand again, or `null`: now, and that is remembered. */
  allowed(feedId: number, now: number): number | null {
    const after = Math.max(this.byHand.get(feedId) ?? now, now) + BY_HAND_EVERY;
    if (after > now + BY_HAND * BY_HAND_EVERY) return after - BY_HAND * BY_HAND_EVERY;
    this.byHand.set(feedId, after);
    return null;
  }

  /** It was asked by hand, and this came. */
  asked(feed: Feed, newArticles: number, now: number): void {
    const known = this.knownOf(feed, now);
    const last = known.polls[0];
    if (!last || feed.local) return;
    const well = feed.trouble === null;
    const poll: PollLine = {
      ...last,
      at: now,
      why: 'hand',
      conditional: true,
      trouble: well ? null : last.trouble,
      status: !well ? last.status : newArticles > 0 ? 200 : 304,
      bytes: newArticles > 0 ? 48_900 : 212,
      new_articles: newArticles,
      changed_articles: 0,
    };
    known.polls = [poll, ...known.polls].slice(0, 50);
    known.checked = now;
    known.requests++;
    if (poll.status === 304) known.not_modified++;
  }
}
