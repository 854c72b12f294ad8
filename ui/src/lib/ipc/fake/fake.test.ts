import { describe, expect, it } from 'vitest';
import type { CommandName, Commands, Core, Feed, Remedy } from '..';
import { fakeCore } from '.';

const ask = async <N extends CommandName>(core: Core, name: N, args: Commands[N]['args']) =>
  (await core.call(name, args)) as Commands[N]['result'];
const feeds = async (core: Core) => (await ask(core, 'overview', null)).feeds;

async function withRemedy<K extends Remedy['kind']>(
  core: Core,
  kind: K,
): Promise<{ feed: Feed; remedy: Extract<Remedy, { kind: K }> }> {
  for (const feed of await feeds(core)) {
    const remedy = feed.remedies.find((one): one is Extract<Remedy, { kind: K }> => one.kind === kind);
    if (remedy) return { feed, remedy };
  }
  throw new Error(`no feed of the fake's has ${kind}`);
}

describe('the fake', () => {
  it('has a feed for everything that can be done', async () => {
    const core = fakeCore();
    for (const kind of [
      'follow',
      'merge',
      'gone',
      'not_a_feed',
      'certificate',
      'attention',
      'silent',
      'moved',
    ] as const) {
      const { feed } = await withRemedy(core, kind);
      const record = await ask(core, 'feed_record', { feed_id: feed.id });
      expect(record).toMatchObject({ title: feed.title, url: feed.url, remedies: feed.remedies });
      expect(record.polls.length).toBeGreaterThan(0);
      expect(record.polls.map((poll) => poll.at)).toEqual(
        record.polls.map((poll) => poll.at).toSorted((a, b) => b - a),
      );
    }
  });

  it('follows a move, and takes it back', async () => {
    const core = fakeCore();
    const { feed, remedy } = await withRemedy(core, 'follow');
    const step = await ask(core, 'change_feed_address', { feed_id: feed.id, url: remedy.to });
    expect((await feeds(core)).find((one) => one.id === feed.id)).toMatchObject({
      url: remedy.to,
      remedies: [],
    });
    expect((await ask(core, 'feed_record', { feed_id: feed.id })).url).toBe(remedy.to);
    await ask(core, 'undo', step);
    expect((await feeds(core)).find((one) => one.id === feed.id)).toEqual(feed);
  });

  it('merges two feeds, and parts them again', async () => {
    const core = fakeCore();
    const { feed, remedy } = await withRemedy(core, 'merge');
    const articles = async (id: number) =>
      (
        await ask(core, 'articles', {
          source: { kind: 'feed', id },
          unread_only: false,
          oldest_first: false,
          after: null,
          before: null,
          limit: 500,
        })
      ).rows.length;
    const [going, staying] = [await articles(feed.id), await articles(remedy.feed_id)];
    expect(going).toBeGreaterThan(0);
    const step = await ask(core, 'merge_feeds', { feed_id: feed.id, into: remedy.feed_id });
    expect((await feeds(core)).some((one) => one.id === feed.id)).toBe(false);
    expect(await articles(remedy.feed_id)).toBe(going + staying);
    await ask(core, 'undo', step);
    expect((await feeds(core)).some((one) => one.id === feed.id)).toBe(true);
    expect([await articles(feed.id), await articles(remedy.feed_id)]).toEqual([going, staying]);
  });

  it('refuses an address that another feed has', async () => {
    const core = fakeCore();
    const [one, other] = await feeds(core);
    await expect(ask(core, 'change_feed_address', { feed_id: one!.id, url: other!.url })).rejects.toMatchObject({
      code: 'already_subscribed',
    });
  });

  it('keeps a wish', async () => {
    const core = fakeCore();
    const feed_id = (await feeds(core))[0]!.id;
    await ask(core, 'set_refresh_interval', { feed_id, minutes: 0 });
    expect(await ask(core, 'feed_record', { feed_id })).toMatchObject({ refresh_minutes: 0, next: null });
    await ask(core, 'set_refresh_interval', { feed_id, minutes: 720 });
    expect(await ask(core, 'feed_record', { feed_id })).toMatchObject({ refresh_minutes: 720, next_reason: 'wish' });
  });
});
