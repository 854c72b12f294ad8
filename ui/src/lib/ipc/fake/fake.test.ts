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
      'switch',
      'parked',
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

  it('reaches a feed in another way, keeps its secret to itself, and takes it back', async () => {
    const core = fakeCore();
    const [feed] = await feeds(core);
    const feed_id = feed!.id;
    const before = await ask(core, 'feed_access', { feed_id });
    expect(before).toMatchObject({ login: 'none', kept: null, headers: [] });
    const step = await ask(core, 'set_access', {
      feed_id,
      login: { kind: 'basic', user: 'ada', password: 'sesame' },
      user_agent: 'Me/1',
      proxy: 'direct',
      headers: [{ name: 'X-Key', value: 'hidden' }],
      in_library: false,
    });
    const after = await ask(core, 'feed_access', { feed_id });
    expect(after).toMatchObject({ login: 'basic', user_name: 'ada', kept: 'keyring', headers: ['X-Key'] });
    expect(JSON.stringify(after)).not.toMatch(/sesame|hidden/);
    await ask(core, 'undo', step);
    expect(await ask(core, 'feed_access', { feed_id })).toEqual(before);
  });

  it('accepts a certificate, and no other', async () => {
    const core = fakeCore();
    const { feed } = await withRemedy(core, 'certificate');
    const shown = await ask(core, 'feed_certificate', { feed_id: feed.id });
    expect(shown?.faults).toEqual(['expired']);
    await ask(core, 'accept_certificate', { feed_id: feed.id, fingerprint: shown!.fingerprint });
    expect((await ask(core, 'feed_access', { feed_id: feed.id })).certificate).toBe(shown!.fingerprint);
    const address = 'https://self-signed.example/';
    const asks = await ask(core, 'discover', { address, reach: null });
    if (asks.kind !== 'certificate') throw new Error(asks.kind);
    const reach = { origin: asks.origin, login: null, certificate: asks.certificate.fingerprint, in_library: false };
    expect((await ask(core, 'discover', { address, reach })).kind).toBe('feeds');
  });

  it('asks for a login, and says when it refuses one', async () => {
    const core = fakeCore();
    const address = 'https://private.example/';
    const reach = (password: string) => ({
      origin: 'https://private.example',
      login: { kind: 'basic' as const, user: 'ada', password },
      certificate: null,
      in_library: false,
    });
    expect(await ask(core, 'discover', { address, reach: null })).toMatchObject({ kind: 'login', refused: false });
    expect(await ask(core, 'discover', { address, reach: reach('x') })).toMatchObject({ kind: 'login', refused: true });
    expect((await ask(core, 'discover', { address, reach: reach('sesame') })).kind).toBe('feeds');
  });

  it('keeps a silent feed, and takes it back', async () => {
    const core = fakeCore();
    const { feed } = await withRemedy(core, 'silent');
    const silent = async () => (await feeds(core)).find((one) => one.id === feed.id)?.remedies;
    const step = await ask(core, 'keep_silent_feed', { feed_id: feed.id });
    expect(await silent()).toEqual([]);
    await ask(core, 'undo', step);
    expect(await silent()).toEqual(feed.remedies);
  });

  it('merges two feeds, and parts them again', async () => {
    const core = fakeCore();
    const { feed, remedy } = await withRemedy(core, 'merge');
    const articles = async (id: number) =>
      (
        await ask(core, 'articles', {
          source: { kind: 'feed', id },
          unread_only: false,
          order: 'newest',
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
    const scope = { kind: 'feed', id: feed_id } as const;
    const { own } = await ask(core, 'preferences', scope);
    await ask(core, 'set_preferences', { scope, preferences: { ...own, refresh_minutes: 0 } });
    expect(await ask(core, 'feed_record', { feed_id })).toMatchObject({ refresh_minutes: 0, next: null });
    await ask(core, 'set_preferences', { scope, preferences: { ...own, refresh_minutes: 720 } });
    expect(await ask(core, 'feed_record', { feed_id })).toMatchObject({ refresh_minutes: 720, next_reason: 'wish' });
  });

  it('restores what it copied', async () => {
    const core = fakeCore();
    const all = async () => (await ask(core, 'counts', null)).smart.all;
    const before = await all();
    const made = await ask(core, 'back_up', null);
    expect((await ask(core, 'backups', null)).backups[0]).toEqual(made);
    const { feed } = await withRemedy(core, 'attention');
    await ask(core, 'unsubscribe', { feed_ids: [feed.id] });
    expect(await feeds(core)).not.toContainEqual(feed);
    const renewed = await ask(core, 'restore_backup', { name: made.name });
    expect([renewed.articles, await all()]).toEqual([before, before]);
    expect(await feeds(core)).toContainEqual(feed);
    await expect(ask(core, 'restore_backup', { name: '../library.sqlite' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
