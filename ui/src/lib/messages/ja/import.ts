import type { imports as english } from '../en/import';
import type { Part } from '../languages';

/** Japanese for what comes from other readers besides lists of feeds. Part of `words`. */
export const imports: Part<'ja', typeof english> = {
  'import.ended': '{file} を読み込みました',
  'import.ended.failed': '{file} を読み込めませんでした',
  'import.show': '表示',
  'import.taking': { other: '記事 {count} 件を読み取りました' },
  'import.articles': { other: '記事 {count} 件' },
  'import.starred': { other: 'うち {count} 件はスター付き' },
  'import.known': { other: '記事 {count} 件はすでにありました。本文はそのままで、元の場所での印が付きました。' },
  'import.unasked': {
    other:
      'ほかに {count} 件のフィードが記事とともに届きました。購読していたことを示すものがないため、自動では更新されません。',
  },
};
