/** What can be done about a feed, as buttons. */
import type { Feed, Remedy } from '../ipc';
import { t } from '../messages';
import { aboutFeed, changeAddress, keepSilent, lookForFeed, mergeFeeds, unsubscribe } from './feeds';
import { refresh } from './refresh.svelte';
import { toasts } from './toasts.svelte';

export type RemedyAct = { readonly label: string; readonly run: () => void };

/** A proposal that waits for a yes or no, and is no trouble by itself. */
export const proposalOf = (feed: Pick<Feed, 'remedies'>): Remedy | undefined =>
  feed.remedies.find(({ kind }) => kind === 'follow' || kind === 'merge');

function move(feed: Feed, url: string): void {
  changeAddress(feed, url).catch((error: unknown) => toasts.error(error));
}

/** The first is the one to choose when in doubt. */
export function remedyActs(feed: Feed, remedy: Remedy): readonly RemedyAct[] {
  const retry = { label: t('trouble.retry'), run: () => void refresh.start({ kind: 'feed', id: feed.id }) };
  const leave = { label: t('menu.unsubscribe'), run: () => void unsubscribe([feed]) };
  const look = () => void lookForFeed(feed);
  const address = { label: t('about.address.change'), run: () => aboutFeed(feed, 'address') };
  switch (remedy.kind) {
    case 'follow':
      return [{ label: t('remedy.follow.do'), run: () => move(feed, remedy.to) }];
    case 'merge':
      return [{ label: t('remedy.merge.do'), run: () => void mergeFeeds(feed, remedy) }];
    case 'switch':
      return [{ label: t('remedy.switch.do'), run: () => move(feed, remedy.to) }];
    case 'parked':
      return [address, retry, leave];
    case 'gone':
      return [{ label: t('remedy.look.another'), run: look }, leave];
    case 'not_a_feed':
      return [{ label: t('remedy.look.again'), run: look }, retry];
    case 'certificate':
      return [{ label: t('certificate.look'), run: () => aboutFeed(feed, 'certificate') }, retry];
    case 'attention':
      return [retry, address, { label: t('remedy.look.another'), run: look }, leave];
    case 'silent':
      return [{ label: t('remedy.keep'), run: () => void keepSilent(feed) }, leave];
    case 'moved':
      return [{ label: t('remedy.moved.do'), run: () => move(feed, remedy.from) }];
  }
}
