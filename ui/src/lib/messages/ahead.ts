/** Sentences about what is fetched ahead. */
import type { AheadProgress, AheadState, AheadWish, FullTextWhen } from '../ipc';
import { fileSize } from './format';
import { t } from './index';

/** When full texts are fetched as articles are opened. */
export const FULL_TEXT_WHEN: readonly FullTextWhen[] = ['never', 'short', 'always'];

export const whenText = (when: FullTextWhen): string =>
  t(
    (
      {
        never: 'full_text.when.never',
        short: 'full_text.when.short',
        always: 'full_text.when.always',
      } as const
    )[when],
  );

/** What is kept, what waits and what could not be had. */
export function keptText(state: AheadState): string[] {
  const kept =
    state.texts + state.pictures === 0
      ? t('ahead.nothing_kept')
      : t('ahead.kept', {
          texts: t('ahead.texts', { count: state.texts }),
          pictures: t('ahead.pictures', { count: state.pictures }),
          size: fileSize(state.bytes),
        });
  const lines = [kept];
  if (state.waiting > 0) lines.push(t('ahead.waiting', { count: state.waiting }));
  if (state.failed > 0) lines.push(t('ahead.failed', { count: state.failed }));
  return lines;
}

/** How far a round is, or what kept it from going on; empty where there is nothing to say. */
export function roundText(progress: AheadProgress | null): string {
  if (!progress) return '';
  if (progress.running)
    return t('ahead.so_far', {
      texts: t('ahead.texts', { count: progress.texts }),
      pictures: t('ahead.pictures', { count: progress.pictures }),
    });
  if (progress.offline) return t('ahead.offline');
  return progress.elsewhere ? t('ahead.elsewhere') : '';
}

export type WishName = 'none' | 'text' | 'pictures' | 'both';

const WISHES: Record<WishName, AheadWish> = {
  none: { text: false, pictures: false },
  text: { text: true, pictures: false },
  pictures: { text: false, pictures: true },
  both: { text: true, pictures: true },
};

export const wishOf = (name: WishName): AheadWish => WISHES[name];

export function wishName(wish: AheadWish): WishName {
  if (wish.text) return wish.pictures ? 'both' : 'text';
  return wish.pictures ? 'pictures' : 'none';
}

/** "Full text and pictures". */
export const wishText = (name: WishName): string =>
  t(
    (
      {
        none: 'ahead.feed.none',
        text: 'ahead.feed.text',
        pictures: 'ahead.feed.pictures',
        both: 'ahead.feed.both',
      } as const
    )[name],
  );
